package team

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/assay-dev/assay/internal/base/safe"
)

// A journal is a file of lines in JSON that only grows.
type journal struct {
	mu   sync.Mutex
	to   io.Writer
	file *os.File
	tell func(format string, args ...any)
	told bool
}

// openJournal opens a journal: a file, or "-" for errOut; nil where there is none.
func openJournal(name string, errOut io.Writer, tell func(format string, args ...any)) (*journal, error) {
	switch name {
	case "":
		return nil, nil
	case "-":
		return &journal{to: errOut, tell: tell}, nil
	}
	dir, err := safe.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("open the log %s: %w", name, err)
	}
	defer dir.Close()
	f, err := dir.Append(filepath.Base(name), 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log %s: %w", name, err)
	}
	return &journal{to: f, file: f, tell: tell}, nil
}

// write adds a line, in one write: a line is whole or is not there.
func (j *journal) write(e entry) {
	if j == nil {
		return
	}
	line, err := json.Marshal(e)
	if err != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.to.Write(append(line, '\n')); err != nil && !j.told {
		j.told = true
		j.tell("a log cannot be written: %v", err)
	}
}

func (j *journal) close() error {
	if j == nil || j.file == nil {
		return nil
	}
	return j.file.Close()
}
