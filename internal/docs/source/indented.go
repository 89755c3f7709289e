package source

import (
	"iter"
	"strings"
)

// maxKeys bounds how deep the keys of an indented file are followed.
const maxKeys = 12

// A field is a value of an indented file with the keys that lead to it.
type field struct {
	keys  []string // valid until the next field
	value string
}

// indented yields the fields of a lock file in which a line belongs to the one above it that is indented less: YAML as pnpm,
// Dart's pub and Yarn since 2 write it, and the lock file of Yarn 1. A key without a value is a field too. Lists and texts of several lines
// say nothing about versions, and a full reader of YAML takes seconds for a file of some megabytes.
func indented(text string) iter.Seq[field] {
	return func(yield func(field) bool) {
		var keys []string
		var columns []int
		for line := range strings.SplitSeq(text, "\n") {
			rest := strings.TrimLeft(line, " ")
			column := len(line) - len(rest)
			key, value, ok := keyAndValue(strings.TrimRight(rest, " \r"))
			if !ok {
				continue
			}
			for n := len(columns); n > 0 && columns[n-1] >= column; n-- {
				keys, columns = keys[:n-1], columns[:n-1]
			}
			if len(keys) == maxKeys {
				continue
			}
			keys, columns = append(keys, key), append(columns, column)
			if !yield(field{keys, value}) {
				return
			}
		}
	}
}

// keyAndValue splits a line: "name: value", "name:", and, as Yarn 1 writes them, `name "value"` and `"a@1", "a@2":`.
func keyAndValue(line string) (key, value string, ok bool) {
	if line == "" || line[0] == '#' || line[0] == '-' {
		return "", "", false
	}
	if head, isHead := strings.CutSuffix(line, ":"); isHead {
		return unquoted(head), "", true
	}
	if q := line[0]; q == '"' || q == '\'' {
		end := strings.IndexByte(line[1:], q)
		if end < 0 {
			return "", "", false
		}
		key, value = line[1:1+end], strings.TrimPrefix(line[end+2:], ":")
	} else if key, value, ok = strings.Cut(line, ": "); !ok {
		key, value, _ = strings.Cut(line, " ")
	}
	return key, unquoted(strings.TrimSpace(value)), true
}

// unquoted removes quotation marks around a text.
func unquoted(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
