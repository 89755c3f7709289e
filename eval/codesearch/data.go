package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/keptaside"
)

// A project is one line of manifest.json.
type project struct {
	Name     string `json:"name"`
	Language string `json:"language"`
	IndexDir string `json:"index_dir"` // the folder searched, below the data folder
}

// A query is one question with the places that answer it.
type query struct {
	Text     string
	Category string // symbol, semantic or architecture
	Targets  []target
}

// A target is a file, or lines of one, that answers a query.
type target struct {
	Path       string
	Start, End int // 1-based and inclusive; 0 when the whole file is meant
}

// UnmarshalJSON reads a target given as a path or as an object with lines.
func (t *target) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &t.Path)
	}
	var o struct {
		Path  string `json:"path"`
		Start int    `json:"start_line"`
		End   int    `json:"end_line"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	if o.Path == "" {
		return fmt.Errorf("target without a path: %s", raw)
	}
	*t = target(o)
	return nil
}

func (t target) String() string {
	if t.Start == 0 {
		return t.Path
	}
	return fmt.Sprintf("%s:%d-%d", t.Path, t.Start, t.End)
}

// loadProjects reads manifest.json: the projects that have a folder to search,
// by name, only those named in only unless it is empty.
func loadProjects(data string, only []string) ([]project, error) {
	var all []project
	if err := readJSON(filepath.Join(data, "manifest.json"), &all); err != nil {
		return nil, err
	}
	for _, name := range only {
		if !slices.ContainsFunc(all, func(p project) bool { return p.Name == name }) {
			return nil, fmt.Errorf("%s names no project %s", filepath.Join(data, "manifest.json"), name)
		}
	}
	all = slices.DeleteFunc(all, func(p project) bool {
		return p.IndexDir == "" || len(only) > 0 && !slices.Contains(only, p.Name)
	})
	for _, p := range all {
		if !filepath.IsLocal(p.IndexDir) {
			return nil, fmt.Errorf("project %s: index_dir %q leaves the data folder", p.Name, p.IndexDir)
		}
	}
	slices.SortFunc(all, func(a, b project) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// loadQueries reads the annotations of one project. Secondary answers count as
// much as relevant ones.
func loadQueries(data, name string) ([]query, error) {
	var items []struct {
		Query     string   `json:"query"`
		Category  any      `json:"category"`
		Relevant  []target `json:"relevant"`
		Secondary []target `json:"secondary"`
	}
	if err := readJSON(filepath.Join(data, "annotations", name+".json"), &items); err != nil {
		return nil, err
	}
	qs := make([]query, len(items))
	for i, it := range items {
		cat, ok := it.Category.(string)
		if !ok {
			cat = inferCategory(it.Query)
		}
		qs[i] = query{Text: it.Query, Category: cat, Targets: append(it.Relevant, it.Secondary...)}
	}
	return qs, nil
}

// loadRead reads the questions of those who read the code of projects, only those named in
// only unless it is empty, and returns what returns the questions of one.
func loadRead(file string, only []string) (projects []project, queriesOf func(name string) ([]query, error), err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	by := map[string][]query{}
	for d := json.NewDecoder(bytes.NewReader(raw)); d.More(); {
		var r struct {
			Project string
			Asked   []struct {
				Query string
				Files []string
			}
		}
		if err := d.Decode(&r); err != nil {
			return nil, nil, fmt.Errorf("%s: %v", file, err)
		}
		if err := keptaside.Check(r.Project); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		if len(only) > 0 && !slices.Contains(only, r.Project) {
			continue
		}
		for _, a := range r.Asked {
			q := query{Text: a.Query, Category: "read"}
			for _, f := range a.Files {
				q.Targets = append(q.Targets, target{Path: f})
			}
			by[r.Project] = append(by[r.Project], q)
		}
		projects = append(projects, project{Name: r.Project, IndexDir: "repos/" + r.Project})
	}
	return projects, func(name string) ([]query, error) { return by[name], nil }, nil
}

func inferCategory(q string) string {
	switch {
	case !strings.Contains(strings.TrimSpace(q), " "):
		return "symbol"
	case strings.HasPrefix(strings.ToLower(q), "how "):
		return "architecture"
	}
	return "semantic"
}

// loadPublished reads NDCG@10 by method and project, nothing where the data has
// no such file.
func loadPublished(data string) (map[string]map[string]float64, error) {
	var pub map[string]map[string]float64
	err := readJSON(filepath.Join(data, "published.json"), &pub)
	if os.IsNotExist(err) {
		return nil, nil
	}
	return pub, err
}

func readJSON(path string, v any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("%s: %v", path, err)
	}
	return nil
}
