package ruby

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// Types are what a comment or a signature says of a method.
type types struct {
	params []corpus.Name // and the type of each
	result string
}

func (t *types) param(name string) string {
	for _, p := range t.params {
		if p.Name == name {
			return p.Alias
		}
	}
	return ""
}

// A signature is sig { params(a: A).returns(B) } above a method.
type signature struct {
	types
	from, next int // its first token, and the one behind it
}

// signed reads the signature at token i.
func (f *file) signed(i int) {
	s := signature{from: i, next: f.past(i + 1)}
	end := min(f.Pair(i+1), i+400)
	for k := i + 2; k < end; k++ {
		if !f.name(k) || !f.sign(k+1, '(') {
			continue
		}
		switch string(f.Bytes(k)) {
		case "params":
			for _, p := range f.Split(k+1, ",", false) {
				if f.word(p[0]) && f.label(p[0]) {
					s.params = append(s.params, corpus.Name{Name: f.Str(p[0]), Alias: f.Quote(p[0]+2, p[1])})
				}
			}
			k = f.Pair(k + 1)
		case "returns":
			s.result = f.Quote(k+2, f.Pair(k+1))
			k = f.Pair(k + 1)
		}
	}
	f.sig = s
}

// documented reads @param name [Type] and @return [Type] of a comment.
func (f *file) documented(doc corpus.Span) (t types) {
	text := f.Src[doc.Start:doc.End]
	for n := 0; n < 100; n++ {
		at := bytes.IndexByte(text, '@')
		if at < 0 {
			break
		}
		line := text[at:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		text = text[at+1:]
		tag, rest, _ := strings.Cut(string(line), " ")
		if tag != "@param" && tag != "@return" {
			continue
		}
		before, typ, ok := strings.Cut(rest, "[")
		if !ok {
			continue
		}
		typ, after, ok := strings.Cut(typ, "]")
		if !ok {
			continue
		}
		name := strings.TrimSpace(before)
		switch {
		case tag == "@return" && name == "" && t.result == "":
			t.result = typ
		case tag == "@param" && name != "":
			t.params = append(t.params, corpus.Name{Name: name, Alias: typ})
		case tag == "@param": // @param [Type] name
			name, _, _ = strings.Cut(strings.TrimSpace(after), " ")
			t.params = append(t.params, corpus.Name{Name: name, Alias: typ})
		}
	}
	return t
}
