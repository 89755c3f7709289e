// Package notebook reads Jupyter's notebooks.
//
// Whatever the input, reading it ends, and a page is no longer than a small multiple of
// the input. What is no notebook is an empty page.
package notebook

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
)

const (
	// maxOutput bounds the output of a cell that is shown, in bytes; longer ones say
	// little of how a library is used.
	maxOutput = 1500
	// maxOutputLines does so in lines.
	maxOutputLines = 30
)

// A member is a value of an object and where it begins in the file.
type member struct {
	raw json.RawMessage
	at  int
}

// Parse reads a notebook: cells of Markdown as Markdown, cells of code as Code in the
// language of the kernel, short output as Code of the language "text".
func Parse(src []byte, opt markup.Options) markup.Page {
	src = bytes.TrimPrefix(src, []byte("\uFEFF"))
	top := members(src, 0)
	r := &notebookReader{opt: opt, lang: language(top["metadata"].raw), anchors: map[string]int{}}
	for i, c := range src {
		if c == '\n' {
			r.ends = append(r.ends, i)
		}
	}
	cells, ok := top["cells"]
	if !ok { // version 3
		if sheets := elements(top["worksheets"]); len(sheets) > 0 {
			cells = members(sheets[0].raw, sheets[0].at)["cells"]
		}
	}
	for _, c := range elements(cells) {
		r.cell(members(c.raw, c.at))
	}
	return r.page
}

// A notebookReader fills a page, cell by cell.
type notebookReader struct {
	opt     markup.Options
	lang    string
	page    markup.Page
	anchors map[string]int
	ends    []int // offsets of the ends of lines
}

// line returns the line of an offset.
func (r *notebookReader) line(at int) int {
	return sort.SearchInts(r.ends, at) + 1
}

func (r *notebookReader) cell(c map[string]member) {
	var kind string
	_ = json.Unmarshal(c["cell_type"].raw, &kind) // a cell without a kind has no place
	source := c["source"]
	if source.raw == nil {
		source = c["input"]
	}
	text := words(source.raw)
	if strings.TrimSpace(text) == "" {
		return
	}
	line := r.line(source.at)
	step := 0
	if list := elements(source); len(list) > 0 {
		line = r.line(list[0].at)
		if len(list) > 1 && r.line(list[1].at) > line {
			step = 1 // each line of the cell has its own in the file
		}
	}
	switch kind {
	case "markdown", "heading":
		p := markdown.Parse([]byte(text), r.opt)
		if r.page.Title == "" {
			for _, b := range p.Blocks {
				if b.Kind == markup.Heading && b.Level == 1 {
					r.page.Title = b.Text
					break
				}
			}
		}
		for _, b := range p.Blocks {
			b.Line = line + step*(b.Line-1)
			if b.Kind == markup.Heading {
				b.Anchor = r.anchor(b)
			}
			r.page.Blocks = append(r.page.Blocks, b)
		}
	case "code":
		lang := r.lang
		if m := magic.FindStringSubmatch(text); m != nil {
			lang = m[1]
		}
		r.page.Blocks = append(r.page.Blocks, markup.Block{Kind: markup.Code, Text: strings.Trim(text, "\n"), Lang: lang, Line: line})
		for _, o := range elements(c["outputs"]) {
			r.output(members(o.raw, o.at), o.at)
		}
	case "raw":
		r.page.Blocks = append(r.page.Blocks, markup.Block{Text: strings.TrimSpace(text), Line: line})
	}
}

var magic = lazy.Regexp(`^%%(bash|sh|html|javascript|js|latex|perl|ruby|R|sql|cython)\b`)

// anchor is as Jupyter makes it: the words with hyphens for spaces.
func (r *notebookReader) anchor(b markup.Block) string {
	a := strings.ReplaceAll(strings.ReplaceAll(b.Text, "`", ""), " ", "-")
	n := r.anchors[a]
	r.anchors[a]++
	if n > 0 {
		a += "-" + strconv.Itoa(n)
	}
	return a
}

var escapes = lazy.Regexp(`\x1b\[[0-9;?]*[A-Za-z]`)

func (r *notebookReader) output(o map[string]member, at int) {
	text := words(o["text"].raw)
	if data := members(o["data"].raw, 0); text == "" && data != nil {
		text = words(data["text/plain"].raw)
		if md := words(data["text/markdown"].raw); md != "" && len(md) <= maxOutput {
			line := r.line(at)
			for _, b := range markdown.Parse([]byte(md), markup.Options{}).Blocks {
				b.Line = line
				if b.Kind == markup.Heading {
					b.Kind, b.Level, b.Anchor = markup.Prose, 0, ""
				}
				r.page.Blocks = append(r.page.Blocks, b)
			}
			return
		}
	}
	if text == "" && o["ename"].raw != nil {
		text = words(o["ename"].raw) + ": " + words(o["evalue"].raw)
	}
	text = strings.Trim(escapes.ReplaceAllString(text, ""), "\n")
	if strings.TrimSpace(text) == "" || len(text) > maxOutput || strings.Count(text, "\n") >= maxOutputLines {
		return
	}
	r.page.Blocks = append(r.page.Blocks, markup.Block{Kind: markup.Code, Text: text, Lang: "text", Line: r.line(at)})
}

// words returns a string, or a list of strings that are its lines.
func words(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return strings.Join(list, "")
	}
	return ""
}

func language(meta json.RawMessage) string {
	var m struct {
		Kernel struct {
			Language string `json:"language"`
			Name     string `json:"name"`
		} `json:"kernelspec"`
		Info struct {
			Name string `json:"name"`
		} `json:"language_info"`
	}
	if json.Unmarshal(meta, &m) != nil {
		return "python"
	}
	for _, l := range []string{m.Info.Name, m.Kernel.Language} {
		if l != "" {
			return strings.ToLower(l)
		}
	}
	if strings.HasPrefix(m.Kernel.Name, "ir") {
		return "r"
	}
	return "python"
}

// members returns the values of an object that begins at base in the file, and nil of
// anything else. The last of two with one name counts.
func members(raw json.RawMessage, base int) map[string]member {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	out := map[string]member{}
	for dec.More() {
		t, err := dec.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return out
		}
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			return out
		}
		out[key] = member{raw: v, at: base + int(dec.InputOffset()) - len(v)}
	}
	return out
}

// elements returns the values of a list, and nil of anything else.
func elements(m member) []member {
	dec := json.NewDecoder(bytes.NewReader(m.raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return nil
	}
	var out []member
	for dec.More() {
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			return out
		}
		out = append(out, member{raw: v, at: m.at + int(dec.InputOffset()) - len(v)})
	}
	return out
}
