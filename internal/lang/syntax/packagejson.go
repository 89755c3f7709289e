package syntax

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// Bounds on what a package.json offers: packages of icons list thousands of files.
const (
	maxOffered  = 1000 // names
	maxTargets  = 16   // files for one of them
	maxNestings = 6    // conditions within conditions
)

// conditions are the keys of a package.json under which one of several files is offered, those
// first that lead to what programs run: what begins with "@" is what a project calls its own
// sources, and "" stands for keys that are not listed, for some runtime each.
var conditions = []string{"source", "@", "import", "module", "default", "node", "require", "", "development", "browser", "types", "typings"}

// packageJSON reads what a package is called and which of its files it offers by which names: an
// import has "name/part" as Path, "*" for any part, or "#part" for files of the package alone, and
// the files as Names, the best ones first. https://nodejs.org/api/packages.html
func packageJSON(text []byte) (f corpus.Facts) {
	var p struct {
		Name             string
		Exports, Imports any
		Main, Module     any
		Source, Types    any
		Typings          any
	}
	if json.Unmarshal(text, &p) != nil {
		f.Missed = 1
		return f
	}
	f.Module = p.Name
	offer := func(name string, from any) {
		var to []string
		if targets(from, 0, &to); len(to) == 0 || len(f.Imports) == maxOffered {
			return
		}
		m := corpus.Import{Path: name, Kind: corpus.Relative, In: -1}
		for _, t := range to {
			m.Names = append(m.Names, corpus.Name{Name: t})
		}
		f.Imports = append(f.Imports, m)
	}
	if parts, ok := p.Exports.(map[string]any); ok && slices.ContainsFunc(sortedKeys(parts), func(k string) bool { return strings.HasPrefix(k, ".") }) {
		for _, k := range sortedKeys(parts) {
			if part, ok := strings.CutPrefix(k, "."); ok && p.Name != "" {
				offer(p.Name+part, parts[k])
			}
		}
	} else if p.Name != "" {
		offer(p.Name, map[string]any{"source": p.Source, "default": []any{p.Exports, p.Module, p.Main}, "types": []any{p.Types, p.Typings}})
	}
	if parts, ok := p.Imports.(map[string]any); ok {
		for _, k := range sortedKeys(parts) {
			if strings.HasPrefix(k, "#") {
				offer(k, parts[k])
			}
		}
	}
	return f
}

// targets adds the files that a value of exports names, of whatever conditions.
func targets(v any, depth int, out *[]string) {
	if depth > maxNestings || len(*out) >= maxTargets {
		return
	}
	switch v := v.(type) {
	case string:
		if v != "" && !slices.Contains(*out, v) {
			*out = append(*out, v)
		}
	case []any:
		for _, x := range v {
			targets(x, depth+1, out)
		}
	case map[string]any:
		for _, c := range conditions {
			if c != "" && c != "@" {
				targets(v[c], depth+1, out)
				continue
			}
			for _, k := range sortedKeys(v) {
				if !slices.Contains(conditions, k) && strings.HasPrefix(k, "@") == (c == "@") {
					targets(v[k], depth+1, out)
				}
			}
		}
	}
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
