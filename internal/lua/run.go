package lua

import (
	"context"
	"errors"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	sizes "github.com/assay-dev/assay/internal/base/text"
)

// A run is one Run of a VM: what it may use and whether it has to stop.
type run struct {
	vm     *VM
	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	atEnd  []func() // called with the VM

	alarm atomic.Uint32
	mu    sync.Mutex
	why   error // why it stops
	start uint64
	limit uint64 // bytes in use above which somebody has to look what is garbage

	// Of the thread that has the VM:
	steps int   // instructions since the run began
	fresh int64 // bytes that were counted since memory was last read
}

// What an alarm may be.
const (
	quiet uint32 = iota
	look         // at how much memory is in use
	stop
)

var errEnded = errors.New("the script has ended")

// A memoryError is that a script would have more than its limit, in bytes.
type memoryError int64

func (e memoryError) Error() string {
	return "memory limit of " + sizes.Size(int64(e)) + " exceeded"
}

func newRun(ctx context.Context, vm *VM) *run {
	r := &run{vm: vm}
	r.ctx, r.cancel = context.WithCancel(ctx)
	inUse := memory()
	if inUse > uint64(vm.memory) {
		runtime.GC() // else what others have left behind would be this script's room
		inUse = memory()
	}
	r.start = inUse
	r.limit = inUse + uint64(vm.memory)
	context.AfterFunc(r.ctx, func() { r.halt(context.Cause(r.ctx)) })
	r.tasks.Go(r.watch)
	return r
}

// halt makes every thread raise err before its next instruction.
func (r *run) halt(err error) {
	r.mu.Lock()
	if r.why == nil {
		r.why = err
	}
	r.mu.Unlock()
	r.alarm.Store(stop)
	r.cancel()
}

func (r *run) cause() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why == nil {
		return errEnded
	}
	return r.why
}

func (r *run) stopped() bool { return r.alarm.Load() == stop }

// alarmed is called by the thread that has the VM.
func (r *run) alarmed() <-chan struct{} {
	if r.alarm.CompareAndSwap(look, quiet) {
		r.weigh()
	}
	if r.stopped() {
		return closed
	}
	return nil
}

// poll is for what runs without the VM: it returns why it has to stop, or nil.
func (r *run) poll() error {
	if r.alarm.Load() != quiet && r.alarmed() != nil {
		return r.cause()
	}
	return r.ctx.Err()
}

// watch looks every few milliseconds how much memory is in use, for what takes some
// without being counted. Only whoever has the VM may find out how much of it is
// garbage: nothing is allocated meanwhile.
func (r *run) watch() {
	tick := time.NewTicker(4 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-tick.C:
			if memory() > r.bound() {
				r.alarm.CompareAndSwap(quiet, look)
			}
		}
	}
}

func (r *run) bound() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.limit
}

const (
	// lookEvery is how many bytes may be counted, and stepsEvery how many instructions
	// may be run, until memory is read: neither depends on when the watch is scheduled.
	lookEvery  = 1 << 20
	stepsEvery = 1 << 12
	// most values on their own are not worth counting.
	small = 4 << 10
)

// take counts n bytes before they are allocated, and returns an error where the script
// would then have more than its limit. It is called by the thread that has the VM.
func (r *run) take(n int64) error {
	if n > r.vm.memory {
		return memoryError(r.vm.memory)
	}
	if r.fresh += n; r.fresh < min(lookEvery, r.vm.memory/16) {
		return nil
	}
	r.fresh = 0
	if memory()+uint64(n) <= r.bound() {
		return nil
	}
	if r.weigh(); r.stopped() {
		return r.cause()
	}
	if memory()+uint64(n) > r.allowed() {
		r.vm.over.Store(true)
		return memoryError(r.vm.memory) // it has not got it: the script may catch this
	}
	return nil
}

// step counts an instruction.
func (r *run) step() {
	if r.steps++; r.steps%stepsEvery == 0 && memory() > r.bound() {
		r.alarm.CompareAndSwap(quiet, look)
	}
}

func (r *run) allowed() uint64 { return r.start + uint64(r.vm.memory) }

// weigh stops the run if what it has is more than it may have.
func (r *run) weigh() {
	runtime.GC()
	inUse := memory()
	if inUse > r.allowed() {
		r.vm.over.Store(true)
		r.halt(memoryError(r.vm.memory))
		return
	}
	r.mu.Lock()
	r.limit = max(r.allowed(), inUse+uint64(r.vm.memory)/2)
	r.mu.Unlock()
}

// memory returns the bytes that objects and stacks of the process take, garbage
// included.
func memory() uint64 {
	s := [...]metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"},
	}
	metrics.Read(s[:])
	return s[0].Value.Uint64() + s[1].Value.Uint64()
}
