package stdlib_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"
)

// Loki sends lines over a web socket, message after message.
func TestLokiTail(t *testing.T) {
	loki := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/loki/api/v1/tail" || r.URL.Query().Get("query") != `{app="a"}` || r.URL.Query().Get("limit") != "5" {
			t.Errorf("asked for %s", r.URL)
		}
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		ctx := c.CloseRead(r.Context()) // else nobody answers the client's goodbye, for which it waits
		for i := 1; ; i++ {
			message := fmt.Sprintf(`{"streams":[{"stream":{"app":"a"},"values":[["%d","line %d"]]}]}`, i, i)
			if c.Write(ctx, websocket.MessageText, []byte(message)) != nil {
				return
			}
		}
	}))
	defer loki.Close()
	s := newServer(t)
	out, _ := runLua(t, s, map[string]string{"LOKI_URL": loki.URL}, `
local c = require("assay.loki").client()
local first = c:tail('{app="a"}', {limit = 5})
local seen = {}
local last = c:tail('{app="a"}', {limit = 5, on_message = function(m)
  seen[#seen + 1] = m.streams[1].values[1][2]
  return #seen < 3
end})
local ok, err = pcall(c.tail, c, '{app="a"}', {limit = 5, on_message = function() error("enough", 0) end})
return first.streams[1].values[1][2], table.concat(seen, ","), last.streams[1].values[1][1], err`)
	want := []any{"line 1", "line 1,line 2,line 3", "3", "loki: tail /loki/api/v1/tail?query=%7Bapp%3D%22a%22%7D&limit=5: enough"}
	if fmt.Sprint(out) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", out, want)
	}
}
