package apidoc

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

var (
	exampleDir = lazy.Regexp(`(?i)(?:^|/)(?:examples?|samples|ai-docs)/`)
	// ofBuilds are called the programs that build and configure an example.
	ofBuilds = lazy.Regexp(`(?i)(?:\.config|\.d|rc)\.[cm]?[jt]s$|^(?:setup|conftest|noxfile|__init__|build)\.\w+$`)
	// general are called the files and folders that many examples have.
	general = lazy.Regexp(`(?i)^(?:src|main|index|app|lib|mod|program|examples?|samples|cmd|java|kotlin|pages?)$`)
)

// maxExampleBlock is how many bytes a block of the code of an example has, if it can be cut between statements.
const maxExampleBlock = 1400

// IsExample reports whether a file is the source of an example, which is read as a guide.
func IsExample(p string) bool {
	if !exampleDir.MatchString(p) || ofBuilds.MatchString(path.Base(p)) || jointOf(syntax.Language(p, nil)) == "" {
		return false
	}
	return discover.PathFlags(p)&(corpus.Test|corpus.Vendored|corpus.Minified|corpus.Generated) == 0
}

// ReadExample returns an example as a page: its name, the comment that it begins with, and its code.
func ReadExample(p string, src []byte) markup.Page {
	page := markup.Page{Title: "Example: " + exampleName(p)}
	lines := strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
	from := 0
	for from < len(lines) && (strings.TrimSpace(lines[from]) == "" || strings.HasPrefix(lines[from], "#!")) {
		from++
	}
	to := endOfComment(lines, from)
	for to < len(lines) && strings.TrimSpace(lines[to]) == "" {
		to++
	}
	if to > from {
		page.Blocks = append(page.Blocks, markdown.Parse([]byte(uncomment(strings.Join(lines[from:to], "\n"))), markup.Options{}).Blocks...)
		for i := range page.Blocks {
			page.Blocks[i].Line += from
		}
	}
	lang, size, begin := syntax.Language(p, nil), 0, to
	for i := to; i <= len(lines); i++ {
		isLast := i == len(lines)
		if isLast || size > maxExampleBlock/2 && i > to && lines[i-1] == "" && beginsStatement(lines[i]) {
			if code := strings.Trim(strings.Join(lines[begin:i], "\n"), "\n"); code != "" {
				page.Blocks = append(page.Blocks, markup.Block{Kind: markup.Code, Text: code, Lang: lang, Line: begin + 1})
			}
			begin, size = i, 0
		}
		if i < len(lines) {
			size += len(lines[i]) + 1
		}
	}
	return page
}

// beginsStatement reports whether a line begins something at the top level.
func beginsStatement(line string) bool { return line != "" && !strings.ContainsAny(line[:1], " \t})]") }

// exampleName returns the name of an example: that of its file, or of the folder that tells it from others.
func exampleName(p string) string {
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	for dir := path.Dir(p); general.MatchString(name) && dir != "." && dir != "/"; dir = path.Dir(dir) {
		name = path.Base(dir)
	}
	return strings.NewReplacer("-", " ", "_", " ").Replace(name)
}

// endOfComment returns the line behind the comment that begins on a line: that line, if none does.
func endOfComment(lines []string, from int) int {
	if from < len(lines) && strings.HasPrefix(lines[from], "/*") {
		for i := from; i < len(lines); i++ {
			if strings.Contains(lines[i], "*/") {
				return i + 1
			}
		}
		return from
	}
	to := from
	for to < len(lines) && (strings.HasPrefix(lines[to], "//") || strings.HasPrefix(lines[to], "# ") || lines[to] == "#") {
		to++
	}
	return to
}
