package lua

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"

	sizes "github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/script/vm"
)

// A run is one Run of a VM.
type run struct {
	vm    *VM
	ctx   context.Context
	stop  context.CancelCauseFunc
	tasks sync.WaitGroup
	atEnd []func() // called with the VM
}

// A task runs on its own: the chunk of a Run, what async.spawn was given.
type task struct{ _ byte }

// taskSize is about what a goroutine takes that Lua runs on.
const taskSize = 16 << 10

// do calls f, which a function name gave, as a task of its own. The caller has the VM.
func (r *run) do(name string, f value, args ...value) ([]value, error) {
	st := r.vm.state
	if r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	t := st.NewThread()
	t.Data = new(task)
	return t.Call(r.vm.closure(name, none, func(c call) int { return c.Return(c.Call(f, c.Args(1)...)...) }), args...)
}

// spawn runs f with the VM on a goroutine, which counts toward the memory of the script
// from now on: a loop that starts tasks keeps the VM from all of them. The caller has the VM.
func (r *run) spawn(f func()) {
	own, tasks := r.vm.state.NewUserdata(nil, nil, taskSize).Of(), r.vm.state.Registry
	tasks.Set(own, vm.Bool(true))
	r.tasks.Go(func() {
		r.vm.mu.Lock()
		defer r.vm.mu.Unlock()
		defer tasks.Set(own, none)
		f()
	})
}

// err returns an error of the state for Go.
func (r *run) err(err error) error {
	var e *vm.Error
	if !errors.As(err, &e) {
		return err
	}
	if ended := e.Unwrap(); ended != nil {
		return ended
	}
	return &Error{Message: r.vm.Redact(r.message(e.Value)), Traceback: r.vm.Redact(folded(e.Traceback))}
}

// folded returns a traceback with one line for those that repeat themselves.
func folded(trace string) string {
	var out []string
	again := 0
	lines := strings.Split(trace, "\n")
	for i, line := range lines {
		if i > 0 && line == lines[i-1] {
			again++
		} else {
			again = 0
			out = append(out, line)
		}
		if again > 0 && (i+1 == len(lines) || lines[i+1] != line) {
			if again == 1 {
				out = append(out, line)
			} else {
				out = append(out, fmt.Sprintf("\t... (the same %d times more)", again))
			}
		}
	}
	return strings.Join(out, "\n")
}

// message returns the text of an error value: of a table its own, that of a member, or else JSON.
func (r *run) message(v value) string {
	if s, ok := v.Text(); ok {
		return s
	}
	t := v.AsTable()
	if t != nil && (t.Meta == nil || t.Meta.GetField("__tostring").IsNil()) {
		for _, name := range []string{"message", "error", "msg"} {
			if s, ok := t.GetField(name).AsString(); ok {
				return s
			}
		}
	}
	shown := ""
	if _, err := r.do("error", r.vm.fn("error", func(c call) int {
		if !c.Metamethod(v, "__tostring").IsNil() {
			shown = c.ToString(v)
		} else if t != nil {
			shown = "error object: " + c.show(v)
		}
		return 0
	})); err != nil || shown == "" {
		return "(error object is a " + v.TypeName() + " value)"
	}
	return shown
}

// A memoryError is that a script would have more than its limit, in bytes.
type memoryError int64

func (e memoryError) Error() string {
	return "memory limit of " + sizes.Size(int64(e)) + " exceeded"
}

// A holding is what Go has for a script while the state does not know of it: all holdings
// together may have as much as the script itself.
type holding struct {
	total *atomic.Int64
	limit int64
	n     int64
	most  int64 // of this one
}

func (vm *VM) holding(most int64) *holding {
	return &holding{total: &vm.outside, limit: vm.memory, most: most}
}

// add counts n bytes more.
func (h *holding) add(n int64) error {
	h.n += n
	if h.n > h.most {
		return fmt.Errorf("larger than %s, which is what a memory limit of %s leaves for it", sizes.Size(h.most), sizes.Size(h.limit))
	}
	if h.total.Add(n) > h.limit {
		return memoryError(h.limit)
	}
	return nil
}

// end lets others have the room.
func (h *holding) end() { h.total.Add(-h.n) }

// reader returns a reader whose bytes are counted.
func (h *holding) reader(r io.Reader) io.Reader { return &countedReader{h, r} }

type countedReader struct {
	h *holding
	r io.Reader
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if over := c.h.add(int64(n)); over != nil {
		return n, &finalError{over}
	}
	return n, err
}

// A ceiling keeps what Go makes for a script from being many times what it was made of: the heap may grow by as much as a script may
// have while a document is read. Only that can be measured, since others make the parts.
type ceiling struct {
	ctx   context.Context
	limit uint64 // of what the script may have
	most  uint64 // bytes in use from which on somebody has to look what is garbage
	final uint64
	count int
}

func (vm *VM) ceiling() *ceiling {
	inUse := inUse()
	c := &ceiling{ctx: vm.run.ctx, limit: uint64(vm.memory), most: inUse + uint64(vm.memory)}
	c.final = c.most
	return c
}

// poll returns why what is going on has to stop, or nil.
func (c *ceiling) poll() error {
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	if inUse() <= c.most {
		return nil
	}
	runtime.GC()
	now := inUse()
	if now > c.final {
		return memoryError(c.limit)
	}
	c.most = max(c.final, now+c.limit/2)
	return nil
}

// sometimes is poll where there is little to do in between.
func (c *ceiling) sometimes() error {
	if c.count++; c.count&0x3ff != 0 {
		return nil
	}
	return c.poll()
}

// inUse returns the bytes that objects and stacks of the process take, garbage included.
func inUse() uint64 {
	s := [...]metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"},
	}
	metrics.Read(s[:])
	return s[0].Value.Uint64() + s[1].Value.Uint64()
}
