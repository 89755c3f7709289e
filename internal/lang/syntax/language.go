package syntax

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/fault"
)

// Language returns the language of a file by its path and, where that says
// nothing, by its first bytes; "" where it is not known.
func Language(name string, head []byte) string {
	base := path.Base(name)
	if l, ok := byName[strings.ToLower(base)]; ok {
		return l
	}
	ext := strings.ToLower(path.Ext(base))
	switch {
	case ext == ".h" && cplusplus(head):
		return "cpp"
	case ext == ".ts" && isXML(head):
		return "xml" // a translation of Qt
	case ext == ".m" && !bytes.Contains(head, []byte("@interface")) && !bytes.Contains(head, []byte("@implementation")) && !bytes.Contains(head, []byte("#import")):
		return ""
	case ext == "" || len(ext) > 12:
		return shebang(head)
	}
	if l, ok := byExtension()[ext[1:]]; ok {
		return l
	}
	if strings.HasPrefix(strings.ToLower(base), "dockerfile") {
		return "dockerfile"
	}
	return shebang(head)
}

// specialMethods says which methods a language calls by its syntax, as an operator or a protocol, and which of those
// have calls that are read all the same.
var specialMethods = map[string]struct {
	prefix, suffix string
	called         []string
}{
	"python": {"__", "__", []string{"__init__", "__call__"}},
	"php":    {"__", "", []string{"__construct", "__invoke"}},
	"lua":    {"__", "", []string{"__call"}},
}

// IsSpecialMethod reports whether a language calls a method by its syntax: an operator, or a method of a protocol.
func IsSpecialMethod(language, name string) bool {
	m, ok := specialMethods[language]
	inside, begins := strings.CutPrefix(name, m.prefix)
	return OperatorSign(name) != "" || ok && begins && len(inside) > len(m.suffix) && strings.HasSuffix(inside, m.suffix)
}

// IsCalledWithoutName reports whether calls of a method do not have its name, and are not read.
func IsCalledWithoutName(language, name string) bool {
	return IsSpecialMethod(language, name) && !slices.Contains(specialMethods[language].called, name)
}

// OperatorSign returns the == of operator== and the bool of operator bool; "" for a name that is not of an operator.
func OperatorSign(name string) string {
	sign, ok := strings.CutPrefix(name, "operator")
	if !ok || sign == "" || !strings.Contains(` =!<>+-*/%&|^~()[],"`, sign[:1]) {
		return ""
	}
	return strings.TrimSpace(sign)
}

// PropertyOf returns the property whose value a language keeps in a field of a name; "" if there is none.
func PropertyOf(language, field string) string {
	if property, ok := strings.CutPrefix(field, "_"); ok && language == "objc" {
		return property
	}
	return ""
}

// Pointee returns the type that a type of a library points to, if the members of that are asked of it: T of QSharedPointer<T>.
func Pointee(language, typ string) string {
	open := strings.IndexByte(typ, '<')
	if !Has(language, "containers") || open <= 0 || !strings.HasSuffix(typ, ">") {
		return ""
	}
	name := typ[:open]
	name = name[1+strings.LastIndexByte(name, ':'):]
	inner := typ[open+1 : len(typ)-1]
	if Lists(language, "containers", name) || strings.ContainsAny(inner, "<,(") {
		return ""
	}
	return strings.TrimSpace(inner)
}

// isXML reports whether a text starts with a declaration of XML or of its type: no program does.
func isXML(head []byte) bool {
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(start, []byte("<?xml ")) || bytes.HasPrefix(start, []byte("<!DOCTYPE "))
}

// cplusplus reports whether the beginning of a header shows that it is not C.
func cplusplus(head []byte) bool {
	for _, w := range []string{"\nnamespace ", "\nclass ", "\ntemplate", "\nusing ", "public:", "\n#include <string>", "\n#include <vector>", "\n#include <memory>", "std::"} {
		if bytes.Contains(head, []byte(w)) {
			return true
		}
	}
	return false
}

func shebang(head []byte) string {
	if !bytes.HasPrefix(head, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(head[2:min(len(head), 200)], []byte("\n"))
	for f := range bytes.FieldsSeq(line) {
		name := strings.TrimRight(path.Base(string(f)), "0123456789.")
		switch name {
		case "sh", "bash", "zsh", "dash", "ksh", "bats":
			return "bash"
		case "python", "pypy":
			return "python"
		case "node", "deno", "bun":
			return "javascript"
		case "ruby", "perl", "php", "lua", "julia", "groovy", "elixir":
			return name
		case "luajit":
			return "lua"
		case "Rscript":
			return "r"
		}
	}
	return ""
}

// Prose reports whether a language is text for people.
func Prose(language string) bool { return Has(language, "prose") }

// Source reports whether files of a language are program text.
func Source(language string) bool {
	return language != "" && !Has(language, "data") && !Prose(language)
}

// Inert reports whether a language has neither functions nor imports to speak of.
func Inert(language string) bool { return Has(language, "inert") }

// Languages returns the names of the languages that lists name, with commas between them:
// nil of none.
func Languages(lists []string) (out map[string]bool, err error) {
	for _, list := range lists {
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			lang, ok := Canonical(name)
			if !ok {
				return nil, fault.New(fault.Usage, "unknown language %q", name).Or("names are like go, python, typescript; extensions work too")
			}
			if out == nil {
				out = map[string]bool{}
			}
			out[lang] = true
		}
	}
	return out, nil
}

// All returns the names of all languages, sorted.
func All() []string {
	return slices.Compact(slices.Sorted(maps.Values(byExtension())))
}

// Canonical returns the name of a language by a name that people use for it, or
// by an extension.
func Canonical(name string) (string, bool) {
	n := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), ".")
	if l, ok := aliases[n]; ok {
		return l, true
	}
	if l, ok := byExtension()[n]; ok {
		return l, true
	}
	if _, ok := grammars()[n]; ok {
		return n, true
	}
	for _, l := range byExtension() {
		if l == n {
			return n, true
		}
	}
	return "", false
}

var aliases = map[string]string{
	"golang": "go", "py": "python", "python3": "python", "node": "javascript", "jsx": "javascript", "ecmascript": "javascript", "tsx": "typescript",
	"rustlang": "rust", "c++": "cpp", "cxx": "cpp", "c#": "csharp", "cs": "csharp", "dotnet": "csharp", "shell": "bash", "zsh": "bash", "sh": "bash",
	"objective-c": "objc", "objectivec": "objc", "f#": "fsharp", "terraform": "hcl", "docker": "dockerfile", "makefile": "make", "viml": "vim", "vimscript": "vim",
	"proto": "protobuf", "restructuredtext": "rst", "plaintext": "text",
}

var byName = map[string]string{
	"makefile": "make", "gnumakefile": "make", "dockerfile": "dockerfile", "containerfile": "dockerfile", "rakefile": "ruby", "gemfile": "ruby", "podfile": "ruby",
	"vagrantfile": "ruby", "guardfile": "ruby", "brewfile": "ruby", "jenkinsfile": "groovy", "cmakelists.txt": "cmake", "build": "python", "build.bazel": "python",
	"workspace": "python", "sconstruct": "python", "go.mod": "gomod", "go.work": "gomod", "readme": "text", "license": "text", "copying": "text", "changes": "text",
	"changelog": "text", "authors": "text", ".bashrc": "bash", ".zshrc": "bash", ".profile": "bash", ".bash_profile": "bash", ".vimrc": "vim", "pkgbuild": "bash",
	".gitignore": "ini", ".gitattributes": "ini", ".editorconfig": "ini", "justfile": "make",
}

var byExtension = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(`go go
python py pyi pyw pyx
javascript js jsx mjs cjs
typescript ts tsx mts cts vue svelte
rust rs
java java
c c h
cpp cc cpp cxx c++ hpp hh hxx h++ ipp tpp inl cu cuh
csharp cs csx
ruby rb rake gemspec ru
php php phtml php5 inc
kotlin kt kts
swift swift
scala scala sc sbt
lua lua
bash sh bash zsh bats ksh
elixir ex exs
haskell hs lhs
zig zig zon
dart dart
sql sql
perl pl pm t
r r
julia jl
ocaml ml mli
clojure clj cljs cljc edn
erlang erl hrl
groovy groovy gradle
objc m mm
fsharp fs fsi fsx
powershell ps1 psm1
vim vim
make mk mak
cmake cmake
protobuf proto
graphql graphql gql
hcl tf tfvars hcl
nix nix
markdown md markdown mdx mdown
rst rst
asciidoc adoc asciidoc rdoc
text txt text
html html htm xhtml
css css scss sass less
json json jsonc json5
yaml yaml yml
toml toml
xml xml xsd xsl svg plist
ini ini cfg conf properties env
tex tex
org org
asm s asm
csv csv tsv
dockerfile dockerfile
`) {
		f := strings.Fields(line)
		for _, ext := range f[1:] {
			m[ext] = f[0]
		}
	}
	return m
})
