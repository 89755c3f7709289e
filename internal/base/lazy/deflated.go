package lazy

import (
	"compress/flate"
	"io"
	"strings"
	"sync"
)

// Deflated returns a function that returns the text that was packed with compress/flate: for
// tables that are part of the program and seldom read. One that is damaged panics.
func Deflated(packed string) func() string {
	return sync.OnceValue(func() string {
		text, err := io.ReadAll(flate.NewReader(strings.NewReader(packed)))
		if err != nil {
			panic(err) // the table is part of the program
		}
		return string(text)
	})
}
