package apidoc

import (
	"cmp"
	"html"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/slice"
)

// Assembly is what Language says of the XML files that the compiler of C# puts beside an assembly: a package of NuGet has
// the comments of its sources in them, and not the sources.
const Assembly = "assembly"

const maxAssembly = 16 << 20 // bytes

// assembly reports whether a file of a package, as NuGet installs it, is beside an assembly: "lib/net8.0/Some.xml".
// Those in folders of their own are translations.
func assembly(p string) bool {
	parts := strings.Split(p, "/")
	return len(parts) == 3 && (parts[0] == "lib" || parts[0] == "ref") && strings.EqualFold(path.Ext(p), ".xml")
}

// OneTarget leaves out of the files of a package those of assemblies that are there for a better framework too: each of
// "lib/net8.0" and "lib/netstandard2.0" has most of the same comments.
func OneTarget(paths []string) []string {
	best := map[string]string{}
	for _, p := range paths {
		if assembly(p) {
			if have, ok := best[path.Base(p)]; !ok || better(p, have) {
				best[path.Base(p)] = p
			}
		}
	}
	if len(best) == 0 {
		return paths
	}
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return assembly(p) && best[path.Base(p)] != p })
}

// better reports whether the framework of one file is to be preferred: the newest .NET, then its standards, and the
// frameworks of Windows last.
func better(p, other string) bool {
	rank := func(p string) (kind, version int) {
		name, _, _ := strings.Cut(strings.ToLower(strings.Split(p, "/")[1]), "-")
		number := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
		major, minor, dotted := strings.Cut(number, ".")
		version = 100 * atoi(major)
		version += atoi(minor)
		switch kind := name[:len(name)-len(number)]; {
		case kind == "net" && dotted && atoi(major) >= 5:
			return 3, version
		case kind == "netstandard" || kind == "netcoreapp":
			return 2, version
		case kind == "net":
			return 1, atoi(major)
		}
		return 0, 0
	}
	kind, version := rank(p)
	kind2, version2 := rank(other)
	return cmp.Or(cmp.Compare(kind, kind2), cmp.Compare(version, version2), cmp.Compare(other, p)) > 0
}

// atoi returns a number, 0 of what is none.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

var (
	assemblyMember = lazy.Regexp(`(?s)<member\s+name="([TMPFE]):([^"]+)"\s*>(.*?)</member>`)
	arity          = lazy.Regexp("`+[0-9]+")
)

// members returns an entry for each member of an assembly that its XML file describes. The file says neither which members are
// private nor what a type is: what is described is taken for public, and nothing else is.
func members(data []byte) []Entry {
	if len(data) > maxAssembly {
		return nil
	}
	text := string(data)
	all := assemblyMember.FindAllStringSubmatchIndex(text, -1)
	types := map[string]bool{}
	for _, m := range all {
		if id, _, _ := strings.Cut(text[m[4]:m[5]], "("); text[m[2]] == 'T' {
			types[id] = true
		} else if at := strings.LastIndexByte(id, '.'); at > 0 { // its type may have no comment itself
			types[id[:at]] = true
		}
	}
	out := gathering{lang: "csharp"}
	line := lines(data)
	for _, m := range all {
		said := xmlDoc(text[m[6]:m[7]])
		kind, id := text[m[2]], html.UnescapeString(text[m[4]:m[5]])
		owner, name, arguments := memberOf(kind, id)
		if said.empty() || name == "" || name[0] == '_' || strings.ContainsAny(name, "<>") {
			continue
		}
		e := Entry{Line: line(m[4])}
		e.Title, e.Trail = assemblyTitle(types, owner, name)
		out.add(e, assemblySignature(kind, name, arguments, &said), said)
	}
	return out.entries()
}

// memberOf takes the name of a member apart: the type or namespace that it is of, its own, and what it takes.
func memberOf(kind byte, id string) (owner, name, arguments string) {
	id, _, _ = strings.Cut(id, "~") // what an operator turns its operand into
	if at := strings.IndexByte(id, '('); at >= 0 {
		id, arguments = id[:at], strings.TrimSuffix(id[at+1:], ")")
	}
	at := strings.LastIndexByte(id, '.')
	owner, name = id[:max(at, 0)], arity.ReplaceAllString(id[at+1:], "")
	if kind == 'M' && (name == "#ctor" || name == "#cctor") {
		name = arity.ReplaceAllString(owner[strings.LastIndexByte(owner, '.')+1:], "")
	}
	if i := strings.LastIndexByte(name, '#'); i >= 0 { // of an interface that is implemented by name: "System#IDisposable#Dispose"
		name = name[i+1:]
	}
	return owner, name, arguments
}

// assemblyTitle returns the title of a member and what is around it: its namespace and its types.
func assemblyTitle(types map[string]bool, owner, name string) (string, []string) {
	space := owner
	var of []string
	for types[space] {
		at := strings.LastIndexByte(space, '.')
		of = append([]string{arity.ReplaceAllString(space[at+1:], "")}, of...)
		space = space[:max(at, 0)]
	}
	var trail []string
	if space != "" {
		trail = append(trail, space)
	}
	title := name
	if len(of) > 0 {
		trail = append(trail, strings.Join(of, "."))
		title = strings.Join(of, ".") + "." + name
	}
	return title, append(trail, title)
}

// keywords are what C# calls some types of System.
var keywords = map[string]string{"String": "string", "Object": "object", "Boolean": "bool", "Int32": "int", "Int64": "long", "Byte": "byte", "Char": "char", "Double": "double",
	"Single": "float", "Decimal": "decimal", "UInt32": "uint", "UInt64": "ulong", "Int16": "short", "UInt16": "ushort", "SByte": "sbyte"}

var argumentName = lazy.Regexp("[A-Za-z_][A-Za-z0-9_.]*|`+[0-9]+")

// assemblySignature writes a member as it is called: the file has neither what it gives nor the names of what it takes but in
// what it says of them.
func assemblySignature(kind byte, name, arguments string, said *doc) string {
	if kind != 'M' {
		return name
	}
	var parts []string
	depth, from := 0, 0
	for i := 0; i <= len(arguments); i++ {
		switch {
		case i == len(arguments) || arguments[i] == ',' && depth == 0:
			if part := arguments[from:i]; part != "" {
				parts = append(parts, part)
			}
			from = i + 1
		case strings.IndexByte("{[(", arguments[i]) >= 0:
			depth++
		case strings.IndexByte("}])", arguments[i]) >= 0:
			depth--
		}
	}
	names := slice.Map(said.params, func(it item) string { return it.name })
	names = names[max(0, len(names)-len(parts)):] // those of types come first
	for i, part := range parts {
		part = argumentName.ReplaceAllStringFunc(strings.NewReplacer("{", "<", "}", ">", "@", "").Replace(part), func(s string) string {
			if s[0] == '`' {
				return "T" + strings.TrimLeft(s, "`0")
			}
			s = s[strings.LastIndexByte(s, '.')+1:]
			return cmp.Or(keywords[s], s)
		})
		if len(names) == len(parts) {
			part += " " + names[i]
		}
		parts[i] = part
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}
