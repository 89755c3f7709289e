package claims

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A name that the code once declared, and has nowhere now, was the project's own: the document that
// still presents it was left behind.

var declarer = lazy.Regexp(`(?:^|[^\w.])(?:class|def|defp|defmodule|defmacro|func|function|fn|fun|interface|struct|enum|type|trait|record|object|module|protocol|typedef|macro|macro_rules!|const|val|public|protected|extern|sub|data|newtype|#\s*define)\s(?:[^=(){};"'\x60]*\s[*&]*)?$|\bfunc\s+\([^)]*\)\s*$`)

// What stands behind these is another's.
var ofAnother = lazy.Regexp(`\b(?:extends|implements|import|from|throws|with|where|new|return)\s|\s:\s|<:`)

// formerLeast is how long a name has to be so that it is no word that any code declares.
const formerLeast = 6

// past returns which names of code that the documents write and the code has not it declared once,
// of those that are open.
func (k *known) past(names []written, open func(id string) bool) map[string]bool {
	if k.a.Past == nil {
		return nil
	}
	asked := map[string]bool{}
	for i := range names {
		n := &names[i]
		if end := last(chainOf(n.name)); n.sort == codeName && open(n.sort+" "+n.name) && len(end) >= formerLeast && humped(end) && k.claimed(&n.named) && !k.shortened(&n.named) && !k.commented(n.sort, n.name) {
			if _, there := k.has(n.name, n.sort); !there {
				asked[end] = true
			}
		}
	}
	if len(asked) == 0 {
		return nil
	}
	gone, whole := k.a.Past(asked, declaredIn)
	k.a.cut = k.a.cut || !whole
	return gone
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
