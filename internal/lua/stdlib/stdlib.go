// Package stdlib holds the API modules that come with the program, as Lua source. Every
// function that a module's header describes is there, and every function that is there
// is described; what each sends is in testdata.
package stdlib

import (
	"embed"
	"strings"
)

//go:embed *.lua
var files embed.FS

// Names returns the modules in order: "grafana" for assay.grafana. What they share among
// themselves is not named; its files start with an underscore.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are part of the program
	}
	var names []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".lua"); !strings.HasPrefix(name, "_") {
			names = append(names, name)
		}
	}
	return names
}

// Source returns the text of a module, also of one that Names omits.
func Source(name string) ([]byte, bool) {
	src, err := files.ReadFile(name + ".lua")
	return src, err == nil
}
