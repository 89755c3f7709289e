package rust

import (
	"github.com/assay-dev/assay/internal/corpus"
	"github.com/assay-dev/assay/internal/syntax/scan"
)

const maxTree = 200 // braces in each other

// importing adds an import by the statement whose word is token i.
func (f *file) importing(i int, m corpus.Import) {
	start, _ := f.start(i)
	if f.public(start) && m.Kind&corpus.Relative == 0 {
		m.Kind |= corpus.Reexport
	}
	if f.depth > 0 || f.top().macro || f.conditional(start) {
		m.Kind |= corpus.Conditional
	}
	f.Out.Imports = append(f.Out.Imports, m)
}

// use reads use.
func (f *file) use(i int) int {
	if k := i + 1; f.Kind(k) != scan.Word && !f.path(k) && !f.opens(k, '{') && !f.sign(k, '*') || k >= len(f.Toks) {
		return i + 1
	}
	k := f.tree(i, i+1, "", 0)
	if f.sign(k, ';') {
		k++
	}
	return max(k, i+1)
}

// tree reads the tree of paths at token k, behind a prefix, and returns the token
// after it.
func (f *file) tree(i, k int, prefix string, depth int) int {
	path := prefix
	last := -1
	for k < len(f.Toks) {
		t := &f.Toks[k]
		switch {
		case f.path(k):
			path += "::"
			k++
		case t.Kind == scan.Word && (t.Key == none || t.Key == kSelf || t.Key == kSuper || t.Key == kCrate || t.Key == kSelfType):
			if last >= 0 && !f.path(k-1) {
				f.Out.Missed++
				return k
			}
			path += f.Str(k)
			last = k
			k++
		case f.sign(k, '*'):
			f.importing(i, corpus.Import{Path: path + "*", At: f.At(k)})
			return k + 1
		case f.opens(k, '{'):
			if depth >= maxTree {
				f.Out.Missed++
				return f.Past(k)
			}
			end := min(f.Pair(k), len(f.Toks))
			for j := k + 1; j < end; {
				next := f.tree(i, j, path, depth+1)
				for next < end && !f.sign(next, ',') {
					next = f.Past(max(next, j))
					f.Out.Missed++
				}
				j = next + 1
			}
			return f.Past(k)
		default:
			return f.leaf(i, k, last, path, prefix)
		}
	}
	return f.leaf(i, k, last, path, prefix)
}

// leaf adds the path that ends before token k.
func (f *file) leaf(i, k, last int, path, prefix string) int {
	if last < 0 || last != k-1 {
		return k
	}
	m := corpus.Import{Path: path, At: f.At(last)}
	if f.Key(last) == kSelf && len(prefix) > 2 && path == prefix+"self" {
		m.Path = prefix[:len(prefix)-2]
	}
	if f.Key(k) == kAs && f.Kind(k+1) == scan.Word && k+1 < len(f.Toks) {
		m.Alias = f.Str(k + 1)
		k += 2
	}
	f.importing(i, m)
	return k
}
