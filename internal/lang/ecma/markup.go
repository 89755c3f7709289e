package ecma

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// ReadMarkup reads the scripts of a page of markup with components, .vue or
// .svelte; offsets are in the whole text.
func ReadMarkup(src []byte) corpus.Facts {
	blank := make([]byte, len(src))
	for i, c := range src {
		blank[i] = ' '
		if c == '\n' || c == '\r' {
			blank[i] = c
		}
	}
	language := ""
	for i := 0; i < len(src); {
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
		if l := attribute(src[tag:end], "lang"); l != "" {
			language = l
		}
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
	switch language {
	case "ts", "typescript":
		return ReadTS(blank)
	case "tsx":
		return ReadTSX(blank)
	}
	return ReadJS(blank)
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
