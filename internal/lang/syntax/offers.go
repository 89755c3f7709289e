package syntax

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// OffersFunctions reports whether the functions at the top of a file are there for whatever reads the file: a script of a shell
// that is not run by itself, a script of a browser that is no module.
func OffersFunctions(language string, text []byte) bool {
	return language == "bash" && !bytes.HasPrefix(text, []byte("#!")) || language == "javascript" && !module.Match(text)
}

// module finds the words by which a module of JavaScript takes and offers.
var module = lazy.Regexp(`\b(?:import|export|require|module|exports|define)\b`)

// MarkOfBlock returns the attribute of the block of methods that a text ends in; "" for none.
func MarkOfBlock(language string, before []byte) (mark string) {
	if language == "rust" {
		for _, m := range implementation.FindAllSubmatch(before, -1) {
			mark = string(m[1])
		}
	}
	return mark
}

// implementation finds the head of a block of methods of Rust and the attribute above it.
var implementation = lazy.Regexp(`(?m)(?:^[ \t]*(#\[[^\n]*\])[ \t]*\n)?^[ \t]*(?:unsafe )?impl\b`)
