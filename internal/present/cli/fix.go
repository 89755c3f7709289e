package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/op"
)

// commandLine writes a fix as a command, if there is an operation of that name
// and a command line can give it these arguments.
func commandLine(ops []op.Op, fix fault.Fix) (string, bool) {
	i := slices.IndexFunc(ops, func(o op.Op) bool { return o.Name == fix.Op })
	if i < 0 {
		return "", false
	}
	args, err := op.Args(ops[i].In)
	if err != nil {
		return "", false
	}
	given := map[string]any{}
	for _, a := range fix.Args {
		given[a.Name] = a.Value
	}
	if len(given) != len(fix.Args) {
		return "", false
	}
	var flags, words []string
	gap := false // an earlier place is empty: what has a later one must be a flag
	for _, a := range args {
		value, has := given[a.Name]
		delete(given, a.Name)
		if !has {
			if _, continued := given["cursor"]; a.Required && !continued {
				return "", false
			}
			gap = gap || a.Place > 0
			continue
		}
		values, ok := spelled(value)
		switch inPlace := (a.Place > 0 || a.Rest) && !gap; {
		case !ok, a.Stdin && slices.Contains(values, "-"), !inPlace && len(a.Flags) == 0:
			return "", false
		case inPlace:
			words = append(words, values...)
		case value == true:
			flags = append(flags, "--"+a.Flags[0])
		case value == false:
			flags = append(flags, "--"+a.Flags[0]+"=false")
		default:
			for _, v := range values {
				flags = append(flags, "--"+a.Flags[0], v)
			}
		}
	}
	if len(given) > 0 {
		return "", false
	}
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }) {
		flags = append(flags, "--")
	}
	line := "assay " + fix.Op
	for _, w := range append(flags, words...) {
		if text.Visible(w) != w || strings.ContainsAny(w, "\n\t") {
			return "", false // a terminal could not show what it is asked to run
		}
		line += " " + quote(w)
	}
	return line, true
}

// spelled writes the value of a fix's argument as words.
func spelled(v any) (words []string, ok bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, true
	case []string:
		return v, true
	case bool, int:
		return []string{fmt.Sprint(v)}, true
	case float64:
		return []string{strconv.FormatFloat(v, 'g', -1, 64)}, true
	}
	return nil, false
}

// quote makes s one word of a shell.
func quote(s string) string {
	unsafe := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r))
	}
	if s != "" && s[0] != '=' && !strings.ContainsFunc(s, unsafe) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
