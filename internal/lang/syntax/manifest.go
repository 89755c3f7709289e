package syntax

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// Manifest returns what a file that describes a package says of imports: Module is
// the package's name; what a tsconfig.json maps paths to and a package.json offers are
// Imports, the pattern as Path and its targets as Names. Not ok for other files.
func Manifest(name string, text []byte) (f corpus.Facts, ok bool) {
	base := path.Base(name)
	switch {
	case base == "go.mod":
		f.Module = after(text, "module")
	case base == "Cargo.toml":
		f.Module = crate(text)
	case base == "package.json":
		f = packageJSON(text)
	case strings.HasPrefix(base, "tsconfig") && strings.HasSuffix(base, ".json"):
		f = tsconfig(text)
	default:
		return f, false
	}
	return f, true
}

// after returns the word after a word that begins a line.
func after(text []byte, word string) string {
	for line := range bytes.Lines(text) {
		if w := strings.Fields(string(line)); len(w) > 1 && w[0] == word {
			return strings.Trim(w[1], "\"`")
		}
	}
	return ""
}

// crate returns the name in the package section of a Cargo.toml.
func crate(text []byte) string {
	in := false
	for line := range bytes.Lines(text) {
		l := strings.TrimSpace(string(line))
		if strings.HasPrefix(l, "[") {
			in = l == "[package]"
		} else if k, v, ok := strings.Cut(l, "="); ok && in && strings.TrimSpace(k) == "name" {
			v, _, _ = strings.Cut(v, "#")
			return strings.Trim(strings.TrimSpace(v), "\"'")
		}
	}
	return ""
}

func tsconfig(text []byte) (f corpus.Facts) {
	var c struct {
		CompilerOptions struct {
			BaseURL string              `json:"baseUrl"`
			Paths   map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
	}
	if json.Unmarshal(relaxed(text), &c) != nil {
		f.Missed = 1
		return f
	}
	base := c.CompilerOptions.BaseURL
	for from, to := range c.CompilerOptions.Paths {
		m := corpus.Import{Path: from, Kind: corpus.Relative, In: -1}
		for _, t := range to {
			m.Names = append(m.Names, corpus.Name{Name: path.Join(base, t)})
		}
		f.Imports = append(f.Imports, m)
	}
	sorting.Stable(f.Imports, func(a, b corpus.Import) int { return strings.Compare(a.Path, b.Path) })
	if base != "" {
		f.Imports = append(f.Imports, corpus.Import{Path: "*", Kind: corpus.Relative, Names: []corpus.Name{{Name: path.Join(base, "*")}}, In: -1})
	}
	return f
}

// relaxed returns JSON with comments and trailing commas as plain JSON.
func relaxed(text []byte) []byte {
	var out []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			out = append(out, text[i:end]...)
			i = end - 1
		case has(text[i:], "//"):
			n := bytes.IndexByte(text[i:], '\n')
			if n < 0 {
				return out
			}
			i += n - 1
		case has(text[i:], "/*"):
			n := bytes.Index(text[i:], []byte("*/"))
			if n < 0 {
				return out
			}
			i += n + 1
		case c == '}' || c == ']':
			if t := bytes.TrimRight(out, " \t\r\n"); len(t) > 0 && t[len(t)-1] == ',' {
				out = t[:len(t)-1]
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}
