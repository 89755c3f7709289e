package claims

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// What a document writes almost as the program does is meant to be the program's.

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

// spells looks where the evidence has the word; what it leaves out, and what is no one word, is gone
// through.
func (k *known) spells(name string) bool {
	e := k.a.ev
	if slices.ContainsFunc(e.pending, func(text []byte) bool { return hasWord(text, name) }) {
		return true
	}
	if len(name) >= longWord || strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 || !wordByte(byte(r)) }) >= 0 {
		return slices.ContainsFunc(k.a.Tree.Code, func(s Source) bool { return hasWord(s.Text, name) })
	}
	seen := int32(-1)
	for _, p := range e.posts.Of(fold(name)) {
		if f := e.spots[p.Place()].file; f != seen {
			if seen = f; hasWord(e.files[f].Text, name) {
				return true
			}
		}
	}
	return false
}

// hasWord reports whether a text has a word as it is written.
func hasWord(all []byte, name string) bool {
	for from := 0; ; {
		at := bytes.Index(all[from:], []byte(name))
		if at < 0 {
			return false
		}
		at += from
		from = at + len(name)
		if (at == 0 || !wordByte(all[at-1])) && (from >= len(all) || !wordByte(all[from])) {
			return true
		}
	}
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
	imported := func(s Source) bool { // the file of a package, as those write it who import it
		return s.Path == parts[0]+"/lib/"+strings.Join(parts[1:], "/") || s.Path == parts[0]+"/src/"+strings.Join(parts[1:], "/")
	}
	return len(parts) > 1 && !slices.ContainsFunc(a.Tree.Code, imported) && slices.ContainsFunc(a.Tree.Code, func(s Source) bool {
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
