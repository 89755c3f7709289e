package paste

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// What a frame says of its function is written otherwise in each language, and names what
// compilers made of it: closures, lambdas, state machines. These functions return the name
// that the source has, and the innermost type that it is declared in; both are empty where
// it has none.

// javaFunction reads a class and a method of the virtual machine, of Java, Kotlin and Scala.
func javaFunction(class, method string) (owner, name string) {
	types := strings.Split(strings.TrimSuffix(class[strings.LastIndexByte(class, '.')+1:], "$"), "$")
	within := len(types)
	for within > 1 && strings.Trim(types[within-1], "0123456789") == "" {
		within--
	}
	anonymous := within < len(types)
	if anonymous && within > 1 && (method == "invokeSuspend" || method == "invoke") { // a lambda of Kotlin
		within--
		method, anonymous = types[within], false
	}
	if owner = types[within-1]; anonymous {
		owner = "" // its methods are declared in a method
	}
	switch parts := strings.Split(strings.TrimSuffix(method, "$default"), "$"); {
	case method == "<init>" || strings.HasPrefix(method, "lambda$new$"):
		return owner, owner
	case parts[0] == "access" || strings.HasPrefix(method, "<") || strings.HasPrefix(method, "lambda$static$"):
		return owner, ""
	case parts[0] == "lambda" && len(parts) > 1:
		name = parts[1]
	case strings.HasPrefix(method, "$anonfun$") && len(parts) > 2:
		name = parts[2]
	default:
		name = parts[0]
	}
	if strings.HasSuffix(owner, "Kt") { // functions of a file
		owner = ""
	}
	return owner, name
}

// generated is a name that C# makes of another: <Get>d__5, <Get>b__0_1, <Main>g__Local|0_0.
var generated = lazy.Regexp(`<(\w+)>[a-z]__(?:(\w+)\|)?`)

// csharpFunction reads a method with its namespace and types.
func csharpFunction(s string) (owner, name string) {
	if m := generated.FindStringSubmatchIndex(s); m != nil {
		name = s[m[2]:m[3]]
		if m[4] >= 0 {
			name = s[m[4]:m[5]]
		}
		s = s[:m[0]]
	} else {
		s, name = splitLast(s, ".")
	}
	for strings.HasSuffix(s, ".") || strings.HasSuffix(s, ">c") {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "."), "<>c")
	}
	_, owner = splitLast(strings.ReplaceAll(s, "+", "."), ".")
	owner, _, _ = strings.Cut(owner, "`")
	if name == "ctor" || name == "cctor" {
		name = owner
	}
	name, _, _ = strings.Cut(name, "[")
	return owner, name
}

// goFunction reads the line above the place of a frame of Go.
func goFunction(s string) (owner, name string) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "created by ")
	s, _, _ = strings.Cut(s, " in goroutine ")
	for i := 1; i < len(s); i++ {
		if s[i] == '(' && s[i-1] != '.' { // the arguments
			s = s[:i]
			break
		}
	}
	s = without(s, '[', ']')
	if strings.ContainsAny(s, " \t:") {
		return "", ""
	}
	parts := strings.Split(s[strings.LastIndexByte(s, '/')+1:], ".")[1:]
	for len(parts) > 1 && closure.MatchString(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return "", ""
	}
	if len(parts) > 1 {
		owner = strings.Trim(parts[len(parts)-2], "(*)")
	}
	return owner, strings.TrimSuffix(parts[len(parts)-1], "-fm")
}

var closure = lazy.Regexp(`^(?:func|gowrap|deferwrap)?\d+$`)

// numbered is what is before a function of a trace of Rust, and hashed what is behind it.
var (
	numbered = lazy.Regexp(`^\s*\d+:\s+(?:0x[0-9a-f]+ - )?`)
	hashed   = lazy.Regexp(`::h[0-9a-f]{16}$|::\{+[^}]*\}+$`)
)

// rustFunction reads the line above the place of a frame of Rust.
func rustFunction(s string) (owner, name string) {
	s = strings.TrimSpace(numbered.ReplaceAllString(s, ""))
	for hashed.MatchString(s) {
		s = hashed.ReplaceAllString(s, "")
	}
	if strings.HasPrefix(s, "<") { // <T as Trait>::f
		end := closing(s, '<', '>')
		of, _, _ := strings.Cut(without(s[1:max(1, end)], '<', '>'), " as ")
		_, owner = splitLast(strings.TrimSpace(of), "::")
		s = s[min(len(s), end+1):]
	}
	s = without(s, '<', '>')
	if strings.ContainsAny(s, " \t(") {
		return "", ""
	}
	of, name := splitLast(strings.TrimSuffix(s, "::"), "::")
	if _, last := splitLast(of, "::"); owner == "" && last != "" && last[0] >= 'A' && last[0] <= 'Z' {
		owner = last
	}
	return owner, name
}

// dottedFunction reads a name behind those of what it is in, whatever stands between them.
func dottedFunction(s string) (owner, name string) {
	s = strings.NewReplacer("::", ".", "->", ".", ".#", ".", "#", ".", `\`, ".", ":", ".").Replace(s)
	if strings.ContainsAny(s, "<{") { // <anonymous>, {closure}
		return "", ""
	}
	of, name := splitLast(s, ".")
	_, owner = splitLast(of, ".")
	return owner, name
}

// scriptFunction reads a function of JavaScript, which may be called by another name.
func scriptFunction(s, as string, constructs bool) (owner, name string) {
	switch owner, name = dottedFunction(s); {
	case constructs:
		return name, name
	case name == "" && as != "":
		name = as
	}
	switch owner {
	case "Object", "Module", "Function", "exports", "module", "global", "globalThis": // what is called on none
		owner = ""
	}
	return owner, name
}

// splitLast cuts a text at the last separator; one without is all behind it.
func splitLast(s, sep string) (before, after string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return "", s
}

// closing returns where the bracket at the beginning of a text is closed, or its end.
func closing(s string, open, end byte) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// without returns a text without what is between brackets.
func without(s string, open, end byte) string {
	for {
		i := strings.IndexByte(s, open)
		if i < 0 {
			return s
		}
		s = s[:i] + s[min(len(s), i+closing(s[i:], open, end)+1):]
	}
}
