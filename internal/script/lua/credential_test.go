package lua

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

const theSecret = "Zq3/secret+Value"

// echoing answers with all that it was sent, or leads elsewhere.
func echoing(t *testing.T, other func() string) (http.HandlerFunc, func() string) {
	var mu sync.Mutex
	var seen strings.Builder
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		fmt.Fprintln(&seen, r.Method, r.URL, r.Host, r.Header, string(body))
		mu.Unlock()
		for name, values := range r.Header {
			w.Header()["X-Echo-"+name] = values
		}
		all := fmt.Sprintf("%v %s %s", r.Header, r.URL, body)
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other()+"/x?h="+url.QueryEscape(r.Header.Get("Authorization")), http.StatusTemporaryRedirect)
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, all)
			z.Close()
		case "/slowly":
			for _, b := range []byte(all + "\n") {
				w.Write([]byte{b})
				w.(http.Flusher).Flush()
			}
		case "/encoded":
			fmt.Fprint(w, base64.StdEncoding.EncodeToString([]byte(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))), url.QueryEscape(theSecret))
		case "/ws":
			c, err := websocket.Accept(w, r, nil)
			if err != nil {
				return
			}
			c.Write(r.Context(), websocket.MessageText, []byte(all))
			c.Close(websocket.StatusNormalClosure, "")
		case "/digest":
			if !strings.HasPrefix(r.Header.Get("Authorization"), "Digest ") {
				w.Header().Set("WWW-Authenticate", `Digest realm="x", nonce="n"`)
				w.WriteHeader(http.StatusUnauthorized)
			}
			fmt.Fprint(w, all)
		default:
			fmt.Fprint(w, all)
		}
	}, func() string { mu.Lock(); defer mu.Unlock(); return seen.String() }
}

// thefts are attempts to read a credential, or to have it sent to another server, and what comes of each. A is the
// address of the server that it is for, B of another one that the policy permits too, H the handle.
var thefts = []struct{ name, src, want string }{
	{"print", `print(H) return "done"`, "done"},
	{"tostring", `return (tostring(H):gsub("0x%x+", "N"))`, "credential: N"},
	{"concat", `return "x" .. H`, "attempt to concatenate a credential value"},
	{"format", `return (string.format("%s", H):gsub("0x%x+", "N"))`, "credential: N"},
	{"format q", `return string.format("%q", H)`, "value has no literal form"},
	{"error", `error(H)`, "error object"},
	{"log", `log.info(H) return "done"`, "done"},
	{"index", `return H.bearer`, "attempt to index a credential value"},
	{"iterate", `for k, v in pairs(H) do return v end`, "bad argument"},
	{"length", `return #H`, "attempt to get length"},
	{"json", `return json.encode({h = H})`, "unsupported Lua type"},
	{"yaml", `return yaml.encode({h = H})`, "unsupported"},
	{"toml", `return toml.encode({h = H})`, "unsupported"},
	{"template", `return template.render_string("{{ h }}", {h = H}):sub(1, 12)`, "credential: "},
	{"return", `return H`, "credential: 0x"},
	{"metatable", `local m = getmetatable(H) m.__index = function(_, k) return rawget(_, k) end return H.bearer`, "table expected"},
	{"metatable name", `getmetatable(H).__name = "auth" return (tostring(H):gsub("0x%x+", "N"))`, "auth: N"},
	{"metatable of a table", `local t = setmetatable({}, getmetatable(H)) return http.get(A, {auth = t}).body`, "auth: give either username"},
	{"string library", `return string.rep(H, 2)`, "string expected"},
	{"crypto", `return crypto.hmac(H, "x")`, "string expected"},
	{"base64", `return base64.encode(H)`, "string expected"},
	{"write", `fs.write("x", H)`, "string expected"},
	{"variable", `return tostring(env.get("TOKEN"))`, "nil"},
	{"file", `return fs.read("token")`, "failed to read"},
	{"unknown credential", `cred("grafan")`, `no credential "grafan": did you mean grafana?`},
	{"body", `return http.post(A, {h = H}, {auth = H}).body`, "unsupported Lua type"},
	{"header", `return http.get(A, {headers = {["X-Copy"] = H}}).body`, "invalid header"},
	{"query", `return http.get(A, {query = {h = H}}).body`, "must be a string"},
	{"body that comes back", `return http.get(A, {auth = H}).body`, "[redacted]"},
	{"headers that come back", `return json.encode(http.get(A, {auth = H}).headers)`, "[redacted]"},
	{"encoded", `return http.get(A .. "/encoded", {auth = H}).body`, "[redacted][redacted]"},
	{"in parts", `local t = {} http.get(A .. "/slowly", {auth = H, on_chunk = function(c) t[#t + 1] = c end}) return table.concat(t)`, "[redacted]"},
	{"in lines", `local t = {} http.get(A .. "/slowly", {auth = H, on_line = function(c) t[#t + 1] = c end}) return table.concat(t)`, "[redacted]"},
	{"into a file", `http.get(A, {auth = H, to_file = "x"}) return fs.read("x")`, "[redacted]"},
	{"compressed", `return http.get(A .. "/gzip", {auth = H}).body`, "could not be taken out"},
	{"compressed on request", `return http.get(A, {auth = H, headers = {["accept-encoding"] = "gzip"}}).body`, "does not go with the header Accept-Encoding"},
	{"in ranges", `return http.get(A, {auth = H, headers = {Range = "bytes=0-5"}}).body`, "does not go with the header Range"},
	{"another server", `return http.get(B, {auth = H}).body`, "is not for http://"},
	{"another server by the client", `return http.client({auth = H}):get(B).body`, "is not for http://"},
	{"another server by pages", `for p in http.pages(A, {auth = H, cross_origin = true, next = function() return B end}) do end`, "is not for http://"},
	{"another server by the Host", `return http.get(A, {auth = H, headers = {Host = B:sub(8)}}).body`, "is not for http://"},
	{"redirect", `return http.get(A .. "/away", {auth = H}).body`, "h=Bearer"},
	{"proxy", `return http.client({auth = H, proxy = B}):get(A).body`, "permits a script no proxy"},
	{"own authority", `return http.client({auth = H, ca_cert = CA}):get(A).body`, "does not go with proxy, ca_cert"},
	{"no verification", `return http.client({auth = H, insecure_skip_verify = true}):get(A).body`, "does not permit insecure_skip_verify"},
	{"socket", `return http.client({auth = H, unix = "/run/x.sock"}):get(A).body`, "permits no GET of unix:/run/x.sock"},
	{"server of its own", `http.serve(0, {})`, "permits no server"},
	{"web socket", `return ws.recv(ws.connect((A:gsub("^http", "ws")) .. "/ws", {auth = H}))`, "[redacted]"},
	{"web socket elsewhere", `ws.connect((B:gsub("^http", "ws")) .. "/ws", {auth = H})`, "is not for ws://"},
	{"database elsewhere", `db.connect("postgres://" .. B:sub(8) .. "/x", {auth = P})`, "is not for 127.0.0.1"},
	{"database with a name", `db.connect("postgres://me@" .. A:sub(8) .. "/x", {auth = P})`, "one host and no user"},
	{"redis that echoes", `redis.connect("redis://" .. A:sub(8), {auth = P})`, "redis.connect"},
	{"trace and errors", `http.get(A .. "/away", {auth = H, redirects = 0}) error(http.get(A, {auth = H}).body)`, "[redacted]"},
	{"gsub of what came back", `return (http.get(A, {auth = H}).body:gsub(".", "%0 "))`, "[ r e d a c t e d ]"},
	{"custom header", `return http.get(A, {auth = K}).body`, "[redacted]"},
	{"custom header by redirect", `return http.get(A .. "/away", {auth = K}).status`, "200"},
	{"digest", `return http.get(A .. "/digest", {auth = D}).body:find("Digest") ~= nil`, "true"},
	{"sigv4", `return http.get(A, {auth = S}).body:find("AWS4") ~= nil`, "true"},
	{"guess by redaction", `return http.get(A, {query = {g = "Zq3/sec"}}).body:find("Zq3") ~= nil`, "true"},
	{"method override", `return http.get(A, {headers = {["X-HTTP-Method-Override"] = "DELETE"}}).body`, "permits no header"},
	{"environment of a module", `return require("assay.grafana").client(A, {auth = H}):health()`, "expected a value"},
	{"memory of a task", `return async.spawn(function() return tostring(H) end).await()[1]:find("secret") == nil`, "true"},
}

func policyOf(t testing.TB, src string) *Policy {
	t.Helper()
	f, err := ReadPolicy([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return &Policy{File: f, ReadOnly: f.ReadOnly}
}

func TestCredentials(t *testing.T) {
	var a, b *httptest.Server
	handle, seenByA := echoing(t, func() string { return b.URL })
	a = serve(t, handle)
	handle, seenByB := echoing(t, func() string { return a.URL })
	b = serve(t, handle)
	host := func(s *httptest.Server) string { return strings.TrimPrefix(s.URL, "http://") }
	scratch := t.TempDir()
	p := policyOf(t, fmt.Sprintf(`
version: 1
modules: [grafana, _rest]
http: [{hosts: ["%[1]s", "%[2]s"], methods: [GET, POST]}]
websockets: ["%[1]s", "%[2]s"]
databases: {hosts: ["%[1]s", "%[2]s"]}
files: {folder: ., write: true}
credentials:
  grafana: {hosts: ["%[1]s"], bearer: {env: TOKEN}}
  digest: {hosts: ["%[1]s"], username: ann, password: {env: TOKEN}, scheme: digest}
  basic: {hosts: ["%[1]s"], username: ann, password: {env: TOKEN}}
  key: {hosts: ["%[1]s"], headers: {DD-Id: {env: TOKEN}}}
  aws: {hosts: ["%[1]s"], sigv4: {access_key: {env: ACCESS}, secret_key: {env: TOKEN}, region: x, service: s3}}
`, host(a), host(b)))
	p.Scratch = scratch
	authority, err := os.ReadFile(filepath.Join("..", "stdlib", "_rest.lua"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range thefts {
		t.Run(tt.name, func(t *testing.T) {
			var out, log, trace bytes.Buffer
			w := &Wire{Trace: &trace, Record: true}
			o := Options{Policy: p, Stdout: &out, Log: &log, Wire: w, Verbose: true, Globals: map[string]any{"A": a.URL, "B": b.URL, "CA": "-----BEGIN"},
				Env: func(name string) (string, bool) {
					return map[string]string{"TOKEN": theSecret, "ACCESS": "AKIAACCESS"}[name], true
				},
				Require: func(name string) ([]byte, string, error) {
					if name == "assay._rest" {
						return authority, "@_rest", nil
					}
					src, err := os.ReadFile(filepath.Join("..", "stdlib", strings.TrimPrefix(name, "assay.")+".lua"))
					return src, "@" + name, err
				},
				Event: func(e Event) { fmt.Fprintf(&log, "%+v\n", e) },
			}
			if tt.name == "own authority" {
				o.Globals["CA"] = string(certificateOf(t))
			}
			got, err := eval(t, o, `H, D, K, S, P = cred("grafana"), cred("digest"), cred("key"), cred("aws"), cred("basic") `+tt.src)
			text := fmt.Sprint(got)
			if err != nil {
				text = err.Error()
			}
			if !strings.Contains(text, tt.want) {
				t.Errorf("%s, want %s", text, tt.want)
			}
			tape, err := w.Recording()
			if err != nil {
				t.Fatal(err)
			}
			all := text + out.String() + log.String() + trace.String() + string(tape)
			for _, form := range Forms(theSecret) {
				if strings.Contains(all, form) {
					t.Errorf("it shows %s: %s", form, all)
				}
			}
			if basic := base64.StdEncoding.EncodeToString([]byte("ann:" + theSecret)); strings.Contains(all, basic) {
				t.Errorf("it shows the credential of Basic: %s", all)
			}
		})
	}
	if strings.Contains(strings.ReplaceAll(seenByB(), "h=Bearer+", ""), "Bearer") || strings.Contains(seenByB(), "Dd-Id") {
		t.Errorf("another server was sent a credential: %s", seenByB())
	}
	if !strings.Contains(seenByA(), "Bearer "+theSecret) {
		t.Errorf("the server that it is for was not sent the credential: %s", seenByA())
	}
}

func certificateOf(t *testing.T) []byte {
	t.Helper()
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

// A credential goes in clear text to this machine alone, unless its host is named as http://.
func TestCredentialHosts(t *testing.T) {
	c := Credential{Hosts: []string{"api.example.com", "*.wide.example", "http://plain.example", "localhost:8080", "[::1]:9", "unix:/run/x.sock"}}
	for raw, want := range map[string]bool{
		"https://api.example.com/": true, "http://api.example.com/": false, "https://API.example.com.:443/": true, "https://api.example.com:8443/": false,
		"https://api.example.com.evil.example/": false, "https://api.example.com@evil.example/": false, "https://a.wide.example/": true, "https://wide.example/": false,
		"http://plain.example/": true, "https://plain.example/": true, "http://localhost:8080/": true, "http://localhost/": false, "http://[::1]:9/": true,
		"wss://api.example.com/": true, "ws://api.example.com/": false,
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.permits(u, ""); got != want {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
		if c.permits(u, "/run/y.sock") || !c.permits(u, "/run/x.sock") {
			t.Errorf("%s by a socket", raw)
		}
	}
}
