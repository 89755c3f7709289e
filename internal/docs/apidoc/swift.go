package apidoc

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
)

var (
	swiftField = lazy.Regexp(`^\s*[-*+]\s+(?i:(parameters?|returns|throws|note|warning|important|attention|remark|since|version|seealso|complexity|precondition|postcondition|requires|tag|bug|todo|authors?|copyright|date|experiment|invariant))(?:\s+([\w.]+))?\s*:\s*(.*)$`)
	swiftItem  = lazy.Regexp(`^\s+[-*+]\s+([\w.]+)\s*:\s*(.*)$`)
)

// swift reads the Markdown of a comment, and the items of its lists that are fields: "- Parameter name: what",
// "- Returns: what", and below "- Parameters:" one for each.
func swift(s string) doc {
	var d doc
	var text []string
	var into *string // where the next lines of a field go
	list := false
	margin := 0
	for l := range strings.SplitSeq(s, "\n") {
		indent := len(l) - len(strings.TrimLeft(l, " \t"))
		if m := swiftField.FindStringSubmatch(l); m != nil && !(list && indent > margin) {
			list, into, margin = false, nil, indent
			switch name := strings.ToLower(m[1]); name {
			case "parameters":
				list = true
			case "parameter":
				d.params = append(d.params, item{m[2], m[3]})
				into = &d.params[len(d.params)-1].text
			case "returns":
				d.returns = append(d.returns, m[3])
				into = &d.returns[len(d.returns)-1]
			case "throws":
				d.errors = append(d.errors, item{"throws", m[3]})
				into = &d.errors[len(d.errors)-1].text
			case "note", "warning", "important", "precondition", "requires", "complexity":
				text = append(text, "", strings.ToUpper(name[:1])+name[1:]+": "+m[3])
				into = &text[len(text)-1]
			default: // who, when and where else
				drop := ""
				into = &drop
			}
			continue
		}
		if m := swiftItem.FindStringSubmatch(l); m != nil && list {
			d.params = append(d.params, item{m[1], m[2]})
			into = &d.params[len(d.params)-1].text
			continue
		}
		switch t := strings.TrimSpace(l); {
		case t == "" && into != nil:
			into = nil
		case into != nil && indent > margin:
			*into += " " + t
		default:
			list, into = false, nil
			text = append(text, l)
		}
	}
	d.text = markdown.Parse([]byte(strings.Join(text, "\n")), markup.Options{}).Blocks
	for i := range d.text {
		if b := &d.text[i]; b.Kind == markup.Code && b.Lang == "" {
			b.Lang = "swift"
		}
	}
	return d
}
