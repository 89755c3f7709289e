package lua

import (
	"errors"
	"io"
	"io/fs"
	"strings"
)

// openBase takes load and collectgarbage away, since a script is what it was when it was checked, and sets require.
func (vm *VM) openBase() {
	vm.setGlobal("load", none)
	vm.setGlobal("collectgarbage", none)
	vm.setGlobal("require", vm.fn("require", baseRequire))
	vm.loaded, vm.preload = vm.state.NewTable(0, 4), vm.state.NewTable(0, 4)
	pkg := vm.state.NewTable(0, 2)
	pkg.SetField("loaded", vm.loaded.Of())
	pkg.SetField("preload", vm.preload.Of())
	vm.setGlobal("package", pkg.Of())
}

// A printer is where print writes.
type printer struct{ vm *VM }

func (p printer) Write(b []byte) (int, error) {
	out := p.vm.o.Stdout
	if out == nil {
		return len(b), nil
	}
	if !p.vm.HasSecrets() {
		return out.Write(b)
	}
	_, err := io.WriteString(out, p.vm.Redact(string(b)))
	return len(b), err
}

// A loading is a module on its way: done is closed when it is there or not.
type loading struct {
	by   *task
	done chan struct{}
}

func baseRequire(c call) int {
	name := c.Str(1)
	vm := c.vm
	for {
		if v := vm.loaded.GetField(name); !v.IsNil() {
			return c.Return(v)
		}
		own := c.Thread().Root().Data.(*task)
		l := vm.loading[name]
		if l == nil {
			l = &loading{by: own, done: make(chan struct{})}
			vm.loading[name] = l
			defer func() {
				delete(vm.loading, name)
				close(l.done)
			}()
			return c.loadModule(name)
		}
		if l.by == own {
			c.Fail("loop in loading module '%s'", name)
		}
		c.await(l.done)
	}
}

// loadModule runs a module and returns what it is and where it was found.
func (c call) loadModule(name string) int {
	vm := c.vm
	loader, chunk := vm.preload.GetField(name), ":preload:"
	if loader.IsNil() {
		src, file, err := vm.find(name)
		if errors.Is(err, fs.ErrNotExist) {
			c.Fail("module '%s' not found", name)
		}
		if err != nil {
			c.Fail("error loading module '%s': %v", name, err)
		}
		chunk = strings.TrimPrefix(file, "@")
		c.Room(sourceCost * int64(len(src)))
		p, err := compile(file, src)
		if err != nil {
			c.Fail("error loading module '%s' from file '%s':\n\t%v", name, chunk, err)
		}
		loader = c.State().Load(p, none).Of()
	}
	v := c.Call1(loader, c.NewString(name), c.NewString(chunk))
	if !v.IsNil() {
		vm.loaded.Set(c.NewString(name), v)
	} else if v = vm.loaded.GetField(name); v.IsNil() {
		v = yes
		vm.loaded.Set(c.NewString(name), v)
	}
	return c.Return(v, c.NewString(chunk))
}

// sourceCost is about how many times its size a source takes while it is compiled.
const sourceCost = 20

func (vm *VM) find(name string) ([]byte, string, error) {
	if vm.o.Require == nil {
		return nil, "", fs.ErrNotExist
	}
	if err := vm.o.Policy.permitModule(name); err != nil {
		return nil, "", err
	}
	return vm.o.Require(name)
}
