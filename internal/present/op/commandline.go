package op

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
)

// CommandLine writes a fix as a command of a shell, "" where there is no operation of that name
// or a command line cannot give it these arguments.
func CommandLine(ops []Op, fix fault.Fix) string {
	i := slices.IndexFunc(ops, func(o Op) bool { return o.Name == fix.Op })
	if i < 0 {
		return ""
	}
	args, err := Args(ops[i].In)
	if err != nil {
		return ""
	}
	given := fix.Values()
	if len(given) != len(fix.Args) {
		return ""
	}
	var flags, words []string
	gap := false // an earlier place is empty: what has a later one must be a flag
	for _, a := range args {
		value, has := given[a.Name]
		delete(given, a.Name)
		if !has {
			if _, continued := given["cursor"]; a.Required && !continued {
				return ""
			}
			gap = gap || a.Place > 0
			continue
		}
		values, ok := spelled(value)
		switch inPlace := (a.Place > 0 || a.Rest) && !gap; {
		case !ok, a.Stdin && slices.Contains(values, "-"), !inPlace && len(a.Flags) == 0:
			return ""
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
		return ""
	}
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }) {
		flags = append(flags, "--")
	}
	line := "assay " + fix.Op
	for _, w := range append(flags, words...) {
		if text.Visible(w) != w || strings.ContainsAny(w, "\n\t") {
			return "" // a terminal could not show what it is asked to run
		}
		line += " " + text.ShellWord(w)
	}
	return line
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
