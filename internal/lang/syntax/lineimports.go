package syntax

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A LineImport is an import that one line makes by itself. Examples in documents have such lines without their surroundings.
type LineImport struct {
	Package string   // as manifests call it
	Names   []string // that are taken out of the package
	Folder  string   // the path of a folder of a module, in place of a package and names
}

// lineImports are the readers of such lines by the family of a language.
var lineImports = map[string]func(line string) []LineImport{"python": pythonLine, "ecma": ecmaLine, "rust": rustLine, "go": goLine}

// LineImports returns the imports of a line of an example, none for a language that it does not know.
func LineImports(language, line string) []LineImport {
	if read := lineImports[Family(language)]; read != nil {
		return read(line)
	}
	return nil
}

var (
	pythonFrom = lazy.Regexp(`^\s*(?:>>> )?from\s+([\w.]+)\s+import\s+\(?\s*([\w, \t]+)`)
	ecmaFrom   = lazy.Regexp(`(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s+["']([^"']+)["']|(?:const|let|var)\s+\{([^}]*)\}\s*=\s*require\(["']([^"']+)["']\)`)
	rustUse    = lazy.Regexp(`^\s*(?:pub )?use\s+(\w+)((?:::\w+)*)(?:::\{([^}]*)\})?`)
	rustName   = lazy.Regexp(`[A-Za-z_]\w*`)
	goPath     = lazy.Regexp(`^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./-]+)"\s*$`)
)

func pythonLine(line string) []LineImport {
	m := pythonFrom.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	top, _, _ := strings.Cut(m[1], ".")
	out := LineImport{Package: top}
	for name := range strings.SplitSeq(m[2], ",") {
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ") // "name as other"
		out.Names = append(out.Names, name)
	}
	return []LineImport{out}
}

func ecmaLine(line string) (out []LineImport) {
	for _, m := range ecmaFrom.FindAllStringSubmatch(line, -1) {
		imported := LineImport{Package: m[2] + m[4]}
		for name := range strings.SplitSeq(m[1]+m[3], ",") {
			name, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(name), "type "), " ")
			name, _, _ = strings.Cut(name, ":") // "{ name: other } = require"
			imported.Names = append(imported.Names, name)
		}
		out = append(out, imported)
	}
	return out
}

func rustLine(line string) []LineImport {
	m := rustUse.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	out := LineImport{Package: m[1]}
	for _, name := range rustName.FindAllString(m[2]+" "+m[3], -1) {
		if name != "self" && name != "as" && name != "crate" && name != "super" {
			out.Names = append(out.Names, name)
		}
	}
	return []LineImport{out}
}

func goLine(line string) []LineImport {
	if m := goPath.FindStringSubmatch(line); m != nil {
		return []LineImport{{Folder: m[1]}}
	}
	return nil
}
