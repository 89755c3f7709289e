package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A server is one that listens.
type server struct {
	name string
	cmd  *exec.Cmd
	url  string // of the endpoint
	said *bufio.Reader
}

// start starts a server over HTTP and returns when it listens.
func (b *bench) start(ctx context.Context, name string, args ...string) (*server, error) {
	s := &server{name: name, cmd: b.command(ctx, filepath.Join(b.work, name), args...)}
	said, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.said = bufio.NewReader(said)
	line, err := s.said.ReadString('\n')
	_, rest, ok := strings.Cut(line, "listening on ")
	if err != nil || !ok {
		return nil, errors.Join(fmt.Errorf("%s says %q: %w", name, line, err), s.cmd.Process.Kill(), s.cmd.Wait())
	}
	addr, _, _ := strings.Cut(rest, ",")
	s.url = "http://" + strings.TrimSpace(addr) + "/mcp"
	return s, nil
}

// stop ends a server, and says whether it ended as it should.
func (b *bench) stop(s *server) {
	err := s.cmd.Process.Signal(syscall.SIGTERM)
	done := make(chan error, 1)
	go func() {
		rest, _ := io.ReadAll(s.said) // what it says until it ends
		wait := s.cmd.Wait()
		if len(rest) > 0 {
			wait = errors.Join(wait, fmt.Errorf("it said %q", rest))
		}
		done <- wait
	}()
	select {
	case wait := <-done:
		err = errors.Join(err, wait)
	case <-time.After(20 * time.Second):
		err = errors.Join(errors.New("it does not end"), s.cmd.Process.Kill())
	}
	b.check("ends "+s.name, err, "status 0")
}
