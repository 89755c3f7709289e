package mock

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const fixture = `{"routes": [
	{"method": "GET", "path": "/api/health", "reply": {"json": {"database": "ok"}}},
	{"method": "GET", "path": "/api/items/{id}", "query": {"full": "true"}, "reply": {"json": {"full": true}, "headers": {"X-Total": "1"}}},
	{"method": "GET", "path": "/api/items/{id}", "replies": [{"status": 503}, {"status": 404, "body": "gone"}, {"body": "here"}]},
	{"method": "post", "path": "/api/items", "headers": {"Authorization": "Bearer t"}, "body": {"name": "x", "n": 1}, "reply": {"status": 201, "delay": "1ms"}},
	{"method": "POST", "path": "/api/items", "body": "plain", "reply": {"status": 204}},
	{"path": "/files/*", "reply": {"body": "any"}}
]}`

func ask(t *testing.T, s http.Handler, method, target, body string, headers ...string) (int, string, http.Header) {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String(), w.Header()
}

func TestRoutes(t *testing.T) {
	s, err := New([]byte(fixture))
	if err != nil {
		t.Fatal(err)
	}
	bearer := []string{"Authorization", "Bearer t"}
	for i, c := range []struct {
		method, target, body string
		headers              []string
		status               int
		want                 string
	}{
		{"GET", "/api/health", "", nil, 200, `{"database": "ok"}`},
		{"POST", "/api/health", "", nil, 404, "no route of the fixture fits POST /api/health"},
		{"HEAD", "/api/health", "", nil, 404, "no route of the fixture fits HEAD /api/health"},
		{"HEAD", "/files/a", "", nil, 200, ""},
		{"GET", "/api/health/", "", nil, 404, ""},
		{"GET", "/api", "", nil, 404, ""},
		{"GET", "/api/items/1?full=true&x=y", "", nil, 200, `{"full": true}`},
		{"GET", "/api/items/1?full=no", "", nil, 503, ""},
		{"GET", "/api/items/a%2Fb", "", nil, 404, "gone"},
		{"GET", "/api/items/3", "", nil, 200, "here"},
		{"GET", "/api/items/4", "", nil, 200, "here"},
		{"GET", "/api/items/", "", nil, 404, "no route"},
		{"POST", "/api/items", `{"n":1.0, "name":"x"}`, bearer, 201, ""},
		{"POST", "/api/items", `{"n":1, "name":"x"}`, nil, 404, "no route"},
		{"POST", "/api/items", `{"n":2, "name":"x"}`, bearer, 404, "no route"},
		{"POST", "/api/items", "plain", nil, 204, ""},
		{"PUT", "/files/a/b", "", nil, 200, "any"},
		{"PUT", "/files", "", nil, 404, ""},
	} {
		status, body, _ := ask(t, s, c.method, c.target, c.body, c.headers...)
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%d: %s %s = %d %q, want %d %q", i, c.method, c.target, status, body, c.status, c.want)
		}
	}
	if _, _, h := ask(t, s, "GET", "/api/items/1?full=true", ""); h.Get("X-Total") != "1" || h.Get("Content-Type") != "application/json" {
		t.Errorf("headers: %v", h)
	}
}

func TestJournal(t *testing.T) {
	s, err := New([]byte(fixture))
	if err != nil {
		t.Fatal(err)
	}
	ask(t, s, "GET", "/api/items/1", "")
	ask(t, s, "PUT", "/nowhere?a=%20b", "text", "X-One", "1")
	_, body, _ := ask(t, s, "GET", Journal, "")
	var seen []Request
	if err := json.Unmarshal([]byte(body), &seen); err != nil || len(seen) != 2 {
		t.Fatal(body, err)
	}
	if q := seen[1]; q.Method != http.MethodPut || q.Path != "/nowhere" || q.Query != "a=%20b" || q.Body != "text" || q.Status != 404 || q.Headers["x-one"] != "1" {
		t.Errorf("%+v", q)
	}
	if status, _, _ := ask(t, s, "DELETE", Journal, ""); status != 204 || len(s.Requests()) != 0 {
		t.Errorf("%d, %v", status, s.Requests())
	}
	if status, _, _ := ask(t, s, "GET", "/api/items/1", ""); status != 503 {
		t.Errorf("the replies do not begin again: %d", status)
	}
	if status, _, _ := ask(t, s, "PUT", Journal, ""); status != 405 {
		t.Error(status)
	}
	for range mostRequests + 5 {
		ask(t, s, "GET", "/x", "")
	}
	if n := len(s.Requests()); n != mostRequests {
		t.Errorf("%d requests are kept", n)
	}
	for range 3 {
		ask(t, s, "GET", "/x", strings.Repeat("x", mostBody))
	}
	if n := len(s.Requests()); n != mostKept/mostBody {
		t.Errorf("%d large requests are kept", n)
	}
	if status, _, _ := ask(t, s, "GET", "/x", strings.Repeat("x", mostBody+1)); status != 413 {
		t.Errorf("a body that is too large: %d", status)
	}
}

func TestWrongFixtures(t *testing.T) {
	for fixture, want := range map[string]string{
		``:                          "EOF",
		`{} {}`:                     "more than one",
		`{"rout": []}`:              "unknown field",
		`{"routes":[{}]}`:           "begins with a slash",
		`{"routes":[{"path":"/"}]}`: "no reply",
		`{"routes":[{"path":"/","reply":{},"replies":[{}]}]}`:                "exclude",
		`{"routes":[{"path":"/","reply":{"status":99}}]}`:                    "99 is not a valid response status",
		`{"routes":[{"path":"/","reply":{"json":1,"body":"x"}}]}`:            "json and body",
		`{"routes":[{"path":"/","reply":{"delay":"1h"}}]}`:                   "a delay is",
		`{"routes":[{"path":"/","reply":{}},{"path":"/x","reply":{"x":1}}]}`: "unknown field",
		`{"routes":[{"path":"/","reply":{}},{"method":"GET","path":"/x"}]}`:  "route 2, GET /x",
	} {
		if _, err := New([]byte(fixture)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(%s) = %v, want %q", fixture, err, want)
		}
	}
}

func TestServe(t *testing.T) {
	defer goleak.VerifyNone(t)
	s, err := New([]byte(fixture))
	if err != nil {
		t.Fatal(err)
	}
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(URL(l), "http://127.0.0.1:") {
		t.Error(URL(l))
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	client := &http.Client{Timeout: 10 * time.Second}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			r, err := client.Get(URL(l) + "/files/x")
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			if b, err := io.ReadAll(r.Body); err != nil || string(b) != "any" {
				t.Errorf("%q, %v", b, err)
			}
		})
	}
	wg.Wait()
	client.CloseIdleConnections()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if len(s.Requests()) != 20 {
		t.Errorf("%d requests", len(s.Requests()))
	}
}
