package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/brief"
)

// A traced is a frame of a trace that was made of an older commit, and where its function
// is in the newer tree.
type traced struct {
	language string
	text     string // as the language prints it
	path     string
	line     int
	old      *function
	now      *function // nil: it is gone
	sort     string
}

// The sorts of what became of a function since. What became of its lines is looked at
// only where it is the same function of the same file.
const (
	still   = "line still in it"
	shifted = "lines moved"
	carried = "file renamed"
	moved   = "other file"
	called  = "renamed"
	gone    = "gone"
)

// sorts are taken in turns for the first frame of a trace, those that are the most common
// twice.
var sorts = []string{shifted, carried, moved, shifted, gone, called}

// distances are how many commits of the main line are between a trace and the tree.
var distances = []int{50, 200, 800}

// traces makes traces of what projects were and asks for them in what they are.
func (o options) traces(ctx context.Context) error {
	names, err := o.mirrored()
	if err != nil {
		return err
	}
	var all []verdict
	for _, name := range names {
		got, err := o.tracesOf(ctx, name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "brief: %s: %v\n", name, err)
		}
		all = append(all, got...)
		fmt.Fprintf(os.Stderr, "%s: %s\n", name, shares(got))
	}
	return judge(all)
}

// A verdict is what a brief said of one frame.
type verdict struct {
	*traced
	trace string // which one
	how   string
	was   string // right, wrong, or none where no place is named
}

// tracesOf makes the traces of one project, and asks for them.
func (o options) tracesOf(ctx context.Context, name string) (out []verdict, err error) {
	t, done, err := o.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, done()) }()
	head, err := judged.Git(ctx, t.repo, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	head = strings.TrimSpace(head)
	if _, err := judged.Git(ctx, t.dir, "checkout", "-q", "-f", head); err != nil {
		return nil, err
	}
	line, err := judged.Git(ctx, t.repo, "rev-list", "--first-parent", head)
	if err != nil {
		return nil, err
	}
	commits := strings.Fields(line)
	here, err := treeOf(ctx, t.dir)
	if err != nil {
		return nil, err
	}
	for k, far := range distances {
		if far >= len(commits) {
			break
		}
		then, err := changedSince(ctx, t.repo, commits[far], head, here)
		if err != nil {
			return out, err
		}
		for i, frames := range then.sample((o.most + k) / len(distances)) {
			var text strings.Builder
			text.WriteString(traceText(frames))
			b, err := t.brief.Brief(commanded(ctx), brief.Input{Task: text.String(), Root: t.dir, Focus: []string{"code"}, NoRefresh: len(out) > 0})
			if err != nil {
				return out, err
			}
			for _, f := range frames {
				v := verdict{traced: f, trace: fmt.Sprint(name, " ", far, " ", i)}
				v.how, v.was = said(b, f)
				if o.verbose && v.was != "right" {
					fmt.Fprintf(os.Stderr, "%s %s %s:%d %s: %s\n  %s: is %s\n", name, v.sort, f.path, f.line, f.old.name, v.was, v.how, f.now)
				}
				out = append(out, v)
			}
		}
	}
	return out, nil
}

// said judges what a brief says of a frame.
func said(b *brief.Brief, f *traced) (how, was string) {
	var got *brief.Frame
	for i := range b.Frames {
		place, name, _ := strings.Cut(b.Frames[i].Was, " ")
		if strings.HasSuffix(place, fmt.Sprintf("%s:%d", path.Base(f.path), f.line)) && (got == nil || name != "") {
			got = &b.Frames[i]
		}
	}
	switch {
	case got == nil:
		return "not read as a frame", "none"
	case f.now == nil && (got.How == "gone" || got.File == ""):
		return got.How, "right"
	case got.File == "" || got.How == "gone":
		return got.How, "none"
	case f.now != nil && got.File == f.now.file && got.Name == f.now.name && f.now.first <= got.Line && got.Line <= f.now.last:
		return got.How, "right"
	}
	return fmt.Sprintf("%s (%s:%d %s)", got.How, got.File, got.Line, got.Name), "wrong"
}

// sample makes some traces: what failed is of each sort in turns, and above it are
// functions of changed files that call it.
func (c *changed) sample(n int) (out [][]*traced) {
	by := map[string][]*function{}
	for _, f := range c.functions {
		by[c.sortOf(f, f.named)] = append(by[c.sortOf(f, f.named)], f)
	}
	for k := 0; len(out) < n && k < 20*n; k++ {
		list := by[sorts[k%len(sorts)]]
		if len(list) == 0 {
			continue
		}
		f := list[0]
		by[sorts[k%len(sorts)]] = list[1:]
		frames := []*traced{c.frame(f, f.inside())}
		for len(frames) < mostCalls {
			caller, line := c.caller(f, frames)
			if caller == nil {
				break
			}
			frames = append(frames, c.frame(caller, line))
			f = caller
		}
		out = append(out, frames)
	}
	return out
}

const mostCalls = 4 // frames of a trace

// caller returns a function that calls another, and the line where.
func (c *changed) caller(f *function, but []*traced) (*function, int) {
	for _, g := range c.functions {
		if g.language != f.language || slices.ContainsFunc(but, func(t *traced) bool { return t.old == g }) {
			continue
		}
		if line := g.calls[f.own]; line > 0 {
			return g, line
		}
	}
	return nil, 0
}

func (c *changed) frame(f *function, line int) *traced {
	return &traced{f.language, printed(f, line), f.file, line, f, c.now(f), c.sortOf(f, line)}
}

// sortOf says what became of a function that was asked for at a line.
func (c *changed) sortOf(f *function, line int) string {
	now := c.now(f)
	switch {
	case now == nil:
		return gone
	case now.file == f.file && now.name != f.name:
		return called
	case now.file == f.file && now.first <= line && line <= now.last:
		return still
	case now.file == f.file:
		return shifted
	case now.file == c.renamed[f.file]:
		return carried
	}
	return moved
}

// order is an order by chance that is the same every time.
func order(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// judge prints the shares of frames by language, and by what became of them.
func judge(all []verdict) error {
	kinds := map[string]bool{}
	traces := map[string]bool{}
	var keys []string
	add := func(k string) {
		if !kinds[k] {
			kinds[k] = true
			keys = append(keys, k)
		}
	}
	for i := range all {
		traces[all[i].trace] = true
		add("in " + all[i].language)
		add(all[i].sort)
	}
	slices.Sort(keys)
	for _, k := range keys {
		var of []verdict
		for _, v := range all {
			if "in "+v.language == k || v.sort == k {
				of = append(of, v)
			}
		}
		fmt.Printf("%-18s %s\n", k, shares(of))
	}
	fmt.Printf("%d traces, %s\n", len(traces), shares(all))
	return nil
}

// shares counts verdicts.
func shares(of []verdict) string {
	n := map[string]int{}
	for _, v := range of {
		n[v.was]++
	}
	return fmt.Sprintf("%d frames: %.3f right, %d wrong, %d without a place", len(of), float64(n["right"])/float64(max(1, len(of))), n["wrong"], n["none"])
}
