package trajectory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// What a log may hold; the rest of it is not read.
const (
	maxLine  = 1 << 20
	maxLines = 2_000_000
	most     = 1 << 30 // results that a line may speak of: what does not fit an int would read as none
)

// An Entry is a line of a log, whichever program wrote it: its fields as they are,
// and of those that all agree on, what they say.
type Entry struct {
	File   string // in the folder of the log
	Line   int    // one-based
	Time   time.Time
	Agent  string
	Phase  string // intent, execute, result, cite, pivot, zero_results, assumption, …
	Action string // search, audit, …; empty where the line does not say
	Query  string
	Count  int // of results; negative where the line says nothing of them
	Fields map[string]json.RawMessage
}

// A Bad is a line that could not be read.
type Bad struct {
	File string
	Line int
	Err  error
}

// A Reading is what a log holds.
type Reading struct {
	Entries []Entry // by time, and as written where that is the same
	Bad     []Bad
	Lines   int // that are not blank
}

// Loss returns which part of the lines could not be read.
func (r *Reading) Loss() float64 {
	if r.Lines == 0 {
		return 0
	}
	return float64(len(r.Bad)) / float64(r.Lines)
}

// Read returns what the log holds, of one agent or of all where agent is empty. A
// line that is none is dropped and counted. A log that is not there is empty.
func (l Log) Read(agent string) (*Reading, error) {
	root, err := safe.OpenRoot(l.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	out := &Reading{}
	files, err := l.files(root)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if err := out.file(root, l.dir, name, agent); err != nil {
			return nil, err
		}
	}
	sorting.Stable(out.Entries, func(a, b Entry) int { return a.Time.Compare(b.Time) })
	return out, nil
}

// files returns the names of the files of the log.
func (l Log) files(root *safe.Root) ([]string, error) {
	all, err := root.ReadDir(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range all {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

func (r *Reading) file(root *safe.Root, dir, name, agent string) error {
	f, err := root.Open(path.Join(dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 64<<10)
	for n := 1; r.Lines < maxLines; n++ {
		line, long, err := next(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		end := err != nil
		if line = bytes.TrimSpace(line); len(line) > 0 || long {
			r.Lines++
			e, err := entry(line, name)
			switch {
			case long:
				r.Bad = append(r.Bad, Bad{name, n, errors.New("the line is too long")})
			case err != nil:
				r.Bad = append(r.Bad, Bad{name, n, err})
			case agent == "" || e.Agent == agent:
				e.File, e.Line = name, n
				r.Entries = append(r.Entries, e)
			}
		}
		if end {
			return nil
		}
	}
	return nil
}

// next returns the next line, or that it is too long to be one.
func next(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			line, long = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// entry reads a line of any of the dialects that are in use.
func entry(line []byte, file string) (Entry, error) {
	e := Entry{Count: -1}
	if err := json.Unmarshal(line, &e.Fields); err != nil {
		return e, errors.New("the line is not a JSON object")
	}
	text := func(names ...string) string {
		for _, n := range names {
			var s string
			if json.Unmarshal(e.Fields[n], &s) == nil && s != "" {
				return s
			}
		}
		return ""
	}
	e.Agent, e.Phase, e.Query = text("agent"), text("phase", "action", "type"), text("query", "original_query", "query1")
	e.Action = text("action")
	if e.Agent == "" {
		if i := len(file) - len("-2006-01-02.jsonl"); i > 0 {
			e.Agent = file[:i]
		}
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, text("ts", "timestamp", "time")); err == nil {
			e.Time = t
			break
		}
	}
	for _, n := range []string{"result_count", "results", "results_count"} {
		var count *float64 // null says nothing, and is not zero
		if json.Unmarshal(e.Fields[n], &count) == nil && count != nil && *count >= 0 {
			e.Count = int(min(*count, most))
			break
		}
	}
	return e, nil
}

// Citations returns the quotes that the log has, without their claims.
func (r *Reading) Citations() map[Citation]bool {
	out := map[Citation]bool{}
	for i := range r.Entries {
		var cited []Citation
		if json.Unmarshal(r.Entries[i].Fields["citations"], &cited) != nil {
			continue // a record of something else, or another program's
		}
		for _, c := range cited {
			c.Claim = ""
			out[c] = true
		}
	}
	return out
}

// Reasoned reports whether an intent says what is looked for, why, or what is expected.
func (e *Entry) Reasoned() bool {
	for _, name := range []string{"intent", "rationale", "expected_outcome"} {
		var s string
		if json.Unmarshal(e.Fields[name], &s) == nil && s != "" {
			return true
		}
	}
	return false
}

// TooWide reports whether a record is of a search with too many results to reason from.
// The findings of an audit are its result, and no sign of a wide query.
func (e *Entry) TooWide() bool { return e.Count > Crowded && e.Action != "audit" }

// Crowded is the number of results above which a search was too wide.
const Crowded = 50

// Pending returns the last search of an agent that was too wide, if it was not
// followed by a pivot: the record of why the next one will be narrower. Only the
// agent's file of that day is read.
func (l Log) Pending(agent string, day time.Time) (query string, count int, pending bool) {
	root, err := safe.OpenRoot(l.root)
	if err != nil {
		return "", 0, false
	}
	defer root.Close()
	r := &Reading{}
	if r.file(root, l.dir, fileName(agent)+"-"+day.UTC().Format(time.DateOnly)+".jsonl", "") != nil {
		return "", 0, false
	}
	for i := len(r.Entries) - 1; i >= 0; i-- {
		switch e := &r.Entries[i]; e.Phase {
		case "pivot":
			return "", 0, false
		case "execute", "result":
			if e.Count >= 0 && e.Action != "audit" {
				return e.Query, e.Count, e.TooWide()
			}
		}
	}
	return "", 0, false
}

// Prune removes the files of days that are over before that time, and returns their
// names.
func (l Log) Prune(before time.Time) ([]string, error) {
	root, err := safe.OpenRoot(l.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files, err := l.files(root)
	if err != nil {
		return nil, err
	}
	var gone []string
	for _, name := range files {
		at := path.Join(l.dir, name)
		// The name says the day; a file of another name is as old as its last change.
		day, err := time.Parse(time.DateOnly, strings.TrimSuffix(name[max(0, len(name)-len("2006-01-02.jsonl")):], ".jsonl"))
		if err != nil {
			st, err := root.Lstat(at)
			if err != nil {
				return gone, err
			}
			day = st.ModTime()
		} else {
			day = day.Add(24 * time.Hour)
		}
		if day.Before(before) {
			if err := root.Remove(at); err != nil {
				return gone, err
			}
			gone = append(gone, name)
		}
	}
	return gone, nil
}
