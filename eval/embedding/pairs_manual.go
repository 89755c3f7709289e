package main

import (
	"path"
	"regexp"
	"strings"
)

var (
	roffFont    = regexp.MustCompile(`\\f(\[[^\]]*\]|\([A-Z]{2}|.)|\\s[-+]?\d+|\\m\[[^\]]*\]|\\[&%/|^:,!)]|\\X'[^']*'|\\h'[^']*'|\\u|\\d|\\c$`)
	roffChar    = strings.NewReplacer(`\-`, "-", `\(em`, " - ", `\(en`, "-", `\(aq`, "'", `\(dq`, `"`, `\(lq`, `"`, `\(rq`, `"`, `\(oq`, "'", `\(cq`, "'", `\(bu`, " ", `\(co`, " ", `\e`, `\`, `\ `, " ", `\~`, " ", `\0`, " ", `\(ga`, "`", `\(ha`, "^", `\(ti`, "~", `\(hy`, "-", `\[aq]`, "'", `\[dq]`, `"`, `\[bu]`, " ", `\[em]`, " - ", `\'`, "'", "\\`", "`", `\.`, ".", `\(mi`, "-", `\*(Aq`, "'", `\*(lq`, `"`, `\*(rq`, `"`, `\*(L"`, `"`, `\*(R"`, `"`, `\*(C`, "", `\|`, "", `\\`, `\`)
	roffArg     = regexp.MustCompile(`"((?:[^"]|"")*)"|(\S+)`)
	optionName  = regexp.MustCompile(`(^|[\s,|])(--?[A-Za-z0-9][\w-]*)`)
	manualSplit = regexp.MustCompile(`\s+(-|--|\\-|–|—)\s+`)
)

// A page is a manual page as far as pairs are made of it.
type page struct {
	name, short string
	sections    []section
	options     []section // title: the options as written; body: what they do
}

// manual makes pairs of a manual page: what it is for and its description, its
// options and what they do, its sections.
func (x *extractor) manual(rel, text string) {
	if strings.HasPrefix(text, ".so ") || len(text) < 400 || foreign(rel) {
		return
	}
	p := readPage(text)
	if p.name == "" || isExcluded(p.name) {
		return
	}
	group := x.group(rel)
	name := strings.ReplaceAll(p.name, "-", " ")
	for _, s := range p.sections {
		body := plain(s.body)
		if strings.EqualFold(s.title, "description") && isQuery(p.short) && len(body) > minSection && latin(body) {
			x.emit(pair{kind: "short-long", lang: "text", group: group, query: p.short, text: body})
			continue
		}
		x.section(section{level: 2, title: strings.ToLower(s.title), body: s.body}, []string{name, strings.ToLower(s.title)}, group+"/"+path.Base(rel))
	}
	for _, o := range p.options {
		body := plain(o.body)
		if len(body) < 50 || !latin(body) || unfit(body) {
			continue
		}
		x.emit(pair{kind: "option-text", lang: "text", group: group + "/" + path.Base(rel), query: name + " " + o.title, text: body})
	}
}

var language2 = regexp.MustCompile(`/man/[a-z]{2}([_.@][^/]*)?/man`)

func foreign(rel string) bool { return language2.MatchString(rel) }

// roff returns a line of text without what is for the typesetter.
func roff(s string) string {
	return roffChar.Replace(roffFont.ReplaceAllString(s, ""))
}

// arguments returns the arguments of a macro.
func arguments(s string) []string {
	var out []string
	for _, m := range roffArg.FindAllStringSubmatch(s, 40) {
		if m[2] != "" {
			out = append(out, m[2])
		} else {
			out = append(out, strings.ReplaceAll(m[1], `""`, `"`))
		}
	}
	return out
}

// A pageReader goes through the lines of a page.
type pageReader struct {
	page
	cur    section
	body   []string
	option *section // the one whose text is being read
	tag    bool     // the next line is an option's name
}

func readPage(text string) page {
	var r pageReader
	verbatim := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, `.\"`), strings.HasPrefix(line, `'\"`), line == ".", line == "":
			continue
		case verbatim:
			verbatim = line != ".." // a macro's definition
			continue
		case strings.HasPrefix(line, ".de "), strings.HasPrefix(line, ".ig"):
			verbatim = true
			continue
		}
		if line[0] == '.' || line[0] == '\'' {
			name, rest, _ := strings.Cut(strings.TrimLeft(line[1:], " \t"), " ")
			r.macro(name, rest)
			continue
		}
		r.text(roff(line))
	}
	r.end()
	r.short = strings.TrimSpace(r.short)
	return r.page
}

func (r *pageReader) end() {
	r.endOption()
	if r.cur.title != "" && len(r.body) > 0 {
		r.cur.body = strings.Join(r.body, "\n")
		if strings.EqualFold(r.cur.title, "name") {
			r.named(strings.Join(r.body, " "))
		}
		r.sections = append(r.sections, r.cur)
	}
	r.cur, r.body = section{}, nil
}

// named takes the line "name, other - what it is for".
func (r *pageReader) named(line string) {
	if at := manualSplit.FindStringIndex(line); at != nil && r.name == "" {
		name, _, _ := strings.Cut(line[:at[0]], ",")
		r.name, r.short = strings.TrimSpace(name), line[at[1]:]
	}
}

func (r *pageReader) endOption() {
	if r.option != nil && r.option.title != "" && strings.TrimSpace(r.option.body) != "" {
		r.options = append(r.options, *r.option)
	}
	r.option = nil
	r.tag = false
}

func (r *pageReader) text(s string) {
	if r.tag {
		r.tag = false
		r.name2(s)
		return
	}
	if r.option != nil && len(r.option.body) < 2*maxText {
		r.option.body += s + " "
	}
	r.body = append(r.body, s)
}

// name2 takes the name of an option: only those that look like one begin one.
func (r *pageReader) name2(s string) {
	r.body = append(r.body, s)
	found := optionName.FindAllStringSubmatch(s, 4)
	if len(found) == 0 {
		r.option = nil
		return
	}
	var names []string
	for _, f := range found {
		names = append(names, f[2])
	}
	if r.option != nil && r.option.body == "" {
		names = append([]string{r.option.title}, names...)
	}
	r.option = &section{title: strings.Join(names, " ")}
}

func (r *pageReader) macro(name, rest string) {
	args := arguments(rest)
	for i := range args {
		args[i] = roff(args[i])
	}
	joined := strings.Join(args, " ")
	switch name {
	case "SH", "Sh":
		r.end()
		r.cur.title = strings.TrimSpace(joined)
	case "SS", "Ss":
		r.endOption()
		r.body = append(r.body, joined+".")
	case "TP", "TQ":
		if r.option != nil && r.option.body != "" {
			r.endOption()
		}
		r.tag = true
	case "IP":
		r.endOption()
		if len(args) > 0 {
			r.name2(args[0])
		}
	case "It":
		r.endOption()
		if len(args) > 1 && args[0] == "Fl" {
			r.name2("-" + args[1])
		} else {
			r.body = append(r.body, mdoc(args))
		}
	case "RS":
		// AsciiDoc's pages put an option in a paragraph and what it does in a block.
		if n := len(r.body); r.option == nil && n > 0 && strings.HasPrefix(strings.TrimSpace(r.body[n-1]), "-") {
			last := r.body[n-1]
			r.body = r.body[:n-1]
			r.name2(last)
		}
	case "PP", "LP", "P", "RE", "El":
		r.endOption()
	case "Nm":
		if r.name == "" && len(args) > 0 {
			r.name = args[0]
		}
		r.text(strings.Join(append([]string{r.name}, args[min(1, len(args)):]...), " "))
	case "Nd":
		r.short = joined
	case "B", "I", "SM", "SB":
		r.text(joined)
	case "BR", "BI", "IR", "IB", "RB", "RI":
		r.text(strings.Join(args, ""))
	case "Fl", "Ar", "Pa", "Xr", "Em", "Li", "Dq", "Sq", "Ql", "Cm", "Va", "Dv", "Er", "Fn", "Ev", "Sy", "Ic", "Pq", "Qq", "Tn", "Ux", "Op", "No":
		r.text(mdoc(append([]string{name}, args...)))
	}
}

// mdoc returns the words of a line of mdoc macros.
func mdoc(args []string) string {
	var out []string
	dash := false
	for _, a := range args {
		switch a {
		case "Fl":
			dash = true
			continue
		case "Ar", "Pa", "Xr", "Em", "Li", "Dq", "Sq", "Ql", "Cm", "Va", "Dv", "Er", "Fn", "Ev", "Sy", "Ic", "Pq", "Qq", "Op", "No", "Ns", "Xo", "Xc", "Oo", "Oc":
			continue
		}
		if dash {
			a, dash = "-"+a, false
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}
