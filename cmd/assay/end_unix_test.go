//go:build unix

package main

import (
	"syscall"
	"testing"
	"time"
)

// TestEndsWithin asks the program to end: the context ends, and what does not heed it is left.
func TestEndsWithin(t *testing.T) {
	left := make(chan struct{})
	ctx, stop := endsWithin(time.Millisecond, func() { close(left) })
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	<-left
	ctx, stop = endsWithin(0, func() { t.Error("left without having been asked to end") })
	stop()
	<-ctx.Done()
}
