package rust

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	maxTree   = 200  // braces in each other
	maxPrefix = 2000 // bytes before a brace
)

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
	from := k
	for k < len(f.Toks) {
		t := &f.Toks[k]
		switch {
		case f.path(k):
			k++
		case f.part(k):
			if k > from && !f.path(k-1) {
				f.Out.Missed++
				return k
			}
			k++
		case f.sign(k, '*'):
			f.importing(i, corpus.Import{Path: f.joint(prefix, from, k+1), At: f.At(k)})
			return k + 1
		case t.Kind == scan.Open && f.Src[t.At] == '{':
			f.branches(i, k, f.joint(prefix, from, k), depth+1)
			return f.Past(k)
		default:
			return f.leaf(i, from, k, prefix)
		}
	}
	return f.leaf(i, from, k, prefix)
}

// branches reads the trees in brace i behind a prefix.
func (f *file) branches(i, open int, prefix string, depth int) {
	if depth > maxTree || len(prefix) > maxPrefix {
		f.Out.Missed++
		return
	}
	end := min(f.Pair(open), len(f.Toks))
	for k := open + 1; k < end; k++ {
		for k = f.tree(i, k, prefix, depth); k < end && !f.sign(k, ','); k = f.Past(k) {
			f.Out.Missed++
		}
	}
}

// joint returns a path: the tokens from i up to j behind a prefix.
func (f *file) joint(prefix string, i, j int) string {
	var b strings.Builder
	b.WriteString(prefix)
	for ; i < j; i++ {
		b.Write(f.Bytes(i))
	}
	return b.String()
}

// leaf adds the path from token i up to, without, token k.
func (f *file) leaf(i, from, k int, prefix string) int {
	last := k - 1
	if last < from || !f.part(last) {
		return k
	}
	m := corpus.Import{Path: f.joint(prefix, from, k), At: f.At(last)}
	if f.Key(last) == scan.KSelf && from == last && len(prefix) > 2 {
		m.Path = prefix[:len(prefix)-2] // a::{self} is a
	}
	if f.Key(k) == scan.KAs && f.Kind(k+1) == scan.Word && k+1 < len(f.Toks) {
		m.Alias = f.Str(k + 1)
		k += 2
	}
	f.importing(i, m)
	return k
}
