package script

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/script/check"
)

// A run that is interrupted has a report of what it did, wherever one was asked for, and
// says that it was interrupted.
func TestChecksInterrupted(t *testing.T) {
	var cancel context.CancelFunc
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hang":
			cancel()
			<-r.Context().Done()
		case "/fail":
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer srv.Close()
	b := newBench(t, map[string]string{"work/c.yaml": strings.ReplaceAll(`
retries: 0
checks:
  - {name: done, type: http, url: "SRV/ok"}
  - {name: failed, type: http, url: "SRV/fail"}
  - {name: runs, type: http, url: "SRV/hang"}
  - {name: later, type: http, url: "SRV/ok"}
`, "SRV", srv.URL)}, nil, nil)
	run := func(in RunInput) (*RunResult, check.Report) {
		t.Helper()
		var ctx context.Context
		ctx, cancel = context.WithCancel(b.ctx)
		in.File, in.JUnit, in.HTML = "c.yaml", "r.xml", "r.html"
		r, err := b.Run(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		wrong(t, "the verdict", r.Verdict(), fault.Interrupted, "interrupted")
		var doc check.Report
		if err := json.Unmarshal([]byte(written(t, r)), &doc); err != nil || doc.Passed {
			t.Errorf("%+v, %v", doc, err)
		}
		return r, doc
	}
	r, doc := run(RunInput{})
	for i, want := range []string{"true false ", "false false expected 2xx, got 500", "false false interrupted", "false true skipped: the run was interrupted before it"} {
		if got := outcome(doc.Checks[i]); got != want {
			t.Errorf("%s: %s, want %s", doc.Checks[i].Name, got, want)
		}
	}
	for name, wants := range map[string][]string{
		"r.xml":  {`tests="4" failures="2" errors="0" skipped="1"`, `<skipped message="skipped: `, `<failure message="interrupted">`},
		"r.html": {"1 of 4 checks passed", ">SKIP<"},
	} {
		text, err := os.ReadFile(filepath.Join(b.dir, "work", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
	r.tap = true
	if got := written(t, r); !strings.Contains(got, "\nok 1 - done\n") || !strings.Contains(got, "\nnot ok 3 - runs\n") || !strings.Contains(got, "\nok 4 - later # SKIP interrupted\n") {
		t.Error(got)
	}
	_, doc = run(RunInput{Load: Load{VUs: 1, Repeat: 5}})
	for i, want := range []string{"false false interrupted after ", "false false interrupted after ", "false true interrupted after ", "false true interrupted after "} {
		if got := outcome(doc.Checks[i]); !strings.HasPrefix(got, want) {
			t.Errorf("under load: %s: %s, want %s", doc.Checks[i].Name, got, want)
		}
	}
	if l := doc.Checks[1].Load; l.Count != 1 || l.Failed != 1 {
		t.Errorf("%+v", l)
	}
}

func outcome(o check.Outcome) string {
	out := map[bool]string{true: "true ", false: "false "}
	message := ""
	if o.Message != nil {
		message = *o.Message
	}
	return out[o.Passed] + out[o.Skipped] + message
}
