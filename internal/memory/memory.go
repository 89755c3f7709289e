// Package memory is the feature that answers "what did we decide?": search, store, get,
// list, forget, rebuild, doctor, audit, import and watch over a vault of notes and
// the sessions of coding agents, and the hooks by which agents are given notes and
// their sessions captured.
//
// What a note says is shown as data, between fences that nothing in it can close. A
// hook never fails, and what recalls ends within its deadline, whatever state the
// vault and the index are in.
package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/memory/transcript"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// Config is what the feature needs to know of its surroundings. Numbers that are 0 are
// the defaults of package memory.
type Config struct {
	WorkDir string // absolute
	Vault   string // the folder of the notes: see DefaultVault
	// Given says that the user chose the vault: where it is absent that is told, and
	// nothing is made in its place.
	Given    bool
	DB       string // the index
	StateDir string // what hooks keep of sessions, and their log
	Sources  []transcript.Source
	Embedder func() (embed.Provider, error) // nil: none

	ChunkTokens, OverlapTokens         int
	VectorWeight, TextWeight, MinScore float64
	HalfLifeDays                       float64 // negative: nothing fades
	MaxResults                         int
	RecallTokens                       int // of what is told unasked: at most 2000

	Refresh time.Duration // how long a search may index before it answers; 0: until done
	Server  bool          // several calls come: the vault is watched behind them
	// Detach starts this program again, so that it outlives the caller, with words
	// for its command line and bytes for its standard input. Nil: what a hook leaves
	// to it is done before the hook returns.
	Detach func(stdin []byte, args ...string) error
	Now    func() time.Time
	// Brief returns what one has to know for a task in the project around a folder, "" where
	// nothing of it is indexed. Nil: no brief is offered.
	Brief func(ctx context.Context, dir, task string) (string, error)
}

// DefaultVault returns where notes lie if nobody says so: 80-memory of an Obsidian
// vault named CODEX in the user's folder where there is one, else a folder of
// assay's own below data, the folder for user data (XDG_DATA_HOME).
func DefaultVault(home, data string) string {
	if home != "" {
		codex := filepath.Join(home, "CODEX", "80-memory")
		if st, err := os.Stat(codex); err == nil && st.IsDir() {
			return codex
		}
	}
	return filepath.Join(data, "assay", "memory")
}

// A Feature answers questions about what is remembered. It is safe for concurrent use.
type Feature struct {
	cfg Config

	mu     sync.Mutex
	mem    *vault.Memory
	closed bool
	behind sync.WaitGroup
	stop   context.CancelFunc
	bg     context.Context
}

func New(cfg Config) *Feature {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.StateDir = cmp.Or(cfg.StateDir, filepath.Join(filepath.Dir(cfg.DB), "hooks"))
	f := &Feature{cfg: cfg}
	f.bg, f.stop = context.WithCancel(context.Background())
	return f
}

// Close releases the index.
func (f *Feature) Close() error {
	f.stop()
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.behind.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.mem != nil {
		f.mem.Close()
		f.mem = nil
	}
	return nil
}

// open returns the memory, opened at the first call.
func (f *Feature) open() (*vault.Memory, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, fault.New(fault.Unavailable, "the server is shutting down")
	}
	if f.mem != nil {
		return f.mem, nil
	}
	c := vault.Config{Vault: f.cfg.Vault, Create: !f.cfg.Given, DB: f.cfg.DB, Sources: f.cfg.Sources,
		ChunkTokens: f.cfg.ChunkTokens, OverlapTokens: f.cfg.OverlapTokens, VectorWeight: f.cfg.VectorWeight, TextWeight: f.cfg.TextWeight,
		MinScore: f.cfg.MinScore, HalfLife: time.Duration(f.cfg.HalfLifeDays * 24 * float64(time.Hour)), Now: f.cfg.Now}
	if f.cfg.Embedder != nil {
		p, err := f.cfg.Embedder()
		if err != nil {
			c.Trouble = err.Error() // search falls back to words, and says so
		}
		c.Embedder = p
	}
	f.mem = vault.Open(c)
	if f.cfg.Server {
		f.behind.Go(func() { f.mem.Watch(f.bg, func(vault.SyncReport, error) {}) })
	}
	return f.mem, nil
}

// embedBehind starts another process that makes the missing vectors, because a process that
// answers a question must not wait for a network.
func (f *Feature) embedBehind() {
	if f.cfg.Detach == nil || f.cfg.Server {
		return // a server sees to it itself
	}
	// What cannot be started now is started by the next search.
	_ = f.cfg.Detach(nil, "memory", "import")
}

// budget is how long a call may index before it answers.
func (f *Feature) budget() (wait bool, budget time.Duration) {
	return f.cfg.Refresh == 0, f.cfg.Refresh
}

// current returns the memory that a question is answered from, and how it was brought up to date within the budget.
func (f *Feature) current(ctx context.Context, opt vault.SyncOptions) (*vault.Memory, vault.SyncReport, error) {
	m, err := f.open()
	if err != nil {
		return nil, vault.SyncReport{}, err
	}
	wait, budget := f.budget()
	opt.Budget, opt.Try, opt.Reading = budget, !wait, true
	r, err := m.Sync(ctx, opt)
	if err != nil {
		return nil, r, err
	}
	moved(ctx, r.Moved)
	return m, r, nil
}

// project is what the working directory belongs to.
func (f *Feature) project(m *vault.Memory) string {
	if f.cfg.WorkDir == "" {
		return ""
	}
	return m.Project(f.cfg.WorkDir)
}

// remarks are sentences about an answer.
type remarks []string

func (r *remarks) add(applies bool, format string, args ...any) {
	if applies {
		*r = append(*r, fmt.Sprintf(format, args...))
	}
}

// moved tells the person that the index could not be used.
func moved(ctx context.Context, to string) {
	if to != "" {
		work.FromContext(ctx).Note("%s: it was moved to %s and is being rebuilt", wrong(to), to)
	}
}

// wrong says why an index was moved to a place.
func wrong(to string) string {
	if vault.OfAnother(to) {
		return "the index is of another version of this program"
	}
	return "the index was damaged"
}

// frozen says why the index cannot be brought up to date.
func frozen(why string) string { return "stale: the index cannot be brought up to date: " + why }

// absent says why there is no vault, in words that help.
func (f *Feature) absent(why string) string {
	if why == "" {
		return ""
	}
	if _, err := os.Stat(f.cfg.Vault); errors.Is(err, fs.ErrNotExist) {
		return "the vault " + f.cfg.Vault + " does not exist: create or mount it, or set memory.vault"
	}
	return "the vault " + f.cfg.Vault + " cannot be read: " + why
}
