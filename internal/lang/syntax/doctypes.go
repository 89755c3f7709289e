package syntax

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// typeTexts gives calls of members of a text in quotes, "a".trim(), the type of texts as their receiver.
func typeTexts(language string, text []byte, calls []corpus.Call) {
	words := Words(language, "text-type")
	if len(words) == 0 {
		return
	}
	receiver := "{" + words[0] + "}"
	for i := range calls {
		c := &calls[i]
		isOfText := c.Receiver == scan.Unknown && c.At > 1 && text[c.At-1] == '.'
		if isOfText && slices.Contains(words[1:], string(text[c.At-2:c.At-1])) {
			c.Receiver = receiver
		}
	}
}

// typeByComments gives parameters the types that the comments of their functions say, @param {Disk} d, where the code says none. The
// bindings are in order.
func typeByComments(language string, text []byte, f *corpus.Facts) {
	if !Has(language, "comment-types") {
		return
	}
	for i := range f.Decls {
		d := &f.Decls[i]
		if d.Doc.Len() <= 0 || d.Doc.End > len(text) {
			continue
		}
		first := sort.Search(len(f.Bindings), func(k int) bool { return f.Bindings[k].At >= d.NameAt })
		for line := range bytes.Lines(text[d.Doc.Start:d.Doc.End]) {
			_, rest, _ := strings.Cut(string(line), "@param {")
			typ, rest, _ := strings.Cut(rest, "} ")
			if rest == "" || strings.ContainsAny(typ, "({") {
				continue // of a function, or of an object without a name
			}
			name, _, _ := strings.Cut(strings.Trim(strings.Fields(rest)[0], "[]"), "=")
			for k := first; k < len(f.Bindings) && f.Bindings[k].At < d.Body; k++ {
				if b := &f.Bindings[k]; b.Name == name && b.Param > 0 && b.Type == "" {
					b.Type = strings.Trim(typ, "!=")
				}
			}
		}
	}
}
