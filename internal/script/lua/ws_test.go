package lua

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
)

// socketServer answers each message with its kind and itself, the first with what the request said.
func socketServer(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"graphql-transport-ws"}})
		if err != nil {
			return
		}
		defer c.CloseNow()
		hello := r.Host + " " + r.Header.Get("Authorization") + " " + r.Header.Get("Sec-WebSocket-Protocol")
		for err = c.Write(r.Context(), websocket.MessageText, []byte(hello)); err == nil; {
			var kind websocket.MessageType
			var b []byte
			if kind, b, err = c.Read(r.Context()); err == nil {
				err = c.Write(r.Context(), kind, append([]byte(kind.String()+" "), b...))
			}
		}
	}))
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

func TestWebSocketOptions(t *testing.T) {
	url := socketServer(t)
	tests := []struct {
		name, src string
		want      any
	}{
		{"headers and subprotocols", `local c, p = ws.connect(W, {headers = {Authorization = "Bearer t", Host = "h.test"}, subprotocols = {"mqtt", "graphql-transport-ws"}}) return {ws.recv(c), p}`, array{"h.test Bearer t mqtt,graphql-transport-ws", "graphql-transport-ws"}},
		{"without", `local c, p = ws.connect(W) return {(ws.recv(c):gsub("^%S+", "")), p == nil}`, array{"  ", true}},
		{"kinds of messages", `local c = ws.connect(W) ws.recv(c) ws.send(c, "a") ws.send(c, "b", {binary = true}) ws.send(c, "\xff") local k = {kind = true} return {{ws.recv(c, k)}, {ws.recv(c, k)}, {ws.recv(c, k)}}`, array{array{"MessageText a", "text"}, array{"MessageBinary b", "binary"}, array{"MessageBinary \xff", "binary"}}},
		{"subprotocols that are none", `return select(2, pcall(ws.connect, W, {subprotocols = "mqtt"}))`, "ws.connect: subprotocols must be a list of names"},
		{"a header that is none", `return select(2, pcall(ws.connect, W, {headers = {["a b"] = "c"}}))`, `ws.connect: invalid header "a b"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := eval(t, Options{Globals: map[string]any{"W": url}}, tt.src)
			if d := cmp.Diff(tt.want, got); err != nil || d != "" {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
		})
	}
	o := Options{Globals: map[string]any{"W": url}, Policy: &Policy{Hosts: []string{url[len("ws://"):]}, WriteWS: true}}
	if got, err := eval(t, o, `return select(2, pcall(ws.connect, W, {headers = {Host = "other.test"}}))`); err != nil || got != "ws.connect: the policy does not permit the host other.test" {
		t.Errorf("another host: %v, %v", got, err)
	}
}
