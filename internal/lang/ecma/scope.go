package ecma

import (
	"slices"
	"strconv"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// blocks are the blocks of a text that are no bodies of declared functions, and the names that are declared in any place.
type blocks struct {
	spans    []corpus.Span
	inBlocks []blockName
}

type blockName struct {
	name string
	at   int
}

// enclose adds a block from an offset up to one behind it.
func (b *blocks) enclose(from, to int) { b.spans = append(b.spans, corpus.Span{Start: from, End: to}) }

// local adds a name that is declared at an offset.
func (b *blocks) local(name string, at int) { b.inBlocks = append(b.inBlocks, blockName{name, at}) }

// innermost calls yield with each name that is declared in a block, and the innermost block around it.
func (b *blocks) innermost(yield func(name blockName, block corpus.Span)) {
	slices.SortFunc(b.spans, func(x, y corpus.Span) int {
		if x.Start != y.Start {
			return x.Start - y.Start
		}
		return y.End - x.End
	})
	slices.SortStableFunc(b.inBlocks, func(x, y blockName) int { return x.at - y.at })
	var open []corpus.Span
	next := 0
	for _, n := range b.inBlocks {
		for next < len(b.spans) && b.spans[next].Start <= n.at {
			open = append(open, b.spans[next])
			next++
		}
		for len(open) > 0 && open[len(open)-1].End <= n.at {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			yield(n, open[len(open)-1])
		}
	}
}

// boundInBlocks binds the blocks in which names are declared that stand for something else outside: imports and declarations.
func (r *reader) boundInBlocks() {
	outside := map[string]int{}
	for i := range r.Out.Imports {
		for _, n := range r.Out.Imports[i].Names {
			outside[n.Local()] = -1
		}
		outside[r.Out.Imports[i].Alias] = -1
	}
	for i := range r.Out.Decls {
		d := &r.Out.Decls[i]
		if at, known := outside[d.Name]; known && at != d.NameAt {
			outside[d.Name] = -1
		} else {
			outside[d.Name] = d.NameAt
		}
	}
	seen := map[blockName]bool{}
	r.innermost(func(n blockName, block corpus.Span) {
		key := blockName{n.name, block.Start}
		if at, known := outside[n.name]; !known || at == n.at || seen[key] {
			return
		}
		seen[key] = true
		r.bind(corpus.Binding{Name: corpus.BlockMark + n.name, Value: strconv.Itoa(block.Len()), At: block.Start})
	})
}
