// Package trajectory is the log of searches and why they were made: one line of
// JSON a record, in a file an agent and day.
//
// A record is appended whole or not at all, also by several processes at once,
// and no secret is written into it.
package trajectory

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/safe"
)

// A Record is one step of an agent. Fields that do not apply are omitted.
type Record struct {
	Time      time.Time `json:"ts"`
	Agent     string    `json:"agent"`
	Phase     string    `json:"phase"`  // intent, execute, result, cite, pivot, synthesis, archive, jsonl_parse
	Action    string    `json:"action"` // search, audit, notes
	Mode      string    `json:"mode,omitempty"`
	Query     string    `json:"query,omitempty"`
	Path      string    `json:"path,omitempty"`  // absolute: what was searched
	Paths     []string  `json:"paths,omitempty"` // absolute, where it is more than one
	Intent    string    `json:"intent,omitempty"`
	Rationale string    `json:"rationale,omitempty"`
	Expected  string    `json:"expected_outcome,omitempty"`
	TopK      int       `json:"top_k,omitempty"`
	Threshold *float64  `json:"threshold,omitempty"`
	Results   *int      `json:"result_count,omitempty"`
	Scores    []float64 `json:"scores,omitempty"`
	Engine    string    `json:"engine,omitempty"` // what kept an answer from being complete

	*Quality // of a search that was executed

	// Of a pivot.
	Reason   string `json:"reason,omitempty"`
	Original string `json:"original_query,omitempty"`
	Failure  string `json:"hypothesis_failure,omitempty"`
	Refined  string `json:"refined_hypothesis,omitempty"`
	NewQuery string `json:"new_query,omitempty"`

	// What an answer costs whoever reads it, and how many of its places were kept.
	Tokens     int `json:"tokens_estimated,omitempty"`
	HighSignal int `json:"high_signal,omitempty"`

	Summary string `json:"summary,omitempty"` // of findings that were archived

	// Of lines that could not be read.
	ParseErrors int       `json:"parse_errors,omitempty"`
	Dropped     []Dropped `json:"dropped_lines,omitempty"`
	Loss        float64   `json:"data_loss_ratio,omitempty"`

	// What speaks against what was expected.
	Discrepancy string `json:"discrepancy,omitempty"`

	Grounding string     `json:"grounding,omitempty"` // "citation"
	Citations []Citation `json:"citations,omitempty"`
}

// A Quality says how good an answer can be: of an index, or of the files alone.
type Quality struct {
	SearchMode string `json:"search_mode"` // ck, grep: the names that frameworks look for
	Precision  string `json:"precision"`   // high, medium
	CacheHit   bool   `json:"cache_hit"`   // the index had all of the tree
}

// Indexed is the quality of an answer from an index: complete, if it knew all that it was
// asked about, and fresh, if nothing had to be indexed for it.
func Indexed(complete, fresh bool) *Quality {
	q := &Quality{"ck", "high", complete && fresh}
	if !complete {
		q.Precision = "medium"
	}
	return q
}

// Scanned is the quality of an answer from the files alone.
func Scanned() *Quality { return &Quality{"grep", "medium", false} }

// A Citation is a quote of code that was verified.
type Citation struct {
	Claim string `json:"claim"`
	Code  string `json:"code"`
	Path  string `json:"path"` // absolute
	Line  int    `json:"line"`
}

// A Dropped is a line that could not be read.
type Dropped struct {
	Line  int    `json:"line"` // one-based
	Error string `json:"error"`
}

// A Log is the records of one project.
type Log struct {
	root string // the project's folder
	dir  string // below it, slash-separated
}

// grimoires are the folders in which agent frameworks keep their state.
var grimoires = [...]string{"grimoires/loa", "loa-grimoire"}

// Grimoire returns the folder below a project's in which an agent framework keeps its
// state, slash-separated.
func Grimoire(root string) (dir string, ok bool) {
	for _, g := range grimoires {
		if st, err := os.Lstat(filepath.Join(root, filepath.FromSlash(g))); err == nil && st.IsDir() {
			return g, true
		}
	}
	return "", false
}

// Open returns the log of a project and whether one is kept there: strict and
// lenient say so and off says no; without a mode, it is kept where an agent framework
// keeps its state.
func Open(root, mode string) (l Log, kept bool) {
	l = Log{root, ".assay/trajectory"}
	if g, ok := Grimoire(root); ok {
		l.dir, kept = g+"/a2a/trajectory", mode != "off"
	}
	return l, kept || mode == "strict" || mode == "lenient"
}

// Dir returns the folder of the log.
func (l Log) Dir() string { return filepath.Join(l.root, filepath.FromSlash(l.dir)) }

// Append adds a record.
func (l Log) Append(r Record) error {
	said := []*string{&r.Query, &r.Intent, &r.Rationale, &r.Expected, &r.Engine, &r.Reason, &r.Original, &r.Failure, &r.Refined, &r.NewQuery, &r.Summary, &r.Discrepancy}
	r.Citations, r.Dropped = slices.Clone(r.Citations), slices.Clone(r.Dropped)
	for i := range r.Citations {
		said = append(said, &r.Citations[i].Claim, &r.Citations[i].Code)
	}
	for i := range r.Dropped {
		said = append(said, &r.Dropped[i].Error)
	}
	for _, s := range said {
		clean, _ := redact.Text([]byte(*s))
		*s = string(clean)
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	root, err := safe.OpenRoot(l.root)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := l.make(root); err != nil {
		return err
	}
	name := l.dir + "/" + fileName(r.Agent) + "-" + r.Time.UTC().Format(time.DateOnly) + ".jsonl"
	f, err := root.Append(name, 0o644)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if incomplete(f) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line) // one write: lines of other processes stay whole
	return errors.Join(err, f.Close())
}

// incomplete reports whether a file ends in the middle of a line: who wrote it was stopped,
// and the next record must not end up as a part of that line. One that was written a
// moment ago may be a line that another is just writing.
func incomplete(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 || time.Since(st.ModTime()) < moment {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], st.Size()-1)
	return err == nil && last[0] != '\n'
}

const moment = 2 * time.Second

// make makes the folder of the log, with a file that keeps it out of the repository, and
// so out of the searches that it is about.
func (l Log) make(root *safe.Root) error {
	list, _ := root.ReadDir(l.dir) // there may be none
	if slices.ContainsFunc(list, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") }) {
		root.Tidy(l.dir)
		return nil // somebody may have decided to share the log
	}
	if err := root.MkdirAll(l.dir, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", l.Dir(), err)
	}
	// The second is for projects without git, where the first says nothing.
	for _, name := range []string{"/.gitignore", "/.assayignore"} {
		if err := root.WriteNew(l.dir+name, []byte("*\n"), 0o644); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// fileName makes an agent's name into one that is safe in a path.
func fileName(agent string) string {
	s := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, agent)
	if s = s[:min(len(s), 64)]; s == "" {
		return "unknown"
	}
	return s
}
