//go:build unix && !slim

package lua

import (
	"context"
	"fmt"
	"math/bits"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/net/dns/dnsmessage"
)

func TestReadPolicy(t *testing.T) {
	const head = "version: 1\n"
	tests := []struct{ name, src, want string }{
		{"empty", "", "it is empty"},
		{"no map", "- a\n", "has type"},
		{"no version", "env: [A]\n", `missing properties: ["version"]`},
		{"another version", "version: 2\n", "const"},
		{"unknown key", head + "htpp: []\n", `additional properties ["htpp"]`},
		{"unknown key of a rule", head + "http: [{hosts: [a], path: [/]}]\n", `/http/items: unexpected additional properties ["path"]`},
		{"size that is a number", head + "limits: {response: 1000}\n", `/limits/response: type: 1000 has type "integer"`},
		{"key twice", head + "env: [A]\nenv: [B]\n", "already defined"},
		{"two documents", head + "---\nversion: 1\n", "more than one document"},
		{"no hosts", head + "http: [{methods: [GET]}]\n", `missing properties: ["hosts"]`},
		{"address as host", head + "http: [{hosts: ['https://a']}]\n", `"https://a" does not match`},
		{"star within a host", head + "http: [{hosts: ['a*.example']}]\n", "does not match"},
		{"path without a slash", head + "http: [{hosts: [a], paths: [api]}]\n", "does not match"},
		{"class", head + "http: [{hosts: [a], class: reed}]\n", "reed does not equal any of"},
		{"function", head + "functions: {fs.wrote: deny}\n", "fs.wrote does not equal any of"},
		{"class of a function", head + "functions: {fs.write: no}\n", "no does not equal any of"},
		{"time", head + "limits: {time: soon}\n", `"soon" is no time`},
		{"size", head + "limits: {response: big}\n", `"big" is not a size`},
		{"credential without hosts", head + "credentials: {a: {bearer: {env: T}}}\n", `missing properties: ["hosts"]`},
		{"credential for all", head + "credentials: {a: {hosts: ['*'], bearer: {env: T}}}\n", "does not match"},
		{"two kinds", head + "credentials: {a: {hosts: [h], bearer: {env: T}, password: {env: U}}}\n", "oneOf"},
		{"no source", head + "credentials: {a: {hosts: [h], bearer: {}}}\n", "oneOf"},
		{"the header Host", head + "credentials: {a: {hosts: [h], headers: {hOst: {env: T}}}}\n", "not"},
		{"readable by scripts", head + "env: [T]\ncredentials: {a: {hosts: [h], bearer: {env: T}}}\n", "lets scripts read T"},
		{"all there is", head + `
modules: [grafana]
functions: {fs.write: deny, redis.call: write, fs.read: read}
env: [A]
http: [{hosts: [a, "*.b", "c:1", "unix:/x", "*"], methods: [GET, "*"], paths: [/a, "/b/*"], class: read, approve: true}]
databases: {hosts: ["d:1"], write: true}
websockets: [e]
files: {folder: ., write: true}
credentials: {a: {hosts: [h, "http://i"], sigv4: {access_key: {env: T}, secret_key: {file: f}, region: r, service: s}}}
limits: {time: 1s, memory: 64M, response: 1M, requests: 3}
redact: [password]
readonly: true
local: true
log: log.jsonl
`, "<nil>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadPolicy([]byte(tt.src))
			if text := fmt.Sprint(err); !strings.Contains(text, tt.want) || strings.Contains(text, "lua.") {
				t.Errorf("%s, want %s", text, tt.want)
			}
		})
	}
}

// decisions are requests and what a policy says of them.
func TestPolicyDecides(t *testing.T) {
	p := policyOf(t, `
version: 1
http:
  - {hosts: [api.example], methods: [POST], paths: [/login], class: read}
  - {hosts: [api.example], methods: [GET], paths: [/logout], class: write}
  - {hosts: [api.example], methods: [POST, DELETE], paths: [/admin], approve: true}
  - {hosts: [api.example], methods: [GET, POST, DELETE], paths: [/]}
  - {hosts: ["*"], methods: [GET]}
`)
	tests := []struct{ method, url, want, readonly string }{
		{"POST", "http://api.example/login", "read", "read"},
		{"POST", "http://api.example/logins", "write", "it is read-only"},
		{"GET", "http://api.example/logout", "write", "it is read-only"},
		{"GET", "http://api.example/x", "read", "read"},
		{"DELETE", "http://api.example/admin/1", "write approve", "it is read-only"},
		{"DELETE", "http://api.example/x/..%2fadmin/1", "write approve", "it is read-only"},
		{"DELETE", "http://api.example//admin/1", "write approve", "it is read-only"},
		{"DELETE", "http://api.example/x/%2e%2e/admin/1", "write approve", "it is read-only"},
		{"DELETE", `http://api.example/x/..%5cadmin`, "write approve", "it is read-only"},
		{"DELETE", "http://api.example/administrator", "write", "it is read-only"},
		{"PATCH", "http://api.example/x", "permits no PATCH of api.example/x", "permits no PATCH"},
		{"GET", "http://other.example/x", "read", "read"},
		{"POST", "http://other.example/x", "permits no POST of other.example/x", "permits no POST"},
		{"GET", "http://localhost/x", "permits no GET of localhost/x", "permits no GET"},
		{"GET", "http://127.0.0.1/x", "permits no GET", "permits no GET"},
		{"GET", "http://[::ffff:127.0.0.1]/x", "permits no GET", "permits no GET"},
		{"GET", "http://169.254.169.254/latest/meta-data", "permits no GET", "permits no GET"},
		{"GET", "http://0.0.0.0/x", "permits no GET", "permits no GET"},
		{"GET", "http://x.localhost./x", "permits no GET", "permits no GET"},
		{"GET", "http://10.0.0.1/x", "read", "read"},
		{"GET", "http://other.example:8080/x", "read", "read"},
	}
	reading := *p
	reading.ReadOnly = true
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.url, func(t *testing.T) {
			u, err := url.Parse(tt.url)
			if err != nil {
				t.Fatal(err)
			}
			for want, p := range map[string]*Policy{tt.want: p, tt.readonly: &reading} {
				got := "read"
				err := p.permit(tt.method, u, "")
				if err != nil {
					got = err.Error()
				} else if d, _ := p.File.Decide(tt.method, u, ""); d.Write {
					got = "write"
					if d.Approve {
						got += " approve"
					}
				}
				if got != want && (err == nil || !strings.Contains(got, want)) {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
}

// fileGrants are the sections of a policy file that name a capability of capabilities.
var fileGrants = []string{
	`http: [{hosts: ["HOST"]}]`,
	`http: [{hosts: ["HOST"], methods: [GET, POST]}]`,
	`databases: {hosts: ["HOST", "REDIS", "CLOSED"]}`,
	`databases: {hosts: ["HOST", "REDIS", "CLOSED"], write: true}`,
	`websockets: ["HOST"]`,
	`env: [A]`,
	`files: {folder: ., write: true}`,
	`readonly: true`,
}

// TestPolicyFileAndFlagsNarrow runs what a script can reach under a policy file, under flags, and under both: both permit
// what each of them permits, and nothing else.
func TestPolicyFileAndFlagsNarrow(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	address := fakeRedis(t, map[string]string{"PING": "+PONG\r\n", "GET k": "$1\r\nv\r\n"})
	host, closed := strings.TrimPrefix(s.URL, "http://"), fmt.Sprintf("127.0.0.1:%d", free(t))
	scratch := t.TempDir()
	fill := strings.NewReplacer("HOST", host, "REDIS", address, "CLOSED", closed)
	allowed := func(p *Policy, src string) bool {
		o := Options{Policy: p, Env: func(string) (string, bool) { return "1", true }, Globals: map[string]any{"U": s.URL, "R": address, "C": closed}}
		_, err := eval(t, o, src)
		return err == nil || !strings.Contains(err.Error(), "policy") && !strings.Contains(err.Error(), "escapes")
	}
	flags := func(set int) *Policy {
		p := &Policy{}
		for i, g := range grants {
			if set&(1<<i) != 0 {
				g.set(p, []string{host, address, closed}, scratch)
			}
		}
		return p
	}
	for _, c := range capabilities {
		t.Run(c.src, func(t *testing.T) {
			for file := range 1 << len(fileGrants) {
				if n := bits.OnesCount(uint(file)); n > 3 && n < len(fileGrants)-1 {
					continue // three sections show what two do together
				}
				src := "version: 1\n"
				for i, g := range fileGrants {
					if file&(1<<i) != 0 {
						src += fill.Replace(g) + "\n"
					}
				}
				f, err := ReadPolicy([]byte(src))
				if err != nil {
					continue // a section twice
				}
				with := func(set int) *Policy {
					p := flags(set)
					p.File, p.ReadOnly, p.Scratch = f, p.ReadOnly || f.ReadOnly, ""
					if f.Files.Folder != "" {
						p.Scratch = scratch
					}
					return p
				}
				byFile := allowed(with(0), c.src)
				for _, set := range []int{1, 1 | 4, 8 | 64, 1 | 2 | 4 | 8 | 16 | 32 | 64, 255} {
					both := allowed(with(set), c.src)
					if both && !byFile {
						t.Fatalf("%s allow what the file refuses:\n%s", names(set), src)
					}
					// Flags of each kind narrow; files are those that the policy file names.
					if all := 1 | 2 | 4 | 8 | 16 | 32 | 64; set&all == all && both && !allowed(flags(set), c.src) {
						t.Fatalf("%s and the file allow what the flags refuse:\n%s", names(set), src)
					}
				}
			}
		})
	}
}

// fences are what a script tries under the limits of a policy, and what comes of it.
func TestPolicyLimits(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/long":
			fmt.Fprint(w, strings.Repeat("x", 2000))
		case "/stream":
			for range 2000 {
				fmt.Fprint(w, "x\n")
				w.(http.Flusher).Flush()
			}
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/ws":
			if c, err := websocket.Accept(w, r, nil); err == nil {
				c.Write(r.Context(), websocket.MessageText, []byte(strings.Repeat("x", 2000)))
				c.Close(websocket.StatusNormalClosure, "")
			}
		default:
			w.Header().Set("X-Api-Key", "value")
			fmt.Fprintf(w, `{"password": "value", "deep": [{"Token":{"a":["value"]}}], "p\u0061ssword": 12, "kept": "it's 5\" {\"x\": 1}", "other": "password"}`)
		}
	})
	host := strings.TrimPrefix(s.URL, "http://")
	limited := `version: 1
http: [{hosts: ["HOST"]}]
websockets: ["HOST"]
limits: {response: "1000", requests: 5}
functions: {crypto.jwt_sign: deny, template.render: write}
`
	hiding := "version: 1\nhttp: [{hosts: [\"HOST\"]}]\nredact: [password, token, x-api-key]\n"
	tests := []struct{ name, policy, src, want string }{
		{"short", limited, `return #http.get(U .. "/").body > 100`, "true"},
		{"long", limited, `return http.get(U .. "/long").body`, "longer than 1000 bytes"},
		{"long in chunks", limited, `http.get(U .. "/stream", {on_chunk = function() end})`, "longer than 1000 bytes"},
		{"long in lines", limited, `http.get(U .. "/stream", {on_line = function() end})`, "longer than 1000 bytes"},
		{"long, tried again", limited, `http.get(U .. "/long", {retry = {times = 3, wait = 0.01}})`, "longer than 1000 bytes"},
		{"long message", limited, `ws.recv(ws.connect((U:gsub("^http", "ws")) .. "/ws"))`, "read limited"},
		{"many", limited, `for i = 1, 6 do http.get(U) end`, "no more than 5 requests"},
		{"many caught", limited, `for i = 1, 9 do ok, e = pcall(http.get, U) end error(e)`, "no more than 5 requests"},
		{"many by tasks", limited, `for i = 1, 9 do async.spawn(function() http.get(U) end).await() end`, "no more than 5 requests"},
		{"many by redirects", limited, `http.get(U .. "/loop")`, "no more than 5 requests"},
		{"function", limited, `crypto.jwt_sign({}, "k", "HS256")`, "does not permit this function"},
		{"function by another name", limited, `local f = crypto.jwt_sign f({}, "k", "HS256")`, "does not permit this function"},
		{"function that is not named", limited, `return crypto.hash("x"):sub(1, 1)`, "2"},
		{"redacted", hiding, `return http.get(U).body`,
			`{"deep":[{"Token":"[redacted]"}],"kept":"it's 5\" {\"x\": 1}","other":"password","password":"[redacted]"}`},
		{"redacted header", hiding, `return http.get(U).headers["x-api-key"] .. http.get(U).header_values["x-api-key"][1]`, "[redacted][redacted]"},
		{"redacted lines", hiding, `local t = "" http.get(U, {on_line = function(l) t = t .. l end}) return t:find("value", 1, true)`, "<nil>"},
		{"redacted, head", hiding, `return http.head(U).status`, "200"},
		{"range", hiding, `http.get(U, {headers = {Range = "bytes=1-2"}})`, "does not go with the header Range"},
		{"compression", hiding, `http.get(U, {headers = {["Accept-Encoding"] = "gzip"}})`, "does not go with the header Accept-Encoding"},
		{"compression of the client", hiding, `return http.client({compression = true}):get(U).body:find("value", 1, true)`, "<nil>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := policyOf(t, strings.ReplaceAll(tt.policy, "HOST", host))
			got, err := eval(t, Options{Policy: p, Globals: map[string]any{"U": s.URL}}, tt.src)
			text := fmt.Sprint(got)
			if err != nil {
				text = err.Error()
			}
			if !strings.Contains(text, tt.want) {
				t.Errorf("%s, want %s", text, tt.want)
			}
		})
	}
}

func TestRedactMembers(t *testing.T) {
	for src, want := range map[string]string{
		`{"p":1}`: `{"p":"[redacted]"}`, `{"P":"a\"b","q":2}`: `{"P":"[redacted]","q":2}`, `{"p" : {"p":[1,"]"]}, "q":1234567890123456789}`: `{"p":"[redacted]","q":1234567890123456789}`,
		`{"q":"p"}`: `{"q":"p"}`, `["p"]`: `["p"]`, `{"pp":"<"}`: `{"pp":"<"}`, "{\"p\":1}\n{\"p\":true}\n": "{\"p\":\"[redacted]\"}\n{\"p\":\"[redacted]\"}",
		`{"\u0070":1}`: `{"p":"[redacted]"}`, "": "", `{"a":{"p":1}}`: `{"a":{"p":"[redacted]"}}`, `[{"p":null}]`: `[{"p":"[redacted]"}]`, `{"p":1,"p":2}`: `{"p":"[redacted]"}`,
		"other text": "other text", `{"p":[1,2`: "error", `5" {"p":"x"}`: "error", "<p>x</p>": "error", "{} P": "error",
	} {
		got, err := redactMembers([]byte(src), []string{"p"})
		text := strings.TrimSuffix(string(got), "\n")
		if err != nil {
			text = "error"
		}
		if text != want {
			t.Errorf("%s: %s, want %s", src, text, want)
		}
	}
}

// A name leads to no address of this machine, whatever answers for it, in HTTP, web sockets, Redis and databases, with
// every option that makes a connection.
func TestPolicyNamesAreNotLocal(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.URL, "http://"))
	const name = "rebound.example."
	at, resolver := net.JoinHostPort(name, port), nameserver(t, netip.MustParseAddr("127.0.0.1"))
	src := fmt.Sprintf("version: 1\nhttp: [{hosts: [%q]}]\nwebsockets: [%[1]q]\ndatabases: {hosts: [%[1]q]}\n", at)
	for _, call := range []string{
		`http.get("http://AT/")`, `http.client({connect_timeout = 2}):get("http://AT/")`, `http.client({tls_timeout = 2}):get("http://AT/")`,
		`ws.connect("ws://AT/")`, `redis.connect("redis://AT")`, `redis.connect("rediss://AT")`, `db.connect("postgres://u@AT/x?sslmode=disable")`, `db.connect("mysql://u@AT/x")`,
	} {
		t.Run(call, func(t *testing.T) {
			p := policyOf(t, src)
			p.Resolver = resolver
			_, err := eval(t, Options{Policy: p}, strings.ReplaceAll(call, "AT", at))
			if err == nil || !strings.Contains(err.Error(), "to be this machine") {
				t.Errorf("%v", err)
			}
			if !strings.HasPrefix(call, "http") {
				return // another protocol waits for what this server does not say
			}
			p = policyOf(t, src+"local: true\n")
			p.Resolver = resolver
			if _, err = eval(t, Options{Policy: p}, strings.ReplaceAll(call, "AT", at)); err != nil {
				t.Errorf("with local: %v", err)
			}
		})
	}
}

// nameserver returns a resolver by which every name leads to one address.
func nameserver(t *testing.T, to netip.Addr) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		b := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(b)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(b[:n]) != nil || len(m.Questions) == 0 {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}, Body: &dnsmessage.AResource{A: to.As4()}}}
			}
			if out, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(out, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func TestPolicyDialer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, p := range []*Policy{nil, {}, policyOf(t, "version: 1\n")} {
		conn, err := p.dialer(time.Second)(context.Background(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err) // a policy that names the address means it
		}
		conn.Close()
	}
}

// A script of the user's own that may write nothing reads as it does without a policy.
func TestReadOnly(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method) })
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := eval(t, Options{Dir: dir}, `local c = db.connect("sqlite:x.db?mode=rwc") db.execute(c, "CREATE TABLE t (x)") db.execute(c, "INSERT INTO t VALUES (1)")`); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ src, want string }{
		{`return http.get(U).body`, "GET"},
		{`return http.request("OPTIONS", U).body`, "OPTIONS"},
		{`return http.client({insecure_skip_verify = true}):get(U).body`, "GET"},
		{`return env.get("A")`, "1"},
		{`return fs.read("f")`, "text"},
		{`return db.query(db.connect("sqlite:x.db"), "SELECT x FROM t")[1].x`, "1"},
		{`http.post(U, "x")`, "it is read-only"},
		{`http.request("PURGE", U)`, "it is read-only"},
		{`fs.write("f", "x")`, "permits no file to be written"},
		{`http.get(U, {to_file = "f"})`, "permits no file to be written"},
		{`db.execute(db.connect("sqlite:x.db"), "DELETE FROM t")`, "databases are read-only"},
		{`db.query(db.connect("sqlite:x.db"), "WITH y AS (SELECT 1) SELECT writefile('f', 'x')")`, "no such function"},
		{`db.connect("sqlite:new.db?mode=rwc")`, "unable to open"},
		{`ws.connect((U:gsub("^http", "ws")))`, "permits no web socket"},
	} {
		t.Run(tt.src, func(t *testing.T) {
			o := Options{Dir: dir, Policy: &Policy{Own: true, ReadOnly: true}, Globals: map[string]any{"U": s.URL}, Env: func(string) (string, bool) { return "1", true }}
			got, err := eval(t, o, tt.src)
			text := fmt.Sprint(got)
			if err != nil {
				text = err.Error()
			}
			if !strings.Contains(text, tt.want) {
				t.Errorf("%s, want %s", text, tt.want)
			}
		})
	}
	if b, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || string(b) != "text" {
		t.Errorf("%s, %v", b, err)
	}
}
