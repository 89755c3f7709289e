package syntax

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/fault"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// Language returns the language of a file by its path and, where that says
// nothing, by its first bytes; "" where it is not known.
func Language(name string, head []byte) string {
	base := path.Base(name)
	if l := Listing("file-names", strings.ToLower(base)); l != "" {
		return l
	}
	ext := strings.ToLower(path.Ext(base))
	switch {
	case ext == ".h" && cplusplus(head):
		return "cpp"
	case ext == ".ts" && isXML(head):
		return "xml" // a translation of Qt
	case ext == ".m" && !bytes.Contains(head, []byte("@interface")) && !bytes.Contains(head, []byte("@implementation")) && !bytes.Contains(head, []byte("#import")):
		return ""
	case ext == "" || len(ext) > 12:
		return shebang(head)
	}
	if l, ok := byExtension()[ext[1:]]; ok {
		return l
	}
	if strings.HasPrefix(strings.ToLower(base), "dockerfile") {
		return "dockerfile"
	}
	return shebang(head)
}

// specialMethods says which methods a language calls by its syntax, as an operator or a protocol, and which of those
// have calls that are read all the same.
var specialMethods = map[string]struct {
	prefix, suffix string
	called         []string
}{
	"python": {"__", "__", []string{"__init__", "__call__"}},
	"php":    {"__", "", []string{"__construct", "__invoke"}},
	"lua":    {"__", "", []string{"__call"}},
}

// IsSpecialMethod reports whether a language calls a method by its syntax: an operator, or a method of a protocol.
func IsSpecialMethod(language, name string) bool {
	m, ok := specialMethods[language]
	inside, begins := strings.CutPrefix(name, m.prefix)
	inside, ends := strings.CutSuffix(inside, m.suffix)
	isMarked := ok && begins && ends && inside != ""
	return isMarked || OperatorSign(name) != ""
}

// IsCalledWithoutName reports whether calls of a method do not have its name, and are not read.
func IsCalledWithoutName(language, name string) bool {
	return IsSpecialMethod(language, name) && !slices.Contains(specialMethods[language].called, name)
}

// OperatorSign returns the == of operator== and the bool of operator bool; "" for a name that is not of an operator.
func OperatorSign(name string) string {
	sign, ok := strings.CutPrefix(name, "operator")
	if !ok || sign == "" || !strings.Contains(` =!<>+-*/%&|^~()[],"`, sign[:1]) {
		return ""
	}
	return strings.TrimSpace(sign)
}

// Operator returns the sign by which code calls a method: + for operator+ of C++ and __add__ of Python; "" if there is none.
func Operator(language, method string) string {
	method = cmp.Or(OperatorSign(method), method)
	if !strings.ContainsFunc(method, func(c rune) bool { return !strings.ContainsRune("+-*/%<>=!&|^~@:#$?\\.", c) }) {
		return method
	}
	pairs := Words(language, "operators")
	if i := slices.Index(pairs, method); i >= 0 && i%2 == 0 {
		return pairs[i+1]
	}
	return ""
}

// Operations returns the places of an operator whose left operand is a chain, which each has.
func Operations(name, language string, text []byte, sign string) (out []Use) {
	t := Read(name, language, text)
	defer t.Release()
	if t.tokens == nil {
		return nil
	}
	for i := range t.tokens.Toks {
		if t.tokens.Kind(i) != scan.Punct || !t.tokens.Is(i, sign) {
			continue
		}
		chain := t.tokens.Operand(i)
		if t.tokens.Is(i-1, "operator") { // a.operator+(b)
			chain = t.tokens.Receiver(i - 1)
		}
		if chain != "" {
			out = append(out, Use{Name: sign, At: t.tokens.At(i), Chain: chain})
		}
	}
	return out
}

// PropertyOf returns the property whose value a language keeps in a field of a name; "" if there is none.
func PropertyOf(language, field string) string {
	if property, ok := strings.CutPrefix(field, "_"); ok && language == "objc" {
		return property
	}
	return ""
}

// Pointee returns the type that a type of a library points to, if the members of that are asked of it: T of QSharedPointer<T>.
func Pointee(language, typ string) string {
	open := strings.IndexByte(typ, '<')
	if !Has(language, "containers") || open <= 0 || !strings.HasSuffix(typ, ">") {
		return ""
	}
	name := typ[:open]
	name = name[1+strings.LastIndexByte(name, ':'):]
	inner := typ[open+1 : len(typ)-1]
	if Lists(language, "containers", name) || strings.ContainsAny(inner, "<,(") {
		return ""
	}
	return strings.TrimSpace(inner)
}

// isXML reports whether a text starts with a declaration of XML or of its type: no program does.
func isXML(head []byte) bool {
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(start, []byte("<?xml ")) || bytes.HasPrefix(start, []byte("<!DOCTYPE "))
}

// cplusplus reports whether the beginning of a header shows that it is not C.
func cplusplus(head []byte) bool {
	return slices.ContainsFunc([]string{"\nnamespace ", "\nclass ", "\ntemplate", "\nusing ", "public:", "\n#include <string>", "\n#include <vector>", "\n#include <memory>", "std::"}, func(w string) bool {
		return bytes.Contains(head, []byte(w))
	})
}

func shebang(head []byte) string {
	if !bytes.HasPrefix(head, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(head[2:min(len(head), 200)], []byte("\n"))
	for f := range bytes.FieldsSeq(line) {
		name := strings.TrimRight(path.Base(string(f)), "0123456789.")
		if language := Listing("interpreters", name); language != "" {
			return language
		}
	}
	return ""
}

// Prose reports whether a language is text for people.
func Prose(language string) bool { return Has(language, "prose") }

// Source reports whether files of a language are program text.
func Source(language string) bool {
	return language != "" && !Has(language, "data") && !Prose(language)
}

// Inert reports whether a language has neither functions nor imports to speak of.
func Inert(language string) bool { return Has(language, "inert") }

// Languages returns the names of the languages that lists name, with commas between them:
// nil of none.
func Languages(lists []string) (out map[string]bool, err error) {
	for _, list := range lists {
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			lang, ok := Canonical(name)
			if !ok {
				return nil, fault.New(fault.Usage, "unknown language %q", name).Or("names are like go, python, typescript; extensions work too")
			}
			if out == nil {
				out = map[string]bool{}
			}
			out[lang] = true
		}
	}
	return out, nil
}

// All returns the names of all languages, sorted.
func All() []string {
	return slices.Compact(slices.Sorted(maps.Values(byExtension())))
}

// Canonical returns the name of a language by a name that people use for it, or
// by an extension.
func Canonical(name string) (string, bool) {
	n := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), ".")
	if l := Listing("aliases", n); l != "" {
		return l, true
	}
	if l, ok := byExtension()[n]; ok {
		return l, true
	}
	if _, ok := grammars()[n]; ok {
		return n, true
	}
	for _, l := range byExtension() {
		if l == n {
			return n, true
		}
	}
	return "", false
}

var byExtension = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for language, of := range traits()["extensions"] {
		for _, ext := range of.list {
			m[ext] = language
		}
	}
	return m
})
