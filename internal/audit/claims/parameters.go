package claims

import (
	"fmt"
	"github.com/assay-dev/assay/internal/base/slice"
	"slices"
	"strings"
	"unicode"
)

// A parameter is one of a signature, as most languages write them: its name first.
type parameter struct {
	name     string
	optional bool     // it may be omitted
	rest     bool     // it takes what is left over
	options  []string // the keys of an object that is taken apart
	opens    bool     // it takes what keys there are
	written  bool     // its name is meant: a type or a default follows
}

// parametersOf reads parameters; "url[, options]" are two.
func parametersOf(list []string) (out []parameter) {
	for _, s := range list {
		if ofThis(s) {
			continue
		}
		if isLabels(s) { // "name(of:with:)"
			for l := range strings.SplitSeq(strings.TrimSuffix(s, ":"), ":") {
				out = append(out, parameter{name: l})
			}
			continue
		}
		first, more, ok := strings.Cut(s, "[,")
		if !ok {
			out = append(out, parameterOf(s))
			continue
		}
		out = append(out, parameterOf(first))
		for p := range strings.SplitSeq(more, ",") {
			p := parameterOf(strings.Trim(p, "[] "))
			p.optional = true
			out = append(out, p)
		}
	}
	return out
}

// ofThis reports whether a parameter of TypeScript says only what a function is called on.
func ofThis(s string) bool { return strings.HasPrefix(strings.TrimSpace(s), "this:") }

func parameterOf(s string) (p parameter) {
	s = strings.TrimSpace(s)
	p.rest = strings.HasPrefix(s, "*") || strings.HasPrefix(s, "...")
	p.optional = strings.HasPrefix(s, "[")
	s = strings.TrimLeft(s, "*&. [")
	if strings.HasPrefix(s, "{") {
		keys, _ := arguments(strings.TrimPrefix(s, "{") + ")")
		if end := strings.LastIndexByte(s, '}'); end > 0 {
			keys, _ = arguments(s[1:end] + ")")
		}
		for _, k := range keys {
			key := parameterOf(k)
			p.opens = p.opens || key.rest
			p.options = append(p.options, key.name)
		}
		p.optional = true
		return p
	}
	p.name = s
	if i := strings.IndexAny(s, ":=? ]"); i >= 0 {
		p.written = s[i] == ':' || s[i] == '='
		p.name = s[:i]
		p.optional = p.optional || s[i] == '?' || s[i] == ']'
	}
	if i := strings.IndexByte(s, '='); i >= 0 && !strings.HasPrefix(s[i:], "=>") {
		p.optional, p.written = true, true
	}
	return p
}

func counted(document, code int) string {
	return fmt.Sprintf("the document has %d parameters, the code %d", document, code)
}

// nameFirst are the languages whose parameters begin with their names.
var nameFirst = map[string]bool{"python": true, "javascript": true, "typescript": true, "rust": true, "kotlin": true, "swift": true}

// byName are the languages whose callers may write the names of parameters.
var byName = map[string]bool{"python": true, "kotlin": true, "swift": true}

// differingNames compares parameters by their names. What a call writes are values, and
// names only where it says so; what declares, or heads a description, gives the names.
func differingNames(d *Declaration, s *signed, params, args []parameter) string {
	have, open := map[string]int{}, false
	var list []string
	for i, p := range params {
		have[p.name] = i
		list = append(list, p.name)
		open = open || p.rest || p.options != nil
	}
	gives := s.declared || s.titled && nameFirst[d.Language]
	var strange []int
	for i, a := range args {
		if a.options != nil && i < len(params) && params[i].options != nil && !params[i].opens && gives {
			for _, key := range a.options {
				if isName(key) && !slices.Contains(params[i].options, key) {
					return fmt.Sprintf("the document has an option %s, the code {%s}", key, strings.Join(params[i].options, ", "))
				}
			}
		}
		if a.options != nil && open {
			continue
		}
		if !isName(a.name) {
			return unknown
		}
		_, known := have[a.name]
		switch {
		case known, open:
		case s.declared || a.written && (byName[d.Language] || !gives):
			return fmt.Sprintf("the document has a parameter %s, the code has (%s)", a.name, strings.Join(list, ", "))
		default:
			strange = append(strange, i)
		}
	}
	if open {
		return ""
	}
	if len(args) > len(params) {
		if gives && len(strange) > 0 {
			return fmt.Sprintf("%s: %s", counted(len(args), len(params)), args[strange[0]].name)
		}
		return counted(len(args), len(params))
	}
	if s.declared && len(args) < len(params) {
		return counted(len(args), len(params))
	}
	if !gives {
		return ""
	}
	names := slice.Map(args, func(x parameter) string { return x.name })
	// Of a name that is none of the code's the others say that the same is meant.
	if len(strange) == 1 && (len(args) > 1 || d.Language == "python") && len(args) == len(params) && !slices.Contains(names, list[strange[0]]) && (byName[d.Language] || !args[strange[0]].written) {
		return fmt.Sprintf("the document has a parameter %s, the code has (%s)", names[strange[0]], strings.Join(list, ", "))
	}
	if why := reordered(names, list); why != "" {
		return why
	}
	for i, p := range params {
		if i >= len(args) && !p.optional && len(strange) == 0 && !slices.Contains(names, p.name) {
			return fmt.Sprintf("the document has no parameter %s, the code has (%s)", p.name, strings.Join(list, ", "))
		}
	}
	return ""
}

// reordered says that the names of a document are the code's in another order, or "".
func reordered(document, code []string) string {
	last := -1
	swapped := false
	for _, name := range document {
		at := slices.Index(code, name)
		if at < 0 {
			return ""
		}
		swapped = swapped || at < last
		last = max(last, at)
	}
	if !swapped {
		return ""
	}
	return fmt.Sprintf("the document has the order (%s), the code (%s)", strings.Join(document, ", "), strings.Join(code, ", "))
}

func firstWords(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i], _, _ = strings.Cut(strings.TrimSpace(s), " ")
	}
	return out
}

// isLabels reports whether a text is the labels of parameters, each with its colon.
func isLabels(s string) bool {
	labels, ok := strings.CutSuffix(s, ":")
	return ok && !slices.ContainsFunc(strings.Split(labels, ":"), func(label string) bool {
		return label == "" || strings.ContainsFunc(label, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	})
}
