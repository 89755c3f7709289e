package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/script/jsonpath"
)

// isPath reports whether a text begins with a JSONPath or one of its functions, and not with a path of names.
func isPath(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "$") || slices.ContainsFunc([]string{"length(", "count(", "value(", "match(", "search("}, func(f string) bool { return strings.HasPrefix(s, f) })
}

// operators stand between a JSONPath and what it is compared with; each before its prefix.
var operators = []string{"==", "!=", "<=", ">=", "<", ">", "contains ", "matches "}

// A comparison is a JSONPath expression, and what its value must be.
type comparison struct {
	left jsonpath.Expr
	op   string // "": there must be a value
	want any
}

func readComparison(expr string) (c comparison, err error) {
	var rest string
	if c.left, rest, err = jsonpath.Parse(strings.TrimSpace(expr)); err != nil {
		return c, err
	}
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return c, nil
	}
	for _, op := range operators {
		if right, ok := strings.CutPrefix(rest, op); ok {
			c.op, c.want = strings.TrimSpace(op), operand(strings.TrimSpace(right))
			break
		}
	}
	if c.op == "" {
		return c, fmt.Errorf("JSON expression %q: no operator in %q: ==, !=, <, <=, >, >=, contains and matches are known", expr, rest)
	}
	if c.op == "matches" {
		_, err = regexp.Compile(fmt.Sprint(c.want))
	}
	return c, err
}

// operand reads JSON, text in single quotes, or text as it is.
func operand(s string) any {
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	if v, err := decode(s); err == nil {
		return v
	}
	return s
}

// checkJSON returns why an expression could not be read. Those of paths of names are read when their check runs, as they always were.
func checkJSON(expr string) error {
	if !isPath(expr) || strings.Contains(expr, "${") {
		return nil
	}
	_, err := readComparison(expr)
	return err
}

func pathHolds(expr, body string) (got string, ok bool, err error) {
	c, err := readComparison(expr)
	if err != nil {
		return "", false, err
	}
	v, found, err := selectedBy(c.left, expr, body)
	switch {
	case err != nil:
		return "", false, err
	case !found:
		return "nothing", false, nil
	}
	if got, err = encode(v); err != nil {
		return "", false, err
	}
	switch text, isText := v.(string); c.op {
	case "":
		return got, v != false || !c.left.One(), nil
	case "matches":
		re, err := regexp.Compile(fmt.Sprint(c.want))
		return got, err == nil && isText && re.MatchString(text), err
	case "contains":
		if list, ok := v.([]any); ok {
			return got, slices.ContainsFunc(list, func(one any) bool { return jsonpath.Compare(one, "==", c.want) }), nil
		}
		return got, isText && strings.Contains(text, fmt.Sprint(c.want)), nil
	}
	return got, jsonpath.Compare(v, c.op, c.want), nil
}

// selected returns what a JSONPath finds: one value, or the list of all where it may be several; found is false if there is none.
func selected(path, body string) (v any, found bool, err error) {
	e, _, err := jsonpath.Parse(strings.TrimSpace(path))
	if err != nil {
		return nil, false, err
	}
	return selectedBy(e, path, body)
}

func selectedBy(e jsonpath.Expr, shown, body string) (v any, found bool, err error) {
	root, err := decode(body)
	if err != nil {
		return nil, false, errNotJSON
	}
	values, err := e.Values(root)
	switch {
	case err != nil:
		return nil, false, fmt.Errorf("%s: %w", shown, err)
	case len(values) == 0:
		return nil, false, nil
	case e.One():
		return values[0], true, nil
	}
	return values, true, nil
}
