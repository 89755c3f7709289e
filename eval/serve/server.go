package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const sampling = 100 * time.Millisecond

// A server is the one that is measured.
type server struct {
	cmd *exec.Cmd
	url string
}

func start(ctx context.Context, assay, db string) (*server, error) {
	return launch(exec.CommandContext(ctx, assay, "serve", "--tools", "docs", "--transport", "http", "--port", "0", "--db", db))
}

// launch starts a server that says where it listens.
func launch(cmd *exec.Cmd) (*server, error) {
	s := &server{cmd: cmd}
	said, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	r := bufio.NewReader(said)
	line, err := r.ReadString('\n')
	_, rest, ok := strings.Cut(line, "listening on ")
	if err != nil || !ok {
		return nil, errors.Join(fmt.Errorf("the server says %q: %w", line, err), s.cmd.Process.Kill(), s.cmd.Wait())
	}
	go func() { _, _ = io.Copy(os.Stderr, r) }() // ends with the server
	addr, _, _ := strings.Cut(rest, ",")
	s.url = "http://" + strings.TrimSpace(addr) + "/mcp"
	return s, nil
}

// stop ends the server and returns its CPU time.
func (s *server) stop() (time.Duration, error) {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	if err := s.cmd.Wait(); err != nil {
		return 0, err
	}
	return s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime(), nil
}

// cpu returns the processor time that the server has taken; zero where the system does not say.
func (s *server) cpu() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	return taken(string(stat))
}

// taken is the sum of the time in user mode and in the system's, which are the 14th and 15th field of
// a process's stat; the name, which is the second, may have spaces.
func taken(stat string) (sum time.Duration) {
	const tick = 10 * time.Millisecond // 100 a second, as Linux tells programs
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	for i := 11; i <= 12 && i < len(fields); i++ {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return 0
		}
		sum += time.Duration(n) * tick
	}
	return sum
}

// A memory is that of a process, in bytes; zero where the system does not say.
type memory struct{ rss, anon int64 }

func (s *server) memory() memory {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return memory{}
	}
	return memory{field(string(status), "VmRSS"), field(string(status), "RssAnon")}
}

// field reads a number of a process's status.
func field(status, name string) int64 {
	_, rest, _ := strings.Cut(status, "\n"+name+":")
	line, _, _ := strings.Cut(rest, "\n")
	kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}

// watch returns the most memory that was seen until over is closed.
func (s *server) watch(over <-chan struct{}) (most memory) {
	tick := time.NewTicker(sampling)
	defer tick.Stop()
	for {
		now := s.memory()
		most = memory{max(most.rss, now.rss), max(most.anon, now.anon)}
		select {
		case <-over:
			return most
		case <-tick.C:
		}
	}
}
