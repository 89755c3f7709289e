package claims

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// What a document writes almost as the program does is meant to be the program's.

// misspelt reports whether the program declares a name that is almost the same: then a document
// means it, and has it wrong or as it was before.
func (k *known) misspelt(name string) bool {
	want := fold2(name)
	words := subwords(name)
	if len(want) < 6 {
		return false
	}
	far := 1
	if len(want) >= 10 && len(words) > 1 {
		far = 2
	}
	if len(want) >= 16 && len(words) > 2 {
		far = 3
	}
	k.parse()
	if len(words) > 2 {
		for other := range k.fold {
			if d := len(other) - len(want); d < far && -d < far && other != "" && other[0] == want[0] && text.DistanceWithin(want, other, far-1) < far {
				return true
			}
		}
	}
	for declared := range k.whole {
		if d := len(declared) - len(name); d > 12 || d < -12 {
			continue
		}
		other := fold2(declared)
		if len(other) < 6 {
			continue
		}
		if d := len(other) - len(want); d <= 3 && d >= -3 && other[0] == want[0] && text.DistanceWithin(want, other, far) <= far {
			return true
		}
		if other[0] == want[0] && len(words) > 2 && abbreviated(words, subwords(declared)) || marked(name, declared) {
			return true
		}
	}
	return false
}

// sibling reports whether a sentence names two others that begin as a name does and that the
// program declares.
func (k *known) sibling(n *written, name string) bool {
	words := subwords(name)
	if len(words) < 2 || common[words[0]] || len(words[0]) < 2 {
		return false
	}
	alike := map[string]bool{}
	for _, w := range nameRE.FindAllString(n.text, -1) {
		if other := subwords(w); w != name && len(other) > 1 && other[0] == words[0] && k.declaredHere(w) {
			alike[w] = true
		}
	}
	return len(alike) > 1
}

// abbreviated reports whether two names have the same words but for one that is shortened in one
// of them.
func abbreviated(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	short := 0
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		least := min(len(a[i]), len(b[i]))
		if least < 3 || a[i][:least] != b[i][:least] {
			return false
		}
		short++
	}
	return short == 1
}

// marked reports whether a name is another with the letter before it that marks an interface.
func marked(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(b) == len(a)+1 && b[0] == 'I' && b[1:] == a && a[0] >= 'A' && a[0] <= 'Z' && humped(a)
}

// remarked reports whether a text of the code has a name that no code of it has: a comment has.
func (k *known) remarked(name string) bool { return k.spelt(last(chainOf(name))) }

// spelt reports whether any text of the code has a word as it is written, as what tells how a
// program is used has its flags.
func (k *known) spelt(name string) bool {
	got, ok := k.said[name]
	if !ok {
		got = k.spells(name)
		k.said[name] = got
	}
	return got
}

func (k *known) spells(name string) bool {
	for i := range k.a.Tree.Code {
		all := k.a.Tree.Code[i].Text
		for from := 0; ; {
			at := bytes.Index(all[from:], []byte(name))
			if at < 0 {
				break
			}
			at += from
			from = at + len(name)
			if (at == 0 || !wordByte(all[at-1])) && (from >= len(all) || !wordByte(all[from])) {
				return true
			}
		}
	}
	return false
}

// sets reports whether a block of code has a variable that is called so: it is the example's own.
func (b *block) sets(name string) bool {
	return slices.ContainsFunc(b.raw, func(line string) bool {
		at := strings.Index(line, name)
		if at < 0 || at > 0 && wordByte(line[at-1]) {
			return false
		}
		rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(line[at+len(name):], " "), ":"), " ")
		return strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") && !strings.HasPrefix(rest, "=>")
	})
}

// renamed reports whether a folder has a file whose name begins as that of one that is not
// there: one with another ending, or almost the same.
func (a *Auditor) renamed(name string) bool {
	dir, base := path.Dir(name), path.Base(name)
	near := func(at string) bool {
		other := path.Base(at)
		return path.Dir(at) == dir && (strings.HasPrefix(other, base+".") || text.DistanceWithin(base, other, 1) == 1 && len(base) > 6)
	}
	for _, all := range [][]Source{a.Tree.Code, a.Tree.Docs, a.Tree.Aside} {
		if slices.ContainsFunc(all, func(s Source) bool { return near(s.Path) }) {
			return true
		}
	}
	for _, at := range a.Tree.named {
		if near(at) {
			return true
		}
	}
	return false
}

// moved reports whether a file that is not there is deeper in the folders that its path names.
func (a *Auditor) moved(name string) bool {
	parts := strings.Split(name, "/")
	base := parts[len(parts)-1]
	return len(parts) > 1 && slices.ContainsFunc(a.Tree.Code, func(s Source) bool {
		if path.Base(s.Path) != base || strings.HasSuffix("/"+s.Path, "/"+name) || !strings.HasPrefix(s.Path, parts[0]+"/") {
			return false // a path may be written from a folder below the root
		}
		rest := strings.Split(s.Path, "/")
		for _, p := range parts {
			at := slices.Index(rest, p)
			if at < 0 {
				return false
			}
			rest = rest[at+1:]
		}
		return true
	})
}
