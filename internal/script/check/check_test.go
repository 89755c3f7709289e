package check

import (
	"bytes"
	"context"
	"encoding/pem"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// runner returns a runner whose notes go to the test's log.
func runner(t testing.TB) *Runner {
	env := map[string]string{"HOST_TOKEN": "s3cret", "EMPTY": ""}
	return &Runner{
		Client: &http.Client{Timeout: 10 * time.Second},
		Script: func(context.Context, string, map[string]string, *Redactor) error { return nil },
		File:   os.ReadFile,
		Env:    func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		Note:   t.Logf,
		Now:    time.Now,
	}
}

func service(t testing.TB) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"state":"up","n":1,"f":1.0,"deep":{"on":true,"none":null},"list":[1]}`)
	})
	mux.HandleFunc("/404", http.NotFound)
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ok", http.StatusFound) })
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s|%s|%s|%s|%s", r.Method, r.RequestURI, b, r.Header.Get("Content-Type"), r.Header.Get("Authorization"), r.Host)
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Minute):
		}
	})
	mux.HandleFunc("/api/v1/query", func(w http.ResponseWriter, r *http.Request) {
		value := func(v string) string {
			return `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1700000000.1,"` + v + `"]},{"value":[1,"9"]}]}}`
		}
		answers := map[string]string{
			"five":         value("5"),
			"four":         value("4.5"),
			"big":          value("1e21"),
			"nan":          value("NaN"),
			"inf":          value("+Inf"),
			`a{b="c d"}+1`: value("7"),
			"word":         value("x"),
			"none":         `{"status":"success","data":{"resultType":"vector","result":[]}}`,
			"missing":      `{"status":"success","data":{}}`,
			"short":        `{"status":"success","data":{"result":[{"value":[1]}]}}`,
			"scalar":       `{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}`,
			"error":        `{"status":"error","error":"parse error"}`,
			"unknown":      `{"status":"error"}`,
		}
		w.WriteHeader(http.StatusTeapot) // the status does not matter
		_, _ = io.WriteString(w, answers[r.URL.Query().Get("query")])
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func ptr[T any](v T) *T { return &v }

func list(s ...string) []string { return s }

func TestHTTP(t *testing.T) {
	url := service(t)
	for name, c := range map[string]struct {
		check Check
		want  string // of the message; "" where it passes
	}{
		"2xx":                   {Check{URL: url + "/ok"}, ""},
		"not 2xx":               {Check{URL: url + "/404"}, "expected 2xx, got 404"},
		"any with expect":       {Check{URL: url + "/404", Expect: &Expect{}}, ""},
		"status":                {Check{URL: url + "/404", Expect: &Expect{Status: ptr(404)}}, ""},
		"other status":          {Check{URL: url + "/ok", Expect: &Expect{Status: ptr(201), Body: list("no")}}, "expected status 201, got 200"},
		"body":                  {Check{URL: url + "/ok", Expect: &Expect{Body: list(`"up"`)}}, ""},
		"other body":            {Check{URL: url + "/ok", Expect: &Expect{Body: list(`down`), JSON: list("x")}}, `body does not contain "down"`},
		"json":                  {Check{URL: url + "/ok", Expect: &Expect{JSON: list(`.state == "up"`)}}, ""},
		"json fails":            {Check{URL: url + "/ok", Expect: &Expect{JSON: list(`.state == down`)}}, `JSON expression failed: .state == down`},
		"json path":             {Check{URL: url + "/ok", Expect: &Expect{JSON: list(`.deep.off == true`)}}, `JSON path '.off' not found in response`},
		"no json":               {Check{URL: url + "/echo", Expect: &Expect{JSON: list(`.a == 1`)}}, `response body is not valid JSON`},
		"no url":                {Check{}, "http check requires a 'url' field"},
		"no scheme":             {Check{URL: "localhost:1/x"}, `HTTP GET localhost:1/x: "localhost:1/x" is not an http or https URL`},
		"nobody":                {Check{URL: "http://127.0.0.1:1/x"}, "HTTP GET http://127.0.0.1:1/x: "},
		"a password":            {Check{URL: "http://u:pw@127.0.0.1:1/x"}, "HTTP GET http://u:xxxxx@127.0.0.1:1/x: "},
		"a secret":              {Check{URL: "http://127.0.0.1:1/?t=${HOST_TOKEN}"}, "HTTP GET http://127.0.0.1:1/?t=${HOST_TOKEN}: "},
		"redirect":              {Check{URL: url + "/moved", Expect: &Expect{Status: ptr(200)}, FollowRedirects: true}, ""},
		"redirect not followed": {Check{URL: url + "/moved", Expect: &Expect{Status: ptr(302)}}, ""},
		"request": {Check{URL: url + "/echo?q=a b", Method: "PATCH", Body: `{"a":1}`, JSON: true, Headers: map[string]string{"Authorization": "Bearer ${HOST_TOKEN}"},
			Expect: &Expect{Body: list(`PATCH /echo?q=a%20b|{"a":1}|application/json|Bearer s3cret|127.`)}}, ""},
		"content type":    {Check{URL: url + "/echo", Method: "PUT", Body: "a", JSON: true, Headers: map[string]string{"content-type": "x/y", "Host": "example.org"}, Expect: &Expect{Body: list("|a|x/y||example.org")}}, ""},
		"a variable":      {Check{URL: "${NO_URL:-" + url + "}/ok"}, ""},
		"an empty one":    {Check{URL: url + "/echo${EMPTY}?${EMPTY:-x}${1}", Expect: &Expect{Body: list("GET /echo?x${1}|")}}, ""},
		"not set":         {Check{URL: url, Headers: map[string]string{"A": "${NO_TOKEN}"}}, "the environment variable NO_TOKEN is not set"},
		"its own timeout": {Check{URL: url + "/slow", Timeout: 50 * time.Millisecond}, "timeout of 0.05s exceeded"},
	} {
		c.check.Type, c.check.Name = HTTP, name
		message, ok, _ := runner(t).attempt(t.Context(), &c.check)
		got := ""
		if message != nil {
			got = *message
		}
		if ok != (c.want == "") || !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %v %q, want %q", name, ok, got, c.want)
		}
	}
}

func TestPrometheus(t *testing.T) {
	url := service(t)
	for query, c := range map[string]struct {
		expect *Expect
		ok     bool
		want   string
	}{
		"five":         {nil, true, "query returned: 5"},
		"four":         {nil, true, "query returned: 4.5"},
		"big":          {nil, true, "query returned: 1000000000000000000000"},
		"nan":          {nil, true, "query returned: NaN"},
		"inf":          {nil, true, "query returned: inf"},
		`a{b="c d"}+1`: {&Expect{Min: ptr(7.), Max: ptr(7.)}, true, ""},
		"five ":        {nil, false, "unexpected Prometheus response format: unexpected end of JSON input"},
		"word":         {nil, false, "unexpected Prometheus response format: x is not a value"},
		"none":         {nil, false, "Prometheus query returned no results"},
		"missing":      {nil, false, "unexpected Prometheus response format: missing data.result"},
		"short":        {nil, false, "unexpected Prometheus response format: missing value"},
		"scalar":       {nil, false, "unexpected Prometheus response format"},
		"error":        {nil, false, "Prometheus query failed: parse error"},
		"unknown":      {nil, false, "Prometheus query failed: unknown error"},
		"":             {nil, false, "prometheus check requires a 'query' field"},
	} {
		message, ok, _ := runner(t).attempt(t.Context(), &Check{Type: Prometheus, URL: url + "//", Query: query, Expect: c.expect})
		got := ""
		if message != nil {
			got = *message
		}
		if ok != c.ok || !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %v %q, want %v %q", query, ok, got, c.ok, c.want)
		}
	}
	for _, c := range []struct {
		e    Expect
		want string
	}{{Expect{Min: ptr(5.1)}, "expected min 5.1, got 5"}, {Expect{Max: ptr(4.)}, "expected max 4, got 5"}, {Expect{Min: ptr(9.), Max: ptr(1.)}, "expected min 9, got 5"}} {
		message, ok, _ := runner(t).attempt(t.Context(), &Check{Type: Prometheus, URL: url, Query: "five", Expect: &c.e})
		if ok || *message != c.want {
			t.Errorf("%+v: %v %v", c.e, ok, *message)
		}
	}
	if message, ok, _ := runner(t).attempt(t.Context(), &Check{Type: Prometheus}); ok || *message != "prometheus check requires a 'url' field" {
		t.Error(*message)
	}
}

func TestHolds(t *testing.T) {
	const body = `{"s":"up","n":1,"f":1.0,"e":1e2,"b":true,"z":null,"big":9007199254740993,"o":{"p":{"q":"x == y"}},"l":[1],"m":[[2,3],{"k":["v"]}],"a[0]":5,"x<y":1,"huge":12345678901234567890,"deci":0.1234567890123456789}`
	for expr, want := range map[string]string{
		`.s == "up"`: "true", `s == up`: "true", `.s == 'up'`: "false", `..s=="up"`: "true",
		`.n == 1`: "true", `.n == 1.0`: "false", `.n == "1"`: "false", `.n == true`: "false", `.f == 1.0`: "true", `.f == 1`: "false", `.e == 100.0`: "true",
		`.b == true`: "true", `.b == "true"`: "false", `.z == null`: "true", `.z == ""`: "false",
		`.big == 9007199254740993`: "true", `.big == 9007199254740992`: "false",
		`.o.p.q == "x == y"`: "true", `.o == {}`: "false", `.l == [1]`: "false", `.s == inf`: "false", `.n == `: "false",
		`.gone == 1`: "JSON path '.gone' not found in response", `.s.x == 1`: "JSON path '.x' not found in response", `.l.0 == 1`: "JSON path '.0' not found in response",
		`.l[0] == 1`: "true", `.l[0] != 1`: "false", `.l[1] == 1`: "JSON path '.l[1]' not found in response", `.l[-1] == 1`: "JSON path '.l[-1]' not found in response", `.l[0x] == 1`: "JSON path '.l[0x]' not found in response", `.l[ == 1`: "JSON path '.l[' not found in response",
		`.m[1].k[0] == "v"`: "true", `.m[0][1] >= 3`: "true", `.m[0][1] > 3`: "false", `.a[0] == 5`: "true",
		`.n < 2`: "true", `.n <= 1.0`: "true", `.n != 1.0`: "true", `.f >= 1`: "true", `.s < "uq"`: "true", `.s != down`: "true", `.big > 9007199254740992`: "true", `.big <= 9007199254740992`: "false",
		`.s < 1`: `JSON expression ".s < 1" compares what is not two numbers or two strings`, `.x<y == 1`: "true", `.o.p.q != a == b`: "true",
		`.huge == 12345678901234567890`: "true", `.huge == 12345678901234567891`: "false", `.huge < 12345678901234567891`: "true", `.huge == 12345678901234567890.0`: "false",
		`$.huge == 12345678901234567890`: "true", `$.huge == 12345678901234567891`: "false", `$.huge < 12345678901234567891`: "true", `$.huge <= 12345678901234567889`: "false",
		`$.huge == 1234567890123456789e1`: "true", `$.deci == 0.12345678901234567891`: "false", `$.deci == 0.123456789012345678900`: "true", `$.deci < 1e400`: "true",
		`.n = 1`: `unsupported JSON expression syntax: ".n = 1" (expected '.path == value')`,
	} {
		_, ok, err := holds(expr, body)
		got := fmt.Sprint(ok)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("holds(%s) = %s, want %s", expr, got, want)
		}
	}
	if _, _, err := holds(".a == 1", `{} {}`); err == nil {
		t.Error("two values are one body")
	}
}

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"http://h/a b?q=a b&r=\"<ü>'#f": "http://h/a%20b?q=a%20b&r=%22%3C%C3%BC%3E%27",
		"http://h":                      "http://h/",
		"http://h?x={y}|[z]":            "http://h/?x={y}|[z]",
		"ws://h/":                       "error",
		"http://h/{a}`%zz%41":           "http://h/%7Ba%7D%60%25zz%41",
		" https://h:1/#a?b ":            "https://h:1/",
		"ftp://h/":                      "error",
		"http:///x":                     "error",
		"http://[::1":                   "error",
		"//h/x":                         "error",
		"":                              "error",
	} {
		u, err := address(in)
		got := "error"
		if err == nil {
			got = u.String()
		}
		if got != want {
			t.Errorf("address(%q) = %s, %v, want %s", in, got, err, want)
		}
	}
}

func TestParse(t *testing.T) {
	s, err := Parse([]byte(`
timeout: " 5m"
retries: 0
backoff: 500ms
checks:
  - {name: a, type: http, url: http://x, method: post, body: {b: [1, "<"], a: null}, headers: {X: y}, expect: {status: 200}}
  - {name: b, type: prometheus, url: http://x, query: up, expect: {min: 1, max: 2.5}, timeout: 2s, retries: 1, backoff: 1s}
  - {name: c, type: script, file: x.lua, env: {A: "1"}, follow_redirects: false, body: text}
`), true)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := s.Checks[0], s.Checks[1], s.Checks[2]
	if s.Timeout != 5*time.Minute || s.Retries != 0 || s.Backoff != 500*time.Millisecond || s.Parallel ||
		a.Method != http.MethodPost || a.Body != `{"a":null,"b":[1,"<"]}` || !a.JSON || a.Headers["X"] != "y" || *a.Expect.Status != 200 || !a.FollowRedirects ||
		b.Query != "up" || *b.Expect.Min != 1 || *b.Expect.Max != 2.5 || b.Timeout != 2*time.Second || *b.Retries != 1 || *b.Backoff != time.Second ||
		c.File != "x.lua" || c.Env["A"] != "1" || c.FollowRedirects || c.Body != "text" || c.JSON {
		t.Errorf("%+v", s)
	}
	if s, err := Parse([]byte("checks: []"), true); err != nil || s.Timeout != 2*time.Minute || s.Retries != 3 || s.Backoff != 5*time.Second || len(s.Checks) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	for text, want := range map[string]string{
		"":                          "the file is empty",
		"x":                         "cannot unmarshal",
		"{":                         "line 1: did not find expected node content",
		"timeout: 5s":               "missing field `checks`",
		"timeout: 5h\nchecks: []":   `unsupported duration format: "5h" (use e.g. '120s', '5m', '500ms')`,
		"backoff: 1.5s\nchecks: []": `unsupported duration format: "1.5s"`,
		"timeout: -1s\nchecks: []":  `unsupported duration format`,
		"timeout: 9999999999999999999m\nchecks: []":             `unsupported duration format`,
		"retries: -1\nchecks: []":                               "cannot unmarshal",
		"retries: 4000000000\nchecks: []":                       "at most 1000",
		"checks: [{type: http}]":                                "checks[0]: missing field `name`",
		"checks: [{name: x}]":                                   "checks[0]: missing field `type`",
		"checks: [{name: x, type: tcp}]":                        `checks[0]: unknown check type: "tcp"`,
		"checks: [{name: x, type: http, timeout: 5}]":           "checks[0]: unsupported duration format",
		"checks: [{name: x, type: http, body: {1: {.nan: 2}}}]": "body",
	} {
		_, err := Parse([]byte(text), false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %q", text, err, want)
		}
	}
}

func TestBody(t *testing.T) {
	for text, want := range map[string]string{"2026-01-02": "2026-01-02", "1.50": "1.50", "null": "", "'null'": "null", "[1, 2.5, x]": `[1,2.5,"x"]`, "{}": "{}"} {
		s, err := Parse([]byte("checks: [{name: x, type: http, url: x, body: "+text+"}]"), true)
		if err != nil || s.Checks[0].Body != want {
			t.Errorf("body: %s is %q, %v, want %q", text, s.Checks[0].Body, err, want)
		}
	}
}

func TestUnknown(t *testing.T) {
	const text = `
simultaneous: true
checks:
  - name: a
    type: http
    urls: x
    expect: {stat: 1}
    env: {ANY: thing}
    headers: {Any: thing}
    body: {any: thing}
  - &b {name: b, type: http, expect: &e {code: 2}}
  - *b
`
	want := []string{"line 2: unknown field `simultaneous`", "line 6: unknown field `urls` in a check", "line 7: unknown field `stat` in expect",
		"line 11: unknown field `code` in expect", "line 11: unknown field `code` in expect"}
	s, err := Parse([]byte(text), false)
	if err != nil || strings.Join(s.Unknown, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, %v", s.Unknown, err)
	}
	for _, strict := range []string{text, "strict: true" + text} {
		if _, err := Parse([]byte(strict), strict == text); err == nil || !strings.Contains(err.Error(), "unknown field `simultaneous`") {
			t.Errorf("strict: %v", err)
		}
	}
}

// A check that fails is tried again, after a wait that grows; the last attempt counts.
func TestRetries(t *testing.T) {
	r := runner(t)
	var notes []string
	r.Note = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	tries := map[string]int{}
	r.Script = func(_ context.Context, file string, _ map[string]string, _ *Redactor) error {
		tries[file]++
		if file == "never" || file == "third" && tries[file] < 3 {
			return fmt.Errorf("attempt %d\nand more", tries[file])
		}
		return nil
	}
	report, err := r.Run(t.Context(), &Suite{Timeout: time.Minute, Retries: 2, Backoff: time.Millisecond, Checks: []Check{
		{Name: "a", Type: Script, File: "third"}, {Name: "b", Type: Script, File: "never"}, {Name: "c", Type: Script, File: "never", Retries: ptr(0)},
		{Name: "d", Type: Script, File: "once"}, {Name: "e", Type: Script},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if tries["third"] != 3 || tries["never"] != 4 || tries["once"] != 1 || report.Passed || report.Failed() != 3 ||
		*report.Checks[1].Message != "attempt 3\nand more" || *report.Checks[4].Message != "script check requires a 'file' field" {
		t.Errorf("%v\n%s", tries, b.String())
	}
	if !strings.HasPrefix(b.String(), "{\n  \"passed\": false,\n  \"checks\": [\n    {\n      \"name\": \"a\",\n      \"passed\": true,\n      \"duration_ms\": 0,\n      \"message\": null\n    },") ||
		!strings.Contains(b.String(), "\n  ],\n  \"duration_ms\": ") {
		t.Errorf("%s", b.String())
	}
	if !strings.Contains(strings.Join(notes, "\n"), "check b failed (attempt 2 of 3): attempt 2; again in 2ms\n") {
		t.Errorf("%q", notes)
	}
}

// When the time is up, what runs is ended; what is done stays done.
func TestGlobalTimeout(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		r := runner(t)
		r.Script = func(ctx context.Context, file string, _ map[string]string, _ *Redactor) error {
			if file == "hang" {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		report, err := r.Run(t.Context(), &Suite{Timeout: 100 * time.Millisecond, Retries: 5, Parallel: parallel, Checks: []Check{
			{Name: "done", Type: Script, File: "x"}, {Name: "hangs", Type: Script, File: "hang"}, {Name: "later", Type: Script, File: "hang"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range report.Checks {
			if i == 0 && (!o.Passed || o.Message != nil) || i > 0 && (o.Passed || o.DurationMS != 0 || *o.Message != "global timeout of 0.1s exceeded") {
				t.Errorf("parallel %v: %+v", parallel, o)
			}
		}
	}
	if seconds(120*time.Second) != "120s" {
		t.Error(seconds(120 * time.Second))
	}
}

func TestInterrupted(t *testing.T) {
	r := runner(t)
	ctx, cancel := context.WithCancel(t.Context())
	r.Script = func(ctx context.Context, _ string, _ map[string]string, _ *Redactor) error {
		cancel()
		return ctx.Err()
	}
	if _, err := r.Run(ctx, &Suite{Timeout: time.Minute, Checks: []Check{{Name: "x", Type: Script, File: "x"}, {Name: "y", Type: Script, File: "x"}}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// In parallel all checks run at once: each waits for all the others.
func TestParallel(t *testing.T) {
	const n = 8
	r := runner(t)
	var all sync.WaitGroup
	all.Add(n)
	r.Script = func(ctx context.Context, _ string, _ map[string]string, _ *Redactor) error {
		all.Done()
		met := make(chan struct{})
		go func() { all.Wait(); close(met) }()
		select {
		case <-met:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s := &Suite{Timeout: time.Minute, Parallel: true}
	for i := range n {
		s.Checks = append(s.Checks, Check{Name: fmt.Sprint(i), Type: Script, File: "x"})
	}
	report, err := r.Run(t.Context(), s)
	if err != nil || !report.Passed {
		t.Fatal(report, err)
	}
	for i, o := range report.Checks {
		if o.Name != fmt.Sprint(i) {
			t.Errorf("check %d is %s", i, o.Name)
		}
	}
	// And in sequence one after another, in order.
	var running, most atomic.Int32
	var order []string
	r.Script = func(_ context.Context, file string, _ map[string]string, _ *Redactor) error {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		order = append(order, file)
		return nil
	}
	s.Parallel = false
	for i := range s.Checks {
		s.Checks[i].File = fmt.Sprint(i)
	}
	if _, err := r.Run(t.Context(), s); err != nil || most.Load() != 1 || strings.Join(order, "") != "01234567" {
		t.Errorf("%d at once, %v, %v", most.Load(), order, err)
	}
}

// junitSuites is a report as its readers take it.
type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Time     string     `xml:"time,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Cases     []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *junitSkipped `xml:"skipped"`
	Failure *junitFailure `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

func TestFormats(t *testing.T) {
	report := &Report{DurationMS: 1234, Checks: []Outcome{
		{Name: "good", Passed: true, DurationMS: 5, kind: HTTP},
		{Name: "told # <it>", Passed: true, Message: ptr("query returned: 5"), kind: Prometheus},
		{Name: "bad\nname", DurationMS: 1000, Message: ptr("boom \x1b & \"more\"\nline 2"), kind: Script},
	}}
	var tap bytes.Buffer
	if err := report.WriteTAP(&tap); err != nil {
		t.Fatal(err)
	}
	const wantTAP = "TAP version 14\n1..3\nok 1 - good\n  ---\n  duration_ms: 5\n  ...\n" +
		"ok 2 - told \\# <it>\n  ---\n  duration_ms: 0\n  message: \"query returned: 5\"\n  ...\n" +
		"not ok 3 - bad name\n  ---\n  duration_ms: 1000\n  message: \"boom \\u001b & \\\"more\\\"\\nline 2\"\n  ...\n"
	if tap.String() != wantTAP {
		t.Errorf("%s\nwant\n%s", tap.String(), wantTAP)
	}
	var junit bytes.Buffer
	if err := report.WriteJUnit(&junit, "checks.yaml", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/junit.xml", junit.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/junit.xml")
	if err != nil || junit.String() != string(want) {
		t.Errorf("%v\n%s", err, junit.String())
	}
	var back junitSuites
	if err := xml.Unmarshal(junit.Bytes(), &back); err != nil || back.Suite.Cases[2].Failure.Text != "boom \uFFFD & \"more\"\nline 2" {
		t.Errorf("%+v, %v", back, err)
	}
}

// Whatever the text, it is a suite or an error, and a suite of checks that can run.
func FuzzParse(f *testing.F) {
	f.Add("timeout: 5s\nretries: 1\nparallel: true\nchecks:\n  - {name: a, type: http, url: 'http://x', expect: {json: .a == 1}}\n")
	f.Add("checks:\n  - &a {name: a, type: script, file: x, env: {A: b}, body: [1]}\n  - *a\n  - {<<: *a, name: c}\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse([]byte(text), false)
		if err != nil {
			return
		}
		if _, err := Parse([]byte(text), true); (err == nil) != (len(s.Unknown)+len(s.Incomplete) == 0) {
			t.Fatalf("strict: %v, unknown %q", err, s.Unknown)
		}
		if s.Timeout < 0 || s.Backoff < 0 || s.Retries < 0 || s.Retries > mostRetries {
			t.Fatalf("%+v", s)
		}
		for _, c := range s.Checks {
			if c.Timeout < 0 || c.Backoff != nil && *c.Backoff < 0 || c.Type != HTTP && c.Type != Prometheus && c.Type != Script && c.Type != GraphQL {
				t.Fatalf("%+v", c)
			}
			if u, err := address(c.URL); err == nil {
				if again, err := address(u.String()); err != nil || again.String() != u.String() {
					t.Fatalf("%q is %s, then %v, %v", c.URL, u, again, err)
				}
			}
			if c.Expect != nil && len(c.Expect.JSON) > 0 {
				_, _, _ = holds(c.Expect.JSON[0], c.Body)
			}
		}
	})
}

// A service has a certificate that nobody knows, or one of an authority of its own.
func TestCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	dir := t.TempDir()
	ca, none := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "none.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(none, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	for keys, want := range map[string]string{
		"":                             "certificate",
		"ca: " + ca:                    "",
		"insecure_skip_verify: true":   "",
		"ca: " + none:                  "no certificate in",
		"ca: " + ca + ".gone":          "failed to read the certificates",
		"follow_redirects: false":      "certificate",
		"ca: " + ca + ", method: HEAD": "",
	} {
		suite, err := Parse([]byte("retries: 0\nchecks:\n  - {name: tls, type: http, url: '"+server.URL+"', "+keys+"}\n"), true)
		if err != nil {
			t.Fatal(err)
		}
		report, err := runner(t).Run(t.Context(), suite)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if m := report.Checks[0].Message; m != nil {
			got = *m
		}
		if report.Passed != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: passed %v, %q", keys, report.Passed, got)
		}
	}
}
