package op

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
)

func TestReadOutput(t *testing.T) {
	for tag, want := range map[string]Output{
		"": {}, "file": {Kind: "file"}, "folder": {Kind: "folder"}, "report": {Kind: "report"}, "file,writes": {Kind: "file", Writes: true},
		"file:modules/*.lua,unless=global": {Kind: "file", Pattern: "modules/*.lua", Unless: "global"}, "edit,if=fix": {Kind: "edit", If: "fix"},
	} {
		if got, err := readOutput(tag); got != want || err != nil {
			t.Errorf("out:%q is %+v, %v, want %+v", tag, got, err, want)
		}
	}
	for _, tag := range []string{"fil", ",if=x", "file,when=x", "files"} {
		if got, err := readOutput(tag); err == nil {
			t.Errorf("out:%q is %+v, want an error", tag, got)
		}
	}
	type number struct {
		N int `json:"n,omitempty" flag:"number" out:"file"`
	}
	if _, err := Args(reflect.TypeFor[number]()); err == nil {
		t.Error("a number names a file")
	}
}

type said string

func (s said) WriteText(w io.Writer, _ bool) error {
	_, err := io.WriteString(w, string(s))
	return err
}

// No operation begins whose output would be written through a link; one that does not write it
// this time does.
func TestGuarded(t *testing.T) {
	type in struct {
		Report string `json:"report,omitempty" flag:"report" out:"report"`
		Dir    string `json:"dir,omitempty" flag:"dir" out:"folder"`
		File   string `json:"file,omitempty" arg:"1" out:"file,unless=verify"`
		DB     string `json:"db,omitempty" flag:"db" out:"file,writes"`
		Verify bool   `json:"verify,omitempty" flag:"verify"`
	}
	top := t.TempDir()
	link, free := filepath.Join(top, "link"), filepath.Join(top, "free")
	if err := os.Symlink(filepath.Join(top, "elsewhere"), link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		effect  Effect
		in      in
		refused bool
	}{
		{"nothing", Writes, in{}, false},
		{"a new report", Writes, in{Report: free}, false},
		{"a linked report", Executes, in{Report: link}, true},
		{"a linked folder", Writes, in{Dir: link}, true},
		{"a folder behind a link", Reads, in{Dir: filepath.Join(link, "x")}, true},
		{"a folder where a file is to be", Writes, in{File: top}, true},
		{"a linked file", Writes, in{File: link}, true},
		{"a linked file that is read", Writes, in{File: link, Verify: true}, false},
		{"a linked database", Writes, in{DB: link}, true},
		{"a linked database that is read", Reads, in{DB: link}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			began := false
			o := guarded(define(Op{Name: "x", Effect: tt.effect}, func(context.Context, in) (said, error) { began = true; return "", nil }))
			_, err := o.Run(t.Context(), tt.in, Out{})
			if began == tt.refused || (err != nil) != tt.refused {
				t.Fatalf("it began: %v, %v; want refused: %v", began, err, tt.refused)
			}
			if tt.refused && (fault.KindOf(err) != fault.Usage || fault.HintOf(err) == "" || !errors.Is(err, safe.ErrLink) && !errors.Is(err, safe.ErrNotFile)) {
				t.Errorf("%v, want a usage error that says why, and what to do", err)
			}
			if tt.in.Report == link && !strings.HasPrefix(err.Error(), "--report ") {
				t.Errorf("%v does not name the flag", err)
			}
		})
	}
}
