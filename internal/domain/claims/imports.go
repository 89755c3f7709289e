package claims

import (
	"path"
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
	counted, line := 0, 0 // up to where the lines of the text were counted
	each := func(from, to int, of, as string) {
		for at := from; at < to; {
			end := to
			if i := strings.IndexByte(text[at:to], ','); i >= 0 {
				end = at + i
			}
			item, _, _ := strings.Cut(text[at:end], "#")
			name, _, _ := strings.Cut(strings.TrimPrefix(strings.Trim(item, "() \t\r\n"), "type "), as)
			if name = strings.TrimSpace(name); nameRE.FindString(name) == name && len(name) > 2 && name != "default" && !k.isFile(name) {
				stands := at + strings.Index(text[at:end], name)
				line += strings.Count(text[counted:stands], "\n")
				counted = stands
				put(line, of+"."+name)
			}
			at = end + 1
		}
	}
	switch fenceOf(b.lang) {
	case "python", "py", "pycon", "python3", "py3":
		for _, m := range pyTakes.FindAllStringSubmatchIndex(text, -1) {
			if of, _, _ := strings.Cut(text[m[2]:m[3]], "."); k.own[fold2(of)] && k.isFile(of) {
				each(m[4], m[5], of, " as ")
			}
		}
	case "js", "javascript", "ts", "typescript", "jsx", "tsx", "mjs":
		for _, m := range jsTakes.FindAllStringSubmatchIndex(text, -1) {
			if from := text[m[6]:m[7]]; from[0] != '.' && k.own[fold2(path.Base(from))] {
				each(max(m[2], m[4]), max(m[3], m[5]), path.Base(from), " as ")
			}
		}
	}
}

// isFile reports whether a file or a folder of the code has a name.
func (k *known) isFile(name string) bool {
	if k.stems == nil {
		k.stems = map[string]bool{}
		for i := range k.a.Tree.Code {
			for part := range strings.SplitSeq(k.a.Tree.Code[i].Path, "/") {
				stem, _, _ := strings.Cut(part, ".")
				k.stems[stem] = true
			}
		}
	}
	return k.stems[name]
}
