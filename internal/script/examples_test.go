package script

import (
	"bytes"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/script/mock"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const examplesDir = "../../examples"

// exampleEnv reads env.sh, with the address of another mock server.
func exampleEnv(t *testing.T, url string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examplesDir, "env.sh"))
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "="); ok {
			env[name] = strings.ReplaceAll(value, "$MOCK", url)
		}
	}
	env["MOCK"] = url
	return env
}

// durations differ from run to run.
var durations = regexp.MustCompile(`"duration_ms": \d+`)

// Each example does what testdata/examples.txt says, and asks the mock server for
// nothing that its fixture does not have.
func TestExamples(t *testing.T) {
	fixture, err := os.ReadFile(filepath.Join(examplesDir, "mock.json"))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs(examplesDir)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"*.lua", "*.yaml"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	var all strings.Builder
	for _, path := range files {
		server, err := mock.New(fixture)
		if err != nil {
			t.Fatal(err)
		}
		srv := httptest.NewServer(server)
		env := exampleEnv(t, srv.URL)
		var stdout, stderr bytes.Buffer
		f := New(Config{WorkDir: dir, Stdout: &stdout, Stderr: &stderr, Now: time.Now, Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
		name := filepath.Base(path)
		fmt.Fprintf(&all, "=== %s\n", name)
		r, err := f.Run(t.Context(), RunInput{File: name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			fmt.Fprintf(&all, "error: %v\n", err)
		} else {
			all.WriteString(stdout.String() + durations.ReplaceAllString(written(t, r), `"duration_ms": 0`))
			if (r.Verdict() == nil) != (name != "failing.yaml") {
				t.Errorf("%s: %v", name, r.Verdict())
			}
		}
		for _, q := range server.Requests() {
			if q.Status == 404 && !strings.HasSuffix(q.Path, "/absent") {
				t.Errorf("%s: no route for %s %s?%s %v %s", name, q.Method, q.Path, q.Query, q.Headers, q.Body)
			}
		}
		srv.Close()
	}
	golden(t, "testdata/examples.txt", all.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%v: not %s (go test ./internal/script -update, then read the diff):\n%s", err, file, got)
	}
}

// Each example runs as it is, against its own server; none reaches anything else, and what is no example is not run.
func TestTry(t *testing.T) {
	f := New(Config{WorkDir: t.TempDir(), Env: func(string) (string, bool) { t.Error("a variable of the process was read"); return "", false }})
	list, err := f.Try(t.Context(), TryInput{})
	if err != nil || len(list.Examples) < 6 {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := list.Verdict(); err != nil { // it ran nothing
		t.Error(err)
	}
	for _, x := range list.Examples {
		r, err := f.Try(t.Context(), TryInput{Example: x.Name})
		if err != nil || r.Error != nil || len(r.Requests) == 0 || x.What == "" || r.Output == "" && r.Result == nil && len(r.Logs) == 0 {
			t.Errorf("%s: %+v, %v", x.Name, r, err)
			continue
		}
		for _, q := range r.Requests {
			if q.Status >= 400 && !strings.HasSuffix(q.Path, "/absent") || len(q.Headers) > 0 {
				t.Errorf("%s asked %+v", x.Name, q)
			}
		}
	}
	for _, bad := range []string{"none", "../examples/toggle", "mock.json", "toggle.lua"} {
		if _, err := f.Try(t.Context(), TryInput{Example: bad}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
