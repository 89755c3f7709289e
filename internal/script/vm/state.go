package vm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Options are the means and limits of the programs of a State. The zero Options give the
// whole library but nothing of the system, and no limit.
type Options struct {
	Memory int64                            // bytes; 0: no limit
	Steps  int64                            // jumps back, calls and rounds of library loops; 0: no limit
	Stdout io.Writer                        // of print; nil: nowhere
	Now    func() time.Time                 // os.time and os.date; nil: neither is there
	Clock  func() time.Duration             // os.clock; nil: it is not there
	Getenv func(name string) (string, bool) // os.getenv; nil: it is not there
	Random uint64                           // seed of math.random; 0: one by chance

	OutOfMemory string // the message where Memory would be exceeded; "": that of C Lua
}

// A State is a Lua of its own: globals, metatables of basic types, limits. Only one
// goroutine at a time may use it or anything that belongs to it.
type State struct {
	// Globals is the table of globals.
	Globals *Table
	// Registry is a table that programs do not see. Its values count as in use.
	Registry *Table

	main       *Thread
	running    *Thread
	calls      []*Thread            // those that Go has called a function on, which has not returned
	metas      [KindNull + 1]*Table // of types whose values have no metatable of their own
	names      [numEvents]String    // __index, for example
	opts       Options
	ctx        context.Context
	codes      map[*Proto]*code
	interned   map[string]*String
	next       *GoFunction         // which iTForCall knows, and does without a call
	inext      Value               // the result of ipairs
	typeValues [KindNull + 1]Value // the results of type
	pats       patternCache
	chars      [256]*String // strings of one byte, once they are used
	none       *String      // the empty one
	random     generator

	fuel   int64 // steps until the next poll
	slice  int64 // the fuel when it was last filled
	spent  int64 // steps before
	used   int64 // bytes that were reachable, and those allocated since
	total  int64 // bytes that were ever allocated
	soon   int64 // bytes in use from which on they have to be weighed
	pinned int64 // bytes that functions of Go hold that wait for a call
	weigh  bool  // at the next poll

	exhausted    bool
	generational bool // the answer of collectgarbage about the collector, which is Go's
	epoch        uint16
}

// ErrSteps ends a program, which cannot catch it.
var ErrSteps = errors.New("too many steps")

const pollEvery = 4096 // steps

// New returns a State with the standard library.
func New(o Options) *State {
	st := newBare(o)
	st.openLibs()
	return st
}

// newBare returns a State whose globals are empty.
func newBare(o Options) *State {
	st := &State{opts: o, fuel: pollEvery, slice: pollEvery, codes: map[*Proto]*code{}, interned: make(map[string]*String, 256)}
	for i, name := range eventNames {
		st.names[i] = String{header: header{kind: KindString, flags: flagShared}, s: name}
		st.names[i].hashed()
		st.interned[name] = &st.names[i]
	}
	for k := range st.typeValues {
		st.typeValues[k] = st.intern(constant(kindNames[k])).Of()
	}
	st.soon = 1 << 62
	if o.Memory > 0 {
		st.soon = o.Memory
	}
	st.Globals = st.NewTable(0, 40)
	st.Registry = st.NewTable(0, 4)
	st.main = st.NewThread()
	return st
}

// SetContext sets the context that ends programs from outside: when ctx is done, every call ends
// with its cause, which nothing catches.
func (st *State) SetContext(ctx context.Context) { st.ctx = ctx }

// Main returns the thread of calls from Go that are in no coroutine.
func (st *State) Main() *Thread { return st.main }

// Exhausted reports whether a program has ever wanted more memory than there was.
func (st *State) Exhausted() bool { return st.exhausted }

// setTypeMetatable sets the metatable of all values of k, a type other than tables and
// userdata, which have their own.
func (st *State) setTypeMetatable(k Kind, t *Table) {
	switch k {
	case KindFalse, KindTrue:
		st.metas[KindFalse], st.metas[KindTrue] = t, t
	case KindInt, KindFloat:
		st.metas[KindInt], st.metas[KindFloat] = t, t
	case KindFunction, KindGo:
		st.metas[KindFunction], st.metas[KindGo] = t, t
	default:
		st.metas[k] = t
	}
}

// poll is called when fuel has run out. It panics if the program has to stop.
func (st *State) poll() {
	st.spent += st.slice - st.fuel
	st.fuel, st.slice = pollEvery, pollEvery
	if st.opts.Steps > 0 && st.spent >= st.opts.Steps {
		st.fuel, st.slice = 0, 0
		panic(&Error{fatal: ErrSteps, Value: Str(ErrSteps.Error())})
	}
	if st.ctx != nil && st.ctx.Err() != nil {
		st.fuel, st.slice = 0, 0
		err := context.Cause(st.ctx)
		panic(&Error{fatal: err, Value: Str(err.Error())})
	}
	if st.weigh {
		st.weigh = false
		st.reweigh(0)
	}
}

// step counts n steps, of a loop in Go.
func (st *State) step(n int) {
	if st.fuel -= int64(n); st.fuel < 0 {
		st.poll()
	}
}

// alloc counts n bytes that have been allocated.
func (st *State) alloc(n int64) {
	st.total += n
	if n >= 4096 {
		st.fuel -= n >> 8 // a large allocation takes time to fill, which steps have to stand for
	}
	if st.used += n; st.used > st.soon && !st.weigh {
		// The caller may hold a value that nothing refers to yet: the next poll weighs.
		st.weigh = true
		st.slice -= st.fuel
		st.fuel = 0
	}
}

// room panics if n bytes more would be too many. It is to be called before an
// allocation that is not small.
func (st *State) room(n int64) {
	if n < 64<<10 || st.opts.Memory <= 0 || st.used+n <= st.soon {
		return
	}
	st.reweigh(n)
}

// reweigh adds up the reachable memory, and panics if that and n bytes more are too many.
func (st *State) reweigh(n int64) {
	limit := st.opts.Memory
	if limit <= 0 {
		return
	}
	st.used = st.reachable() + st.pinned
	if th := st.running; th != nil {
		if fr := &th.frames[th.depth]; fr.kind == frGo {
			st.used += st.total - fr.mark
		}
	}
	if st.used+n > limit {
		st.exhausted = true
		panic(&Error{Value: Str(st.outOfMemory()), memory: true})
	}
	// Close to the limit, some room keeps this from being done all the time.
	st.soon = max(limit, st.used+limit/8)
}

// outOfMemory returns the message of too little memory: C Lua's, or whose State it is says
// another, which begins with the place.
func (st *State) outOfMemory() string {
	if st.opts.OutOfMemory == "" {
		return "not enough memory"
	}
	place := ""
	if th := st.running; th != nil {
		if place = th.where(0); place == "" {
			place = th.where(1)
		}
	}
	return place + st.opts.OutOfMemory
}

// An Error is an error of Lua: a value that was raised.
type Error struct {
	Value     Value
	Traceback string // where; "" if something caught it
	fatal     error  // nothing catches it
	memory    bool
	text      string
}

// Error returns the value as text.
func (e *Error) Error() string {
	if e.text != "" {
		return e.text
	}
	return plainText(e.Value)
}

// Unwrap returns why a program was ended from outside: the context's error or ErrSteps.
func (e *Error) Unwrap() error { return e.fatal }

func plainText(v Value) string {
	switch v.Kind() {
	case KindString:
		return (*String)(v.p).s
	case KindInt, KindFloat:
		return string(appendNumber(nil, v))
	}
	return fmt.Sprintf("(error object is a %s value)", v.TypeName())
}
