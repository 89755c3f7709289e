package team

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// A server is one under test.
type server struct {
	t            *testing.T
	dir, base    string
	log          *lines
	client       *http.Client
	stop         context.CancelFunc
	done         chan error
	clock        *clock
	blocked, end chan struct{}
}

// lines are what a server says, safe to read meanwhile.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// clock is a time that tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// in is the input of the operations here.
type in struct {
	Word string `json:"word,omitempty"`
}

type answer struct {
	Said string `json:"said"`
}

func (a answer) WriteText(w io.Writer, _ bool) error { _, err := io.WriteString(w, a.Said); return err }

// fakes are operations that say which team's folder they were opened with; block waits.
func (s *server) fakes(dir string) []op.Op {
	schema := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"word": {Type: "string"}}}
	make := func(name string, effect op.Effect, run func(ctx context.Context, w string) (op.Result, error)) op.Op {
		return op.Op{Name: name, Brief: "B", Example: "assay x", Effect: effect, In: reflect.TypeFor[in](),
			Tools: []op.Tool{{Name: name, Brief: "B", Schema: func() *jsonschema.Schema { return schema }, Decode: func(raw json.RawMessage) (any, error) {
				var v in
				return v, json.Unmarshal(raw, &v)
			}}},
			Run: func(ctx context.Context, v any, _ op.Out) (op.Result, error) { return run(ctx, v.(in).Word) }}
	}
	who := func(context.Context, string) (op.Result, error) { return answer{filepath.Base(dir)}, nil }
	return []op.Op{make("who", op.Reads, who), make("keep", op.Writes, who), make("fail", op.Reads, func(context.Context, string) (op.Result, error) {
		return nil, fault.New(fault.NotFound, "nothing")
	}), make("block", op.Reads, func(ctx context.Context, _ string) (op.Result, error) {
		s.blocked <- struct{}{}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.end:
			return answer{"ended"}, nil
		}
	})}
}

// start starts a server of the teams red and blue with what more the file says.
func start(t *testing.T, more string, opt mcp.HTTPOptions) *server {
	t.Helper()
	s := &server{t: t, dir: t.TempDir(), log: &lines{}, client: &http.Client{}, done: make(chan error, 1), blocked: make(chan struct{}, 8), end: make(chan struct{}),
		clock: &clock{at: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}}
	if !strings.Contains(more, "teams:") {
		more += "\nteams: {red: {memory: true}, blue: {memory: true}}\n"
	}
	s.write("team.yaml", "data: data\ntokens: tokens.txt\naccess_log: access.jsonl\n"+more)
	s.write("tokens.txt", "")
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	if opt.Addr == "" {
		opt.Addr = "127.0.0.1:0"
	}
	at := make(chan net.Addr, 1)
	opt.Ready = func(a net.Addr) { at <- a }
	svc := Service{Version: "test", Now: s.clock.now, Open: func(_ context.Context, sp Space) (OpenedSpace, error) {
		return OpenedSpace{Ops: s.fakes(sp.Dir), Refresh: func(context.Context) error { return nil }, Close: func() error { return nil }}, nil
	}}
	go func() { s.done <- Serve(ctx, svc, filepath.Join(s.dir, "team.yaml"), opt, s.log) }()
	t.Cleanup(func() {
		stop()
		s.client.CloseIdleConnections()
	})
	select {
	case a := <-at:
		s.base = "http://" + a.String()
	case err := <-s.done:
		t.Fatalf("the server did not start: %v", err)
	}
	return s
}

func (s *server) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *server) read(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// token adds one.
func (s *server) token(team string, r Role) (token, id string) {
	s.t.Helper()
	token, id, err := AddToken(filepath.Join(s.dir, "tokens.txt"), team, team+"-user", r, s.clock.now())
	if err != nil {
		s.t.Fatal(err)
	}
	return token, id
}

// do sends a request and returns its status and body.
func (s *server) do(method, path, token, body string, change func(*http.Request)) (int, string) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if change != nil {
		change(r)
	}
	resp, err := s.client.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b)
}

// call calls a tool.
func (s *server) call(token, tool string) (int, string) {
	s.t.Helper()
	return s.do("POST", "/mcp", token, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{"word":"a-private-word"}}}`, tool), nil)
}

// A request with a valid token is answered by the handler of its team and role, and every other request is rejected.
func TestAuthentication(t *testing.T) {
	s := start(t, "", mcp.HTTPOptions{})
	red, _ := s.token("red", Write)
	blue, _ := s.token("blue", Read)
	admin, _ := s.token("red", Administer)
	gone, _ := s.token("green", Administer) // a team that the file has not
	tests := []struct {
		name, token, tool string
		status            int
		contains          string
	}{
		{"a writer of red reads", red, "who", 200, `"text":"red"`},
		{"a reader of blue reads", blue, "who", 200, `"text":"blue"`},
		{"a writer writes", red, "keep", 200, `"text":"red"`},
		{"an administrator writes", admin, "keep", 200, `"text":"red"`},
		{"a reader writes", blue, "keep", 200, "Tool keep not found"},
		{"no token", "", "who", 401, "send a valid token"},
		{"a token of an unknown team", gone, "who", 401, "send a valid token"},
		{"an invented token", "assay_00000000_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "who", 401, "send a valid token"},
		{"a shortened token", red[:len(red)-1], "who", 401, "send a valid token"},
		{"a lengthened token", red + "x", "who", 401, "send a valid token"},
		{"two tokens", red + " " + blue, "who", 401, "send a valid token"},
		{"the hash of a token, from a stolen file", strings.Fields(s.read("tokens.txt"))[18], "who", 401, "send a valid token"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if status, said := s.call(tt.token, tt.tool); status != tt.status || !strings.Contains(said, tt.contains) {
				t.Errorf("%s: %d %s, want %d %q", tt.tool, status, said, tt.status, tt.contains)
			}
		})
	}
	if !strings.Contains(s.read("tokens.txt"), "write") || strings.Contains(s.read("tokens.txt"), red[15:]) {
		t.Error("the file of tokens has a token, or none of their hashes")
	}
}

// Neither another name of the server nor a web page nor a trick in the path gets in.
func TestDoorTricks(t *testing.T) {
	s := start(t, "", mcp.HTTPOptions{})
	red, _ := s.token("red", Write)
	admin, _ := s.token("red", Administer)
	for name, c := range map[string]struct {
		method, path, token string
		change              func(*http.Request)
		status              int
	}{
		"another name":          {"POST", "/mcp", red, func(r *http.Request) { r.Host = "evil.example" }, 403},
		"another name, metrics": {"GET", "/metrics", admin, func(r *http.Request) { r.Host = "evil.example" }, 403},
		"a web page": {"POST", "/mcp", red, func(r *http.Request) {
			r.Header.Set("Origin", "https://evil.example")
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}, 403},
		"metrics without a token":        {"GET", "/metrics", "", nil, 401},
		"metrics with a lesser role":     {"GET", "/metrics", red, nil, 403},
		"metrics":                        {"GET", "/metrics", admin, nil, 200},
		"refresh with a lesser role":     {"POST", "/refresh", red, nil, 403},
		"refresh by GET":                 {"GET", "/refresh", admin, nil, 405},
		"refresh":                        {"POST", "/refresh", admin, nil, 200},
		"health needs none":              {"GET", "/healthz", "", func(r *http.Request) { r.Host = "10.0.0.7" }, 200},
		"readiness needs none":           {"GET", "/readyz", "", nil, 200},
		"above by dots":                  {"GET", "/mcp/../metrics", red, nil, 404},
		"above by encoded dots":          {"GET", "/mcp/%2e%2e/metrics", red, nil, 404},
		"two slashes":                    {"GET", "//metrics", red, nil, 404},
		"other letters":                  {"GET", "/METRICS", red, nil, 404},
		"a slash after":                  {"GET", "/metrics/", red, nil, 404},
		"a file":                         {"GET", "/tokens.txt", red, nil, 404},
		"a token in the address":         {"POST", "/mcp?token=" + red, "", nil, 401},
		"a token by another scheme":      {"POST", "/mcp", "", func(r *http.Request) { r.Header.Set("Authorization", "Basic "+red) }, 401},
		"a token in two headers":         {"POST", "/mcp", "", func(r *http.Request) { r.Header["Authorization"] = []string{"Bearer x", "Bearer " + red} }, 401},
		"a preflight of another site":    {"OPTIONS", "/mcp", "", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 204},
		"a preflight by another name":    {"OPTIONS", "/mcp", "", func(r *http.Request) { r.Host = "evil.example" }, 403},
		"a method that nobody has":       {"BREW", "/mcp", red, nil, 405},
		"an address in place of a name":  {"POST", "/mcp", red, func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }, 403},
		"a forwarded name":               {"POST", "/mcp", red, func(r *http.Request) { r.Host = "evil.example"; r.Header.Set("X-Forwarded-Host", "127.0.0.1") }, 403},
		"a forwarded user":               {"POST", "/mcp", "", func(r *http.Request) { r.Header.Set("X-Forwarded-User", "red-user") }, 401},
		"a method in a header":           {"GET", "/refresh", admin, func(r *http.Request) { r.Header.Set("X-HTTP-Method-Override", "POST") }, 405},
		"no protocol version that it is": {"POST", "/mcp", red, func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "1") }, 400},
	} {
		body := ""
		if c.method == "POST" && strings.HasPrefix(c.path, "/mcp") {
			body = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		}
		if status, said := s.do(c.method, c.path, c.token, body, c.change); status != c.status {
			t.Errorf("%s: %d %s, want %d", name, status, said, c.status)
		}
	}
}

// A token that is revoked is refused at once, and what it has open ends; another's goes on.
func TestRevoked(t *testing.T) {
	s := start(t, "", mcp.HTTPOptions{})
	red, id := s.token("red", Read)
	blue, _ := s.token("blue", Read)
	stream := func(token string) chan string {
		ended := make(chan string, 1)
		r, err := http.NewRequest(http.MethodGet, s.base+"/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := s.client.Do(r)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("a stream: %v %v", resp, err)
		}
		go func() {
			defer resp.Body.Close()
			b, _ := io.ReadAll(resp.Body)
			ended <- string(b)
		}()
		return ended
	}
	reds, blues := stream(red), stream(blue)
	called := make(chan string, 1)
	go func() {
		_, said := s.call(red, "block")
		called <- said
	}()
	<-s.blocked
	if err := RevokeToken(filepath.Join(s.dir, "tokens.txt"), id); err != nil {
		t.Fatal(err)
	}
	if status, _ := s.call(red, "who"); status != 401 {
		t.Errorf("a revoked token is answered with %d", status)
	}
	select {
	case <-reds:
	case <-time.After(20 * time.Second):
		t.Error("the stream of a revoked token goes on")
	}
	select {
	case said := <-called:
		if strings.Contains(said, "ended") {
			t.Errorf("the call of a revoked token was answered: %s", said)
		}
	case <-time.After(20 * time.Second):
		t.Error("the call of a revoked token goes on")
	}
	select {
	case <-blues:
		t.Error("the stream of another ended too")
	default:
	}
	if status, _ := s.call(blue, "who"); status != 200 {
		t.Error("another's token is refused")
	}
	if RevokeToken(filepath.Join(s.dir, "tokens.txt"), id) == nil {
		t.Error("a token is revoked twice")
	}
}

// After an invalid change of the token file the tokens read before stay valid; without the file all requests are rejected.
func TestTokensFile(t *testing.T) {
	s := start(t, "", mcp.HTTPOptions{})
	red, _ := s.token("red", Read)
	good := s.read("tokens.txt")
	for _, c := range []struct {
		text   string
		status int
		said   string
	}{{good, 200, ""}, {good + "x red read zz 2030-01-02 u\n", 200, "is invalid"}, {"x red administer\n", 200, "is invalid"}, {"", 401, ""}, {good, 200, ""}} {
		s.write("tokens.txt", c.text)
		if status, said := s.call(red, "who"); status != c.status || !strings.Contains(s.log.String(), c.said) {
			t.Errorf("after %.40q: %d %s, want %d; log %s", c.text, status, said, c.status, s.log)
		}
	}
	if err := os.Remove(filepath.Join(s.dir, "tokens.txt")); err != nil {
		t.Fatal(err)
	}
	if status, _ := s.call(red, "who"); status != 401 || !strings.Contains(s.log.String(), "token file not found") {
		t.Errorf("without the file: %d", status)
	}
}

// Each token has its rate and each team its day, and one's does not cost another anything.
func TestLimits(t *testing.T) {
	s := start(t, "teams: {red: {memory: true, rate: 3, daily: 5}, blue: {memory: true}}", mcp.HTTPOptions{})
	one, _ := s.token("red", Read)
	two, _ := s.token("red", Read)
	blue, _ := s.token("blue", Read)
	statuses := func(token string, n int) (out []int) {
		for range n {
			status, _ := s.call(token, "who")
			out = append(out, status)
		}
		return out
	}
	if got := statuses(one, 4); !reflect.DeepEqual(got, []int{200, 200, 200, 429}) {
		t.Errorf("a rate of 3: %v", got)
	}
	s.clock.add(21 * time.Second)
	if got := statuses(one, 2); !reflect.DeepEqual(got, []int{200, 429}) {
		t.Errorf("a third of a minute later: %v", got)
	}
	if got := statuses(two, 2); !reflect.DeepEqual(got, []int{200, 429}) {
		t.Errorf("another token within the day's 5: %v", got)
	}
	if got := statuses(blue, 6); !reflect.DeepEqual(got, []int{200, 200, 200, 200, 200, 200}) {
		t.Errorf("another team: %v", got)
	}
	s.clock.add(24 * time.Hour)
	if got := statuses(two, 1); got[0] != 200 {
		t.Errorf("the next day: %v", got)
	}
	admin, _ := s.token("blue", Administer)
	_, m := s.do("GET", "/metrics", admin, "", nil)
	for _, line := range []string{`assay_calls_total{team="blue",tool="who",outcome="ok"} 6`, `assay_refused_total{reason="rate"} 2`, `assay_refused_total{reason="quota"} 1`, `assay_call_seconds_count{tool="who"}`} {
		if !strings.Contains(m, line) {
			t.Errorf("the metrics have no %s:\n%s", line, m)
		}
	}
}

// The logs say who did what and how it ended; what was asked is in them only on request, and
// no token ever.
func TestJournals(t *testing.T) {
	for _, asked := range []bool{false, true} {
		s := start(t, fmt.Sprintf("log_queries: %v", asked), mcp.HTTPOptions{})
		red, id := s.token("red", Write)
		for _, tool := range []string{"who", "keep", "fail"} {
			s.call(red, tool)
		}
		s.call("wrong", "who")
		access, audit := s.read("access.jsonl"), s.read("data/audit.jsonl")
		for _, want := range []string{`"team":"red","token":"` + id + `","holder":"red-user","from":"127.0.0.1","call":"who","outcome":"ok"`, `"call":"fail","outcome":"not_found"`, `"call":"refused","outcome":"token"`} {
			if !strings.Contains(access, want) {
				t.Errorf("the access log has no %s:\n%s", want, access)
			}
		}
		if strings.Contains(access, "a-private-word") != asked {
			t.Errorf("log_queries %v:\n%s", asked, access)
		}
		if strings.Count(audit, "\n") != 1 || !strings.Contains(audit, `"call":"keep"`) {
			t.Errorf("the audit log has not the one write:\n%s", audit)
		}
		if strings.Contains(access+audit+s.log.String(), red) || strings.Contains(access+audit, "wrong") {
			t.Error("a log has a token")
		}
	}
}

// A call is in the logs with the trace that its client names, and with none that is not one.
func TestTrace(t *testing.T) {
	s := start(t, "", mcp.HTTPOptions{})
	red, _ := s.token("red", Write)
	id := "4bf92f3577b34da6a3ce929d0e0e4736"
	for _, c := range []struct {
		header string
		is     bool
	}{{"00-" + id + "-00f067aa0ba902b7-01", true}, {"cc-" + id + "-00f067aa0ba902b7-01-more", true}, {"", false}, {id, false}, {"00-" + strings.ToUpper(id) + "-00f067aa0ba902b7-01", false},
		{"00-" + strings.Repeat("0", 32) + "-00f067aa0ba902b7-01", false}, {"00-" + id + `-00f067aa0ba902b7-01","x":"`, false}} {
		before := len(s.read("data/audit.jsonl"))
		s.do("POST", "/mcp", red, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"keep","arguments":{}}}`, func(r *http.Request) { r.Header.Set("Traceparent", c.header) })
		line := s.read("data/audit.jsonl")[before:]
		if !strings.Contains(line, `"call":"keep"`) || strings.Contains(line, `"trace":"`+id+`"`) != c.is || strings.Contains(line, "trace") != c.is {
			t.Errorf("%q: %s", c.header, line)
		}
	}
}

// A server that is to stop says so to its probes, and lets the calls that run end.
func TestDrain(t *testing.T) {
	s := start(t, "drain: 300ms", mcp.HTTPOptions{})
	red, _ := s.token("red", Read)
	called := make(chan string, 1)
	go func() {
		_, said := s.call(red, "block")
		called <- said
	}()
	<-s.blocked
	s.stop()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		status, _ := s.do("GET", "/readyz", "", "", nil)
		if status == 503 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("a probe of a server that stops: %d", status)
		}
	}
	close(s.end)
	if said := <-called; !strings.Contains(said, "ended") {
		t.Errorf("the call that ran was not answered: %s", said)
	}
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// pair writes a certificate of a name and its key.
func (s *server) pair(name string) {
	s.t.Helper()
	cert, key := newPair(s.t, name)
	s.write("server.crt", cert)
	s.write("server.key", key)
}

func newPair(t *testing.T, name string) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour), DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw}))
}

// The certificate is read again when it changes; files that do not fit change nothing.
func TestKeys(t *testing.T) {
	dir := t.TempDir()
	s := &server{t: t, dir: dir}
	s.pair("one")
	now := &clock{at: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	var log lines
	k, err := openKeys(Files{filepath.Join(dir, "server.crt"), filepath.Join(dir, "server.key")}, now.now, newWarner(&log))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := tls.NewListener(l, k.tlsConfig()).Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(io.Discard, c)
			}()
		}
	}()
	shown := func() string {
		t.Helper()
		now.add(2 * time.Second)
		c, err := tls.Dial("tcp", l.Addr().String(), &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // it looks at the name
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	if got := shown(); got != "one" {
		t.Errorf("the first certificate is of %s", got)
	}
	cert, key := newPair(t, "two")
	for name, change := range map[string]func(){
		"another's key":     func() { s.write("server.crt", cert) },
		"half of a file":    func() { s.write("server.crt", cert[:100]) },
		"no key":            func() { _ = os.Remove(filepath.Join(dir, "server.key")) },
		"an empty file":     func() { s.write("server.crt", ""); s.write("server.key", "") },
		"a key for a cert":  func() { s.write("server.crt", key); s.write("server.key", key) },
		"something unknown": func() { s.write("server.crt", "hello"); s.write("server.key", "hello") },
	} {
		if change(); shown() != "one" || !strings.Contains(log.String(), "the previous one stays in use") {
			t.Errorf("%s: the certificate before does not count, or nobody is told: %s", name, &log)
		}
	}
	s.write("server.crt", cert)
	s.write("server.key", key)
	if got := shown(); got != "two" {
		t.Errorf("the new certificate is not shown, but that of %s", got)
	}
	if _, err := tls.Dial("tcp", l.Addr().String(), &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11}); err == nil { //nolint:gosec // that it is refused is the test
		t.Error("TLS 1.1 is spoken")
	}
}

// Over TLS it serves as without.
func TestServeTLS(t *testing.T) {
	dir := t.TempDir()
	(&server{t: t, dir: dir}).pair("assay.test")
	s := start(t, fmt.Sprintf("tls: {cert: %s/server.crt, key: %s/server.key}", filepath.ToSlash(dir), filepath.ToSlash(dir)), mcp.HTTPOptions{})
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte((&server{t: t, dir: dir}).read("server.crt")))
	s.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	red, _ := s.token("red", Read)
	plain := s.base
	s.base = strings.Replace(s.base, "http://", "https://", 1)
	for range 3 {
		if status, said := s.call(red, "who"); status != 200 || !strings.Contains(said, "red") {
			t.Errorf("over TLS: %d %s", status, said)
		}
	}
	s.base = plain
	if status, said := s.call(red, "who"); status == 200 {
		t.Errorf("without TLS: %d %s", status, said)
	}
	// Who has no token writes no lines: what they try is counted.
	s.base = strings.Replace(s.base, "http://", "https://", 1)
	admin, _ := s.token("red", Administer)
	if status, said := s.do("GET", "/metrics", admin, "", nil); status != 200 || !strings.Contains(said, `assay_refused_total{reason="handshake"} 1`) || strings.Contains(s.log.String(), "handshake") {
		t.Errorf("metrics %d: %s; log %s", status, said, s.log)
	}
}

// A server does not start with an invalid configuration file, nor if it would send tokens unencrypted.
func TestRefusedConfigs(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "tokens is missing"},
		{"no data", "tokens: t\n", "data is missing"},
		{"no teams", "tokens: t\ndata: d\n", "teams is empty"},
		{"unknown field", "tokens: t\ndata: d\nport: 1\n", "field port not found"},
		{"a path as a name", "tokens: t\ndata: d\nteams: {../x: {memory: true}}\n", "is not a valid team name"},
		{"empty team", "tokens: t\ndata: d\nteams: {x: {}}\n", "has no data"},
		{"null team", "tokens: t\ndata: d\nteams: {x: null}\n", "has no data"},
		{"repositories without a workspace", "tokens: t\ndata: d\nteams: {x: {repos: [a]}}\n", "workspace is missing"},
		{"negative rate", "tokens: t\ndata: d\nteams: {x: {memory: true, rate: -1}}\n", "negative limit"},
		{"certificate without a key", "tokens: t\ndata: d\ntls: {cert: c}\nteams: {x: {memory: true}}\n", "both cert and key"},
		{"long drain", "tokens: t\ndata: d\ndrain: 2h\nteams: {x: {memory: true}}\n", "must be between 0 and 1h"},
		{"a team twice", "tokens: t\ndata: d\nteams: {x: {memory: true}, x: {memory: false}}\n", "already defined"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{t: t, dir: t.TempDir()}
			s.write("team.yaml", tt.text)
			if _, err := Load(filepath.Join(s.dir, "team.yaml")); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
	s := &server{t: t, dir: t.TempDir()}
	s.write("team.yaml", "tokens: t\ndata: d\nteams: {x: {memory: true}}\n")
	s.write("t", "")
	svc := Service{Now: time.Now, Open: func(context.Context, Space) (OpenedSpace, error) {
		return OpenedSpace{Close: func() error { return nil }}, nil
	}}
	err := Serve(t.Context(), svc, filepath.Join(s.dir, "team.yaml"), mcp.HTTPOptions{Addr: "0.0.0.0:0", AllowHosts: []string{"x"}}, io.Discard)
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "unencrypted") {
		t.Errorf("an address that others reach, without TLS: %v", err)
	}
}

// The command makes, lists and revokes tokens, and shows none twice.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "tokens.txt")
	run := func(args ...string) (string, error) {
		var b bytes.Buffer
		err := Command(t.Context(), args, time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC), &b)
		return b.String(), err
	}
	token, err := run("token", "add", "--tokens", file, "--team", "red", "--role", "write", "--holder", "ann@example.org")
	if err != nil || !strings.HasPrefix(token, tokenPrefix) {
		t.Fatalf("%q %v", token, err)
	}
	list, err := run("token", "list", "--tokens", file)
	id := token[len(tokenPrefix) : len(tokenPrefix)+8]
	if want := id + "  red  write  2030-01-02  ann@example.org\n"; err != nil || list != want {
		t.Errorf("%q %v, want %q", list, err, want)
	}
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file of tokens: %v %v", st.Mode(), err)
	}
	for _, args := range [][]string{{"token", "add", "--tokens", file, "--team", "../x", "--holder", "a"}, {"token", "add", "--tokens", file, "--team", "x", "--holder", "a b"},
		{"token", "add", "--tokens", file, "--team", "x", "--holder", "a", "--role", "root"}, {"token", "list"}, {"token", "burn", "--tokens", file}, {"nothing"}} {
		if out, err := run(args...); fault.KindOf(err) != fault.Usage || out != "" {
			t.Errorf("%q: %q %v", args, out, err)
		}
	}
	for _, args := range [][]string{nil, {"--help"}, {"token", "--help"}} {
		if out, err := run(args...); err != nil || out != Usage {
			t.Errorf("%q: %v", args, err)
		}
	}
	if n := strings.Count(Usage, "\n"); n > 40 {
		t.Errorf("the help has %d lines", n)
	}
	s := &server{t: t, dir: dir}
	s.write("team.yaml", "tokens: tokens.txt\ndata: d\nteams: {blue: {memory: true}}\n")
	if _, err := run("check", filepath.Join(dir, "team.yaml")); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "belongs to the team red") {
		t.Errorf("a token of no team: %v", err)
	}
	if _, err := run("token", "revoke", "--tokens", file, id); err != nil {
		t.Error(err)
	}
	if out, err := run("check", filepath.Join(dir, "team.yaml")); err != nil || out != "1 teams, 0 tokens\n" {
		t.Errorf("%q %v", out, err)
	}
}
