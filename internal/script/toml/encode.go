package toml

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

var errNull = errors.New("TOML has no null: remove the member or set a value")

// Encode writes a document: the values of each table by their names, then the tables in it.
func Encode(m map[string]any) ([]byte, error) {
	return appendTable(nil, nil, m)
}

func appendTable(b []byte, path []string, m map[string]any) ([]byte, error) {
	if len(path) > maxDepth {
		return nil, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	names := slices.Sorted(maps.Keys(m))
	err := checkNames(names)
	for _, k := range names {
		if err != nil || isSection(m[k]) {
			continue
		}
		b = append(appendKey(b, k), " = "...)
		if b, err = appendValue(b, m[k], len(path)); err != nil {
			return nil, err
		}
		b = append(b, '\n')
	}
	if err != nil {
		return nil, err
	}
	for _, k := range names {
		within := append(slices.Clone(path), k)
		switch v := m[k].(type) {
		case map[string]any:
			if b, err = appendTable(appendHeader(b, within, "[", "]"), within, v); err != nil {
				return nil, err
			}
		case []any:
			if !isSection(v) {
				continue
			}
			for _, e := range v {
				item, _ := e.(map[string]any)
				if b, err = appendTable(appendHeader(b, within, "[[", "]]"), within, item); err != nil {
					return nil, err
				}
			}
		}
	}
	return b, nil
}

func checkNames(names []string) error {
	for _, k := range names {
		if !utf8.ValidString(k) {
			return fmt.Errorf("the name %.40q is not UTF-8", k)
		}
	}
	return nil
}

// isSection reports whether a value has headers of its own: a table, or a list of tables.
func isSection(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return true
	case []any:
		return len(v) > 0 && !slices.ContainsFunc(v, func(e any) bool {
			_, ok := e.(map[string]any)
			return !ok
		})
	}
	return false
}

func appendHeader(b []byte, path []string, before, after string) []byte {
	if len(b) > 0 {
		b = append(b, '\n')
	}
	b = append(b, before...)
	for i, k := range path {
		if i > 0 {
			b = append(b, '.')
		}
		b = appendKey(b, k)
	}
	return append(append(b, after...), '\n')
}

func appendKey(b []byte, k string) []byte {
	for i := range len(k) {
		if !isBare(k[i]) {
			return appendString(b, k)
		}
	}
	if k == "" {
		return append(b, `""`...)
	}
	return append(b, k...)
}

func appendValue(b []byte, v any, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	switch v := v.(type) {
	case nil:
		return nil, errNull
	case bool:
		return strconv.AppendBool(b, v), nil
	case int64:
		return strconv.AppendInt(b, v, 10), nil
	case float64:
		return appendFloat(b, v), nil
	case string:
		if !utf8.ValidString(v) {
			return nil, fmt.Errorf("the string %.40q is not UTF-8; base64.encode makes text of bytes", v)
		}
		return appendString(b, v), nil
	case []any:
		return appendList(b, v, depth+1)
	case map[string]any:
		return appendBraces(b, v, depth+1)
	}
	return nil, fmt.Errorf("a %T has no form in TOML", v)
}

func appendList(b []byte, list []any, depth int) (_ []byte, err error) {
	b = append(b, '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		if b, err = appendValue(b, e, depth); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendBraces(b []byte, m map[string]any, depth int) (_ []byte, err error) {
	b = append(b, '{')
	names := slices.Sorted(maps.Keys(m))
	if err := checkNames(names); err != nil {
		return nil, err
	}
	for i, k := range names {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(appendKey(b, k), " = "...)
		if b, err = appendValue(b, m[k], depth); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "nan"...)
	case math.IsInf(f, 0):
		return append(b, strings.ToLower(strings.TrimPrefix(fmt.Sprint(f), "+"))...)
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return append(b, text...)
}

// appendString writes a string between apostrophes if it can be, and else escaped.
func appendString(b []byte, s string) []byte {
	plain := !strings.Contains(s, "'")
	for i := range len(s) {
		plain = plain && !isControl(s[i])
	}
	if plain {
		return append(append(append(b, '\''), s...), '\'')
	}
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case isControl(c):
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

func isControl(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }

// isBare reports whether a byte can be in a key without quotation marks.
func isBare(c byte) bool {
	lower := c | 0x20
	isLetter, isDigit := 'a' <= lower && lower <= 'z', '0' <= c && c <= '9'
	return isLetter || isDigit || c == '-' || c == '_'
}
