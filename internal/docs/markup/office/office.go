// Package office reads documents of word processors and slides: Office Open XML (.docx, .pptx) and OpenDocument (.odt).
//
// Whatever the input, reading it ends: no more of what it unpacks to is read than maxText, and entities that a
// document defines are not. What is no such document is an empty page. The line of a block is the number of its
// paragraph.
package office

import (
	"archive/zip"
	"bytes"
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/docs/markup"
)

const (
	// maxText is how many bytes of XML are read of a document.
	maxText = 16 << 20
	// maxFiles is how many files an archive may list: a list of millions would take more memory than
	// all that is read.
	maxFiles = 10_000
)

// Is reports whether src is a document that Parse reads whole: it is not damaged, too large or encrypted.
func Is(src []byte) bool {
	a := open(src)
	if a == nil {
		return false
	}
	for _, name := range append(a.slides(), document, content) {
		f := a.files[name]
		if f == nil {
			continue
		}
		if f.UncompressedSize64 > uint64(a.left) || len(a.read(name)) != int(f.UncompressedSize64) {
			return false
		}
	}
	return Parse(src, markup.Options{}).Blocks != nil
}

// open returns the files of a document, nil where it is none.
func open(src []byte) *archive {
	if bytes.Count(src, []byte("PK\x01\x02")) > maxFiles {
		return nil
	}
	z, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		return nil
	}
	a := &archive{files: map[string]*zip.File{}, left: maxText}
	for _, f := range z.File {
		a.files[f.Name] = f
	}
	if a.files[document] == nil && a.files[content] == nil && len(a.slides()) == 0 {
		return nil
	}
	return a
}

// Where the text of a document is.
const (
	document = "word/document.xml"
	content  = "content.xml"
)

// Parse reads a document. It asks nothing of opt.
func Parse(src []byte, _ markup.Options) markup.Page {
	a := open(src)
	if a == nil {
		return markup.Page{}
	}
	r := &reader{styles: map[string]style{}}
	switch {
	case a.files[document] != nil:
		text := a.read(document) // first: what is left of the bytes is for its styles
		r.readStyles(a.read("word/styles.xml"))
		r.read(text)
	case a.files[content] != nil:
		text := a.read(content)
		r.open = true
		r.readStyles(a.read("styles.xml"))
		r.readStyles(text)
		r.read(text)
	default:
		r.slides = true
		for _, name := range a.slides() {
			r.read(a.read(name))
		}
	}
	return r.page()
}

// An archive gives the files of a document, until so many bytes were read.
type archive struct {
	files map[string]*zip.File
	left  int64
}

// read returns a file, or as much of it as can be read.
func (a *archive) read(name string) []byte {
	f := a.files[name]
	if f == nil {
		return nil
	}
	in, err := f.Open()
	if err != nil {
		return nil
	}
	defer func() { _ = in.Close() }()                 // it was only read
	data, _ := io.ReadAll(io.LimitReader(in, a.left)) // of a damaged document, what is before the damage is read
	a.left -= int64(len(data))
	return data
}

// slides returns the names of the slides, in order.
func (a *archive) slides() (names []string) {
	number := func(name string) int {
		rest, ok := strings.CutPrefix(name, "ppt/slides/slide")
		digits, xml := strings.CutSuffix(rest, ".xml")
		n, err := strconv.Atoi(digits)
		if !ok || !xml || err != nil {
			return -1
		}
		return n
	}
	for name := range a.files {
		if number(name) >= 0 {
			names = append(names, name)
		}
	}
	sorting.Stable(names, func(a, b string) int { return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b)) })
	return names
}
