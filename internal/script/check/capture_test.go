package check

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// login answers with a token, after a while, and lets in who brings it.
func login(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/login":
			time.Sleep(20 * time.Millisecond)
			w.Header().Set("Location", "/items/7")
			_, _ = io.WriteString(w, `{"data":{"token":"t0k","ids":[41,42]}}`)
		case r.URL.Path == "/api/v1/query":
			_, _ = fmt.Fprintf(w, `{"status":"success","data":{"result":[{"value":[1,"%d"]}]}}`, len(r.URL.Query().Get("query")))
		case r.Header.Get("Authorization") != "Bearer t0k":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			b, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, "%s %s", r.URL, b)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

const flow = `
parallel: PARALLEL
retries: 0
checks:
  - {name: in, type: http, url: "URL/login", expect: {status: 200, latency: 30s}, capture: {token: .data.token, second: ".data.ids[1]", place: header Location, all: .data.ids}}
  - {name: use, type: http, method: put, url: "URL${place}?n=${second}", headers: {Authorization: "Bearer ${token}"}, body: {all: "${all}", no: "${1} ${not a name}"},
     expect: {body: '/items/7?n=42 {"all":"[41,42]","no":"${1} ${not a name}"}', headers: {content-type: json}}}
  - {name: script, type: script, file: x.lua, env: {TOKEN: "${token}!", HOME: "${HOME}"}}
  - {name: rate, type: prometheus, url: URL, query: "${token}", expect: {min: 3, max: 3}}
`

// What a check captures those after it have, also where all run at the same time.
func TestCapture(t *testing.T) {
	url := login(t)
	for _, parallel := range []string{"false", "true"} {
		s, err := Parse([]byte(strings.NewReplacer("URL", url, "PARALLEL", parallel).Replace(flow)), true)
		if err != nil {
			t.Fatal(err)
		}
		r := runner(t)
		var env map[string]string
		r.Script = func(_ context.Context, _ string, e map[string]string, _ *Redactor) error { env = e; return nil }
		report, err := r.Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range report.Checks {
			if !o.Passed {
				t.Errorf("parallel %s: %s: %s", parallel, o.Name, *o.Message)
			}
		}
		if env["TOKEN"] != "t0k!" || env["HOME"] != "${HOME}" {
			t.Errorf("parallel %s: %v", parallel, env)
		}
	}
}

func TestNotCaptured(t *testing.T) {
	url := login(t)
	run := func(text string, keep func(Check) bool) map[string]string {
		s, err := Parse([]byte("retries: 0\nchecks:\n"+strings.ReplaceAll(text, "URL", url)), true)
		if err != nil {
			t.Fatal(err)
		}
		var kept []Check
		for _, c := range s.Checks {
			if keep(c) {
				kept = append(kept, c)
			}
		}
		s.Checks = kept
		report, err := runner(t).Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, o := range report.Checks {
			if got[o.Name] = "passed"; o.Message != nil {
				got[o.Name] = *o.Message
			}
		}
		return got
	}
	all := func(Check) bool { return true }
	for _, c := range []struct {
		text string
		keep func(Check) bool
		want map[string]string
	}{
		{"  - {name: a, type: http, url: URL/login, expect: {status: 500}, capture: {t: .data.token}}\n  - {name: b, type: http, url: \"URL/${t}\"}", all,
			map[string]string{"a": "expected status 500, got 200", "b": `${t} was not captured: check "a" did not pass`}},
		{"  - {name: a, type: http, url: URL/login, capture: {t: .data.token}}\n  - {name: b, type: http, url: \"URL/${t}\"}", func(c Check) bool { return c.Name == "b" },
			map[string]string{"b": `${t} comes from check "a", which is not among those that run`}},
		{"  - {name: a, type: http, url: URL/login, capture: {t: .data.no}}\n  - {name: b, type: http, url: URL/login, capture: {u: header X-No}}", all,
			map[string]string{"a": "JSON path '.no' not found in response", "b": "nothing to capture as u: there is no header X-No"}},
		{"  - {name: a, type: http, url: URL/login, expect: {headers: {location: /other}}}\n  - {name: b, type: http, url: URL/login, expect: {headers: {x-no: ''}}}\n" +
			"  - {name: c, type: http, url: URL/login, expect: {latency: 1ms}}", all,
			map[string]string{"a": `header location does not contain "/other"`, "b": "header x-no is missing", "c": "expected an answer within 1ms"}},
	} {
		got := run(c.text, c.keep)
		for name, want := range c.want {
			if !strings.HasPrefix(got[name], want) {
				t.Errorf("%s: %q, want %q", name, got[name], want)
			}
		}
	}
	for text, want := range map[string]string{
		"[{name: a, type: http, url: 'x${t}'}, {name: b, type: http, capture: {t: .x}}]":     `checks[0]: ${t} is captured by check "b", which does not come before`,
		"[{name: b, type: http, url: 'x${t}', capture: {t: .x}}]":                            `checks[0]: ${t} is captured by check "b", which does not come before`,
		"[{name: a, type: http, capture: {t: .x}}, {name: b, type: http, capture: {t: .y}}]": `checks[1]: capture: check "a" captures t already`,
		"[{name: a, type: script, capture: {t: .x}}]":                                        "checks[0]: only http and graphql checks can capture",
		"[{name: a, type: http, capture: {t: x}}]":                                           `checks[0]: capture: "x" is neither a path in the body`,
		"[{name: a, type: http, capture: {'a b': .x}}]":                                      `checks[0]: capture: "a b" is not a valid name`,
		"[{name: a, type: http, expect: {latency: soon}}]":                                   "unsupported duration format",
	} {
		if _, err := Parse([]byte("checks: "+text), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%s): %v, want %q", text, err, want)
		}
	}
}
