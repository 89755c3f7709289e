package calls

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

const recorded = `{"time":"2026-11-20T10:00:00Z","tool":"brief","root":"/a","hits":3,"tokens":1000,"whole":9000,"ms":5}
{"time":"2026-11-19T10:00:00Z","tool":"memory_search","root":"/a","hits":1,"tokens":200,"ms":5}
not a record
{"time":"2026-11-21T10:00:00Z","tool":"brief","root":"/a","hits":0,"tokens":100,"ms":5,"failed":true}
{"time":"2026-11-21T10:00:00Z","tool":"brief","root":"/b","hits":1,"tokens":2000,"whole":500,"ms":5}
`

func TestSaved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "calls")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "1-000001.jsonl"), []byte(recorded), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		dir  string
		in   SavedInput
		want string
	}{
		{"a project", dir, SavedInput{Root: "/a"}, "3 calls since 2026-11-19, 1 failed: 1,300 tokens answered\n" +
			"1 of them named files: 1,000 tokens in place of 9,000 for those files read whole, 88 % less (both are estimates)\n" +
			"  brief                       2 calls        1,100 tokens\n" +
			"  memory_search               1 call           200 tokens\n"},
		{"answers that are longer than their files", dir, SavedInput{Root: "/b"}, "1 call since 2026-11-21, 0 failed: 2,000 tokens answered\n" +
			"  brief                       1 call         2,000 tokens\n"},
		{"a line", dir, SavedInput{Root: "/a", Line: true}, "assay: 3 calls, 88 % less read\n"},
		{"a line of all projects", dir, SavedInput{All: true, Line: true}, "assay: 4 calls, 68 % less read\n"},
		{"a line of a project without calls", dir, SavedInput{Root: "/c", Line: true}, "assay: no calls\n"},
		{"no record", filepath.Join(dir, "none"), SavedInput{All: true}, "# no server has answered a call lately; assay setup connects an agent, and serve.calls: off keeps no record\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Summing(tt.dir, func(given string) (string, error) { return given, nil })(context.Background(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := a.WriteText(&b, false); err != nil || b.String() != tt.want {
				t.Errorf("%v\n%s\nwant\n%s", err, b.String(), tt.want)
			}
		})
	}
}

// TestSavedUnreadable: a folder of records that is none is an error that names it.
func TestSavedUnreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "calls")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Summing(file, nil)(context.Background(), SavedInput{All: true})
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "cannot read the record of calls") {
		t.Error(err)
	}
}
