//go:build !slim

package module

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/feature/module/scaffold"
)

// A NewResult says where a module was begun.
type NewResult struct {
	Path      string `json:"path"`
	Functions int    `json:"functions"`
	Fixture   string `json:"fixture,omitempty"` // of a mock server, and Test, which asks it
	Test      string `json:"test,omitempty"`
	Absent    int    `json:"absent_references,omitempty"` // of the OpenAPI file: they lead to another one, or nowhere

	name string
}

// WriteText writes a line or two.
func (r *NewResult) WriteText(w io.Writer, _ bool) error {
	if _, err := fmt.Fprintf(w, "wrote %s with %d %s\nuse it: local %s = require(\"assay.%s\")\ncheck it: assay modules lint %s\n", r.Path, r.Functions, map[bool]string{true: "function", false: "functions"}[r.Functions == 1], r.name, r.name, r.name); err != nil {
		return err
	}
	if r.Test != "" {
		if _, err := fmt.Fprintf(w, "test it: assay mock %s --port 8377, and beside it %s_URL=http://127.0.0.1:8377 assay %s\n", r.Fixture, strings.ToUpper(r.name), r.Test); err != nil {
			return err
		}
	}
	if r.Absent > 0 {
		_, err := fmt.Fprintf(w, "incomplete: %s of the file lead to another file, or nowhere; bundle it into one first\n", text.Count(r.Absent, "reference", "references"))
		return err
	}
	return nil
}

var moduleName = lazy.Regexp(`^[a-z][a-z0-9_]{0,39}$`)

// NewModule writes the beginning of a module. A file that is there is left as it is.
func (f *Feature) NewModule(ctx context.Context, in NewInput) (*NewResult, error) {
	if !moduleName.MatchString(in.Name) {
		return nil, fault.New(fault.Usage, "%q is not a valid module name", in.Name).Or("at most 40 small letters, digits and _, a letter first")
	}
	made := &scaffold.Written{Module: scaffold.New(in.Name), Functions: 1}
	if in.OpenAPI != "" {
		if strings.Contains(in.OpenAPI, "://") {
			return nil, fault.New(fault.Usage, "--openapi %s: it takes a file, not an address", in.OpenAPI).Or("download it first, for example with curl -o api.yaml ADDRESS")
		}
		file, err := f.read(in.OpenAPI)
		if err != nil {
			return nil, fault.New(fault.NotFound, "reading %s", in.OpenAPI).Because(err)
		}
		if made, err = scaffold.FromOpenAPI(in.Name, file); err != nil {
			return nil, fault.New(fault.Usage, "%s: %v", in.OpenAPI, err)
		}
	}
	p := f.places()
	dir := filepath.Join(p.WorkDir, "modules")
	if in.Global {
		if dir = p.Global; dir == "" {
			return nil, fault.New(fault.Unavailable, "there is no folder for the user's modules").Or("set ASSAY_MODULES_PATH")
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := &NewResult{Path: filepath.Join(dir, in.Name+".lua"), Functions: made.Functions, Absent: made.Absent, name: in.Name}
	files := []newFile{{r.Path, made.Module}}
	if made.Test != "" {
		r.Fixture, r.Test = filepath.Join(dir, "tests", in.Name+".json"), filepath.Join(dir, "tests", in.Name+".lua")
		files = append(files, newFile{r.Fixture, made.Fixture}, newFile{r.Test, made.Test})
	}
	for _, w := range files { // before any is written
		if _, err := os.Lstat(w.path); err == nil {
			return nil, exists(w.path)
		}
	}
	for _, w := range files {
		if err := create(w.path, w.text); errors.Is(err, fs.ErrExist) {
			return nil, exists(w.path)
		} else if err != nil {
			return nil, fault.New(fault.Unavailable, "write %s: %v", w.path, reason(err))
		}
	}
	return r, nil
}

// A newFile is one of those that a new module comes as.
type newFile struct{ path, text string }

func exists(path string) error {
	return fault.New(fault.Usage, "%s already exists", path).Or("give another name, or move that file away")
}

// create writes a file that is not there.
func create(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	dir, err := safe.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.WriteNew(filepath.Base(path), []byte(text), 0o644)
}
