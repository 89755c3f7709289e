package facts

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// maxCall bounds how much text of a call is looked at for the labels of its arguments.
const maxCall = 4000

// labelled keeps, of several functions of Swift, those whose parameters have the labels that the arguments of a call
// have. Where the text does not say, or none fits, it keeps all.
func (p *Project) labelled(f *File, c *corpus.Call, ts []target) []target {
	if len(ts) < 2 || f.Lang != "swift" {
		return ts
	}
	text := p.src.Text(f.Doc, nil)
	if c.At < 0 || c.At >= len(text) {
		return ts
	}
	given, trailing, ok := argumentLabels(string(text[c.At:min(len(text), c.At+maxCall)]))
	if !ok {
		return ts
	}
	kept := ts[:0:0]
	for _, t := range ts {
		if d := p.Decl(t.ref); callable(d.Kind) && takesLabels(d.Params, given, trailing) {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return ts
	}
	return kept
}

// argumentLabels reads the labels of the arguments of the call that text begins with, "" for one without, and whether a
// closure follows them. ok is false where the text does not look like a call.
func argumentLabels(text string) (labels []string, trailing, ok bool) {
	i := strings.IndexAny(text, "({\n")
	if i < 0 || text[i] == '\n' {
		return nil, false, false
	}
	if text[i] == '{' {
		return nil, true, true
	}
	depth, from := 0, i+1
	for k := i; k < len(text); k++ {
		switch text[k] {
		case '"':
			for k++; k < len(text) && text[k] != '"'; k++ {
				if text[k] == '\\' {
					k++
				}
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth > 0 {
				continue
			}
			if arg := strings.TrimSpace(text[from:k]); arg != "" || len(labels) > 0 {
				labels = append(labels, labelOf(arg))
			}
			return labels, strings.HasPrefix(strings.TrimLeft(text[k+1:], " "), "{"), true
		case ',':
			if depth == 1 {
				labels, from = append(labels, labelOf(strings.TrimSpace(text[from:k]))), k+1
			}
		}
	}
	return nil, false, false
}

// labelOf returns the label before an argument, or "".
func labelOf(arg string) string {
	name, _, ok := strings.Cut(arg, ":")
	if !ok || name == "" || strings.ContainsFunc(name, func(r rune) bool { return r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z') }) {
		return ""
	}
	return name
}

// takesLabels reports whether parameters of Swift, as written, can be given arguments with these labels.
func takesLabels(params, given []string, trailing bool) bool {
	k := 0
	for _, s := range params {
		label, _, _ := strings.Cut(s, ":")
		label, _, _ = strings.Cut(strings.TrimSpace(label), " ")
		if label == "_" {
			label = ""
		}
		matched := k < len(given) && given[k] == label
		if matched {
			for k++; variadic(s) && k < len(given) && given[k] == ""; k++ {
			}
			continue
		}
		if !strings.Contains(s, "=") && !variadic(s) && !(trailing && strings.Contains(s, "->")) {
			return false
		}
	}
	return k == len(given)
}
