package lua

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/assay-dev/assay/internal/script/vm"
)

// maxNesting is how deep tables may lie in each other where they become text or values of Go: deeper is a table that holds itself.
const maxNesting = 512

// document returns an argument that is read whole into a tree, which takes many times its size.
func (c call) document(i int) string {
	s := c.Str(i)
	if limit := c.vm.memory / 16; int64(len(s)) > limit {
		c.Fail("%s: larger than %d bytes", c.name, limit)
	}
	return s
}

// A polledReader ends where the run has to: what reads a document from it cannot be stopped in any other way.
type polledReader struct {
	*ceiling
	r io.Reader
}

func (p *polledReader) Read(b []byte) (int, error) {
	if err := p.poll(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}

// A polledWriter is a buffer that ends where the run has to.
type polledWriter struct {
	*ceiling
	b bytes.Buffer
}

func (p *polledWriter) Write(b []byte) (int, error) {
	if err := p.poll(); err != nil {
		return 0, err
	}
	return p.b.Write(b)
}

var errNesting = fmt.Errorf("tables nest more than %d deep", maxNesting)

// fromGo makes a value of what Run returns, and of the kinds of Go near it. A nil within a
// list or a map is null, so that the list keeps its length and the map its name.
func (vm *VM) fromGo(x any) value {
	st := vm.state
	switch x := x.(type) {
	case nil:
		return none
	case bool:
		return boolean(x)
	case int:
		return whole(int64(x))
	case int32:
		return whole(int64(x))
	case int64:
		return whole(x)
	case uint64:
		if x > math.MaxInt64 {
			return float(float64(x))
		}
		return whole(int64(x))
	case float32:
		return float(float64(x))
	case float64:
		return float(x)
	case string:
		return st.NewString(x)
	case []byte:
		return st.NewString(string(x))
	case []any:
		t := st.NewTable(len(x), 0)
		for i, e := range x {
			t.SetInt(int64(i)+1, vm.member(e))
		}
		return t.Of()
	case []string:
		t := st.NewTable(len(x), 0)
		for i, e := range x {
			t.SetInt(int64(i)+1, st.NewString(e))
		}
		return t.Of()
	case map[string]any:
		t := st.NewTable(0, len(x))
		t.MarkObject()
		for k, e := range x {
			t.Set(st.NewString(k), vm.member(e))
		}
		return t.Of()
	case map[string]string:
		t := st.NewTable(0, len(x))
		t.MarkObject()
		for k, e := range x {
			t.Set(st.NewString(k), st.NewString(e))
		}
		return t.Of()
	}
	return st.NewString(fmt.Sprint(x))
}

// member is fromGo for what a table holds.
func (vm *VM) member(x any) value {
	if x == nil {
		return null
	}
	return vm.fromGo(x)
}

// key returns a table's key as the name of a member.
func key(k value) (string, error) {
	if s, ok := k.Text(); ok {
		return s, nil
	}
	return "", fmt.Errorf("a %s cannot be a key", k.TypeName())
}

// toGo returns a value as Run does. What has no such value is its text.
func (r *run) toGo(v value) (any, error) { return (&unloader{run: r}).value(v, 0) }

// toGoStrict fails for what has no such value.
func (r *run) toGoStrict(v value) (any, error) { return (&unloader{run: r, strict: true}).value(v, 0) }

// An unloader makes values of Go. A table that is in another twice becomes two: forty
// that each hold the next twice would become 2^40, so what is made is counted.
type unloader struct {
	run    *run
	strict bool
	cells  int64
}

// cell is what a value takes in Go, in a list or with its name in a map.
const cell = 48

func (u *unloader) value(v value, depth int) (any, error) {
	if u.cells++; u.cells*cell > u.run.vm.memory {
		return nil, memoryError(u.run.vm.memory)
	}
	if u.cells&0x3ff == 0 && u.run.ctx.Err() != nil {
		return nil, u.run.ctx.Err()
	}
	switch v.Kind() {
	case vm.KindNil, vm.KindNull:
		return nil, nil
	case vm.KindTrue, vm.KindFalse:
		return v.Truth(), nil
	case vm.KindString:
		s, _ := v.AsString()
		return s, nil
	case vm.KindInt:
		n, _ := v.AsInt()
		return n, nil
	case vm.KindFloat:
		f, _ := v.AsFloat()
		return f, nil
	case vm.KindTable:
		return u.table(v.AsTable(), depth)
	}
	if u.strict {
		return nil, fmt.Errorf("unsupported Lua type: %s", v.TypeName())
	}
	return u.run.vm.state.Plain(v), nil
}

func (u *unloader) table(t *table, depth int) (any, error) {
	if depth > maxNesting {
		return nil, errNesting
	}
	if n, ok := t.List(); ok {
		list := make([]any, n)
		for i := range list {
			x, err := u.value(t.GetInt(int64(i)+1), depth+1)
			if err != nil {
				return nil, err
			}
			list[i] = x
		}
		return list, nil
	}
	m := map[string]any{}
	for k, x := range t.All() {
		name, err := key(k)
		if err != nil {
			return nil, err
		}
		if m[name], err = u.value(x, depth+1); err != nil {
			return nil, err
		}
	}
	return m, nil
}
