package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/eval/keptaside"
)

// A surrounding is a project with a library that it depends on, notes of those who work on
// it, and tasks for which one of these has what one needs to know.
type surrounding struct {
	Project string `json:"project"` // owner/name
	Commit  string `json:"commit"`
	Library struct {
		Repo      string `json:"repo"`
		Commit    string `json:"commit"`
		Docs      string `json:"docs"` // folder
		Name      string `json:"name"` // of the package
		Ecosystem string `json:"ecosystem"`
	} `json:"library"`
	Notes []struct {
		File     string `json:"file"`
		Title    string `json:"title"`
		Date     string `json:"date"`
		Category string `json:"category"`
		Body     string `json:"body"`
	} `json:"notes"`
	Tasks []told `json:"tasks"`
}

// A told is a task, and what should be said for it.
type told struct {
	Kind       string    `json:"kind"` // docs, memory
	Task       string    `json:"task"`
	passage              // kind docs
	Also       []passage `json:"also"`
	Note       string    `json:"note"`       // kind memory
	Superseded string    `json:"superseded"` // the note that says the opposite, and holds no longer
}

type passage struct {
	Path   string `json:"path"`
	Phrase string `json:"phrase"`
}

// The outcomes of tasks, counted over a project.
type outcomes struct {
	docs, page, phrase               int // a page of the documentation, the very passage
	memory, note, first, old, higher int // the note, as the first one, with one that no longer holds, that one before it
	tokens                           int
}

func (o *outcomes) add(x outcomes) {
	o.docs, o.page, o.phrase = o.docs+x.docs, o.page+x.page, o.phrase+x.phrase
	o.memory, o.note, o.first, o.old, o.higher = o.memory+x.memory, o.note+x.note, o.first+x.first, o.old+x.old, o.higher+x.higher
	o.tokens += x.tokens
}

// parts measures what briefs say of libraries and decisions, with the program as a user
// has it: documentation that was ingested, and notes in their folder.
func (o *options) parts(ctx context.Context, dir, assay string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(names) == 0 {
		return errors.Join(fmt.Errorf("no tasks in %s", dir), err)
	}
	var all outcomes
	var noteShares, docShares []float64
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var s surrounding
		if err := json.Unmarshal(raw, &s); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := errors.Join(keptaside.Check(s.Project), keptaside.Check(s.Library.Repo)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		got, err := o.surrounded(ctx, strings.TrimSuffix(filepath.Base(name), ".json"), assay, &s)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("%-36s docs: passage %d, page %d of %d; memory: note %d, first %d of %d, old before new %d of %d\n", s.Project, got.phrase, got.page, got.docs,
			got.note, got.first, got.memory, got.higher, got.old)
		all.add(got)
		docShares, noteShares = append(docShares, share(got.phrase, got.docs)), append(noteShares, share(got.note, got.memory))
	}
	fmt.Printf("\n%d projects. docs: passage %d, page %d of %d (passage, mean over projects %s)\n", len(names), all.phrase, all.page, all.docs, meanError(docShares))
	fmt.Printf("memory: note %d, as the first %d of %d (mean over projects %s); a note that no longer holds before the one that does %d of %d\n",
		all.note, all.first, all.memory, meanError(noteShares), all.higher, all.old)
	fmt.Printf("tokens of a brief, mean: %d\n", all.tokens/max(1, all.docs+all.memory))
	return nil
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// meanError is a mean with its standard error.
func meanError(x []float64) string {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	return fmt.Sprintf("%.3f (%.3f)", mean, math.Sqrt(square/float64(max(1, len(x)-1))/float64(len(x))))
}

// surrounded asks the tasks of one project, each of a process of its own.
func (o *options) surrounded(ctx context.Context, name, assay string, s *surrounding) (got outcomes, err error) {
	work, err := filepath.Abs(filepath.Join(o.work, "parts", name))
	if err != nil {
		return got, err
	}
	if err := os.RemoveAll(work); err != nil {
		return got, err
	}
	home, tree, library := filepath.Join(work, "home"), filepath.Join(work, "tree"), filepath.Join(work, "library")
	for _, c := range []struct{ repo, commit, to string }{{s.Project, s.Commit, tree}, {s.Library.Repo, s.Library.Commit, library}} {
		if err := o.checkedOut(ctx, c.repo, c.commit, c.to); err != nil {
			return got, err
		}
	}
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, assay, args...)
		var complaint bytes.Buffer
		cmd.Dir, cmd.Stderr = tree, &complaint
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("assay %s: %w: %s", strings.Join(args, " "), err, complaint.String())
		}
		return out, nil
	}
	ingest := []string{"docs", "ingest", library, "--id", "/" + s.Library.Repo, "--alias", s.Library.Name, "--quiet", "--no-api"}
	if s.Library.Docs != "." && s.Library.Docs != "" {
		ingest = append(ingest, "--docs-path", strings.TrimSuffix(s.Library.Docs, "/"))
	}
	if _, err := run(ingest...); err != nil {
		return got, err
	}
	if err := s.keep(filepath.Join(home, ".local", "share", "assay", "memory"), tree); err != nil {
		return got, err
	}
	if _, err := run("memory", "search", "anything"); err != nil {
		return got, err
	}
	for _, t := range s.Tasks {
		out, err := run("brief", t.Task, "--json")
		if err != nil {
			return got, err
		}
		one, err := t.judge(out, o.verbose)
		if err != nil {
			return got, err
		}
		got.add(one)
	}
	return got, nil
}

// checkedOut clones a mirror's commit.
func (o *options) checkedOut(ctx context.Context, repo, commit, to string) error {
	mirror, err := filepath.Abs(filepath.Join(o.mirrors, strings.Replace(repo, "/", "+", 1), "repo"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if _, err := judged.Git(ctx, filepath.Dir(to), "clone", "-q", "--shared", "--no-checkout", "--", mirror, to); err != nil {
		return err
	}
	if _, err := judged.Git(ctx, to, "read-tree", commit); err != nil {
		return err
	}
	// A mirror may lack large files: the others are written, and the error names those.
	if _, err := judged.Git(ctx, to, "checkout-index", "--all", "--force", "--quiet"); err != nil && o.verbose {
		fmt.Printf("  %s: %.200v\n", repo, err)
	}
	return nil
}

// keep writes the notes as the program does.
func (s *surrounding) keep(folder, project string) error {
	for i := range s.Notes {
		n := &s.Notes[i]
		to := filepath.Join(folder, n.Category, filepath.Base(n.File))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		title, err := json.Marshal(n.Title)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("---\ntype: memory\ntitle: %s\ncategory: %s\ncreated_at: %sT09:00:00Z\nsource: user\nproject: %s\n---\n\n# %s\n\n%s\n",
			title, n.Category, n.Date, project, n.Title, n.Body)
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// judge looks for what a task needs in a brief.
func (t *told) judge(brief []byte, verbose bool) (got outcomes, err error) {
	type line struct{ File, Quote, Why string }
	var b struct {
		Libraries, Decided []line
		Tokens             int
	}
	if err := json.Unmarshal(brief, &b); err != nil {
		return got, err
	}
	got.tokens = b.Tokens
	if t.Kind == "memory" {
		at := func(note string) int {
			return slices.IndexFunc(b.Decided, func(l line) bool { return note != "" && filepath.Base(l.File) == filepath.Base(note) })
		}
		got.memory = 1
		now, then := at(t.Note), at(t.Superseded)
		got.note, got.first = one(now >= 0), one(now == 0)
		got.old, got.higher = one(t.Superseded != ""), one(then >= 0 && (now < 0 || then < now))
		if verbose && got.note == 0 {
			fmt.Printf("  no note %s: %s\n", t.Note, t.Task)
		}
		return got, nil
	}
	got.docs = 1
	for _, l := range b.Libraries {
		for _, p := range append([]passage{t.passage}, t.Also...) {
			if strings.Contains(l.Why, p.Path) {
				got.page = 1
			}
			if strings.Contains(plain(l.Quote), plain(p.Phrase)) {
				got.phrase = 1
			}
		}
	}
	if verbose && got.phrase == 0 {
		fmt.Printf("  no passage %s %q (%d of libraries): %s\n", t.Path, t.Phrase, len(b.Libraries), t.Task)
	}
	return got, nil
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// plain is a text without its spaces and marks of markup.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n`*_\\", r) {
			return -1
		}
		return r
	}, s)
}
