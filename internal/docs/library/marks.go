package library

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// What tools for documentation read in code and never show. Twoslash type-checks more than
// it shows, and is told so by comments of their own lines; Shiki, VitePress, Docusaurus and
// Torchlight are told in comments which lines to colour; AsciiDoc and others which to take.
var (
	markHints   = []string{"---cut", "[!code", "[tl!", "highlight-", "error-next", "tag::", "end::", "docregion", "docplaster"}
	commentHint = lazy.Regexp(`//\s*\^|// ?@\w`)
	// markLine is a line that holds nothing else.
	markLine = lazy.Regexp(`^\s*(?:(?://|#|--|;)\s*(?:\^[?|].*|@(?:errors|noErrors|noImplicitAny|strict\w*|target|module\w*|lib|jsx|showEmit\w*|emit|declaration|esModuleInterop|experimentalDecorators|noLib|allowJs|checkJs|types|log|include|twoslash|exactOptionalPropertyTypes|noUncheckedIndexedAccess|useDefineForClassFields|erasableSyntaxOnly|verbatimModuleSyntax)\b(?::.*)?|` +
		`(?:tag|end)::[\w-]+\[\]|#?(?:end)?docregion\b.*|#docplaster.*)|<!--\s*(?:(?:tag|end)::[\w-]+\[\]|#?(?:end)?docregion\b.*?)\s*-->)\s*$`)
	// markComment is a comment that says how a line, or those after it, are shown.
	markComment = lazy.Regexp(`\s*(?:(?:(?://|#|--|;|%)\s*(?:(?:\[!code[^\]\n]*\]|\[tl! [^\]\n]*\])(?:\s*\[!code[^\]\n]*\])*|(?:highlight|error|diff|focus)-(?:next-line|start|end|line|add|remove)[\w-]*)[ \t]*$)|` +
		`\{?/\*\s*(?:\[!code[^\]\n]*\]|\[tl! [^\]\n]*\]|(?:highlight|error)-(?:next-line|start|end|line))\s*\*/\}?|<!--\s*(?:\[!code[^\]\n]*\]|\[tl! [^\]\n]*\]|highlight-(?:next-line|start|end|line))\s*-->)`)
	cutMark = lazy.Regexp(`^\s*(?://|#)\s*---cut(?:-(before|after|start|end))?---\s*$`)
)

// unmarked returns code as a reader of the page sees it.
func unmarked(code string) string {
	if !slices.ContainsFunc(markHints, func(hint string) bool { return strings.Contains(code, hint) }) &&
		(!strings.Contains(code, "//") || !strings.ContainsAny(code, "^@") || !commentHint.MatchString(code)) {
		return code
	}
	var out []string
	skip := false
	for line := range strings.SplitSeq(code, "\n") {
		if m := cutMark.FindStringSubmatch(line); m != nil {
			switch m[1] {
			case "", "before": // what is above it sets the example up
				out, skip = out[:0], false
			case "after":
				return strings.Trim(strings.Join(out, "\n"), "\n")
			default:
				skip = m[1] == "start"
			}
			continue
		}
		if skip || markLine.MatchString(line) {
			continue
		}
		if at := markComment.FindStringIndex(line); at != nil {
			rest := markComment.ReplaceAllString(line, "")
			if strings.TrimSpace(rest) == "" {
				continue
			}
			line = rest
		}
		out = append(out, line)
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}
