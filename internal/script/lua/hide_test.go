package lua

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHidden sends and receives secrets in every place that a request and its answer have: none is
// in a trace or a recording, also where what is shown of a body is cut within one.
func TestHidden(t *testing.T) {
	const token = `tok"en/va lue99`
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/bytes":
			fmt.Fprint(w, "\xff\x00", token)
		case "/login":
			w.Header().Set("Location", "http://u:pw12345@127.0.0.1/x?token=LOCATION1")
			fmt.Fprint(w, `{"access_token": "FRESHTOKEN", "password":"PASS\"WORD", "key": "ABC-1", "next_token": "page2", "secretName": "tls"}`)
		default:
			json.NewEncoder(w).Encode(map[string]string{"auth": r.Header.Get("Authorization"), "body": string(b), "uri": r.RequestURI})
		}
	})
	base := strings.Replace(s.URL, "http://", "http://u:pw54321@", 1)
	script := `local token = env.get("MY_TOKEN")
http.get(U .. "/bytes")
http.get(U .. "/login?access_token=LITERALQ&page=2")
http.post(U .. "/form", "client_secret=FORMSECRET&grant=x", {headers = {Authorization = "Bearer LITERALAUTH", Cookie = "sid=COOKIEVALUE"}})
http.post(U .. "/basic", {token = token, password = "SENTPASS"}, {headers = {Authorization = "Basic dTpCQVNJQ1BXMTI="}})
http.get(U .. "/echo?t=" .. token)
http.post(U .. "/long", string.rep("x", 2040) .. token)`
	var trace strings.Builder
	w := &Wire{Trace: &trace, Record: true}
	o := Options{Wire: w, Globals: map[string]any{"U": base}, Env: func(name string) (string, bool) { return token, name == "MY_TOKEN" }}
	if _, err := eval(t, o, script); err != nil {
		t.Fatal(err)
	}
	recording, err := w.Recording()
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"tok\"en", `tok\"en`, "tok%22en", "lue99", "pw12345", "pw54321", "LOCATION1", "FRESHTOKEN", "WORD", "LITERALQ", "FORMSECRET", "LITERALAUTH", "SENTPASS", "BASICPW12", "dTpCQVNJQ1BXMTI="} {
		for where, text := range map[string]string{"trace": trace.String(), "recording": string(recording)} {
			if strings.Contains(text, secret) {
				t.Errorf("the %s has %q:\n%s", where, secret, text)
			}
		}
	}
	for _, kept := range []string{"page=2", `\"key\": \"ABC-1\"`, `\"next_token\": \"page2\"`, `\"secretName\": \"tls\"`} {
		if !strings.Contains(string(recording), kept) {
			t.Errorf("the recording lacks %s:\n%s", kept, recording)
		}
	}
	replay := &Wire{}
	if err := replay.Replay(recording); err != nil {
		t.Fatal(err)
	}
	s.Close()
	o.Wire, o.Env = replay, func(string) (string, bool) { return "of another", true }
	if _, err := eval(t, o, script); err != nil {
		t.Errorf("the recording cannot be replayed: %v", err)
	}
}

// A body that breaks off does so again when it is replayed.
func TestRecordFailures(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, "half")
	})
	const script = `return select(2, pcall(http.get, U .. "/short"))`
	record := &Wire{Record: true}
	o := Options{Wire: record, Globals: map[string]any{"U": s.URL}}
	want, err := eval(t, o, script)
	if err != nil || !strings.Contains(fmt.Sprint(want), "unexpected EOF") {
		t.Fatal(want, err)
	}
	recording, err := record.Recording()
	if err != nil {
		t.Fatal(err)
	}
	o.Wire = &Wire{}
	if err := o.Wire.Replay(recording); err != nil {
		t.Fatal(err)
	}
	if got, err := eval(t, o, script); err != nil || got != want {
		t.Errorf("replayed: %v, %v; want %v", got, err, want)
	}
}

// Where requests are not sent no connection to another server changes anything either.
func TestNoConnections(t *testing.T) {
	for name, w := range map[string]*Wire{"dry run": {DryRun: io.Discard}, "replay": {replay: true}} {
		for _, call := range []string{`redis.connect("redis://127.0.0.1:1")`, `db.connect("postgres://u@127.0.0.1:1/d")`, `ws.connect("ws://127.0.0.1:1/")`} {
			_, err := eval(t, Options{Wire: w}, call)
			if err == nil || !strings.Contains(err.Error(), "no connection is made where requests are not sent") {
				t.Errorf("%s: %s: %v", name, call, err)
			}
		}
	}
}

// A header that identifies somebody goes to no other server, and to none without encryption that had it.
func TestRedirectsKeepSecrets(t *testing.T) {
	var got http.Header
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	back := ""
	first := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/same" {
			got = r.Header
			return
		}
		http.Redirect(w, r, back, http.StatusTemporaryRedirect)
	})
	const script = `http.post(U, "x", {headers = {Authorization = "Bearer a", Cookie = "c", ["X-Vault-Token"] = "v", ["X-Api-Key"] = "k", ["X-Other"] = "o"}})`
	for to, want := range map[string]string{other.URL: "", first.URL + "/same": "Bearer a"} {
		back = to
		if _, err := eval(t, Options{Globals: map[string]any{"U": first.URL}}, script); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Authorization", "Cookie", "X-Vault-Token", "X-Api-Key"} {
			if sent := got.Get(name) != ""; sent != (want != "") {
				t.Errorf("redirected to %s: %s is %q", to, name, got.Get(name))
			}
		}
		if got.Get("X-Other") != "o" {
			t.Errorf("redirected to %s: X-Other is %q", to, got.Get("X-Other"))
		}
	}
}

// to_file replaces one file and no other.
func TestToFileReplacesOne(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/short" {
			w.Header().Set("Content-Length", "100")
		}
		fmt.Fprint(w, "new")
	})
	dir := t.TempDir()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	for _, name := range []string{"out.part", "short.part", "real", "short"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	linked := os.Symlink("real", filepath.Join(dir, "link")) == nil
	_, err := eval(t, Options{Dir: dir, Globals: map[string]any{"U": s.URL}}, `http.get(U, {to_file = "out"}) http.get(U, {to_file = "link"}) pcall(http.get, U .. "/short", {to_file = "short"})`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"out": "new", "out.part": "mine", "short": "mine", "short.part": "mine", "link": "new"}
	if linked {
		want["real"] = "new"
	}
	for name, text := range want {
		if got := read(name); got != text {
			t.Errorf("%s is %q, want %q", name, got, text)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.part"))
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestNoRetry counts the requests of what another try cannot help, or would tell twice.
func TestNoRetry(t *testing.T) {
	n := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n++
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/events":
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "data: first\n\n")
		case "/later":
			w.Header().Set("Retry-After", "18446744073709551616")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	for script, want := range map[string]int{
		`pcall(http.get, U .. "/loop", {retry = 3})`: maxRedirects + 1,
		`local seen = 0 pcall(http.get, U .. "/events", {retry = 3, on_event = function() seen = seen + 1 end}) assert(seen == 1)`: 1,
		`http.get(U .. "/later", {retry = 3})`:                      1,
		`pcall(http.post, U, nil, {retry = 3, body_file = "none"})`: 0,
		`pcall(http.get, U, {retry = 3, to_file = "none/x"})`:       1,
	} {
		n = 0
		if _, err := eval(t, Options{Dir: t.TempDir(), Globals: map[string]any{"U": s.URL}}, script); err != nil || n != want {
			t.Errorf("%s sent %d requests, want %d; %v", script, n, want, err)
		}
	}
}

func TestLinked(t *testing.T) {
	for header, want := range map[string]string{
		`<?p=2>; rel=next`: "?p=2",
		`<?p=1>; rel="prev", <?p=3>; rel="last next"`:  "?p=3",
		`<?p=2>; title="a; b, <c>"; rel="next last"`:   "?p=2",
		`<?p=2>; title="x\", <y>; rel=next"; rel=last`: "",
		`<?p=2>;rel="prev",<?p=4>;rel="NEXT"`:          "?p=4",
		`<?p=2`:                                        "", ``: "", `rel=next`: "",
	} {
		if got := linked(http.Header{"Link": {header}}); got != want {
			t.Errorf("linked(%s) = %q, want %q", header, got, want)
		}
	}
}

func TestSameServer(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"http://h/a", "http://H:80/b"}: true, {"https://h", "https://h:443"}: true, {"https://h", "http://h"}: false,
		{"http://h:1", "http://h:2"}: false, {"http://h", "http://g"}: false, {"http://h:443", "https://h"}: false,
	} {
		a, errA := url.Parse(pair[0])
		b, errB := url.Parse(pair[1])
		if errA != nil || errB != nil || sameServer(a, b) != want {
			t.Errorf("sameServer(%q) is not %v; %v %v", pair, want, errA, errB)
		}
	}
}

// A value that was read under the name of a secret is in nothing that a script shows, wherever it is
// in a request; one that is too short to be told from any other text is told about instead.
func TestSecretsShown(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.Query().Get("q")) })
	var out, trace, log strings.Builder
	var short []string
	o := Options{Stdout: &out, Log: &log, Wire: &Wire{Trace: &trace}, Verbose: true, Globals: map[string]any{"U": s.URL}, Short: func(name string) { short = append(short, name) },
		Env: func(name string) (string, bool) {
			v, ok := map[string]string{"API_KEY": "k3y/v4lue", "PIN_TOKEN": "abc", "EMPTY_TOKEN": "", "HOST_NAME": "host.example"}[name]
			return v, ok
		}}
	_, err := eval(t, o, `local key, pin = env.get("API_KEY"), env.get("PIN_TOKEN") env.get("EMPTY_TOKEN")
		print(key, pin, env.get("HOST_NAME"), {key} and "x" .. key)
		http.post(U .. "/" .. key, key, {query = {q = key}, headers = {["X-Thing"] = key}})`)
	if err != nil {
		t.Fatal(err)
	}
	if want := "[redacted]\tabc\thost.example\tx[redacted]\n"; out.String() != want {
		t.Errorf("print wrote %q, want %q", out.String(), want)
	}
	for name, text := range map[string]string{"trace": trace.String(), "log": log.String()} {
		if strings.Contains(text, "k3y") || strings.Contains(text, "v4lue") {
			t.Errorf("the %s shows the key:\n%s", name, text)
		}
	}
	if !strings.Contains(trace.String(), "[redacted]") || fmt.Sprint(short) != "[PIN_TOKEN]" {
		t.Errorf("told of %v; the trace is\n%s", short, trace.String())
	}
}

// A short password of a database is told about: to hide each "y" would hide every message.
func TestShortPassword(t *testing.T) {
	for password, want := range map[string]string{"y": "does not permit the host any.example:1; told", "pass": "does not permit the host any.example:1;", "permit": "does not [redacted] the host"} {
		short := ""
		_, err := eval(t, Options{Policy: &Policy{}, Short: func(string) { short = " told" }}, `redis.connect("redis://u:`+password+`@any.example:1")`)
		if text := fmt.Sprint(err, ";", short); !strings.Contains(strings.ReplaceAll(text, " ;", ";"), want) {
			t.Errorf("%s: %s, want %s", password, text, want)
		}
	}
}
