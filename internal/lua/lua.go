// Package lua runs Lua scripts that call APIs: a sandboxed VM with the builtins
// of the program (http, json, fs, db, …) and nothing else.
//
// Whatever a script does, Run returns: a loop that never ends stops with its
// context, and memory, recursion and the size of one value have limits that are
// errors. It never ends the process.
//
// The language is Lua 5.4 with one kind of number, a float64: one without a
// fraction prints as an integer, and arithmetic is exact up to 2^53. Integers
// beyond it that come from JSON, a database or a literal keep their digits as
// long as they are passed on, compared, used as keys or computed with as integers.
package lua

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/assay-dev/assay/internal/lua/parse"
	"github.com/assay-dev/assay/internal/lua/pattern"
)

// Options says what a VM's scripts see and may do.
type Options struct {
	Stdout  io.Writer                                               // of print; nil: nowhere
	Log     io.Writer                                               // records of log.info, log.warn and log.error; nil: nowhere
	Dir     string                                                  // what relative paths start at; "": the working directory
	Env     func(name string) (string, bool)                        // env.get; nil: Getenv
	Require func(name string) (src []byte, chunk string, err error) // modules: fs.ErrNotExist where there is none; nil: none
	Policy  *Policy                                                 // nil: everything its user may do
	Memory  int64                                                   // bytes that the heap may grow by; 0: DefaultMemory
	Globals map[string]any                                          // further globals: values as Run returns them
	Client  *http.Client                                            // what http starts from; nil: one with a timeout of 30 s
}

// DefaultMemory is how many bytes a script has where nobody says.
const DefaultMemory = 64 << 20

// A Policy is what a script of unknown origin may do. The zero Policy permits
// computing and nothing else.
type Policy struct {
	Hosts    []string // "api.example.com", "*.example.com", "localhost:8080"; none: no network
	Methods  []string // of HTTP; none: GET and HEAD
	Paths    []string // of URLs, by prefix or with *; none: every path
	Env      []string // names visible to env.get; none: no variable
	Scratch  string   // folder that fs may use; "": no file
	ReadOnly bool     // only GET, HEAD and OPTIONS, whatever Methods says; no ws, no db but memory
}

// An Error is an error of Lua: what was raised and not caught.
type Error struct {
	Message   string // "<path>:<line>: msg"
	Traceback string // the innermost calls, one a line; "" for an error of syntax
}

func (e *Error) Error() string { return e.Message }

// A VM runs chunks one after another; they share their globals. It is not for
// several goroutines at once.
type VM struct {
	o       Options
	memory  int64
	over    atomic.Bool // a run had more than that
	root    *state
	ops     map[parse.Op]value
	loaded  *table
	preload *table
	loading sync.Map // by name: *loading

	mu   sync.Mutex // who has it runs Lua
	idle []*state

	secrets        secrets
	patterns       map[patternKey]*pattern.Pattern
	regexes        map[string]*expression
	http           *http.Client
	closers        []closeFunc // of what scripts have opened
	databases      atomic.Int32
	logMu          sync.Mutex
	typeMetatables map[any]*table
}

// New returns a VM. It reads and opens nothing.
func New(o Options) *VM {
	vm := &VM{o: o, memory: o.Memory, typeMetatables: map[any]*table{}}
	if vm.memory <= 0 {
		vm.memory = DefaultMemory
	}
	vm.root = newRoot()
	vm.ops = opTable()
	for _, open := range []func(*VM){
		(*VM).openBase, (*VM).openCoroutine, (*VM).openString, (*VM).openTable, (*VM).openMath, (*VM).openUTF8,
		(*VM).openAssert, (*VM).openAsync, (*VM).openCrypto, (*VM).openDB, (*VM).openFS, (*VM).openHTTP,
		(*VM).openJSON, (*VM).openMisc, (*VM).openTemplate, (*VM).openTOML, (*VM).openWS, (*VM).openYAML,
	} {
		open(vm)
	}
	for name, v := range o.Globals {
		vm.setGlobal(name, fromGo(v))
	}
	return vm
}

// Run runs src, which errors call chunk, with args as its "...", and returns what
// it returns: nil, bool, int64, float64, string, []any or map[string]any. What the
// chunk started and did not wait for ends with it. The error is an *Error for one
// that Lua raised, or wraps ctx's.
func (vm *VM) Run(ctx context.Context, chunk string, src []byte, args ...any) ([]any, error) {
	r := newRun(ctx, vm)
	vm.mu.Lock()
	defer func() {
		vm.mu.Unlock()
		r.cancel()
		r.tasks.Wait()
	}()
	defer func() {
		for _, f := range r.atEnd {
			f()
		}
	}()
	values, err := r.newThread(newTask(), mainFrames).main(chunk, src, args)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(values))
	for i, v := range values {
		if out[i], err = r.toGo(v); err != nil {
			if r.stopped() && !errors.As(r.cause(), new(memoryError)) {
				return nil, r.cause()
			}
			return nil, &Error{Message: strings.TrimPrefix(chunk, "@") + ": cannot return its result: " + err.Error()}
		}
	}
	return out, nil
}

// Redact returns s without the secrets that the scripts have read by env.get.
func (vm *VM) Redact(s string) string { return vm.secrets.redact(s) }

// Close closes what the scripts opened. Nothing can be run afterwards.
func (vm *VM) Close() error {
	var errs []error
	for _, f := range slices.Backward(vm.closers) {
		errs = append(errs, f())
	}
	vm.closers = nil
	if vm.over.Load() {
		// What the script had is garbage now; a server that goes idle would keep it for minutes.
		vm.root, vm.loaded, vm.preload, vm.idle, vm.patterns, vm.regexes, vm.typeMetatables = nil, nil, nil, nil, nil, nil, nil
		debug.FreeOSMemory()
	}
	return errors.Join(errs...)
}

// Check reports whether src is a chunk, without running it: nil or an *Error.
func Check(chunk string, src []byte) error {
	_, _, err := compile(chunk, src)
	return err
}

// Getenv returns a variable of the process.
func Getenv(name string) (string, bool) { return os.LookupEnv(name) }
