package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// An Answer collects the text of an answer for To. Lines that begin with "# " are of the program only if Note wrote them: those of
// documents and of code look the same, and must be printed as they are.
type Answer struct {
	strings.Builder
	To io.Writer
}

// Note adds a line about the answer.
func (a *Answer) Note(format string, args ...any) {
	a.WriteString(Note(Columns(a.To), format, args...))
}

// Notes adds a line for each note.
func (a *Answer) Notes(notes []string) {
	for _, n := range notes {
		a.Note("%s", n)
	}
}

// End writes the answer.
func (a *Answer) End() error {
	_, err := io.WriteString(a.To, a.String())
	return err
}

// Note is a line about an answer, broken at its words to fit a number of columns; 0 means any number.
func Note(columns int, format string, args ...any) string {
	line := "# " + text.Log(fmt.Sprintf(format, args...))
	if !strings.Contains(line, "\n") { // an error of several lines has its own breaks
		line = Wrap(line, columns, "#   ")
	}
	return line + "\n"
}
