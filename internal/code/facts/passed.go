package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// Bounds on how much is read for one parameter.
const (
	maxPassing = 3  // parameters that are passed on to parameters
	maxCalling = 24 // files that call a function
	maxSites   = 60 // calls of it
	maxHeld    = 24 // calls of what may hold it
)

// passed returns what the calls of a function pass for one of its parameters,
// which says nothing of its type.
func (p *Project) passed(f *File, b *corpus.Binding) (out []value) {
	if b.In < 0 || !callable(f.Decls[b.In].Kind) || p.passing >= maxPassing || p.depth >= maxDepth/2 {
		return nil
	}
	p.passing++
	p.depth += 4
	defer func() { p.passing--; p.depth -= 4 }()
	d := &f.Decls[b.In]
	name, skip := d.Name, 0
	if f.Lang == "python" {
		skip = 1 // self
	}
	if c, ok := p.classAround(f, d.Parent); ok && d.Kind == corpus.Method {
		if slices.Contains(d.Marks, "staticmethod") {
			skip = 0
		}
		if constructs(d) {
			name = p.Decl(c).Name
		}
	} else {
		skip = 0
	}
	docs := p.nearby(f.Doc, p.src.Keyed(Key(Called, name)))
	if !slices.Contains(docs, f.Doc) {
		docs = append([]int{f.Doc}, docs...)
	}
	sites, held := 0, 0
	for _, doc := range docs[:min(len(docs), maxCalling)] {
		g := p.File(doc)
		if g.Lang != f.Lang {
			continue
		}
		for i := range g.Calls {
			c := &g.Calls[i]
			// In its own file a function may be called by the name of what holds it.
			if c.Given == "" || c.Callee != name && (doc != f.Doc || !f.holds(c)) {
				continue
			}
			if c.Callee != name {
				if held++; held > maxHeld {
					continue
				}
			} else if sites++; sites > maxSites {
				return uniqueValues(out)
			}
			arg := given(c.Given, int(b.Param)-1-skip, b.Name)
			if arg == "" || !p.means(g, c, Ref{f.Doc, b.In}) {
				continue
			}
			for _, v := range p.eval(g, c.In, c.At, arg) {
				if v.kind != unknown && v.kind != external && len(out) < maxFlow {
					v.guess = true
					out = append(out, v)
				}
			}
		}
	}
	return uniqueValues(out)
}

// isTestDouble reports whether a member of a name is one of a test that stands for another outside tests, which code outside tests
// means even if only tests are seen to put an object there. in is the declaration that uses it.
func (p *Project) isTestDouble(f *File, in int32, r Ref, name string) bool {
	isCode := func(r Ref) bool { return !p.InTest(r) }
	return p.InTest(r) && !p.InTest(Ref{f.Doc, in}) && slices.ContainsFunc(p.declared(f.Doc, name), isCode)
}

// holds reports whether what is called is what a variable, a parameter or a container of the file has.
func (f *File) holds(c *corpus.Call) bool {
	return c.Callee == corpus.Unnamed || c.Receiver == "" && f.bound[c.Callee] != nil
}

// nearby puts the documents first that are near a document: itself, then those of
// its folder.
func (p *Project) nearby(doc int, docs []int) []int {
	docs = slices.Clone(docs)
	dir := path.Dir(p.Docs[doc].Path)
	far := func(d int) int {
		switch {
		case d == doc:
			return 0
		case path.Dir(p.Docs[d].Path) == dir:
			return 1
		}
		return 2
	}
	sorting.Stable(docs, func(a, b int) int { return far(a) - far(b) })
	return docs
}

// given returns the k-th of the arguments of a call, or the one that is passed by
// name.
func given(list string, k int, name string) string {
	for i, arg := range commas(list) {
		if key, v, ok := strings.Cut(arg, "="); ok {
			if key == name {
				return v
			}
		} else if i == k {
			return arg
		}
	}
	return ""
}

// means reports whether a call may be one of a function.
func (p *Project) means(f *File, c *corpus.Call, of Ref) bool {
	ts, _ := p.worded(f, c)
	return slices.ContainsFunc(ts, func(t target) bool { return t.ref == of && t.sure >= Likely })
}

func uniqueValues(in []value) []value {
	type key struct {
		kind valueKind
		ref  Ref
		typ  string
	}
	return unique(in, func(v value) key { return key{v.kind, v.ref, v.typ} })
}

// unique leaves out what has the key of something before it.
func unique[T any, K comparable](in []T, key func(T) K) (out []T) {
	seen := map[K]bool{}
	for _, x := range in {
		if k := key(x); !seen[k] {
			seen[k] = true
			out = append(out, x)
		}
	}
	return out
}
