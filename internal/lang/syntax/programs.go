package syntax

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A naming says where the files of a language name the programs that they make.
type naming struct {
	folder string        // its folders are programs of their names
	marker string        // a text that has it may use a framework of commands
	name   *lazy.Pattern // the name of a command in such a text
	main   func(at string) bool
}

// maxCommands is how many commands of one file are taken for programs.
const maxCommands = 8

// namings are by language. Go: the folder cmd, and cobra, whose root command lies at the root, in root.go or below cmd.
var namings = map[string]naming{
	"go": {"cmd", "Use:", lazy.Regexp(`\bUse:\s*"([\w-]+)`), func(at string) bool {
		return !strings.Contains(at, "/") || strings.HasSuffix(at, "root.go") || strings.HasPrefix(at, "cmd/")
	}},
}

// Programs returns the names by which people call the programs that a file of source makes.
func Programs(at, language, text string) (out []string) {
	n, ok := namings[language]
	if !ok {
		return nil
	}
	if dir := path.Dir(at); path.Dir(dir) == n.folder {
		out = append(out, path.Base(dir))
	}
	if !strings.Contains(text, n.marker) || !n.main(at) {
		return out
	}
	for _, m := range n.name.FindAllStringSubmatch(text, maxCommands) {
		out = append(out, m[1])
	}
	return out
}
