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

// A journal appends lines of JSON to a file.
type journal struct {
	mu     sync.Mutex
	to     io.Writer
	file   *os.File
	warn   func(format string, args ...any)
	warned bool
}

// openJournal opens the file name, or errOut if the name is "-"; an empty name returns nil, which logs nothing.
func openJournal(name string, errOut io.Writer, warn func(format string, args ...any)) (*journal, error) {
	switch name {
	case "":
		return nil, nil
	case "-":
		return &journal{to: errOut, warn: warn}, nil
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
	return &journal{to: f, file: f, warn: warn}, nil
}

// write appends a line in a single write, because a killed process must not leave half a line.
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
	if _, err := j.to.Write(append(line, '\n')); err != nil && !j.warned {
		j.warned = true
		j.warn("cannot write the log: %v; requests are not logged until that works again", err)
	}
}

func (j *journal) close() error {
	if j == nil || j.file == nil {
		return nil
	}
	return j.file.Close()
}
