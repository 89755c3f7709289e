package apidoc

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
)

// isHeader reports whether a file is one that users of a library of C or C++ include.
func isHeader(p string) bool {
	switch path.Ext(p) {
	case ".h", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".ipp":
		return true
	}
	return false
}

var (
	headerInner   = lazy.Regexp(`(?i)(?:^|[-_.])(?:internal|private|impl|detail|priv|p)\.h`)
	includeFolder = lazy.Regexp(`(?:^|/)include/`)
	specifier     = lazy.Regexp(`(?m)\b(public|private|protected)(?:\s+\w+)?\s*:[^:]`)
	hiddenScope   = lazy.Regexp(`(?:^|\.)(?:detail|details|internal|impl|_\w*|\w+_(?:detail|internal|impl)|anonymous)(?:\.|$)`)
	doxygenWord   = lazy.Regexp(`(?m)(^|\s)[\\@](?:c|p|a|e|em|b|ref|link)\s+([\w:.#~()*&<>-]*[\w()*>])(?:\s*[\\@]endlink)?`)
	doxygenTag    = lazy.Regexp(`(?m)^(\s*)\\([a-z]+)\b`)
	doxygenCode   = lazy.Regexp(`(?ms)^[ \t]*[\\@](?:code|verbatim)(?:\{\.?(\w*)\})?[ \t]*$\n?(.*?)^[ \t]*[\\@]end(?:code|verbatim)[ \t]*$`)
	doxygenDir    = lazy.Regexp(`(?m)^(\s*@(?:param|tparam))\s*\[[a-z, ]*\]`)
)

// OfferedHeaders leaves out the headers that are not for users: where a library has some below a folder that is called include, all
// others; else those that are called internal.
func OfferedHeaders(paths []string) []string {
	isOffered := func(p string) bool { return isHeader(p) && includeFolder.MatchString(p) }
	hasInclude := slices.ContainsFunc(paths, isOffered)
	return slices.DeleteFunc(paths, func(p string) bool {
		return isHeader(p) && (hasInclude && !isOffered(p) || headerInner.MatchString(path.Base(p)))
	})
}

// inHeader reports whether a declaration of a header is one for others, and completes it: a function that is static there is
// offered too, and a type is called as its typedef says.
func (r *reader) inHeader(i int) bool {
	d := &r.facts.Decls[i]
	if strings.HasPrefix(d.Name, "_") || hiddenScope.MatchString(d.Scope) {
		return false
	}
	head := r.text[lineStart(r.text, d.NameAt):d.NameAt]
	switch d.Kind {
	case corpus.Function:
		d.Exported = true
	case corpus.Macro: // a guard, a switch or a number that nobody describes
		hasParams := strings.HasPrefix(r.text[d.NameAt+len(d.Name):], "(")
		return d.Parent < 0 && (hasParams || d.Doc.Len() > 0)
	case corpus.Type:
		return !r.isTypedefEnd(d)
	case corpus.Struct, corpus.Enum:
		r.nameByTypedef(i)
	}
	return !strings.HasPrefix(strings.TrimSpace(head), "friend ") && r.isPublicMember(d)
}

// isTypedefEnd reports whether a name is the one behind the fields in "typedef struct a { … } a_t;", of which the struct before it
// is the declaration.
func (r *reader) isTypedefEnd(d *corpus.Decl) bool {
	before := strings.TrimRight(r.text[:d.NameAt], " \t\r\n*")
	return strings.HasSuffix(before, "}") && slices.ContainsFunc(r.facts.Decls, func(o corpus.Decl) bool {
		return (o.Kind == corpus.Struct || o.Kind == corpus.Enum) && (o.Span.End == len(before) || o.Span.End == d.NameAt+len(d.Name))
	})
}

// nameByTypedef calls a struct by the name of the typedef that ends it.
func (r *reader) nameByTypedef(i int) {
	d := &r.facts.Decls[i]
	for j := range r.facts.Decls {
		o := &r.facts.Decls[j]
		if o.Kind == corpus.Type && o.NameAt > d.Span.End && strings.TrimLeft(r.text[d.Span.End:o.NameAt], " \t\r\n*") == "" {
			d.Name, d.Span.End = o.Name, o.NameAt+len(o.Name)
			d.Body = min(d.Body, d.Span.End)
			return
		}
	}
}

// isPublicMember reports whether a member of a class is offered: the last access specifier before it on its own level says so, and
// without one the members of a class are its own.
func (r *reader) isPublicMember(d *corpus.Decl) bool {
	if d.Parent < 0 {
		return true
	}
	of := &r.facts.Decls[d.Parent]
	if of.Kind != corpus.Class && of.Kind != corpus.Struct {
		return true
	}
	body := r.text[min(of.Body, d.Span.Start):d.Span.Start]
	all := specifier.FindAllStringSubmatchIndex(body, -1)
	for _, m := range slices.Backward(all) {
		if after := body[m[1]-1:]; strings.Count(after, "{") == strings.Count(after, "}") {
			return body[m[2]:m[3]] == "public"
		}
	}
	return of.Kind == corpus.Struct
}

// doxygen writes the commands of a comment of Doxygen as the tags and the Markdown that other languages have.
func doxygen(s string) string {
	s = doxygenCode.ReplaceAllString(s, "```$1\n$2```")
	s = doxygenTag.ReplaceAllString(s, "$1@$2")
	s = doxygenDir.ReplaceAllString(s, "$1")
	s = doxygenWord.ReplaceAllString(s, "$1`$2`")
	return strings.NewReplacer(
		"@tparam", "@typeParam", "@retval", "@returns", "@result ", "@returns ",
		"@brief", "@desc", "@details", "@desc", "@short", "@desc", "@par ", "@desc ",
		"@warning", "@note", "@attention", "@note", "@pre ", "@note ", "@post ", "@note ",
	).Replace(s)
}
