package lua

import (
	"slices"

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

// starts are the words that a line of their own begins with.
var starts = scan.KeySet("function local")

// match pairs what opens a block with what ends it; see [scan.Source.Match].
func (f *file) match(repair bool) bool {
	return f.Match(repair, true, &starts, func(b *scan.Blocks, i int) {
		switch key := f.Key(i); key {
		case scan.KFunction, scan.KIf, scan.KDo, scan.KRepeat:
			b.Begin(i, false)
		case scan.KEnd, scan.KUntil:
			if n := b.Innermost(); n >= 0 && (f.Key(b.Open[n].Tok) == scan.KRepeat) != (key == scan.KUntil) {
				b.Sound, f.Toks[i].Pair = false, -1
				return
			}
			b.End(i)
		}
	})
}

// member reports whether token i stands between a thing and its member.
func (f *file) member(i int) bool { return f.Sign(i, '.') || f.Sign(i, ':') }

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
	if slices.ContainsFunc(in, func(c byte) bool { return c == '\\' && mark == 1 || c == '\n' }) {
		return "", 0
	}
	return string(in), f.At(i) + mark
}

// expression returns the token after the expression that begins at token i.
func (f *file) expression(i int) int {
	for {
		for f.Key(i) == scan.KNot || f.Sign(i, '-') || f.Sign(i, '#') || f.Sign(i, '~') {
			i++
		}
		if i >= len(f.Toks) {
			return i
		}
		t := &f.Toks[i]
		switch {
		case f.Name(i) || t.Kind == scan.Open && f.Src[t.At] == '(':
			i = f.suffixes(f.Past(i))
		case t.Kind == scan.Number || t.Kind == scan.Text || t.Kind == scan.Open || t.Key == scan.KFunction:
			i = f.Past(i)
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
		case f.member(i) && f.Name(i+1):
			i += 2
		case f.arguments(i) || f.Kind(i) == scan.Open && i < len(f.Toks):
			i = f.Past(i)
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
