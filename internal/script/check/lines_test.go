package check

import (
	"strings"
	"testing"
	"time"
)

// What is wrong with a file is told with the line that it is in.
func TestLines(t *testing.T) {
	const one = "{name: a, type: http, url: x"
	for text, want := range map[string]string{
		"checks:\n  - name: a\n   type: http\n    url: x\n":                                           "line 3: did not find expected '-' indicator",
		"checks:\n  - name: a\n    type: http\n    expect: {status: 200\n  - name: b\n":               "line 4: did not find expected ',' or '}'",
		"checks:\n  - name: a: b\n":                                                                   "line 2: mapping values are not allowed in this context",
		"vars:\n\ta: b\n":                                                                             "line 2: found character that cannot start any token",
		"checks: []\n---\nchecks:\n  - {name: b, type: http, url: x}\n":                               "line 3: a second YAML document",
		"checks: []\n---\n{":                                                                          "line 3: ",
		"checks:\n  - " + one + "}\n  -\n":                                                            "line 3: checks[1] is empty",
		"checks:\n  -\n  - " + one + "}\n":                                                            "line 2: checks[0] is empty",
		"data:\n  - {a: b}\n  -\nchecks: []\n":                                                        "line 3: data[1] is empty",
		"checks:\n  - name: a\n    type: http\n    expect:\n      json:\n        -\n":                 "line 6: the list[0] is empty",
		"checks:\n  - " + one + "}\n\n  - {name: b, type: tcp}\n":                                     "line 4: checks[1]: unknown check type",
		"checks:\n  - &a " + one + ", capture: {t: .x}}\n  - *a\n":                                    "line 2: checks[1]: capture: check \"a\" captures t already",
		"checks:\n  - " + one + "}\n  - {name: b, type: script, capture: {t: .x}}\n":                  "line 3: checks[1]: only http",
		"checks: []\ntimeout: 5h\n":                                                                   "line 2: unsupported duration format",
		"checks: []\n\nbackoff: 5h\n":                                                                 "line 3: unsupported duration format",
		"checks: []\nretries: 4000\n":                                                                 "line 2: retries: 4000",
		"checks: []\nthresholds:\n  p51: 1s\n":                                                        "line 3: thresholds: unknown limit",
		"checks:\n  - " + one + "}\n  - {name: b, type: http, retries: x, insecure_skip_verify: 3}\n": "line 3: cannot unmarshal",
	} {
		_, err := Parse([]byte(text), false)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q): %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"---\nchecks: []\n...\n", "checks: []\n---\n", "x: &x {checks: []}\n<<: *x\n", "x: &x {checks: [" + one + "}]}\n<<: *x\n"} {
		if _, err := Parse([]byte(text), false); err != nil {
			t.Errorf("Parse(%q): %v", text, err)
		}
	}
}

// What a check lacks is told before anything runs, and another attempt is not made for it.
func TestLastingErrors(t *testing.T) {
	const text = `
retries: 3
backoff: 10s
checks:
  - {name: a, type: http}
  - {name: b, type: prometheus, url: "http://127.0.0.1:1"}
  - {name: c, type: script}
  - {name: d, type: graphql, url: x}
  - {name: e, type: http, url: "ftp://x"}
  - {name: f, type: http, url: "http://127.0.0.1:1/${namee}"}
  - {name: g, type: http, url: "http://127.0.0.1:1/${UNSET_VARIABLE}"}
  - {name: h, type: http, url: "http://127.0.0.1:1/", ca: no-such-file}
vars: {name: x}
`
	s, err := Parse([]byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Incomplete, "\n"); got != "line 5: checks[0]: http check requires a 'url' field\nline 6: checks[1]: prometheus check requires a 'query' field\n"+
		"line 7: checks[2]: script check requires a 'file' field\nline 8: checks[3]: graphql check requires a 'query' field" {
		t.Error(got)
	}
	if _, err := Parse([]byte(text), true); err == nil || !strings.Contains(err.Error(), "line 7: checks[2]: script check requires a 'file' field") {
		t.Errorf("strict: %v", err)
	}
	began := time.Now()
	report, err := runner(t).Run(t.Context(), s)
	if err != nil || report.Failed() != len(s.Checks) {
		t.Fatalf("%+v, %v", report, err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if got := *report.Checks[5].Message; got != "${namee} is not known: is it ${name}?" {
		t.Error(got)
	}
}

// A name that nothing has is an error wherever it is, and a name of a check has the values
// of variables.
func TestUnknownNames(t *testing.T) {
	r := runner(t)
	r.vars, r.row = map[string]string{"region": "eu", "t": "x"}, map[string]string{"user": "ann"}
	for in, want := range map[string]string{
		"${regoin}":          "${regoin} is not known: is it ${region}?",
		"${usr|raw}":         "${usr|raw} is not known: is it ${user}?",
		"${nothing_like_it}": "${nothing_like_it} is not known: no variable, secret, column or captured value has that name",
		"${camelCase}":       "${camelCase} is not known: ",
		"${regoin:-us}":      "us",
		"${1} ${a b} ${":     "${1} ${a b} ${",
	} {
		for _, as := range []use{plain, texts, inJSON, inURL, inExpression} {
			got, err := r.expand(in, as)
			if err != nil {
				got = err.Error()
			}
			if want := strings.Replace(want, "|raw}", "}", 1); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %q, want %q", in, got, want)
			}
		}
	}
	for in, want := range map[string]string{"login of ${user} in ${region}": "login of ann in eu", "${regoin} ${user}": "${regoin} ${user}"} {
		if got := r.name(&Check{Name: in}); got != want {
			t.Errorf("the name %q, want %q", got, want)
		}
	}
}
