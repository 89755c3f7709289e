package library

import (
	"encoding/json"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// Where code says in no way what it is written in, as the literal blocks of reStructuredText
// and what Markdown indents, what only one language has tells. Output and what is not clear
// have no language.
var (
	tells = []struct {
		lang string
		is   *lazy.Pattern
	}{
		{"python", lazy.Regexp(`(?m)^\s*>>> |^In \[\d+\]: |^#!.*\bpython`)},
		{"console", lazy.Regexp(`^\s*(?:\$ \S|\(\w+\) ?\$ \S|[\w.-]+@[\w.-]+[:~]\S*[$#] )`)},
		{"bash", lazy.Regexp(`^#!.*\b(?:ba|z|da)?sh\b`)},
		{"php", lazy.Regexp(`^<\?php|(?m)^\$\w+(?:->\w+)* = .*;$`)},
		{"xml", lazy.Regexp(`^<\?xml|^<(?:project|configuration|beans|dependency|Project|PackageReference|ItemGroup)\b`)},
		{"html", lazy.Regexp(`(?i)^<(?:!doctype html|html|head|body|div|form|p|ul|a|script|link|table|input|button|img|span|h1)\b[^\n]*>`)},
		{"diff", lazy.Regexp(`^(?:diff --git |--- a/|@@ -\d)`)},
		{"c", lazy.Regexp(`(?m)^#\s*include\s+[<"]`)},
		{"go", lazy.Regexp(`(?m)^package \w+$|^func (?:\(\w+ \*?\w+\) )?\w+\(.*\{$`)},
		{"rust", lazy.Regexp(`(?m)^\s*(?:pub )?(?:async )?fn \w+.*\{$|^\s*let mut \w|^use \w+(?:::[\w{}*, ]+)+;$`)},
		{"csharp", lazy.Regexp(`(?m)^using [A-Z][\w.]*;$|^\s*(?:public|private|internal) (?:static |async |sealed |partial )*(?:class|record|interface|Task|void|string|int|bool)\b.*[^;]$`)},
		{"java", lazy.Regexp(`(?m)^import (?:static )?[a-z][\w]*(?:\.\w+)+(?:\.\*)?;$|^@Override$`)},
		{"sql", lazy.Regexp(`^(?:--[^\n]*\n)*(?:SELECT\s|INSERT INTO |UPDATE \w+\s+SET|DELETE FROM |CREATE (?:OR REPLACE )?(?:TABLE|INDEX|UNIQUE|VIEW|FUNCTION|DATABASE|EXTENSION|TYPE|SEQUENCE|ROLE|USER) |ALTER (?:TABLE|DATABASE|ROLE) |DROP (?:TABLE|INDEX|VIEW) )`)},
		{"ruby", lazy.Regexp(`(?ms)^(?:require ['"]|class \w+(?:::\w+)*(?: < [\w:]+)?$|module \w+$|def \w+).*^end$`)},
		{"javascript", lazy.Regexp(`(?m)^(?:const|let|var) [\w{\[][^=\n]* = |^import (?:[\w*{][^\n]* from )?['"][^'"\n]+['"];?$|^(?:module\.)?exports(?:\.\w+)? = |^export (?:default|const|function) `)},
		{"python", lazy.Regexp(`(?m)^(?:from [\w.]+ import |import [\w.]+(?: as \w+)?(?:, [\w.]+)*$|(?:async )?def \w+\(.*|class \w+(?:\([^)\n]*\))?:$|@[a-z_][\w.]*(?:\(.*\))?$)|^\s*(?:if|for|while|with|elif|except|async with|async for) [^\n{;]*:$`)},
		{"ini", lazy.Regexp(`(?m)\A(?:[#;][^\n]*\n)*\[[\w.:" *-]+\]\n(?:.*\n)*?[\w.-]+ ?= ?\S*`)},
	}
	command = lazy.Regexp(`^\s*(?:sudo )?(?:pip3?|python3?|git|npm|npx|yarn|pnpm|cd|export|curl|apt|apt-get|brew|docker|kubectl|make|cargo|go (?:get|run|build|mod|install|test)|celery|flask|pytest|django-admin|uv|uvx|conda|mkdir|source|wget|cmake|composer|bundle|gem|rails|helm|ansible(?:-\w+)?|poetry|mvn|gradle|\./\w+|tar|ssh|chmod|systemctl|cp|mv|rm|cat|ls)(?: |$)`)
	// statement is a line that Python has, and few others.
	statement = lazy.Regexp(`^(?:#.*|[a-z_][\w.]*(?:\[[^\]]*\])?(?:, \w+)* [-+*/|]?= [^;{]*[^;{]?|(?:await )?[a-zA-Z_][\w.]*\(.*\)|[a-zA-Z_][\w.]*\(|\s+.*[^;{]|[)\]}]+[,.]?.*|(?:return|yield|raise|assert|print|pass)\b.*)$`)
	yamlLine  = lazy.Regexp(`^\s*(?:- )?[\w./-]+:(?: .*)?$`)
)

// maxGuess is how much of a block of code is looked at.
const maxGuess = 4 << 10

// guess returns the language that code is written in, or "".
func guess(code string) string {
	whole := len(code) <= maxGuess
	code = strings.Trim(code[:min(len(code), maxGuess)], "\n")
	if code == "" {
		return ""
	}
	if whole && (code[0] == '{' || code[0] == '[') && json.Valid([]byte(code)) && strings.ContainsAny(code, "\":") {
		return "json"
	}
	for _, t := range tells {
		if t.is.MatchString(code) {
			return t.lang
		}
	}
	lines, commands, statements, keys := 0, 0, 0, 0
	assigns := false
	goes := false // the line before goes on
	for line := range strings.SplitSeq(code, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		if comment := line[0] == '#'; comment || goes || command.MatchString(line) {
			commands++
			if !comment && !goes {
				assigns = true // more than comments
			}
		}
		if statement.MatchString(line) {
			statements++
		}
		if line[0] == '#' || yamlLine.MatchString(line) || strings.HasPrefix(strings.TrimLeft(line, " "), "- ") {
			keys++
		}
		goes = strings.HasSuffix(line, "\\")
	}
	switch {
	case commands == lines && assigns:
		return "bash"
	case statements == lines && (strings.Contains(code, "(") || strings.Contains(code, " = ")) && strings.ContainsAny(code, "=("):
		return "python"
	case keys == lines && lines > 1:
		return "yaml"
	}
	return ""
}
