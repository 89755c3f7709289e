// Package mock is an HTTP server that answers as a fixture says, for scripts to be
// tried and tested without the service they call.
//
// It answers nothing that its fixture does not, keeps what it was asked, and listens
// on loopback alone.
package mock

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Fixture is what a server answers.
type Fixture struct {
	Routes []Route `json:"routes"`
}

// A Route is a kind of request and what it is answered with. The first route of a
// fixture that fits a request answers it.
type Route struct {
	Method  string            `json:"method"`  // any where it is empty
	Path    string            `json:"path"`    // "/api/{id}/tags"; "/files/*" is all below /files
	Query   map[string]string `json:"query"`   // parameters that the request has
	Headers map[string]string `json:"headers"` // and headers
	Body    json.RawMessage   `json:"body"`    // a string, or JSON that the request's is equal to
	Reply   *Reply            `json:"reply"`
	Replies []Reply           `json:"replies"` // instead of Reply: one after another, the last again and again
}

// A Reply is one answer.
type Reply struct {
	Status  int               `json:"status"` // 0: 200
	Headers map[string]string `json:"headers"`
	JSON    json.RawMessage   `json:"json"`
	Body    string            `json:"body"`  // where there is no JSON
	Delay   string            `json:"delay"` // "200ms"

	delay time.Duration
}

// A Request is one that the server was asked.
type Request struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"` // as it was sent
	Query   string            `json:"query,omitempty"`
	Headers map[string]string `json:"headers,omitempty"` // in lower case
	Body    string            `json:"body,omitempty"`
	Status  int               `json:"status"` // of the answer
}

const (
	mostBody     = 8 << 20  // bytes
	mostRequests = 1000     // that are kept: the latest
	mostKept     = 16 << 20 // bytes of their bodies
	mostDelay    = time.Minute
	// Journal is the path at which a server tells what it was asked, and with DELETE
	// forgets it.
	Journal = "/__requests"
)

// A Server answers requests. It is safe for concurrent use.
type Server struct {
	// Tell, if set, is told each request, one at a time.
	Tell func(Request)

	routes []Route

	mu   sync.Mutex
	used []int // replies of each route that were given
	seen []Request
	kept int // bytes of the bodies in seen
}

// New returns the server of a fixture in JSON. A key that a fixture does not have is
// an error.
func New(fixture []byte) (*Server, error) {
	var f Fixture
	dec := json.NewDecoder(bytes.NewReader(fixture))
	dec.DisallowUnknownFields()
	err := dec.Decode(&f)
	if err == nil && dec.More() {
		err = errors.New("more than one JSON value")
	}
	if err != nil {
		return nil, fmt.Errorf("read the fixture: %w", err)
	}
	for i := range f.Routes {
		if err := f.Routes[i].check(); err != nil {
			return nil, fmt.Errorf("route %d, %s %s: %w", i+1, f.Routes[i].Method, f.Routes[i].Path, err)
		}
	}
	return &Server{routes: f.Routes, used: make([]int, len(f.Routes))}, nil
}

func (r *Route) check() error {
	if r.Method == "*" {
		r.Method = ""
	}
	if !strings.HasPrefix(r.Path, "/") {
		return errors.New("a path begins with a slash")
	}
	if r.Reply != nil {
		if r.Replies != nil {
			return errors.New("reply and replies exclude each other")
		}
		r.Replies = []Reply{*r.Reply}
	}
	if len(r.Replies) == 0 {
		return errors.New("it has no reply")
	}
	for i := range r.Replies {
		p := &r.Replies[i]
		p.Status = cmp.Or(p.Status, http.StatusOK)
		if p.Status < 200 || p.Status > 599 {
			return fmt.Errorf("%d is not a valid response status", p.Status)
		}
		if p.JSON != nil && p.Body != "" {
			return errors.New("json and body exclude each other")
		}
		if p.Delay == "" {
			continue
		}
		d, err := time.ParseDuration(p.Delay)
		if err != nil || d < 0 || d > mostDelay {
			return fmt.Errorf("a delay is up to %v, as 200ms, not %q", mostDelay, p.Delay)
		}
		p.delay = d
	}
	return nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == Journal {
		s.journal(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	reply, ok := s.next(r, body)
	status := reply.Status
	if !ok {
		status = http.StatusNotFound
	}
	s.note(r, body, status)
	if !ok {
		tell(w, status, map[string]string{"error": "no route of the fixture fits " + r.Method + " " + r.URL.RequestURI()})
		return
	}
	select {
	case <-time.After(reply.delay):
	case <-r.Context().Done():
		return
	}
	reply.write(w)
}

func (p *Reply) write(w http.ResponseWriter) {
	body := []byte(p.Body)
	if p.JSON != nil {
		body = p.JSON
		w.Header().Set("Content-Type", "application/json")
	}
	for name, value := range p.Headers {
		w.Header().Set(name, value)
	}
	if p.Status != http.StatusNoContent && p.Status != http.StatusNotModified {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // whoever asked is gone
}

// next returns the answer to a request.
func (s *Server) next(r *http.Request, body []byte) (Reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.routes {
		route := &s.routes[i]
		if route.fits(r, body) {
			n := min(s.used[i], len(route.Replies)-1)
			s.used[i]++
			return route.Replies[n], true
		}
	}
	return Reply{}, false
}

func (r *Route) fits(q *http.Request, body []byte) bool {
	if r.Method != "" && !strings.EqualFold(r.Method, q.Method) || !fits(r.Path, q.URL) {
		return false
	}
	query := q.URL.Query()
	for name, want := range r.Query {
		if !slices.Contains(query[name], want) {
			return false
		}
	}
	for name, want := range r.Headers {
		got := q.Header.Get(name)
		if strings.EqualFold(name, "Host") {
			got = q.Host
		}
		if got != want {
			return false
		}
	}
	return r.Body == nil || equal(r.Body, body)
}

// fits reports whether a URL's path is one that a pattern means.
func fits(pattern string, u *url.URL) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(u.EscapedPath(), "/")
	for i, w := range want {
		if w == "*" && i == len(want)-1 {
			return len(got) > i
		}
		if i >= len(got) {
			return false
		}
		part, err := url.PathUnescape(got[i])
		if err != nil || part != w && !(len(w) > 2 && w[0] == '{' && w[len(w)-1] == '}' && part != "") {
			return false
		}
	}
	return len(want) == len(got)
}

// equal reports whether a request's body is what a route wants: text, or JSON.
func equal(want json.RawMessage, body []byte) bool {
	var text string
	if json.Unmarshal(want, &text) == nil && text == string(body) {
		return true
	}
	w, ok := canonical(want)
	g, also := canonical(body)
	return ok && also && bytes.Equal(w, g)
}

// canonical returns JSON as all JSON of one value is written.
func canonical(b []byte) ([]byte, bool) {
	var v any
	if json.Unmarshal(b, &v) != nil {
		return nil, false
	}
	out, err := json.Marshal(v)
	return out, err == nil
}

// note keeps a request.
func (s *Server) note(r *http.Request, body []byte, status int) {
	q := Request{Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Body: string(body), Status: status, Headers: map[string]string{"host": r.Host}}
	for name, values := range r.Header {
		q.Headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, q)
	s.kept += len(q.Body)
	if s.Tell != nil {
		s.Tell(q)
	}
	for len(s.seen) > mostRequests || s.kept > mostKept {
		s.kept -= len(s.seen[0].Body)
		s.seen = slices.Delete(s.seen, 0, 1)
	}
}

// Requests returns what the server was asked, the latest last.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Clone(s.seen)
	for i := range out {
		out[i].Headers = maps.Clone(out[i].Headers)
	}
	return out
}

func (s *Server) journal(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		tell(w, http.StatusOK, append([]Request{}, s.Requests()...))
	case http.MethodDelete:
		s.mu.Lock()
		s.seen, s.kept, s.used = nil, 0, make([]int, len(s.routes))
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	default:
		tell(w, http.StatusMethodNotAllowed, map[string]string{"error": "GET or DELETE"})
	}
}

func tell(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // whoever asked is gone
}

// Listen opens a port of loopback; 0 is any that is free.
func Listen(port int) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// URL returns the address of a server behind a listener.
func URL(l net.Listener) string { return "http://" + l.Addr().String() }

// Serve answers what comes in at l until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 20}
	stopped := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stopped()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
