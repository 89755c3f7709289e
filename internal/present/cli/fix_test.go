package cli_test

import (
	"fmt"
	"strings"
)

// suggested returns the words of the command in the line "fix: …" of an error.
func suggested(stderr string) (words []string, err error) {
	for line := range strings.Lines(stderr) {
		cmd, ok := strings.CutPrefix(strings.TrimSpace(line), "fix: ")
		if !ok {
			continue
		}
		var word strings.Builder
		quoted, open := false, false
		for _, r := range cmd {
			switch {
			case r == '\'':
				quoted, open = !quoted, true
			case r == ' ' && !quoted:
				if open {
					words = append(words, word.String())
				}
				word.Reset()
				open = false
			default:
				word.WriteRune(r)
				open = true
			}
		}
		if open {
			words = append(words, word.String())
		}
		return words, nil
	}
	return nil, fmt.Errorf("no fix in %q", stderr)
}
