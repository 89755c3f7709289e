package syntax

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/clang"
	"github.com/assay-dev/assay/internal/lang/csharp"
	"github.com/assay-dev/assay/internal/lang/ecma"
	"github.com/assay-dev/assay/internal/lang/elixir"
	"github.com/assay-dev/assay/internal/lang/haskell"
	"github.com/assay-dev/assay/internal/lang/jvm"
	"github.com/assay-dev/assay/internal/lang/lua"
	"github.com/assay-dev/assay/internal/lang/php"
	"github.com/assay-dev/assay/internal/lang/python"
	"github.com/assay-dev/assay/internal/lang/ruby"
	"github.com/assay-dev/assay/internal/lang/rust"
	"github.com/assay-dev/assay/internal/lang/shell"
	"github.com/assay-dev/assay/internal/lang/swift"
	"github.com/assay-dev/assay/internal/lang/zig"
)

// scanners read the languages that have one.
var scanners = map[string]func([]byte) corpus.Facts{
	"bash":       shell.Read,
	"c":          clang.ReadC,
	"cpp":        clang.ReadCPP,
	"csharp":     csharp.Read,
	"elixir":     elixir.Read,
	"haskell":    haskell.Read,
	"java":       jvm.ReadJava,
	"javascript": ecma.ReadJS,
	"kotlin":     jvm.ReadKotlin,
	"lua":        lua.Read,
	"objc":       clang.ReadObjC,
	"php":        php.Read,
	"python":     python.Read,
	"ruby":       ruby.Read,
	"rust":       rust.Read,
	"scala":      jvm.ReadScala,
	"swift":      swift.Read,
	"typescript": ecma.ReadTS,
	"zig":        zig.Read,
}

// scanner returns what reads a file, nil where nothing does. One language can have
// several ways to be written, told apart by the file's name.
func scanner(name, language string) func([]byte) corpus.Facts {
	ext := strings.ToLower(path.Ext(name))
	switch language {
	case "c", "cpp", "objc":
		switch ext {
		case ".h":
			return clang.ReadHeader
		case ".mm":
			return clang.ReadObjCPP
		}
	case "typescript":
		switch ext {
		case ".tsx":
			return ecma.ReadTSX
		case ".vue", ".svelte":
			return ecma.ReadMarkup
		}
	}
	return scanners[language]
}
