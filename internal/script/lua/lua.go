// Package lua runs Lua scripts that call APIs: a sandboxed VM with the builtins
// of the program (http, json, fs, db, …) and nothing else.
//
// Whatever a script does, Run returns: a loop that never ends stops with its context, and memory, recursion and the size of one value
// have limits that are errors. It never ends the process.
//
// The language is Lua 5.4 as package vm runs it. A number that comes from JSON, YAML, TOML or a database is an integer where the source
// has one, and else a float; strings are bytes.
package lua

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/assay-dev/assay/internal/script/vm"
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
	Verbose bool                                                    // log the requests
	Globals map[string]any                                          // further globals: values as Run returns them
	Wire    *Wire                                                   // what happens to requests on their way; nil: nothing
	Alone   bool                                                    // the process is there for this script: see ballast
	Short   func(name string)                                       // told of each secret that is too short to be hidden; nil: nobody is
	Client  *http.Client                                            // what http starts from; nil: one with a timeout of 30 s

	Approvals *Approvals    // of requests that the policy marks; nil: nothing can be approved
	Requests  *atomic.Int64 // that were sent under a policy file, of all VMs of a run; nil: of this one
	Event     func(Event)   // told of requests and statements under a policy file; nil: nobody is
}

// DefaultMemory is how many bytes a script has where nobody says.
const DefaultMemory = 64 << 20

// A Policy is what a script of unknown origin may do. The zero Policy permits computing and nothing else.
type Policy struct {
	Hosts    []string // "api.example.com", "*.example.com", "localhost:8080"; none: no network
	Methods  []string // of HTTP; none: GET and HEAD
	Paths    []string // of URLs, by prefix or with *; none: every path
	Env      []string // names visible to env.get; none: no variable
	Scratch  string   // folder that fs may use; "": no file
	WriteDB  bool     // database servers of Hosts may be written to: without it they are read-only
	WriteWS  bool     // web sockets of Hosts may be opened: what is sent on one may do anything
	ReadOnly bool     // only GET, HEAD and OPTIONS, no file is written, and neither WriteDB nor WriteWS, whatever they say

	// Own marks a script of the user's own: only ReadOnly limits it.
	Own bool
	// Resolver looks up the names of hosts; nil: the system's.
	Resolver *net.Resolver `json:"-"`
	// File is a policy that an operator wrote. It and the fields above both have to permit an action;
	// of those fields, one that is empty does not narrow it.
	File *PolicyFile
}

// An Error is an error of Lua: what was raised and not caught.
type Error struct {
	Message   string // "<path>:<line>: msg"
	Traceback string // the innermost calls, one a line; "" for an error of syntax
}

func (e *Error) Error() string { return e.Message }

// A VM runs chunks one after another; they share their globals. It is not for several goroutines at once.
type VM struct {
	o       Options
	memory  int64
	outside atomic.Int64 // bytes that Go has for the script and the state does not know of

	mu      sync.Mutex // who has it may use the state, and what is above the next blank line
	state   *vm.State
	run     *run
	loaded  *table
	preload *table
	loading map[string]*loading
	regexes map[string]*expression

	secrets   secrets
	handles   secrets // of credentials: no response shows them to the script
	allNoted  sync.Once
	opened    map[any]endpoint // by connection
	http      *http.Client
	transport *http.Transport // of http, where it is one that can be changed
	closers   []closeFunc     // of what scripts have opened
	databases atomic.Int32
	logMu     sync.Mutex
}

// New returns a VM. It reads and opens nothing.
func New(o Options) *VM {
	if o.Alone {
		ballast()
	}
	v := &VM{o: o, memory: o.Memory, loading: map[string]*loading{}}
	if v.o.Env == nil {
		v.o.Env = Getenv
	}
	if v.o.Requests == nil {
		v.o.Requests = new(atomic.Int64)
	}
	if v.memory <= 0 {
		v.memory = DefaultMemory
	}
	v.state = vm.New(vm.Options{Memory: v.memory, OutOfMemory: memoryError(v.memory).Error(), Stdout: printer{v}, Random: o.seed()})
	for _, open := range []func(*VM){
		(*VM).openBase, (*VM).openAssert, (*VM).openAsync, (*VM).openCredentials, (*VM).openCrypto, (*VM).openDB, (*VM).openFS, (*VM).openGzip, (*VM).openHTTP, (*VM).openJSON, (*VM).openMisc, (*VM).openRedis, (*VM).openTemplate, (*VM).openTOML, (*VM).openWS, (*VM).openYAML,
	} {
		open(v)
	}
	for name, x := range o.Globals {
		v.setGlobal(name, v.fromGo(x))
	}
	return v
}

// Run runs src, which errors call chunk, with args as its "...", and returns what it returns: nil, bool, int64, float64, string, []any
// or map[string]any. What the chunk started and did not wait for ends with it. The error is an *Error for one that Lua raised, or wraps
// ctx's.
func (vm *VM) Run(ctx context.Context, chunk string, src []byte, args ...any) ([]any, error) {
	p, err := compile(chunk, src)
	if err != nil {
		return nil, err
	}
	r := &run{vm: vm}
	r.ctx, r.stop = context.WithCancelCause(ctx)
	vm.mu.Lock()
	vm.run = r
	vm.state.SetContext(r.ctx)
	defer func() {
		vm.mu.Unlock()
		r.stop(nil)
		r.tasks.Wait()
	}()
	defer func() {
		for _, f := range r.atEnd {
			f()
		}
	}()
	in := make([]value, len(args))
	for i, a := range args {
		in[i] = vm.fromGo(a)
	}
	t := vm.state.NewThread()
	t.Data = new(task)
	values, err := t.Call(vm.state.Load(p, none).Of(), in...)
	if err != nil {
		return nil, r.err(err)
	}
	if r.ctx.Err() != nil { // of the last that it did
		return nil, context.Cause(r.ctx)
	}
	out := make([]any, len(values))
	for i, x := range values {
		if out[i], err = r.toGo(x); err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, &Error{Message: strings.TrimPrefix(chunk, "@") + ": cannot return its result: " + err.Error()}
		}
	}
	return out, nil
}

// HasSecrets reports whether Redact would look for any.
func (vm *VM) HasSecrets() bool {
	vm.secrets.mu.Lock()
	defer vm.secrets.mu.Unlock()
	return len(vm.secrets.values) > 0
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
	if vm.state.Exhausted() {
		// What the script had is garbage now; a server that goes idle would keep it for minutes.
		vm.state, vm.run, vm.loaded, vm.preload, vm.regexes = nil, nil, nil, nil, nil
		debug.FreeOSMemory()
	}
	return errors.Join(errs...)
}

// compile reads a chunk, whose first line may be for a shell.
func compile(chunk string, src []byte) (*vm.Proto, error) {
	text := strings.TrimPrefix(string(src), byteOrderMark)
	if strings.HasPrefix(text, "#") {
		text = text[max(strings.IndexByte(text, '\n'), 0):]
		if text[0] == '#' {
			text = ""
		}
	}
	p, err := vm.Compile("@"+strings.TrimPrefix(chunk, "@"), text)
	if err != nil {
		return nil, &Error{Message: err.Error()}
	}
	return p, nil
}

// Check reports whether src is a chunk, without running it: nil or an *Error.
func Check(chunk string, src []byte) error {
	_, err := compile(chunk, src)
	return err
}

// Getenv returns a variable of the process.
func Getenv(name string) (string, bool) { return os.LookupEnv(name) }
