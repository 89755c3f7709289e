package render

import (
	"bytes"
	"testing"
)

// screen is a terminal that is so many columns wide.
type screen struct {
	bytes.Buffer
	columns int
}

func (s *screen) Columns() int { return s.columns }

// Notes are broken at their words; the text of a document that begins as they do is not.
func TestAnswer(t *testing.T) {
	tests := []struct {
		name, document, note string
		columns              int
		want                 string
	}{
		{"a note", "", "one two three", 10, "# one two\n#   three\n"},
		{"a note in a pipe", "", "one two three", 0, "# one two three\n"},
		{"a note that fits", "", "one", 10, "# one\n"},
		{"an error of several lines", "", "one two three\nfour", 10, "# one two three\n  | four\n"},
		{"hidden characters", "", "a\u202eb", 0, "# a<U+202E>b\n"},
		{"a heading of a document", "# one two three\n", "", 10, "# one two three\n"},
		{"a comment of a script before a note", "# one two three\n", "four five six", 10, "# one two three\n# four\n#   five\n#   six\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := &screen{columns: tt.columns}
			a := Answer{To: out}
			a.WriteString(tt.document)
			if tt.note != "" {
				a.Notes([]string{tt.note})
			}
			if err := a.End(); err != nil || out.String() != tt.want {
				t.Errorf("%q, %v, want %q", out.String(), err, tt.want)
			}
		})
	}
}
