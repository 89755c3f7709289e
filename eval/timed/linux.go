//go:build linux

package timed

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// watchAnon returns the most anonymous memory that a process was seen with until
// over is closed, in bytes.
func watchAnon(pid int, over <-chan struct{}) (most int64) {
	tick := time.NewTicker(sampling)
	defer tick.Stop()
	file := fmt.Sprintf("/proc/%d/status", pid)
	for {
		if text, err := os.ReadFile(file); err == nil {
			most = max(most, rssAnon(string(text)))
		}
		select {
		case <-over:
			return most
		case <-tick.C:
		}
	}
}

// rssAnon reads RssAnon out of a process's status, in bytes.
func rssAnon(status string) int64 {
	_, rest, _ := strings.Cut(status, "\nRssAnon:")
	line, _, _ := strings.Cut(rest, "\n")
	kb, _ := strings.CutSuffix(strings.TrimSpace(line), " kB")
	n, err := strconv.ParseInt(kb, 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// CPU returns the user and system time of this process so far.
func CPU() time.Duration {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return 0
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

func peakMemory(ps *os.ProcessState) int64 {
	ru, ok := ps.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return ru.Maxrss << 10
}

// group puts a program into a process group of its own, all of which ends with its context.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
