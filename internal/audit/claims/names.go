package claims

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/base/text"
)

// A Link is one of a document's that leads nowhere in its repository.
type Link struct {
	Place
	Target string `json:"target"`
	Why    string `json:"why"`
	Meant  string `json:"meant,omitempty"`
}

// Reason says why a link is broken, and where it probably should lead.
func (l *Link) Reason() string {
	if l.Meant == "" {
		return l.Why
	}
	return l.Why + "; probably " + l.Meant
}

// Since makes the auditor look also for names that an earlier revision declared. Files are those that changed, as they were.
func (a *Auditor) Since(files map[string][]byte) { a.former, a.names = files, nil }

// Named compares the things that the documents name with the tree, once.
func (a *Auditor) Named(ctx context.Context) (*named.Report, error) {
	if a.names != nil {
		return a.names, nil
	}
	t := a.Tree
	r, err := named.Check(ctx, &named.Project{Docs: t.Docs, Pages: t.Pages, Code: t.Code, Aside: t.Aside, Paths: t.all, Exists: t.mayExist, Repository: t.Repository, DocsAlone: t.chosen, Former: a.former, Removed: a.Removed})
	if err != nil {
		return nil, err
	}
	if t.Unknown() > 0 {
		// A name may be in a file that was not read; a link does not depend on one.
		for i := range r.Findings {
			if f := &r.Findings[i]; !isLink(f.Kind) {
				f.Level = named.Unsure
			}
		}
	}
	a.names = r
	return r, nil
}

func isLink(k named.Kind) bool {
	return slices.Contains([]named.Kind{named.Link, named.Image, named.Anchor, named.Address, named.Path}, k)
}

// mayExist reports whether a file is, or may be, at a path: one of another repository that this one includes, or one that
// git ignores, is not in every checkout.
func (t *Tree) mayExist(at string) bool {
	if t.exists(at) {
		return true
	}
	if t.absent == nil {
		t.absent = []string{}
		for i := range t.Aside {
			switch s := &t.Aside[i]; s.Path {
			case ".gitmodules":
				for line := range bytes.Lines(s.Text) {
					if key, value, ok := strings.Cut(string(line), "="); ok && strings.TrimSpace(key) == "path" {
						t.absent = append(t.absent, strings.TrimSpace(value))
					}
				}
			case ".gitignore":
				for line := range bytes.Lines(s.Text) {
					if l := strings.Trim(strings.TrimSpace(string(line)), "/"); l != "" && !strings.ContainsAny(l, "*?[!#") {
						t.absent = append(t.absent, l)
					}
				}
			}
		}
	}
	return slices.ContainsFunc(t.absent, func(p string) bool {
		return at == p || strings.HasPrefix(at, p+"/") || !strings.Contains(p, "/") && strings.Contains("/"+at+"/", "/"+p+"/")
	})
}

// message says in one line how a finding is known.
func message(f *named.Finding) string {
	s := f.Why
	if f.Meant != "" && f.At != nil {
		at := f.At.String()
		if f.At.Path == f.Meant {
			at = "that is there"
		}
		s += fmt.Sprintf("; probably %s (%s)", f.Meant, at)
	}
	return s
}

// NamedVerdicts returns the names that no code has as verdicts: errors are confirmed, and warnings are for a person to look at.
func (a *Auditor) NamedVerdicts(ctx context.Context) (out []Verdict, checked int, err error) {
	r, err := a.Named(ctx)
	if err != nil {
		return nil, 0, err
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if isLink(f.Kind) && f.Kind != named.Path {
			continue
		}
		v := Verdict{Feature: Feature{Kind: Name, Text: message(f), Name: f.Name, Sort: string(f.Kind), Place: Place(f.Place), Meant: f.Meant},
			Class: Confirmed, Evidence: []Match{}, Missing: []string{f.Name}, Mentions: a.mentions([]term{{1, []alt{{exact(lastName(f.Name)), 1}}}})}
		v.Queries[0].Text, v.Queries[1].Text = f.Name, strings.Join(text.Parts(lastName(f.Name)), " ")
		switch f.Level {
		case named.Warning:
			v.Class = Ambiguous
		case named.Unsure:
			v.Class = Unsure
		}
		v.Mentions = max(1, v.Mentions)
		out = append(out, v)
	}
	return out, r.Counts.Judged(), nil
}

func lastName(name string) string {
	return strings.TrimLeft(name[strings.LastIndexAny(name, ".:#>/")+1:], "-")
}

// Links returns the links of documents that lead nowhere, but for those that a build may make.
func (a *Auditor) Links(ctx context.Context) ([]Link, error) {
	r, err := a.Named(ctx)
	if err != nil {
		return nil, err
	}
	out := []Link{}
	for i := range r.Findings {
		if f := &r.Findings[i]; isLink(f.Kind) && f.Kind != named.Path && f.Level != named.Unsure {
			out = append(out, Link{Place(f.Place), f.Name, f.Why, f.Meant})
		}
	}
	return out, nil
}
