package lua

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a script sees is this and no more.
func TestGlobals(t *testing.T) {
	got, err := eval(t, Options{}, `local names = {} for k in pairs(_G) do names[#names + 1] = k end table.sort(names) return table.concat(names, " ")`)
	want := "_G _VERSION assert async base64 coroutine cred crypto db env error fs getmetatable gzip http ipairs json log math next package pairs pcall print rawequal rawget rawlen rawset redis regex require select setmetatable sleep string table template time toml tonumber tostring type utf8 ws xpcall yaml"
	if got != want || err != nil {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	for _, src := range []string{"return load", "return loadfile", "return dofile", "return collectgarbage", "return io", "return os", "return debug", "return string.dump", "return loadstring", "return setfenv", "return newproxy", "return package.path", "return package.loadlib", "return channel", "return arg"} {
		if got, err := eval(t, Options{}, src); got != nil || err != nil {
			t.Errorf("%s = %v, %v", src, got, err)
		}
	}
	// What one script does to the libraries the next VM does not see.
	if _, err := eval(t, Options{}, `string.upper = nil getmetatable("").__index = nil`); err != nil {
		t.Error(err)
	}
	if got, err := eval(t, Options{}, `return ("x"):upper()`); got != "X" || err != nil {
		t.Error(got, err)
	}
}

// permits are chunks and what becomes of them under a policy.
var permits = []struct{ policy, src, want string }{
	{"none", `return 1 + 1`, "2"},
	{"none", `http.get(U)`, "does not permit the host"},
	{"none", `return env.get("A")`, "<nil>"},
	{"none", `fs.read("x")`, "the policy permits no files"},
	{"none", `fs.write("x", "y")`, "the policy permits no files"},
	{"none", `template.render("x")`, "the policy permits no files"},
	{"none", `http.serve(0, {})`, "the policy permits no server"},
	{"none", `ws.connect("ws://example.com/")`, "permits no web socket"},
	{"none", `db.connect("postgres://u@example.com/x")`, "does not permit the host"},
	{"none", `db.connect("mysql://u@example.com/x")`, "does not permit the host"},
	{"none", `return #db.query(db.connect("sqlite::memory:"), "SELECT 1")`, "1"},
	{"none", `db.execute(db.connect("sqlite::memory:"), "ATTACH DATABASE '/tmp/x' AS y")`, "the policy permits no ATTACH"},
	{"none", `db.query(db.connect("sqlite::memory:"), "select /* */ 1; vAcUuM into 'x'")`, "the policy permits no VACUUM"},
	{"none", `http.client({insecure_skip_verify = true})`, "does not permit insecure_skip_verify"},
	{"open", `return http.get(U .. "/api/x").body`, "GET/api/x"},
	{"open", `return http.post(U .. "/api").body`, "POST/api"},
	{"open", `return http.get(U .. "/v2/x").body`, "GET/v2/x"},
	{"open", `http.delete(U .. "/api/x")`, "the policy permits no DELETE"},
	{"open", `http.head(U .. "/api/x")`, "the policy permits no HEAD"},
	{"reading", `http.client():head(U .. "/api/x")`, "the policy permits no HEAD"},
	{"get", `return http.head(U .. "/api/x").status`, "200"},
	{"get", `http.head(U .. "/api/away")`, "does not permit the host 127.0.0.2:1"},
	{"open", `http.get(U .. "/apix")`, "does not permit the path /apix"},
	{"open", `http.get(U .. "/api/../admin")`, "does not permit the path /admin"},
	{"open", `http.get(U .. "/api/%2e%2e/admin")`, "does not permit the path /admin"},
	{"open", `http.get(U .. "/api/..%2fadmin")`, "does not permit the path"},
	{"open", `http.get(U .. "/v1/y/x")`, "does not permit the path"},
	{"open", `http.get(U .. "/api/away")`, "does not permit the host 127.0.0.2:1"},
	{"open", `http.get(U .. "/admin%2f..%2Fapi/x")`, "does not permit the path"},
	{"open", `http.get(U .. "/api/..%5c..%5Cadmin")`, "does not permit the path"},
	{"open", `return http.get(U .. "/api/a%2Fb").body`, "GET/api/a/b"},
	{"open", `http.get(U .. "/api/admin")`, "does not permit the path /admin"},
	{"open", `http.get(U .. "/api", {headers = {Host = "other.example"}})`, "does not permit the host other.example"},
	{"open", `http.client():get("http://localhost/api")`, "does not permit the host"},
	{"open", `http.get("http://x@example.com:80/api")`, "does not permit the host"},
	{"open", `return tostring(env.get("A")) .. tostring(env.get("HOME"))`, "1nil"},
	{"open", `fs.write("a/b", "x") return fs.read("a/b")`, "x"},
	{"open", `return fs.read(OUT)`, "fs.read: failed to read"},
	{"open", `return fs.read("../" .. OUT)`, "fs.read: failed to read"},
	{"open", `return fs.read("link")`, "fs.read: failed to read"},
	{"open", `fs.write("link", "x")`, "fs.write: failed to write"},
	{"open", `fs.write("../x", "y")`, "fs.write: failed to"},
	{"open", `http.client({ca_cert_file = OUT})`, "failed to read CA cert file"},
	{"open", `db.connect("sqlite:x.db?mode=rwc")`, "the policy permits no database but sqlite::memory: here"},
	{"open", `db.connect("postgres://u@127.0.0.1:1/x?sslrootcert=/etc/passwd")`, "does not permit the option sslrootcert"},
	{"open", `db.connect("postgres:///x?host=127.0.0.1")`, "wants a URL with one host"},
	{"reading", `return http.get(U .. "/api/x").body`, "GET/api/x"},
	{"reading", `http.post(U .. "/api")`, "it is read-only"},
	{"reading", `ws.connect(U:gsub("^http", "ws") .. "/api")`, "permits no web socket"},
	{"open", `ws.connect(U:gsub("^http", "ws") .. "/api")`, "permits no web socket"},
	{"reading", `db.connect("postgres://u@127.0.0.1:1/x")`, "does not permit the host 127.0.0.1:1"},
	{"reading", `redis.connect("redis://127.0.0.1:1")`, "does not permit the host 127.0.0.1:1"},
	{"open", `db.connect("postgres://a%0D%0Ab@" .. U:sub(8) .. "/x")`, "permits no control characters"},
	{"open", `redis.connect("redis://127.0.0.2:1")`, "does not permit the host 127.0.0.2:1"},
	{"open", `redis.connect("redis://localhost")`, "does not permit the host localhost:6379"},
}

func TestPolicy(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/away":
			http.Redirect(w, r, "http://127.0.0.2:1/x", http.StatusFound)
		case "/api/admin":
			http.Redirect(w, r, "/admin", http.StatusFound)
		default:
			fmt.Fprint(w, r.Method, r.URL.Path)
		}
	})
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(scratch, "link")); err != nil {
		t.Logf("no symbolic links here: %v", err)
	}
	open := &Policy{Hosts: []string{u.Host}, Methods: []string{"get", "POST"}, Paths: []string{"/api", "/v*/x"}, Env: []string{"A", "B_TOKEN"}, Scratch: scratch}
	reading := *open
	reading.ReadOnly = true
	policies := map[string]*Policy{"none": {}, "open": open, "reading": &reading, "get": {Hosts: []string{u.Host}}}
	for _, c := range permits {
		o := Options{Policy: policies[c.policy], Env: func(name string) (string, bool) { return "1", true }, Globals: map[string]any{"U": s.URL, "OUT": outside}}
		got, err := eval(t, o, c.src)
		text := fmt.Sprint(got)
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, c.want) || err == nil && text != c.want {
			t.Errorf("%s: %s, want %s", c.src, text, c.want)
		}
	}
	if b, err := os.ReadFile(outside); err != nil || string(b) != "secret" {
		t.Errorf("%s, %v", b, err)
	}
}

func TestPolicyHosts(t *testing.T) {
	p := &Policy{Hosts: []string{"api.example.com", "*.internal.example", "db.example:5432", "[::1]:8080"}}
	for raw, want := range map[string]bool{
		"https://api.example.com/": true, "http://API.example.com.": true, "https://api.example.com:8443/": false, "https://x.api.example.com/": false, "https://evil.com/?api.example.com": false,
		"https://a.internal.example/": true, "https://a.b.internal.example/": true, "https://internal.example/": false, "https://ainternal.example/": false,
		"postgres://db.example:5432": true, "postgres://db.example:5433": false, "http://[::1]:8080/": true, "http://[::1]/": false, "https://api.example.com@evil.com/": false,
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.permitHost(u) == nil; got != want {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
	}
}

func TestSecrets(t *testing.T) {
	var log, out bytes.Buffer
	secret := "s3cr3t/value+x"
	o := Options{Log: &log, Stdout: &out, Env: func(name string) (string, bool) {
		return map[string]string{"API_TOKEN": secret, "DB_PASSWORD": "hunter22", "HOME": "/home/me", "SHORT_TOKEN": "abc", "GRAFANA_API_KEY": "gkey-123"}[name], true
	}}
	vm := New(o)
	defer vm.Close()
	_, err := vm.Run(t.Context(), "t", []byte(`
local t, p, h, s, k = env.get("API_TOKEN"), env.get("DB_PASSWORD"), env.get("HOME"), env.get("SHORT_TOKEN"), env.get("GRAFANA_API_KEY")
print(t)
log.info("t=" .. t .. " p=" .. p .. " h=" .. h .. " s=" .. s .. " k=" .. k)
error("bad " .. t .. " " .. p)`))
	var e *Error
	if !errors.As(err, &e) || e.Message != "t:5: bad [redacted] [redacted]" {
		t.Error(err)
	}
	if want := "INFO  t=[redacted] p=[redacted] h=/home/me s=abc k=[redacted]\n"; !strings.HasSuffix(log.String(), want) {
		t.Errorf("%q", log.String())
	}
	if out.String() != "[redacted]\n" {
		t.Errorf("%q", out.String())
	}
	if got := vm.Redact("x " + url.QueryEscape(secret) + " " + secret); got != "x [redacted] [redacted]" {
		t.Error(got)
	}
	o.Policy = &Policy{Env: []string{"API_TOKEN"}}
	out.Reset()
	if _, err := eval(t, o, `print("a" .. env.get("API_TOKEN") .. "b")`); err != nil || out.String() != "a[redacted]b\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
