package main

import (
	"regexp"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// fileDoc pairs what a file says of itself at its beginning with what follows, and
// reports whether it says anything.
func (x *extractor) fileDoc(language, group string, text []byte) bool {
	s := string(afterNotice(text[:min(len(text), 12_000)]))
	doc, rest := opening(s, language)
	// A comment directly above code is about that, not about the file.
	above := !strings.HasPrefix(rest, "\n\n") && !strings.HasPrefix(rest, "\r\n\r\n") && !strings.HasPrefix(strings.TrimSpace(rest), "package ")
	if doc == "" || above && language != "python" && language != "bash" || len(strings.TrimSpace(rest)) < 200 {
		return false
	}
	q := lead(comment(doc))
	if !isQuery(q) || len(words(q)) < 4 {
		return false
	}
	x.emit(pair{kind: "doc-code", lang: language, group: group, query: q, text: rest})
	return true
}

// opening returns the comment that a text begins with, and what follows it.
func opening(s, language string) (doc, rest string) {
	for _, p := range [][2]string{{"/*", "*/"}, {"\"\"\"", "\"\"\""}, {"'''", "'''"}, {"{-", "-}"}, {"--[[", "]]"}} {
		if !strings.HasPrefix(s, p[0]) || p[0] == "{-" && strings.HasPrefix(s, "{-#") {
			continue
		}
		if i := strings.Index(s[len(p[0]):], p[1]); i >= 0 {
			end := len(p[0]) + i + len(p[1])
			return s[:end], s[end:]
		}
		return "", s
	}
	sign := "//"
	switch language {
	case "python", "bash", "ruby", "elixir", "perl", "r":
		sign = "#"
	case "lua", "haskell", "sql":
		sign = "--"
	case "erlang":
		sign = "%"
	}
	n := 0
	for line := range strings.Lines(s) {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "#!") || strings.HasPrefix(t, sign) && strings.Contains(t, "-*-") {
			s = s[len(line):]
			continue
		}
		if !strings.HasPrefix(t, sign) {
			break
		}
		n += len(line)
	}
	// The end of the comment's last line counts as the first of an empty one.
	if n > 0 {
		return s[:n], s[n-1:]
	}
	return "", s
}

var (
	erlangHead = regexp.MustCompile(`(?m)^([a-z]\w*)\(`)
	erlangDoc  = regexp.MustCompile(`(?s)^-doc\s*"{1,3}(.*?)"{1,3}\.\s*$`)
	erlangEnd  = regexp.MustCompile(`\.[ \t]*(%[^\n]*)?\n`)
	edoc       = regexp.MustCompile(`(?m)^[%\s]*@(doc|private|hidden|spec)\b`)
)

// erlang reads a module by its shape: functions begin in the first column and end
// with a full stop; above them stand comments, -doc and -spec.
func (x *extractor) erlang(group, text string) {
	seen := ""
	end := 0
	for range maxDecls {
		at := erlangHead.FindStringSubmatchIndex(text[end:])
		if at == nil {
			return
		}
		start, name := end+at[0], text[end+at[2]:end+at[3]]
		stop := len(text)
		if e := erlangEnd.FindStringIndex(text[start:]); e != nil {
			stop = start + e[1]
		}
		before := text[end:start]
		end = stop
		if name == seen {
			continue
		}
		seen = name
		doc, spec := attributes(before)
		d := corpus.Decl{Kind: corpus.Function, Name: name}
		code := spec + text[start:stop]
		p, ok := docCode(d, doc, code)
		if !ok {
			p, ok = nameBody(d, code)
		}
		if ok {
			p.lang, p.group = "erlang", group
			x.emit(p)
		}
	}
}

// attributes reads what stands directly above a function: the comment or the
// documentation, and the specification.
func attributes(before string) (doc, spec string) {
	parts := strings.Split(strings.TrimRight(before, "\n"), "\n\n")
	for _, p := range parts[max(0, len(parts)-3):] {
		p = strings.TrimSpace(p)
		switch m := erlangDoc.FindStringSubmatch(p); {
		case m != nil:
			doc = m[1]
		case strings.HasPrefix(p, "-spec"):
			spec = p + "\n"
		case strings.HasPrefix(p, "%"):
			lines := strings.SplitAfter(p, "\n")
			n := 0
			for n < len(lines) && strings.HasPrefix(lines[n], "%") {
				n++
			}
			doc = edoc.ReplaceAllString(strings.Join(lines[:n], ""), "")
			if tail := strings.Join(lines[n:], ""); strings.HasPrefix(tail, "-spec") {
				spec = tail + "\n"
			}
		case strings.HasPrefix(p, "-doc"):
			if i := strings.Index(p, "-spec"); i > 0 {
				doc, spec = strings.Trim(strings.TrimPrefix(p[:i], "-doc"), " \"\n."), p[i:]+"\n"
			}
		}
	}
	return doc, spec
}
