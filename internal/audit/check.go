package audit

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/cite"
	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
)

// A CheckInput asks whether documents may be handed over.
type CheckInput struct {
	Files     []string `json:"files" arg:"rest" help:"documents"`
	Threshold *float64 `json:"threshold,omitempty" flag:"threshold" min:"0" max:"1" help:"the minimum share of claims that must have evidence (default .95)"`
	Project
}

// A Fault is one thing that keeps a document from passing.
type Fault struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Rule string `json:"rule"` // ratio, assumption, citation, quote, path, evidence, substance, relation, scenarios, ghost, shadow, trail, nothing
	Msg  string `json:"message"`
}

// Checked is the verdict on some documents.
type Checked struct {
	Passed    bool           `json:"passed"`
	Ratio     *float64       `json:"grounding_ratio"` // of all claims, those with evidence; null where nothing is claimed
	Threshold float64        `json:"threshold"`
	Claims    map[string]int `json:"claims"` // by class
	Evidenced int            `json:"evidenced"`
	Total     int            `json:"total"`
	Faults    []Fault        `json:"faults"`
}

// defaultRatio is the part of claims that has to be grounded.
const defaultRatio = .95

// Check is the gate that a document passes before it is handed over: it claims something,
// enough of all that it claims has evidence, none is a guess without a flag, every quote
// stands and bears on its claim, every path is absolute, and every decision has its
// three scenarios.
func (f *Feature) Check(_ context.Context, in CheckInput) (*Checked, error) {
	root, err := f.root(in.Project)
	if err != nil {
		return nil, err
	}
	if len(in.Files) == 0 {
		return nil, fault.New(fault.Usage, "no documents are named").Or("assay audit check FILE...")
	}
	checker, err := cite.NewChecker(root)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "open %s", root).Because(err)
	}
	defer func() { _ = checker.Close() }() // it was only read
	out := &Checked{Threshold: defaultRatio, Claims: map[string]int{}, Faults: []Fault{}}
	if in.Threshold != nil {
		out.Threshold = *in.Threshold
	}
	g, err := f.gate(root, checker)
	if err != nil {
		return nil, err
	}
	for _, name := range in.Files {
		d, err := f.document(name)
		if err != nil {
			return nil, err
		}
		out.document(name, d.text, g)
	}
	if out.Total == 0 {
		out.add(in.Files[0], 0, "nothing", "nothing is claimed, so nothing was verified: a document that passes says what the code does, and quotes it")
	} else {
		// Towards the failing side: .9499 is not .95.
		ratio := math.Floor(float64(out.Evidenced)/float64(out.Total)*1e4) / 1e4
		if out.Ratio = &ratio; ratio < out.Threshold {
			out.add(in.Files[0], 0, "ratio", "%d of %d claims have evidence, %.2f; %.2f is required: quote code for the claims above, or remove them", out.Evidenced, out.Total, ratio, out.Threshold)
		}
	}
	out.Passed = len(out.Faults) == 0
	return out, nil
}

func (r *Checked) add(name string, line int, rule, format string, args ...any) {
	r.Faults = append(r.Faults, Fault{name, line, rule, fmt.Sprintf(format, args...)})
}

// A gate is what the claims of documents are checked against.
type gate struct {
	checker *cite.Checker
	report  string // the drift report
	known   bool   // there is one
	tickets bool   // ghosts have tickets in this project
	trail   map[trajectory.Citation]bool
	logged  bool // a log is kept, and trail is what it has
}

// gate collects it.
func (f *Feature) gate(root string, checker *cite.Checker) (*gate, error) {
	g := &gate{checker: checker}
	g.report, g.known = reported(root)
	if st, err := os.Lstat(filepath.Join(root, ".beads")); err == nil && st.IsDir() {
		_, g.tickets = f.cfg.Tracker(root)
	}
	log, kept := f.logged(root)
	if g.logged = kept; !kept {
		return g, nil
	}
	r, err := log.Read("")
	if err != nil {
		return nil, fault.New(fault.Unavailable, "read the log in %s", log.Dir()).Because(err)
	}
	g.trail = r.Citations()
	return g, nil
}

func (r *Checked) document(name, text string, g *gate) {
	for _, c := range cite.Parse(text) {
		class := r.citations(name, &c, g)
		switch class {
		case cite.Unflagged:
			r.add(name, c.Line, "assumption", "a guess without a flag: %q; verify it, or write [ASSUMPTION: what is to be verified]", short(c.Text))
		case cite.Reference:
			r.add(name, c.Line, "quote", "a place without a quote: %q; quote the code before it, between backticks", short(c.Text))
		case cite.Bare:
			if c.Class == cite.Bare {
				r.add(name, c.Line, "evidence", "a claim without evidence: %q", short(c.Text))
			}
		case cite.Ghost:
			if !c.Sourced() {
				r.add(name, c.Line, "ghost", "a ghost without evidence: %q; write [GHOST: where it is promised, how many results]", short(c.Text))
			} else if g.tickets && !g.ticket(c.Flag) {
				r.add(name, c.Line, "ghost", "a ghost without its ticket: %q; assay audit drift --track makes one", short(c.Text))
			}
		case cite.Shadow:
			if !g.shadow(c.Flag) {
				r.add(name, c.Line, "shadow", "%s is not in the drift report: assay audit drift writes it", c.Flag)
			}
		}
		// A ghost or a shadow is a verdict, with evidence of its own.
		if class == cite.Grounded || (class == cite.Ghost || class == cite.Shadow) && c.Sourced() {
			r.Evidenced++
		}
		r.Total++
		r.Claims[string(class)]++
	}
	for _, d := range decisions(text) {
		if missing := d.missing(); len(missing) > 0 {
			r.add(name, d.line, "scenarios", "the decision %q lacks verified scenarios: %s", short(d.title), strings.Join(missing, ", "))
		}
	}
}

// citations verifies what a claim quotes, and returns the claim's class: one whose quotes
// are not there, or prove nothing, is without evidence.
func (r *Checked) citations(name string, c *cite.Claim, g *gate) cite.Class {
	class, bears := c.Class, false
	var lack *Fault
	for _, q := range c.Citations {
		v := g.checker.Verify(q)
		if v.State != cite.True {
			cited := Cited{Quote: q.Quote, Path: q.Path, At: q.Line, State: v.State, Found: v.Found, Near: v.Near}
			rule := "citation"
			if v.State == cite.Relative || v.State == cite.Outside {
				rule = "path"
			}
			r.add(name, q.At, rule, "%s", cited.fault())
			if class == cite.Grounded {
				class = cite.Bare
			}
			continue
		}
		switch g.checker.Bears(*c, q, v.Found) {
		case "":
			bears = true
		case cite.Substance:
			lack = &Fault{name, q.At, "substance", fmt.Sprintf("`%s` proves nothing of %q: quote the code that does it", short(q.Quote), short(c.Text))}
		default:
			lack = &Fault{name, q.At, "relation", fmt.Sprintf("`%s` names nothing of its claim %q: quote what the claim speaks of, or name in the claim what is quoted", short(q.Quote), short(c.Text))}
		}
		if g.logged && c.Decision && !g.trail[trajectory.Citation{Code: q.Quote, Path: q.Path, Line: q.Line}] {
			r.add(name, q.At, "trail", "the log has no record of `%s`: assay audit cite %s writes it", short(q.Quote), name)
		}
	}
	// One good quote carries a claim; the others may illustrate it.
	if class == cite.Grounded && !bears {
		class = cite.Bare
		r.Faults = append(r.Faults, *lack)
	}
	return class
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

// reported returns the drift report of a project, and whether there is one.
func reported(root string) (string, bool) {
	at, err := safe.OpenRoot(root)
	if err != nil {
		return "", false
	}
	defer at.Close()
	for _, dir := range []string{"grimoires/loa/reality", "loa-grimoire/reality", ".assay/reports"} {
		if data, err := at.ReadFile(dir+"/"+reportMarkdown, maxDocument); err == nil {
			return string(data), true
		}
	}
	return "", false
}

// shadow reports whether the drift report has a shadow: by the path that its flag names.
// Without a report nothing is known, and nothing is required.
func (g *gate) shadow(flag string) bool {
	for word := range strings.FieldsFuncSeq(strings.Trim(flag, "[]"), func(r rune) bool { return r == ' ' || r == ',' || r == '`' }) {
		if strings.ContainsAny(word, "/\\.") && strings.Contains(g.report, filepath.Base(strings.TrimRight(word, ":"))) {
			return true
		}
	}
	return !g.known
}

// ticket reports whether a flag names a ticket of the drift report.
func (g *gate) ticket(flag string) bool {
	return slices.ContainsFunc(claims.ParseReport(g.report).Ghosts, func(r claims.GhostRow) bool { return r.Ticket != "" && strings.Contains(flag, r.Ticket) })
}

// WriteText writes the faults, and the verdict.
func (r *Checked) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for _, f := range r.Faults {
		if f.Line == 0 {
			writeLine(&b.Builder, "%s: %s", f.File, f.Msg)
			continue
		}
		writeLine(&b.Builder, "%s:%d: %s", f.File, f.Line, f.Msg)
	}
	verdict := "passed"
	if !r.Passed {
		verdict = "failed"
	}
	if r.Ratio == nil {
		fmt.Fprintf(&b, "%s: no claims (grounding ratio %.2f required)", verdict, r.Threshold)
	} else {
		fmt.Fprintf(&b, "%s: grounding ratio %.2f of %d claims (%.2f required)", verdict, *r.Ratio, r.Total, r.Threshold)
	}
	for _, class := range []cite.Class{cite.Assumption, cite.Ghost, cite.Shadow} {
		if n := r.Claims[string(class)]; n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, class)
		}
	}
	b.WriteByte('\n')
	return b.End()
}

// Verdict returns an error where the documents do not pass.
func (r *Checked) Verdict() error {
	if r.Passed {
		return nil
	}
	n := len(r.Faults)
	return fault.New(fault.Negative, "not grounded: %s", text.Count(n, "fault", "faults")).Or("fix each line above and check again")
}
