package lua

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// A thread is a stack that Lua runs on. A protected call has one of its own,
// since the VM, when it raises an error, cuts every function of a stack from the
// locals that it shares with its callers. So have coroutines and tasks.
//
// It is the context of its stack, because that is what the VM asks before every
// instruction whether to go on.
type thread struct {
	run   *run
	state *state
	task  *task
	co    *strand // that this is part of, if any
	depth int     // protected calls and coroutines around this
}

const (
	maxDepth   = 195   // of protected calls in each other: each nests the Go stack
	mainFrames = 160e3 // of calls in each other on the first stack of a Run
	callFrames = 16e3  // … of a protected call
	coFrames   = 8e3   // … of a coroutine, of which there may be many
	maxStack   = 1e6   // values on one stack
)

func (t *thread) Deadline() (time.Time, bool) { return time.Time{}, false }
func (t *thread) Value(any) any               { return nil }

// Done returns a closed channel when the VM has to stop.
func (t *thread) Done() <-chan struct{} {
	t.run.step()
	if t.run.alarm.Load() == quiet {
		return nil
	}
	return t.run.alarmed()
}

// Err is what the VM then raises.
func (t *thread) Err() error { return t.run.cause() }

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// newThread returns a thread with an empty stack below t.
func (t *thread) newThread(frames int) *thread {
	n := t.run.newThread(t.task, frames)
	n.co, n.depth = t.co, t.depth+1
	return n
}

func (r *run) newThread(of *task, frames int) *thread {
	t := &thread{run: r, task: of}
	root := r.vm.root
	if n := len(r.vm.idle); frames == callFrames && n > 0 {
		t.state, r.vm.idle = r.vm.idle[n-1], r.vm.idle[:n-1]
	} else {
		root.Options = lua.Options{
			CallStackSize: frames, MinimizeStackMemory: true,
			RegistrySize: 256, RegistryMaxSize: maxStack, RegistryGrowStep: 4096, // each step copies it
		}
		if frames == mainFrames {
			root.Options.RegistrySize, root.Options.RegistryGrowStep = 4096, 1<<15
		}
		t.state, _ = root.NewThread()
		t.state.Panic = raise
	}
	t.state.SetContext(t)
	return t
}

// done gives the stack of a call that returned to the next.
func (t *thread) done() {
	if vm := t.run.vm; len(vm.idle) < 16 {
		vm.idle = append(vm.idle, t.state)
	}
}

// A thrown is an error on its way to who catches it.
type thrown struct {
	value value
	state *state // where it was raised: its frames are as they were
}

func raise(l *state) {
	v := l.Get(-1)
	if s, ok := isString(v); ok {
		v = str(reword(s))
	}
	panic(&thrown{value: v, state: l})
}

// reword makes Lua's of the VM's own messages.
func reword(s string) string {
	place, msg, ok := strings.Cut(s, " ")
	if !ok || !strings.HasSuffix(place, ":") {
		return s
	}
	var a, b, key string
	switch {
	case msg == "registry overflow":
		msg = "stack overflow"
	case strings.HasPrefix(msg, "cannot perform ") && scan(msg, "cannot perform %s operation between %s and %s", new(string), &a, &b):
		if a == "number" || a == "string" {
			a = b
		}
		msg = "attempt to perform arithmetic on a " + a + " value"
	case strings.HasPrefix(msg, "attempt to index a non-table object("):
		a, key, _ = strings.Cut(strings.TrimPrefix(msg, "attempt to index a non-table object("), ") with key ")
		msg = "attempt to index a " + a + " value (key " + key + ")"
	case msg == "__unm undefined":
		msg = "attempt to perform arithmetic on a value that is not a number"
	case msg == "__len undefined":
		msg = "attempt to get length of a value that has none"
	case strings.HasPrefix(msg, "for statement init"):
		msg = "'for' initial value must be a number"
	case strings.HasPrefix(msg, "for statement limit"):
		msg = "'for' limit must be a number"
	case msg == "attempt to call a non-function object":
		msg = "attempt to call a table value"
	}
	return place + " " + msg
}

func scan(s, format string, args ...any) bool {
	n, err := fmt.Sscanf(s, format, args...)
	return err == nil && n == len(args)
}

// call calls what the stack holds below n arguments, and reports what it raised.
// What it returned is then the stack.
func (t *thread) call(n int) (err *thrown) {
	if t.depth > maxDepth {
		return &thrown{value: str("stack overflow (too many protected calls in each other)"), state: t.state}
	}
	defer func() {
		if r := recover(); r != nil {
			err = t.caught(r)
		}
	}()
	t.state.Call(n, lua.MultRet)
	return nil
}

// caught makes an error of Lua of what was recovered.
func (t *thread) caught(r any) *thrown {
	switch r := r.(type) {
	case *thrown:
		return r
	case *lua.ApiError:
		return &thrown{value: r.Object, state: t.state}
	case string: // of the VM, which has no room for one more call
		return &thrown{value: str("stack overflow"), state: t.state}
	case runtime.Error:
		return &thrown{value: str("internal error: " + r.Error()), state: t.state}
	}
	return &thrown{value: str(fmt.Sprint("internal error: ", r)), state: t.state}
}

// invoke calls f on a stack of its own.
func (t *thread) invoke(f value, args ...value) ([]value, *thrown) {
	c := t.newThread(callFrames)
	c.state.Push(f)
	for _, a := range args {
		c.state.Push(a)
	}
	if err := c.call(len(args)); err != nil {
		return nil, err
	}
	out := values(c.state, 1)
	c.state.SetTop(0)
	c.done()
	return out, nil
}

// values returns the stack of the current function from its i-th value on.
func values(l *state, i int) []value {
	n := l.GetTop()
	if i > n {
		return nil
	}
	out := make([]value, 0, n-i+1)
	for ; i <= n; i++ {
		out = append(out, l.Get(i))
	}
	return out
}

// wait runs f, which may take its time, while others use the VM. f must heed its
// context; what the caller holds of the VM it must not touch.
func (t *thread) wait(f func(ctx context.Context)) {
	r := t.run
	r.vm.mu.Unlock()
	defer r.vm.mu.Lock()
	f(r.ctx)
}

// traceback returns the innermost calls of a stack, one a line.
func traceback(l *state) string {
	var b strings.Builder
	b.WriteString("stack traceback:")
	for i := 0; ; i++ {
		d, ok := l.GetStack(i)
		if !ok {
			break
		}
		if i == 20 {
			b.WriteString("\n\t...")
			break
		}
		if _, err := l.GetInfo("nSl", d, none); err != nil {
			break
		}
		name, _, _ := strings.Cut(d.Name, "\x00")
		switch {
		case d.Source == "" && (name == "" || name == "main chunk"):
			continue
		case d.Source == "":
			fmt.Fprintf(&b, "\n\t[builtin]: in function '%s'", name)
		case d.LineDefined == 0:
			fmt.Fprintf(&b, "\n\t%s:%d: in main chunk", d.Source, d.CurrentLine)
		case name == "main chunk" || name[0] == '<' || name[0] == '(':
			fmt.Fprintf(&b, "\n\t%s:%d: in function <%s:%d>", d.Source, d.CurrentLine, d.Source, d.LineDefined)
		default:
			fmt.Fprintf(&b, "\n\t%s:%d: in function '%s'", d.Source, d.CurrentLine, name)
		}
	}
	return b.String()
}

// where returns "chunk:line: " of the Lua function level calls up from the
// builtin that runs, or "" where that is none.
func where(l *state, level int) string {
	d, ok := l.GetStack(level)
	if !ok {
		return ""
	}
	if _, err := l.GetInfo("Sl", d, none); err != nil || d.What == "G" || d.Source == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", d.Source, d.CurrentLine)
}
