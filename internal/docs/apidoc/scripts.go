package apidoc

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/set"
)

// scripts are what the packages of JavaScript and TypeScript in a tree offer: what the index of their
// sources exports, and the files beside it that do nothing but pass on what others declare, from whatever file. Keys are a
// file and a name of it; "*" for all.
type scripts map[[2]string]bool

var (
	scriptComment = lazy.Regexp(`(?s)/\*.*?\*/|(?m)^[ \t]*//[^\n]*$`)
	exportFrom    = lazy.Regexp(`(?m)^[ \t]*export[ \t]+(?:type[ \t]+)?(\*(?:[ \t]+as[ \t]+\w+)?|\{[^}]*\})(?:\s*from[ \t]*["'](\.[^"'\n]*)["'])?`)
	importFrom    = lazy.Regexp(`(?m)^[ \t]*import[ \t]+(?:type[ \t]+)?(?:(\w+)[ \t]*,?[ \t]*)?(\{[^}]*\})?\s*from[ \t]*["'](\.[^"'\n]*)["']`)
)

// begins reports whether a file is where a package may begin: in its folder of sources, by its index or, as "package/utils",
// by a file beside it that only passes on (see passes).
func begins(p string) (index, beside bool) {
	base, ext, _ := strings.Cut(path.Base(p), ".")
	dir := path.Dir(p)
	switch path.Base(dir) {
	case ".", "src", "source", "lib":
		beside = ext == "ts" || ext == "tsx" || ext == "mts" || ext == "js" || ext == "mjs"
	}
	return beside && base == "index", beside
}

// passes reports whether a file does nothing but pass on what others declare.
func passes(text []byte) bool {
	rest := scriptComment.ReplaceAllString(string(text), "")
	less := exportFrom.ReplaceAllString(rest, "")
	return less != rest && strings.Trim(importFrom.ReplaceAllString(less, ""), " \t\r\n;") == ""
}

// scriptsOf follows the exports of every index.
func scriptsOf(paths []string, read func(p string) ([]byte, error)) scripts {
	there := make(map[string]bool, len(paths))
	var queue []string
	for _, p := range paths {
		there[p] = true
		index, beside := begins(p)
		if !index && beside {
			text, err := read(p)
			index = err == nil && len(text) <= maxSource && passes(text)
		}
		if index {
			queue = append(queue, p)
		}
	}
	s, seen := scripts(set.By(queue, func(p *string) [2]string { return [2]string{*p, "*"} })), map[string]bool{}
	for ; len(queue) > 0 && len(seen) < maxInits; queue = queue[1:] {
		p := queue[0]
		if seen[p] {
			continue
		}
		seen[p] = true
		text, err := read(p)
		if err != nil || len(text) > maxSource {
			continue
		}
		imported := map[string]string{} // the files of names
		for _, m := range importFrom.FindAllSubmatch(text, -1) {
			file := resolve(p, string(m[3]), there)
			for _, name := range namesIn(string(m[1]) + "," + string(m[2])) {
				imported[name[1]] = file
			}
		}
		for _, m := range exportFrom.FindAllSubmatch(text, -1) {
			from := ""
			if len(m[2]) > 0 {
				if from = resolve(p, string(m[2]), there); from == "" {
					continue
				}
				queue = append(queue, from)
			}
			if m[1][0] == '*' {
				s[[2]string{from, "*"}] = true
				continue
			}
			for _, name := range namesIn(string(m[1])) {
				switch file := imported[name[0]]; {
				case from != "":
					s[[2]string{from, name[0]}] = true
				case file != "":
					s[[2]string{file, name[0]}] = true
					queue = append(queue, file)
				}
			}
		}
	}
	return s
}

// namesIn returns the names of a list of exports or imports, each as it is called there and here.
func namesIn(list string) (names [][2]string) {
	for part := range strings.SplitSeq(strings.NewReplacer("{", "", "}", "").Replace(list), ",") {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(part), "type "))
		if len(words) > 0 {
			names = append(names, [2]string{words[0], words[len(words)-1]})
		}
	}
	return names
}

// resolve returns the file that a path means in another, or "".
func resolve(from, to string, there map[string]bool) string {
	at := path.Join(path.Dir(from), to)
	for _, plain := range []string{at, strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(at, ".mjs"), ".js"), ".ts")} {
		for _, end := range []string{"", ".ts", ".tsx", ".mts", ".js", ".mjs", "/index.ts", "/index.tsx", "/index.js"} {
			if there[plain+end] {
				return plain + end
			}
		}
	}
	return ""
}

// offers reports whether a package offers a declaration at the top of a file.
func (s scripts) offers(p, name string) bool {
	return s[[2]string{p, name}] || s[[2]string{p, "*"}]
}
