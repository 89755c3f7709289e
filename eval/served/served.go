// Package served starts a server that is measured, and measures it: its processor time and its
// memory, as Linux tells them.
package served

import (
	"bufio"
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

// A Server is one that listens.
type Server struct {
	URL string // of its endpoint

	cmd *exec.Cmd
}

// Start starts a server that says where it listens, and returns when it does. What it says from
// then on goes to standard error.
func Start(cmd *exec.Cmd, scheme string) (*Server, error) {
	said, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &Server{cmd: cmd}
	r := bufio.NewReader(said)
	line, err := r.ReadString('\n')
	_, rest, ok := strings.Cut(line, "listening on ")
	if err != nil || !ok {
		// One that cannot serve says why and ends; another is ended.
		late := time.AfterFunc(time.Second, func() { _ = cmd.Process.Kill() })
		more, _ := io.ReadAll(r)
		late.Stop()
		return nil, errors.Join(fmt.Errorf("the server says %q", line+string(more)), err, s.Kill())
	}
	go func() { _, _ = io.Copy(os.Stderr, r) }() // ends with the server
	addr, _, _ := strings.Cut(rest, ",")
	s.URL = scheme + "://" + strings.TrimSpace(addr) + "/mcp"
	return s, nil
}

// Kill ends the server at once.
func (s *Server) Kill() error { return errors.Join(s.cmd.Process.Kill(), s.cmd.Wait()) }

// Stop ends the server and returns its CPU time.
func (s *Server) Stop() (time.Duration, error) {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	if err := s.cmd.Wait(); err != nil {
		return 0, err
	}
	return s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime(), nil
}

// A Memory is that of a process, in bytes; zero where the system does not say.
type Memory struct{ RSS, Anon int64 }

// Memory returns what the server has now.
func (s *Server) Memory() Memory {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return Memory{}
	}
	return Memory{field(string(status), "VmRSS"), field(string(status), "RssAnon")}
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

// Watch returns the most memory that was seen until over is closed.
func (s *Server) Watch(over <-chan struct{}) (most Memory) {
	tick := time.NewTicker(sampling)
	defer tick.Stop()
	for {
		now := s.Memory()
		most = Memory{max(most.RSS, now.RSS), max(most.Anon, now.Anon)}
		select {
		case <-over:
			return most
		case <-tick.C:
		}
	}
}
