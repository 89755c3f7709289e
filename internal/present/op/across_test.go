//go:build !slim

package op

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// repositories are three of which the first two have what the tests ask for.
func repositories(t *testing.T, c workspace.Config) (ops []Op, roots []string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string]map[string]string{
		"api":  {"a.go": "package api\n\n// Retry retries.\nfunc Retry() { wait() }\n\nfunc wait() {}\n\nfunc Get() { Retry() }\n", "README.md": "# api\n\n## Features\n\n- Retries a request\n"},
		"web":  {"sub/w.go": "package web\n\nfunc Retry() {}\n\nfunc Show() { Retry() }\n", "excluded/v.go": "package excluded\n\nfunc Show() { Retry() }\n\nfunc Retry() {}\n"},
		"none": {"n.go": "package none\n\nfunc Other() {}\n"},
	} {
		for path, text := range files {
			at := filepath.Join(dir, name, path)
			if err := os.MkdirAll(filepath.Dir(at), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	file := filepath.Join(dir, "assay.work.yaml")
	if err := os.WriteFile(file, []byte("repositories: [{path: api}, {path: web, exclude: [excluded]}, {path: none}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.WorkDir, c.CacheDir = filepath.Join(dir, "api"), filepath.Join(dir, "cache")
	c.Now = func() time.Time { return time.Now().Add(time.Hour) } // nothing was written just now
	if c.Server {
		listed := workspace.New(c)
		if c.Repos, err = listed.Listed(file); err != nil {
			t.Fatal(err)
		}
		for _, r := range c.Repos {
			c.Roots = append(c.Roots, r.Root)
		}
	}
	search := code.New(workspace.New(c), code.Config{})
	t.Cleanup(func() { _ = search.Close() })
	checks := audit.New(audit.Config{WorkDir: c.WorkDir, Project: search.Workspace().Project, Ask: search.Workspace().Ask,
		Has: func(root, path string) bool { return search.Workspace().Repo(root).Has(path) }})
	return All(Features{Code: search, Audit: checks}), []string{filepath.Join(dir, "api"), filepath.Join(dir, "web"), filepath.Join(dir, "none"), file}
}

// call runs a tool, or an operation with the JSON of its input, and returns both forms of
// its answer.
func call(t *testing.T, ops []Op, name, raw string) (said, data string, err error) {
	t.Helper()
	quiet := Out{Note: func(string, ...any) {}, Progress: func(string, int64, int64) {}, Emit: func(any) error { return nil }}
	for _, o := range ops {
		in := reflect.New(o.In)
		ok := o.Name == name
		if ok {
			if err := json.Unmarshal([]byte(raw), in.Interface()); err != nil {
				t.Fatal(err)
			}
		}
		arg := in.Elem().Interface()
		for _, tool := range o.Tools {
			if tool.Name == name {
				ok = true
				if arg, err = tool.Decode(json.RawMessage(raw)); err != nil {
					return "", "", err
				}
			}
		}
		if !ok {
			continue
		}
		r, err := o.Run(t.Context(), arg, quiet)
		if err != nil {
			return "", "", err
		}
		var b bytes.Buffer
		if err := r.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		j, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return b.String(), string(j), nil
	}
	t.Fatalf("no operation %s", name)
	return "", "", nil
}

// A server of several repositories answers each question from all that have it, under their
// names, and never from one in silence.
func TestAcrossServer(t *testing.T) {
	ops, roots := repositories(t, workspace.Config{Server: true})
	for _, c := range []struct {
		name, raw      string
		has, hasNot    []string
		kind           fault.Kind
		wrong, because string
	}{
		{name: "assay", raw: `{"query_type":"callers","pattern":"Retry"}`, has: []string{"[api]", "[web]", "Get", "Show", "# not in none"}, hasNot: []string{"excluded"}},
		{name: "assay", raw: `{"query_type":"refs","pattern":"Retry","repo":["web"]}`, has: []string{"sub/w.go"}, hasNot: []string{"a.go", "[web]", "excluded"}},
		{name: "assay", raw: `{"query_type":"functions"}`, has: []string{"[api]", "[web]", "[none]", "Other"}, hasNot: []string{"excluded"}},
		{name: "assay", raw: `{"query_type":"inventory"}`, has: []string{"a.go", "sub/w.go", "n.go"}, hasNot: []string{"excluded"}},
		{name: "assay", raw: `{"query_type":"functions","pattern":"` + roots[1] + `/sub/w.go"}`, has: []string{"Show"}, hasNot: []string{"[api]", "Get"}},
		{name: "assay", raw: `{"query_type":"functions","pattern":"sub/w.go"}`, has: []string{"Show"}, hasNot: []string{"Get", "Other"}},
		{name: "assay", raw: `{"query_type":"callers","pattern":"Absent"}`, kind: fault.NotFound, wrong: "in none of api, web, none"},
		{name: "assay", raw: `{"query_type":"callers","pattern":"Retry","repo":["gone"]}`, kind: fault.NotFound, because: "api, web, none"},
		{name: "assay", raw: `{"query_type":"map"}`, has: []string{"[api]", "[web]", "[none]"}},
		{name: "brief", raw: `{"task":"change how Retry waits"}`, has: []string{"[api]", "[web]", "[none]", "a.go", "w.go"}},
		{name: "brief", raw: `{"task":"change how Retry waits","tokens":500}`, kind: fault.Usage, wrong: "below the minimum of 200"},
		{name: "brief", raw: `{"task":"change how Retry waits","tokens":500,"repo":["api"]}`, has: []string{"a.go"}, hasNot: []string{"[api]", "w.go"}},
		{name: "hybrid_search", raw: `{"query":"Retry","threshold":0}`, has: []string{"[api]", "[web]"}, hasNot: []string{"excluded"}},
		{name: "regex_search", raw: `{"query":"func .*Retry"}`, has: []string{roots[0], roots[1]}, hasNot: []string{"excluded"}},
		{name: "audit ghost", raw: `{"feature":"retries a request"}`, has: []string{"[api]", "[web]", "[none]"}, hasNot: []string{"excluded"}},
		{name: "refs", raw: `{"symbol":"Retry","root":"` + roots[0] + `","repo":["web"]}`, kind: fault.Usage, wrong: "--root names one folder"},
		{name: "callers", raw: `{"function":"Retry","mermaid":true}`, kind: fault.Usage, wrong: "a drawing is of one"},
	} {
		said, _, err := call(t, ops, c.name, c.raw)
		if c.kind != 0 {
			if fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.wrong) || !strings.Contains(fault.HintOf(err), c.because) {
				t.Errorf("%s %s: %v (%s), want %q", c.name, c.raw, err, fault.HintOf(err), c.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", c.name, c.raw, err)
		}
		for _, s := range c.has {
			if !strings.Contains(said, s) {
				t.Errorf("%s %s has no %q:\n%s", c.name, c.raw, s, said)
			}
		}
		for _, s := range c.hasNot {
			if strings.Contains(said, s) {
				t.Errorf("%s %s has %q:\n%s", c.name, c.raw, s, said)
			}
		}
	}
}

// What is shown is shared by the repositories that have something, and each goes on with a
// cursor of its own.
func TestAcrossPages(t *testing.T) {
	ops, _ := repositories(t, workspace.Config{Server: true})
	_, data, err := call(t, ops, "assay", `{"query_type":"functions","limit":3}`)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Parts []struct {
			Repo   string
			Answer struct {
				Functions  []struct{ Name string }
				Pagination *struct{ Cursor string }
			}
		} `json:"repositories"`
	}
	if err := json.Unmarshal([]byte(data), &got); err != nil || len(got.Parts) != 3 {
		t.Fatalf("%v: %s", err, data)
	}
	for _, p := range got.Parts {
		if len(p.Answer.Functions) != 1 {
			t.Errorf("%s shows %d functions, want its share of 3", p.Repo, len(p.Answer.Functions))
		}
	}
	said, _, err := call(t, ops, "assay", `{"query_type":"functions","cursor":"`+got.Parts[1].Answer.Pagination.Cursor+`"}`)
	if err != nil || !strings.Contains(said, "sub/w.go") || strings.Contains(said, "a.go") || strings.Contains(said, "excluded") {
		t.Errorf("the second page of the second: %v\n%s", err, said)
	}
	// Of two that have it each has half, not a third.
	_, data, err = call(t, ops, "assay", `{"query_type":"refs","pattern":"Retry","limit":4}`)
	if err != nil || strings.Contains(data, `"has_more":true`) || !strings.Contains(data, `"not_in":["none"]`) {
		t.Errorf("%v: %s", err, data)
	}
}

// A command asks several repositories only where the user names the file that lists them.
func TestAcrossCommand(t *testing.T) {
	ops, roots := repositories(t, workspace.Config{})
	for raw, want := range map[string][2]string{
		`{"symbol":"Retry"}`: {"a.go", "w.go"},
		`{"symbol":"Retry","workspace":"` + roots[3] + `"}`:                {"[web]", "excluded"},
		`{"symbol":"Retry","workspace":"` + roots[3] + `","repo":["web"]}`: {"w.go", "a.go"},
	} {
		said, _, err := call(t, ops, "refs", raw)
		if err != nil || !strings.Contains(said, want[0]) || strings.Contains(said, want[1]) {
			t.Errorf("%s: %v\n%s", raw, err, said)
		}
	}
	if _, _, err := call(t, ops, "refs", `{"symbol":"Retry","repo":["web"]}`); fault.KindOf(err) != fault.Usage {
		t.Errorf("a repository without a workspace: %v", err)
	}
	said, _, err := call(t, ops, "repos", `{"file":"`+roots[3]+`"}`)
	if err != nil || !strings.Contains(said, "web  here  "+roots[1]+"  in part") {
		t.Errorf("%v\n%s", err, said)
	}
	// Named as other commands have it, too.
	if again, _, err := call(t, ops, "repos", `{"workspace":"`+roots[3]+`"}`); err != nil || again != said {
		t.Errorf("%v\n%s", err, again)
	}
}

// Only a server of several offers their names; one of a single tree costs its clients nothing.
func TestRepoArgument(t *testing.T) {
	one, _ := repositories(t, workspace.Config{})
	many, _ := repositories(t, workspace.Config{Server: true})
	for _, c := range []struct {
		ops  []Op
		want int
	}{{one, 0}, {many, 6}} {
		n := 0
		for _, o := range c.ops {
			for _, tool := range o.Tools {
				if p := tool.Schema().Properties["repo"]; p != nil {
					n++
					if !strings.Contains(p.Description, "api, web, none") {
						t.Errorf("%s offers %q", tool.Name, p.Description)
					}
				}
			}
		}
		if n != c.want {
			t.Errorf("%d tools take a repo, want %d", n, c.want)
		}
	}
}
