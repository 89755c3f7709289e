// Package ecma reads JavaScript and TypeScript, with and without JSX: what a text
// declares, imports, calls and binds.
//
// Whatever the text, reading it takes time linear in it and ends; declarations lie
// in the text and nest, and the text at NameAt is the name.
package ecma

import (
	"bytes"
	"cmp"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// ReadJS reads JavaScript in which JSX may occur.
func ReadJS(src []byte) corpus.Facts { return read(script, src, false) }

// ReadTS reads TypeScript without JSX: <T>x is a cast.
func ReadTS(src []byte) corpus.Facts { return read(typed, src, true) }

// ReadTSX reads TypeScript with JSX.
func ReadTSX(src []byte) corpus.Facts { return read(typedX, src, true) }

func read(g *scan.Grammar, src []byte, ts bool) corpus.Facts {
	return g.Read(src, func(s *scan.Source) {
		r := &reader{}
		r.types = types{tokens{Source: s}, ts, len(s.Toks)}
		r.context = context{site: noSite, latest: noSite}
		// What source usually holds: growing costs more than a little too much.
		n := len(s.Toks)
		s.Out.Decls = make([]corpus.Decl, 0, n/100)
		s.Out.Calls = make([]corpus.Call, 0, n/20)
		s.Out.Bindings = make([]corpus.Binding, 0, n/30)
		r.block(0, n, false)
		r.late()
		r.boundInBlocks()
		r.offer()
	})
}

// A reader goes once over the tokens of a text, and records what it declares, calls
// and binds.
type reader struct {
	shapes
	context
	blocks

	inside  int  // how many functions are around
	space   int  // how many namespaces are around
	branch  int  // how many branches and blocks are around
	ambient bool // in declare …: nothing has a body, everything is offered
	named   bool // the innermost function is a declaration
	public  bool // the object literal that is read is offered
	fields  bool // the object literal that is read is what a name holds
	top     []int32
	offered []string // names that are exported by themselves: export {a as b}
}

// late adds the imports that stand in types: import("x").T. Types are skipped as a
// whole, and what is skipped may hold them anywhere.
func (r *reader) late() {
	known := map[int]bool{}
	for i := range r.Toks {
		if r.Toks[i].Key != scan.KImport || !r.Word(i) || !r.Sign(i+1, '(') || r.Sign(i-1, '.') {
			continue
		}
		if len(known) == 0 {
			for _, m := range r.Out.Imports {
				known[m.At] = true
			}
			known[-1] = true
		}
		if path, at := r.literal(i + 2); path != "" && !known[at] && r.alone(i+1) {
			r.Out.Imports = append(r.Out.Imports, corpus.Import{Path: path, At: at, Kind: corpus.TypeOnly | corpus.Dynamic})
		}
	}
}

// offer marks what the text exports apart from its declaration.
func (r *reader) offer() {
	if len(r.offered) == 0 {
		return
	}
	names := set.Of(r.offered)
	for _, i := range r.top {
		if names[r.Out.Decls[i].Name] {
			r.Out.Decls[i].Exported = true
		}
	}
}

// ReadMarkup reads the scripts of a page of markup with components, .vue or
// .svelte; offsets are in the whole text.
func ReadMarkup(src []byte) corpus.Facts {
	blank := blanked(src)
	switch copyScripts(blank, src, 0) {
	case "ts", "typescript":
		return ReadTS(blank)
	case "tsx":
		return ReadTSX(blank)
	}
	return ReadJS(blank)
}

// ReadAstro reads a page of Astro, whose front matter between two lines --- is TypeScript as its
// scripts are; offsets are in the whole text.
func ReadAstro(src []byte) corpus.Facts {
	blank := blanked(src)
	from := 0
	if begin := len(src) - len(bytes.TrimLeft(src, "\xef\xbb\xbf \t\r\n")); bytes.HasPrefix(src[begin:], []byte("---")) {
		begin += len("---")
		if n := bytes.Index(src[begin:], []byte("\n---")); n >= 0 {
			from = begin + n + 1
			copy(blank[begin:from], src[begin:from])
			blank[from] = ';' // what follows is a text of its own
		}
	}
	copyScripts(blank, src, from)
	return ReadTS(blank)
}

// blanked returns a text of that many bytes and lines, with spaces alone.
func blanked(src []byte) []byte {
	blank := bytes.Repeat([]byte{' '}, len(src))
	for i, c := range src {
		if c == '\n' || c == '\r' {
			blank[i] = c
		}
	}
	return blank
}

// copyScripts copies what is within tags <script> from i on, and returns the language that the last of them names.
func copyScripts(blank, src []byte, i int) (language string) {
	for i < len(src) {
		n := bytes.Index(src[i:], []byte("<script"))
		if n < 0 {
			break
		}
		tag := i + n + len("<script")
		end := tagEnd(src, tag)
		if tag < len(src) && nameByte(src[tag]) {
			i = tag
			continue
		}
		stop := len(src)
		if n := bytes.Index(src[end:], []byte("</script")); n >= 0 {
			stop = end + n
		}
		language = cmp.Or(attribute(src[tag:end], "lang"), language)
		copy(blank[end:stop], src[end:stop])
		i = stop
		if i == end {
			i = max(end, tag)
		}
		if stop < len(src) {
			// What follows is a text of its own.
			blank[stop] = ';'
		}
	}
	return language
}

// tagEnd returns the offset after the tag whose attributes begin at i.
func tagEnd(src []byte, i int) int {
	var quote byte
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(src)
}

// attribute returns the value of an attribute, without its quotes.
func attribute(tag []byte, name string) string {
	for rest := tag; ; {
		n := bytes.Index(rest, []byte(name+"="))
		if n < 0 {
			return ""
		}
		value := rest[n+len(name)+1:]
		if n > 0 && nameByte(rest[n-1]) {
			rest = value
			continue
		}
		if len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
			if k := bytes.IndexByte(value[1:], value[0]); k >= 0 {
				return string(value[1 : k+1])
			}
		}
		return string(bytes.TrimRight(value, ">"))
	}
}
