//go:build !windows

package main

import "syscall"

// apart has a child leave the session of its parent, whose end ends it otherwise.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
