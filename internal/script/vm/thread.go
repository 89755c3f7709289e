package vm

import "unsafe"

// A Thread is a stack that Lua runs on: the main one or a coroutine. It has no goroutine
// of its own: the interpreter leaves a coroutine that yields with its frames in place,
// and goes on with them when it is resumed.
type Thread struct {
	header
	st        *State
	stack     []Value
	frames    []frame
	depth     int // of the frame that runs; frame 0 stands for the caller in Go
	top       int // end of the values of a function of Go, or of a list of values without a count
	open      []*upval
	tbc       []int32 // registers that are to be closed
	nested    int     // runs of the interpreter around, in all threads
	guards    int     // frames of pcall and xpcall
	base      int     // nested when the thread was resumed: it can yield only there
	status    status
	coroutine bool
	resumer   *Thread
	failed    *Error // of a coroutine that has failed: the error that coroutine.close reports
	extra     int    // frames and values beyond the limits, for who handles a stack overflow

	// Data is for whoever embeds the VM.
	Data any
}

type status uint8

const (
	suspended status = iota
	active
	waiting // for a coroutine that it has resumed
	dead
)

var statusNames = [...]string{"suspended", "running", "normal", "dead"}

type frameKind uint8

const (
	frLua frameKind = iota
	frGo
	frPcall
	frXpcall
	frPairs
	frYield
)

// Flags of a frame.
const (
	flEntry   uint8 = 1 << iota // it returns to Go
	flFinish                    // its result finishes an instruction of the frame below
	flSlow                      // its return has more to do than to move values
	flTail                      // it took the place of its caller
	flClose                     // as flFinish, of a __close whose instruction is repeated
	flClosing                   // its iRet has begun to close; mark is how many values it returns
	flFailed                    // a __close because of an error, which a pcall below has caught
)

// A frame is one call. It holds no pointers, so that pushing one is cheap: the function
// is on the stack.
type frame struct {
	fn    int32 // where the function is, and where its results go
	base  int32 // its first register or argument
	pc    int32 // of the next instruction, while it calls
	nres  int32 // how many results are wanted; -1: all
	extra int32 // arguments beyond the parameters, or an instruction's progress
	kind  frameKind
	flags uint8
	aux   uint8 // how many operands an iConcat has left; of a pcall, how many are below it
	mark  int64 // State.total when a function of Go began
}

const (
	threadSize   = int64(unsafe.Sizeof(Thread{}))
	frameSize    = int64(unsafe.Sizeof(frame{}))
	closureSize  = int64(unsafe.Sizeof(Closure{}))
	upvalSize    = int64(unsafe.Sizeof(upval{}))
	userdataSize = int64(unsafe.Sizeof(Userdata{}))

	maxStack   = 1_000_000 // values
	maxDepth   = 200_000   // calls in each other
	maxNested  = 198       // calls from C in each other, of the 200 of C Lua's stack; its own program has two
	stackSlack = 64        // values that are free above the registers of a frame
	extraStack = 5000
	extraDepth = 500
)

// A Closure is a function of Lua with its upvalues.
type Closure struct {
	header
	code   *code
	upvals []*upval
}

// The upvalues of most closures are allocated together with them.
type (
	closure1 struct {
		Closure
		u [1]*upval
	}
	closure2 struct {
		Closure
		u [2]*upval
	}
	closure4 struct {
		Closure
		u [4]*upval
	}
)

func newClosure(c *code) *Closure {
	var cl *Closure
	switch n := len(c.p.ups); {
	case n == 0:
		cl = &Closure{}
	case n == 1:
		x := &closure1{}
		cl, x.upvals = &x.Closure, x.u[:1]
	case n == 2:
		x := &closure2{}
		cl, x.upvals = &x.Closure, x.u[:2]
	case n <= 4:
		x := &closure4{}
		cl, x.upvals = &x.Closure, x.u[:n]
	default:
		cl = &Closure{upvals: make([]*upval, n)}
	}
	cl.kind, cl.code = KindFunction, c
	return cl
}

// Of returns a function as a value.
func (c *Closure) Of() Value { return Value{p: unsafe.Pointer(c)} }

// An upval is a variable that closures share: a register while its scope lasts, then a
// value of its own.
type upval struct {
	v      *Value
	closed Value
	slot   int32
	epoch  uint16
}

// A code is a Proto as one State runs it: the hints in its instructions are rewritten.
type code struct {
	ins    []instr
	k      []Value
	params int
	stack  int
	vararg bool
	p      *Proto
	subs   []*code
	bytes  int64
}

// codeOf returns the code of a prototype for this State.
func (st *State) codeOf(p *Proto) *code {
	k := make([]Value, len(p.k))
	for i, v := range p.k {
		if s := v.str(); s != nil {
			v = st.intern(s).Of()
		}
		k[i] = v
	}
	return &code{
		ins: append([]instr(nil), p.code...), k: k, params: p.params, stack: p.stack, vararg: p.vararg, p: p,
		subs: make([]*code, len(p.protos)),
	}
}

// maxInterned is how many constants a State knows before it begins again.
const maxInterned = 1 << 14

// intern returns the one object that stands for a constant in all code of this State, so
// that look-ups need only compare pointers.
func (st *State) intern(s *String) *String {
	if c := st.interned[s.s]; c != nil {
		return c
	}
	if len(st.interned) >= maxInterned {
		clear(st.interned)
		for i := range st.names {
			st.interned[st.names[i].s] = &st.names[i]
		}
	}
	st.interned[s.s] = s
	return s
}

// sub returns the code of the i-th function inside c.
func (st *State) sub(c *code, i int) *code {
	if c.subs[i] == nil {
		c.subs[i] = st.codeOf(c.p.protos[i])
	}
	return c.subs[i]
}

// Load returns the function of a compiled chunk. env is its _ENV: nil stands for the
// globals.
func (st *State) Load(p *Proto, env Value) *Closure {
	c := st.codes[p]
	if c == nil {
		c = st.codeOf(p)
		c.bytes = 2 * p.bytes()
		st.codes[p] = c
		st.alloc(c.bytes)
		if len(st.codes) > 256 { // of load in a loop: closures that are still in use keep theirs
			st.codes = map[*Proto]*code{}
		}
	}
	cl := newClosure(c)
	if env.p == nil {
		env = st.Globals.Of()
	}
	for i := range cl.upvals {
		u := &upval{closed: env}
		u.v = &u.closed
		cl.upvals[i], env = u, Nil
	}
	st.alloc(closureSize + upvalSize)
	return cl
}

// NewThread returns a thread that functions can be called on.
func (st *State) NewThread() *Thread {
	th := &Thread{header: header{kind: KindThread}, st: st}
	th.stack = make([]Value, stackSlack)
	th.frames = make([]frame, 4)
	th.frames[0].kind = frGo
	th.top = 1
	st.alloc(threadSize + int64(len(th.stack))*valueSize + int64(len(th.frames))*frameSize)
	return th
}

// regs returns the registers from base on. The compiler gives a function no register
// beyond the size of its frame, which is why the array may be longer than the stack, and
// why the checks of pointers that come with the race detector are off here.
//
//go:nocheckptr
func (th *Thread) regs(base int) *[256]Value {
	return (*[256]Value)(unsafe.Pointer(&th.stack[base]))
}

// liveTop returns the end of the used part of the stack.
func (th *Thread) liveTop() int {
	top := th.top
	if fr := &th.frames[th.depth]; fr.kind == frLua {
		top = max(top, int(fr.base)+th.closure(fr).code.stack)
	}
	return min(top, len(th.stack))
}

func (th *Thread) closure(fr *frame) *Closure { return (*Closure)(th.stack[fr.fn].p) }

// ensure makes the stack at least n values long, and some more.
func (th *Thread) ensure(n int) {
	if n+stackSlack > len(th.stack) {
		th.growStack(n + stackSlack)
	}
}

func (th *Thread) growStack(n int) {
	if n > maxStack+th.extra {
		if th.extra == 0 {
			panic(th.overflow())
		}
		panic(&Error{Value: Str("error in error handling")})
	}
	size := min(max(n, 2*len(th.stack)), max(n, maxStack+extraStack))
	th.st.room(int64(size) * valueSize)
	stack := make([]Value, size)
	copy(stack, th.stack)
	th.st.alloc(int64(size-len(th.stack)) * valueSize)
	th.stack = stack
	for _, u := range th.open {
		u.v = &stack[u.slot]
	}
}

// overflow returns the error of too many calls in each other.
func (th *Thread) overflow() *Error {
	return th.errorf("stack overflow")
}

// push adds a frame.
func (th *Thread) push(f frame) *frame {
	if th.depth+1 >= len(th.frames) {
		th.growFrames()
	}
	th.depth++
	fr := &th.frames[th.depth]
	*fr = f
	return fr
}

func (th *Thread) growFrames() {
	limit := maxDepth
	if th.extra > 0 {
		limit += extraDepth
	}
	n := len(th.frames)
	if n >= limit {
		panic(th.overflow())
	}
	size := min(2*n, limit)
	th.st.room(int64(size) * frameSize)
	frames := make([]frame, size)
	copy(frames, th.frames)
	th.frames = frames
	th.st.alloc(int64(size-n) * frameSize)
}

// findUpval returns the open upvalue of a register.
func (th *Thread) findUpval(slot int) *upval {
	i := len(th.open)
	for ; i > 0; i-- {
		if u := th.open[i-1]; int(u.slot) == slot {
			return u
		} else if int(u.slot) < slot {
			break
		}
	}
	u := &upval{v: &th.stack[slot], slot: int32(slot)}
	th.st.alloc(upvalSize)
	th.open = append(th.open, nil)
	copy(th.open[i+1:], th.open[i:])
	th.open[i] = u
	return u
}

// closeUpvals gives the open upvalues from a register on values of their own.
func (th *Thread) closeUpvals(slot int) {
	for n := len(th.open); n > 0; n-- {
		u := th.open[n-1]
		if int(u.slot) < slot {
			break
		}
		u.closed = *u.v
		u.v = &u.closed
		th.open[n-1] = nil
		th.open = th.open[:n-1]
	}
}
