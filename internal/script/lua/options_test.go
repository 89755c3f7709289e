package lua

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// optionCalls are how each builtin with options is called: O is the table of options.
var optionCalls = map[string]string{
	"crypto.jwt_sign":   `crypto.jwt_sign({}, "key", "RS256", O)`,
	"crypto.jwt_verify": `crypto.jwt_verify("token", "key", O)`,
	"db.connect":        `db.connect("sqlite::memory:", O)`,
	"http.client":       `http.client(O)`,
	"http.delete":       `http.delete("http://127.0.0.1:1", O)`,
	"http.get":          `http.get("http://127.0.0.1:1", O)`,
	"http.head":         `http.head("http://127.0.0.1:1", O)`,
	"http.pages":        `http.pages("http://127.0.0.1:1", O)`,
	"http.patch":        `http.patch("http://127.0.0.1:1", nil, O)`,
	"http.post":         `http.post("http://127.0.0.1:1", nil, O)`,
	"http.put":          `http.put("http://127.0.0.1:1", nil, O)`,
	"http.serve":        `http.serve(0, {}, O)`,
	"http.request":      `http.request("PURGE", "http://127.0.0.1:1", nil, O)`,
	"json.parse":        `json.parse("1", O)`,
	"redis.connect":     `redis.connect("redis://127.0.0.1:1", O)`,
	"ws.connect":        `ws.connect("ws://127.0.0.1:1", O)`,
	"ws.recv":           `ws.recv("connection", O)`,
	"ws.send":           `ws.send("connection", "x", O)`,
	"yaml.parse":        `yaml.parse("1", O)`,
	"yaml.parse_all":    `yaml.parse_all("1", O)`,
}

func TestUnknownOptions(t *testing.T) {
	for name, a := range arities() {
		names := a.options
		if len(names) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			call, ok := optionCalls[name]
			if !ok {
				t.Fatalf("no call of %s", name)
			}
			for _, option := range names {
				wrong := option + "z"
				if slices.Contains(names, wrong) {
					continue
				}
				want := fmt.Sprintf(`%s: unknown option %q`, name, wrong)
				if len(option) > 3 {
					want += ": did you mean " + option + "?"
				}
				optionFails(t, call, fmt.Sprintf("{%s = 1}", wrong), want)
			}
			optionFails(t, call, "{qqqqqqqqqqqqq = 1}", `unknown option "qqqqqqqqqqqqq"; use `+names[0])
			optionFails(t, call, "{1}", `unknown option "1"`)
			optionFails(t, call, `"text"`, "argument must be a table or nil")
		})
	}
	optionFails(t, `http.get("http://127.0.0.1:1", O)`, `{retry = {wiat = 1}}`, `http.get: retry: unknown option "wiat": did you mean wait?`)
	optionFails(t, `http.get("http://127.0.0.1:1", O)`, `{auth = {pasword = "x"}}`, `http.get: auth: unknown option "pasword": did you mean password?`)
	optionFails(t, `http.get("http://127.0.0.1:1", O)`, `{auth = {sigv4 = {regoin = "x"}}}`, `http.get: auth: sigv4: unknown option "regoin": did you mean region?`)
	optionFails(t, `http.get("http://127.0.0.1:1", O)`, `{ca_cert = "x"}`, `unknown option "ca_cert": it is an option of http.client`)
	optionFails(t, `http.client():get("http://127.0.0.1:1", O)`, `{heders = {}}`, `http.get: unknown option "heders": did you mean headers?`)
	optionFails(t, `http.client():get("http://127.0.0.1:1", O)`, `1`, `second argument must be a table or nil`)
}

func optionFails(t *testing.T, call, options, want string) {
	t.Helper()
	src := "local O = " + options + "\n" + call
	if _, err := eval(t, Options{}, src); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s\nerror = %v, want %q", src, err, want)
	}
}

// An argument that nothing reads meant something to who wrote it.
func TestExtraArguments(t *testing.T) {
	for name, a := range arities() {
		most := a.most
		if most == 0 {
			continue
		}
		args := slices.Repeat([]string{`"x"`}, most)
		src := name + "(" + strings.Join(append(args, "{indent = 2}"), ", ") + ")"
		want := fmt.Sprintf("%s: takes %d arguments; the next, a table, would be ignored", name, most)
		if _, err := eval(t, Options{}, src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", src, err, want)
		}
	}
	for src, want := range map[string]any{
		`return json.encode({1}, 3)`:          "[1]", // the index that a loop adds
		`return json.encode({1}, nil)`:        "[1]",
		`return env.get("PATHX", nil) == nil`: true,
		`local h = async.spawn(function(a, b) return a + b end, 1, 2) return h.await()[1]`: int64(3),
	} {
		if got, err := eval(t, Options{}, src); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", src, got, err, want)
		}
	}
}

func TestAssertOptions(t *testing.T) {
	for src, want := range map[string]string{
		`assert.options({stat = 1}, "state page", "m.list")`: `m.list: unknown option "stat": did you mean state?`,
		`assert.options({x = 1}, "", "m.list")`:              `m.list: unknown option "x": there are none`,
		`assert.options("x", "state")`:                       `options: options must be a table, not a string`,
	} {
		if _, err := eval(t, Options{}, src); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", src, err, want)
		}
	}
	for _, src := range []string{`return next(assert.options(nil, "a"))`, `return next(assert.options(json.null, "a"))`, `local o = {a = 1} return assert.options(o, "b a") ~= o or nil`} {
		if got, err := eval(t, Options{}, src); err != nil || got != nil {
			t.Errorf("%s: %v, %v", src, got, err)
		}
	}
}
