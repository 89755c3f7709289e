package rst

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

// calls are roles of what is called.
var calls = lazy.Words("func function meth method coroutine")

// plain are roles whose text is words; every other role that is known is code.
var plain = lazy.Words(`ref doc term guilabel menuselection abbr dfn sub sup subscript superscript emphasis strong title title-reference t eq numref
	kbd math download any index rfc pep cite citation abbreviation mailheader manpage newsgroup envvar raw-html span
	i b`)

// coded are roles whose text is code.
var coded = lazy.Words(`class mod module attr attribute data exc exception obj object const constant type macro member struct union enum enumerator var
	texpr expr file command program option envvar keyword samp code literal source token setting djadmin django-admin ttag tfilter lookup
	fieldlookup templatetag templatefilter mimetype makevar prop property variable cmdoption confval fixture hook globalvar marker dir role
	directive rst param paramref regexp opcode pdbcmd decorator cmd prog binary package pkg key kbd sig target dtype c cpp py js
	external parameter attrref func2 instruction stmt gh-file filename path identifier alias concept namespace label signal setting
	prop_tgt prop_sf prop_dir prop_cache prop_inst prop_test cpack_gen generator manual policy`)

// numbered are roles that name something by its number.
var numbered = map[string]string{"pep": "PEP ", "rfc": "RFC ", "issue": "#", "pr": "#", "pull": "#", "ticket": "#", "bpo": "bpo-", "gh": "gh-",
	"ghissue": "#", "cve": "CVE-", "cwe": "CWE-"}

// roleText returns what a role shows for its text.
func (p *parser) roleText(role, text string) string {
	domain, name := "", strings.ToLower(role)
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		domain, name = name[:at], name[at+1:]
	}
	if name == "code" || name == "literal" || name == "regexp" {
		return flow.Code(text)
	}
	text = strings.TrimPrefix(unescape(text), "!")
	words, target := titled(text)
	if target != "" && words != "" && name != "samp" && name != "option" {
		if (calls.Has(name) || coded.Has(name)) && !strings.Contains(words, " ") {
			return flow.Code(strings.Trim(words, "`"))
		}
		return words
	}
	if target != "" && words == "" {
		text = target
	}
	if prefix, ok := numbered[name]; ok {
		return numberText(prefix, text)
	}
	switch {
	case calls.Has(name):
		text = short(text)
		if !strings.HasSuffix(text, ")") && text != "" {
			text += "()"
		}
		return flow.Code(text)
	case name == "ref" || name == "numref":
		if title, ok := p.labels[refName(text)]; ok && p.substBudget >= len(title) {
			p.substBudget -= len(title)
			return strings.ReplaceAll(title, "``", "`")
		}
		return text
	case name == "doc":
		return strings.TrimPrefix(text, "/")
	case plain.Has(name) && domain == "":
		if name == "envvar" {
			return flow.Code(text)
		}
		return text
	case name == "samp" || name == "file":
		return flow.Code(strings.NewReplacer("{", "", "}", "").Replace(text))
	case coded.Has(name) || domain != "":
		if strings.Contains(text, " ") && domain == "" && name != "option" && name != "command" && name != "program" {
			return flow.Code(text)
		}
		return flow.Code(short(text))
	}
	return text
}

// numberText puts prefix before text that begins with a digit.
func numberText(prefix, text string) string {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return text
	}
	text, _, _ = strings.Cut(text, "#")
	return prefix + text
}

// short returns what Sphinx shows of the name of an object: "~a.b.c" is "c".
func short(text string) string {
	if rest, ok := strings.CutPrefix(text, "@"); ok { // Celery's application
		return strings.TrimPrefix(rest, "-")
	}
	if strings.HasPrefix(text, "~") {
		text = strings.TrimLeft(text[1:], "@-")
		name, args, call := strings.Cut(text, "(")
		name = name[strings.LastIndexByte(name, '.')+1:]
		if call {
			name += "(" + args
		}
		return name
	}
	// SQLAlchemy writes "_orm.Session" for a name in a module that it shortens.
	if strings.HasPrefix(text, "_") {
		if module, name, ok := strings.Cut(text[1:], "."); ok && name != "" && !strings.Contains(module, "_") {
			return name
		}
	}
	return strings.TrimPrefix(text, ".")
}
