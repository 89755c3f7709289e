// Package calls is the record of what the servers of this user answered lately: one line of
// JSON a call, in a file that each server has for itself, in a folder that nobody else reads.
//
// A record has no answer, no secret and no more than two hundred characters of a question;
// files have a size that they do not exceed, and old ones go. Nothing waits for a record: one
// that cannot be written at once is dropped, and the call is answered as ever.
package calls

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
)

// A Call is one call of a tool.
type Call struct {
	Time   time.Time `json:"time"`
	Tool   string    `json:"tool"`
	Client string    `json:"client,omitempty"`
	Root   string    `json:"root,omitempty"` // the project
	Query  string    `json:"query,omitempty"`
	Hits   int       `json:"hits"`
	Tokens int       `json:"tokens"`          // of the answer, an estimate
	Whole  int       `json:"whole,omitempty"` // of the files that the answer names, read whole
	MS     int64     `json:"ms"`
	Failed bool      `json:"failed,omitempty"`
	// Running says of a record that is read whether its server still runs.
	Running bool `json:"running,omitempty"`
}

// A Done is a call as a server knows it.
type Done struct {
	Tool, Client      string
	Arguments, Answer []byte // JSON; either may be empty
	Text              int    // bytes of the answer as a model reads it
	Began             time.Time
	Took              time.Duration
	Failed            bool
}

const (
	maxFile  = 256 << 10 // bytes of a file of records
	maxFiles = 24        // that are kept of servers that ended
	maxAge   = 7 * 24 * time.Hour
	maxQuery = 200
	maxRead  = 500 // calls that are shown
	waiting  = 64  // calls that wait to be written
	ending   = ".jsonl"
)

// A Recorder writes the calls of one server.
type Recorder struct {
	root   string
	dir    *safe.Root
	name   string
	size   int64
	queue  chan Done
	done   chan struct{}
	end    func() error // gives the lock and the folder back, once
	mu     sync.RWMutex
	closed bool
}

// Record begins a file of records in dir, which it makes, for a server of a project.
func Record(dir, project string, now time.Time) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of calls: %w", err)
	}
	at, err := safe.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of calls: %w", err)
	}
	tidy(at, dir, now)
	name := fmt.Sprintf("%d-%06d", now.Unix(), rand.IntN(1e6))
	unlock, err := file.TryLock(filepath.Join(dir, name+".lock"))
	if err != nil {
		_ = at.Close()
		return nil, fmt.Errorf("lock the record of calls: %w", err)
	}
	r := &Recorder{root: project, dir: at, name: name + ending, queue: make(chan Done, waiting), done: make(chan struct{})}
	r.end = sync.OnceValue(func() error {
		unlock()
		return at.Close()
	})
	go r.write()
	return r, nil
}

// Add records a call. It returns at once.
func (r *Recorder) Add(d Done) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.closed {
		return
	}
	select {
	case r.queue <- d:
	default:
	}
}

// Close writes what waits, and ends.
func (r *Recorder) Close() error {
	r.drain()
	return r.end()
}

// drain writes what waits, and takes nothing more.
func (r *Recorder) drain() {
	r.mu.Lock()
	if !r.closed {
		close(r.queue)
	}
	r.closed = true
	r.mu.Unlock()
	<-r.done
}

func (r *Recorder) write() {
	defer close(r.done)
	for d := range r.queue {
		line, err := json.Marshal(r.call(d))
		if err == nil {
			r.append(append(line, '\n'))
		}
	}
}

// append adds a line. A file that is full becomes the former one of two.
func (r *Recorder) append(line []byte) {
	if r.size+int64(len(line)) > maxFile/2 && r.size > 0 {
		if r.dir.Rename(r.name, former(r.name)) != nil {
			return
		}
		r.size = 0
	}
	f, err := r.dir.Append(r.name, 0o600)
	if err != nil {
		return
	}
	n, err := f.Write(line)
	r.size += int64(n)
	_ = errors.Join(err, f.Close()) // the next one may fit again
}

// former is the name of the records before those in a file.
func former(name string) string { return strings.TrimSuffix(name, ending) + "-former" + ending }

// call is what is recorded of a call.
func (r *Recorder) call(d Done) Call {
	c := Call{Time: d.Began.UTC(), Tool: clean(d.Tool), Client: clean(d.Client), Root: r.root, Query: clean(asked(d.Arguments)), Tokens: text.Tokens(d.Text), MS: d.Took.Milliseconds(), Failed: d.Failed}
	hits, files := named(d.Answer)
	c.Hits = hits
	for f := range files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(r.root, f)
		}
		if st, err := os.Stat(f); err == nil && st.Mode().IsRegular() {
			c.Whole += text.Tokens(int(st.Size()))
		}
	}
	return c
}

// clean is what may be kept of what somebody said: a line without secrets.
func clean(s string) string {
	const most = 4 << 10 // what is cut off below is not looked at for long
	out, _ := redact.Text([]byte(s[:min(len(s), most)]))
	return text.Clip(text.Line(strings.ToValidUTF8(string(out), "�")), maxQuery)
}

// asked is the question among the arguments of a call. Others, such as the text of a note or
// the code of a script, are not looked at.
func asked(arguments []byte) string {
	var given map[string]any
	if json.Unmarshal(arguments, &given) != nil {
		return ""
	}
	for _, name := range []string{"query", "pattern", "task", "symbol", "name", "libraryName", "path", "file"} {
		if s, ok := given[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// named are how many hits an answer has, which are its longest list of objects, and the files
// that these name.
func named(answer []byte) (hits int, files map[string]bool) {
	const most = 200 // files that are looked for on the disk
	var said map[string]json.RawMessage
	if json.Unmarshal(answer, &said) != nil {
		return 0, nil
	}
	files = map[string]bool{}
	for _, value := range said {
		var list []struct {
			Path string `json:"path"`
			File string `json:"file"`
		}
		if json.Unmarshal(value, &list) != nil {
			continue
		}
		hits = max(hits, len(list))
		for _, x := range list {
			if f := cmp.Or(x.Path, x.File); f != "" && len(files) < most {
				files[f] = true
			}
		}
	}
	return hits, files
}

// tidy removes the records of servers that ended: the old ones, and those beyond a number.
func tidy(at *safe.Root, dir string, now time.Time) {
	list, err := at.List(".", func(_ string, mode fs.FileMode) bool { return mode.IsRegular() })
	if err != nil {
		return
	}
	sorting.Stable(list, func(a, b safe.Listed) int { return cmp.Compare(b.Mtime, a.Mtime) })
	kept := 0
	for _, l := range list {
		if !strings.HasSuffix(l.Name, ending) || runs(dir, l.Name) {
			continue
		}
		if kept++; kept <= maxFiles && now.Sub(time.Unix(0, l.Mtime)) <= maxAge {
			continue
		}
		_ = at.Remove(l.Name) // it stays for the next time
		_ = at.Remove(lock(l.Name))
	}
}

// lock is the name of the lock that the server holds whose records are in a file.
func lock(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ending), "-former") + ".lock"
}

// runs reports whether the server still runs whose records are in a file.
func runs(dir, name string) bool {
	path := filepath.Join(dir, lock(name))
	if _, err := os.Lstat(path); err != nil {
		return false
	}
	unlock, err := file.TryLock(path)
	if err == nil {
		unlock()
	}
	return errors.Is(err, file.ErrLocked)
}

// Read returns the last calls that are recorded in dir, newest first.
func Read(dir string) ([]Call, error) {
	out, err := readAll(dir)
	return out[:min(len(out), maxRead)], err
}

// readAll returns all calls that are recorded in dir, newest first.
func readAll(dir string) ([]Call, error) {
	at, err := safe.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer at.Close()
	list, err := at.List(".", func(_ string, mode fs.FileMode) bool { return mode.IsRegular() })
	if err != nil {
		return nil, err
	}
	var out []Call
	for _, l := range list {
		if !strings.HasSuffix(l.Name, ending) {
			continue
		}
		lines, err := at.ReadFile(l.Name, maxFile)
		if err != nil {
			continue // it went meanwhile, or is none of ours
		}
		running := runs(dir, l.Name)
		for line := range strings.Lines(string(lines)) {
			var c Call
			if json.Unmarshal([]byte(line), &c) == nil && c.Tool != "" {
				c.Running = running
				out = append(out, c)
			}
		}
	}
	sorting.Stable(out, func(a, b Call) int { return b.Time.Compare(a.Time) })
	return out, nil
}
