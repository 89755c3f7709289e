package library

import (
	"context"
	"database/sql"
	"strings"
)

// guidesMark is what is counted of each declaration of a version that has guides: how many of their snippets have its
// name in their code, 255 at most.
const guidesMark = "guides"

// A usage counts what guides use of the declarations of a version, once all of it is put: guides may come before the
// declarations that they use and after them, and most versions have either alone.
type usage struct {
	declared []declaredAt
	guides   int
}

type declaredAt struct {
	at   int // the snippet's place in the version
	name string
}

func (g *usage) add(at int, s *Snippet, declares bool) {
	if declares {
		g.declared = append(g.declared, declaredAt{at, plainMember(s.Title)})
	} else {
		g.guides++
	}
}

// counts returns what there is to mark of n snippets, of which the first has a number; nil: nothing.
func (g *usage) counts(ctx context.Context, tx *sql.Tx, first int64, n int) ([]byte, error) {
	if len(g.declared) == 0 || g.guides == 0 {
		return nil, nil
	}
	type named struct {
		guides byte
		last   int // the guide that was counted last, from 1
	}
	names := map[string]*named{}
	for _, d := range g.declared {
		names[d.name] = &named{}
	}
	rows, err := tx.QueryContext(ctx, "SELECT id, content FROM snippets WHERE id BETWEEN ? AND ? ORDER BY id", first, first+int64(n)-1)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rest := g.declared; rows.Next(); {
		var id int64
		var content string
		if err := rows.Scan(&id, &content); err != nil {
			return nil, err
		}
		at := int(id - first)
		if len(rest) > 0 && rest[0].at == at {
			rest = rest[1:]
			continue
		}
		inCode(content, func(name string) {
			if is := names[name]; is != nil && is.last != at+1 && is.guides < 255 {
				*is = named{is.guides + 1, at + 1}
			}
		})
	}
	out := make([]byte, n)
	for _, d := range g.declared {
		out[d.at] = names[d.name].guides
	}
	return out, rows.Err()
}

// plainMember is member without the marks that Ruby and Elixir end names with, which are no part of a word.
func plainMember(title string) string { return strings.TrimRight(member(title), "!?=") }
