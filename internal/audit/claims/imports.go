package claims

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	pyTakes     = lazy.Regexp(`(?ms)^[ \t]*(?:>>> )?from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)`)
	rsTakes     = lazy.Regexp(`(?m)^[ \t]*(?:# )?(?:pub )?use (\w+)(?:::\w+)*::(?:\{([\w\s,]*)\}|([A-Z]\w+));`)
	javaTakes   = lazy.Regexp(`(?m)^[ \t]*import (?:static )?([a-z][\w]*(?:\.[a-z]\w*)+)\.([A-Z]\w+)\b`)
	packageHead = lazy.Regexp(`(?m)^package ([\w.]+)`)
	jsTakes     = lazy.Regexp(`(?ms)^[ \t]*(?:import\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from|(?:const|let|var)\s*\{([^}]*)\}\s*=\s*(?:await\s+import|require)\s*\()\s*['"]([^'"]+)['"]`)
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
	switch lang := fenceOf(b.lang); lang {
	case "python", "py", "pycon", "python3", "py3", "":
		if lang == "" && !k.langs["python"] {
			break
		}
		for _, m := range pyTakes.FindAllStringSubmatchIndex(text, -1) {
			if of, _, _ := strings.Cut(text[m[2]:m[3]], "."); k.isPackage(of) {
				each(m[4], m[5], of, " as ")
			}
		}
	case "rust", "rs":
		for _, m := range rsTakes.FindAllStringSubmatchIndex(text, -1) {
			if of := text[m[2]:m[3]]; k.own[fold2(of)] && m[4] >= 0 {
				each(m[4], m[5], of, " as ")
			} else if k.own[fold2(of)] {
				each(m[6], m[7], of, " as ")
			}
		}
	case "java", "kotlin", "kt", "scala", "groovy", "kts":
		for _, m := range javaTakes.FindAllStringSubmatchIndex(text, -1) {
			if k.isDeclaredPackage(text[m[2]:m[3]]) {
				each(m[4], m[5], path.Ext("." + text[m[2]:m[3]])[1:], " as ")
			}
		}
	case "js", "javascript", "ts", "typescript", "jsx", "tsx", "mjs":
		for _, m := range jsTakes.FindAllStringSubmatchIndex(text, -1) {
			if from := text[m[6]:m[7]]; from[0] != '.' && k.ownPackage(from) {
				each(max(m[2], m[4]), max(m[3], m[5]), path.Base(from), " as ")
			}
		}
	}
}

// ownPackage reports whether the project has a package of a name of JavaScript: one with a scope is that of
// its scope alone, and a file of a package is its.
func (k *known) ownPackage(name string) bool {
	scope, rest, scoped := strings.Cut(name, "/")
	if !strings.HasPrefix(scope, "@") {
		// The project's @trpc/next is not the next that others publish.
		return scope != "" && k.own[fold2(scope)] && (k.published[scope] || !k.published["@/"+scope])
	}
	return scoped && k.scopes[scope] && k.own[fold2(path.Base(rest))]
}

// isPackage reports whether a name is that of a package of Python that the project has, tests aside.
func (k *known) isPackage(name string) bool {
	if name == "tests" || name == "test" || name == "docs" || name == "examples" {
		return false
	}
	for _, below := range []string{"", "src/", "lib/", "python/"} {
		i, ok := slices.BinarySearchFunc(k.a.Tree.Code, below+name+"/__init__.py", func(s Source, p string) int { return strings.Compare(s.Path, p) })
		if ok && k.a.Tree.Code[i].Flags&corpus.Test == 0 {
			return true
		}
	}
	return k.own[fold2(name)] && k.isFile(name)
}

// isDeclaredPackage reports whether code of the project is in a package of Java, Kotlin or Scala.
func (k *known) isDeclaredPackage(name string) bool {
	if k.packages == nil {
		k.packages = map[string]bool{}
		for i := range k.a.Tree.Code {
			if s := &k.a.Tree.Code[i]; s.Flags&(corpus.Test|corpus.Example) == 0 && (s.Language == "java" || s.Language == "kotlin" || s.Language == "scala") {
				if m := packageHead.FindSubmatch(s.Text[:min(len(s.Text), 4096)]); m != nil {
					k.packages[string(m[1])] = true
				}
			}
		}
	}
	return k.packages[name]
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
