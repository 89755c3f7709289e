package claims

import (
	"bytes"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

var (
	decorated = lazy.Regexp(`^\s*(?:@[\w.]+|#\[|\[\w|template\s*<|\)\s*$)`)
	remarked  = lazy.Regexp(`^\s*(?://+!?|#+(?:[^\[]|$)|--|\*|/\*\*?|;+|%+|"""|''')`)
	directive = lazy.Regexp(`(?i)^\W*(?:go:\w|nolint|noinspection|eslint|tslint|prettier|rubocop|type:\s*ignore|pylint|noqa|frozen_string_literal|encoding:|-\*-|ts-(?:ignore|expect|nocheck)|istanbul|clang-format|(?:end)?region\b|todo\b|fixme\b|swiftlint|ktlint|phpcs|checkstyle|nosonar|mark:|spdx|copyright|licensed? under)`)
	tag       = lazy.Regexp(`^[\s*/#;%-]*@(\w+)`)
	attribute = lazy.Regexp(`^\s*(?:attr_\w+|module_function|class\s*<<\s*self|private_class_method)\b`)
)

// A saying is what stands above a declaration: comments, and attributes with them.
type saying struct {
	all  string // with the attributes
	says bool   // somebody is told something, by words that are no directive
}

// remarkOf returns the comment above a declaration, or the text that begins its body in
// languages that document there. What is between both and belongs to the declaration is
// passed over: attributes, a macro or a type on a line of its own, the body of a type that
// is named at its end, the lines before in a group of Go that has one comment.
func remarkOf(lines [][]byte, at int, language string) saying {
	if syntax.Has(language, "comments-of-groups") {
		if out, ok := groupOf(lines, at); ok {
			return told(out)
		}
	}
	out := above(lines, at, language)
	if syntax.Has(language, "text-in-body") {
		out = append(out, bodyText(lines, at)...)
	}
	return told(out)
}

// above returns the comment and the attributes that end above a line.
func above(lines [][]byte, at int, language string) (out []string) {
	closed, blank := false, false
	for i := at - 1; i >= 0 && i >= at-60; i-- {
		line := lines[i]
		text := bytes.TrimSpace(line)
		closed = closed || bytes.HasSuffix(text, []byte("*/"))
		isFirst := len(text) == 0 && len(out) == 0 // an empty line above the declaration
		switch {
		case closed:
		case len(out) == 0 && syntax.Has(language, "blank-below-comment") && attribute.Match(line):
			continue
		case len(text) > 0 && text[0] == '#' && syntax.Has(language, "preprocessor"):
			return backwards(out)
		case len(text) > 0 && text[0] == '#' && syntax.Has(language, "directives-between"):
			continue // so between a declaration and its comment
		case isFirst && !blank && i > 3 && remarked.Match(lines[i-1]) && syntax.Has(language, "blank-below-comment"):
			blank = true // RDoc takes a comment that an empty line follows
			continue
		case isFirst && i > 0 && documentary(lines, i-1, language), isFirst && i == at-1 && isBegun(lines, at, language):
			continue
		case endsArguments(text, language, len(out) == 0) && annotated(lines, i) < i:
			i = annotated(lines, i)
			continue
		case len(text) == 0, !remarked.Match(line) && !decorated.Match(line):
			return backwards(out)
		}
		out = append(out, string(text))
		if bytes.HasPrefix(text, []byte("/*")) {
			closed = false
		}
	}
	return backwards(out)
}

// isBegun reports whether a comment of a group, above an empty line, begins with the name that a line declares.
func isBegun(lines [][]byte, at int, language string) bool {
	return at >= 2 && syntax.Has(language, "comments-of-groups") && begunWith(lines, at-2, lines[at])
}

// endsArguments reports whether a line may end the arguments of an attribute: it begins with the bracket, or ends with it, right above.
func endsArguments(text []byte, language string, isFirst bool) bool {
	if bytes.HasPrefix(text, []byte(")")) && len(text) < 4 {
		return true
	}
	return isFirst && syntax.Has(language, "inner-packages") && bytes.HasSuffix(text, []byte(")"))
}

// documentary reports whether a block of a documenting comment ends on a line: tools take it
// for the declaration after it, across empty lines.
func documentary(lines [][]byte, at int, language string) bool {
	if !syntax.Has(language, "documenting-comments") || !bytes.HasSuffix(bytes.TrimSpace(lines[at]), []byte("*/")) {
		return false
	}
	for i := at; i >= 0 && i > at-60; i-- {
		if text := bytes.TrimSpace(lines[i]); bytes.HasPrefix(text, []byte("/*")) {
			// What heads a file is of the file.
			return bytes.HasPrefix(text, []byte("/**")) && i > 0
		}
	}
	return false
}

// begunWith reports whether a comment of Go that ends on a line begins with a name that another line
// declares: it is of that, across an empty line.
func begunWith(lines [][]byte, at int, declares []byte) bool {
	i := at
	for i > 0 && bytes.HasPrefix(lines[i], []byte("//")) && bytes.HasPrefix(lines[i-1], []byte("//")) {
		i--
	}
	words := bytes.Fields(bytes.TrimPrefix(lines[i], []byte("//")))
	return bytes.HasPrefix(lines[i], []byte("// ")) && len(words) > 1 && slices.Contains(nameRE.FindAllString(string(declares), -1), string(words[0]))
}

// annotated returns the line on which the annotation begins that ends on a line, or that line.
func annotated(lines [][]byte, at int) int {
	depth := 0
	for i := at; i >= 0 && i > at-20; i-- {
		depth += bytes.Count(lines[i], []byte(")")) - bytes.Count(lines[i], []byte("("))
		if depth <= 0 {
			if decorated.Match(lines[i]) {
				return i
			}
			break
		}
	}
	return at
}

func backwards(out []string) []string {
	slices.Reverse(out)
	return out
}

// groupOf returns what is said of a line in a group of Go: the comment above it or above one
// that it follows, else that of the group.
func groupOf(lines [][]byte, at int) (out []string, ok bool) {
	if !bytes.HasPrefix(lines[at], []byte("\t")) {
		return nil, false
	}
	for i := at - 1; i >= 0 && i >= at-400; i-- {
		text := bytes.TrimSpace(lines[i])
		switch {
		case slices.ContainsFunc([]string{"const (", "var (", "type ("}, func(head string) bool { return bytes.HasPrefix(lines[i], []byte(head)) }):
			return append(above(lines, i, "go"), backwards(out)...), true
		case len(text) > 0 && lines[i][0] != '\t' && !remarked.Match(lines[i]):
			return nil, false
		case bytes.HasPrefix(text, []byte("//")) && (len(out) == 0 || bytes.HasPrefix(bytes.TrimSpace(lines[i+1]), []byte("//"))):
			out = append(out, string(text))
		}
	}
	return nil, false
}

// bodyText returns the text that begins the body of a definition of Python.
func bodyText(lines [][]byte, at int) (out []string) {
	for i := at; i < min(at+12, len(lines)); i++ {
		if text := bytes.TrimSpace(lines[i]); bytes.HasPrefix(text, []byte(`"""`)) || bytes.HasPrefix(text, []byte(`'''`)) || bytes.HasPrefix(text, []byte(`r"""`)) {
			out = append(out, string(text))
			if i+1 < len(lines) {
				out = append(out, string(lines[i+1]))
			}
			break
		} else if i > at && bytes.HasSuffix(bytes.TrimSpace(lines[i-1]), []byte(":")) && len(text) > 0 {
			if text[0] == '"' || text[0] == '\'' {
				out = append(out, string(text))
			}
			break
		}
	}
	return out
}

// told decides whether lines say something: a word of their own, or three of any kind.
func told(lines []string) saying {
	r := saying{all: strings.Join(lines, "\n")}
	for _, line := range lines {
		if directive.MatchString(line) || decorated.MatchString(line) && !strings.Contains(line, "doc") {
			continue
		}
		words, least := 0, 3
		if m := tag.FindStringSubmatch(line); m != nil && !strings.HasSuffix(m[1], "doc") && m[1] != "brief" && m[1] != "summary" {
			line, least = strings.Replace(line, "@"+m[1], "", 1), 4
			switch m[1] {
			case "deprecated", "see", "link":
				least = 1 // it leads to what is said
			case "return", "returns":
				if result(line) {
					r.says = true
				}
			}
		}
		text.Words([]byte(line), func(b []byte) {
			if len(b) > 1 {
				words++
			}
		})
		if words >= least || least == 3 && len(contentPlain(line)) > 0 {
			r.says = true
			break
		}
	}
	return r
}

// result reports whether what follows the tag of a result says more than its type.
func result(s string) bool {
	words := strings.Fields(strings.Trim(s, "*/# \t"))
	if len(words) > 0 && (len(words) == 1 || strings.ContainsAny(words[0], `|$\[]<>{}?`)) {
		words = words[1:]
	}
	return len(words) > 2 && len(contentPlain(strings.Join(words, " "))) > 0
}
