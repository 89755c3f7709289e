package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// maxBody is the longest request that is read; agents send whole conversations.
const maxBody = 64 << 20

// A Server is a model on loopback. Its methods may be called at once.
type Server struct {
	URL string // http://127.0.0.1:PORT, without a path

	http *http.Server
	done chan struct{}

	mu       sync.Mutex
	script   Script
	used     []bool
	requests []*Request
	answers  int
}

// Serve starts a Server at a loopback address; port 0 is any that is free.
func Serve(port int, s Script) (*Server, error) {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	m := &Server{URL: "http://" + l.Addr().String(), done: make(chan struct{})}
	m.Play(s)
	m.http = &http.Server{Handler: m.handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(m.done)
		_ = m.http.Serve(l) // ErrServerClosed: Close says so itself
	}()
	return m, nil
}

// Close ends the Server and every answer that it is giving.
func (m *Server) Close() error {
	err := m.http.Close()
	<-m.done
	return err
}

// Play goes on with another script, from its beginning.
func (m *Server) Play(s Script) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.script, m.used = s, make([]bool, len(s.Replies))
}

// Requests returns what has been asked so far, in order.
func (m *Server) Requests() []*Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]*Request(nil), m.requests...)
}

// Unused returns the replies that nothing has asked for yet, Keep ones excepted.
func (m *Server) Unused() (out []Reply) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, r := range m.script.Replies {
		if !m.used[i] && !r.Keep {
			out = append(out, r)
		}
	}
	return out
}

func (m *Server) handler() http.Handler {
	mux := http.NewServeMux()
	// With and without /v1: agents differ in whether it is part of the address.
	for _, base := range []string{"", "/v1"} {
		mux.HandleFunc("POST "+base+"/chat/completions", m.answer("chat", writeChat))
		mux.HandleFunc("POST "+base+"/responses", m.answer("responses", writeResponse))
		mux.HandleFunc("POST "+base+"/messages", m.answer("messages", writeMessage))
		mux.HandleFunc("POST "+base+"/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, map[string]any{"input_tokens": 100})
		})
		mux.HandleFunc("GET "+base+"/models", func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, map[string]any{"object": "list", "models": []any{}, "data": []any{map[string]any{"id": "scripted", "object": "model"}}})
		})
	}
	return mux
}

// answer returns the handler of a wire format, of which write is the voice.
func (m *Server) answer(wire string, write func(*stream, *Request, Reply, string)) http.HandlerFunc {
	return func(w http.ResponseWriter, h *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, h.Body, maxBody))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		r, err := parse(wire, body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		m.mu.Lock()
		m.requests = append(m.requests, r)
		reply := m.script.choose(m.used, r)
		m.answers++
		id := fmt.Sprintf("%04d", m.answers)
		m.mu.Unlock()
		select {
		case <-time.After(reply.delay()):
		case <-h.Context().Done():
			return
		}
		if reply.Status != 0 {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(reply.Status)
			fmt.Fprint(w, `{"type":"error","error":{"type":"api_error","message":"scripted error"}}`)
			return
		}
		s := &stream{w: w}
		if r.Stream {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Cache-Control", "no-store")
		}
		write(s, r, reply, id)
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client has gone
}

// A stream is an answer as server-sent events.
type stream struct{ w http.ResponseWriter }

// event sends v; name is left out where it is empty.
func (s *stream) event(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of texts and numbers
	}
	if name != "" {
		fmt.Fprintf(s.w, "event: %s\n", name)
	}
	fmt.Fprintf(s.w, "data: %s\n\n", data)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}

// pieces cuts a text as a model does: a few at a time.
func pieces(s string) []string {
	words := strings.SplitAfter(s, " ")
	var out []string
	for len(words) > 0 {
		n := min(4, len(words))
		out = append(out, strings.Join(words[:n], ""))
		words = words[n:]
	}
	return out
}

// tokens is roughly how many a text has.
func tokens(s string) int { return len(s)/4 + 1 }

// input is how many tokens a request is said to have cost.
func input(r *Request, reply Reply) int {
	if reply.Usage > 0 {
		return reply.Usage
	}
	return tokens(string(r.Body))
}
