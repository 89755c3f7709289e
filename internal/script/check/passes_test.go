package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/render/pagetest"
)

// A value goes into an address as what it is: not as a path, a query or a host more.
func TestEscaped(t *testing.T) {
	for _, c := range []struct {
		text string
		as   use
		want string
	}{
		{"http://h/items/${v}/x", inURL, "http://h/items/a%2Fb%20&c=%22%3F/x"},
		{"http://h/items?id=${v}&n=1", inURL, "http://h/items?id=a%2Fb%20%26c%3D%22%3F&n=1"},
		{"http://h/items?${v|raw}", inURL, "http://h/items?a/b &c=\"?"},
		{"http://h${place}?x=1", inURL, "http://h/items/7?x=1"},
		{"${next}", inURL, "http://o/p?q=1"},
		{"http://h${host}/", inURL, "the value of ${host} cannot be in a host: it has one of / ? # @ \\, which would end the host or lead to another; ${host|raw} puts it in as it is"},
		{`{"a":"${v}"}`, inJSON, `{"a":"a/b &c=\"?"}`},
		{`$.a == "${v}"`, inExpression, `$.a == "a/b &c=\"?"`},
		{`$.a == ["x\"y", "${v}"]`, inExpression, `$.a == ["x\"y", "a/b &c=\"?"]`},
		{`$.a == '${v}'`, inExpression, `$.a == 'a/b &c="?'`},
		{`$[?@.a == '${q}' && @.b == "${q}"].n == ${q}`, inExpression, `$[?@.a == 'it\'s "\\"' && @.b == "it's \"\\\""].n == it's "\"`},
		{`.a == "${v}"`, inExpression, `.a == "a/b &c="?"`},
		{"${v} ${UNSET} ${v", plain, `a/b &c="? ${UNSET} ${v`},
		{"${HOST_TOKEN} ${v}", texts, `s3cret a/b &c="?`},
	} {
		r := runner(t)
		r.vars = map[string]string{"v": `a/b &c="?`, "place": "/items/7", "next": "http://o/p?q=1", "host": ".x@evil.org", "q": `it's "\"`}
		got, err := r.expand(c.text, c.as)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// A value with quotes is compared as what it is, however the expression quotes it.
func TestQuotedValues(t *testing.T) {
	const value = `it's "\n"`
	body, err := encode(map[string]any{"s": value, "l": []any{map[string]any{"s": value, "n": 1}}})
	if err != nil {
		t.Fatal(err)
	}
	r := runner(t)
	r.vars = map[string]string{"s": value}
	for _, expr := range []string{`$.s == "${s}"`, `$.s == '${s}'`, `.s == "${s}"`, `$.s contains "${s}"`, `$.l[?@.s == '${s}'].n == [1]`, `$.l[?@.s == "${s}"].n == [1]`, `$.l[*].s == ["${s}"]`} {
		failed, err := r.json(&Expect{JSON: list(expr)}, &answer{body: body})
		if failed != "" || err != nil {
			t.Errorf("%s: %s, %v", expr, failed, err)
		}
	}
}

// ran runs a file of script checks and returns what each saw as X, in order.
func ran(t *testing.T, text string, change func(*Suite, *Runner)) (saw []string, report *Report, err error) {
	t.Helper()
	s, err := Parse([]byte("retries: 0\n"+text), true)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rows.csv":   "\uFEFFuser, n\nann,1\n\"b, \"\"c\"\"\",2\n",
		"rows.json":  `[{"user":"ann","n":1},{"user":null,"n":[2]}]`,
		"rows.jsonl": "{\"user\":\"ann\"}\n\n{\"user\":\"bob\"}\n",
		"empty.csv":  "user\n",
		"ragged.csv": "a,b\n1\n",
		"bad.json":   `{"a":1}`,
		"rows.txt":   "x",
		"token":      "hunter2 /x\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := runner(t)
	r.File = func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }
	var mu sync.Mutex
	r.Script = func(_ context.Context, _ string, env map[string]string, _ *Redactor) error {
		mu.Lock()
		defer mu.Unlock()
		saw = append(saw, env["X"])
		if strings.HasPrefix(env["X"], "fail") {
			return errors.New(env["X"])
		}
		return nil
	}
	if change != nil {
		change(s, r)
	}
	report, err = r.Run(t.Context(), s)
	return saw, report, err
}

func TestRows(t *testing.T) {
	const one = "\nchecks: [{name: 'as ${user}', type: script, file: x, env: {X: '${user}:${n}'}}]"
	for text, want := range map[string][]string{
		"data: rows.csv":                                  {"ann:1", `b, "c":2`},
		"data: rows.json":                                 {"ann:1", ":[2]"},
		"data: rows.jsonl\nvars: {n: 9}":                  {"ann:9", "bob:9"},
		"data: [{user: x, n: 1.5}, {user: y, n: {a: b}}]": {"x:1.5", `y:{"a":"b"}`},
	} {
		saw, report, err := ran(t, text+one, nil)
		if err != nil || !slices.Equal(saw, want) || len(report.Checks) != 2 || report.Checks[1].Pass != 2 {
			t.Errorf("%s: %q, %+v, %v", text, saw, report, err)
		}
	}
	_, report, err := ran(t, "data: rows.csv"+one, func(s *Suite, _ *Runner) { s.Repeat = 2 })
	var titles []string
	for i := range report.Checks {
		titles = append(titles, report.Checks[i].title())
	}
	if err != nil || !slices.Equal(titles, []string{"as ann [1]", `as b, "c" [2]`, "as ann [3]", `as b, "c" [4]`}) {
		t.Errorf("%q, %v", titles, err)
	}
	for text, want := range map[string]string{
		"data: empty.csv":  "the data has no rows: no check would run",
		"data: []":         "the data has no rows: no check would run",
		"data: ragged.csv": `the data "ragged.csv": record on line 2: wrong number of fields`,
		"data: bad.json":   `the data "bad.json": it is not a JSON list of objects`,
		"data: rows.txt":   `the data "rows.txt": rows are read from .csv, .json and .jsonl, not from ".txt"`,
		"data: gone.csv":   `failed to read the data "gone.csv": `,
	} {
		if _, _, err := ran(t, text+one, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, _, err := ran(t, "data: rows.csv"+one, func(s *Suite, _ *Runner) { s.Repeat = mostPasses }); err == nil {
		t.Error("more passes than allowed are begun")
	}
}

// Secrets come from files and are shown nowhere.
func TestSecretFiles(t *testing.T) {
	const text = "secrets: {token: token}\nvars: {v: plain}\nchecks: [{name: a, type: script, file: x, env: {X: 'fail ${token} ${v} ${more}'}}]"
	saw, report, err := ran(t, text, func(_ *Suite, r *Runner) {
		r.Vars, r.Secrets = map[string]string{"v": "given"}, map[string]string{"more": "xyzzy"}
	})
	if err != nil || !slices.Equal(saw, []string{"fail hunter2 /x given xyzzy"}) {
		t.Fatalf("%q, %v", saw, err)
	}
	if got := *report.Checks[0].Message; got != "fail [redacted] given [redacted]" {
		t.Errorf("the message is %q", got)
	}
	var r Redactor
	if err := r.hide("x", "hunter2 /x"); err != nil {
		t.Fatal(err)
	}
	if got := r.text("HTTP GET http://h/?t=hunter2%20%2Fx: hunter2+%2Fx hunter2%20%2Fx"); strings.Contains(got, "hunter2") {
		t.Errorf("an address shows it: %s", got)
	}
	if _, _, err := ran(t, strings.Replace(text, "token: token", "token: gone", 1), nil); err == nil || !strings.HasPrefix(err.Error(), `the secret token: failed to read "gone": `) {
		t.Errorf("%v", err)
	}
	got, err := SecretLines([]byte("# c\r\nA=b=c\r\n\r\nd= e \n"))
	if err != nil || got["A"] != "b=c" || got["d"] != " e " || len(got) != 2 {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := SecretLines([]byte("hunter2\n")); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v", err)
	}
	if _, err := Assignments([]string{"=x"}); err == nil {
		t.Error("a value without a name")
	}
}

// clock goes on by a millisecond whenever it is read.
func clock() func() time.Time {
	var mu sync.Mutex
	now := time.Unix(0, 0)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Millisecond)
		return now
	}
}

func TestLoad(t *testing.T) {
	const text = "data: [{x: ok}, {x: fail}, {x: ok}, {x: ok}]\nTHRESHOLDS\nchecks: [{name: a, type: script, file: x, env: {X: '${x}'}}, {name: b, type: script, file: x, retries: 5, env: {X: ok}CHECK}]"
	for _, c := range []struct {
		limits, own string
		repeat      int
		want        []string
	}{
		{"", "", 10, []string{"false 40 10 of 40 failed (25%): fail", "true 40 "}},
		{"thresholds: {errors: 25%}", "", 10, []string{"true 40 10 of 40 failed (25%): fail", "true 40 "}},
		{"thresholds: {errors: 0.2, p95: 0ms}", ", thresholds: {p95: 1m}", 1, []string{"false 4 p95 is ", "true 4 "}},
	} {
		filled := strings.NewReplacer("THRESHOLDS", c.limits, "CHECK", c.own).Replace(text)
		_, report, err := ran(t, filled, func(s *Suite, r *Runner) {
			s.Repeat, r.Now = c.repeat, clock()
			if err := s.Under(3, 0); err != nil {
				t.Fatal(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range report.Checks {
			message := ""
			if o.Message != nil {
				message = *o.Message
			}
			if got := fmt.Sprintf("%v %d %s", o.Passed, o.Load.Count, message); !strings.HasPrefix(got, c.want[i]) || message == "" && got != c.want[i] {
				t.Errorf("%s, check %s: %s, want %s", c.limits, o.Name, got, c.want[i])
			}
			if l := o.Load; l.P50 <= 0 || l.P50 > l.P90 || l.P90 > l.P95 || l.P95 > l.P99 || l.P99 > l.Max || l.Rate <= 0 {
				t.Errorf("%+v", l)
			}
		}
	}
	saw, report, err := ran(t, "checks: [{name: a, type: script, file: x, env: {X: ok}}]", func(s *Suite, r *Runner) {
		r.Now = clock()
		if err := s.Under(0, 200*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	})
	if n := len(saw); err != nil || n < 20 || n > 100 || report.Checks[0].Load.Count != n || s(report) == "" {
		t.Errorf("%d runs in 200 ms of a clock that goes on 3 or 4 ms a run, %v", n, err)
	}
	for _, c := range []struct{ limits, want string }{
		{"{p95: 5h}", "thresholds: p95: unsupported duration format"},
		{"{errors: 101%}", `thresholds: errors: "101%" is not a share`},
		{"{errors: NaN}", `thresholds: errors: "NaN" is not a share`},
		{"{p96: 1s}", `thresholds: unknown limit "p96"`},
	} {
		for _, text := range []string{"thresholds: " + c.limits + "\nchecks: []", "checks: [{name: a, type: http, thresholds: " + c.limits + "}]"} {
			if _, err := Parse([]byte(text), true); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", text, err, c.want)
			}
		}
	}
	if err := new(Suite).Under(5, 0); err == nil {
		t.Error("a load without end is begun")
	}
	if err := new(Suite).Under(mostVUs+1, time.Second); err == nil {
		t.Error("too many users are let in")
	}
}

// s is a report as JSON, which has the figures of the load.
func s(r *Report) string {
	b, err := json.Marshal(r)
	if err != nil || !bytes.Contains(b, []byte(`"load":{"count":`)) || !bytes.Contains(b, []byte(`"p95_ms":`)) {
		return ""
	}
	return string(b)
}

// The figures are of the nearest rank, and each limit is compared with its own.
func TestPercentiles(t *testing.T) {
	var all tally
	for i := 100; i >= 1; i-- {
		all.add(Outcome{Passed: true, took: time.Duration(i) * time.Millisecond})
	}
	o := all.outcome(&Check{thresholds: thresholds{"p50": 50, "p90": 89.5, "p95": 95, "p99": 98, "max": 100}}, 10*time.Second)
	if l := *o.Load; l != (Load{Count: 100, Rate: 10, P50: 50, P90: 90, P95: 95, P99: 99, Max: 100}) {
		t.Errorf("%+v", l)
	}
	if o.Passed || *o.Message != "p90 is 90 ms, above 89.5 ms; p99 is 99 ms, above 98 ms" {
		t.Errorf("%v %s", o.Passed, *o.Message)
	}
}

func TestHTMLReport(t *testing.T) {
	message := `<script>alert("x")</script>`
	r := &Report{Checks: []Outcome{{Name: "a<b", Message: &message, DurationMS: 7}, {Name: "c", Passed: true, Pass: 2}}, DurationMS: 1500}
	page := func() string {
		var b bytes.Buffer
		if err := r.WriteHTML(&b, "x&y.yaml", time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	got := page()
	for _, want := range []string{"<title>x&amp;y.yaml: FAIL</title>", "1 of 2 checks passed · 1.500 s · 1970-01-01 00:00:00 UTC", `<td data-of="Result"><b class="fail">FAIL</b></td><td data-of="Check">a&lt;b</td><td data-of="ms" class="n">7</td><td data-of="Message"><pre>&lt;script&gt;alert(`, `<b class="pass">PASS</b></td><td data-of="Check">c [2]</td>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	for _, evil := range pagetest.Payloads() {
		r.Checks[0].Name, message = evil, evil
		if got := page(); pagetest.Inert(got) != nil || !pagetest.Shown(got, evil) {
			t.Errorf("%q: %v", evil, pagetest.Inert(got))
		}
	}
	r.Checks = []Outcome{{Name: "a", Passed: true, Load: &Load{Count: 40, P95: 12.5}}}
	if got := page(); !strings.Contains(got, `<th scope="col" class="n">p95 ms</th>`) || !strings.Contains(got, `class="n">12.5</td>`) {
		t.Errorf("%s", got)
	}
}
