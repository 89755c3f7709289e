package stdlib_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"github.com/assay-dev/assay/internal/base/testaid"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/script/lua"
	"github.com/assay-dev/assay/internal/script/stdlib"
)

// A fixture is what one module sends and makes of the answers: a file of testdata. In its
// strings {url} is the server's address and {nasty} the value NASTY, percent-encoded.
type fixture struct {
	Setup     string            // Lua before each case
	Client    string            // the expression that is c
	Headers   map[string]string // of every request, beside those of the case
	Error     string            // what a status that is not wanted raises: {verb}, {path}, {fn}, {status}, {body}
	ListError string            `json:"list_error"` // the same of a case that is a list
	SigV4     string            // the secret that requests are signed with
	Tests     []test
}

// A test is an expression of Lua, the requests that it makes, and what it gives. Unless it
// is only for this, it runs twice more, against a server that answers 404 and one that
// answers 500 to everything.
type test struct {
	Lua   string
	Setup string // Lua before the client is made; POD stands for a pod
	Env   map[string]string
	Only  bool
	List  bool
	request
	Requests []request // in place of the one within

	Want      json.RawMessage   // the result; nil: the reply to the last request
	Wants     []json.RawMessage // the results, exactly as many
	WantError string            `json:"want_error"` // or what it raises; from ^ on, a pattern
	Log       string            // what the log contains
	NoLog     string            // and what it does not
	Slept     int               // seconds

	Error        string
	Missing      json.RawMessage // the result on 404; nil: an error
	MissingError string          `json:"missing_error"`
	Failed       json.RawMessage // the result on 500
	FailedError  string          `json:"failed_error"`
	Patience     int             // seconds that it waits on 404
}

// A request is one that must come, and the answer to it.
type request struct {
	Send     string            // "VERB /path?query", exactly as it is in the request line
	Body     json.RawMessage   // as JSON; nil: none
	BodyText string            `json:"body_text"`
	Headers  map[string]string // "": must be absent

	Status       int             // 0: 200
	Reply        json.RawMessage // or
	Text         string
	ReplyHeaders map[string]string `json:"reply_headers"`
}

// Headers that a request has only if the fixture says so.
var telling = []string{"Authorization", "Content-Type", "X-Vault-Token", "X-Amz-Security-Token", "X-Amz-Copy-Source"}

const (
	nasty = "a b&c+d#e%f/é=?\"'"

	// prelude stops the clock at 2026-02-01; sleeping moves it.
	prelude = `
local clock = 1769904000
time = function() return clock end
sleep = function(seconds) clock = clock + seconds end
SLEPT = function() return clock - 1769904000 end
BASE, NASTY = ...
URL = BASE .. "//"
`
	// pod puts the script into a pod whose API server, 10.0.0.1, is the test's.
	pod = `
fs = {read = function(path) return path:find("/token$") and "account\n" or error("no " .. path) end}
OPENED = {}
http.client = function(options)
  OPENED[#OPENED + 1] = options or "default"
  return setmetatable({}, {__index = function(_, verb)
    return function(_, url, ...) return http[verb]((url:gsub("^https://10%.0%.0%.1:%d+", BASE)), ...) end
  end})
end
`
	report = `
local function report(ok, ...)
  if not ok then return "error", tostring((...)), SLEPT() end
  local out = {}
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    out[i] = v == nil and "null" or json.encode(v)
  end
  return "results", table.concat(out, "\n"), SLEPT()
end
`
)

func TestRequests(t *testing.T) {
	for _, name := range testaid.Sample(stdlib.Names(), 1, 3) {
		t.Run(name, func(t *testing.T) {
			f := readFixture(t, name)
			s := newServer(t)
			for _, c := range f.Tests {
				t.Run(c.Lua, func(t *testing.T) { f.run(t, s, name, c) })
			}
		})
	}
}

func readFixture(t *testing.T, name string) *fixture {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(src))
	d.DisallowUnknownFields()
	var f fixture
	if err := d.Decode(&f); err != nil {
		t.Fatalf("%s.json: %v", name, err)
	}
	return &f
}

func (f *fixture) run(t *testing.T, s *server, name string, c test) {
	requests := c.Requests
	if c.Send != "" {
		requests = []request{c.request}
	}
	for i := range requests {
		h := maps.Clone(f.Headers)
		if h == nil {
			h = map[string]string{}
		}
		maps.Copy(h, requests[i].Headers)
		requests[i].Headers = h
		requests[i].Send = s.fill(requests[i].Send)
	}

	s.expect(t, f.SigV4, requests, false)
	got := f.call(t, s, name, c)
	sent, decoded := s.seen()
	if sent < len(requests) {
		t.Errorf("sent %d requests, want %d", sent, len(requests))
	}
	if strings.Contains(c.Lua, "NASTY") && !decoded {
		t.Errorf("no parameter decodes to %s", nasty)
	}
	switch {
	case c.WantError != "":
		got.raised(t, s.fill(c.WantError))
	case c.Wants != nil:
		got.gave(t, s, c.Wants)
	case c.Want != nil:
		got.gave(t, s, []json.RawMessage{c.Want})
	default:
		got.gave(t, s, []json.RawMessage{requests[len(requests)-1].Reply})
	}
	if got.slept != c.Slept {
		t.Errorf("slept %d s, want %d s", got.slept, c.Slept)
	}
	if c.Log != "" && !strings.Contains(got.log, c.Log) || c.NoLog != "" && strings.Contains(got.log, c.NoLog) {
		t.Errorf("log = %q, want it with %q and without %q", got.log, c.Log, c.NoLog)
	}
	if c.Only || len(requests) == 0 {
		return
	}
	f.fail(t, s, name, c, requests[0], http.StatusNotFound, "no such thing", c.Missing, c.MissingError)
	f.fail(t, s, name, c, requests[0], http.StatusInternalServerError, "it broke", c.Failed, c.FailedError)
}

// fail runs a case against a server that answers the same to everything.
func (f *fixture) fail(t *testing.T, s *server, name string, c test, first request, status int, body string, want json.RawMessage, message string) {
	first.Status, first.Text, first.Reply = status, body, nil
	s.expect(t, f.SigV4, []request{first}, true)
	got := f.call(t, s, name, c)
	if status == http.StatusNotFound && got.slept != c.Patience {
		t.Errorf("waited %d s on 404, want %d s", got.slept, c.Patience)
	}
	if want != nil {
		got.gave(t, s, []json.RawMessage{want})
		return
	}
	if message == "" {
		message = f.Error
		if c.List {
			message = f.ListError
		}
		if c.Error != "" {
			message = c.Error
		}
	}
	verb, path, _ := strings.Cut(first.Send, " ")
	fn := regexp.MustCompile(`[.:](\w+)\(`).FindStringSubmatch(c.Lua)[1]
	got.raised(t, strings.NewReplacer("{verb}", verb, "{verb_lower}", strings.ToLower(verb), "{path}", path, "{fn}", fn,
		"{status}", strconv.Itoa(status), "{body}", body, "{url}", s.URL).Replace(message))
}

// A result is what a case gave: JSON, one value a line, or an error, and what it logged.
type result struct {
	json, err, log string
	slept          int
}

func (r result) raised(t *testing.T, want string) {
	t.Helper()
	if strings.HasPrefix(want, "^") {
		if ok, err := regexp.MatchString(strings.ReplaceAll(want, "%", `\`), r.err); !ok || err != nil {
			t.Errorf("error = %q (result %s), want it to match %s", r.err, r.json, want)
		}
	} else if r.err != want {
		t.Errorf("error = %q (result %s), want %q", r.err, r.json, want)
	}
}

func (r result) gave(t *testing.T, s *server, want []json.RawMessage) {
	t.Helper()
	if r.err != "" {
		t.Errorf("error = %q, want %s", r.err, want)
		return
	}
	var lines []string
	if r.json != "" {
		lines = strings.Split(r.json, "\n")
	} else if len(want) == 1 && string(want[0]) == "null" {
		return // nothing is as good as nil
	}
	if len(lines) != len(want) {
		t.Errorf("gave %d values, want %d: %s", len(lines), len(want), r.json)
		return
	}
	for i := range want {
		if diff := cmp.Diff(value(t, s.fill(string(want[i]))), value(t, lines[i])); diff != "" {
			t.Errorf("result %d differs (-want +got):\n%s", i+1, diff)
		}
	}
}

// value is JSON as a value in which null members are omitted and an empty object is an
// empty list, as Lua sees them.
func value(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return trim(v)
}

func trim(v any) any {
	switch v := v.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, m any) bool { return m == nil })
		if len(v) == 0 {
			return []any{}
		}
		for k := range v {
			v[k] = trim(v[k])
		}
	case []any:
		for i := range v {
			v[i] = trim(v[i])
		}
	}
	return v
}

// call runs a case in a VM of its own.
func (f *fixture) call(t *testing.T, s *server, name string, c test) result {
	t.Helper()
	setup := strings.Replace(c.Setup, "POD", pod, 1)
	chunk := prelude + setup + "\n" + f.Setup + "\nlocal M, c = require('assay." + name + "')\n"
	if f.Client != "" && strings.Contains(c.Lua, "c:") || strings.Contains(c.Lua, "(c,") || strings.Contains(c.Lua, "c.") ||
		strings.Contains(c.Lua, "seen(") || strings.Contains(c.Lua, "CALLS[") {
		chunk += "c = " + f.Client + "\n"
	}
	chunk += report + "return report(pcall(function() return " + c.Lua + " end))"
	out, log := runLua(t, s, c.Env, chunk)
	if len(out) != 3 {
		t.Fatalf("%s gave %v", c.Lua, out)
	}
	var slept float64
	if _, err := fmt.Sscan(fmt.Sprint(out[2]), &slept); err != nil {
		t.Fatal(err)
	}
	if out[0] == "error" {
		return result{err: out[1].(string), log: log, slept: int(slept)}
	}
	return result{json: out[1].(string), log: log, slept: int(slept)}
}

// runLua runs a chunk with the modules, the variables and the address of the server.
func runLua(t *testing.T, s *server, env map[string]string, chunk string) (out []any, log string) {
	t.Helper()
	var buf bytes.Buffer
	vm := lua.New(lua.Options{
		Stdout: io.Discard,
		Log:    &buf,
		Dir:    t.TempDir(),
		Env: func(name string) (string, bool) {
			v, ok := env[name]
			return s.fill(v), ok
		},
		Require: require,
		Client:  s.client,
	})
	defer vm.Close()
	out, err := vm.Run(context.Background(), "@test", []byte(chunk), s.URL, nasty)
	if err != nil {
		t.Fatalf("%v\n%s", err, chunk)
	}
	return out, buf.String()
}

// require finds the modules that come with the program, and no others.
func require(name string) ([]byte, string, error) {
	stem, ok := strings.CutPrefix(name, "assay.")
	src, found := stdlib.Source(stem)
	if !ok || !found {
		return nil, "", fs.ErrNotExist
	}
	return src, "@assay/" + stem + ".lua", nil
}

// A server answers requests as they are expected and complains about all others. Its
// client takes every address for its own.
type server struct {
	*httptest.Server
	client *http.Client

	mu      sync.Mutex // of all below
	t       *testing.T
	secret  string
	want    []request
	next    int
	forever bool // the first answer is given to all
	decoded bool // a parameter was NASTY
	lenient bool // requests are answered in turn and noted, and may be any
	noted   []string
}

func newServer(t *testing.T) *server {
	s := &server{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	addr := s.Listener.Addr().String()
	var d net.Dialer
	s.client = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
		if strings.HasSuffix(to, ".test:80") {
			to = addr
		}
		return d.DialContext(ctx, network, to)
	}}}
	t.Cleanup(s.client.CloseIdleConnections)
	return s
}

func (s *server) expect(t *testing.T, secret string, want []request, forever bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.t, s.secret, s.want, s.next, s.forever, s.decoded = t, secret, want, 0, forever, false
}

func (s *server) seen() (requests int, decoded bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next, s.decoded
}

// fill puts the server's address and the encoded NASTY into a text.
func (s *server) fill(text string) string {
	encoded := strings.ReplaceAll(url.QueryEscape(nasty), "+", "%20")
	return strings.NewReplacer("{url}", s.URL, "{nasty}", encoded).Replace(text)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		s.t.Error(err)
	}
	if s.forever && s.next > 0 {
		s.answer(w, s.want[0])
		return
	}
	if s.lenient && s.next >= len(s.want) {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	if s.next >= len(s.want) {
		s.t.Errorf("request %d is %s %s, want none", s.next+1, r.Method, r.RequestURI)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	want := s.want[s.next]
	s.next++
	if s.lenient {
		s.noted = append(s.noted, r.Method+" "+r.RequestURI+"\n"+string(body))
		s.answer(w, want)
		return
	}
	if got := r.Method + " " + r.RequestURI; got != want.Send {
		s.t.Errorf("request %d\n got %s\nwant %s", s.next, got, want.Send)
	}
	for _, values := range r.URL.Query() {
		for _, v := range values {
			s.decoded = s.decoded || v == nasty
		}
	}
	s.checkHeaders(r, want, len(body) > 0)
	if s.secret != "" {
		checkSignature(s.t, r, body, s.secret)
	}
	switch {
	case want.BodyText != "":
		if string(body) != want.BodyText {
			s.t.Errorf("body = %q, want %q", body, want.BodyText)
		}
	case want.Body != nil:
		var got, expected any
		if err := json.Unmarshal(body, &got); err != nil {
			s.t.Errorf("body %q: %v", body, err)
		}
		if err := json.Unmarshal(want.Body, &expected); err != nil {
			s.t.Error(err)
		}
		if diff := cmp.Diff(expected, got); diff != "" {
			s.t.Errorf("body differs (-want +got):\n%s", diff)
		}
	case len(body) > 0:
		s.t.Errorf("body = %q, want none", body)
	}
	s.answer(w, want)
}

func (s *server) checkHeaders(r *http.Request, want request, hasBody bool) {
	headers := maps.Clone(want.Headers)
	if _, ok := headers["Content-Type"]; !ok && hasBody && want.BodyText == "" {
		headers["Content-Type"] = "application/json"
	}
	if host, ok := headers["Host"]; ok {
		if r.Host != host {
			s.t.Errorf("Host = %q, want %q", r.Host, host)
		}
		delete(headers, "Host")
	}
	for _, name := range telling {
		if _, ok := headers[name]; !ok && (s.secret == "" || name != "Authorization") {
			headers[name] = ""
		}
	}
	for name, value := range headers {
		got := r.Header.Values(name)
		if value == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0] != value {
			s.t.Errorf("%s = %q, want %q", name, got, value)
		}
	}
}

func (s *server) answer(w http.ResponseWriter, a request) {
	for name, value := range a.ReplyHeaders {
		w.Header().Set(name, value)
	}
	if a.Status != 0 {
		w.WriteHeader(a.Status)
	}
	if a.Reply != nil {
		a.Text = s.fill(string(a.Reply))
	}
	if _, err := fmt.Fprint(w, a.Text); err != nil && a.Status != http.StatusNoContent {
		s.t.Error(err)
	}
}
