package apidoc

import (
	"cmp"
	"html"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/docs/markup"
	markuphtml "github.com/assay-dev/assay/internal/docs/markup/html"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// Doxygen is the language of the XML files that Doxygen writes, one for each class, namespace, group and file.
const Doxygen = "doxygen"

const maxXML = 16 << 20 // bytes

var (
	doxygenFile  = lazy.Regexp(`^(?:(?:class|struct|union|interface|namespace|concept)[A-Za-z]\w*|group__\w+|\w+_8\w+)\.xml$`)
	doxygenRoot  = lazy.Regexp(`<doxygen\b`)
	compounds    = lazy.Regexp(`(?s)<compounddef [^>]*?kind="(\w+)"(?:[^>]*?language="([^"]*)")?[^>]*>(.*?)</compounddef>`)
	memberdefs   = lazy.Regexp(`(?s)<memberdef kind="(\w+)"[^>]*?prot="(\w+)"[^>]*>(.*?)</memberdef>`)
	enumValues   = lazy.Regexp(`(?s)<enumvalue\b[^>]*>(.*?)</enumvalue>`)
	paramElement = lazy.Regexp(`(?s)<param>(.*?)</param>`)
	fileOf       = lazy.Regexp(`<location file="([^"]*)"`)
	parameters   = lazy.Regexp(`(?s)<parameterlist kind="(\w+)">(.*?)</parameterlist>`)
	parameter    = lazy.Regexp(`(?s)<parametername[^>]*>(.*?)</parametername>.*?<parameterdescription>(.*?)</parameterdescription>`)
	simpleSect   = lazy.Regexp(`(?s)<simplesect kind="(\w+)">(.*?)</simplesect>`)
	codeLine     = lazy.Regexp(`</codeline>\n?`)
	anyTag       = lazy.Regexp(`<[^>]*>`)
	doxygenAside = lazy.Regexp(`(?s)<(?:indexentry|xrefsect|formula)\b.*?</(?:indexentry|xrefsect|formula)>`)
)

// doxygenTags are the elements of Doxygen as those of HTML.
var doxygenTags = strings.NewReplacer("<para>", "<p>", "</para>", "</p>", "<computeroutput>", "<code>", "</computeroutput>", "</code>",
	"<programlisting>", "<pre>", "</programlisting>", "</pre>", "<verbatim>", "<pre>", "</verbatim>", "</pre>",
	"<sp/>", " ", "<linebreak/>", "<br>",
	"<itemizedlist>", "<ul>", "</itemizedlist>", "</ul>", "<orderedlist>", "<ol>", "</orderedlist>", "</ol>",
	"<listitem>", "<li>", "</listitem>", "</li>", "<title>", "<h4>", "</title>", "</h4>")

// within returns the inside of the first element of a name.
func within(text, name string) string {
	_, rest, _ := strings.Cut(text, "<"+name+">")
	inside, _, _ := strings.Cut(rest, "</"+name+">")
	return inside
}

// inLine returns the text of the inside of an element in one line.
func inLine(inside string) string {
	return strings.Join(strings.Fields(html.UnescapeString(anyTag.ReplaceAllString(inside, ""))), " ")
}

// labelled returns the text of the first element of a name in one line.
func labelled(text, name string) string { return inLine(within(text, name)) }

func isDoxygen(p string) bool { return doxygenFile.MatchString(path.Base(p)) }

// WithoutHeaders leaves the XML files of Doxygen out where the headers that they were made from are read.
func WithoutHeaders(sources []string) []string {
	if !slices.ContainsFunc(sources, isHeader) {
		return sources
	}
	return slices.DeleteFunc(sources, isDoxygen)
}

// documented returns an entry for each symbol of a file of Doxygen.
func documented(data []byte) []Entry {
	if len(data) > maxXML || !doxygenRoot.Match(data[:min(len(data), 4<<10)]) {
		return nil
	}
	var out gathering
	for _, c := range compounds.FindAllStringSubmatch(string(data), -1) {
		kind, members := c[1], memberdefs.FindAllStringSubmatch(c[3], -1)
		about := memberdefs.ReplaceAllString(c[3], "")
		name, said := labelled(about, "compoundname"), doxygenDoc(about)
		isSpecialized := said.empty() && strings.Contains(name, "<")
		if isSpecialized || hiddenScope.MatchString(strings.ReplaceAll(name, "::", ".")) {
			continue
		}
		if lang, ok := syntax.Canonical(c[2]); ok {
			out.lang = lang
		}
		isType := kind != "file" && kind != "group" && kind != "namespace"
		if isType && !said.empty() {
			out.add(Entry{Title: name, Trail: []string{name}, Line: 1}, kind+" "+name, said)
		}
		for _, m := range members {
			if m[2] == "public" {
				out.member(m[1], m[3], cmp.Or(labelled(about, "title"), name))
			}
		}
	}
	return out.entries()
}

// member adds a member that others can use.
func (g *gathering) member(kind, text, around string) {
	var values []string
	var said doc
	for _, v := range enumValues.FindAllStringSubmatch(text, -1) {
		of := doxygenDoc(v[1])
		values = append(values, labelled(v[1], "name"))
		said.params = append(said.params, item{labelled(v[1], "name"), strings.Join(texts(of.text), " ")})
	}
	text = enumValues.ReplaceAllString(text, "")
	said.add(doxygenDoc(text))
	isBare := said.empty() && kind != "function"
	name := labelled(text, "name")
	if isBare || name == "" || strings.ContainsAny(name[:1], "_@") {
		return
	}
	e := Entry{Title: cmp.Or(labelled(text, "qualifiedname"), name), Line: 1}
	e.Trail = []string{around, e.Title}
	template := within(text, "templateparamlist")
	text = strings.Replace(text, template, "", 1)
	sign := labelled(text, "definition") + labelled(text, "argsstring")
	switch kind {
	case "define":
		sign = "#define " + name + strings.TrimSuffix("("+strings.Join(parametersOf(text), ", ")+")", "()")
	case "enum":
		sign = "enum " + e.Title + " { " + strings.Join(values, ", ") + " }"
	}
	if template != "" {
		sign = "template <" + strings.Join(parametersOf(template), ", ") + ">\n" + sign
	}
	if file := fileOf.FindStringSubmatch(text); file != nil {
		said.notes = append(said.notes, "Declared in "+html.UnescapeString(file[1])+".")
	}
	g.add(e, sign, said)
}

// parametersOf returns the parameters of a template or a macro.
func parametersOf(text string) (out []string) {
	for _, p := range paramElement.FindAllStringSubmatch(text, -1) {
		named := strings.TrimSpace(labelled(p[1], "type") + " " + cmp.Or(labelled(p[1], "declname"), labelled(p[1], "defname")))
		out = append(out, strings.TrimSuffix(named+" = "+labelled(p[1], "defval"), " = "))
	}
	return out
}

func texts(blocks []markup.Block) (out []string) {
	return slice.Map(blocks, func(x markup.Block) string { return x.Text })
}

// doxygenDoc reads the brief description and the other one. Lists of parameters, results and errors go where they belong.
func doxygenDoc(text string) (d doc) {
	text = doxygenAside.ReplaceAllString(within(text, "briefdescription")+within(text, "detaileddescription"), "")
	text = parameters.ReplaceAllStringFunc(text, func(s string) string {
		list := parameters.FindStringSubmatch(s)
		for _, m := range parameter.FindAllStringSubmatch(list[2], -1) {
			one := item{inLine(m[1]), inLine(m[2])}
			switch list[1] {
			case "exception":
				d.errors = append(d.errors, one)
			case "retval":
				d.returns = append(d.returns, "`"+one.name+"` "+one.text)
			default:
				d.params = append(d.params, one)
			}
		}
		return ""
	})
	text = simpleSect.ReplaceAllStringFunc(text, func(s string) string {
		m := simpleSect.FindStringSubmatch(s)
		switch said := inLine(m[2]); m[1] {
		case "return":
			d.returns = append(d.returns, said)
		case "see", "author", "authors", "copyright", "date":
		default:
			d.notes = append(d.notes, strings.ToUpper(m[1][:1])+m[1][1:]+": "+said)
		}
		return ""
	})
	text = doxygenTags.Replace(codeLine.ReplaceAllString(text, "\n"))
	d.text = markuphtml.Parse([]byte(text), markup.Options{}).Blocks
	return d
}
