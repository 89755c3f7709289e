package main

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

const maxDecls = 3000 // of one file

// code makes pairs of a source file: comment and code, name and body, path and
// beginning.
func (x *extractor) code(rel, language string, text []byte) {
	group := x.group(rel)
	if !x.fileDoc(language, group, text) {
		x.pathFile(rel, language, group, text)
	}
	switch {
	case language == "erlang":
		x.erlang(group, string(text))
		return
	case syntax.Covers(language) == syntax.Nothing:
		return
	}
	facts := syntax.Facts(rel, language, text)
	for i, d := range facts.Decls {
		if i >= maxDecls {
			return
		}
		switch d.Kind {
		case corpus.NoKind, corpus.Section:
			continue
		}
		doc, code := apart(d, language, text)
		if d.Traits&corpus.Local != 0 && doc == "" {
			continue
		}
		// One pair for each: two with nearly the same text would be each other's
		// negatives.
		p, ok := docCode(d, doc, code)
		if !ok {
			p, ok = nameBody(d, code)
		}
		if ok {
			p.lang, p.group = language, group
			x.emit(p)
		}
	}
}

// apart returns a declaration's comment and its code without it.
func apart(d corpus.Decl, language string, text []byte) (doc, code string) {
	span := d.Span
	if d.Doc.Len() > 0 && d.Doc.Start >= 0 && d.Doc.End <= len(text) {
		doc = string(text[d.Doc.Start:d.Doc.End])
		if d.Doc.End <= span.Start || d.Doc.Start >= span.End {
			return doc, string(text[span.Start:span.End])
		}
		return doc, string(text[span.Start:max(d.Doc.Start, span.Start)]) + string(text[min(d.Doc.End, span.End):span.End])
	}
	// The languages that are read by patterns tell no comment; it is what the
	// declaration begins with.
	own := string(text[span.Start:span.End])
	n := 0
	for line := range strings.Lines(own) {
		t := strings.TrimSpace(line)
		if !strings.HasPrefix(t, "//") && !strings.HasPrefix(t, "%") && !strings.HasPrefix(t, "--") && (language == "php" || !strings.HasPrefix(t, "#")) {
			break
		}
		n += len(line)
	}
	return own[:n], own[n:]
}

func docCode(d corpus.Decl, doc, code string) (pair, bool) {
	if len(doc) < 12 {
		return pair{}, false
	}
	q := lead(comment(doc[:min(len(doc), 4000)]))
	// "Name returns …" gives the name away; half of such queries go without it.
	if rest, ok := strings.CutPrefix(q, d.Name+" "); ok && sum(code)&1 == 0 {
		q = rest
	}
	lines := strings.Count(strings.TrimSpace(code), "\n") + 1
	if !isQuery(q) || len(code) < 40 || lines < 2 && len(code) < 60 {
		return pair{}, false
	}
	return pair{kind: "doc-code", query: q, text: code}, true
}

// plainNames say nothing of what they name.
var plainNames = regexp.MustCompile(`^(init|main|setup|tear down|set up|to string|get value|equals|hash code|test|run|new|constructor|do test|test main|index|module|exports|type name|get type|get name)$`)

func nameBody(d corpus.Decl, code string) (pair, bool) {
	switch d.Kind {
	case corpus.Function, corpus.Method, corpus.Class, corpus.Struct, corpus.TestCase, corpus.Macro, corpus.Interface, corpus.Trait, corpus.Enum:
	default:
		return pair{}, false
	}
	name := words(d.Name)
	q := strings.Join(name, " ")
	if len(name) < 2 || len(name) > 14 || plainNames.MatchString(q) || d.Traits&corpus.Local != 0 {
		return pair{}, false
	}
	if len(code) < 120 || strings.Count(strings.TrimSpace(code), "\n") < 3 {
		return pair{}, false
	}
	if scope := d.Scope[strings.LastIndexByte(d.Scope, '.')+1:]; scope != "" {
		q = strings.Join(words(scope), " ") + " " + q
	}
	if !latin(q) || unfit(q) {
		return pair{}, false
	}
	return pair{kind: "name-body", query: q, text: without(code[:min(len(code), 4*maxText)], d.Name)}, true
}

// without returns code without a name, wherever it stands alone.
func without(code, name string) string {
	var b strings.Builder
	for {
		i := strings.Index(code, name)
		if i < 0 {
			b.WriteString(code)
			return b.String()
		}
		end := i + len(name)
		if i > 0 && isWord(code[i-1]) || end < len(code) && isWord(code[end]) {
			b.WriteString(code[:end])
		} else {
			b.WriteString(code[:i])
		}
		code = code[end:]
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

var notice = regexp.MustCompile(`(?i)copyright|licen[sc]e|spdx|warrant|all rights|redistribut`)

// pathFile pairs the words of a file's path with how the file begins.
func (x *extractor) pathFile(rel, language, group string, text []byte) {
	if len(text) < 400 {
		return
	}
	parts := strings.Split(strings.TrimSuffix(rel, path.Ext(rel)), "/")
	var q []string
	for _, p := range parts[max(0, len(parts)-3):] {
		q = append(q, words(p)...)
	}
	if len(q) < 3 || len(q) > 20 {
		return
	}
	begin := string(afterNotice(text[:min(len(text), 12_000)]))
	if len(begin) < 300 {
		return
	}
	x.emit(pair{kind: "path-file", lang: language, group: group, query: strings.Join(q, " "), text: begin})
}

// afterNotice returns a text without the comment at its beginning, where that is
// about licences.
func afterNotice(text []byte) []byte {
	text = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("<?php")))
	for range 4 {
		n := 0
		if bytes.HasPrefix(text, []byte("/*")) {
			if n = bytes.Index(text, []byte("*/")) + 2; n < 2 {
				return text
			}
		} else {
			for line := range bytes.Lines(text) {
				t := bytes.TrimSpace(line)
				if len(t) == 0 && n > 0 {
					break
				}
				if len(t) > 0 && !bytes.HasPrefix(t, []byte("//")) && !bytes.HasPrefix(t, []byte("#")) && !bytes.HasPrefix(t, []byte("--")) && !bytes.HasPrefix(t, []byte("%")) {
					break
				}
				n += len(line)
			}
		}
		if n == 0 || !notice.Match(text[:n]) {
			return text
		}
		text = bytes.TrimSpace(text[n:])
	}
	return text
}
