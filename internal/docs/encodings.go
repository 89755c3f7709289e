package docs

import (
	"fmt"
	"maps"
	"slices"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/charset"
)

// encodings counts the pages whose encoding was guessed, by its name, and those whose encoding is not known, under "".
type encodings map[string]encodedPages

type encodedPages struct {
	n     int
	first string // its path
}

func (e *encodings) add(page string, of charset.Reading) {
	if !of.Guessed && !of.Unknown {
		return
	}
	if *e == nil {
		*e = encodings{}
	}
	p := (*e)[of.Encoding]
	if p.n++; p.n == 1 {
		p.first = page
	}
	(*e)[of.Encoding] = p
}

// notes says which encodings were guessed.
func (e encodings) notes() (out []string) {
	for _, name := range slices.Sorted(maps.Keys(e)) {
		p := e[name]
		pages := text.Count(p.n, "page", "pages")
		if name == "" {
			out = append(out, fmt.Sprintf("%s in an encoding that is not known, for example %s: letters of it are lost; convert it to UTF-8", pages, p.first))
			continue
		}
		out = append(out, fmt.Sprintf("%s read as %s, a guess, since nothing declares the encoding: %s", pages, name, p.first))
	}
	return out
}
