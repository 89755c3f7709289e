package claims

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/discover"
)

// A Rule is what a finding is of.
type Rule string

// The rules.
const (
	GhostRule  Rule = "ghost"
	ShadowRule Rule = "shadow"
	DriftRule  Rule = "drift"
)

// Rules are all of them.
var Rules = []Rule{GhostRule, ShadowRule, DriftRule}

// A Finding is a ghost, a shadow or a drifted description, as a pipeline reports it.
type Finding struct {
	Rule     Rule   `json:"rule"`
	Severity string `json:"severity"` // high, medium, low
	Place
	Kind    string `json:"kind,omitempty"`  // of what a document names: "link", "flag", "name", …
	Name    string `json:"name"`            // what is claimed or declared
	Meant   string `json:"meant,omitempty"` // what was probably meant
	Fix     string `json:"fix,omitempty"`   // to write in place of Name, where it is sure what was meant
	Message string `json:"message"`
	// Fingerprint is what the finding is known by from one run to the next: lines move.
	Fingerprint string `json:"fingerprint"`

	named []string // the words that a change takes away where it breaks this
}

// fingerprint returns what a finding is known by, if no other of its path has its name.
func (f *Finding) fingerprint() string {
	sum := sha256.Sum256([]byte(string(f.Rule) + "\x00" + f.Path + "\x00" + f.Name))
	return hex.EncodeToString(sum[:8])
}

// severityOf is how a pipeline calls a level: errors fail by default, warnings are shown, the rest is counted.
var severityOf = map[named.Level]string{named.Error: "high", named.Warning: "medium", named.Unsure: "low"}

// Findings returns the things that documents name and the tree has not, by place; with shadows also the exports that no document names, and
// the signatures that one has otherwise.
func (a *Auditor) Findings(ctx context.Context, shadows bool) ([]Finding, error) {
	r, err := a.Named(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Finding, 0, len(r.Findings))
	for i := range r.Findings {
		n := &r.Findings[i]
		f := Finding{Rule: GhostRule, Severity: severityOf[n.Level], Place: Place(n.Place), Name: n.Name, Kind: string(n.Kind), Meant: n.Meant, Fix: n.Fix, Message: message(n), named: []string{n.Name}}
		if isLink(n.Kind) {
			f.Rule = DriftRule
		}
		out = append(out, f)
	}
	if shadows {
		more, err := a.shadowFindings(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	sorting.Stable(out, func(a, b Finding) int { return cmp.Or(byPlace(a.Place, b.Place), cmp.Compare(a.Name, b.Name)) })
	seen := map[string]int{}
	for i := range out {
		f := &out[i]
		f.Fingerprint = f.fingerprint()
		if seen[f.Fingerprint]++; seen[f.Fingerprint] > 1 {
			f.Fingerprint += fmt.Sprintf("-%d", seen[f.Fingerprint])
		}
	}
	return out, nil
}

// shadowFindings returns what documents do not know of the exports of the code, or have otherwise. Places whose files could not be read give none.
func (a *Auditor) shadowFindings(ctx context.Context) (out []Finding, err error) {
	shadows, err := a.Shadows(ctx)
	if err != nil {
		return nil, err
	}
	for i := range shadows {
		s := &shadows[i]
		if s.Shade == Documented || s.Unread > 0 {
			continue
		}
		f := Finding{Rule: ShadowRule, Severity: strings.ToLower(s.Risk), Place: s.Place, Name: s.Qualified(), named: []string{s.Name}}
		switch s.Shade {
		case Drifted:
			f.Rule, f.Place = DriftRule, *s.Doc
			f.Message = fmt.Sprintf("%s is documented otherwise than %s has it: %s", s.Qualified(), s.Place, s.Difference)
		case Orphaned:
			f.Message = fmt.Sprintf("no document names the exported %s %s", s.Kind, s.Qualified())
		default:
			f.Message = fmt.Sprintf("no document names the exported %s %s; %s", s.Kind, s.Qualified(), cmp.Or(s.Doubt, "a comment or a like text describes it"))
		}
		out = append(out, f)
	}
	return out, nil
}

// IgnoreFile is where a project lists findings that it accepts, with reasons.
const IgnoreFile = ".assay-audit-ignore"

// An Ignore says that findings are accepted, and why.
type Ignore struct {
	Place
	Rule   Rule   `json:"rule,omitempty"` // empty: any
	Reason string `json:"reason"`

	last int // of a mark in a file: where the block below it ends
	in   *discover.Globs
	name string
	used bool // a finding is its
}

// Ignores are the marks and the lines of the ignore file of a project.
type Ignores struct {
	list  []Ignore            // of the ignore file
	marks map[string][]Ignore // in files, by path
	// Bad are those that say no reason, or nothing that can be read: they ignore nothing.
	Bad []Place
}

var (
	ignoreMark = lazy.Regexp(`(?:<!--|//|#|--|/\*|;|%)\s*assay-ignore\b(?:[ \t]+(ghost|shadow|drift)\b)?[ \t]*:?[ \t]*(.*?)[ \t]*(?:-->|\*/)?[ \t]*\r?$`)
	ignoreLine = lazy.Regexp(`^(ghost|shadow|drift|\*)\s+(\S+)(?:\s+([^#]*?))?\s*#\s*(\S.*?)\s*$`)
)

// Ignores reads what the project accepts: the marks in its documents and its code, each of
// which is for its own line and the block below it, and the lines of its ignore file.
func (t *Tree) Ignores(file string) *Ignores {
	out := &Ignores{marks: map[string][]Ignore{}}
	for _, list := range [][]Source{t.Docs, t.Code} {
		for i := range list {
			out.take(list[i].Path, list[i].Text)
		}
	}
	n := 0
	for line := range strings.Lines(file) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		at := Place{IgnoreFile, n}
		m := ignoreLine.FindStringSubmatch(line)
		if m == nil {
			out.Bad = append(out.Bad, at)
			continue
		}
		globs, err := discover.NewGlobs([]string{m[2]})
		if err != nil {
			out.Bad = append(out.Bad, at)
			continue
		}
		out.list = append(out.list, Ignore{Place: at, Rule: Rule(strings.Trim(m[1], "*")), Reason: m[4], in: &globs, name: m[3]})
	}
	return out
}

func (x *Ignores) take(path string, raw []byte) {
	if !bytes.Contains(raw, []byte("assay-ignore")) {
		return
	}
	lines := strings.Split(string(raw), "\n")
	for i, line := range lines {
		m := ignoreMark.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[2] == "" {
			x.Bad = append(x.Bad, Place{path, i + 1})
			continue
		}
		g := Ignore{Place: Place{path, i + 1}, Rule: Rule(m[1]), Reason: m[2]}
		k := i + 1
		for k < len(lines) && strings.TrimSpace(lines[k]) == "" {
			k++
		}
		for k < len(lines) && strings.TrimSpace(lines[k]) != "" {
			k++
		}
		g.last = k
		x.marks[path] = append(x.marks[path], g)
	}
}

// Of returns what accepts a finding, or nil.
func (x *Ignores) Of(f *Finding) *Ignore {
	for i := range x.marks[f.Path] {
		if g := &x.marks[f.Path][i]; (g.Rule == "" || g.Rule == f.Rule) && g.Line <= f.Line && f.Line <= g.last {
			return g
		}
	}
	for i := range x.list {
		if g := &x.list[i]; (g.Rule == "" || g.Rule == f.Rule) && (g.name == "" || g.name == f.Name) && g.in.Match(f.Path) {
			g.used = true
			return g
		}
	}
	return nil
}

// MostIgnores is how many lines the ignore file may have: each is compared with each finding.
const MostIgnores = 10_000

// Idle returns the lines of the ignore file that no finding was found to be of.
func (x *Ignores) Idle() (out []Place) {
	for i := range x.list {
		if g := &x.list[i]; !g.used {
			out = append(out, g.Place)
		}
	}
	return out
}

// A Change is what a revision and the tree have differently.
type Change struct {
	added map[string]map[int]bool // lines that are new, by path
	gone  map[string]bool         // words of lines that are gone, folded
}

// NewChange compares files of a tree with what they were.
func (t *Tree) NewChange(was map[string][]byte, changed []string) *Change {
	now := map[string][]byte{}
	for _, list := range [][]Source{t.Docs, t.Code} {
		for i := range list {
			now[list[i].Path] = list[i].Text
		}
	}
	c := &Change{map[string]map[int]bool{}, map[string]bool{}}
	for _, path := range changed {
		old, lines := map[string]bool{}, map[string]bool{}
		for line := range strings.Lines(string(was[path])) {
			old[strings.TrimSpace(line)] = true
		}
		added, n := map[int]bool{}, 0
		for line := range strings.Lines(string(now[path])) {
			n++
			line = strings.TrimSpace(line)
			lines[line] = true
			added[n] = line != "" && !old[line]
		}
		c.added[path] = added
		if _, there := now[path]; !there {
			text.EachWord(path, func(w []byte) { c.gone[fold(string(w))] = true })
		}
		for line := range old {
			if !lines[line] {
				text.EachWord(line, func(w []byte) { c.gone[fold(string(w))] = true })
			}
		}
	}
	return c
}

// blockLines is how many lines of a block belong to a finding at its first.
const blockLines = 12

// Concerns reports whether a change touched a finding's place, or took away what it names.
func (c *Change) Concerns(f *Finding) bool {
	for line := f.Line; line < f.Line+blockLines; line++ {
		if c.added[f.Path][line] {
			return true
		}
	}
	for _, name := range f.named {
		broken := false
		text.EachWord(name, func(w []byte) { broken = broken || c.gone[fold(string(w))] })
		if broken {
			return true
		}
	}
	return false
}
