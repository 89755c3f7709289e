// Package luatest asks C Lua the same question that a test asks our own, and skips the
// test where lua5.4 is not installed.
package luatest

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A Reference is a process of lua5.4 that answers questions. It is safe for concurrent
// use.
type Reference struct {
	mu  sync.Mutex
	in  io.WriteCloser
	out *bufio.Reader
}

// frame is what a script reads strings with, and writes one with.
const frame = `
local function receive() local n = io.read("n") if not n then os.exit() end io.read(1) return n > 0 and io.read(n) or "" end
local function reply(s) io.write(#s, "\n", s) io.flush() end
`

// Start starts lua5.4 with a script that, again and again, takes the strings of a
// question from receive and hands its answer to reply.
func Start(t testing.TB, script string) *Reference {
	t.Helper()
	path, err := exec.LookPath("lua5.4")
	if err != nil {
		t.Skip("lua5.4 is not installed")
	}
	cmd := exec.Command(path, "-e", frame+script)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	return &Reference{in: in, out: bufio.NewReader(out)}
}

// Ask returns the answer to a question of so many strings.
func (r *Reference) Ask(t testing.TB, parts ...string) string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range parts {
		if _, err := fmt.Fprintf(r.in, "%d\n%s", len(p), p); err != nil {
			t.Fatal("lua5.4:", err)
		}
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		t.Fatal("lua5.4:", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal("lua5.4:", err)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r.out, b); err != nil {
		t.Fatal("lua5.4:", err)
	}
	return string(b)
}
