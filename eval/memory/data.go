package main

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

//go:embed testdata/notes.txtar testdata/sessions.txtar testdata/talks.txtar testdata/questions.jsonl testdata/talks.jsonl testdata/paraphrases.* testdata/handbooks.* testdata/forms/*.jsonl testdata/*.txt
var data embed.FS

// today is when the questions are asked: ages and "last week" do not move.
func today() time.Time { return time.Date(2025, 11, 20, 9, 0, 0, 0, time.UTC) }

// A question and the paths that answer it: any of them, or all of a question of
// several notes. None: nothing does.
type question struct {
	Ask  string   `json:"ask"`
	Kind string   `json:"kind"`
	In   []string `json:"in"`
}

// A file of an archive.
type file struct{ name, text string }

// unpack reads an archive: texts, each after a line "-- NAME --".
func unpack(archive []byte) (files []file) {
	for line := range bytes.Lines(archive) {
		l := string(bytes.TrimRight(line, "\n"))
		if name, ok := strings.CutPrefix(l, "-- "); ok && strings.HasSuffix(name, " --") {
			files = append(files, file{name: strings.TrimSuffix(name, " --")})
		} else if len(files) > 0 {
			files[len(files)-1].text += string(line)
		}
	}
	return files
}

func archive(name string) ([]file, error) {
	b, err := data.ReadFile("testdata/" + name)
	if err != nil {
		return nil, err
	}
	return unpack(b), nil
}

func questions(name string) ([]question, error) {
	b, err := data.ReadFile("testdata/" + name)
	if err != nil {
		return nil, err
	}
	return parseQuestions(b)
}

func parseQuestions(b []byte) (out []question, err error) {
	lines := bufio.NewScanner(bytes.NewReader(b))
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, lines.Err()
}

// A corpus is a vault, sessions and questions about them.
type corpus struct {
	name      string
	notes     []file
	sessions  []file
	questions []question
	plain     bool     // pairs of notes are a person's, not as memory store writes them
	how       []string // of handbooks: how each question is put
}

// own is the set that is kept here.
func own() (c corpus, err error) {
	c.name = "notes and sessions"
	if c.notes, err = archive("notes.txtar"); err != nil {
		return c, err
	}
	if c.sessions, err = archive("sessions.txtar"); err != nil {
		return c, err
	}
	c.questions, err = questions("questions.jsonl")
	return c, err
}

// talks is the set of long conversations, a note for each time that the two met.
func talks() (c corpus, err error) {
	c.name = "conversations"
	files, err := archive("talks.txtar")
	if err != nil {
		return c, err
	}
	for _, f := range files {
		date, said, _ := strings.Cut(f.text, "\n")
		c.notes = append(c.notes, file{f.name + ".md", "Date: " + date + "\n\n" + strings.ReplaceAll(said, "\n", "\n\n")})
	}
	c.questions, err = questions("talks.jsonl")
	for i := range c.questions {
		for k := range c.questions[i].In {
			c.questions[i].In[k] += ".md"
		}
	}
	return c, err
}

// others is the set of notes whose questions have few words of what answers them.
func others() (c corpus, err error) {
	c.name = "notes asked for in other words"
	if c.notes, err = archive("paraphrases.txtar"); err != nil {
		return c, err
	}
	c.questions, err = questions("paraphrases.jsonl")
	return c, err
}

// write puts the notes of a corpus into a folder.
func (c *corpus) write(dir string) error {
	for _, f := range c.notes {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(f.text), 0o644); err != nil {
			return err
		}
		// The age of a note is its own, not that of the copy.
		if err := os.Chtimes(path, today(), today().AddDate(0, -1, 0)); err != nil {
			return err
		}
	}
	return nil
}

// sources returns the sessions as their agents would give them.
func (c *corpus) sources() (out []transcript.Source, err error) {
	by := map[string]*agent{}
	for _, f := range c.sessions {
		name, id, _ := strings.Cut(f.name, "/")
		s, err := parseSession(name, id, f.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if by[name] == nil {
			by[name] = &agent{name: name}
			out = append(out, by[name])
		}
		by[name].sessions = append(by[name].sessions, s)
	}
	return out, nil
}

func parseSession(agent, id, text string) (*transcript.Session, error) {
	head, said, ok := strings.Cut(text, "\nUser: ")
	if !ok {
		return nil, fmt.Errorf("nobody says anything")
	}
	s := &transcript.Session{Ref: transcript.Ref{Agent: agent, ID: id, Stamp: "1"}}
	for l := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(l, ": ")
		switch key {
		case "title":
			s.Title = value
		case "dir":
			s.Dir = value
		case "date":
			t, err := time.Parse(time.DateOnly, value)
			if err != nil {
				return nil, err
			}
			s.Created, s.Updated = t, t
		}
	}
	for l := range strings.SplitSeq(strings.TrimSpace("User: "+said), "\n") {
		role, what := transcript.User, strings.TrimPrefix(l, "User: ")
		if a, ok := strings.CutPrefix(l, "Assistant: "); ok {
			role, what = transcript.Assistant, a
		}
		s.Turns = append(s.Turns, transcript.Turn{Role: role, Text: what, Time: s.Created})
	}
	return s, nil
}

// An agent gives the sessions of an archive.
type agent struct {
	name     string
	sessions []*transcript.Session
}

func (a *agent) Agent() string { return a.name }

func (a *agent) List(context.Context) (refs []transcript.Ref, skipped int, err error) {
	for _, s := range a.sessions {
		refs = append(refs, s.Ref)
	}
	return refs, 0, nil
}

func (a *agent) Read(_ context.Context, ref transcript.Ref) (*transcript.Session, error) {
	for _, s := range a.sessions {
		if s.ID == ref.ID {
			return s, nil
		}
	}
	return nil, fault.New(fault.NotFound, "no session %s", ref.ID)
}

func (a *agent) Watch() []string { return nil }
