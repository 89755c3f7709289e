package check

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// A use is what a text is for, and so how values are put into it.
type use uint8

const (
	plain        use = iota // as they are
	texts                   // as they are, the environment's too
	inJSON                  // as parts of a JSON string, the environment's as they are
	inURL                   // escaped for their place in an address, the environment's as they are
	inExpression            // as parts of the string of a JSONPath expression that they are in
)

// raw after a name puts its value in as it is: ${next|raw} may be a whole query.
const raw = "|raw"

// lookup returns the value of a name: what a check captured, or else the row's, or else that of a variable or secret.
func (r *Runner) lookup(name string) (v string, known bool, err error) {
	if v, known, err = r.captures.lookup(name); known {
		return v, true, err
	}
	for _, values := range []map[string]string{r.row, r.vars} {
		if v, known = values[name]; known {
			return v, true, nil
		}
	}
	return "", false, nil
}

// expand puts into text what ${NAME} stands for: what lookup knows and, where the use
// has it, variables of the environment, also as ${NAME:-default}.
func (r *Runner) expand(s string, u use) (string, error) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "${")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		name, otherwise, has := strings.Cut(inside, ":-")
		bare, asIs := strings.CutSuffix(name, raw)
		if closed {
			v, known, err := r.lookup(bare)
			if known && err == nil && !asIs {
				v, err = escaped(b.String(), after, bare, v, u)
			}
			if err != nil {
				return "", Lasting(err)
			}
			if known {
				b.WriteString(v)
				s = after
				continue
			}
		}
		switch {
		case closed && !variable(bare) && text.Identifier(bare):
			if !has {
				return "", Lasting(r.unknown(bare))
			}
			b.WriteString(otherwise)
			s = after
			continue
		case !closed || u == plain || u == inExpression || !variable(name):
			b.WriteString("${")
			s = rest
			continue
		}
		v, set := r.Env(name)
		switch {
		case set && (v != "" || !has):
			b.WriteString(v)
		case has:
			b.WriteString(otherwise)
		default:
			return "", Lasting(fmt.Errorf("the environment variable %s is not set", name))
		}
		s = after
	}
}

// unknown is the error of a name that stands for nothing: sent as it is written, a typing error would be a request for something else.
func (r *Runner) unknown(name string) error {
	known := slices.Concat(slices.Collect(maps.Keys(r.row)), slices.Collect(maps.Keys(r.vars)))
	if r.captures != nil {
		known = slices.AppendSeq(known, maps.Keys(r.captures.by))
	}
	slices.Sort(known)
	if near := text.Nearest(name, known); near != "" {
		return fmt.Errorf("${%s} is not known: is it ${%s}?", name, near)
	}
	return fmt.Errorf("${%s} is not known: no variable, secret, column or captured value has that name", name)
}

// escaped returns a value as it is put between two texts, the second as it was written: a value that comes from a server or a table
// must not become a member more of a body, or another path.
func escaped(before, after, name, v string, u use) (string, error) {
	switch u {
	case inJSON:
		quoted, err := encode(v)
		return unquoted(quoted), err
	case inURL:
		_, rest, absolute := strings.Cut(before, "://")
		switch {
		case strings.Contains(before, "?"):
			return inQuery(v), nil
		case !absolute: // the address begins with the value
			return v, nil
		case strings.Contains(rest, "/"):
			return url.PathEscape(v), nil
		}
		return besideHost(rest, after, name, v)
	case inExpression:
		return inQuotes(before, v)
	}
	return v, nil
}

// inQuotes escapes a value for the string of a JSONPath expression that it is in, if it is
// in one. Behind the operator, what is in single quotes stands as it is.
func inQuotes(before, v string) (string, error) {
	if !isPath(before) {
		return v, nil // behind a path of names, quotes only enclose
	}
	quote, depth := byte(0), 0
	for i := 0; i < len(before); i++ {
		switch c := before[i]; {
		case c == '\\' && quote != 0:
			i++
		case c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		}
	}
	if quote == 0 || quote == '\'' && depth <= 0 {
		return v, nil
	}
	s, err := encode(v)
	if err != nil {
		return "", err
	}
	if s = unquoted(s); quote == '\'' {
		s = strings.NewReplacer(`\"`, `"`, `'`, `\'`, `\\`, `\\`).Replace(s)
	}
	return s, nil
}

// inQuery escapes all that means anything anywhere in an address.
func inQuery(v string) string { return strings.ReplaceAll(url.QueryEscape(v), "+", "%20") }

// besideHost returns a value as it is put into the part of an address that has the user,
// the host and the port. before is what that part has already.
func besideHost(before, after, name, v string) (string, error) {
	more := after
	if i := strings.IndexAny(more, "/?#\\"); i >= 0 {
		more = more[:i]
	}
	host := before[strings.LastIndexByte(before, '@')+1:]
	switch {
	case strings.Contains(more, "@"): // it is of the user or the password
		return inQuery(v), nil
	case host != "" && more == "" && v != "" && strings.IndexByte("/?", v[0]) >= 0: // it ends the host
		return v, nil
	case strings.ContainsAny(v, "/?#@\\"):
		return "", fmt.Errorf("the value of ${%s} cannot be in a host: it has one of / ? # @ \\, which would end the host or lead to another; ${%s|raw} puts it in as it is", name, name)
	case host != "" && strings.Contains(v, ":") && !strings.HasPrefix(host, "["):
		return "", fmt.Errorf("the value of ${%s} cannot follow a host: it has a colon, which would be a port; ${%s|raw} puts it in as it is", name, name)
	}
	return v, nil
}

// variable reports whether a name is one of an environment variable, in capitals: ${1} is a group of a regular expression.
func variable(name string) bool {
	for i := range len(name) {
		c := name[i]
		if (c < 'A' || c > 'Z') && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
