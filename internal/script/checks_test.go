package script

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

func TestChecks(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"path": %q}`, r.URL.Path)
	}))
	defer srv.Close()
	b := newBench(t, map[string]string{
		"work/ok.yaml": `
retries: 0
checks:
  - {name: up, type: http, url: "${SERVICE}/x", expect: {status: 200, json: .path == "/x"}}
  - {name: script, type: script, file: s.lua, env: {A: from the check}}
  - {name: beside, type: script, file: beside.lua}
`,
		"work/s.lua":             "print('to stderr') assert.eq(env.get('A'), 'from the check') assert.eq(env.get('B'), 'from outside') g = 1 return false",
		"work/checks/beside.lua": "assert.eq(g, nil)",
		"work/checks/bad.yml": `
retries: 1
backoff: 1ms
parallel: true
checks:
  - {name: fails, type: script, file: fails.lua}
  - {name: gone, type: script, file: gone.lua, retries: 3, backoff: 1m}
  - {name: good, type: script, file: beside.lua, colour: red}
`,
		"work/checks/fails.lua": "error('boom')",
		"work/wrong.yaml":       "checks: [{name: x, type: tcp}]",
	}, map[string]string{"SERVICE": srv.URL, "B": "from outside"}, nil)
	if err := os.Rename(filepath.Join(b.dir, "work/ok.yaml"), filepath.Join(b.dir, "work/checks/ok.yaml")); err != nil {
		t.Fatal(err)
	}
	r, err := b.Run(b.ctx, RunInput{File: "checks/ok.yaml", JUnit: "report.xml"})
	if err != nil || r.Verdict() != nil {
		t.Fatal(err, r.Verdict(), written(t, r))
	}
	if got := written(t, r); !strings.HasPrefix(got, "{\n  \"passed\": true,\n  \"checks\": [\n    {\n      \"name\": \"up\",\n      \"passed\": true,") {
		t.Errorf("%s", got)
	}
	if b.stdout.Len() > 0 || b.stderr.String() != "to stderr\n" {
		t.Errorf("printed %q, %q", b.stdout.String(), b.stderr.String())
	}
	if xml, err := os.ReadFile(filepath.Join(b.dir, "work/report.xml")); err != nil || !strings.Contains(string(xml), `<testsuite name="ok.yaml" tests="3" failures="0"`) {
		t.Errorf("%s, %v", xml, err)
	}
	r, err = b.Run(b.ctx, RunInput{File: filepath.Join(b.dir, "work/checks/bad.yml"), TAP: true})
	if err != nil {
		t.Fatal(err)
	}
	wrong(t, "the verdict", r.Verdict(), fault.Negative, "2 of 3 checks of ")
	if got := written(t, r); !strings.Contains(got, "not ok 1 - fails") || !strings.Contains(got, "fails.lua:1: boom") || !strings.Contains(got, `failed to read Lua script \"gone.lua\": `) || !strings.Contains(got, "\nok 3 - good") {
		t.Errorf("%s", got)
	}
	var doc struct {
		Passed bool
		Checks []struct{ Message *string }
	}
	if j, err := json.Marshal(r); err != nil || json.Unmarshal(j, &doc) != nil || doc.Passed || len(doc.Checks) != 3 || doc.Checks[2].Message != nil {
		t.Errorf("%s, %v", j, err)
	}
	notes := strings.Join(b.notes, "\n")
	for _, want := range []string{"unknown field `colour` in a check: it is ignored (--strict", "checks/bad.yml: 3 checks, timeout 2m0s, retries 1", "check completed: good PASS in ", "check fails failed (attempt 1 of 2): ", `checks/bad.yml: line 7: check gone: there is no script "gone.lua"`} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
	if r, err = b.Run(b.ctx, RunInput{File: "checks/bad.yml", Only: []string{"good"}}); err != nil || r.Verdict() != nil || len(r.Report.Checks) != 1 {
		t.Errorf("--only good: %+v, %v", r, err)
	}
	for name, in := range map[string]RunInput{
		"unknown check type: \"tcp\"":     {File: "wrong.yaml"},
		"loading config from gone.yaml: ": {File: "gone.yaml"},
		"unknown field `colour`":          {File: "checks/bad.yml", Strict: true},
		`no check has the name "none"`:    {File: "checks/ok.yaml", Only: []string{"none"}},
	} {
		kind := fault.Usage // never what a failed check is
		if in.File == "gone.yaml" {
			kind = fault.NotFound
		}
		_, err := b.Run(b.ctx, in)
		wrong(t, in.File, err, kind, name)
	}
	_, err = b.Run(b.ctx, RunInput{File: "checks/ok.yaml", JUnit: "no/such/folder/r.xml"})
	wrong(t, "a report that cannot be written", err, fault.Unavailable, "the JUnit report cannot be written")
}
