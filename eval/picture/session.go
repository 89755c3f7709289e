package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
)

// shop is the project of the session; its comment are the command lines.
//
//go:embed testdata/shop.txtar
var shop []byte

// A step is a command line and what it printed, with colours.
type step struct{ line, said string }

// record runs the session in a project and a home of its own.
func record(assay string) (out []step, err error) {
	if assay, err = filepath.Abs(assay); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "session")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return nil, err
	}
	if err := os.Symlink(assay, filepath.Join(bin, "assay")); err != nil {
		return nil, err
	}
	a := txtar.Parse(shop)
	for _, f := range a.Files {
		at := filepath.Join(dir, "shop", filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(at, f.Data, 0o644); err != nil {
			return nil, err
		}
	}
	for line := range strings.Lines(string(a.Comment)) {
		line, found := strings.CutPrefix(strings.TrimSpace(line), "$ ")
		if !found {
			continue
		}
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = filepath.Join(dir, "shop")
		cmd.Env = []string{"HOME=" + dir, "PATH=" + bin + ":" + os.Getenv("PATH"), "ASSAY_COLOR=always"}
		var errs bytes.Buffer
		cmd.Stderr = &errs
		said, err := cmd.Output()
		if _, failed := err.(*exec.ExitError); err != nil && !failed {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		if len(said) == 0 {
			return nil, fmt.Errorf("%s said nothing: %s", line, errs.String())
		}
		out = append(out, step{line, string(said)})
	}
	return out, nil
}

// colour is a sequence that sets one.
var colour = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// classes are the attributes that the program uses, by their numbers.
var classes = map[string]string{"1": "b", "2": "d", "31": "r", "32": "g", "33": "y", "34": "l", "35": "m", "36": "c", "90": "d", "4": "u", "7": "v"}

const (
	columns  = 96
	lineHigh = 17
	letter   = 73 // the width of ten
	inset    = 16
)

// session draws what was recorded, each command with its answer. Nothing moves: not every viewer of pictures
// shows more than the first moment.
func session(steps []step) string {
	lines := 0
	for _, s := range steps {
		lines += 2 + strings.Count(strings.TrimRight(s.said, "\n"), "\n") + 1
	}
	const style = "text{white-space:pre}.b{font-weight:700}.d{fill:var(--dim)}.r{fill:var(--bad)}.g{fill:var(--good)}.y{fill:var(--reached)}.l,.c{fill:var(--link)}.m{fill:var(--on)}.u{text-decoration:underline}.v{font-weight:700}.frame{fill:var(--soft);stroke:var(--line)}"
	width, height := columns*letter/10+2*inset, lines*lineHigh+2*inset
	p := render.NewPicture(width, height, "a session on a terminal: "+steps[0].line+" and what follows", style)
	p.F(`<rect class="frame" x="1" y="1" width="%d" height="%d" rx="8"/>`+"\n", width-2, height-2)
	y := inset + 12
	for _, s := range steps {
		p.F(`<text x="%d" y="%d"><tspan class="g b">$ </tspan><tspan class="b">%s</tspan></text>`+"\n", inset, y, render.Code(s.line))
		y += lineHigh
		for line := range strings.Lines(strings.TrimRight(s.said, "\n")) {
			p.F(`<text x="%d" y="%d">`, inset, y)
			paint(p, strings.TrimRight(line, "\n"))
			p.F("</text>\n")
			y += lineHigh
		}
		y += lineHigh
	}
	return p.String()
}

// paint adds a line with its colours, cut where the terminal ends.
func paint(p *render.Picture, line string) {
	left := columns
	class := render.Markup("")
	add := func(s string) {
		s = render.Head(text.Visible(strings.ReplaceAll(s, "\t", "    ")), left)
		if s != "" {
			left -= render.Width(s)
			p.F(`<tspan class="%s">%s</tspan>`, class, render.Code(s))
		}
	}
	at := 0
	for _, m := range colour.FindAllStringSubmatchIndex(line, -1) {
		add(line[at:m[0]])
		at = m[1]
		var now []string
		for part := range strings.SplitSeq(line[m[2]:m[3]], ";") {
			if c := classes[strings.TrimLeft(part, "0")]; c != "" {
				now = append(now, c)
			}
		}
		// A sequence adds to the one before, unless it ends all.
		if len(now) == 0 {
			class = ""
		} else {
			class = render.Markup(strings.TrimSpace(string(class) + " " + strings.Join(now, " ")))
		}
	}
	add(line[at:])
}
