package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A size is what the teams have together; zero lines: the folders of one tree.
type size struct {
	repositories, lines, snippets, notes int
}

// perTeam is how many repositories a team has, where they are made by size.
const perTeam = 2

// A place is a repository, and what may be asked for in it.
type place struct {
	name string
	pool pool
}

// ofSize makes teams of repositories of so many lines each.
func ofSize(s size) []tenant {
	var out []tenant
	for i := range s.repositories {
		if i%perTeam == 0 {
			name := fmt.Sprint("team", i/perTeam)
			out = append(out, tenant{name: name, library: "/team/" + name})
		}
		t := &out[len(out)-1]
		t.places = append(t.places, place{name: fmt.Sprint("repo", i)})
	}
	return out
}

// A filler gives the files of trees, each once, to one repository after the other.
type filler struct {
	files []string // absolute
	roots []string // of each
}

// left are folders with the code of others, which other trees may have too.
var left = []string{"vendor", "node_modules", "third_party"}

func newFiller(trees []string) (*filler, error) {
	f := &filler{}
	for _, tree := range trees {
		err := filepath.WalkDir(tree, func(at string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if name := e.Name(); at != tree && (strings.HasPrefix(name, ".") || e.IsDir() && slices.Contains(left, name)) {
				if e.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if e.Type().IsRegular() {
				f.files, f.roots = append(f.files, at), append(f.roots, tree)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

// fill writes files to a folder until it has so many lines.
func (f *filler) fill(to string, lines int) error {
	for got := 0; got < lines; {
		if len(f.files) == 0 {
			return fmt.Errorf("the trees have not enough lines: %s has %d of %d", filepath.Base(to), got, lines)
		}
		at, root := f.files[0], f.roots[0]
		f.files, f.roots = f.files[1:], f.roots[1:]
		info, err := os.Stat(at)
		if err != nil || info.Size() > 1<<20 {
			continue // a broken link; as in copyTree
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(filepath.Dir(root), at)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, text, 0o644)); err != nil {
			return err
		}
		got += bytes.Count(text, []byte("\n"))
	}
	return nil
}

// survey counts what a repository has, and returns what may be asked for in it.
func survey(dir string) (files, lines int, size int64, p pool, err error) {
	f, err := newFiller([]string{dir})
	if err != nil {
		return 0, 0, 0, p, err
	}
	for _, at := range f.files {
		text, err := os.ReadFile(at)
		if err != nil {
			return 0, 0, 0, p, err
		}
		files, lines, size = files+1, lines+bytes.Count(text, []byte("\n")), size+int64(len(text))
		p.add(text)
	}
	if len(p.names) == 0 || len(p.words) == 0 {
		return 0, 0, 0, p, fmt.Errorf("%s has no declarations or comments to ask for", dir)
	}
	return files, lines, size, p, nil
}

// fillAll makes the repositories of teams, where they are not kept, and their indexes, as the operator
// of a server would before.
func fillAll(ctx context.Context, o options, teams []tenant, kept bool, to io.Writer) error {
	f := &filler{}
	if !kept {
		var err error
		if f, err = newFiller(strings.Split(o.tree, ",")); err != nil {
			return err
		}
	}
	for i := range teams {
		for k := range teams[i].places {
			p := &teams[i].places[k]
			dir := filepath.Join(o.work, p.name)
			if !kept {
				if err := f.fill(dir, o.size.lines); err != nil {
					return err
				}
			}
			files, lines, size, asked, err := survey(dir)
			if err != nil {
				return err
			}
			p.pool = asked
			began := time.Now()
			if _, err := program(ctx, o, nil, o.work, "index", dir); err != nil {
				return err
			}
			fmt.Fprintf(to, "team      %s: repository %s, %d files, %d lines, %.1f MB; indexed in %v\n", teams[i].name, p.name, files, lines, float64(size)/1e6, time.Since(began).Round(100*time.Millisecond))
		}
	}
	return nil
}

// notesOf writes what a team remembers: half as an agent stores notes, half as a person does, no two alike.
func notesOf(dir string, n int, p pool, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 3)) //nolint:gosec // the same notes each time
	for i := range n {
		var b strings.Builder
		if i%2 == 0 {
			fmt.Fprintf(&b, "---\ntype: memory\ncategory: %s\ncreated_at: %s\n---\n\n", []string{"decision", "gotcha", "pattern"}[r.IntN(3)], time.Now().AddDate(0, 0, -1-i%400).Format(time.RFC3339))
		}
		fmt.Fprintf(&b, "# %s and %s\n\n", pick(r, p.names), pick(r, p.names))
		for range 4 + r.IntN(5) {
			fmt.Fprintf(&b, "%s; see %s.\n", some(r, pick(r, p.words)), pick(r, p.names))
		}
		at := filepath.Join(dir, fmt.Sprintf("f%02d", i%40), fmt.Sprintf("n%05d.md", i))
		if i < 40 {
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(at, []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// madeOf says what a folder of -keep was made of, once it is complete.
func (o options) madeOf() (file, want string) {
	return filepath.Join(o.work, "made"), fmt.Sprintf("%s %+v\n", o.tree, o.size)
}

// kept reports whether the folder has what an earlier run made with the same numbers.
func (o options) kept() (bool, error) {
	file, want := o.madeOf()
	have, err := os.ReadFile(file)
	switch {
	case err == nil && string(have) == want:
		return true, errors.Join(os.RemoveAll(filepath.Join(o.work, "tokens.txt")), os.RemoveAll(filepath.Join(o.work, "access.jsonl"))) // users get new ones
	case err == nil:
		return false, fmt.Errorf("%s was made with other numbers: %s", o.work, have)
	case o.keep == "":
		return false, nil
	}
	there, err := os.ReadDir(o.work)
	if err == nil && len(there) > 0 && !(len(there) == 1 && there[0].Name() == "assay") {
		err = fmt.Errorf("%s is not empty, and not complete: delete it", o.work)
	}
	return false, err
}

func (o options) made() error {
	file, want := o.madeOf()
	return os.WriteFile(file, []byte(want), 0o600)
}
