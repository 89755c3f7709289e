package ecma

import "github.com/assay-dev/assay/internal/lang/scan"

// maxDepth bounds the recursion: what is nested deeper is not read.
const maxDepth = 200

// tokens are a text and how deep the reading of it is nested. They answer what a token
// is, at any index: outside of the text stands nothing.
type tokens struct {
	*scan.Source
	depth int
}

// enter counts a level of nesting, and reports whether it may be read.
func (r *tokens) enter() bool {
	if r.depth >= maxDepth {
		r.Out.Missed++
		return false
	}
	r.depth++
	return true
}

func (r *tokens) leave() { r.depth-- }

// key returns the number of the keyword at token i, 0 where it is none.
func (r *tokens) key(i int) scan.Key {
	if i < 0 || i >= len(r.Toks) || r.Toks[i].Kind != scan.Word {
		return 0
	}
	return r.Toks[i].Key
}

func (r *tokens) text(i int) bool { return i >= 0 && i < len(r.Toks) && r.Toks[i].Kind == scan.Text }

// close returns the end of what bracket i holds, at most end.
func (r *tokens) close(i, end int) int { return max(min(r.Pair(i), end), i+1) }

// past returns the token after bracket i, at most end.
func (r *tokens) past(i, end int) int { return min(r.Past(i), end) }

// matched reports whether bracket i has a bracket of its own that closes it.
func (r *tokens) matched(i int) bool {
	p := r.Pair(i)
	return p < len(r.Toks) && r.Pair(p) == i
}

// literal returns what is between the quotes of token i, and where it begins; ""
// where it is no simple string.
func (r *tokens) literal(i int) (string, int) {
	if !r.text(i) {
		return "", 0
	}
	b := r.Bytes(i)
	if len(b) < 3 || b[0] != b[len(b)-1] || b[0] != '"' && b[0] != '\'' && b[0] != '`' {
		return "", 0
	}
	return string(b[1 : len(b)-1]), r.At(i) + 1
}

// names reports whether token i may be the name of a member, or the sign of a
// generator before it.
func (r *tokens) names(i int) bool {
	switch r.Kind(i) {
	case scan.Word, scan.Number:
		return i < len(r.Toks)
	case scan.Text:
		return true
	}
	return r.Sign(i, '[') || r.Sign(i, '*')
}

// memberName returns the name of the member at token i and where it is; "" for one
// that is computed or a number.
func (r *tokens) memberName(i int) (string, int) {
	if r.Word(i) {
		return r.Str(i), r.At(i)
	}
	if r.text(i) && r.Src[r.At(i)] != '`' {
		return r.literal(i)
	}
	return "", 0
}

// template reports whether token i is a template, or goes on with one after an
// expression in it.
func (r *tokens) template(i int) bool {
	if r.Toks[i].Kind != scan.Text {
		return false
	}
	if r.Src[r.Toks[i].At] == '`' {
		return true
	}
	p := r.Pair(i - 1)
	return r.Kind(i-1) == scan.Close && p >= 0 && p < i && r.substitution(p)
}

// substitution reports whether token i is the ${ of a template.
func (r *tokens) substitution(i int) bool { return r.Toks[i].End-r.Toks[i].At == 2 }

// alone reports whether the first argument in parenthesis i is one token.
func (r *tokens) alone(i int) bool {
	p := r.Pair(i)
	return p == i+2 || p > i+2 && r.Sign(i+2, ',')
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte, ts, jsx bool) *scan.Source {
	switch {
	case ts && jsx:
		return typedX.Tokens(src)
	case ts:
		return typed.Tokens(src)
	}
	return script.Tokens(src)
}
