package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain lets the test binary stand in for assay: a search answers with every
// file below --root that holds the query, in order of name.
func TestMain(m *testing.M) {
	if os.Getenv("CODESEARCH_TEST_AS_ASSAY") == "" {
		os.Exit(m.Run())
	}
	os.Exit(fakeAssay(os.Args[1:]))
}

func fakeAssay(args []string) int {
	root := args[slices.Index(args, "--root")+1]
	if args[0] == "index" {
		return 0
	}
	q := args[len(args)-1]
	if q == "--boom" {
		fmt.Fprintln(os.Stderr, "assay: no such thing")
		return 3
	}
	if slices.Contains(args, "--noise") {
		fmt.Println("not JSON")
	}
	names, _ := filepath.Glob(filepath.Join(root, "*"))
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(raw), q) {
			out, _ := json.Marshal(map[string]any{"path": name, "span": map[string]int{"line_start": 1, "line_end": 3}})
			fmt.Println(string(out))
		}
	}
	return 0
}

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, body := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRun(t *testing.T) {
	t.Setenv("CODESEARCH_TEST_AS_ASSAY", "1")
	data, work := t.TempDir(), t.TempDir()
	write(t, data, map[string]string{
		"manifest.json": `[{"name":"chi","language":"go","index_dir":"repos/chi"},
			{"name":"unused","language":"go"}]`,
		"published.json": `{"semble BM25+ranking":{"chi":0.5}}`,
		"annotations/chi.json": `[
			{"query":"Mux","relevant":["mux.go"],"secondary":[]},
			{"query":"radix tree","relevant":["tree.go"],"secondary":["mux.go"],"category":"semantic"},
			{"query":"--boom","relevant":["mux.go"]}]`,
		"repos/chi/mux.go":  "type Mux struct\n",
		"repos/chi/a.go":    "the radix tree\n",
		"repos/chi/tree.go": "a radix tree of\n",
	})
	o := options{
		data: data, assay: os.Args[0], workdir: work, args: "--noise", level: chunkLevel,
		beside: "semble BM25+ranking", verbose: true, json: filepath.Join(work, "out.json"),
	}
	var out bytes.Buffer
	err := run(context.Background(), o, &out)
	if err == nil || !strings.Contains(err.Error(), "1 commands failed") || !strings.Contains(err.Error(), "no such thing") {
		t.Errorf("run = %v, want the failed command", err)
	}
	// Mux 1; radix tree at rank 2 of two targets .6309/1.6309; --boom 0.
	want := (1 + .6309/1.6309 + 0) / 3
	for _, s := range []string{
		fmt.Sprintf("NDCG@10  %.4f  (chunk level; mean over 1 projects)", want),
		fmt.Sprintf("%.4f     0.5000 %+.4f", want, want-.5),
		"       2 * tree.go:1-3", "       1   a.go:1-3", "       missing mux.go",
		"3 queries: p50", "2 output lines were no hit",
	} {
		if !strings.Contains(out.String(), s) {
			t.Errorf("no %q in the report:\n%s", s, &out)
		}
	}
	var saved struct {
		Overall float64 `json:"ndcg10_macro_repo"`
		Rows    []row   `json:"rows"`
	}
	if err := readJSON(o.json, &saved); err != nil || len(saved.Rows) != 3 || !near(saved.Overall, want) {
		t.Errorf("-json: %v, %d rows, overall %.4f, want 3 rows, %.4f", err, len(saved.Rows), saved.Overall, want)
	}
	if _, err := os.Stat(filepath.Join(work, "repos", "chi", "mux.go")); err != nil {
		t.Errorf("the copy was not kept in -workdir: %v", err)
	}

	o.repos = []string{"nobody"}
	if err := run(context.Background(), o, &out); err == nil {
		t.Error("an unknown project was accepted")
	}
}
