package vault

import (
	"strings"
	"unicode/utf8"
)

// A window is a piece of a text: whole lines where they fit. Lines are numbered
// from 1, both ends included.
type window struct {
	first, last int
	text        string
	heading     string // the headings around its first line, outermost first
	day         day    // of the last heading at or before its first line that has one
	speaker     int    // whose words its first line is, in a session
}

const crumb = " › " // between headings

// windows cuts lines, of which the first is numbered from, into pieces of at most
// size tokens; each begins with at most overlap tokens of the end of the one before
// it, but where a heading parts them. No piece is blank and no line is omitted
// but blank ones. A line longer than size is cut inside.
func windows(lines []string, from, size, overlap int) (out []window) {
	size = max(size, 16)
	overlap = min(max(overlap, 0), size/2)
	c := cutter{lines: lines, from: from, size: size, overlap: overlap}
	c.measure()
	for at := 0; at < len(lines); {
		if c.cost[at] > size {
			out = append(out, c.long(at)...)
			at++
			continue
		}
		end := c.end(at)
		if w, ok := c.window(at, end); ok {
			out = append(out, w)
		}
		at = c.next(at, end)
	}
	return out
}

type cutter struct {
	lines         []string
	from          int
	size, overlap int
	cost          []int
	trail         []string // the headings in force at each line
	days          []day
	level         []int // of a heading, from 1; 0: no heading
}

// measure counts the tokens of each line and finds the headings: lines that begin
// with # outside fenced code.
func (c *cutter) measure() {
	n := len(c.lines)
	c.cost, c.trail, c.days, c.level = make([]int, n), make([]string, n), make([]day, n), make([]int, n)
	var names [6]string
	var days [6]day
	var code fence
	trail := ""
	var now day
	for i, line := range c.lines {
		c.cost[i] = Tokens(line)
		if level, title := heading(strings.TrimSpace(line)); !code.has(line) && level > 0 {
			c.level[i] = level
			clear(names[level-1:])
			clear(days[level-1:])
			names[level-1], days[level-1] = title, dateIn(title)
			trail, now = "", 0
			for k := range level {
				if names[k] != "" {
					if trail != "" {
						trail += crumb
					}
					trail += names[k]
				}
				if days[k] != 0 {
					now = days[k]
				}
			}
		}
		c.trail[i], c.days[i] = trail, now
	}
}

// A fence is the ticks or tildes that fenced code of Markdown began with; empty: outside of any.
type fence string

// has reports whether the next line is one of fenced code, or a mark of it.
func (f *fence) has(line string) bool {
	line = strings.TrimSpace(line)
	was := *f
	if line == "" || line[0] != '`' && line[0] != '~' {
		return was != ""
	}
	mark := line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
	switch {
	case was == "" && len(mark) >= 3:
		*f = fence(mark)
		return true
	case was != "" && mark == line && strings.HasPrefix(mark, string(was)):
		*f = ""
	}
	return was != ""
}

func heading(bare string) (level int, title string) {
	n := len(bare) - len(strings.TrimLeft(bare, "#"))
	if n == 0 || n > 6 || len(bare) == n || bare[n] != ' ' && bare[n] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(bare[n:]), "#"))
	if len(title) > 200 {
		title = strings.ToValidUTF8(title[:200], "")
	}
	return n, title
}

// end returns where the piece that begins at line at ends: at the last heading of its second half, if not all the rest fits.
// To end at a blank line instead found less in the handbooks of eval/memory.
func (c *cutter) end(at int) int {
	sum, end := 0, at
	for end < len(c.lines) && sum+c.cost[end] <= c.size {
		sum += c.cost[end]
		end++
	}
	if end == len(c.lines) {
		return end
	}
	for i := end; i > at+1 && sum >= c.size/2; i-- {
		if c.level[i] > 0 {
			return i
		}
		sum -= c.cost[i-1]
	}
	return end
}

// next returns where the piece after [at, end) begins.
func (c *cutter) next(at, end int) int {
	if end >= len(c.lines) || c.level[end] > 0 || c.cost[end] > c.size {
		return end
	}
	sum, begin := c.cost[end], end
	for back := 0; begin-1 > at; begin-- {
		back += c.cost[begin-1]
		// What follows must fit behind what is repeated.
		if back > c.overlap || back+sum > c.size {
			break
		}
	}
	return begin
}

func (c *cutter) window(at, end int) (window, bool) {
	for at < end && strings.TrimSpace(c.lines[at]) == "" {
		at++
	}
	for end > at && strings.TrimSpace(c.lines[end-1]) == "" {
		end--
	}
	if at == end {
		return window{}, false
	}
	return window{first: c.from + at, last: c.from + end - 1, text: strings.Join(c.lines[at:end], "\n"), heading: c.trail[at], day: c.days[at]}, true
}

// long cuts a line into pieces of their own.
func (c *cutter) long(at int) (out []window) {
	line := c.lines[at]
	var starts, sums []int // of the tokenizer's pieces: where, and tokens before
	sum := 0
	for i := 0; i < len(line); {
		starts, sums = append(starts, i), append(sums, sum)
		end, cost := piece(line, i)
		if cost > c.size/4 { // one word without end: letters, as many as bytes
			for i+c.size/4 < end {
				step := i + c.size/4
				for !utf8.RuneStart(line[step]) {
					step--
				}
				sum += c.size / 4
				i = step
				starts, sums = append(starts, i), append(sums, sum)
			}
			cost = end - i
		}
		sum += cost
		i = end
	}
	starts, sums = append(starts, len(line)), append(sums, sum)
	for a := 0; a < len(starts)-1; {
		b := a + 1
		for b < len(starts)-1 && sums[b+1]-sums[a] <= c.size {
			b++
		}
		if text := strings.TrimSpace(line[starts[a]:starts[b]]); text != "" {
			n := c.from + at
			out = append(out, window{first: n, last: n, text: text, heading: c.trail[at], day: c.days[at]})
		}
		if b == len(starts)-1 {
			break
		}
		next := b
		for next-1 > a && sums[b]-sums[next-1] <= c.overlap {
			next--
		}
		a = next
	}
	return out
}
