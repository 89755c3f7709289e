//go:build !slim

package script

import (
	"cmp"
	"context"
	_ "embed" // httpfile.lua, importer.lua
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/script/lua"
	"github.com/assay-dev/assay/internal/script/scaffold"
)

// A NewResult says where a module was begun.
type NewResult struct {
	Path      string `json:"path"`
	Functions int    `json:"functions"`
	// LeftOut are the parts of the file that the module does not have.
	LeftOut []string `json:"left_out,omitempty"`

	name string
}

// WriteText writes a few lines.
func (r *NewResult) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	fmt.Fprintln(&b, text.Counted("wrote %s with %d function{s}", r.Path, r.Functions))
	fmt.Fprintf(&b, "use it: local %s = require(\"assay.%s\")\ncheck it: assay modules lint %s\n", r.name, r.name, r.name)
	for _, left := range r.LeftOut {
		fmt.Fprintf(&b, "left out: %s\n", left)
	}
	return fault.Only(io.WriteString(w, b.String()))
}

var moduleName = lazy.Regexp(`^[a-z][a-z0-9_]{0,39}$`)

// NewModule writes the beginning of a module. A file that is there is left as it is.
func (f *Feature) NewModule(ctx context.Context, in NewInput) (*NewResult, error) {
	if !moduleName.MatchString(in.Name) {
		return nil, fault.New(fault.Usage, "%q is not a valid module name", in.Name).Or("at most 40 lower-case letters, digits and _, beginning with a letter")
	}
	if in.From != "" && in.OpenAPI != "" {
		return nil, fault.New(fault.Usage, "--from and --openapi exclude each other")
	}
	src, n, left := scaffold.New(in.Name), 1, []string(nil)
	if from := cmp.Or(in.From, in.OpenAPI); from != "" {
		text, err := f.read(from)
		if err != nil {
			return nil, fault.New(fault.NotFound, "reading %s", from).Because(err)
		}
		var notTaken []string
		readers := map[string]string{".http": "fromHTTP", ".rest": "fromHTTP", ".har": "fromHAR"}
		if reader := readers[strings.ToLower(filepath.Ext(in.From))]; reader != "" {
			text, notTaken, err = described(ctx, reader, text)
		}
		if err == nil {
			src, n, left, err = scaffold.FromOpenAPI(in.Name, text)
		}
		left = append(notTaken, left...)
		switch {
		case err != nil && len(left) > 0:
			return nil, fault.New(fault.Usage, "%s: %v; left out: %s", from, err, strings.Join(left[:min(len(left), 5)], ", "))
		case err != nil:
			return nil, fault.New(fault.Usage, "%s: %v", from, err)
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
	path := filepath.Join(dir, in.Name+".lua")
	if err := create(dir, in.Name+".lua", src, in.Global); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, fault.New(fault.Usage, "%s already exists", path).Or("give another name, or move that file away")
		}
		return nil, fault.New(fault.Unavailable, "write %s: %v", path, file.Bare(err))
	}
	return &NewResult{Path: path, Functions: n, LeftOut: left, name: in.Name}, nil
}

//go:embed httpfile.lua
var httpFile string

//go:embed importer.lua
var importer string

// described returns a file of requests as OpenAPI, and what that leaves out. A script without any rights reads it, so that what a
// stranger's file can do is bounded as it is for scripts.
func described(ctx context.Context, reader string, text []byte) (openapi []byte, left []string, err error) {
	vm := lua.New(lua.Options{Policy: &lua.Policy{}, Memory: ownMemory})
	values, err := runLua(ctx, vm, "=import", []byte(httpFile+importer+"return "+reader+"(...)"), []string{string(text)})
	if e, ok := errors.AsType[*lua.Error](err); ok {
		err = errors.New(e.Message)
	}
	if err != nil {
		return nil, nil, err
	}
	out, _ := values[0].(map[string]any)
	list, _ := out["left"].([]any)
	for _, l := range list {
		left = append(left, fmt.Sprint(l))
	}
	return []byte(fmt.Sprint(out["openapi"])), left, nil
}

// create writes a file that is not there. The user's own folder may be behind links, that of a project is not.
func create(folder, name, text string, own bool) error {
	open := func() (*safe.Root, error) { return safe.OutputFolder(folder, 0o755) }
	if own {
		open = func() (*safe.Root, error) {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return nil, err
			}
			return safe.OpenRoot(folder)
		}
	}
	dir, err := open()
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.WriteNew(name, []byte(text), 0o644)
}
