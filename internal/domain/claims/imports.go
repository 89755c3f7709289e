package claims

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	pyTakes = lazy.Regexp(`(?ms)^[ \t]*(?:>>> )?from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)`)
	jsTakes = lazy.Regexp(`(?ms)^[ \t]*(?:import\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from|(?:const|let|var)\s*\{([^}]*)\}\s*=\s*(?:await\s+import|require)\s*\()\s*['"]([^'"]+)['"]`)
)

// imports returns what a block of code takes out of the project's own packages: an example
// that imports what no code has does not run.
func (k *known) imports(b *block, put func(line int, name string)) {
	text := strings.Join(b.raw, "\n")
	each := func(at int, of, list, as string) {
		for _, item := range strings.Split(strings.Trim(list, "() "), ",") {
			item, _, _ = strings.Cut(item, "#")
			name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(item), "type "), as)
			if name = strings.TrimSpace(name); nameRE.FindString(name) != name || len(name) < 3 || name == "default" || k.isFile(name) {
				continue
			}
			put(strings.Count(text[:at+strings.Index(text[at:], name)], "\n"), of+"."+name)
		}
	}
	switch fenceOf(b.lang) {
	case "python", "py", "pycon", "python3", "py3":
		for _, m := range pyTakes.FindAllStringSubmatchIndex(text, -1) {
			if of, _, _ := strings.Cut(text[m[2]:m[3]], "."); k.own[fold2(of)] && k.isFile(of) {
				each(m[0], of, text[m[4]:m[5]], " as ")
			}
		}
	case "js", "javascript", "ts", "typescript", "jsx", "tsx", "mjs":
		for _, m := range jsTakes.FindAllStringSubmatchIndex(text, -1) {
			list := text[max(m[2], m[4]):max(m[3], m[5])]
			if from := text[m[6]:m[7]]; from[0] != '.' && k.own[fold2(path.Base(from))] {
				each(m[0], path.Base(from), list, " as ")
			}
		}
	}
}

// isFile reports whether a file or a folder of the code has a name.
func (k *known) isFile(name string) bool {
	return slices.ContainsFunc(k.a.Tree.Code, func(f Source) bool {
		for part := range strings.SplitSeq(f.Path, "/") {
			if stem, _, _ := strings.Cut(part, "."); stem == name {
				return true
			}
		}
		return false
	})
}
