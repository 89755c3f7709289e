package vault

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The test binary runs itself as the other processes of a test: CHILD names what to
// do, the arguments say with what.
var children = map[string]func(args []string) error{"store": childStore, "rebuild": childRebuild}

// also adds a child that not every system can have.
func also(name string, f func(args []string) error) bool {
	children[name] = f
	return true
}

func TestMain(m *testing.M) {
	if f, ok := children[os.Getenv("MEMORY_TEST_CHILD")]; ok {
		if err := f(os.Args[1:]); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(what string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "MEMORY_TEST_CHILD="+what)
	return cmd
}

// openChild waits longer for others than a person would: what is slow here is the machine.
func openChild(vault, db string) *Memory {
	return Open(Config{Vault: vault, Create: true, DB: db, Turn: time.Minute})
}

// childStore stores notes until its input ends, and says of each that it is stored:
// some of its own, some that all processes store.
func childStore(args []string) error {
	m := openChild(args[0], args[1])
	defer m.Close()
	ctx := context.Background()
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // it ends when the parent has had enough
		close(stop)
	}()
	for i := 0; ; i++ {
		select {
		case <-stop:
			return nil
		default:
		}
		own := fmt.Sprintf("Own note %s-%d is about %s.", args[2], i, strings.Repeat(args[2], 3))
		for _, n := range []Note{{Title: fmt.Sprintf("Note %s-%d", args[2], i), Content: own}, {Content: fmt.Sprintf("Shared note %d is stored by everybody.", i%20)}} {
			s, err := m.Store(ctx, n)
			if err != nil {
				return err
			}
			if s.Unindexed != "" {
				return fmt.Errorf("not indexed: %s", s.Unindexed)
			}
			fmt.Printf("%s\t%s\n", s.Path, n.Content)
		}
		if _, err := m.Search(ctx, Query{Text: fmt.Sprintf("note %s-%d", args[2], i)}); err != nil {
			return err
		}
	}
}

func childRebuild(args []string) error {
	m := openChild(args[0], args[1])
	defer m.Close()
	for {
		if _, err := m.Sync(context.Background(), SyncOptions{Full: true}); err != nil {
			return err
		}
	}
}

// Several processes store and search at once: none fails, and each note is there
// once.
func TestManyProcesses(t *testing.T) {
	dir := t.TempDir()
	vault, db := filepath.Join(dir, "vault"), filepath.Join(dir, "memory.db")
	var cmds []*exec.Cmd
	var ends []io.Closer
	outs := make([]strings.Builder, 4)
	for i := range outs {
		cmd := child("store", vault, db, string(rune('a'+i)))
		cmd.Stdout = &outs[i]
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds, ends = append(cmds, cmd), append(ends, in)
	}
	time.Sleep(2 * time.Second)
	for i, cmd := range cmds {
		ends[i].Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, outs[i].String())
		}
	}
	var all []string
	for i := range outs {
		all = append(all, strings.Split(strings.TrimSpace(outs[i].String()), "\n")...)
	}
	checkStored(t, vault, db, all)
}

// checkStored holds that every note that was acknowledged is in the vault under its
// path and found, and that none is there twice.
func checkStored(t *testing.T, vault, db string, lines []string) {
	t.Helper()
	want := map[string]string{} // the path of each text
	for _, l := range lines {
		path, text, ok := strings.Cut(l, "\t")
		if !ok {
			continue
		}
		if have := want[text]; have != "" && have != path {
			t.Errorf("%q was acknowledged as %s and as %s", text, have, path)
		}
		want[text] = path
	}
	if len(want) == 0 {
		t.Fatal("no note was stored")
	}
	m := openChild(vault, db)
	defer m.Close()
	l, err := list(vault, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, e := range l.entries {
		b, err := os.ReadFile(filepath.Join(vault, e.path))
		if err != nil {
			t.Fatal(err)
		}
		body := string(b[strings.LastIndex(string(b), "\n\n")+2:])
		if other := seen[body]; other != "" {
			t.Errorf("%s and %s both say %q", other, e.path, body)
		}
		seen[body] = e.path
	}
	for text, path := range want {
		if seen[text+"\n"] != path {
			t.Errorf("%q was acknowledged as %s, and is in %q", text, path, seen[text+"\n"])
		}
	}
	if r, err := m.Sync(context.Background(), SyncOptions{}); err != nil || r.Moved != "" {
		t.Errorf("%+v %v", r, err)
	}
	consistent(t, m)
	n := 0
	for text, path := range want {
		if n++; n > 20 {
			break
		}
		a, err := m.Search(context.Background(), Query{Text: text, Max: 3})
		if err != nil || !slices.ContainsFunc(a.Hits, func(h Piece) bool { return h.Path == path || slices.Contains(h.Also, path) }) {
			t.Errorf("%q finds %v %v", text, a.Hits, err)
		}
	}
	h, err := m.Check(context.Background())
	if err != nil || h.IndexError != "" || h.Moved != "" || h.Stale != 0 {
		t.Errorf("%+v %v", h, err)
	}
}

// Processes that store and rebuild are killed at any moment: what was acknowledged
// is there, and nothing twice.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	vault, db := filepath.Join(dir, "vault"), filepath.Join(dir, "memory.db")
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	var lines []string
	for round := range rounds {
		var cmds []*exec.Cmd
		var mu sync.Mutex
		var group sync.WaitGroup
		before := len(lines)
		for _, args := range [][]string{{"store", vault, db, fmt.Sprintf("x%d", round)}, {"store", vault, db, fmt.Sprintf("y%d", round)}, {"rebuild", vault, db}} {
			cmd := child(args[0], args[1:]...)
			if _, err := cmd.StdinPipe(); err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			group.Go(func() {
				for s := bufio.NewScanner(out); s.Scan(); {
					mu.Lock()
					lines = append(lines, s.Text())
					mu.Unlock()
				}
			})
			cmds = append(cmds, cmd)
		}
		// Some die while they begin, most while they are at it.
		for end := time.Now().Add(5 * time.Minute); round%4 != 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			mu.Lock()
			n := len(lines)
			mu.Unlock()
			if n > before {
				break
			}
		}
		time.Sleep(time.Duration(37*round%200) * time.Millisecond)
		for _, cmd := range cmds {
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
		group.Wait()
		for _, cmd := range cmds {
			_ = cmd.Wait() // it was killed
		}
		for _, l := range lines {
			if strings.HasPrefix(l, "error:") {
				t.Fatal(l)
			}
		}
	}
	checkStored(t, vault, db, lines)
}

// A watch sees what others write, and a search then need not look.
func TestWatch(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "An aardvark.")
	ctx, stop := context.WithCancel(context.Background())
	did := make(chan SyncReport, 10)
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.Watch(ctx, func(r SyncReport, err error) {
			if err != nil {
				t.Error(err)
			}
			did <- r
		})
	}()
	wait := func(what string) {
		t.Helper()
		select {
		case <-did:
		case <-time.After(5 * time.Minute):
			t.Fatalf("%s was not seen", what)
		}
	}
	wait("what was there")
	write(t, m, "b.md", "A bandicoot.")
	wait("a new note")
	if got := paths(t, m, Query{Text: "bandicoot", Mode: Words}); !slices.Equal(got, []string{"b.md"}) {
		t.Errorf("%v", got)
	}
	if err := os.Remove(filepath.Join(m.cfg.Vault, "a.md")); err != nil {
		t.Fatal(err)
	}
	wait("a note that went")
	stop()
	<-done
	if m.state.Load() != unwatched {
		t.Error("it is still said to be watched")
	}
}
