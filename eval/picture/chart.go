package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
)

// A group is a question that programs were timed at, on one tree.
type group struct {
	title string
	bars  []bar
}

// A bar is the seconds of a program, how many times those of assay they are, and the least and the most of a round.
type bar struct {
	name               string
	wall               float64
	times, least, most float64
}

var (
	lineOf = regexp.MustCompile(`^  (\S+)\s+([\d.]+)\s+([\d.]+) \(([\d.]+)-([\d.]+)\)`)
	filed  = regexp.MustCompile(`^\d+ files with (\d+) lines; (\d+) rounds`)
)

// read parses a run of eval/peers.
func read(text string) (out []group, err error) {
	tree, title := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := filed.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			tree = fmt.Sprintf("%s lines, %s rounds", thousands(n), m[2])
			continue
		}
		if m := lineOf.FindStringSubmatch(line); m != nil && tree != "" {
			var b bar
			b.name = m[1]
			for i, to := range []*float64{&b.wall, &b.times, &b.least, &b.most} {
				if *to, err = strconv.ParseFloat(m[i+2], 64); err != nil {
					return nil, fmt.Errorf("%q: %w", line, err)
				}
			}
			if b.name == "assay" {
				out = append(out, group{title: title + " (" + tree + ")"})
			}
			if len(out) == 0 {
				return nil, fmt.Errorf("%q is before a line of assay", line)
			}
			g := &out[len(out)-1]
			g.bars = append(g.bars, b)
			continue
		}
		if line != "" && line[0] != ' ' {
			title = line
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no figures in the run")
	}
	return out, nil
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Sizes of a chart.
const (
	wide   = 860
	left   = 110 // the names
	full   = 420 // of the longest bar of a question
	high   = 18
	margin = 12
)

// peers draws a run of eval/peers: for each question the seconds of each program, and how many times those of assay
// they are, with a line from the least to the most of a round.
func peers(from, text string) (string, error) {
	groups, err := read(text)
	if err != nil {
		return "", err
	}
	height := 3 * margin
	for _, g := range groups {
		height += high*(len(g.bars)+1) + margin
	}
	p := render.NewPicture(wide, height, "seconds of assay and of other programs for the same question", ".bar{fill:var(--edge)}.ours{fill:var(--link)}.spread{stroke:var(--text);stroke-width:1.5}.dim{fill:var(--dim)}.head{font-weight:700}")
	y := margin
	for _, g := range groups {
		y += high
		p.F(`<text class="head" x="%d" y="%d">%s</text>`+"\n", margin, y-5, g.title)
		longest := 0.
		for _, b := range g.bars {
			longest = max(longest, b.wall, g.bars[0].wall*b.most)
		}
		for _, b := range g.bars {
			length := func(seconds float64) int { return max(1, int(seconds/longest*full)) }
			kind, said := render.Markup("bar"), fmt.Sprintf("%s s", strconv.FormatFloat(b.wall, 'g', 3, 64))
			if b.name == "assay" {
				kind += " ours"
			} else {
				said += fmt.Sprintf(", %.3g times (%.3g to %.3g)", b.times, b.least, b.most)
			}
			p.F(`<text x="%d" y="%d">%s</text><rect class="%s" x="%d" y="%d" width="%d" height="%d"/>`, margin, y+12, b.name, kind, left, y+2, length(b.wall), high-5)
			end := left + length(b.wall)
			if b.most > b.least {
				from, to := left+length(g.bars[0].wall*b.least), left+length(g.bars[0].wall*b.most)
				p.F(`<line class="spread" x1="%d" y1="%d" x2="%d" y2="%d"/>`, from, y+high/2, to, y+high/2)
				end = max(end, to)
			}
			p.F(`<text class="dim" x="%d" y="%d">%s</text>`+"\n", end+8, y+12, said)
			y += high
		}
		y += margin
	}
	p.F(`<text class="dim" x="%d" y="%d">%s; each question has a scale of its own; the line is the range of the rounds</text>`+"\n", margin, y+margin, from)
	return p.String(), nil
}
