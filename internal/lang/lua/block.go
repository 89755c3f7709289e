package lua

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A file is a text under way.
type file struct {
	*scan.Source
	frames  []frame
	pending []pending
	depth   int // of functions
	// Annotated is whether any comment has annotations of types.
	annotated bool
	tables    map[string]*table
	order     []string // the names of tables, as they came
}

// match pairs what opens a block with what ends it, as brackets are paired, and
// reports whether every block had its end. With mend, indentation says where a
// block that has none is over.
func (f *file) match(mend bool) bool {
	type open struct{ tok, column int }
	var blocks []open
	sound := true
	column := 0
	drop := func(keep, at int) { // what is open beyond keep ends before at
		for _, b := range blocks[keep:] {
			f.Toks[b.tok].Pair = int32(at)
		}
		blocks = blocks[:keep]
	}
	for i := range f.Toks {
		t := &f.Toks[i]
		if mend && t.Line {
			column = f.Column(i)
			keep := len(blocks)
			switch t.Key {
			case scan.KFunction, scan.KLocal:
				for keep > 0 && blocks[keep-1].column >= column {
					keep--
				}
			case scan.KEnd:
				for keep > 0 && blocks[keep-1].column > column {
					keep--
				}
				if keep == 0 || blocks[keep-1].column != column {
					keep = len(blocks)
				}
			}
			drop(keep, i)
		}
		switch {
		case t.Kind == scan.Close && t.Pair >= 0:
			keep := len(blocks)
			for keep > 0 && blocks[keep-1].tok > int(t.Pair) {
				keep--
				sound = false
			}
			drop(keep, i)
		case t.Key == scan.KFunction || t.Key == scan.KIf || t.Key == scan.KDo || t.Key == scan.KRepeat:
			blocks = append(blocks, open{i, column})
		case t.Key == scan.KEnd || t.Key == scan.KUntil:
			t.Pair = -1
			n := len(blocks) - 1
			if n < 0 || (f.Toks[blocks[n].tok].Key == scan.KRepeat) != (t.Key == scan.KUntil) {
				sound = false
				continue
			}
			t.Pair = int32(blocks[n].tok)
			f.Toks[blocks[n].tok].Pair = int32(i)
			blocks = blocks[:n]
		}
	}
	sound = sound && len(blocks) == 0
	drop(0, len(f.Toks))
	return sound
}

// past returns the token after i, or after the bracket or block that i opens.
func (f *file) past(i int) int {
	if i >= 0 && i < len(f.Toks) && int(f.Toks[i].Pair) > i {
		return min(int(f.Toks[i].Pair)+1, len(f.Toks))
	}
	return i + 1
}

// name reports whether token i is a word that is no keyword.
func (f *file) name(i int) bool {
	return i >= 0 && i < len(f.Toks) && f.Toks[i].Kind == scan.Word && f.Toks[i].Key == 0
}

// punct reports whether token i is the sign c.
func (f *file) punct(i int, c byte) bool {
	if i < 0 || i >= len(f.Toks) {
		return false
	}
	t := &f.Toks[i]
	return t.End-t.At == 1 && f.Src[t.At] == c && t.Kind != scan.Word
}

// member reports whether token i stands between a thing and its member.
func (f *file) member(i int) bool { return f.punct(i, '.') || f.punct(i, ':') }

// arguments reports whether token i is what may follow a function to call it.
func (f *file) arguments(i int) bool {
	if i < 0 || i >= len(f.Toks) {
		return false
	}
	switch f.Toks[i].Kind {
	case scan.Text:
		return true
	case scan.Open:
		return f.Src[f.Toks[i].At] != '['
	}
	return false
}

// literal returns the text of string token i; "" for one with escapes.
func (f *file) literal(i int) (text string, at int) {
	if f.Kind(i) != scan.Text {
		return "", 0
	}
	b, mark := f.Bytes(i), 1
	if b[0] == '[' {
		for mark < len(b) && b[mark] == '=' {
			mark++
		}
		mark++
	}
	if len(b) < 2*mark+1 || b[len(b)-1] != b[0] && b[0] != '[' {
		return "", 0
	}
	in := b[mark : len(b)-mark]
	for _, c := range in {
		if c == '\\' && mark == 1 || c == '\n' {
			return "", 0
		}
	}
	return string(in), f.At(i) + mark
}

// expression returns the token after the expression that begins at token i.
func (f *file) expression(i int) int {
	for {
		for f.Key(i) == scan.KNot || f.punct(i, '-') || f.punct(i, '#') || f.punct(i, '~') {
			i++
		}
		if i >= len(f.Toks) {
			return i
		}
		t := &f.Toks[i]
		switch {
		case f.name(i) || t.Kind == scan.Open && f.Src[t.At] == '(':
			i = f.suffixes(f.past(i))
		case t.Kind == scan.Number || t.Kind == scan.Text || t.Kind == scan.Open || t.Key == scan.KFunction:
			i = f.past(i)
		case t.Key == scan.KNil || t.Key == scan.KTrue || t.Key == scan.KFalse || f.Is(i, "..."):
			i++
		default:
			return i
		}
		if !f.operator(i) {
			return i
		}
		i++
	}
}

// suffixes returns the token after the members, indices and calls that begin at
// token i.
func (f *file) suffixes(i int) int {
	for {
		switch {
		case f.member(i) && f.name(i+1):
			i += 2
		case f.arguments(i) || f.Kind(i) == scan.Open && i < len(f.Toks):
			i = f.past(i)
		default:
			return i
		}
	}
}

func (f *file) operator(i int) bool {
	if i >= len(f.Toks) {
		return false
	}
	t := &f.Toks[i]
	if t.Kind == scan.Word {
		return t.Key == scan.KAnd || t.Key == scan.KOr
	}
	if t.Kind != scan.Punct {
		return false
	}
	switch c := f.Src[t.At]; c {
	case ',', ';':
		return false
	case '=', ':':
		return t.End-t.At == 2 && c == '=' // "=" assigns, "::" begins a label
	}
	return true
}

// doc returns the comment above an offset.
func (f *file) doc(d *corpus.Decl) {
	if c := f.Doc(d.Span.Start); c.End > c.Start {
		d.Doc, d.Span.Start = c, c.Start
	}
}
