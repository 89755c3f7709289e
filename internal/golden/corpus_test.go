package golden

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A query is a question to a corpus with the places that answer it.
type query struct {
	kind, text string
	places     []place
}

// A corpus is a module and what is asked of it.
type corpus struct {
	name    string // of its file
	module  string
	version string // empty for this project
	dir     string // its sources
	queries []query
}

var kinds = []string{"symbol", "phrase", "question"}

// readCorpora returns the corpora of testdata/queries, by name.
func readCorpora(t *testing.T) []*corpus {
	t.Helper()
	files, err := filepath.Glob("testdata/queries/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/queries: %v, %d files", err, len(files))
	}
	var all []*corpus
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := &corpus{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
		for n, line := range strings.Split(string(text), "\n") {
			if err := c.read(line); err != nil {
				t.Fatalf("%s:%d: %v", file, n+1, err)
			}
		}
		all = append(all, c)
	}
	locate(t, all)
	return all
}

// read takes one line of a file of queries.
func (c *corpus) read(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.TrimSpace(line) == "":
		return nil
	case word == "module":
		c.module = strings.TrimSpace(rest)
		return nil
	case !slices.Contains(kinds, word):
		return fmt.Errorf("%q is no kind of query", word)
	}
	text, answers, ok := strings.Cut(rest, " => ")
	if !ok {
		return fmt.Errorf("no answer in %q", line)
	}
	q := query{kind: word, text: strings.TrimSpace(text)}
	for _, a := range strings.Split(answers, ", ") {
		file, name, _ := strings.Cut(a, "#")
		q.places = append(q.places, place{file: file, name: name})
	}
	if slices.ContainsFunc(c.queries, func(o query) bool { return o.text == q.text }) {
		return fmt.Errorf("%q is asked twice", q.text)
	}
	c.queries = append(c.queries, q)
	return nil
}

// locate finds the sources of every corpus where the go command keeps them.
func locate(t *testing.T, all []*corpus) {
	t.Helper()
	args := []string{"list", "-m", "-f", "{{.Path}}\t{{.Version}}\t{{.Dir}}"}
	for _, c := range all {
		args = append(args, c.module)
	}
	cmd := exec.Command("go", args...)
	var msg strings.Builder
	cmd.Stderr = &msg
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -m: %v\n%s", err, msg.String())
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		i := slices.IndexFunc(all, func(c *corpus) bool { return c.module == f[0] })
		if i < 0 || len(f) != 3 {
			t.Fatalf("go list -m said %q", line)
		}
		all[i].version, all[i].dir = f[1], f[2]
	}
	for _, c := range all {
		if c.dir == "" {
			t.Fatalf("%s is not in the module cache: go mod download %s", c.module, c.module)
		}
	}
	slices.SortFunc(all, func(a, b *corpus) int { return cmp.Compare(a.name, b.name) })
}

// resolve finds the lines of every answer, and fails where one is not there: a
// file that moved is moved in the queries too.
func (c *corpus) resolve(t *testing.T) {
	t.Helper()
	for i := range c.queries {
		for j := range c.queries[i].places {
			if err := c.queries[i].places[j].find(c.dir); err != nil {
				t.Errorf("testdata/queries/%s.txt: %q: %v", c.name, c.queries[i].text, err)
			}
		}
	}
}
