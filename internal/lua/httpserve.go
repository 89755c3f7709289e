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

// httpServe answers requests until the run ends. It listens on the loopback
// address unless its options name another.
func httpServe(c call) int {
	port, ok := keyInt(c.arg(1))
	if !ok || port < 0 || port > 65535 {
		c.fail("http.serve: first argument must be a port number")
	}
	routes, ok := c.asTable(2)
	if !ok {
		c.fail("http.serve: second argument must be a routes table")
	}
	if c.vm().o.Policy != nil {
		c.fail("http.serve: the policy permits no server")
	}
	host := "127.0.0.1"
	if opts, ok := c.asTable(3); ok {
		if h, ok := isString(opts.RawGetString("host")); ok {
			host = h
		}
	}
	s := &server{run: c.run(), routes: map[string]value{}, slots: make(chan struct{}, max(1, c.vm().memory/4/maxRequest))}
	each(routes, func(m, paths value) bool {
		method, okM := isString(m)
		t, okT := paths.(*table)
		if !okM || !okT {
			c.fail("http.serve: routes must be tables of paths by method")
		}
		each(t, func(p, handler value) bool {
			path, _ := text(p)
			s.routes[strings.ToUpper(method)+" "+path] = handler
			return true
		})
		return true
	})
	l, err := new(net.ListenConfig).Listen(s.run.ctx, "tcp", net.JoinHostPort(host, strconv.FormatInt(port, 10)))
	if err != nil {
		c.fail("http.serve: bind failed: %v", err)
	}
	c.wait(func(ctx context.Context) {
		srv := &http.Server{Handler: s, ReadHeaderTimeout: requestTimeout, BaseContext: func(net.Listener) context.Context { return ctx }}
		stop := context.AfterFunc(ctx, func() { _ = srv.Close() }) // what answers then is no longer wanted
		defer stop()
		err = srv.Serve(l)
		s.busy.Wait()
	})
	c.fail("http.serve: %v", err)
	return 0
}

// A server answers with what functions of Lua return, one at a time.
type server struct {
	run    *run
	routes map[string]value
	busy   sync.WaitGroup
	slots  chan struct{} // an element for each request whose body is in memory
}

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
	s.run.vm.mu.Lock()
	defer s.run.vm.mu.Unlock()
	if s.run.stopped() {
		return a, s.run.cause()
	}
	req := newRecord(4)
	headers := map[string]string{"host": r.Host}
	for name, values := range r.Header {
		headers[strings.ToLower(name)] = values[len(values)-1]
	}
	for name, v := range map[string]any{
		"method": r.Method, "path": r.URL.Path, "query": r.URL.RawQuery, "headers": headers, "body": strings.ToValidUTF8(body, "\uFFFD"),
	} {
		req.RawSetString(name, fromGo(v))
	}
	t := s.run.newThread(newTask(), callFrames)
	out, raised := t.invoke(handler, req)
	if raised != nil {
		return a, raised.err(s.run)
	}
	a.status = http.StatusOK
	if len(out) == 0 || out[0] == none {
		return a, nil
	}
	resp, ok := out[0].(*table)
	if !ok {
		return a, fmt.Errorf("a handler must return a table, not a %s", typeName(out[0]))
	}
	return a, t.answer(&a, resp)
}

func (t *thread) answer(a *answer, resp *table) error {
	if v := resp.RawGetString("status"); v != none {
		n, ok := toInt(v)
		if !ok || n < 100 || n > 999 {
			return errors.New("status must be a number from 100 to 999")
		}
		a.status = int(n)
	}
	a.headers = map[string]string{"Content-Type": "text/plain"}
	if v := resp.RawGetString("json"); v != none {
		b, err := t.asCall("http.serve").appendJSON(nil, v)
		if err != nil {
			return fmt.Errorf("encoding its JSON: %w", err)
		}
		a.body, a.headers["Content-Type"] = string(b), "application/json"
	} else if s, ok := text(resp.RawGetString("body")); ok {
		a.body = s
	}
	h, ok := resp.RawGetString("headers").(*table)
	if !ok {
		return nil
	}
	list, err := members(h)
	for _, m := range list {
		if s, ok := text(m.value); ok {
			a.headers[http.CanonicalHeaderKey(m.name)] = s
		}
	}
	return err
}

func (a answer) write(w http.ResponseWriter) {
	for name, v := range a.headers {
		w.Header().Set(name, v)
	}
	if a.headers == nil {
		w.Header().Set("Content-Type", "text/plain")
	}
	w.WriteHeader(a.status)
	// Who asked may be gone; there is nobody else to tell.
	_, _ = io.WriteString(w, a.body)
}
