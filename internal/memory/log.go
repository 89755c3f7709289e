package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/assay-dev/assay/internal/base/text"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/memory/vault"
)

const (
	maxLog    = 1 << 20  // bytes of the log, and of the one before it
	maxEntry  = 1000     // bytes of what a line says
	maxReread = 64 << 10 // bytes at the end of the log that are read again
	logName   = "hook.log"
	remedy    = "; to do: " // before what a line advises
)

// A HookLog is where hooks, which never fail, write down what went wrong. It is bounded,
// for its user alone, and without secrets.
type HookLog struct {
	Dir string // the state folder; empty: nothing is written down
	Now func() time.Time
}

// A Failure is what went wrong in a hook, as often as it did so in the same words.
type Failure struct {
	Last  time.Time
	Where string // the agent and the event
	Says  string
	Fix   string
	Times int
}

// Path is the file.
func (l HookLog) Path() string { return filepath.Join(l.Dir, logName) }

// Add writes a line: to nobody, if even that fails.
func (l HookLog) Add(agent, event string, err error) {
	if err == nil || l.Dir == "" || os.MkdirAll(l.Dir, 0o700) != nil {
		return
	}
	dir, e := safe.OpenRoot(l.Dir)
	if e != nil {
		return
	}
	defer dir.Close()
	if st, e := dir.Lstat(logName); e == nil && st.Mode().IsRegular() && st.Size() > maxLog {
		if unlock, e := file.TryLock(l.Path() + ".lock"); e == nil {
			_ = dir.Rename(logName, logName+".1") // the next line goes to a new one, or to the old
			unlock()
		}
	}
	w, e := dir.Append(logName, 0o600)
	if e != nil {
		return
	}
	defer w.Close()
	line := fmt.Sprintf("%s %s: %s", l.Now().UTC().Format(time.RFC3339), entry(agent+" "+event, 100), entry(err.Error(), maxEntry))
	if hint := fault.HintOf(err); hint != "" {
		line += remedy + entry(hint, maxEntry)
	}
	_, _ = w.Write([]byte(line + "\n")) // one write: lines of other processes stay whole
}

// entry makes a text, which may quote what an agent sent, part of one line of at most n
// bytes. What is secret goes before the text is cut: half of a key is not recognised. So
// what is not looked through ends between words; where there is none, only the first n
// bytes of many more are shown.
func entry(s string, n int) string {
	if len(s) > 8*maxEntry {
		s = s[:8*maxEntry]
		if i := strings.LastIndexFunc(s, unicode.IsSpace); i >= 0 {
			s = s[:i]
		}
	}
	clean, _ := vault.Clean([]byte(s))
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, string(clean))
	return text.Short(strings.Join(strings.Fields(s), " "), n)
}

// Failures returns the last n different ones since a time, newest first, and nothing
// where there is no log.
func (l HookLog) Failures(since time.Time, n int) ([]Failure, error) {
	if l.Dir == "" {
		return nil, nil
	}
	dir, err := safe.OpenRoot(l.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the log of hooks").Because(err).Or("check the permissions of %s", l.Dir)
	}
	defer dir.Close()
	f, err := dir.Open(logName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, safe.ErrNotFile), errors.Is(err, safe.ErrLink):
		return nil, fault.New(fault.Unavailable, "%s is not a file: nothing that goes wrong in a hook is kept", l.Path()).Or("remove it")
	case err != nil:
		return nil, fault.New(fault.Unavailable, "the log of hooks").Because(err).Or("check the permissions of %s", l.Path())
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the log of hooks").Because(err).Or("check the permissions of %s", l.Path())
	}
	text, err := io.ReadAll(io.NewSectionReader(f, max(0, st.Size()-maxReread), maxReread))
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the log of hooks").Because(err).Or("remove %s", l.Path())
	}
	var out []Failure
	lines := bytes.Split(text, []byte("\n"))
	for _, line := range slices.Backward(lines) {
		x, ok := parseFailure(string(line))
		if !ok || x.Last.Before(since) {
			continue
		}
		same := slices.IndexFunc(out, func(o Failure) bool { return o.Where == x.Where && o.Says == x.Says })
		switch {
		case same >= 0:
			out[same].Times++
		case len(out) < n:
			out = append(out, x)
		}
	}
	return out, nil
}

// parseFailure reads a line; false where it is none, as the first of a part may be.
func parseFailure(line string) (x Failure, ok bool) {
	when, rest, _ := strings.Cut(line, " ")
	at, err := time.Parse(time.RFC3339, when)
	where, says, found := strings.Cut(rest, ": ")
	if err != nil || !found {
		return x, false
	}
	says, fix, _ := strings.Cut(says, remedy)
	return Failure{Last: at, Where: where, Says: says, Fix: fix, Times: 1}, true
}
