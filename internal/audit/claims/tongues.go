package claims

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// How languages keep a declaration inside, and where they say what it is, where that is not as in most.

var (
	hsInner     = lazy.Regexp(`(?:^|/)Internals?(?:/|\.hs$)`)
	zigPassed   = lazy.Regexp(`(?m)^\s*pub (?:const \w+\s*=\s*|usingnamespace )@import\("([^"]+\.zig)"\)((?:\.\w+)*)\s*;`)
	zigTaken    = lazy.Regexp(`@import\("([^"]+\.zig)"\)`)
	zigAgain    = lazy.Regexp(`(?m)^\s*pub const \w+\s*=\s*\w+(?:\.\w+)*\.(\w+)\s*;`)
	hsInstance  = lazy.Regexp(`^\s*(?:deriving\s+(?:\w+\s+)*)?instance\b`)
	pragma      = lazy.Regexp(`^\{-#.*#-\}$`)
	infixHs     = lazy.Regexp(`^infix[lr]?\s`)
	hsSigned    = lazy.Regexp(`^\s*(?:[\w']+|\([^)\s]+\))(?:\s*,\s*(?:[\w']+|\([^)\s]+\)))*\s*::`)
	hsBehind    = lazy.Regexp(`--\s*\^\s*\w`)
	cljKept     = lazy.Regexp(`\(defn-|\(def[\w-]*\s+\^:(?:private|no-doc)\b|:private\s+true|:no-doc\s+true|\^:no-doc`)
	cljSpace    = lazy.Regexp(`(?m)^\(ns\s+\^(?::no-doc|\{[^}]*:no-doc true)`)
	cljInner    = lazy.Regexp(`(?:^|/)(?:impl|internal|private)(?:/|\.clj[cs]?$)`)
	podHead     = lazy.Regexp(`^=(?:head\d|item|method|func|attr)\b`)
	podBegins   = lazy.Regexp(`^=[a-z]\w*`)
	oneLine     = lazy.Regexp(`;\s*(?://.*|/\*.*\*/)?\s*$`)
	posixType   = lazy.Regexp(`^(?:nfds|ssize|pid|mode|off|socklen|uid|gid|u?seconds|key|dev|ino|sa_family|in_addr|in_port)_t$`)
	nativeTrait = lazy.Regexp(`^(?:(?:difference|value|size|key|mapped|allocator)_type|pointer|reference|const_(?:pointer|reference|iterator)|(?:reverse_|const_reverse_)?iterator(?:_category|_concept)?|c?r?(?:begin|end)|swap|type|is_transparent)$`)
	pyMember    = lazy.Regexp(`^(?:setdefault|pop|popitem|get|keys|items|values|update|clear|copy|append|extend|insert|remove|reverse|index|count|add|discard|send|throw|close|read|readline|readlines|write|writelines|seek|tell|flush|fileno|isatty)$`)
	jvmInner    = lazy.Regexp(`(?m)^package\s+(?:\w+\.)*(?:internal|impl)\b`)
	luaMeta     = lazy.Regexp(`^__\w+$`)
)

// ofTongue reports whether a language keeps a declaration inside, or fixes what it is, by rules of its own.
func (s *surface) ofTongue(d *Declaration, lines [][]byte) bool {
	line := lines[d.Line-1]
	if aliased(d, line) {
		return true
	}
	switch d.Language {
	case "haskell":
		return hsInner.MatchString(d.Path) || s.unexposed(d.Path) || hsInstance.Match(line) || inBodyOf(lines, d.Line-1, hsInstance)
	case "clojure":
		return d.Name[0] == '^' || d.Name[0] == '-' || cljKept.Match(line) || bytes.HasPrefix(line, []byte("(defmethod ")) || cljInner.MatchString(d.Path) || s.says(d.Path, cljSpace)
	case "perl":
		return s.pod(d.Path).in[d.Line-1]
	case "dart":
		return s.unpassed(d.Path)
	case "java", "kotlin", "scala":
		return s.says(d.Path, jvmInner)
	case "zig":
		owner, _, _ := strings.Cut(d.Qualified(), ".")
		return s.taken[d.Path] && !s.passedOn[d.Path] && !s.again[owner]
	case "lua":
		return luaMeta.MatchString(d.Name)
	case "c", "cpp", "objc":
		return posixType.MatchString(d.Name) || d.Scope != "" && nativeTrait.MatchString(d.Name)
	}
	return false
}

// saidElsewhere reports whether a language has what a declaration is elsewhere than right above it.
func (s *surface) saidElsewhere(d *Declaration, lines [][]byte) bool {
	at := d.Line - 1
	switch d.Language {
	case "haskell":
		return hsBehind.Match(lines[at]) || at+1 < len(lines) && hsBehind.Match(lines[at+1])
	case "clojure":
		for i := at; i < min(at+4, len(lines)); i++ {
			text := bytes.TrimSpace(lines[i])
			if i > at && (len(text) == 0 || lines[i][0] == '(') {
				break
			}
			if i > at && text[0] == '"' || i == at && bytes.Contains(text, []byte(` "`)) {
				return told([]string{string(bytes.Trim(text, `"`))}).says
			}
		}
	case "perl":
		return s.pod(d.Path).heads[d.Name]
	case "elixir":
		return bytes.HasPrefix(bytes.TrimSpace(lines[at]), []byte("defdelegate")) || (d.Name == "t" && d.Kind == "type" || d.Name == "__using__") && s.moduleSaid(lines, at)
	}
	return inGroup(lines, at, d.Language)
}

// says reports whether a file says of all that it has that it is for its project alone, in the words
// of its language.
func (s *surface) says(file string, words *lazy.Pattern) bool {
	inner, known := s.types[file]
	if !known {
		inner = words.Match(s.texts[file])
		s.types[file] = inner
	}
	return inner
}

// aliased reports whether a line gives a member of something its own name again: it is documented there.
func aliased(d *Declaration, line []byte) bool {
	switch d.Language {
	case "python", "javascript", "typescript", "ruby", "lua":
	default:
		return false
	}
	_, value, ok := strings.Cut(string(line), "=")
	value = strings.TrimRight(strings.TrimSpace(value), ";,")
	return ok && strings.HasSuffix(value, "."+d.Name) && dottedName.MatchString(value)
}

// inBodyOf reports whether a line is of the body of what begins as a pattern says.
func inBodyOf(lines [][]byte, at int, head *lazy.Pattern) bool {
	indent := func(i int) int { return len(lines[i]) - len(bytes.TrimLeft(lines[i], " \t")) }
	least := indent(at)
	for i := at - 1; i >= 0 && i > at-200 && least > 0; i-- {
		if len(bytes.TrimSpace(lines[i])) == 0 || indent(i) >= least {
			continue
		}
		if head.Match(lines[i]) {
			return true
		}
		least = indent(i)
	}
	return false
}

// signatureOf returns the line on which the signature of a definition of Haskell begins, or the definition's.
func signatureOf(lines [][]byte, at int) int {
	if hsSigned.Match(lines[at]) {
		return at
	}
	below := false // the signature goes on below its name
	for i := at - 1; i >= 0 && i > at-30; i-- {
		text := bytes.TrimSpace(lines[i])
		switch {
		case len(text) == 0, bytes.HasPrefix(lines[i], []byte("--")), bytes.HasSuffix(text, []byte("-}")) && !pragma.Match(text):
			return at
		case hsSigned.Match(lines[i]), below && lines[i][0] != ' ' && len(bytes.Fields(text)) == 1:
			return i
		case bytes.HasPrefix(text, []byte("::")):
			below = true
		case lines[i][0] != ' ' && lines[i][0] != '\t':
			return at
		}
	}
	return at
}

// A pod is what a file of Perl has of documentation.
type pod struct {
	in    []bool          // of each line: it is of documentation, and what it declares is an example
	heads map[string]bool // the words of its headings
}

func (s *surface) pod(file string) *pod {
	if s.pods[file] == nil {
		lines := s.lines(file)
		p := &pod{make([]bool, len(lines)), map[string]bool{}}
		in := false
		for i, line := range lines {
			if podBegins.Match(line) {
				in = !bytes.HasPrefix(line, []byte("=cut"))
			}
			if p.in[i] = in; in && podHead.Match(line) {
				for _, w := range nameRE.FindAllString(string(line), -1) {
					p.heads[w] = true
				}
			}
		}
		s.pods[file] = p
	}
	return s.pods[file]
}

// moduleSaid reports whether the module of Elixir around a line says what it is.
func (s *surface) moduleSaid(lines [][]byte, at int) bool {
	for i := at; i >= 0; i-- {
		if bytes.HasPrefix(bytes.TrimSpace(lines[i]), []byte("defmodule ")) {
			return moduleDoc(lines, i+1)
		}
	}
	return false
}

// inGroup reports whether a declaration of one line is in a run of such lines, without an empty line,
// that begins with a comment: it is of all of them.
func inGroup(lines [][]byte, at int, language string) bool {
	switch language {
	case "c", "cpp", "objc", "java", "csharp", "typescript", "php", "rust", "zig":
	default:
		return false
	}
	if !oneLine.Match(lines[at]) {
		return false
	}
	indent := func(i int) int { return len(lines[i]) - len(bytes.TrimLeft(lines[i], " \t")) }
	for i := at - 1; i >= 0 && i > at-40; i-- {
		text := bytes.TrimSpace(lines[i])
		switch {
		case len(text) == 0:
			return false
		case remarked.Match(text) || bytes.HasSuffix(text, []byte("*/")) && !oneLine.Match(text):
			return i < at-1 && told([]string{string(text)}).says
		case indent(i) != indent(at), !oneLine.Match(text):
			return false
		}
	}
	return false
}

// A cabal is what a package of Haskell exposes.
type cabal struct {
	dir     string
	modules []string // as files: "Data/Aeson.hs"
}

var (
	cabalModules = lazy.Regexp(`(?im)^[ \t]*exposed-modules[ \t]*:((?:[^\n]*\n)(?:[ \t]+[^\n:]*\n|[ \t]*\n)*)`)
	moduleName   = lazy.Regexp(`\b[A-Z][\w']*(?:\.[A-Z][\w']*)*`)
	dartExport   = lazy.Regexp(`(?m)^\s*export\s+['"]([^'"]+)['"]`)
)

// tongues takes what files that are neither code nor documents say of what is offered, and what files of
// Dart pass on.
func (s *surface) tongues(t *Tree) {
	for _, all := range [][]Source{t.Code, t.Aside} {
		for i := range all {
			f := &all[i]
			switch path.Ext(f.Path) {
			case ".cabal":
				c := cabal{dir: path.Dir(f.Path)}
				for _, m := range cabalModules.FindAllSubmatch(f.Text, -1) {
					for _, name := range moduleName.FindAllString(string(m[1]), -1) {
						c.modules = append(c.modules, strings.ReplaceAll(name, ".", "/")+".hs")
					}
				}
				s.cabals = append(s.cabals, c)
			case ".zig":
				at := path.Dir(f.Path)
				for _, m := range zigTaken.FindAllSubmatch(f.Text, -1) {
					s.taken[path.Join(at, string(m[1]))] = true
				}
				for _, m := range zigPassed.FindAllSubmatch(f.Text, -1) {
					if of := string(m[2]); of != "" {
						s.again[of[strings.LastIndexByte(of, '.')+1:]] = true
					} else {
						s.passedOn[path.Join(at, string(m[1]))] = true
					}
				}
				for _, m := range zigAgain.FindAllSubmatch(f.Text, -1) {
					s.again[string(m[1])] = true
				}
			case ".dart":
				for _, m := range dartExport.FindAllSubmatch(f.Text, -1) {
					to := string(m[1])
					if rest, ok := strings.CutPrefix(to, "package:"); ok {
						_, rest, _ = strings.Cut(rest, "/")
						s.passedOn["lib/"+rest] = true
						continue
					}
					s.passedOn[path.Join(path.Dir(f.Path), to)] = true
				}
			}
		}
	}
}

// unexposed reports whether a file of Haskell is a module that its package does not expose.
func (s *surface) unexposed(file string) bool {
	var of *cabal
	for i := range s.cabals {
		c := &s.cabals[i]
		if (c.dir == "." || strings.HasPrefix(file, c.dir+"/")) && (of == nil || len(c.dir) > len(of.dir) || of.dir == ".") {
			of = c
		}
	}
	return of != nil && len(of.modules) > 0 && !slices.ContainsFunc(of.modules, func(m string) bool { return strings.HasSuffix("/"+file, "/"+m) })
}

// unpassed reports whether a file of Dart is none that others can import, or is meant to be passed on and
// is not.
func (s *surface) unpassed(file string) bool {
	at := strings.LastIndex("/"+file, "/lib/")
	if at < 0 {
		return true
	}
	below := file[at:]
	return strings.HasPrefix(below, "lib/src/") && !s.passedOn[file] && !s.passedOn[below]
}
