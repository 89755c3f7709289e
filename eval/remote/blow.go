//go:build team

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// blows are what happens to a server, or to one of its nodes after the other.
var blows = map[string]string{
	"kill":    "was killed",
	"restart": "was ended and started again",
	"pause":   "stood still for half of that time",
	"full":    "had no room on its disk for half of that time",
	"clock":   "had its clock set an hour forth or back",
}

// once is one of them.
func (w blow) once(url string, turn int) error {
	script, node := ".ci/postgres", ""
	if strings.HasPrefix(url, "http") {
		script, node = ".ci/weaviate", fmt.Sprint(1+turn%(1+strings.Count(url, ",")))
	}
	do := func(verb string) error { return w.do(script, verb, node) }
	switch w.kind {
	case "kill":
		return errors.Join(do("kill"), do("again"))
	case "restart":
		return errors.Join(do("end"), do("again"))
	case "pause":
		err := do("pause")
		time.Sleep(w.every / 2)
		return errors.Join(err, do("go"))
	case "full":
		err := w.fill()
		if node == "" {
			return errors.Join(err, do("up"))
		}
		// Weaviate writes no more once a disk was nine tenths full, until its operator starts it again.
		for i := range 1 + strings.Count(url, ",") {
			node = fmt.Sprint(i + 1)
			err = errors.Join(err, do("end"), do("again"))
		}
		return err
	}
	if w.clock == "" {
		return errors.New("clock: want -clock FILE")
	}
	return os.WriteFile(w.clock, []byte([]string{"+1h\n", "+0\n", "-1h\n", "+0\n"}[turn%4]), 0o644)
}

func (w blow) do(script, verb, node string) error {
	args := []string{w.folder, verb}
	if node != "" {
		args = append(args, node)
	}
	c := exec.Command(script, args...)
	// A node outlives the script, and would keep a pipe open.
	out, err := os.CreateTemp("", "remote-")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	c.Stdout, c.Stderr = out, out
	if err := c.Run(); err != nil {
		says, _ := os.ReadFile(out.Name())
		return fmt.Errorf("%s the server: %w: %s", verb, err, says)
	}
	return nil
}

// mostFilled is how much is written to fill a file system: one that takes more is not the small
// one that was asked for.
const mostFilled = 8 << 30

// fill takes all room of the server's file system for half of the time.
func (w blow) fill() error {
	at := filepath.Join(w.folder, "filler")
	f, err := os.Create(at)
	if err != nil {
		return err
	}
	defer os.Remove(at)
	defer f.Close()
	block := make([]byte, 1<<20)
	for n := 0; err == nil; n++ {
		if n*len(block) > mostFilled {
			return fmt.Errorf("full: %s is on no small file system", w.folder)
		}
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	for end := time.Now().Add(w.every / 2); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		_, _ = f.Write(block[:4096]) // what the server frees meanwhile
	}
	return nil
}
