package vault

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
)

// A Link is a link between two notes as Links shows it.
type Link struct {
	From   string `json:"from"`             // a path
	Kind   string `json:"kind"`             // "links to", "supersedes", or the name of a relation
	To     string `json:"to"`               // a path; where it leads nowhere, as it was written
	Line   int    `json:"line,omitempty"`   // in From; 0: of its front matter
	Depth  int    `json:"depth,omitempty"`  // links away from the note that was asked about, from 1
	Broken bool   `json:"broken,omitempty"` // there is no such note
}

// Related is what hangs together with a note.
type Related struct {
	Path  string
	Title string
	Tags  []string
	Links []Link // from it and to it, and those of what they lead to: the nearest first
}

// MaxDepth bounds how far Links goes.
const MaxDepth = 5

// Links returns the tags of a note, the links from it and to it, and, beyond depth 1, those
// of the notes at their ends.
func (m *Memory) Links(ctx context.Context, where string, depth int) (out Related, err error) {
	root, err := m.root()
	if err != nil {
		return out, err
	}
	defer root.Close()
	if out.Path, err = m.existing(root, where); err != nil {
		return out, err
	}
	err = m.readIndex(ctx, func(tx *sql.Tx) error {
		g, err := m.readLinks(ctx, tx)
		if err != nil {
			return err
		}
		if !g.names.paths[out.Path] {
			return fault.New(fault.Stale, "%s is not indexed yet", out.Path).Try("memory import")
		}
		out.Title, out.Tags = g.titles[out.Path], g.tags[out.Path]
		out.Links = g.around(out.Path, min(max(depth, 1), MaxDepth))
		return nil
	})
	return out, err
}

// Web returns all links of the vault, and the titles of all notes by their paths.
func (m *Memory) Web(ctx context.Context) (links []Link, titles map[string]string, err error) {
	err = m.readIndex(ctx, func(tx *sql.Tx) error {
		g, err := m.readLinks(ctx, tx)
		if err == nil {
			links, titles = g.links, g.titles
		}
		return err
	})
	return links, titles, err
}

// A graph is all links of the vault.
type graph struct {
	names  *naming
	titles map[string]string
	tags   map[string][]string
	links  []Link
}

// readLinks reads all links between notes.
func (m *Memory) readLinks(ctx context.Context, tx *sql.Tx) (*graph, error) {
	g, err := readGraph(ctx, tx)
	if err != nil {
		return nil, err
	}
	return g, m.dropAttachments(g)
}

func readGraph(ctx context.Context, tx *sql.Tx) (*graph, error) {
	g := &graph{names: named(nil), titles: map[string]string{}, tags: map[string][]string{}}
	aliases := map[string]string{}
	var path, title, target string
	var l Link
	if err := store.Each(ctx, tx, []any{&path, &title, &l.Line, &l.Kind, &target}, func() error {
		if g.titles[path] == "" {
			g.names.add(path)
			g.titles[path] = title
		}
		switch l.From, l.To = path, target; l.Kind {
		case "", linkTopic, linkCopy, linkPerhapsCopy:
		case linkTag:
			g.tags[path] = addOnce(g.tags[path], target)
		case linkAlias:
			aliases[target] = path
		default:
			g.links = append(g.links, l)
		}
		return nil
	}, `SELECT f.path, f.title, coalesce(l.line, 0), coalesce(l.kind, ''), coalesce(l.target, '')
		FROM files f LEFT JOIN links l ON l.file = f.id WHERE f.kind = ? ORDER BY f.path, l.line, l.kind, l.target`, notes); err != nil {
		return nil, err
	}
	for name, path := range aliases {
		g.names.names[name] = cmp.Or(g.names.names[name], path)
	}
	// Last, because other programs take a link for the name of a file: basic-memory's are titles.
	for _, path := range slices.Sorted(maps.Keys(g.titles)) {
		if name := nameOf(g.titles[path]); name != "" && g.names.names[name] == "" {
			g.names.names[name] = path
		}
	}
	for i := range g.links {
		l := &g.links[i]
		if rel := g.names.from(l.From, l.To); rel != "" {
			l.To = rel
		} else {
			l.Broken = true
		}
	}
	return g, nil
}

// around returns the links of a note and of those that it hangs together with.
func (g *graph) around(path string, depth int) (out []Link) {
	at := map[string]int{path: 0}
	taken := make([]bool, len(g.links))
	for d := 1; d <= depth; d++ {
		var next []string
		for i, l := range g.links {
			from, a := at[l.From]
			to, b := at[l.To]
			if taken[i] || !(a && from == d-1) && !(b && !l.Broken && to == d-1) {
				continue
			}
			taken[i] = true
			l.Depth = d
			out = append(out, l)
			next = append(next, l.From)
			if !l.Broken {
				next = append(next, l.To)
			}
		}
		for _, p := range next {
			if _, ok := at[p]; !ok {
				at[p] = d
			}
		}
	}
	sorting.Stable(out, func(a, b Link) int {
		away := func(l Link) int {
			if l.From == path {
				return 0
			}
			return 1
		}
		return cmp.Or(a.Depth-b.Depth, away(a)-away(b), cmp.Compare(a.From, b.From), a.Line-b.Line)
	})
	return out
}

// Timeline returns the notes and sessions that have a day, the newest first, and of a span
// where since or before name one.
func (m *Memory) Timeline(ctx context.Context, what Listing, since, before string) ([]Item, error) {
	span, err := spanOf(since, before, "", m.cfg.Now())
	if err != nil {
		return nil, err
	}
	items, err := m.List(ctx, what)
	return slices.DeleteFunc(items, func(i Item) bool {
		return i.Day.IsZero() || span.to != 0 && (dayOf(i.Day) < span.from || dayOf(i.Day) >= span.to)
	}), err
}
