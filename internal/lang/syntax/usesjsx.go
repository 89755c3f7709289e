package syntax

import "github.com/assay-dev/assay/internal/lang/scan"

// An element of JSX is a bracket of < and >, of whose tags the lexer makes texts: markup says which.
type markup []bool // of the brackets that are open: which is an element

// tags returns the names of components in the tags that a text token holds, <Dialog.Content a="b">, and keeps which
// brackets are open, token after token.
func (m *markup) tags(s *scan.Source, i int, wanted func([]byte) bool) (out []Use) {
	switch s.Kind(i) {
	case scan.Open:
		*m = append(*m, s.First(i) == '<')
	case scan.Close:
		if n := len(*m); n > 0 {
			*m = (*m)[:n-1]
		}
	case scan.Text:
		if n := len(*m); n == 0 || !(*m)[n-1] {
			return nil
		}
		text := s.Bytes(i)
		for at := range text {
			if at == 0 && s.Opens(i-1, '<') || at > 0 && text[at-1] == '<' {
				out = append(out, component(text, at, s.At(i), wanted)...)
			}
		}
	}
	return out
}

// component returns what of the name of a component at an offset of a text is wanted: of A.B both may be.
func component(text []byte, at, base int, wanted func([]byte) bool) (out []Use) {
	start := at
	for {
		from := at
		for at < len(text) && (scan.Letter(text[at]) || text[at] == '$') {
			at++
		}
		dotted := at < len(text) && text[at] == '.'
		if name := text[from:at]; len(name) > 0 && (from > start || dotted || name[0] < 'a' || name[0] > 'z') && wanted(name) {
			out = append(out, Use{Name: string(name), At: base + from, Chain: string(text[start:max(from-1, start)])})
		}
		if !dotted {
			return out
		}
		at++
	}
}
