package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/eval/keptaside"
)

// A reading is what somebody asked who read the code of a project, and the files that
// answer.
type reading struct {
	Project string `json:"project"`
	Commit  string `json:"commit"`
	Root    string `json:"root"` // the folder that is searched
	Asked   []struct {
		Query string   `json:"query"`
		Files []string `json:"files"`
	} `json:"asked"`
}

func readReadings(name string) (all []reading, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var r reading
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := keptaside.Check(r.Project); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, r)
	}
	return all, s.Err()
}

// readers asks each project what its readers asked.
func (o options) readers(ctx context.Context) error {
	all, err := readReadings(o.read)
	if err != nil {
		return err
	}
	for _, r := range all {
		file, have := o.file("read", r.Project)
		if have {
			continue
		}
		if err := o.reader(ctx, r, file); err != nil {
			fmt.Fprintf(os.Stderr, "evidence: %s: %v\n", r.Project, err)
		}
	}
	return nil
}

func (o options) reader(ctx context.Context, r reading, file string) error {
	dir := filepath.Join(o.work, "read", r.Project)
	defer os.RemoveAll(dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if _, err := judged.Git(ctx, o.work, "clone", "-q", "--shared", "--no-checkout", "--", filepath.Join(o.mirrors, r.Project, "repo"), dir); err != nil {
		return err
	}
	root := r.Root
	if root == "" {
		root = "."
	}
	if _, err := judged.Git(ctx, dir, "checkout", "-q", "-f", r.Commit, "--", root); err != nil {
		return err
	}
	// The benchmark's questions are to the folder of the sources too.
	t, err := openTree(ctx, r.Project, filepath.Join(dir, filepath.FromSlash(root)))
	if err != nil {
		return err
	}
	defer t.e.Close()
	v, err := t.refresh(ctx)
	if err != nil {
		return err
	}
	var pools []judged.Pool
	for _, q := range r.Asked {
		p, err := t.ask(ctx, v, "read", q.Query, func(path string, _, _ int) bool {
			return slices.Contains(q.Files, filepath.ToSlash(filepath.Join(r.Root, path)))
		})
		if err != nil {
			return err
		}
		p.Lost = len(q.Files)
		for _, d := range p.Docs {
			if d.Right {
				p.Lost--
			}
		}
		pools = append(pools, p)
	}
	return o.save(file, pools)
}
