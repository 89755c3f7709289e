package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// kinds are the calls that are counted, by what they do.
var kinds = map[uint64]string{
	unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "write", unix.SYS_WRITEV: "write", unix.SYS_PWRITEV: "write",
	unix.SYS_FSYNC: "fsync", unix.SYS_FDATASYNC: "fsync",
	unix.SYS_RENAME: "rename", unix.SYS_RENAMEAT: "rename", unix.SYS_RENAMEAT2: "rename",
	unix.SYS_UNLINK: "unlink", unix.SYS_UNLINKAT: "unlink", unix.SYS_RMDIR: "unlink",
	unix.SYS_TRUNCATE: "truncate", unix.SYS_FTRUNCATE: "truncate", unix.SYS_FALLOCATE: "truncate",
	unix.SYS_MKDIR: "mkdir", unix.SYS_MKDIRAT: "mkdir",
	unix.SYS_LINK: "link", unix.SYS_LINKAT: "link",
	unix.SYS_OPEN: "create", unix.SYS_OPENAT: "create", unix.SYS_OPENAT2: "create",
}

// under is what this program does when it is started to become args: from there on the
// kernel stops at the calls that are counted, and only at those.
func under(args []string) error {
	runtime.LockOSThread() // a filter is that of a thread
	stmt := func(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }
	filter := []unix.SockFilter{stmt(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0)} // the number of the call
	for nr := range kinds {
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(nr), Jf: 1}, stmt(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_TRACE))
	}
	filter = append(filter, stmt(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW))
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("prctl: %v", err)
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return fmt.Errorf("seccomp: %v", errno)
	}
	return syscall.Exec(args[0], args, os.Environ())
}

// A tracer follows one process, its threads and its children.
type tracer struct {
	plan plan
	main int
	own  map[int]bool // by thread: whether it is one of the main process
	ops  []op
}

// trace runs a program and injects what the plan says. The calls of programs that it
// starts, and those on what is not below dir, are not counted.
func trace(p plan, dir, input string, env []string, args ...string) (result, error) {
	self, err := os.Executable()
	if err != nil {
		return result{}, err
	}
	runtime.LockOSThread() // who traces is a thread
	defer runtime.UnlockOSThread()
	cmd := exec.Command(self, append([]string{underArg}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = filepath.Join(dir, "proj"), env, strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return result{}, err
	}
	t := tracer{plan: p, main: cmd.Process.Pid, own: map[int]bool{cmd.Process.Pid: true}}
	status, err := t.follow(dir)
	_ = cmd.Wait() // the process was waited for; its output is still to be copied
	return result{status: status, stdout: out.String(), stderr: errs.String(), ops: t.ops}, err
}

func (t *tracer) follow(dir string) (status int, err error) {
	for first := true; ; {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, syscall.WALL, nil)
		if err == syscall.EINTR {
			continue
		}
		if err == syscall.ECHILD {
			return status, nil
		}
		if err != nil {
			return 0, err
		}
		if ws.Exited() || ws.Signaled() {
			delete(t.own, pid)
			if pid == t.main {
				status = ws.ExitStatus() // -1 if it was killed
			}
			continue
		}
		if first {
			first = false
			err := syscall.PtraceSetOptions(pid, unix.PTRACE_O_EXITKILL|unix.PTRACE_O_TRACESECCOMP|unix.PTRACE_O_TRACECLONE|
				unix.PTRACE_O_TRACEFORK|unix.PTRACE_O_TRACEVFORK|unix.PTRACE_O_TRACEEXEC)
			if err != nil {
				return 0, err
			}
		}
		deliver := 0
		_, known := t.own[pid]
		if !known {
			_, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", t.main, pid))
			t.own[pid] = err == nil
		}
		switch sig := ws.StopSignal(); {
		case sig == syscall.SIGTRAP && ws.TrapCause() == unix.PTRACE_EVENT_SECCOMP:
			if t.own[pid] {
				if err := t.stopped(pid, dir); err != nil && !errors.Is(err, syscall.ESRCH) {
					return 0, err
				}
			}
		case sig == syscall.SIGTRAP, sig == syscall.SIGSTOP && !known:
		default:
			deliver = int(sig)
		}
		if err := syscall.PtraceCont(pid, deliver); err != nil && err != syscall.ESRCH {
			return 0, err
		}
	}
}

// stopped counts a call before it is made, and injects.
func (t *tracer) stopped(pid int, dir string) error {
	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	o := op{kind: kinds[regs.Orig_rax]}
	fd := func(n uint64) string {
		at, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, int32(n)))
		return at
	}
	text := func(at uint64) string {
		var b [512]byte
		n, _ := syscall.PtracePeekData(pid, uintptr(at), b[:])
		s, _, _ := strings.Cut(string(b[:n]), "\x00")
		return s
	}
	below := func(at, name uint64) string {
		if s := text(name); filepath.IsAbs(s) || int32(at) == unix.AT_FDCWD {
			return s
		} else {
			return filepath.Join(fd(at), s)
		}
	}
	switch regs.Orig_rax {
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT:
		o.path = below(regs.Rdx, regs.R10)
	case unix.SYS_UNLINKAT, unix.SYS_MKDIRAT:
		o.path = below(regs.Rdi, regs.Rsi)
	case unix.SYS_RENAME, unix.SYS_LINK:
		o.path = text(regs.Rsi)
	case unix.SYS_UNLINK, unix.SYS_RMDIR, unix.SYS_MKDIR, unix.SYS_TRUNCATE, unix.SYS_OPEN:
		o.path = text(regs.Rdi)
	case unix.SYS_OPENAT, unix.SYS_OPENAT2:
		o.path = below(regs.Rdi, regs.Rsi)
	default:
		o.path = fd(regs.Rdi)
	}
	if o.kind == "create" {
		flags := regs.Rdx
		switch regs.Orig_rax {
		case unix.SYS_OPEN:
			flags = regs.Rsi
		case unix.SYS_OPENAT2:
			var how unix.OpenHow
			b := (*[8]byte)(unsafe.Pointer(&how.Flags))
			if _, err := syscall.PtracePeekData(pid, uintptr(regs.Rdx), b[:]); err != nil {
				return err
			}
			flags = how.Flags
		}
		if _, err := os.Lstat(o.path); flags&unix.O_CREAT == 0 || err == nil {
			return nil // nothing is made
		}
	}
	if rel, err := filepath.Rel(dir, o.path); err != nil || !filepath.IsLocal(rel) {
		if filepath.IsAbs(o.path) || o.path == "" || strings.Contains(o.path, ":[") {
			return nil // a pipe, or somebody else's
		}
	} else {
		o.path = rel
	}
	t.ops = append(t.ops, o)
	switch n := len(t.ops); {
	case n < t.plan.n || t.plan.n == 0, n > t.plan.n && t.plan.mode != "full":
		return nil
	}
	skip := func(result int64) error {
		regs.Orig_rax, regs.Rax = ^uint64(0), uint64(result)
		return syscall.PtraceSetRegs(pid, &regs)
	}
	switch t.plan.mode {
	case "fail":
		return skip(-int64(unix.EIO))
	case "full":
		if grows[o.kind] {
			return skip(-int64(unix.ENOSPC))
		}
	case "lose":
		if o.kind == "write" {
			return skip(int64(regs.Rdx))
		}
		return skip(0)
	case "short":
		regs.Rdx /= 2
		return syscall.PtraceSetRegs(pid, &regs)
	case "kill":
		return syscall.Kill(t.main, syscall.SIGKILL)
	}
	return nil
}
