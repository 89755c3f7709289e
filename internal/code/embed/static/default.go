package static

import (
	_ "embed"
	"sync"
)

//go:embed model.bin
var data string

// Default returns the model that is part of the program: the one for code, which has the
// one for text. Card in README.md.
var Default = sync.OnceValues(func() (*Model, error) { return Open(data) })
