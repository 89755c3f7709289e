package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	audit "github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/audit/claims"
)

// A tally counts what was judged.
type tally struct{ hit, missed, wrong, right int }

func (t tally) String() string {
	return fmt.Sprintf("precision %.3f recall %.3f (%d found, %d missed, %d wrong, %d rightly left)", part(t.hit, t.wrong), part(t.hit, t.missed), t.hit, t.missed, t.wrong, t.right)
}

func part(a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	return float64(a) / float64(a+b)
}

func (t *tally) count(is, said bool) {
	switch {
	case is && said:
		t.hit++
	case is:
		t.missed++
	case said:
		t.wrong++
	default:
		t.right++
	}
}

// figures are what one mode got right.
type figures struct{ Ghosts, Shadows, Drifted tally }

func (f *figures) add(o *figures) {
	for _, p := range [][2]*tally{{&f.Ghosts, &o.Ghosts}, {&f.Shadows, &o.Shadows}, {&f.Drifted, &o.Drifted}} {
		p[0].hit, p[0].missed, p[0].wrong, p[0].right = p[0].hit+p[1].hit, p[0].missed+p[1].missed, p[0].wrong+p[1].wrong, p[0].right+p[1].right
	}
}

func (f *figures) String() string {
	return fmt.Sprintf("ghosts %s shadows %s drifted %s", f.Ghosts, f.Shadows, f.Drifted)
}

var (
	quoted = regexp.MustCompile("`[^`]+`")
	first  = regexp.MustCompile("`([^`]+)`|\\b([A-Za-z_]\\w*)\\(|\\b([A-Za-z]+[a-z0-9]+[A-Z]\\w*|[A-Z][a-z0-9]+[A-Z]\\w*)\\b")
	names  = regexp.MustCompile(`[A-Za-z_]\w*`)
)

// about returns the names that a text is about, by the first that it writes as
// code, and all that it mentions.
func about(text string) (head []string, all []string) {
	m := quoted.FindString(text)
	if m == "" {
		m = first.FindString(text)
	}
	head = names.FindAllString(m, -1)
	return head, names.FindAllString(text, -1)
}

// ghosts scores features against what was planted.
func (f *figures) ghosts(p *plant, got *audit.Ghosts, verbose bool, w io.Writer) {
	seen := map[string]bool{}
	for i := range got.Features {
		v := &got.Features[i]
		said := v.Class != claims.Found
		var is bool
		plain := strings.Trim(strings.ReplaceAll(v.Text, "**", ""), " .")
		if k := slices.IndexFunc(p.invented, func(s string) bool { return strings.ReplaceAll(s, "**", "") == plain }); k >= 0 {
			is, seen[plain] = true, true
		} else {
			head, all := about(v.Text)
			removed := func(n string) bool { return p.removed[n] }
			is = slices.ContainsFunc(head, removed)
			if !is && slices.ContainsFunc(all, removed) || is && slices.ContainsFunc(head, func(n string) bool { return !p.removed[n] && p.declares(n) }) {
				continue // it is of what was removed and of other things too: nobody knows
			}
		}
		f.Ghosts.count(is, said)
		if verbose && is != said {
			fmt.Fprintf(w, "    ghost %v, said %v: %s | %s | %.2f %.2f missing %v %v\n", is, said, v.Place, v.Text, v.Queries[0].Best, v.Queries[1].Best, v.Missing, v.Evidence)
		}
	}
	for _, s := range p.invented {
		if plain := strings.ReplaceAll(s, "**", ""); !seen[plain] {
			f.Ghosts.count(true, false)
			if verbose {
				fmt.Fprintf(w, "    not taken for a feature: %s\n", s)
			}
		}
	}
}

func (p *project) declares(name string) bool {
	return slices.ContainsFunc(p.decls, func(d claims.Declaration) bool { return d.Name == name })
}

// shadows scores declarations against what was taken out of the documents.
func (f *figures) shadows(p *shade, got *audit.Shadows, verbose bool, w io.Writer) {
	left := map[string]bool{}
	for n := range p.gone {
		left[n] = true
	}
	var all []claims.Shadow
	for i := range got.Modules {
		all = append(all, got.Modules[i].Members...)
	}
	for i := range all {
		s := &all[i]
		if is, ok := p.drifted[s.Name]; ok {
			said := s.Shade == claims.Drifted
			f.Drifted.count(is, said)
			if verbose && is != said {
				fmt.Fprintf(w, "    drifted %v, said %s: %s %s(%v) %v %s\n", is, s.Shade, s.Place, s.Qualified(), s.Params, s.Doc, s.Difference)
			}
		}
		if !p.gone[s.Name] && !p.kept[s.Name] {
			continue
		}
		delete(left, s.Name)
		said := s.Shade == claims.Orphaned || s.Shade == claims.Partial
		f.Shadows.count(p.gone[s.Name], said)
		if verbose && p.gone[s.Name] != said {
			fmt.Fprintf(w, "    shadow %v, said %s: %s %s %v\n", p.gone[s.Name], s.Shade, s.Place, s.Qualified(), s.Doc)
		}
	}
	// What is counted in the type around it is said to be a shadow with it.
	for range left {
		f.Shadows.count(true, true)
	}
}
