package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// packed is the file of the licence texts that the program has within it.
const packed = "licences.gz"

// packTexts writes the file.
func packTexts(root string) error {
	text, err := distinctTexts(root, targets)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, packed), b.Bytes(), 0o644)
}

// compareTexts returns an error where the file is out of date. Texts are compared, because another
// version of Go may pack the same ones otherwise.
func compareTexts(root string) error {
	want, err := distinctTexts(root, targets)
	if err != nil {
		return err
	}
	have, err := unpackTexts(root)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, want) {
		return errors.New(packed + " is out of date: go run ./eval/notice")
	}
	return nil
}

// unpackTexts returns the texts as they are in the file.
func unpackTexts(root string) ([]byte, error) {
	f, err := os.Open(filepath.Join(root, packed))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", packed, err)
	}
	have, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", packed, err)
	}
	return have, nil
}

// distinctTexts returns the licence files of Go and of all modules, each text once, below the names
// of those that it is of. They are without versions, so that an upgrade changes nothing.
func distinctTexts(root string, systems []target) ([]byte, error) {
	modules, err := linked(root, systems)
	if err != nil {
		return nil, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %v", err)
	}
	owners := map[string][]string{}
	var order []string
	for _, m := range append([]module{{path: "Go", dir: strings.TrimSpace(string(goroot))}}, modules...) {
		names, err := licenceFiles(m.dir)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(m.dir, name))
			if err != nil {
				return nil, err
			}
			body := strings.ReplaceAll(strings.TrimSpace(string(text)), "\r\n", "\n")
			if owners[body] == nil {
				order = append(order, body)
			}
			if owner := m.path + ": " + name; !slices.Contains(owners[body], owner) {
				owners[body] = append(owners[body], owner)
			}
		}
	}
	var b bytes.Buffer
	for _, body := range order {
		for _, owner := range owners[body] {
			fmt.Fprintf(&b, "======== %s\n", owner)
		}
		fmt.Fprintf(&b, "\n%s\n\n", body)
	}
	return b.Bytes(), nil
}
