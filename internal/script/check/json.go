package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/script/jsonpath"
)

var errNotJSON = errors.New("response body is not valid JSON")

// encode writes a value as JSON.
func encode(v any) (string, error) {
	b, err := codec.MarshalPlain(v)
	return string(b), err
}

// holds reports whether an expression is true of a body, and what was found where that helps: ".path == value", or a JSONPath (RFC
// 9535) or one of its functions before the operator. In place of == stands !=, <, <=, > or >=, between blanks, and behind a JSONPath
// contains or matches.
func holds(expr, body string) (got string, ok bool, err error) {
	if isPath(expr) {
		return pathHolds(expr, body)
	}
	left, op, right := cut(expr)
	if op == "" {
		return "", false, errSyntax(expr)
	}
	v, err := value(left, body)
	if err != nil {
		return "", false, err
	}
	want := literal(strings.TrimSpace(right))
	switch op {
	case "==":
		return "", same(v, want), nil
	case "!=":
		return "", !same(v, want), nil
	}
	order, ok := compare(v, want)
	if !ok {
		return "", false, fmt.Errorf("JSON expression %q compares what is not two numbers or two strings", expr)
	}
	switch op {
	case "<":
		return "", order < 0, nil
	case "<=":
		return "", order <= 0, nil
	case ">":
		return "", order > 0, nil
	}
	return "", order >= 0, nil
}

func errSyntax(expr string) error {
	return fmt.Errorf("unsupported JSON expression syntax: %q (expected '.path == value')", expr)
}

// cut cuts an expression at its first operator: == wherever it stands, others between blanks, as a name may hold them.
func cut(expr string) (left, op, right string) {
	at := len(expr)
	for _, o := range []string{"==", " != ", " <= ", " >= ", " < ", " > "} {
		if i := strings.Index(expr, o); i >= 0 && i < at {
			at, op = i, o
		}
	}
	if op == "" {
		return expr, "", ""
	}
	return expr[:at], strings.TrimSpace(op), expr[at+len(op):]
}

// compare orders two numbers, or two strings.
func compare(a, b any) (order int, ok bool) {
	x, isNumber := a.(json.Number)
	y, also := b.(json.Number)
	if isNumber && also {
		return jsonpath.Order(x, y), true
	}
	s, isText := a.(string)
	t, also := b.(string)
	return strings.Compare(s, t), isText && also
}

// decode reads one JSON value; its numbers stay as they are written.
func decode(body string) (v any, err error) {
	dec := json.NewDecoder(strings.NewReader(body))
	dec.UseNumber()
	if err = dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return v, nil
}

// literal reads the right side of an expression.
func literal(s string) any {
	switch s {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil && strings.Trim(s, "0123456789+-.eE") == "" {
		return json.Number(s)
	}
	return s
}

// same compares as JSON does: 1 is not 1.0.
func same(got, want any) bool {
	g, isNumber := got.(json.Number)
	w, also := want.(json.Number)
	if !isNumber || !also {
		switch got.(type) {
		case map[string]any, []any:
			return false
		}
		return isNumber == also && got == want
	}
	return integer(g) == integer(w) && jsonpath.Order(g, w) == 0
}

// integer reports whether a number is written as one.
func integer(n json.Number) bool { return !strings.ContainsAny(n.String(), ".eE") }
