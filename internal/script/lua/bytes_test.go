package lua

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// Strings are bytes: all 256 of them come out of whatever they went into, and as they
// are, not as a reader of text would have them.
func TestBytes(t *testing.T) {
	web := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		b, _ := io.ReadAll(r.Body)
		w.Write(b)
	})
	sockets := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		kind, b, err := c.Read(r.Context())
		if err == nil {
			c.Write(r.Context(), kind, b)
		}
	}))
	defer sockets.Close()
	o := options(t)
	o.Globals = map[string]any{"U": web.URL, "W": "ws" + strings.TrimPrefix(sockets.URL, "http"), "PORT": free(t)}
	const all = "local list = {} for i = 0, 255 do list[i + 1] = string.char(i) end local all = table.concat(list) all = '\\xef\\xbb\\xbf' .. all .. all "
	for _, src := range []string{
		`return base64.decode(base64.encode(all))`,
		`fs.write("all", all) return fs.read("all")`,
		`return http.post(U, all).body`,
		`return http.post(U, all, {headers = {["content-type"] = "application/octet-stream"}}).body`,
		`return http.post(U, all, {headers = {["content-type"] = "text/plain; charset=utf-8"}}).body`,
		`return http.client():put(U, all, {headers = {["content-type"] = "image/png; charset=binary"}}).body`,
		`local seen async.spawn(function() http.serve(PORT, {POST = {["/"] = function(r) seen = r.body return {body = r.body} end}}) end) sleep(0.05)
		 local got = http.post("http://127.0.0.1:" .. PORT, all).body assert(seen == all) return got`,
		`local c = ws.connect(W) ws.send(c, all) return ws.recv(c)`,
		`local c = db.connect("sqlite::memory:") return db.query(c, "SELECT ? AS v", {all})[1].v`,
		`local c = db.connect("sqlite::memory:") db.execute(c, "CREATE TABLE t (v BLOB)") db.execute(c, "INSERT INTO t VALUES (?)", {all}) assert(db.query(c, "SELECT length(v) AS n FROM t")[1].n == #all) return db.query(c, "SELECT v FROM t")[1].v`,
		`return template.render_string("{{ v }}", {v = all})`,
		`fs.write("all.j2", all) return template.render("all.j2")`,
		`return async.spawn(function() return all end).await()[1]`,
		`return regex.replace(all, "nothing like it", "x")`,
		`return select(2, pcall(error, all, 0))`,
		`return string.unpack("s4", string.pack("s4", all))`,
		`return coroutine.wrap(function() coroutine.yield(all) end)()`,
	} {
		got, err := eval(t, o, all+"local got = (function() "+src+" end)() if got == all then return 'same' end return (got:gsub('[^!-~]', function(c) return ('%02x'):format(c:byte()) end))")
		if err != nil || got != "same" {
			t.Errorf("%s: %v, %.60v", src, err, fmt.Sprint(got))
		}
	}
	// What depends on the bytes is that of the bytes.
	for src, want := range map[string]string{
		`return crypto.hash(all)`:      "40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880",
		`return crypto.hmac(all, all)`: "b61f300e0fd3a9479cc09fa8709a30dba518182dd7cb3e492e9a888fd87b3697",
		`return http.post(U, "caf\xe9", {headers = {["content-type"] = "text/plain; charset=iso-8859-1"}}).body`: "café",
	} {
		const list = "local list = {} for i = 0, 255 do list[i + 1] = string.char(i) end local all = table.concat(list) "
		if got, err := eval(t, o, list+src); err != nil || got != want {
			t.Errorf("%s: %v, %v", src, got, err)
		}
	}
}
