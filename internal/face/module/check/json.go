package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// encode writes a value as JSON.
func encode(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// holds reports whether an expression of the form ".path == value" is true of a
// body.
func holds(expr, body string) (bool, error) {
	left, right, ok := strings.Cut(expr, "==")
	if !ok {
		return false, fmt.Errorf("unsupported JSON expression syntax: %q (expected '.path == value')", expr)
	}
	v, err := decode(body)
	if err != nil {
		return false, errors.New("response body is not valid JSON")
	}
	for seg := range strings.SplitSeq(strings.TrimLeft(strings.TrimSpace(left), "."), ".") {
		if seg == "" {
			continue
		}
		object, _ := v.(map[string]any)
		if v, ok = object[seg]; !ok {
			return false, fmt.Errorf("JSON path '.%s' not found in response", seg)
		}
	}
	return same(v, literal(strings.TrimSpace(right))), nil
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
	gi, gerr := strconv.ParseInt(g.String(), 10, 64)
	wi, werr := strconv.ParseInt(w.String(), 10, 64)
	if gerr == nil || werr == nil {
		return gerr == nil && werr == nil && gi == wi
	}
	gf, gerr := strconv.ParseFloat(g.String(), 64)
	wf, werr := strconv.ParseFloat(w.String(), 64)
	return gerr == nil && werr == nil && gf == wf
}
