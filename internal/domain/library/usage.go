package library

import "strings"

// guidesMark is what is counted of each declaration of a version that has guides: how many of their snippets have its
// name in their code, 255 at most.
const guidesMark = "guides"

// maxGuideNames bounds the names that are counted: what guides beyond it name first is not known of.
const maxGuideNames = 1 << 18

// A usage counts while a version is put, since guides may come before the declarations that they use and after them.
type usage struct {
	named    map[string]byte // how many sections of prose have a name in their code
	declared []declaredAt
}

type declaredAt struct {
	at   int // the snippet's place in the version
	name string
}

func (g *usage) add(at int, s *Snippet) {
	if declares(s) {
		g.declared = append(g.declared, declaredAt{at, plainMember(s.Title)})
		return
	}
	seen := map[string]bool{}
	inCode(s.Content, func(name string) { seen[name] = true })
	for name := range seen {
		switch n, ok := g.named[name]; {
		case ok && n < 255:
			g.named[name] = n + 1
		case !ok && len(g.named) < maxGuideNames:
			if g.named == nil {
				g.named = map[string]byte{}
			}
			g.named[name] = 1
		}
	}
}

// counts returns what there is to mark of n snippets; nil: nothing.
func (g *usage) counts(n int) []byte {
	if len(g.declared) == 0 || len(g.named) == 0 {
		return nil
	}
	out := make([]byte, n)
	for _, d := range g.declared {
		out[d.at] = g.named[d.name]
	}
	return out
}

// plainMember is member without the marks that Ruby and Elixir end names with, which are no part of a word.
func plainMember(title string) string { return strings.TrimRight(member(title), "!?=") }
