package lua

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// maxRequest is how much of a request's body a server reads.
const maxRequest = 16 << 20

// httpServe answers requests until the run ends. It listens on the loopback address unless its options name another.
func httpServe(c call) int {
	port, ok := c.Arg(1).Integer()
	c.FailIf(!ok || port < 0 || port > 65535, "http.serve: first argument must be a port number")
	routes, ok := c.asTable(2)
	c.FailIf(!ok, "http.serve: second argument must be a routes table")
	c.FailIf(c.vm.o.Policy.confines(), "http.serve: the policy permits no server")
	host := "127.0.0.1"
	if v := c.options(3).GetField("host"); !v.IsNil() {
		if host, ok = v.AsString(); !ok {
			c.Fail("http.serve: host must be a string")
		}
	}
	s := &server{run: c.vm.run, routes: map[string]value{}, slots: make(chan struct{}, max(1, c.vm.memory/4/maxRequest))}
	keep := c.newTable(0) // handlers, so that they count as in use
	for m, paths := range routes.All() {
		method, ok := m.AsString()
		t := paths.AsTable()
		c.FailIf(!ok || t == nil, "http.serve: routes must be tables of paths by method")
		for p, handler := range t.All() {
			path, _ := p.Text()
			s.routes[strings.ToUpper(method)+" "+path] = handler
			keep.SetInt(keep.Len()+1, handler)
		}
	}
	c.Push(keep.Of())
	l, err := new(net.ListenConfig).Listen(s.run.ctx, "tcp", net.JoinHostPort(host, strconv.FormatInt(port, 10)))
	c.Check("http.serve: bind failed", err)
	c.wait(func(ctx context.Context) {
		srv := &http.Server{Handler: s, ReadHeaderTimeout: requestTimeout, BaseContext: func(net.Listener) context.Context { return ctx }}
		stop := context.AfterFunc(ctx, func() { _ = srv.Close() }) // an answer that comes later is discarded
		defer stop()
		err = srv.Serve(l)
		s.busy.Wait()
	})
	c.Fail("http.serve: %v", err)
	return 0
}

// A server answers with what functions of Lua return, one at a time.
type server struct {
	run    *run
	routes map[string]value
	busy   sync.WaitGroup
	slots  chan struct{} // an element for each request whose body is in memory
}

var answerFields = []string{"status", "headers", "body", "json"}

// An answer is a response, before it is one.
type answer struct {
	status  int
	headers map[string]string
	body    string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.busy.Add(1)
	defer s.busy.Done()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-s.run.ctx.Done():
		return
	case <-r.Context().Done():
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		http.Error(w, "request body: "+err.Error(), http.StatusBadRequest)
		return
	}
	handler, ok := s.routes[r.Method+" "+r.URL.Path]
	if !ok {
		answer{status: http.StatusNotFound, body: "not found"}.write(w)
		return
	}
	a, err := s.handle(handler, r, string(body))
	if err != nil {
		a = answer{status: http.StatusInternalServerError, body: "handler error: " + err.Error()}
	}
	a.write(w)
}

// handle calls a handler on a task of its own, so that it may wait.
func (s *server) handle(handler value, r *http.Request, body string) (a answer, err error) {
	vm := s.run.vm
	vm.mu.Lock()
	defer vm.mu.Unlock()
	headers := map[string]string{"host": r.Host}
	for name, values := range r.Header {
		headers[strings.ToLower(name)] = values[len(values)-1]
	}
	req := vm.state.NewTable(0, 5)
	for name, v := range map[string]any{
		"method": r.Method, "path": r.URL.Path, "query": r.URL.RawQuery, "headers": headers, "body": body,
	} {
		req.SetField(name, vm.fromGo(v))
	}
	var bad error
	_, err = s.run.do("http.serve", vm.closure("http.serve", handler, func(c call) int {
		a, bad = c.answer(c.Call1(handler, c.Arg(1)))
		return 0
	}), req.Of())
	if err != nil {
		return a, s.run.err(err)
	}
	return a, bad
}

// answer makes an answer of what a handler returned.
func (c call) answer(v value) (a answer, err error) {
	a.status = http.StatusOK
	if v.IsNil() {
		return a, nil
	}
	resp := v.AsTable()
	if resp == nil {
		return a, fmt.Errorf("a handler must return a table, not a %s", v.TypeName())
	}
	c.checkNames("http.serve", "field of a response", resp, answerFields)
	if v := resp.GetField("status"); !v.IsNil() {
		n, ok := v.Integer()
		if !ok || n < 100 || n > 999 {
			return a, errors.New("status must be a number from 100 to 999")
		}
		a.status = int(n)
	}
	a.headers = map[string]string{"Content-Type": "text/plain"}
	if v := resp.GetField("json"); !v.IsNil() {
		b, err := c.appendJSON(nil, v)
		if err != nil {
			return a, fmt.Errorf("encoding its JSON: %w", err)
		}
		a.body, a.headers["Content-Type"] = string(b), "application/json"
	} else if s, ok := resp.GetField("body").Text(); ok {
		a.body = s
	}
	h := resp.GetField("headers").AsTable()
	if h == nil {
		return a, nil
	}
	list, err := members(h)
	for _, m := range list {
		if s, ok := m.value.Text(); ok {
			a.headers[http.CanonicalHeaderKey(m.name)] = s
		}
	}
	return a, err
}

func (a answer) write(w http.ResponseWriter) {
	for name, v := range a.headers {
		w.Header().Set(name, v)
	}
	if a.headers == nil {
		w.Header().Set("Content-Type", "text/plain")
	}
	w.WriteHeader(a.status)
	// The client may be gone, and there is nobody else to tell.
	_, _ = io.WriteString(w, a.body)
}
