// Package vault keeps what was decided, learned and preferred: notes in Markdown,
// which are the truth, and an index of them and of the sessions of coding agents,
// which can be deleted at any time.
//
// A note that Store has returned is on the disk, whatever stops the program then;
// it is there once, however many processes store it. Nothing is read or written
// outside the vault, no secret is written or indexed, and what keeps the index from
// answering in full is said, never silent.
package vault

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

// A Config says where memory lies and how it is searched. Zero values are the
// defaults.
type Config struct {
	Vault   string // the folder of the notes, absolute
	Create  bool   // make the vault where it does not exist; else its absence is told
	DB      string // the index
	Sources []transcript.Source
	// Embedder makes vectors; nil: search by words alone.
	Embedder embed.Provider
	// Trouble says why there is no Embedder although one is wanted.
	Trouble string

	ChunkTokens   int           // of a chunk; 0: 400
	OverlapTokens int           // that a chunk repeats of the one before; negative: none; 0: 80
	VectorWeight  float64       // of meaning, against TextWeight of words; both 0: .7 and .3
	TextWeight    float64       //
	MinScore      float64       // that a hit needs; 0: none, but see nearEnough; negative: none at all
	HalfLife      time.Duration // of what is dated; 0: 30 days; negative: nothing fades
	Patience      time.Duration // for a provider that is asked over a network; 0: 200 ms
	Turn          time.Duration // that a reader waits for another process to end its writing, and a writer twice as long; 0: 2 s

	Now func() time.Time
}

// The defaults of a Config.
const (
	DefaultChunk    = 400
	DefaultOverlap  = 80
	DefaultVector   = .7
	DefaultText     = .3
	DefaultHalfLife = 30 * 24 * time.Hour
	DefaultPatience = 200 * time.Millisecond
	DefaultTurn     = 2 * time.Second
)

func (c *Config) fill() {
	if c.ChunkTokens <= 0 {
		c.ChunkTokens = DefaultChunk
	}
	c.OverlapTokens = cmp.Or(c.OverlapTokens, DefaultOverlap)
	if c.VectorWeight <= 0 && c.TextWeight <= 0 {
		c.VectorWeight, c.TextWeight = DefaultVector, DefaultText
	}
	c.VectorWeight, c.TextWeight = max(c.VectorWeight, 0), max(c.TextWeight, 0)
	c.HalfLife, c.Patience, c.Turn = cmp.Or(c.HalfLife, DefaultHalfLife), cmp.Or(c.Patience, DefaultPatience), cmp.Or(c.Turn, DefaultTurn)
	if c.Now == nil {
		c.Now = time.Now
	}
}

// A Memory is a vault with its index. It is safe for concurrent use, by several
// processes too.
type Memory struct {
	cfg  Config
	pool pool

	state     atomic.Int32 // of the watch
	seed      maphash.Seed
	mu        sync.Mutex
	backedOff time.Time // until then a provider that failed is not queried
	projects  map[string]string
	stems     sync.Pool // of *stemmer
}

// Open returns the memory of cfg. It reads nothing: what is wrong with the vault
// or the index shows when they are used.
func Open(cfg Config) *Memory {
	cfg.fill()
	// What is resolved once cannot be led elsewhere by a link that comes later.
	if real, err := filepath.EvalSymlinks(cfg.Vault); err == nil {
		cfg.Vault = real
	}
	m := &Memory{cfg: cfg, projects: map[string]string{}, seed: maphash.MakeSeed()}
	m.pool = pool{path: cfg.DB, now: cfg.Now, turn: m.writerTurn()}
	m.stems.New = func() any { return newStemmer() }
	return m
}

// writerTurn is how long a writer waits for a lock that nobody gives back.
func (m *Memory) writerTurn() time.Duration { return 2 * m.cfg.Turn }

// Close releases the index.
func (m *Memory) Close() { m.pool.close() }

// root opens the vault, and makes it where that is wanted.
func (m *Memory) root() (*safe.Root, error) {
	r, err := safe.OpenRoot(m.cfg.Vault)
	if errors.Is(err, fs.ErrNotExist) && m.cfg.Create {
		if err := os.MkdirAll(m.cfg.Vault, 0o700); err != nil {
			return nil, fault.New(fault.Unavailable, "cannot make the vault %s", m.cfg.Vault).Because(err).Or("set memory.vault to a folder that you may write to")
		}
		r, err = safe.OpenRoot(m.cfg.Vault)
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the vault %s cannot be opened", m.cfg.Vault).Because(err).Or("create or mount it, or set memory.vault")
	}
	return r, nil
}

// with runs f with the database, and once more if it was damaged: then it was moved
// aside, and f finds an empty one.
func (m *Memory) with(ctx context.Context, f func(*handle) error) error {
	for try := 0; ; try++ {
		h, err := m.pool.take(ctx)
		if err != nil {
			return unavailable(m.cfg.DB, err)
		}
		err = f(h)
		m.pool.give()
		if fault.KindOf(err) == fault.Internal && !damaged(err) && (store.Environmental(err) || errors.Is(err, errReadOnly)) {
			return unavailable(m.cfg.DB, store.Classify(err))
		}
		if err == nil || !damaged(err) {
			return err
		}
		if aside, e := m.pool.heal(ctx); e != nil || aside == "" && try > 0 || try > 2 {
			return unavailable(m.cfg.DB, err)
		}
	}
}

func unavailable(path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	f := fault.New(fault.Unavailable, "the index %s cannot be used", path).Because(err)
	if errors.Is(err, store.ErrBusy) {
		return f.Or("%s", whereLocked)
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EROFS) {
		return f.Or("set memory.db to a file that you may write to")
	}
	if store.Unwritable(err) || errors.Is(err, errReadOnly) {
		return f.Or("free some space on its disk, or set memory.db to a file elsewhere")
	}
	return f.Or("it can be deleted at any time: assay memory rebuild rebuilds it")
}

// whereLocked is what to do about a lock that stays.
const whereLocked = "continue or end that process; the notes are in the vault, and the next command indexes what is missing"

// locked is the error of a lock that another process has not given back in time. It wraps file.ErrLocked.
func (m *Memory) locked(name string) error {
	path := m.cfg.DB + name
	return fault.New(fault.Unavailable, "%s keeps %s", file.Holder(path), path).Because(file.ErrLocked).Or("%s", whereLocked)
}

// lockStore takes the lock of those who write notes. A place where no lock can be made has no index either, and notes
// are written there without one.
func (m *Memory) lockStore(ctx context.Context) (unlock func(), err error) {
	unlock, err = m.lock(ctx, ".store", false)
	if ctx.Err() == nil && err != nil && !errors.Is(err, file.ErrLocked) {
		unlock, err = func() {}, nil
	}
	return unlock, cmp.Or(ctx.Err(), err)
}

// lock takes one of the locks beside the index. It waits as long as a writer does; try: not at all. The error
// wraps file.ErrLocked where another process keeps it.
func (m *Memory) lock(ctx context.Context, name string, try bool) (unlock func(), err error) {
	// The first of all may come before the index: without its folder there is no lock,
	// and where none can be made there is no index either.
	if err := os.MkdirAll(filepath.Dir(m.cfg.DB), 0o700); err != nil {
		return nil, fault.New(fault.Unavailable, "the folder of the index of notes cannot be made").Because(err)
	}
	if try {
		unlock, err = file.TryLock(m.cfg.DB + name)
	} else {
		wait, stop := context.WithTimeout(ctx, m.writerTurn())
		defer stop()
		if unlock, err = file.Lock(wait, m.cfg.DB+name); err != nil && wait.Err() != nil && ctx.Err() == nil {
			return nil, m.locked(name)
		}
	}
	// Whatever a disk says of it is no defect of the program.
	if err != nil && !errors.Is(err, file.ErrLocked) && ctx.Err() == nil {
		err = fault.New(fault.Unavailable, "the index of notes cannot be locked").Because(err)
	}
	return unlock, err
}
