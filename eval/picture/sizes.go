package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
)

// A tree is what eval/speed measured on one tree, by its lines.
type tree struct {
	lines  int
	values map[string]float64
}

var (
	measured = regexp.MustCompile(`^\s+(\S.*?)\s{2,}([\d.]+)\s`)
	indexed  = regexp.MustCompile(`^# index: \d+ files, \d+ of them documents with (\d+) lines`)
)

// costs are what is drawn of each tree: what eval/speed calls it, and what it is.
var costs = [...]struct{ name, title, unit string }{
	{"wall per million lines", "a first index, seconds for each million lines", "s"},
	{"cold query: 3 words, process, refreshed", "a question of three words as a new process, the tree checked for changes", "ms"},
	{"cold query: 3 words, process, --no-refresh", "the same without the check", "ms"},
	{"peak memory with mapped files (ru_maxrss)", "memory while indexing, mapped files included", "MB"},
	{"as a part of the sources", "the index as a share of the text", ""},
}

// readSizes parses a run of eval/speed on trees of several sizes, which a line with the size of each ends.
func readSizes(text string) (out []tree, err error) {
	now := tree{values: map[string]float64{}}
	for line := range strings.Lines(text) {
		if m := indexed.FindStringSubmatch(line); m != nil {
			now.lines, _ = strconv.Atoi(m[1])
			for _, c := range costs {
				if now.values[c.name] == 0 {
					return nil, fmt.Errorf("%d lines: no %q", now.lines, c.name)
				}
			}
			out, now = append(out, now), tree{values: map[string]float64{}}
		} else if m := measured.FindStringSubmatch(line); m != nil {
			v, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", line, err)
			}
			now.values[m[1]] = v
		}
	}
	if len(out) < 2 {
		return nil, fmt.Errorf("%d trees in the run", len(out))
	}
	return out, nil
}

// sizes draws what a tree costs by its size.
func sizes(from, text string) (string, error) {
	trees, err := readSizes(text)
	if err != nil {
		return "", err
	}
	height := 3*margin + len(costs)*(high*(len(trees)+1)+margin)
	p := render.NewPicture(wide, height, "what trees of several sizes cost", ".bar{fill:var(--link)}.dim{fill:var(--dim)}.head{font-weight:700}")
	y := margin
	for _, c := range costs {
		y += high
		p.F(`<text class="head" x="%d" y="%d">%s</text>`+"\n", margin, y-5, c.title)
		longest := 0.
		for _, t := range trees {
			longest = max(longest, t.values[c.name])
		}
		for _, t := range trees {
			long := max(1, int(t.values[c.name]/longest*full))
			p.F(`<text x="%d" y="%d">%s lines</text><rect class="bar" x="%d" y="%d" width="%d" height="%d"/><text class="dim" x="%d" y="%d">%s</text>`+"\n",
				margin, y+12, thousands(t.lines), left+30, y+2, long, high-5, left+38+long, y+12, strings.TrimSpace(strconv.FormatFloat(t.values[c.name], 'g', 3, 64)+" "+c.unit))
			y += high
		}
		y += margin
	}
	p.F(`<text class="dim" x="%d" y="%d">%s; each cost has a scale of its own</text>`+"\n", margin, y+margin, from)
	return p.String(), nil
}
