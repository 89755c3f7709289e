package discover

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
)

// Globs are patterns as an ignore file has them, for paths rather than for a
// walk: a pattern that matches a folder matches what is in it. Beyond an ignore
// file they may have alternatives, as ripgrep's have: {a,b} is a or b, and each of
// the two may be empty, a pattern or alternatives again.
type Globs struct{ set *patterns }

// NewGlobs compiles patterns. One that an ignore file would take for a comment or
// a negation is taken literally. One that no path can match, such as a class that
// does not end, is an error: an ignore file may have it, a question is mistaken.
func NewGlobs(globs []string) (Globs, error) {
	var b strings.Builder
	for _, g := range globs {
		all, why := alternatives(g)
		if why != "" {
			return Globs{}, fault.New(fault.Usage, "the glob %.80q %s", g, why).Or(`alternatives are {a,b}, a class is [ab]; \{ and \[ are the characters themselves`)
		}
		// Where a pattern has a slash, every one of its alternatives is a path.
		path := strings.Contains(strings.TrimSuffix(g, "/"), "/")
		for _, one := range all {
			if _, sound := parseGlob(one, path); !sound {
				return Globs{}, fault.New(fault.Usage, "no path can match the glob %.80q", g).Or(`a \ needs something after it; \\ is the character itself`)
			}
			switch {
			case path && one != "" && !strings.Contains(strings.TrimSuffix(one, "/"), "/"):
				b.WriteByte('/')
			case strings.HasPrefix(one, "#") || strings.HasPrefix(one, "!"):
				b.WriteByte('\\')
			}
			b.WriteString(strings.ReplaceAll(one, "\n", "?") + "\n")
		}
	}
	return Globs{parsePatterns([]byte(b.String()))}, nil
}

// mostAlternatives bounds what one glob may stand for: twenty pairs of braces
// would be a million patterns.
const mostAlternatives = 1000

// alternatives returns the patterns without braces that a glob stands for, or what
// is wrong with its braces.
func alternatives(glob string) (all []string, why string) {
	all, rest, why := alternate(glob, 0)
	if why == "" && rest != "" {
		why = "has a } without its {"
	}
	return all, why
}

// alternate reads a glob up to its end or, inside braces, up to the comma or brace
// that ends this alternative, and returns what is left of the glob.
func alternate(glob string, depth int) (all []string, rest, why string) {
	all = []string{""}
	extend := func(s string) {
		for i := range all {
			all[i] += s
		}
	}
	for glob != "" {
		n := strings.IndexAny(glob, `\[{},`)
		if n < 0 {
			n = len(glob)
		}
		switch c := glob[0]; {
		case n > 0:
		case c == '\\' && len(glob) > 1:
			n = 2
		case c == '[':
			if _, n = parseClass(glob); n == 0 {
				return nil, "", "has a [ without its ]"
			}
		case c == '}', c == ',' && depth > 0:
			return all, glob, ""
		case c == '{':
			var inner []string
			if inner, glob, why = group(glob[1:], depth+1); why != "" {
				return nil, "", why
			}
			if len(all)*len(inner) > mostAlternatives {
				return nil, "", "expands to more than 1000 patterns"
			}
			longer := make([]string, 0, len(all)*len(inner))
			for _, a := range all {
				for _, b := range inner {
					longer = append(longer, a+b)
				}
			}
			all = longer
			continue
		default:
			n = 1
		}
		extend(glob[:n])
		glob = glob[n:]
	}
	return all, "", ""
}

// group reads what follows an opening brace up to the one that closes it.
func group(glob string, depth int) (all []string, rest, why string) {
	for depth <= mostAlternatives {
		one, rest, why := alternate(glob, depth)
		switch {
		case why != "":
			return nil, "", why
		case rest == "":
			return nil, "", "has a { without its }"
		case len(all)+len(one) > mostAlternatives:
			return nil, "", "expands to more than 1000 patterns"
		}
		all = append(all, one...)
		if rest[0] == '}' {
			return all, rest[1:], ""
		}
		glob = rest[1:]
	}
	return nil, "", "has more than 1000 braces in one another"
}

// Match reports whether a pattern matches a path, slash-separated and relative.
func (g Globs) Match(path string) bool {
	if g.set == nil {
		return false
	}
	full := []byte(path)
	for name := 0; ; {
		end := len(full)
		if i := strings.IndexByte(path[name:], '/'); i >= 0 {
			end = name + i
		}
		if g.set.match(full[:end], full[name:end], end < len(full)) != nil {
			return true
		}
		if end == len(full) {
			return false
		}
		name = end + 1
	}
}
