package apidoc

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// TopNames returns the names at the top of a file that others can use; of a stub of Python those too that it imports.
func TopNames(p string, text []byte) (names []string) {
	if len(text) > maxSource {
		return nil
	}
	lang := syntax.Language(p, text)
	facts := syntax.Facts(p, lang, text)
	for i := range facts.Decls {
		if d := &facts.Decls[i]; d.Parent < 0 && d.Scope == "" && d.Exported && d.Traits&corpus.Local == 0 {
			names = append(names, d.Name)
		}
	}
	if lang != "python" {
		return names
	}
	for i := range facts.Imports {
		for _, name := range facts.Imports[i].Names {
			if name.Alias == name.Name || name.Alias == "" && isPackage(p) {
				names = append(names, name.Name)
			}
		}
	}
	return names
}
