package lua

import (
	"context"
	"errors"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
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
}

// What an alarm may be.
const (
	quiet uint32 = iota
	look         // at how much memory is in use
	stop
)

var (
	errMemory = errors.New("not enough memory")
	errEnded  = errors.New("the script has ended")
)

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

// watch looks every few milliseconds how much memory is in use. Only whoever has
// the VM may find out how much of it is garbage: nothing is allocated meanwhile.
func (r *run) watch() {
	tick := time.NewTicker(4 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-tick.C:
			r.mu.Lock()
			limit := r.limit
			r.mu.Unlock()
			if memory() > limit {
				r.alarm.CompareAndSwap(quiet, look)
			}
		}
	}
}

// weigh stops the run if what it has is more than it may have.
func (r *run) weigh() {
	runtime.GC()
	inUse := memory()
	allowed := r.start + uint64(r.vm.memory)
	if inUse > allowed {
		r.halt(errMemory)
		return
	}
	r.mu.Lock()
	r.limit = max(allowed, inUse+uint64(r.vm.memory)/2)
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
