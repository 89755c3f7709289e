package claims

import (
	"bytes"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A name that the code once declared, and has nowhere now, was the project's own: the document that
// still presents it was left behind.

var declarer = lazy.Regexp(`(?:^|[^\w.])(?:class|def|defp|defmodule|defmacro|func|function|fn|fun|interface|struct|enum|type|trait|record|object|module|protocol|typedef|macro|macro_rules!|const|val|public|protected|extern|sub|data|newtype|#\s*define)\s(?:[^=(){};"'\x60]*\s[*&]*)?$|\bfunc\s+\([^)]*\)\s*$`)

// What stands behind these is another's.
var ofAnother = lazy.Regexp(`\b(?:extends|implements|import|from|throws|with|where|new|return)\s|\s:\s|<:`)

// formerLeast is how long a name has to be so that it is no word that any code declares.
const formerLeast = 6

// past returns which names that the documents write and the code has not it had once, of those that are
// open, and of each whether documents had it then: names of code that it declared, flags and variables of
// the environment that it wrote.
func (k *known) past(names []written, open func(id string) bool) map[string]bool {
	if k.a.Past == nil {
		return nil
	}
	asked, sorts := map[string]bool{}, map[string]string{}
	for i := range names {
		n := &names[i]
		words := n.formerly()
		if len(words) == 0 || !open(n.id()) || !k.claimed(&n.named) || k.shortened(&n.named) || k.commented(n.sort, n.name) {
			continue
		}
		if _, there := k.has(n.name, n.sort); !there {
			for _, w := range words {
				asked[w], sorts[w] = true, n.sort
			}
		}
	}
	if len(asked) == 0 {
		return nil
	}
	gone, whole := k.a.Past(asked, func(line []byte, word string) bool {
		return sorts[word] != codeName && writes(line, word) || sorts[word] != flagName && declaredIn(line, word)
	})
	k.a.cut = k.a.cut || !whole
	return gone
}

// asideDeclares reports whether code that lies among the documents declares a name: some projects have
// programs there.
func (k *known) asideDeclares(name string) bool {
	got, ok := k.asideHas[name]
	if !ok {
		got = k.declaredAside(name)
		k.asideHas[name] = got
	}
	return got
}

func (k *known) declaredAside(name string) bool {
	for i := range k.a.Tree.Aside {
		f := &k.a.Tree.Aside[i]
		if !k.langs[spoken(f.Language)] || !bytes.Contains(f.Text, []byte(name)) {
			continue
		}
		for line := range bytes.Lines(f.Text) {
			if declaredIn(line, name) {
				return true
			}
		}
	}
	return false
}

// formerly are the words by which code may have had a name.
func (n *written) formerly() []string {
	switch n.sort {
	case codeName:
		if end := last(chainOf(n.name)); len(end) >= formerLeast && humped(end) {
			return []string{end}
		}
	case variableName:
		return []string{n.name}
	case flagName:
		name := strings.TrimPrefix(n.name, "--")
		if !strings.Contains(name, "-") {
			return []string{name}
		}
		return []string{name, strings.ReplaceAll(name, "-", "_")}
	}
	return nil
}

// asked reports whether one of the words of a name is among some.
func (n *written) asked(past map[string]bool) bool {
	return slices.ContainsFunc(n.formerly(), func(w string) bool { _, ok := past[w]; return ok })
}

// told reports whether documents had one of the words of a name while the code had it: one that comes
// later may be another's of that name.
func (n *written) told(past map[string]bool) bool {
	return slices.ContainsFunc(n.formerly(), func(w string) bool { return past[w] })
}

// writes reports whether a line has a word as code has the name of a flag or a variable that it knows, and
// not as it calls another program or a system: in quotes, as a case of a shell, or at its beginning.
func writes(line []byte, word string) bool {
	for from := 0; ; {
		at := bytes.Index(line[from:], []byte(word))
		if at < 0 {
			return false
		}
		at += from
		from = at + len(word)
		before, dashed := bytes.CutSuffix(line[:at], []byte("--"))
		after := line[from:]
		if !dashed && len(before) > 0 && wordByte(before[len(before)-1]) || len(after) > 0 && (wordByte(after[0]) || after[0] == '-') {
			continue
		}
		quoted := len(before) > 0 && strings.IndexByte("\"'`", before[len(before)-1]) >= 0
		switch {
		case dashed:
			if quoted || len(after) > 0 && (after[0] == ')' || after[0] == '|') {
				return true
			}
		case quoted && len(after) > 0 && after[0] == before[len(before)-1], len(bytes.TrimSpace(before)) == 0:
			if strings.ContainsAny(word, "-_") {
				return true
			}
		}
	}
}

// declaredIn reports whether a line declares a word.
func declaredIn(line []byte, word string) bool {
	for from := 0; ; {
		at := bytes.Index(line[from:], []byte(word))
		if at < 0 {
			return false
		}
		at += from
		from = at + len(word)
		whole := (at == 0 || !wordByte(line[at-1])) && (from >= len(line) || !wordByte(line[from]))
		if whole && declarer.Match(line[:at]) && !ofAnother.Match(line[:at]) {
			return true
		}
	}
}
