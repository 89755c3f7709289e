//go:build !slim

package main

import (
	"bytes"
	"os"
	"os/exec"
)

// detach starts this program again so that it outlives this one, with words for its
// command line and bytes for its standard input.
func detach(stdin []byte, args ...string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	// A file rather than a pipe: nobody is left to fill a pipe.
	in, err := os.CreateTemp("", "assay-*")
	if err != nil {
		return err
	}
	defer os.Remove(in.Name())
	defer in.Close()
	if _, err := bytes.NewReader(stdin).WriteTo(in); err != nil {
		return err
	}
	if _, err := in.Seek(0, 0); err != nil {
		return err
	}
	cmd := exec.Command(exe, args...)
	cmd.Stdin = in
	cmd.SysProcAttr = apart()
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
