package static

import (
	_ "embed"
	"sync"
)

//go:embed model.bin
var data string

// Default returns the model that is part of the program. Card in README.md.
var Default = sync.OnceValues(func() (*Model, error) { return Open(data) })
