//go:build unix && !slim

package lua

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A path that a server behind a proxy, a servlet container or a second decoder takes for another one is held to the rules of both.
func TestPolicyPathForms(t *testing.T) {
	p := policyOf(t, `
version: 1
http:
  - {hosts: [api.example], methods: [GET, DELETE], paths: [/admin], approve: true}
  - {hosts: [api.example], methods: [GET, DELETE], paths: [/public]}
  - {hosts: [open.example], methods: [GET, DELETE], paths: [/admin], approve: true}
  - {hosts: [open.example], methods: [GET, DELETE]}
`)
	tests := []struct{ name, path, want string }{
		{"a parameter", "/public/x;v=1", "sent"},
		{"a parameter of the path itself", "/public;v=1/x", "refused"},
		{"a parameter of the marked path", "open/admin;x", "approve"},
		{"a parameter within the marked path", "open/admin;x=1/users", "approve"},
		{"a parameter of another path", "open/administrator;x=1", "sent"},
		{"dots with a parameter", "/public/..;/admin", "approve"},
		{"dots with a parameter, encoded", "/public/..%3b/admin", "approve"},
		{"dots with a parameter that leave", "/public/..;a=b/secret", "refused"},
		{"dots encoded twice", "/public/%252e%252e/admin", "approve"},
		{"dots encoded twice that leave", "/public/%252e%252e%252fsecret", "refused"},
		{"dots encoded three times", "/public/%25252e%25252e/secret", "refused"},
		{"a backslash encoded twice", `/public/..%255c..%255cadmin`, "approve"},
		{"a backslash encoded twice that leaves", "/public/..%255c..%255csecret", "refused"},
		{"a backslash encoded twice in a name", "/public/a%255cb", "sent"},
		{"dots encoded twice behind a percent sign", "/public/100%25/%252e%252e/%252e%252e/secret", "refused"},
		{"encoded many times", "/public/%" + strings.Repeat("25", 1000) + "2e", "refused"},
		{"a percent sign", "/public/100%25", "sent"},
		{"a percent sign and digits", "/public/5%2525", "sent"},
		{"an end of text", "/public/..%00/secret", "refused"},
		{"an end of text behind", "/admin%00", "refused"},
		{"a line end", "/public/%0d%0ax", "refused"},
		{"overlong dots", "/public/%c0%ae%c0%ae/secret", "refused"},
		{"a name in UTF-8", "/public/caf%C3%A9", "sent"},
		{"three dots", "/public/.../x", "sent"},
		{"a dot and a semicolon in a name", "/public/a..;b", "sent"},
		{"full-width dots", "/public/%EF%BC%8E%EF%BC%8E/secret", "sent"}, // a name like others
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			host, path, _ := strings.Cut(tt.path, "/")
			u, err := url.Parse("http://" + cmp.Or(host, "api") + ".example/" + path)
			if err != nil {
				t.Fatal(err)
			}
			d, err := p.File.Decide(http.MethodDelete, u, "")
			got := "sent"
			switch {
			case err != nil:
				got = "refused"
			case d.Approve:
				got = "approve"
			}
			if got != tt.want {
				t.Errorf("%s, want %s (%v)", got, tt.want, err)
			}
		})
	}
}

// Servers take some headers for another method, path or host, also where they are written with _.
func TestPolicyRefusesHeaders(t *testing.T) {
	var sent []string
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { sent = append(sent, fmt.Sprint(r.Header)) })
	p := policyOf(t, `version: 1
http: [{hosts: ["`+strings.TrimPrefix(s.URL, "http://")+`"]}]
`)
	tests := []struct{ header, value, want string }{
		{"X-HTTP-Method-Override", "DELETE", "permits no header"},
		{"x_http_method_override", "DELETE", "permits no header"},
		{"X-HTTP_Method-Override", "DELETE", "permits no header"},
		{"X-Original-URL", "/admin", "permits no header"},
		{"X-Original-URI", "/admin", "permits no header"},
		{"X-Forwarded-Uri", "/admin", "permits no header"},
		{"X-Forwarded-Host", "other.example", "permits no header"},
		{"X-Forwarded-Prefix", "/admin", "permits no header"},
		{"Forwarded", "host=other.example", "permits no header"},
		{"X-Original-Path", "/admin", "permits no header"},
		{"X-Envoy-Original-Path", "/admin", "permits no header"},
		{"X-Original-Host", "other.example", "permits no header"},
		{"X_HTTP_Host_Override", "other.example", "permits no header"},
		{"Destination", "/admin/x", "permits no header"},
		{"X-Destination", "/x", "<nil>"},
		{"Upgrade", "websocket", "permits no header"},
		{"HTTP2-Settings", "AAMAAABkAAQAAP__", "permits no header"},
		{"Sec-WebSocket-Key", "x", "permits no header"},
		{"X-Forwarded-For", "10.0.0.1", "<nil>"},
		{"X-Method", "GET", "<nil>"},
		{"Connection", "close", "<nil>"},
	}
	for _, tt := range tests {
		t.Run(tt.header, func(t *testing.T) {
			sent = nil
			for _, src := range []string{`http.get(U, {headers = {[N] = V}})`, `http.client({headers = {[N] = V}}):get(U)`} {
				_, err := eval(t, Options{Policy: p, Globals: map[string]any{"U": s.URL, "N": tt.header, "V": tt.value}}, src)
				if got := fmt.Sprint(err); !strings.Contains(got, tt.want) {
					t.Errorf("%s: %s, want %s", src, got, tt.want)
				}
			}
			if tt.want != "<nil>" && len(sent) > 0 {
				t.Errorf("sent: %s", sent)
			}
		})
	}
}

// A server that changes to another protocol is not read: what it then says is neither limited nor redacted.
func TestPolicyRefusesUpgrades(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprintf(rw, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\nX-Echo: %s\r\n\r\n%[1]s\n", r.Header.Get("Authorization"))
		_ = rw.Flush()
	})
	p := policyOf(t, fmt.Sprintf("version: 1\nhttp: [{hosts: [%q]}]\ncredentials: {api: {hosts: [%[1]q], bearer: {env: TOKEN}}}\n", strings.TrimPrefix(s.URL, "http://")))
	o := Options{Policy: p, Globals: map[string]any{"U": s.URL}, Env: func(string) (string, bool) { return theSecret, true }}
	got, err := eval(t, o, `local r = http.get(U, {auth = cred("api")}) return r.body .. json.encode(r.headers)`)
	if err == nil || !strings.Contains(err.Error(), "another protocol") {
		t.Errorf("%v, %v", got, err)
	}
}

// A web socket leads where the policy permits one: a server that redirects it to another one leads to none there.
func TestPolicyOfRedirectedSockets(t *testing.T) {
	var to string
	accept := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
			return
		}
		if c, err := websocket.Accept(w, r, nil); err == nil {
			_, _, _ = c.Read(r.Context())
			c.CloseNow()
		}
	}
	a, b := serve(t, accept), serve(t, accept)
	host := func(s *httptest.Server) string { return strings.TrimPrefix(s.URL, "http://") }
	p := policyOf(t, fmt.Sprintf("version: 1\nhttp: [{hosts: [%q, %q]}]\nwebsockets: [%[1]q]\nfunctions: {ws.send: approve}\n", host(a), host(b)))
	for _, tt := range []struct{ name, to, want string }{{"elsewhere", b.URL + "/x", "does not permit the host"}, {"to the same server", a.URL + "/x", "it needs an approval"}} {
		t.Run(tt.name, func(t *testing.T) {
			to = tt.to
			o := Options{Policy: p, Approvals: &Approvals{}, Globals: map[string]any{"U": "ws://" + host(a) + "/away"}}
			_, err := eval(t, o, `ws.send(ws.connect(U), "x")`)
			if !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
			if p := o.Approvals.Pending(); p != nil && p.Arguments[0] != tt.to {
				t.Errorf("shown: %s, want %s", p.Arguments[0], tt.to)
			}
		})
	}
}

// How long a stream waits tells nothing of a secret: a script that has a server send guesses could else find it, a
// character after another.
func TestCredentialIsNotGuessedByWaiting(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Query().Get("guess"))
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
		case <-time.After(100 * time.Millisecond):
		}
		fmt.Fprint(w, "!")
	})
	p := policyOf(t, fmt.Sprintf("version: 1\nhttp: [{hosts: [%q]}]\ncredentials: {api: {hosts: [api.example], bearer: {env: TOKEN}}}\n", strings.TrimPrefix(s.URL, "http://")))
	first := func(guess string) string {
		o := Options{Policy: p, Globals: map[string]any{"U": s.URL, "G": guess}, Env: func(string) (string, bool) { return theSecret, true }}
		got, err := eval(t, o, `cred("api") local first http.get(U, {query = {guess = G}, on_chunk = function(c) first = first or c end}) return first`)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(got)
	}
	for n := 1; n < 6; n++ {
		right, wrong := theSecret[:n], strings.Repeat("#", n)
		if a, b := first("x "+right), first("x "+wrong); strings.ReplaceAll(a, right, wrong) != b {
			t.Errorf("after %d characters: %q of a right guess, %q of a wrong one", n, a, b)
		}
	}
	// Lines come at once: events are not late.
	if got := first("data: 1\n\n"); got != "data: 1\n\n" {
		t.Errorf("an event waits: %q", got)
	}
}

// TestCredentialInErrors has a server answer with the credential in place of an answer.
func TestCredentialInErrors(t *testing.T) {
	for name, answer := range map[string]string{
		"a status": "HTTP/1.1 %s\r\n\r\n", "a header": "HTTP/1.1 200 OK\r\n%s\r\n\r\n", "another protocol": "-ERR %s\r\n", "a trailer": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n%s\r\n\r\n", "a place": "HTTP/1.1 302 Found\r\nLocation: http://%%zz%s/\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if conn, rw, err := w.(http.Hijacker).Hijack(); err == nil {
					fmt.Fprintf(rw, answer, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
					_ = rw.Flush()
					_ = conn.Close()
				}
			})
			p := policyOf(t, fmt.Sprintf("version: 1\nhttp: [{hosts: [%q]}]\ncredentials: {api: {hosts: [%[1]q], bearer: {env: TOKEN}}}\n", strings.TrimPrefix(s.URL, "http://")))
			o := Options{Policy: p, Globals: map[string]any{"U": s.URL}, Env: func(string) (string, bool) { return theSecret, true }}
			got, err := eval(t, o, `local ok, why = pcall(http.get, U, {auth = cred("api")}) return (tostring(why):gsub("[^%w]", ""))`)
			if text := fmt.Sprint(got); err != nil || strings.Contains(text, "Zq3secretValue") || !strings.Contains(text, "httpget") {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
	address := fakeRedis(t, map[string]string{"PING": "+PONG\r\n", "AUTH me " + theSecret: "+OK\r\n", "GET k": "-ERR " + theSecret + "\r\n", "MGET k": "*1\r\n-ERR " + theSecret + "\r\n"})
	p := policyOf(t, fmt.Sprintf("version: 1\ndatabases: {hosts: [%q]}\ncredentials: {api: {hosts: [%[1]q], username: me, password: {env: TOKEN}}}\n", address))
	o := Options{Policy: p, Globals: map[string]any{"R": address}, Env: func(string) (string, bool) { return theSecret, true }}
	got, err := eval(t, o, `local c = redis.connect("redis://" .. R, {auth = cred("api")})
local _, why = pcall(redis.call, c, "GET", "k") return ((why .. redis.call(c, "MGET", "k")[1].err):gsub("[^%w]", ""))`)
	if text := fmt.Sprint(got); err != nil || text != "rediscallGETERRredactedERRredacted" {
		t.Errorf("%s, %v", text, err)
	}
}

// Parts of what another request of the script left on the server come back without a credential.
func TestCredentialInRanges(t *testing.T) {
	kept := ""
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if a := r.Header.Get("Authorization"); a != "" {
			kept = a
		}
		http.ServeContent(w, r, "kept.txt", time.Time{}, strings.NewReader(kept))
	})
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "f.txt", time.Time{}, strings.NewReader("0123456789"))
	})
	host := func(s *httptest.Server) string { return strings.TrimPrefix(s.URL, "http://") }
	p := policyOf(t, fmt.Sprintf(`version: 1
http: [{hosts: [%q, %q]}]
credentials: {api: {hosts: [%[1]q], bearer: {env: TOKEN}}}
`, host(s), host(other)))
	o := Options{Policy: p, Globals: map[string]any{"U": s.URL, "O": other.URL}, Env: func(string) (string, bool) { return theSecret, true }}
	got, err := eval(t, o, `http.get(U, {auth = cred("api")}) return http.get(U, {headers = {Range = "bytes=7-12"}}).body`)
	if err == nil || !strings.Contains(err.Error(), "Range") {
		t.Errorf("%v, %v", got, err)
	}
	for _, name := range []string{"Request-Range", "A-IM"} { // which some servers take for the same
		if got, err = eval(t, o, `return http.get(U, {headers = {["`+name+`"] = "bytes=7-12"}}).body`); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	// A run that does not use the credential is not shown the secret either.
	if got, err := eval(t, o, `return http.get(U).body`); fmt.Sprint(got) != "Bearer [redacted]" {
		t.Errorf("of a later run: %v, %v", got, err)
	}
	if got, err := eval(t, o, `cred("api") return http.get(O, {headers = {Range = "bytes=2-3"}}).body`); fmt.Sprint(got) != "23" {
		t.Errorf("of another server: %v, %v", got, err)
	}
}

// A secret that is hidden in a member is hidden too where a server writes JSON into a string, or in another charset.
func TestRedactNested(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"an object in a string", `{"last":"{\"data\":{\"p\":\"x\"}}"}`, `{"last":"{\"data\":{\"p\":\"[redacted]\"}}"}`},
		{"a list in a string", `["[{\"P\":1}]"]`, `["[{\"P\":\"[redacted]\"}]"]`},
		{"twice", `{"a":"{\"b\":\"{\\\"p\\\":1}\"}"}`, `{"a":"{\"b\":\"{\\\"p\\\":\\\"[redacted]\\\"}\"}"}`},
		{"a string that looks like an object", `{"a":"{p}"}`, `{"a":"{p}"}`},
		{"with a text behind", `{"a":"{\"p\":1}] \"p\" and more"}`, `{"a":"{\"p\":\"[redacted]\"}] \"p\" and more"}`},
		{"a comma before the end", `{"a":"{\"q\":1, \"p\" : 2,}"}`, `{"a":"[redacted]"}`},
		{"a text that is cut", `["{\"q\":1} {\"P\": \"x"]`, `["{\"q\":1}[redacted]"]`},
		{"a text that is cut in a string", `["{\"q\":\"{\\\"p\\\":1"]`, `["[redacted]"]`},
		{"a text that is cut without such a name", `["{\"q\": \"p\", \"pp\": \"x"]`, `["{\"q\": \"p\", \"pp\": \"x"]`},
		{"lines in a string", `{"a":"{\"p\":1}\n {\"q\": 2}\n{\"p\":3}\n"}`, `{"a":"{\"p\":\"[redacted]\"}\n {\"q\": 2}\n{\"p\":\"[redacted]\"}\n"}`},
		{"with a bracket behind and no such name", `{"a":"{\"q\": 1}]"}`, `{"a":"{\"q\": 1}]"}`},
		{"a string that has it otherwise", `{"a":"{ \"q\": \"p\" }"}`, `{"a":"{ \"q\": \"p\" }"}`},
		{"two bytes each", "{\x00\"\x00p\x00\"\x00:\x001\x00}\x00", "error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := redactMembers([]byte(tt.src), []string{"p"})
			text := strings.TrimSuffix(string(got), "\n")
			if err != nil {
				text = "error"
			}
			if text != tt.want {
				t.Errorf("%s, want %s", text, tt.want)
			}
		})
	}
}

// Neither the policy nor its log is a file that its scripts can write.
func TestPolicyIsNotWritable(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, src, path, want string }{
		{"beside", "files: {folder: data, write: true}\nlog: log.jsonl\n", filepath.Join(dir, "p.yaml"), "<nil>"},
		{"within", "files: {folder: ., write: true}\n", filepath.Join(dir, "p.yaml"), "the policy lies in the folder that scripts write"},
		{"within, only read", "files: {folder: .}\nlog: log.jsonl\n", filepath.Join(dir, "p.yaml"), "<nil>"},
		{"the log", "files: {folder: data, write: true}\nlog: data/log.jsonl\n", filepath.Join(dir, "p.yaml"), "the log lies in the folder that scripts write"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := policyOf(t, "version: 1\n"+tt.src).File
			f.Path = tt.path
			if f.Log != "" {
				f.Log = filepath.Join(dir, f.Log)
			}
			if err := f.Locate(dir, filepath.Join(dir, f.Files.Folder)); !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// A password goes to a database by an encrypted connection alone, unless its host is this machine or says http://.
func TestCredentialOfDatabases(t *testing.T) {
	p := policyOf(t, `version: 1
databases: {hosts: ["db.example:5432", "db.example:6379", "db.example:3306", "plain.example:6379", "other.example:5432", "*.wide.example:5432", "127.0.0.1:6379"]}
credentials:
  pg: {hosts: ["db.example:5432", "db.example:6379", "db.example:3306", "http://plain.example:6379", "*.wide.example:5432", "127.0.0.1:6379"], username: me, password: {env: TOKEN}}
`)
	p.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no network") }}
	tests := []struct{ name, src, want string }{
		{"redis", `redis.connect("redis://db.example", {auth = cred("pg")})`, "without TLS"},
		{"redis with an option of PostgreSQL", `redis.connect("redis://db.example?sslmode=verify-full", {auth = cred("pg")})`, "without TLS"},
		{"redis with an option of MySQL", `redis.connect("redis://db.example?ssl-mode=verify_identity", {auth = cred("pg")})`, "without TLS"},
		{"redis with TLS and an option", `redis.connect("rediss://db.example?sslmode=disable", {auth = cred("pg")})`, "does not permit the option sslmode"},
		{"redis of this machine", `redis.connect("redis://127.0.0.1?x=y", {auth = cred("pg")})`, "does not permit the option x"},
		{"redis with TLS", `redis.connect("rediss://db.example", {auth = cred("pg")})`, "no network"},
		{"redis that may be plain", `redis.connect("redis://plain.example", {auth = cred("pg")})`, "no network"},
		{"PostgreSQL without TLS", `db.connect("postgres://db.example/x?sslmode=disable", {auth = cred("pg")})`, "without TLS"},
		{"PostgreSQL that may do without", `db.connect("postgres://db.example/x?sslmode=prefer", {auth = cred("pg")})`, "without TLS"},
		{"PostgreSQL that does not say", `db.connect("postgres://db.example/x", {auth = cred("pg")})`, "without TLS"},
		{"PostgreSQL with any certificate", `db.connect("postgres://db.example/x?sslmode=require", {auth = cred("pg")})`, "without TLS"},
		{"PostgreSQL with a certificate for any host", `db.connect("postgres://db.example/x?sslmode=verify-ca", {auth = cred("pg")})`, "without TLS"},
		{"PostgreSQL with an option of MySQL", `db.connect("postgres://db.example/x?ssl-mode=verify_identity", {auth = cred("pg")})`, "without TLS"},
		{"PostgreSQL with two modes", `db.connect("postgres://db.example/x?sslmode=disable&sslmode=verify-full", {auth = cred("pg")})`, "without TLS"},
		{"PostgreSQL on another host too", `db.connect("postgres://other.example,a.wide.example/x?sslmode=verify-full", {auth = cred("pg")})`, "one host"},
		{"PostgreSQL on a host of many", `db.connect("postgres://a.wide.example/x?sslmode=verify-full", {auth = cred("pg")})`, "no network"},
		{"PostgreSQL with TLS", `db.connect("postgres://db.example/x?sslmode=verify-full", {auth = cred("pg")})`, "no network"},
		{"MySQL that does not say", `db.connect("mysql://db.example/x", {auth = cred("pg")})`, "without TLS"},
		{"MySQL with an option of PostgreSQL", `db.connect("mysql://db.example/x?sslmode=verify-full", {auth = cred("pg")})`, "without TLS"},
		{"MySQL with any certificate", `db.connect("mysql://db.example/x?ssl-mode=REQUIRED", {auth = cred("pg")})`, "without TLS"},
		{"MySQL with a certificate for any host", `db.connect("mysql://db.example/x?ssl-mode=verify_ca", {auth = cred("pg")})`, "without TLS"},
		{"MySQL with both options", `db.connect("mysql://db.example/x?ssl-mode=VERIFY_IDENTITY&sslmode=disable", {auth = cred("pg")})`, "does not permit the option sslmode"},
		{"MySQL with TLS", `db.connect("mysql://db.example/x?ssl-mode=verify_identity", {auth = cred("pg")})`, "no network"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Policy: p, Env: func(string) (string, bool) { return theSecret, true }}
			if _, err := eval(t, o, tt.src); err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), theSecret) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// Statements that a policy of reading or of writing refuses though they begin as permitted ones.
func TestPolicyRefusesStatements(t *testing.T) {
	reading, writing := policyOf(t, "version: 1\n"), policyOf(t, "version: 1\ndatabases: {hosts: [a], write: true}\n")
	tests := []struct {
		name, sql string
		write     bool // refused under both
	}{
		{"a text that is run", `SELECT query_to_xml('select pg_re' || 'ad_file(''/etc/passwd'')', true, true, '')`, true},
		{"a text that is run for its words", `SELECT * FROM ts_stat('select pg_re' || 'ad_file(''x'')::tsvector')`, true},
		{"a text that is run as a table", `SELECT * FROM crosstab('co' || 'py') AS t(a int)`, true},
		{"a file, with two spaces", "LOAD  DATA INFILE '/etc/passwd' INTO TABLE t", true},
		{"a file, with a comment", "LOAD/**/DATA INFILE '/etc/passwd' INTO TABLE t", true},
		{"a file of XML", "LOAD XML INFILE '/etc/passwd' INTO TABLE t", true},
		{"a library", "CREATE FUNCTION f RETURNS STRING SONAME 'x.so'", true},
		{"a plugin", "INSTALL PLUGIN x SONAME 'x.so'", true},
		{"a log as a file", "SET GLOBAL general_log_file = '/var/www/x.php'", true},
		{"a log as a file, otherwise", "SET @@global.general_log_file = '/var/www/x.php'", true},
		{"a table elsewhere", "CREATE TABLE t (x int) ENGINE=FEDERATED CONNECTION='mysql://a@b/c'", true},
		{"a table in a folder", "CREATE TABLE t (x int) DATA DIRECTORY = '/tmp'", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if reading.permitStatement(tt.sql, true) == nil {
				t.Error("reading permits it")
			}
			if tt.write && writing.permitStatement(tt.sql, true) == nil {
				t.Error("writing permits it")
			}
		})
	}
	for _, sql := range []string{
		"SELECT data, directory_id FROM files", "SELECT connection FROM t", "SELECT global FROM t", "SELECT * FROM plugin WHERE name = $1", "SELECT so FROM t",
	} {
		if err := reading.permitStatement(sql, true); err != nil {
			t.Errorf("reading: %s: %v", sql, err)
		}
	}
	for _, sql := range []string{
		"INSERT INTO settings (data, name) VALUES ($1, $2)", "UPDATE t SET scope = 'x'", "CREATE TABLE t (connection text)", "UPDATE plugin SET x = 1",
	} {
		if err := writing.permitStatement(sql, true); err != nil {
			t.Errorf("writing: %s: %v", sql, err)
		}
	}
	for _, command := range []string{"EVAL", "evalsha", "FCALL", "FUNCTION", "SCRIPT", "MIGRATE"} {
		if writing.permitRedis([]string{command, "x"}) == nil {
			t.Errorf("writing permits %s: scripts of Redis can turn keys over to another server", command)
		}
	}
	for _, command := range []string{"SET", "DEL", "MULTI", "EXEC"} {
		if err := writing.permitRedis([]string{command, "x"}); err != nil {
			t.Errorf("writing: %v", err)
		}
	}
}

// A function of files that is denied is denied under each other name too.
func TestPolicyDeniesFiles(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f.txt"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, denied, src, want string }{
		{"read", "fs.read", `return fs.read("f.txt")`, "permit"},
		{"read into a request", "fs.read", `return http.post(U, nil, {body_file = "f.txt"}).body`, "permits no file to be read"},
		{"read as a template", "fs.read", `return template.render("f.txt", {})`, "permits no file to be read"},
		{"written by a response", "fs.write", `http.post(U, "x", {to_file = "g.txt"}) return "written"`, "permits no file to be written"},
		{"read where writing is denied", "fs.write", `return http.post(U, nil, {body_file = "f.txt"}).body`, "text"},
		{"written where reading is denied", "fs.read", `http.post(U, "x", {to_file = "g.txt"}) return "written"`, "written"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := policyOf(t, fmt.Sprintf("version: 1\nhttp: [{hosts: [%q], methods: [POST]}]\nfiles: {folder: ., write: true}\nfunctions: {%s: deny}\n", strings.TrimPrefix(s.URL, "http://"), tt.denied))
			p.Scratch = dir
			got, err := eval(t, Options{Policy: p, Globals: map[string]any{"U": s.URL}}, tt.src)
			if text := fmt.Sprint(got, err); !strings.Contains(text, tt.want) {
				t.Errorf("%s, want %s", text, tt.want)
			}
		})
	}
}

// Every host is every host but this machine, however that is written.
func TestPolicyLocalHosts(t *testing.T) {
	asked := 0
	s := serve(t, func(http.ResponseWriter, *http.Request) { asked++ })
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.URL, "http://"))
	p := policyOf(t, "version: 1\nhttp: [{hosts: ['*', '*.example:"+port+"']}]\n")
	p.Resolver = nameserver(t, netip.MustParseAddr("127.0.0.1"))
	for _, host := range []string{
		"127.0.0.1", "127.1", "127.00.0.1", "0x7f.0.0.1", "0x7f000001", "2130706433", "0177.0.0.1", "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
		"[::127.0.0.1]", "[64:ff9b::7f00:1]", "localhost", "LOCALHOST.", "a.localhost", "127.0.0.1.", "a@127.0.0.1", "api.example@127.0.0.1", "a.example",
		"１２７.0.0.1", "127。0。0。1", "ｌocalhost", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "127.0.0.1。x.example", "%31%32%37.0.0.1", "localhost%00.example", "127.0.0.1\\.example", "localhost#.example", "localhost?.example",
	} {
		_, err := eval(t, Options{Policy: p, Globals: map[string]any{"U": "http://" + host + ":" + port + "/"}}, `http.get(U, {timeout = 2})`)
		if err == nil || asked > 0 {
			t.Fatalf("%s: reached, %v", host, err)
		}
	}
}

// Addresses at which clouds answer with the keys of a machine, beside the link-local one.
func TestPolicyMetadata(t *testing.T) {
	p := policyOf(t, "version: 1\nhttp: [{hosts: ['*']}]\n")
	for raw, want := range map[string]bool{
		"http://169.254.169.254/": false, "http://[fd00:ec2::254]/": false, "http://100.100.100.200/": false, "http://168.63.129.16/": false, "http://192.0.0.192/": false,
		"http://[::ffff:169.254.169.254]/": false, "http://[64:ff9b::7f00:1]/": false, "http://[64:ff9b::a9fe:a9fe]/": false, "http://[::127.0.0.1]/": false,
		"http://[64:ff9b::6464:64c8]/": false, "http://[2002:a83f:8110::]/": false, "http://[::100.100.100.200]/": false, "http://[::ffff:192.0.0.192]/": false, "http://[2002:7f00:1::]/": false,
		"http://[64:ff9b:1:a9fe:a9:fe00::]/": false, "http://[64:ff9b:1:a9:fe:a9fe::]/": false, "http://[64:ff9b:1:1:a9:fea9:fe00::]/": false, "http://[64:ff9b:1:2:3:4:a9fe:a9fe]/": false,
		"http://[64:ff9b:1:808:8:800::]/": true, "http://[64:ff9b:1:8:8:808::]/": true, "http://[64:ff9b:1:1:8:808:800::]/": true, "http://[64:ff9b:2:a9fe:a9:fe00::]/": true,
		"http://[::ffff:0:169.254.169.254]/": false, "http://[::ffff:0:127.0.0.1]/": false, "http://[::ffff:0:8.8.8.8]/": true,
		"http://[64:ff9b:1::7f00:1]/": false, "http://[64:ff9b:1::a9fe:a9fe]/": false, "http://[64:ff9b:1::808:808]/": true, "http://[64:ff9b::6464:64c9]/": true, "http://[2002:a83f:8111::]/": true, "http://[::]/": false, "http://[::1]/": false, "http://[ff02::1]/": false, "http://[fe80::1%25lo]/": false,
		"http://10.0.0.1/": true, "http://[fd00::1]/": true, "http://100.64.0.1/": true, "http://[64:ff9b::808:808]/": true,
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.permit(http.MethodGet, u, ""); (err == nil) != want {
			t.Errorf("%s: %v", raw, err)
		}
	}
}
