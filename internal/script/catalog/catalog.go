// Package catalog knows the Lua modules that a script may require: where they lie,
// what their headers say of them, and which of them answers a question.
//
// Two search engines stand behind one interface. They are given the same terms, so that a question has the same first answer whichever
// of them answers it. No code is run, and the disk holds nothing but a cache of the terms of modules in large folders.
package catalog

import (
	"path"
	"strings"
)

// A Source is where a module comes from. The lower wins where two have one name.
type Source uint8

// The sources, in the order in which a name is looked up in them.
const (
	Project Source = iota // the modules folder of the working directory
	Global                // the user's folder
	BuiltIn               // in the program
	Library               // folders that add and never shadow
)

var sources = [...]string{Project: "project", Global: "global", BuiltIn: "built-in", Library: "library"}

func (s Source) String() string { return sources[s] }

// prefix is what the name of every module begins with.
const prefix = "assay."

// A Module is one file of Lua.
type Module struct {
	Name   string // "assay.grafana", after the file's name and not its header
	Source Source
	Path   string // of the file; of a built-in module, its name and .lua
	// Shadowed says that a source that comes first has a module of this name.
	Shadowed bool

	outline string // its header and the heads of its functions
	fields  Fields // what it is found by, unless counted is
	counted *tally // of the question that Skim was given
	skimmed bool   // there is no outline
}

// Meta returns what the text of a module that Discover found says of it. The lines of its functions are not known.
func (m *Module) Meta() Meta {
	meta := Parse(m.outline)
	for i := range meta.Functions {
		meta.Functions[i].Line = 0
	}
	return meta
}

// Short returns the name without what all names begin with.
func (m *Module) Short() string { return strings.TrimPrefix(m.Name, prefix) }

// Chunk returns what error messages call the module's text.
func (m *Module) Chunk() string {
	if m.Source == BuiltIn {
		return path.Join("assay", m.Path)
	}
	return m.Path
}

// Stem returns the file's name, without its ending, that a name given to require means: "grafana" for both "assay.grafana" and
// "grafana". It is "" for a name that can be no module's: there are no folders in a folder of modules.
func Stem(name string) string {
	name = strings.TrimPrefix(name, prefix)
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-') {
			return ""
		}
	}
	if len(name) > maxName {
		return ""
	}
	return name
}

const maxName = 100 // bytes
