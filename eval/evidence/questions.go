package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
)

// A benchmark is a project of eval/codesearch with what is asked of it.
type benchmark struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	Dir    string `json:"index_dir"`
	asked  []struct {
		Query     string   `json:"query"`
		Relevant  []target `json:"relevant"`
		Secondary []target `json:"secondary"`
	}
}

// questions asks each project of the benchmark of eval/codesearch its questions, and those
// of another, which have no answer there.
func (o options) questions(ctx context.Context) error {
	var projects []benchmark
	if err := readJSON(filepath.Join(o.data, "manifest.json"), &projects); err != nil {
		return err
	}
	for i := range projects {
		if err := readJSON(filepath.Join(o.data, "annotations", projects[i].Name+".json"), &projects[i].asked); err != nil {
			return err
		}
	}
	for i, p := range projects {
		// As mirrors are named: questions of a project are held out with its changes.
		name := strings.ReplaceAll(p.Source, "/", "+")
		file, have := o.file("questions", name)
		if have || p.Dir == "" {
			continue
		}
		t, err := openTree(ctx, name, filepath.Join(o.data, filepath.FromSlash(p.Dir)))
		if err != nil {
			return err
		}
		v, err := t.refresh(ctx)
		if err != nil {
			return err
		}
		var pools []judged.Pool
		for _, other := range []int{i, (i + 1 + len(projects)/3) % len(projects)} {
			set := "questions"
			if other != i {
				set = "foreign"
			}
			for _, q := range projects[other].asked {
				pool, err := t.ask(ctx, v, set, q.Query, func(path string, first, last int) bool {
					return other == i && slices.ContainsFunc(append(q.Relevant, q.Secondary...), func(x target) bool { return x.holds(path, first, last) })
				})
				if err != nil {
					return err
				}
				pools = append(pools, pool)
			}
		}
		t.e.Close()
		if err := o.save(file, pools); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d questions\n", p.Name, len(pools))
	}
	return nil
}

// A target is a file, or lines of one, that answers.
type target struct {
	Path       string
	Start, End int
}

// UnmarshalJSON reads a path, or an object with lines.
func (t *target) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &t.Path)
	}
	var o struct {
		Path  string `json:"path"`
		Start int    `json:"start_line"`
		End   int    `json:"end_line"`
	}
	err := json.Unmarshal(raw, &o)
	*t = target(o)
	return err
}

func (t target) holds(path string, first, last int) bool {
	same := path == t.Path || strings.HasSuffix(path, "/"+t.Path) || strings.HasSuffix(t.Path, "/"+path)
	return same && (t.Start == 0 || first <= t.End && last >= t.Start)
}

func readJSON(path string, v any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}
