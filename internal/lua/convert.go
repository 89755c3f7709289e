package lua

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

// maxNesting is how deep tables may lie in each other where they become text or
// values of Go: deeper is a table that holds itself.
const maxNesting = 512

// document returns an argument that is read whole into a tree, which takes many
// times its size.
func (c call) document(i int) string {
	s := c.str(i)
	if limit := c.vm().memory / 16; int64(len(s)) > limit {
		c.fail("%s: larger than %d bytes", c.name, limit)
	}
	return s
}

// A polledReader ends where the run has to: what reads a document from it cannot be
// stopped in any other way.
type polledReader struct {
	run *run
	r   io.Reader
}

func (p *polledReader) Read(b []byte) (int, error) {
	if err := p.run.poll(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}

// A polledWriter counts what is written to a buffer.
type polledWriter struct {
	run *run
	b   *bytes.Buffer
}

func (p *polledWriter) Write(b []byte) (int, error) {
	if err := p.run.poll(); err != nil {
		return 0, err
	}
	if err := p.run.take(2 * int64(len(b))); err != nil {
		return 0, err
	}
	return p.b.Write(b)
}

var errNesting = fmt.Errorf("tables nest more than %d deep", maxNesting)

// fromGo makes a value of what Run returns, and of the kinds of Go near it.
func fromGo(v any) value {
	switch v := v.(type) {
	case nil:
		return none
	case value:
		return v
	case bool:
		return boolean(v)
	case int:
		return whole(int64(v))
	case int32:
		return whole(int64(v))
	case int64:
		return whole(v)
	case uint64:
		if v > math.MaxInt64 {
			return float(float64(v))
		}
		return whole(int64(v))
	case float32:
		return float(float64(v))
	case float64:
		return float(v)
	case string:
		return str(v)
	case []byte:
		return str(string(v))
	case []any:
		t := newTable(len(v))
		for i, x := range v {
			t.RawSetInt(i+1, fromGo(x))
		}
		return t
	case []string:
		t := newTable(len(v))
		for i, x := range v {
			t.RawSetInt(i+1, str(x))
		}
		return t
	case map[string]any:
		t := newObject()
		for k, x := range v {
			t.RawSetString(k, fromGo(x))
		}
		return t
	case map[string]string:
		t := newObject()
		for k, x := range v {
			t.RawSetString(k, str(x))
		}
		return t
	}
	return str(fmt.Sprint(v))
}

// shape reports whether a table is an array and of how many elements: every key an
// integer from 1 on, and none left out. The empty one is, unless it was read as an object.
func shape(t *table) (n int, array bool) {
	array = true
	top := 0
	each(t, func(k, _ value) bool {
		i, ok := keyInt(k)
		if !ok || i < 1 || i > math.MaxInt32 {
			array = false
			return false
		}
		n++
		top = max(top, int(i))
		return true
	})
	return n, array && top == n && (n > 0 || !isObject(t))
}

func keyInt(k value) (int64, bool) {
	if _, ok := isString(k); ok {
		return 0, false
	}
	return toInt(k)
}

// key returns a table's key as the name of a member.
func key(k value) (string, error) {
	if s, ok := text(k); ok {
		return s, nil
	}
	return "", fmt.Errorf("a %s cannot be a key", typeName(k))
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
}

// cell is what a value takes in Go, in a list or with its name in a map.
const cell = 48

func (u *unloader) value(v value, depth int) (any, error) {
	if err := u.run.take(cell); err != nil {
		return nil, err
	}
	if err := u.run.poll(); err != nil {
		return nil, err
	}
	if v == none {
		return nil, nil
	}
	if b, ok := isBool(v); ok {
		return b, nil
	}
	if s, ok := isString(v); ok {
		return s, nil
	}
	if n, ok := exactInt(v); ok {
		return n, nil
	}
	if f, ok := toFloat(v); ok {
		return f, nil
	}
	t, ok := v.(*table)
	if !ok {
		if u.strict {
			return nil, fmt.Errorf("unsupported Lua type: %s", typeName(v))
		}
		return v.String(), nil
	}
	if depth > maxNesting {
		return nil, errNesting
	}
	n, array := shape(t)
	if array {
		list := make([]any, n)
		for i := range list {
			x, err := u.value(t.RawGetInt(i+1), depth+1)
			if err != nil {
				return nil, err
			}
			list[i] = x
		}
		return list, nil
	}
	m := make(map[string]any, n)
	var err error
	each(t, func(k, x value) bool {
		var name string
		if name, err = key(k); err == nil {
			m[name], err = u.value(x, depth+1)
		}
		return err == nil
	})
	return m, err
}
