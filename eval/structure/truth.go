package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// The kinds of facts that are compared.
const (
	functions = iota
	imports
	calls
	kinds
)

var kindNames = [kinds]string{"functions", "imports", "calls"}

// A fact is something at a line of a file.
type fact struct {
	Name string
	Line int // from 1
}

// UnmarshalJSON reads a fact whose name is under "name" or "path".
func (f *fact) UnmarshalJSON(raw []byte) error {
	var o struct {
		Name, Path string
		Line       int
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	*f = fact{o.Name + o.Path, o.Line}
	return nil
}

// A truth is one line of a truth file.
type truth struct {
	File   string
	Facts  [kinds][]fact // nil where the kind is not judged
	Errors [][2]int      // first and last lines that count on neither side
}

// UnmarshalJSON reads a line of a truth file.
func (t *truth) UnmarshalJSON(raw []byte) error {
	var o struct {
		File                      string
		Functions, Imports, Calls []fact
		Errors                    [][2]int
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	*t = truth{o.File, [kinds][]fact{o.Functions, o.Imports, o.Calls}, o.Errors}
	return nil
}

// judges reports whether a line is outside of all errors.
func (t *truth) judges(line int) bool {
	for _, e := range t.Errors {
		if line >= e[0] && line <= e[1] {
			return false
		}
	}
	return true
}

func readTruth(path string) ([]truth, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []truth
	r := bufio.NewScanner(f)
	r.Buffer(nil, 1<<30)
	for n := 1; r.Scan(); n++ {
		if len(bytes.TrimSpace(r.Bytes())) == 0 {
			continue
		}
		var t truth
		if err := json.Unmarshal(r.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("%s:%d: %v", path, n, err)
		}
		if !filepath.IsLocal(filepath.FromSlash(t.File)) {
			return nil, fmt.Errorf("%s:%d: file %q leaves the root", path, n, t.File)
		}
		all = append(all, t)
	}
	return all, r.Err()
}
