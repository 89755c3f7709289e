package claims

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A ModuleShadow is what documents know of a module: one row, whatever it has.
type ModuleShadow struct {
	Module   string   `json:"module"`
	Shade    Shade    `json:"class"` // that of its members which matters most
	Risk     string   `json:"risk,omitempty"`
	Declared int      `json:"declarations"` // that it exports
	Untold   bool     `json:"untold"`       // no document names any of them
	Members  []Shadow `json:"members"`      // what matters most first
	// Unread is how many documents could not be read, where no other names all of it.
	Unread int `json:"unread_documents,omitempty"`
}

// shades are in the order in which they matter.
var shades = []Shade{Orphaned, Drifted, Partial, Documented}

func (s Shade) rank() int { return slices.Index(shades, s) }

// Modules returns shadows by the modules that they are in, those with most orphans first.
// What is documented is counted, and is a member only where all are asked for.
func Modules(shadows []Shadow, all bool) []ModuleShadow {
	of := map[string]*ModuleShadow{}
	var names []string
	for i := range shadows {
		s := &shadows[i]
		name := Module(s.Path)
		m := of[name]
		if m == nil {
			m = &ModuleShadow{Module: name, Shade: Documented, Untold: true, Members: []Shadow{}}
			of[name] = m
			names = append(names, name)
		}
		m.Declared++
		m.Unread = max(m.Unread, s.Unread)
		m.Untold = m.Untold && (s.Shade == Orphaned || s.Shade == Partial)
		if s.Shade.rank() < m.Shade.rank() {
			m.Shade = s.Shade
		}
		if all || s.Shade != Documented {
			m.Members = append(m.Members, *s)
		}
	}
	out := []ModuleShadow{}
	for _, name := range names {
		if m := of[name]; len(m.Members) > 0 {
			m.Risk = m.Shade.Risk()
			sorting.Stable(m.Members, func(a, b Shadow) int { return cmp.Compare(a.Shade.rank(), b.Shade.rank()) })
			out = append(out, *m)
		}
	}
	sorting.Stable(out, func(a, b ModuleShadow) int {
		return cmp.Or(cmp.Compare(a.Shade.rank(), b.Shade.rank()), cmp.Compare(b.count(a.Shade), a.count(a.Shade)), strings.Compare(a.Module, b.Module))
	})
	return out
}

// count returns how many members have a shade.
func (m *ModuleShadow) count(shade Shade) int {
	n := 0
	for i := range m.Members {
		if m.Members[i].Shade == shade {
			n++
		}
	}
	return n
}

// Extent says how much of a module its row is about.
func (m *ModuleShadow) Extent() string {
	var parts []string
	for _, shade := range shades[:3] {
		if n := m.count(shade); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ToLower(string(shade))))
		}
	}
	out := fmt.Sprintf("%s of %d declarations", strings.Join(parts, ", "), m.Declared)
	switch {
	case len(parts) == 0:
		out = fmt.Sprintf("%d declarations", m.Declared)
	case m.Untold:
		out += ", none documented"
	}
	return out
}

// A Member is a declaration in the row of its module.
type Member struct {
	Name       string `json:"name"`
	Location   string `json:"location"` // path:line
	Shade      Shade  `json:"class"`
	Doc        string `json:"doc,omitempty"` // where a document is nearest to it
	Dependents string `json:"dependents,omitempty"`
}

var (
	membersRE = lazy.Regexp(`^(?:Orphaned|Partial) \(\w+\): [\w ,]+: (.*)$`)
	memberRE  = lazy.Regexp("(Partial: )?`([^`]+)` (.*?):(\\d+)(?:, |; |$)")
)

// classed says what a row is of: how much of the module, and all its members by name, base
// and line, so that the next run knows each of them again.
func (r *ShadowRow) classed(extent string) string {
	var b strings.Builder
	shade := r.Members[0].Shade
	fmt.Fprintf(&b, "%s (%s): %s: ", shade, shade.Risk(), extent)
	for i := range r.Members {
		m := &r.Members[i]
		switch {
		case m.Shade != shade:
			shade = m.Shade
			fmt.Fprintf(&b, "; %s: ", shade)
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "`%s` %s", strings.ReplaceAll(m.Name, "`", "'"), path.Base(m.Location))
	}
	return b.String()
}

// members returns what a row of a report says of, which is one declaration where it is not
// of a module.
func (r *ShadowRow) members() []Member {
	list := membersRE.FindStringSubmatch(r.Class)
	if list == nil {
		return []Member{{Name: r.Module, Location: r.Location, Shade: r.shade()}}
	}
	var out []Member
	shade := r.shade()
	for _, m := range memberRE.FindAllStringSubmatch(list[1], -1) {
		if m[1] != "" {
			shade = Partial
		}
		out = append(out, Member{Name: m[2], Location: path.Join(path.Dir(pathOf(r.Location)), m[3]) + ":" + m[4], Shade: shade})
	}
	return out
}

// memberKey is what a declaration of a report is known by from one run to the next.
func memberKey(name, place string) string {
	return cell(strings.ReplaceAll(name, "`", "'")) + "\x00" + pathOf(place)
}

// shadows fills the rows of modules, and those of what documents have otherwise.
func (a *Auditor) shadows(r *Report, former *Former, shadows []Shadow, day string) {
	type known struct {
		Member
		ticket string
		module bool // it is of a module's row, not of its own
	}
	var before []known
	was, tickets := map[string]known{}, map[string]string{}
	for i := range former.Shadows {
		row := &former.Shadows[i]
		for _, m := range row.members() {
			k := known{m, row.Ticket, row.Difference == "" && row.shade() != Drifted}
			before = append(before, k)
			was[memberKey(m.Name, m.Location)] = k
			if row.Ticket != "" && k.module {
				tickets[Module(pathOf(m.Location))] = row.Ticket
			}
		}
	}
	there := set.By(a.decls, func(d *Declaration) string { return memberKey(d.Qualified(), d.Path) })
	for i := range shadows {
		s := &shadows[i]
		old, reported := was[memberKey(s.Qualified(), s.Path)]
		switch s.Shade {
		case Documented:
			if reported {
				r.resolve(Resolution{s.Qualified(), Described, day, s.Doc.String(), old.ticket})
			}
		case Drifted:
			r.Shadows = append(r.Shadows, ShadowRow{Module: s.Qualified(), Location: s.Place.String(), Class: fmt.Sprintf("%s (%s): %s: %s", s.Shade, s.Risk, s.Doc, s.Difference),
				Dependents: dependentsCell(s.Dependents, s.Uses), Ticket: old.ticket, Shade: s.Shade, Difference: s.Difference, Doc: s.Doc.String()})
		}
	}
	var kept []Member // whose file could not be read this time
	for _, k := range before {
		// What is there and has no row is counted in the type around it.
		switch {
		case there[memberKey(k.Name, k.Location)]:
		case a.Tree.gone(pathOf(k.Location)):
			r.resolve(Resolution{k.Name, Gone, day, pathOf(k.Location) + " does not declare it any more", k.ticket})
		case k.module:
			kept = append(kept, k.Member)
		}
	}
	for i := range former.Shadows {
		if row := &former.Shadows[i]; row.shade() == Drifted && !there[memberKey(row.Module, row.Location)] && !a.Tree.gone(row.Path()) {
			r.Shadows = append(r.Shadows, *row)
		}
	}
	r.modules(Modules(shadows, false), kept, tickets)
}

// modules adds a row for each module that has what documents do not know.
func (r *Report) modules(modules []ModuleShadow, kept []Member, tickets map[string]string) {
	var rows []ShadowRow
	for i := range modules {
		m := &modules[i]
		row := ShadowRow{Module: m.Module, Ticket: tickets[m.Module], Untold: m.Untold, Unread: m.Unread}
		var users []string
		for k := range m.Members {
			s := &m.Members[k]
			if s.Shade == Drifted {
				continue // it has a row of its own
			}
			member := Member{Name: s.Qualified(), Location: s.Place.String(), Shade: s.Shade, Dependents: dependentsCell(s.Dependents, s.Uses)}
			if s.Doc != nil {
				member.Doc = s.Doc.String()
			}
			row.Members = append(row.Members, member)
			users = append(users, s.Dependents...)
		}
		if len(row.Members) == 0 {
			continue
		}
		slices.Sort(users)
		users = slices.DeleteFunc(slices.Compact(users), func(file string) bool { return Module(file) == m.Module })
		row.Dependents = dependentsCell(users, len(users))
		row.fill(m.Extent())
		rows = append(rows, row)
	}
	for _, k := range kept {
		name := Module(pathOf(k.Location))
		i := slices.IndexFunc(rows, func(row ShadowRow) bool { return row.Module == name })
		if i < 0 {
			i = len(rows)
			rows = append(rows, ShadowRow{Module: name, Ticket: tickets[name], Dependents: "not read"})
		}
		row := &rows[i]
		row.Members = append(row.Members, k)
		sorting.Stable(row.Members, func(a, b Member) int { return cmp.Compare(a.Shade.rank(), b.Shade.rank()) })
		row.fill(fmt.Sprintf("%d declarations", len(row.Members)))
	}
	r.Shadows = append(rows, r.Shadows...)
}

// fill says of a row what its members are.
func (r *ShadowRow) fill(extent string) {
	if r.Unread > 0 {
		extent += fmt.Sprintf(" with %d documents not read", r.Unread)
	}
	r.Shade, r.Location = r.Members[0].Shade, r.Members[0].Location
	r.Class = r.classed(extent)
}

// Declarations is how many declarations a row is of.
func (r *ShadowRow) Declarations() int { return max(1, len(r.Members)) }

func dependentsCell(files []string, uses int) string {
	const most = 3
	if uses == 0 {
		return "none"
	}
	out := strings.Join(files[:min(most, len(files))], ", ")
	if uses > most {
		out += fmt.Sprintf(" and %d more", uses-most)
	}
	return out
}
