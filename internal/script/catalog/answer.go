package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/code/rank"
)

// Kinds of entries.
const builtinKind = "builtin:"

// An Entry is a module, or a table that scripts have without require.
type Entry struct {
	Name        string     `json:"name"` // "assay.grafana", "http"
	Source      string     `json:"source"`
	Path        string     `json:"path,omitempty"` // of a file
	Description string     `json:"description"`
	Auth        []string   `json:"auth,omitempty"`
	Env         []string   `json:"env,omitempty"`
	Methods     []Quickref `json:"methods,omitempty"`
	Score       float64    `json:"score,omitempty"` // 0..1
	// Explain is the breakdown of Score.
	Explain []rank.Signal `json:"explain,omitempty"`

	client *Function // of a module: what makes its client
	module bool
}

// A ModulesAnswer is what the catalogue has for a question.
type ModulesAnswer struct {
	Query   string  `json:"query"`
	Engine  string  `json:"engine,omitempty"`
	Modules int     `json:"modules"`          // in the catalogue
	Unsure  bool    `json:"unsure,omitempty"` // no entry surely helps
	Entries []Entry `json:"entries"`
	// Explained says that text tells scores and the engine.
	Explained bool `json:"-"`
}

// Ask returns what matches a query, best first, at most limit entries. An empty query is answered with all modules, without their
// methods, or the first of them where limit is positive.
func (c *Catalog) Ask(ctx context.Context, query string, limit int) (*ModulesAnswer, error) {
	if strings.TrimSpace(query) == "" {
		return c.all(limit), nil
	}
	e, err := c.engine()
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close() }()
	return c.AskWith(ctx, e, query, limit)
}

// engine returns the engine that suits the modules as they were read.
func (c *Catalog) engine() (SearchEngine, error) {
	for i := range c.Modules {
		if c.Modules[i].counted != nil {
			return NewBM25(), nil
		}
	}
	return NewEngine(len(c.Modules))
}

// AskWith asks an engine that is empty.
func (c *Catalog) AskWith(ctx context.Context, e SearchEngine, query string, limit int) (*ModulesAnswer, error) {
	loaded := make(map[string]int, len(c.Modules))
	for i := range c.Modules {
		m := &c.Modules[i]
		if !m.Shadowed {
			loaded[m.Name] = i
		}
		if err := c.add(e, m, query); err != nil {
			return nil, err
		}
	}
	builtins := Builtins()
	for _, b := range builtins {
		if err := e.Add(builtinKind+b.Name, b.fields()); err != nil {
			return nil, err
		}
	}
	// Some are of one module and those that it shadows.
	results, err := e.Search(ctx, query, 4*limit)
	if err != nil {
		return nil, fmt.Errorf("search the modules: %w", err)
	}
	q := newQuestion(query)
	words := q.words()
	found := q.rank(results, len(c.Modules)+len(builtins), func(id string) tally {
		if name, ok := strings.CutPrefix(id, builtinKind); ok {
			for _, b := range builtins {
				if b.Name == name {
					f := b.fields()
					return q.tally(&f, words)
				}
			}
		}
		m := &c.Modules[loaded[id]]
		if m.counted != nil {
			return *m.counted
		}
		return q.tally(&m.fields, words)
	})
	a := &ModulesAnswer{Query: query, Engine: e.Name(), Modules: len(loaded), Entries: []Entry{}}
	for _, r := range found {
		if limit > 0 && len(a.Entries) == limit {
			break
		}
		var entry Entry
		if name, ok := strings.CutPrefix(r.id, builtinKind); ok {
			entry = builtin(builtins, name)
		} else {
			entry = c.entry(&c.Modules[loaded[r.id]])
		}
		entry.Score, entry.Explain = r.score, r.reason
		a.Entries = append(a.Entries, entry)
	}
	a.Unsure = len(a.Entries) > 0 && a.Entries[0].Score < rank.Sure
	return a, nil
}

func (c *Catalog) add(e SearchEngine, m *Module, query string) error {
	if m.counted == nil {
		return e.Add(m.Name, m.fields)
	}
	counter, ok := e.(*BM25)
	if !ok || query != c.query {
		return fmt.Errorf("the modules were read for the question %q and no other", c.query)
	}
	counter.addCounted(m.Name, m.counted)
	return nil
}

func (c *Catalog) all(limit int) *ModulesAnswer {
	a := &ModulesAnswer{Entries: []Entry{}}
	for i := range c.Modules {
		m := &c.Modules[i]
		if m.Shadowed {
			continue
		}
		a.Modules++
		if limit <= 0 || len(a.Entries) < limit {
			e := c.entry(m)
			e.Methods = nil
			a.Entries = append(a.Entries, e)
		}
	}
	return a
}

// aliased returns what there is to know about the table that a module returns: of the module itself, unless it is an alias.
func (c *Catalog) aliased(of Meta) Meta {
	for hops := 0; of.Alias != "" && hops < 4; hops++ {
		m := c.Named(of.Alias)
		if m == nil {
			break
		}
		of = c.meta(m)
	}
	return of
}

// meta returns what a module's text says of it. One that is gone since it was found says nothing.
func (c *Catalog) meta(m *Module) Meta {
	if !m.skimmed {
		return m.Meta()
	}
	src, err := c.places.Code(m)
	if err != nil {
		return Meta{}
	}
	return Parse(src)
}

// Named returns the module that require loads by a full name, or nil.
func (c *Catalog) Named(name string) *Module {
	for i := range c.Modules {
		if m := &c.Modules[i]; m.Name == name && !m.Shadowed {
			return m
		}
	}
	return nil
}

func (c *Catalog) entry(m *Module) Entry {
	own := c.meta(m)
	to := own
	if len(own.Quickrefs) == 0 {
		to = c.aliased(own)
	}
	e := Entry{Name: m.Name, Source: m.Source.String(), Description: own.Description, Auth: own.Auth, Env: own.Env, Methods: to.Quickrefs, module: true}
	if len(e.Auth) == 0 {
		e.Auth = to.Auth
	}
	if len(e.Env) == 0 {
		e.Env = to.Env
	}
	if m.Source != BuiltIn {
		e.Path = m.Path
	}
	for _, f := range to.Functions {
		if f.constructor() {
			f.Line = 0 // which a skimmed module knows and others do not
			e.client = &f
		}
	}
	if len(e.Methods) == 0 {
		e.Methods = undocumented(to.Functions)
	}
	return e
}

// undocumented returns the functions of a module without quickrefs as far as they can be told.
func undocumented(fs []Function) (out []Quickref) {
	for _, f := range fs {
		if !f.Helper() {
			out = append(out, Quickref{Signature: f.Signature()})
		}
	}
	return out
}

func builtin(all []builtinModule, name string) Entry {
	for _, b := range all {
		if b.Name == name {
			return Entry{Name: b.Name, Source: "always there", Description: b.Description, Methods: b.Functions}
		}
	}
	return Entry{Name: name}
}
