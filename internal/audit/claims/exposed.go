package claims

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// What looks exported by its form alone, and what is said of a declaration elsewhere than above it.

var (
	csharpType = lazy.Regexp(`\b(?:public|protected)\b[\w \t]*\b(?:class|struct|interface|record|enum|delegate)\s+(?:class\s+|struct\s+)?(\w+)`)
	rubyLocal  = lazy.Regexp(`^\s*[a-z_]\w*\s*=[^=~>]`)
	rubyDo     = lazy.Regexp(`\bdo\b\s*(?:\|[^|]*\|)?\s*$`)
	// Blocks whose methods are those of a class.
	rubyDefines = lazy.Regexp(`\b(?:class_methods|included|prepended|class_eval|instance_eval|module_eval|class_exec|refine|new|define|helpers|on_load)\b`)
)

// inBlock reports whether a method of Ruby is defined in a block: it is of what the block makes.
func inBlock(lines [][]byte, at int) bool {
	indent := func(i int) int { return len(lines[i]) - len(bytes.TrimLeft(lines[i], " \t")) }
	least := indent(at)
	for i := at - 1; i >= 0 && least > 0; i-- {
		if text := bytes.TrimSpace(lines[i]); len(text) == 0 || text[0] == '#' || indent(i) >= least {
			continue
		}
		least = indent(i)
		if rubyDo.Match(lines[i]) {
			return !rubyDefines.Match(lines[i])
		}
	}
	return false
}

// composer takes the folders that a package of PHP loads by itself: what is elsewhere are scripts.
func (s *surface) composer(f *Source) {
	var m struct {
		Autoload map[string]any `json:"autoload"`
	}
	if json.Unmarshal(f.Text, &m) != nil {
		return
	}
	for _, v := range m.Autoload {
		eachFileName(v, func(at string) { s.loaded[path.Join(path.Dir(f.Path), at)] = true })
	}
}

// eachFileName calls put with the strings below a field of a manifest.
func eachFileName(v any, put func(string)) {
	switch v := v.(type) {
	case string:
		put(v)
	case map[string]any:
		for _, x := range v {
			eachFileName(x, put)
		}
	case []any:
		for _, x := range v {
			eachFileName(x, put)
		}
	}
}

func (s *surface) outsideAutoload(file string) bool {
	for at := file; ; at = path.Dir(at) {
		if s.loaded[at] {
			return false
		}
		if at == "." || at == "/" {
			return len(s.loaded) > 0
		}
	}
}

// borrowed reports whether a file is in a folder that has a licence of its own and no manifest: it
// is a copy of another project.
func (s *surface) borrowed(file string) bool {
	for at := path.Dir(file); at != "." && at != "/"; at = path.Dir(at) {
		if s.copied[at] {
			return true
		}
	}
	return false
}

// stubs says of what a stub of Python declares, and of what an extension of Swift gives a protocol,
// whether a comment documents it where it is defined.
func (s *surface) stubs(all, offered []Declaration) {
	stub := func(d *Declaration) bool { return strings.HasSuffix(d.Path, ".pyi") }
	said := map[string]bool{}
	for i := range all {
		d := &all[i]
		if lines := s.lines(d.Path); (d.Language == "python" && !stub(d) || d.Language == "swift" && d.Scope != "") && d.Line > 0 && d.Line <= len(lines) && !said[d.Qualified()] {
			said[d.Qualified()] = remarkOf(lines, d.Line-1, d.Language).says
		}
	}
	for i := range offered {
		if d := &offered[i]; stub(d) || d.Language == "swift" && d.Scope != "" {
			d.Comment = d.Comment || said[d.Qualified()]
		}
	}
}
