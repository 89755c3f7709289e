package claims

import (
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	dottedName = lazy.Regexp(`^[.#@:]?[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*[!?]?$`)
	item       = lazy.Regexp(`^\s*([-*+•]|\d{1,3}[.)])\s+(\[[ xX]\]\s+)?(.*)$`)
	// manifests are files that say what a project is called and what it needs.
	manifests = lazy.Regexp(`(?i)(^|/)(package\.json|Cargo\.toml|pyproject\.toml|setup\.(py|cfg)|requirements[\w./-]*\.txt|go\.mod|Gemfile|[\w-]+\.gemspec|composer\.json|pom\.xml|build\.gradle(\.kts)?|[\w.-]+\.csproj|[\w-]+\.cabal|mix\.exs)$`)
)

// foldName returns a name in small letters without the separators that different places write differently.
func foldName(name string) string { return strings.ToLower(separators.Replace(name)) }

var separators = strings.NewReplacer("_", "", "-", "", ".", "", "$", "", "!", "", "?", "")

// severalWords is a name of several words, as no word of prose is: snake_case, camelCase, HTTPServer.
var severalWords = lazy.Regexp(`._.|[a-z].*[A-Z]|.[A-Z][a-z]`)

// isFence reports whether a line begins or ends a block of code.
func isFence(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// isDivider reports whether a line is below the head of a table.
func isDivider(line string) bool {
	return strings.Contains(line, "--") && strings.Trim(line, "|:- \t\r") == ""
}

// spaced returns a text with one space in place of control characters.
func spaced(s string) string {
	return strings.Join(strings.FieldsFunc(s, unicode.IsControl), " ")
}
