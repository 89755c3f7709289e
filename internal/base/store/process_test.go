package store

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The test binary runs itself as the other processes of a test: CHILD names what
// to do, the arguments say with what.
var children = map[string]func(args []string) error{"insert": childInsert, "readonly": childReadOnly}

// also adds a child that not every system can have.
func also(name string, f func(args []string) error) bool {
	children[name] = f
	return true
}

func TestMain(m *testing.M) {
	if f, ok := children[os.Getenv("STORE_TEST_CHILD")]; ok {
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
	cmd.Env = append(os.Environ(), "STORE_TEST_CHILD="+what)
	return cmd
}

// childInsert waits for its input to end, opens a database and puts rows into it
// from several goroutines that each open it themselves.
func childInsert(args []string) error {
	path, rows := args[0], args[1]
	n, err := strconv.Atoi(rows)
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	var group sync.WaitGroup
	errs := make([]error, 2)
	for g := range errs {
		group.Go(func() { errs[g] = insertRows(path, n, g) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func insertRows(path string, n, g int) error {
	db, err := Open(context.Background(), path, latest())
	if err != nil {
		return err
	}
	defer db.Close()
	if db.Moved != "" {
		fmt.Println("moved")
	}
	for i := range n {
		if _, err := db.Exec("INSERT INTO kept(what) VALUES (?)", fmt.Sprintf("%d %d %d", os.Getpid(), g, i)); err != nil {
			return err
		}
	}
	return nil
}

// Processes that open one path at the same moment, whether nothing lies there or
// something damaged, end up in one database, and no row is lost.
func TestOpenAtOnce(t *testing.T) {
	const processes, rows = 6, 5
	corrupt := filepath.Join(t.TempDir(), "corrupt.db")
	db := mustOpen(t, corrupt, latest())
	damaged := dump(t, db, corrupt)
	for i := 100; i < 4096; i++ {
		damaged[i] ^= 0xff
	}
	for _, c := range []struct {
		name  string
		file  []byte
		moves int
	}{
		{"new", nil, 0},
		{"garbage", bytes.Repeat([]byte("garbage "), 2000), 1},
		{"corrupt", damaged, 1},
	} {
		rounds := 4
		if testing.Short() {
			rounds = 2
		}
		for range rounds {
			path := filepath.Join(t.TempDir(), "x.db")
			if c.file != nil {
				if err := os.WriteFile(path, c.file, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			moves := openAtOnce(t, path, processes, rows)
			db := mustOpen(t, path, latest())
			if n := count(t, db); n != processes*2*rows || moves != c.moves {
				t.Errorf("%s: %d rows, moved %d times; want %d rows, moved %d times", c.name, n, moves, processes*2*rows, c.moves)
			}
			if err := db.Check(context.Background()); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			db.Close()
		}
	}
}

func openAtOnce(t *testing.T, path string, processes, rows int) (moves int) {
	t.Helper()
	var starts []io.Closer
	outs := make([]bytes.Buffer, processes)
	cmds := make([]*exec.Cmd, processes)
	for i := range cmds {
		cmds[i] = child("insert", path, strconv.Itoa(rows))
		cmds[i].Stdout = &outs[i]
		cmds[i].Stderr = &outs[i]
		in, err := cmds[i].StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		starts = append(starts, in)
		if err := cmds[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range starts {
		s.Close()
	}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("a process: %v\n%s", err, outs[i].String())
		}
		moves += strings.Count(outs[i].String(), "moved")
	}
	return moves
}

// childReadOnly opens a database in a folder that it may not write to, and says
// what it finds.
func childReadOnly(args []string) error {
	path := args[0]
	if f, err := os.Create(filepath.Join(filepath.Dir(path), "probe")); err == nil {
		f.Close()
		return fmt.Errorf("the folder can be written")
	}
	db, err := OpenReadOnly(context.Background(), path, latest())
	if err != nil {
		fmt.Println("refused:", err)
		return nil
	}
	defer db.Close()
	var n int
	if err := db.QueryRow("SELECT count(*) FROM kept").Scan(&n); err != nil {
		return err
	}
	fmt.Printf("rows %d immutable %v\n", n, db.Immutable)
	return nil
}
