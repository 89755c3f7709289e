// Package script is the feature that answers "how do I call that API?": context and
// modules find Lua modules, run and exec run scripts, and run a file of checks.
//
// Whatever a script does, the call ends when its context does, and what it raised is told with where. Where the feature has a policy, a
// script can do nothing that the policy does not permit, and shows no secret it was permitted to read.
package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	sizes "github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/script/catalog"
	"github.com/assay-dev/assay/internal/script/lua"
	"github.com/assay-dev/assay/internal/script/stdlib"
)

// Config is what the feature needs to know of its surroundings.
type Config struct {
	WorkDir string                           // absolute; what scripts' relative paths start at
	Home    string                           // the user's folder; may be empty
	Env     func(name string) (string, bool) // of the process
	Stdin   io.Reader                        // a script in place of a file; nil: none
	Stdout  io.Writer                        // of print
	Stderr  io.Writer                        // of log, and of print in checks
	Policy  *lua.Policy                      // what scripts may do; nil: everything their user may do
	// Approvals is the folder of runs that wait for an approval.
	Approvals string
	Memory    int64            // bytes that a script may have; 0: 256 MiB, under a policy 64 MiB
	Now       func() time.Time // nil: time.Now
	// ProjectModules says whether scripts load the modules of WorkDir: always, ask or never; "": always.
	ProjectModules string
	Terminal       bool // Stdout is one
	// Confirm asks the person; nil where nobody can be asked.
	Confirm func(ctx context.Context, about, question string) (bool, error)
}

// A Feature finds modules and runs scripts. It is safe for concurrent use.
type Feature struct {
	cfg    Config
	stdout *locked
	stderr *locked

	admitting sync.Mutex
	admitted  map[string]bool // modules of the project, by path, that were told or asked about
	shorts    sync.Map        // names of secrets too short to be hidden that were told
}

func New(cfg Config) *Feature {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Env == nil {
		cfg.Env = func(string) (string, bool) { return "", false }
	}
	f := &Feature{cfg: cfg, stdout: &locked{w: cfg.Stdout}, stderr: &locked{w: cfg.Stderr}}
	if cfg.Stdout == cfg.Stderr {
		f.stderr = f.stdout
	}
	return f
}

// A locked writer takes whole writes from several scripts at once.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.w == nil {
		return len(p), nil
	}
	return l.w.Write(p)
}

// places are where modules lie.
func (f *Feature) places() catalog.Places {
	p := catalog.Places{WorkDir: f.cfg.WorkDir, Embedded: stdlib.Names(), Source: stdlib.Source}
	if dir, ok := f.cfg.Env("ASSAY_MODULES_PATH"); ok && dir != "" {
		p.Global = f.path(dir)
	} else if f.cfg.Home != "" {
		p.Global = filepath.Join(f.cfg.Home, ".assay", "modules")
	}
	if list, ok := f.cfg.Env("ASSAY_LIB_PATH"); ok {
		for _, dir := range filepath.SplitList(list) {
			if dir != "" {
				p.Library = append(p.Library, f.path(dir))
			}
		}
	}
	return p
}

// Folder returns where the user's own modules lie, "" where that is not known.
func (f *Feature) Folder() string { return f.places().Global }

// path returns a path that may be relative to the working directory.
func (f *Feature) path(name string) string { return file.From(f.cfg.WorkDir, name) }

// catalog reads all modules, and tells what it could not read.
func (f *Feature) catalog(ctx context.Context) (*catalog.Catalog, error) {
	c, err := f.places().Discover(ctx)
	tell(ctx, c)
	return c, err
}

// tell tells what could not be read.
func tell(ctx context.Context, c *catalog.Catalog) {
	const most = 5
	for i, err := range c.Skipped {
		if i == most {
			work.FromContext(ctx).Note("and %d more files are not modules", len(c.Skipped)-most)
			break
		}
		work.FromContext(ctx).Note("not a module: %v", err)
	}
}

const (
	ownMemory   = 256 << 20 // of a script that its user runs
	leastMemory = 1 << 20
)

// memory returns the limit of a script's memory: what was asked for, or else the
// setting. A client of a server may lower it, and only its user may raise it.
func (f *Feature) memory(asked string, confined bool) (int64, error) {
	limit := f.cfg.Memory
	if limit == 0 {
		limit = ownMemory
		if confined {
			limit = lua.DefaultMemory
		}
	}
	if asked == "" {
		return limit, nil
	}
	n, err := sizes.ParseSize(asked)
	switch {
	case err != nil:
		return 0, fault.New(fault.Usage, "memory: %v", err)
	case n < leastMemory:
		return 0, fault.New(fault.Usage, "memory: %s is below the minimum, %s", sizes.Size(n), sizes.Size(leastMemory))
	case confined && n > limit:
		return 0, fault.New(fault.Usage, "memory: %s is above the server's limit, %s", sizes.Size(n), sizes.Size(limit)).Or("omit memory, or request less")
	}
	return n, nil
}

// options returns what a script's VM is made with. Three copies of its closures, as the compiler
// would make them, would take the slim build over its size.
//
//go:noinline
func (f *Feature) options(ctx context.Context, memory int64, in Requests, w *lua.Wire, policy *lua.Policy) lua.Options {
	return lua.Options{
		Memory:  memory,
		Verbose: in.Verbose,
		Wire:    w,
		Stdout:  f.stdout,
		Log:     f.stderr,
		Dir:     f.cfg.WorkDir,
		Env:     f.cfg.Env,
		Policy:  policy,
		Alone:   f.cfg.Policy == nil, // the command line
		Short: func(name string) {
			if _, told := f.shorts.LoadOrStore(name, true); !told {
				work.FromContext(ctx).Note("%s has fewer than %d characters: it is not hidden in what is printed", name, lua.MinSecret)
			}
		},
		Require: func(name string) ([]byte, string, error) {
			m, src, err := f.find(ctx, in, name)
			switch {
			case err == nil:
				return []byte(src), "@" + m.Chunk(), nil
			case !errors.Is(err, catalog.ErrNotFound):
				return nil, "", err
			case catalog.Stem(name) == discovery:
				src, err := f.discovery(ctx, f.usable(in))
				return src, "@assay/" + discovery + ".lua", err
			}
			return nil, "", fs.ErrNotExist
		},
	}
}

// discovery is a module that is made when it is asked for: the catalogue.
const discovery = "discovery"

func (f *Feature) discovery(ctx context.Context, p catalog.Places) ([]byte, error) {
	c, err := p.Discover(ctx)
	tell(ctx, c)
	if err != nil {
		return nil, err
	}
	list, err := compact(infos(c, ""))
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "local M = {}\nfunction M.discover_modules() return json.parse(%s) end\nreturn M\n", lua.Quoted(list)), nil
}

// compact writes a value as JSON in one line. Bytes that are no text are an error: an encoder would put others in their place.
func compact(v any) (string, error) {
	if err := textual(v, ""); err != nil {
		return "", err
	}
	b, err := codec.MarshalPlain(v)
	return string(b), err
}

// textual returns an error for a string in v that is not UTF-8, or nil.
func textual(v any, path string) error {
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) {
			return fmt.Errorf("the string at %s is not valid UTF-8: base64.encode makes text of bytes", cmp.Or(path, "."))
		}
	case []any:
		for i, e := range v {
			if err := textual(e, fmt.Sprintf("%s[%d]", path, i+1)); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, e := range v {
			if err := cmp.Or(textual(k, path), textual(e, path+"."+k)); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostScript bounds a script and a file of checks, mostRecording one of requests, in bytes.
const (
	mostScript    = 16 << 20
	mostRecording = 1 << 30
)

// read reads a file that is to be run.
func (f *Feature) read(name string) ([]byte, error) { return f.readUpTo(name, mostScript) }

func (f *Feature) readUpTo(name string, most int64) ([]byte, error) {
	path := f.path(name)
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		err = errors.New("is a directory")
	}
	if err != nil {
		return nil, file.Bare(err)
	}
	in, err := safe.OpenNamed(path)
	if err != nil {
		return nil, file.Bare(err)
	}
	defer in.Close()
	b, err := upTo(in, most)
	if err == nil && len(b) == 0 && info.Mode()&fs.ModeNamedPipe != 0 {
		// To open it does not wait for a writer, and to run nothing would look like success.
		return nil, errors.New("it is a pipe that nobody writes to: start its writer first, or pass the text on standard input with -")
	}
	return b, err
}

// unread is the error of a file that was to be run and could not be read. Where it is not
// there, it says which files of those kinds its folder has, or else what is accepted.
func (f *Feature) unread(doing, name string, err error, accepted string, exts ...string) *fault.Error {
	path := f.path(name)
	if _, statErr := os.Stat(path); !errors.Is(statErr, fs.ErrNotExist) {
		return fault.New(fault.Unavailable, "%s %s", doing, name).Because(err)
	}
	e := fault.New(fault.NotFound, "%s %s", doing, name).Because(err)
	dir, openErr := safe.OpenFolder(filepath.Dir(path))
	if openErr != nil {
		return e.Or("there is no folder %s; it takes %s", filepath.Dir(name), accepted)
	}
	defer dir.Close()
	entries, _ := dir.Readdirnames(mostScanned) // what cannot be read is not proposed
	slices.Sort(entries)
	entries = slices.DeleteFunc(entries, func(n string) bool {
		return strings.HasPrefix(n, ".") || !slices.Contains(exts, strings.ToLower(filepath.Ext(n)))
	})
	const most = 5
	list := strings.Join(entries[:min(most, len(entries))], ", ")
	switch {
	case len(entries) > most:
		list += fmt.Sprintf(" and %d more", len(entries)-most)
	case len(entries) == 0:
		return e.Or("it takes %s; %s has none", accepted, filepath.Dir(name))
	}
	return e.Or("it takes %s; in %s: %s", accepted, filepath.Dir(name), list)
}

// mostScanned bounds how many names of a folder are looked at.
const mostScanned = 10_000

const (
	scripts = "a script (.lua) or checks (.yaml)"
	fixture = "a fixture (.json): what is asked and what is answered"
)

func upTo(r io.Reader, most int64) ([]byte, error) {
	b, err := file.ReadUpTo(r, most)
	return b, file.Bare(err)
}

// raised turns the error of a script into one for its user.
func raised(err error) error {
	e, ok := errors.AsType[*lua.Error](err)
	if !ok {
		return err
	}
	return fault.New(fault.Negative, "%s", withTraceback(e))
}

func withTraceback(e *lua.Error) string {
	if e.Traceback == "" {
		return e.Message
	}
	return e.Message + "\n" + e.Traceback
}

// client returns what checks send their requests with, of so many users at once.
func client(users int) *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DisableCompression:  true,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: max(8, users),
		IdleConnTimeout:     30 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
	}}
}
