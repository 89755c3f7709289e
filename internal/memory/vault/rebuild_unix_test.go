//go:build unix

package vault

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/memory/foreign"
)

var _ = also("rebuild stopped", childRebuildStopped)

// childRebuildStopped stops itself while it builds the index aside, or, for swap, while it puts that in place.
func childRebuildStopped(args []string) error {
	vault, db, at := args[0], args[1], args[2]
	var stopped atomic.Bool
	var looking sync.Mutex
	m := Open(Config{Vault: vault, DB: db, Now: func() time.Time {
		now := time.Now()
		if _, err := os.Stat(db + asideSuffix); err != nil || stopped.Load() {
			return now
		}
		looking.Lock() // else one sees the other's look
		defer looking.Unlock()
		unlock, err := file.TryLock(db + ".write")
		if err == nil {
			unlock()
		}
		if (at == "swap") == errors.Is(err, file.ErrLocked) && stopped.CompareAndSwap(false, true) {
			fmt.Println("stopping")
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		}
		return now
	}})
	defer m.Close()
	_, err := m.Sync(context.Background(), SyncOptions{Full: true})
	return err
}

const many = 40

// wombats returns a memory whose notes are indexed, with the waits that people have.
func wombats(t *testing.T) *Memory {
	t.Helper()
	m := fresh(t, nil)
	for i := range many {
		write(t, m, fmt.Sprintf("facts/note-%d.md", i), fmt.Sprintf("The wombat number %d digs.\n", i))
	}
	if _, err := m.Sync(t.Context(), SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	return m
}

// indexedNotes returns how many notes the index has, whatever the vault has.
func indexedNotes(t *testing.T, m *Memory) int {
	t.Helper()
	items, err := m.List(t.Context(), Listing{Source: "memory"})
	if err != nil {
		t.Fatal(err)
	}
	return len(items)
}

func stopChild(t *testing.T, m *Memory, at string) *exec.Cmd {
	t.Helper()
	cmd := child("rebuild stopped", m.cfg.Vault, m.cfg.DB, at)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	s := bufio.NewScanner(out)
	if !s.Scan() || s.Text() != "stopping" {
		t.Fatalf("the child says %q", s.Text())
	}
	return cmd
}

// holdsNote holds that a note is on the disk, whether or not it is indexed.
func holdsNote(t *testing.T, m *Memory, words string) {
	t.Helper()
	found := false
	_ = filepath.WalkDir(m.cfg.Vault, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, _ := os.ReadFile(path)
			found = found || strings.Contains(string(b), words)
		}
		return nil
	})
	if !found {
		t.Errorf("no note on the disk says %q", words)
	}
}

// A process that is stopped while it rebuilds, or another program that keeps the index locked, holds nobody
// up for long: searches answer with all that was there, what is stored is on the disk, and the next command
// finds it.
func TestLockThatStays(t *testing.T) {
	tests := []struct {
		name  string
		hold  func(t *testing.T, m *Memory) (release func())
		waits bool // the index cannot be written meanwhile
	}{
		{"stopped while it builds", func(t *testing.T, m *Memory) func() {
			cmd := stopChild(t, m, "build")
			return func() { _ = cmd.Process.Signal(syscall.SIGCONT); _ = cmd.Wait() }
		}, false},
		{"stopped while it swaps", func(t *testing.T, m *Memory) func() {
			cmd := stopChild(t, m, "swap")
			return func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
		}, true},
		{"a foreign lock", func(t *testing.T, m *Memory) func() {
			db, err := sql.Open("sqlite", m.cfg.DB)
			if err != nil {
				t.Fatal(err)
			}
			db.SetMaxOpenConns(1)
			if _, err := db.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
				t.Fatal(err)
			}
			return func() { db.Close() }
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // because each waits for its lock
			m := wombats(t)
			release := tt.hold(t, m)
			ends := func(what string, f func() error) {
				t.Helper()
				if err := f(); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			ends("a hook", func() error {
				a, err := m.Recall(t.Context(), Recollection{Prompt: "which wombat digs?", Project: "x"})
				if a.Block == "" {
					t.Error("a hook tells nothing")
				}
				return err
			})
			ends("a search", func() error {
				if _, err := m.Sync(t.Context(), SyncOptions{Reading: true}); err != nil {
					return err
				}
				a, err := m.Search(t.Context(), Query{Text: "wombat number 7", Mode: Words})
				if len(a.Hits) == 0 || a.Building {
					t.Errorf("a search finds %d, building %v", len(a.Hits), a.Building)
				}
				return err
			})
			ends("a store", func() error {
				s, err := m.Store(t.Context(), Note{Title: "Stored", Content: "The aardvark sleeps at noon."})
				if (s.Unindexed != "") != tt.waits {
					t.Errorf("not indexed: %q", s.Unindexed)
				}
				return err
			})
			holdsNote(t, m, "aardvark sleeps")
			ends("an import", func() error {
				if _, err := m.Import(t.Context(), Importing{Notes: []foreign.Note{{Key: "a", Text: "The badger wakes at night."}}}); err != nil {
					return err
				}
				_, err := m.Sync(t.Context(), SyncOptions{})
				if (err != nil) != tt.waits || tt.waits && !errors.Is(err, store.ErrBusy) && !errors.Is(err, file.ErrLocked) {
					t.Errorf("Sync = %v", err)
				}
				return nil
			})
			holdsNote(t, m, "badger wakes")
			release()
			if r, err := m.Sync(t.Context(), SyncOptions{Reading: true}); err != nil || r.Busy || r.Stale > 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			for _, word := range []string{"aardvark", "badger"} {
				if got := paths(t, m, Query{Text: word, Mode: Words}); len(got) != 1 {
					t.Errorf("%s finds %v", word, got)
				}
			}
			if n := indexedNotes(t, m); n != many+2 {
				t.Errorf("%d notes are indexed, want %d", n, many+2)
			}
			consistent(t, m)
			if left, _ := filepath.Glob(m.cfg.DB + asideSuffix + "*"); len(left) > 0 {
				t.Errorf("%v are left", left)
			}
		})
	}
}

// A rebuild that is killed leaves the index as it was, and the next writer removes what it left.
func TestRebuildKilled(t *testing.T) {
	m := wombats(t)
	r := rand.New(rand.NewPCG(7, 7))
	rounds := 30
	if testing.Short() {
		rounds = 6
	}
	for range rounds {
		cmd := child("rebuild", m.cfg.Vault, m.cfg.DB)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+r.IntN(300)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if n := indexedNotes(t, m); n != many {
			t.Fatalf("%d notes are indexed, want %d", n, many)
		}
		if got := paths(t, m, Query{Text: "wombat number 7", Mode: Words}); !slices.Contains(got, "facts/note-7.md") {
			t.Fatalf("it finds %v", got)
		}
	}
	write(t, m, "facts/last.md", "The wombat rests.\n")
	if _, err := m.Sync(t.Context(), SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	consistent(t, m)
	if left, _ := filepath.Glob(m.cfg.DB + asideSuffix + "*"); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// The next writer removes whatever single file a killed rebuild has left, because the lock is made before the
// database is.
func TestRebuildLeftovers(t *testing.T) {
	for _, name := range store.Files("index") {
		suffix := strings.TrimPrefix(name, "index")
		t.Run("aside"+suffix, func(t *testing.T) {
			m := wombats(t)
			left := m.cfg.DB + asideSuffix + suffix
			if err := os.WriteFile(left, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			write(t, m, "facts/last.md", "The wombat rests.\n")
			if _, err := m.Sync(t.Context(), SyncOptions{}); err != nil {
				t.Fatal(err)
			}
			if isThere(left) {
				t.Errorf("%s is left", left)
			}
		})
	}
}
