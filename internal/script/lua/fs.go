package lua

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

func (vm *VM) openFS() {
	vm.lib("fs", map[string]builtin{"read": fsRead, "write": fsWrite})
}

// path returns where a script's path leads.
func (vm *VM) path(p string) string {
	if vm.o.Dir == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(vm.o.Dir, p)
}

var errNoFiles = errors.New("the policy permits no files")

// scratch opens the folder that a policy permits and names p within it.
func (vm *VM) scratch(p string) (*os.Root, string, error) {
	dir := vm.o.Policy.Scratch
	if dir == "" {
		return nil, "", errNoFiles
	}
	if filepath.IsAbs(p) {
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return nil, "", err
		}
		p = rel
	}
	root, err := safe.Linked(dir)
	return root, p, err
}

// folder opens the folder that a file is to be written to, and names the file within it.
func (vm *VM) folder(p string) (*os.Root, string, error) {
	if vm.o.Policy.confines() {
		return vm.scratch(p)
	}
	dir, name := filepath.Split(vm.path(p))
	dir = cmp.Or(dir, ".")
	root, err := safe.Linked(dir)
	return root, name, err
}

// open opens a file for reading.
func (vm *VM) open(p string) (*os.File, error) {
	if !vm.o.Policy.confines() {
		return safe.OpenNamed(vm.path(p))
	}
	if f := vm.o.Policy.file(); f != nil && f.Functions["fs.read"] == classDeny { // as a body or a template too
		return nil, errors.New("the policy permits no file to be read")
	}
	root, name, err := vm.scratch(p)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return safe.OpenIn(root, name)
}

// readFile reads a whole file, which may be a pipe that somebody else writes.
func (c call) readFile(p string) (s string, err error) {
	vm := c.vm
	done := make(chan struct{})
	c.wait(func(ctx context.Context) {
		go func() {
			defer close(done)
			s, err = vm.slurp(ctx, p)
		}()
		select {
		case <-done:
		case <-ctx.Done():
		}
	})
	return s, err
}

// slurpAll reads a file into a string that is not copied once more.
func slurpAll(f *os.File, h *holding) (string, error) {
	var b strings.Builder
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= h.most {
		b.Grow(int(info.Size()))
	}
	_, err := io.Copy(&b, h.reader(f))
	return b.String(), err
}

func (vm *VM) slurp(ctx context.Context, p string) (string, error) {
	h := vm.holding(vm.memory / 2)
	defer h.end()
	f, err := vm.open(p)
	if err != nil {
		return "", err
	}
	defer f.Close()
	defer context.AfterFunc(ctx, func() { f.Close() })()
	return slurpAll(f, h)
}

func fsRead(c call) int {
	p := c.Str(1)
	s, err := c.readFile(p)
	if err != nil {
		c.Fail("fs.read: failed to read %q: %v", p, file.Bare(err))
	}
	return c.str(s)
}

func fsWrite(c call) int {
	p, s := c.Str(1), c.Str(2)
	_, err := c.approvedCall([]any{p, s}, func(context.Context) (any, error) { return nil, c.vm.write(p, s) })
	if err != nil {
		c.Fail("fs.write: failed to write %q: %v", p, file.Bare(err))
	}
	return 0
}

func (vm *VM) write(p, s string) error {
	mkdir, write := os.MkdirAll, os.WriteFile
	name := vm.path(p)
	if err := vm.o.Policy.permitFileWrite(); err != nil {
		return err
	}
	if vm.o.Policy.confines() {
		root, rel, err := vm.scratch(p)
		if err != nil {
			return err
		}
		defer root.Close()
		name, mkdir, write = rel, root.MkdirAll, root.WriteFile
	}
	if dir := filepath.Dir(name); dir != "." {
		if err := mkdir(dir, 0o777); err != nil {
			return fmt.Errorf("failed to create its directories: %w", file.Bare(err))
		}
	}
	return write(name, []byte(s), 0o666)
}
