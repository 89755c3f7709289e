package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// A span is text[start:end].
type span struct{ start, end int }

// A flaw is why a text cannot be edited, and where.
type flaw struct {
	at  int // bytes from the start of the text
	why string
}

func (f *flaw) Error() string { return f.why }

func flawAt(at int, format string, args ...any) *flaw {
	return &flaw{at, fmt.Sprintf(format, args...)}
}

// A node is a value of a JSON text.
type node struct {
	kind  byte // { [ " 0 for a number, t for true, false and null
	span       // with its brackets or quotes
	items []item
}

// An item is a member of an object or an element of an array.
type item struct {
	key   string // "" in an array
	at    int    // of the key, or of the value where there is none
	val   node
	comma int // after the value, or -1
}

// A jsonDoc is a JSON text with the place of all that it holds.
type jsonDoc struct {
	text     []byte
	root     node
	comments []span
}

const maxDepth = 200

// parseJSON reads a text. Unless it is strict, it may have comments and trailing
// commas. An empty text is an empty object.
//
// github.com/tailscale/hujson does not do: it refuses a comment that ends with the file and
// one that ends with a carriage return, both of which clients accept, and a byte order mark;
// its errors have no offset; and how deep values nest is not bounded.
func parseJSON(text []byte, strict bool) (*jsonDoc, error) {
	p := &jsonParser{text: text, strict: strict, doc: &jsonDoc{text: text}}
	p.at = len(text) - len(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.at == len(text) {
		p.doc.root = node{kind: '{', span: span{p.at, p.at}}
		return p.doc, nil
	}
	root, err := p.value(0)
	if err == nil {
		err = p.space()
	}
	if err != nil {
		return nil, err
	}
	if p.at < len(text) {
		return nil, flawAt(p.at, "text after the end of the document")
	}
	if root.kind != '{' {
		return nil, flawAt(root.start, "the document is not an object")
	}
	p.doc.root = root
	return p.doc, nil
}

type jsonParser struct {
	text   []byte
	at     int
	strict bool
	doc    *jsonDoc
}

// space skips white space and comments.
func (p *jsonParser) space() error {
	for p.at < len(p.text) {
		switch rest := p.text[p.at:]; {
		case bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0:
			p.at++
		case rest[0] == '/' && p.strict:
			return flawAt(p.at, "a comment, which this client does not accept")
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexAny(rest, "\r\n")
			if n < 0 {
				n = len(rest)
			}
			p.comment(n)
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return flawAt(p.at, "unterminated comment")
			}
			p.comment(n + 4)
		default:
			return nil
		}
	}
	return nil
}

func (p *jsonParser) comment(n int) {
	p.doc.comments = append(p.doc.comments, span{p.at, p.at + n})
	p.at += n
}

func (p *jsonParser) value(depth int) (node, error) {
	if p.at >= len(p.text) {
		return node{}, flawAt(p.at, "expected a value, but the file ends")
	}
	switch c := p.text[p.at]; {
	case depth > maxDepth:
		return node{}, flawAt(p.at, "nested deeper than %d levels", maxDepth)
	case c == '{' || c == '[':
		return p.container(depth)
	case c == '"':
		return p.str()
	default:
		start := p.at
		for p.at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n,:{}[]\"/"), p.text[p.at]) < 0 {
			p.at++
		}
		word := p.text[start:p.at]
		if !json.Valid(word) {
			return node{}, flawAt(start, "expected a value")
		}
		kind := byte('0')
		if word[0] >= 'a' {
			kind = 't'
		}
		return node{kind: kind, span: span{start, p.at}}, nil
	}
}

func (p *jsonParser) str() (node, error) {
	start := p.at
	for p.at++; p.at < len(p.text) && p.text[p.at] != '\n'; p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			if !json.Valid(p.text[start:p.at]) {
				return node{}, flawAt(start, "invalid character or escape in a string")
			}
			return node{kind: '"', span: span{start, p.at}}, nil
		}
	}
	return node{}, flawAt(start, "unterminated string")
}

// container reads an object or an array.
func (p *jsonParser) container(depth int) (node, error) {
	n := node{kind: p.text[p.at], span: span{start: p.at}}
	end := n.kind + 2 // } after {, ] after [
	p.at++
	for {
		if err := p.space(); err != nil {
			return n, err
		}
		switch {
		case p.at >= len(p.text):
			return n, flawAt(n.start, "%q without a matching %q", n.kind, end)
		case p.text[p.at] == end:
			if k := len(n.items); p.strict && k > 0 && n.items[k-1].comma >= 0 {
				return n, flawAt(n.items[k-1].comma, "a comma before %q, which this client does not accept", end)
			}
			p.at++
			n.end = p.at
			return n, nil
		case len(n.items) > 0 && n.items[len(n.items)-1].comma < 0:
			return n, flawAt(p.at, "expected a comma or %q", end)
		}
		it, err := p.item(n.kind == '{', depth)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, it)
	}
}

func (p *jsonParser) item(member bool, depth int) (item, error) {
	it := item{at: p.at, comma: -1}
	if member {
		if p.text[p.at] != '"' {
			return it, flawAt(p.at, "expected a key in double quotes")
		}
		k, err := p.str()
		if err != nil {
			return it, err
		}
		it.key = p.doc.word(k)
		if err := p.space(); err != nil {
			return it, err
		}
		if p.at >= len(p.text) || p.text[p.at] != ':' {
			return it, flawAt(p.at, "expected a colon after the key")
		}
		p.at++
		if err := p.space(); err != nil {
			return it, err
		}
	}
	v, err := p.value(depth + 1)
	if err != nil {
		return it, err
	}
	it.val = v
	if err := p.space(); err != nil {
		return it, err
	}
	if p.at < len(p.text) && p.text[p.at] == ',' {
		it.comma = p.at
		p.at++
	}
	return it, nil
}

// word returns the value of a string, "" for what is none.
func (d *jsonDoc) word(n node) string {
	var s string
	if n.kind == '"' {
		_ = json.Unmarshal(d.text[n.start:n.end], &s) // the parser held it valid
	}
	return s
}

// words returns the strings of an array; ok is false for anything else.
func (d *jsonDoc) words(n node) (words []string, ok bool) {
	if n.kind != '[' {
		return nil, false
	}
	for _, it := range n.items {
		if it.val.kind != '"' {
			return nil, false
		}
		words = append(words, d.word(it.val))
	}
	return words, true
}

// find returns the place of a key among the items of an object, or -1. Of equal
// keys the last counts, as it does for the clients.
func (n node) find(key string) int {
	for i, it := range slices.Backward(n.items) {
		if n.kind == '{' && it.key == key {
			return i
		}
	}
	return -1
}

// get returns the value at a path of keys.
func (n node) get(path ...string) (node, bool) {
	for _, key := range path {
		i := n.find(key)
		if i < 0 {
			return node{}, false
		}
		n = n.items[i].val
	}
	return n, true
}

// private returns the spans that may be nobody's business: strings, numbers and
// comments.
func (d *jsonDoc) private() []span {
	out := slices.Clone(d.comments)
	var walk func(n node)
	walk = func(n node) {
		if n.kind == '"' || n.kind == '0' {
			out = append(out, n.span)
		}
		for _, it := range n.items {
			walk(it.val)
		}
	}
	walk(d.root)
	return out
}
