package audit

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/domain/citation"
)

// A CheckInput asks whether documents may be handed over.
type CheckInput struct {
	Files     []string `json:"files" arg:"rest" help:"documents"`
	Threshold *float64 `json:"threshold,omitempty" flag:"threshold" min:"0" max:"1" help:"the least part of claims that has to be grounded (default .95)"`
	Project
}

// A Fault is one thing that keeps a document from passing.
type Fault struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Rule string `json:"rule"` // ratio, assumption, citation, quote, path, evidence, scenarios, shadow
	Msg  string `json:"message"`
}

// Checked is the verdict on some documents.
type Checked struct {
	Passed    bool           `json:"passed"`
	Ratio     float64        `json:"grounding_ratio"` // of the claims, grounded ones; 1 where there is none
	Threshold float64        `json:"threshold"`
	Claims    map[string]int `json:"claims"` // by class
	Total     int            `json:"total"`
	Faults    []Fault        `json:"faults"`
}

// defaultRatio is the part of claims that has to be grounded.
const defaultRatio = .95

// Check is the gate that a document passes before it is handed over: enough of its
// claims are grounded, none is a guess without a flag, every quote stands, every path
// is absolute, and every decision has its three scenarios.
func (f *Feature) Check(_ context.Context, in CheckInput) (*Checked, error) {
	root, err := f.root(in.Project)
	if err != nil {
		return nil, err
	}
	if len(in.Files) == 0 {
		return nil, fault.New(fault.Usage, "no documents").Or("assay audit check FILE...")
	}
	checker, err := citation.NewChecker(root)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "open %s", root).Because(err)
	}
	defer func() { _ = checker.Close() }() // it was only read
	out := &Checked{Threshold: defaultRatio, Claims: map[string]int{}, Faults: []Fault{}}
	if in.Threshold != nil {
		out.Threshold = *in.Threshold
	}
	shadows := f.shadowsKnown(root)
	for _, name := range in.Files {
		d, err := f.document(name)
		if err != nil {
			return nil, err
		}
		out.document(name, d.text, checker, shadows)
	}
	out.Ratio = 1
	if out.Total > 0 {
		// Towards the failing side: .9499 is not .95.
		out.Ratio = math.Floor(float64(out.Claims[string(citation.Grounded)])/float64(out.Total)*1e4) / 1e4
	}
	if out.Ratio < out.Threshold {
		out.add(in.Files[0], 0, "ratio", "%d of %d claims are grounded, %.2f; %.2f is asked for: quote code for the claims above, or flag them", out.Claims[string(citation.Grounded)], out.Total, out.Ratio, out.Threshold)
	}
	out.Passed = len(out.Faults) == 0
	return out, nil
}

func (r *Checked) add(name string, line int, rule, format string, args ...any) {
	r.Faults = append(r.Faults, Fault{name, line, rule, fmt.Sprintf(format, args...)})
}

// document checks one document.
func (r *Checked) document(name, text string, checker *citation.Checker, shadows func(string) bool) {
	for _, c := range citation.Parse(text) {
		class := c.Class
		for _, q := range c.Citations {
			if v := checker.Verify(q); v.State != citation.True {
				cited := Cited{Quote: q.Quote, Path: q.Path, At: q.Line, State: v.State, Found: v.Found, Near: v.Near}
				rule := "citation"
				if v.State == citation.Relative || v.State == citation.Outside {
					rule = "path"
				}
				r.add(name, q.At, rule, "%s", cited.fault())
				if class == citation.Grounded {
					class = citation.Bare
				}
			}
		}
		switch c.Class {
		case citation.Unflagged:
			r.add(name, c.Line, "assumption", "a guess without a flag: %q; verify it, or write [ASSUMPTION: what is to be verified]", short(c.Text))
		case citation.Reference:
			r.add(name, c.Line, "quote", "a place without a quote: %q; quote the code before it, between backticks", short(c.Text))
		case citation.Bare:
			r.add(name, c.Line, "evidence", "a claim without evidence: %q", short(c.Text))
		case citation.Shadow:
			if !shadows(c.Flag) {
				r.add(name, c.Line, "shadow", "%s is not in the drift report: assay audit drift writes it", c.Flag)
			}
		}
		// A ghost or a shadow is a verdict of its own, with its own evidence.
		if class != citation.Ghost && class != citation.Shadow {
			r.Total++
		}
		r.Claims[string(class)]++
	}
	for _, d := range decisions(text) {
		if missing := d.missing(); len(missing) > 0 {
			r.add(name, d.line, "scenarios", "the decision %q lacks verified scenarios: %s", short(d.title), strings.Join(missing, ", "))
		}
	}
}

var (
	decisionHead = lazy.Regexp(`(?i)^ {0,3}(#{1,6})\s+(?:[\d.]+\s+)?(?:architectural\s+)?decision\s*(?:[:\d-]|$)\s*(.*)$`)
	anyHead      = lazy.Regexp(`^ {0,3}(#{1,6})\s`)
	verified     = lazy.Regexp(`(?i)verified\W*(?:✓|✅|\[x\]|yes|true|pass)`)
	scenario     = map[string]*lazy.Pattern{
		"happy path":     lazy.Regexp(`(?i)\bhappy[- ]path\b`),
		"edge case":      lazy.Regexp(`(?i)\bedge[- ]cases?\b`),
		"error handling": lazy.Regexp(`(?i)\berror[- ]handling\b`),
	}
)

// A decision is a section about one, with those below it.
type decision struct {
	title string
	line  int
	body  []string
}

func decisions(text string) (out []decision) {
	depth := 0
	for i, line := range strings.Split(text, "\n") {
		if m := anyHead.FindStringSubmatch(line); m != nil {
			if d := decisionHead.FindStringSubmatch(line); d != nil {
				depth = len(m[1])
				out = append(out, decision{title: strings.TrimSpace(d[2]), line: i + 1})
				continue
			}
			if len(m[1]) <= depth {
				depth = 0
			}
		}
		if depth > 0 {
			d := &out[len(out)-1]
			d.body = append(d.body, line)
		}
	}
	return out
}

// missing returns the scenarios that a decision does not have, or not verified.
func (d *decision) missing() (out []string) {
	for _, name := range []string{"happy path", "edge case", "error handling"} {
		ok := false
		for i, line := range d.body {
			if !scenario[name].MatchString(line) {
				continue
			}
			for _, next := range d.body[i:min(len(d.body), i+12)] {
				if next != line && otherScenario(next, name) {
					break
				}
				ok = ok || verified.MatchString(next)
			}
		}
		if !ok {
			out = append(out, name)
		}
	}
	return out
}

func otherScenario(line, name string) bool {
	for n, re := range scenario {
		if n != name && re.MatchString(line) {
			return true
		}
	}
	return false
}

// shadowsKnown returns whether the drift report of a project has a shadow: by the path
// that its flag names. Without a report nothing is known, and nothing is asked.
func (f *Feature) shadowsKnown(root string) func(string) bool {
	for _, dir := range []string{"grimoires/loa/reality", "loa-grimoire/reality", ".assay/reports"} {
		at, err := safe.OpenRoot(root)
		if err != nil {
			break
		}
		data, err := at.ReadFile(dir+"/drift-report.md", maxDocument)
		at.Close()
		if err != nil {
			continue
		}
		text := string(data)
		return func(flag string) bool {
			for word := range strings.FieldsFuncSeq(strings.Trim(flag, "[]"), func(r rune) bool { return r == ' ' || r == ',' || r == '`' }) {
				if strings.ContainsAny(word, "/\\.") && strings.Contains(text, filepath.Base(strings.TrimRight(word, ":"))) {
					return true
				}
			}
			return false
		}
	}
	return func(string) bool { return true }
}

// WriteText writes the faults, and the verdict.
func (r *Checked) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	for _, f := range r.Faults {
		if f.Line == 0 {
			fmt.Fprintf(&b, "%s: %s\n", f.File, f.Msg)
			continue
		}
		fmt.Fprintf(&b, "%s:%d: %s\n", f.File, f.Line, f.Msg)
	}
	verdict := "passed"
	if !r.Passed {
		verdict = "failed"
	}
	fmt.Fprintf(&b, "%s: grounding ratio %.2f of %d claims (%.2f asked)", verdict, r.Ratio, r.Total, r.Threshold)
	for _, class := range []citation.Class{citation.Assumption, citation.Ghost, citation.Shadow} {
		if n := r.Claims[string(class)]; n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, class)
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// Verdict returns an error where the documents do not pass.
func (r *Checked) Verdict() error {
	if r.Passed {
		return nil
	}
	n := len(r.Faults)
	return fault.New(fault.Negative, "the gate is closed: %d faults", n).Or("fix each line above and check again")
}
