package lua

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
)

func TestAsync(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
		fmt.Fprint(w, r.URL.Path)
	})
	for _, c := range []struct {
		src  string
		want any
	}{
		{`local h = async.spawn(function() return 1, nil, 3 end) local r = h.await() return {#r, r[1], r[3]}`, array{int64(3), int64(1), int64(3)}},
		{`local log = {} local h = async.spawn(function() log[#log+1] = "task" end) log[#log+1] = "main" h.await() return table.concat(log, " ")`, "main task"},
		{`local hs, sum = {}, 0 for i = 1, 50 do hs[i] = async.spawn(function() sleep(0.001 * (i % 5)) sum = sum + i return i end) end local n = 0 for _, h in ipairs(hs) do n = n + h.await()[1] end return {n, sum}`, array{int64(1275), int64(1275)}},
		{`local hs = {} for i = 1, 10 do hs[i] = async.spawn(function() return http.get(U .. "/" .. i).body end) end local out = {} for i, h in ipairs(hs) do out[i] = h.await()[1] end return table.concat(out)`, "/1/2/3/4/5/6/7/8/9/10"},
		{`local h = async.spawn(function() error({code = 7}) end) local ok, e = pcall(h.await) return {ok, e.code}`, array{false, int64(7)}},
		{`local h = async.spawn(function() local t = nil; t.x = 1 end) local ok, e = pcall(h.await) return e:match("attempt to index a nil value") ~= nil`, true},
		{`local outer = async.spawn(function() local inner = async.spawn(function() sleep(0.001) return "in" end) return inner.await()[1] .. "out" end) return outer.await()[1]`, "inout"},
		{`local n = 0 local h h = async.spawn_interval(0.005, function() n = n + 1 if n == 3 then h.cancel() end end) sleep(0.1) return n`, int64(3)},
		{`local n = 0 async.spawn_interval(0.001, function() n = n + 1 error("stop") end) sleep(0.03) return n`, int64(1)},
		{`local n = 0 local h = async.spawn_interval(10, function() n = n + 1 end) h.cancel() h.cancel() return n`, int64(0)},
		// what a coroutine waits for, others need not
		{`local log = {} local h = async.spawn(function() log[#log+1] = "t1" sleep(0.01) log[#log+1] = "t2" end) local co = coroutine.wrap(function() log[#log+1] = "c1" while #log < 3 do sleep(0.001) end coroutine.yield() log[#log+1] = "c2" end) co() co() h.await() return table.concat(log, " ")`, "c1 t1 t2 c2"},
		{`local n = 0 local hs = {} for i = 1, 20 do hs[i] = async.spawn(function() for j = 1, 50 do local v = n coroutine.wrap(function() end)() n = v + 1 end end) end for _, h in ipairs(hs) do h.await() end return n`, int64(1000)},
		{`local a = async.spawn(function() return require("slow") end) local b = async.spawn(function() return require("slow") end) return a.await()[1] == b.await()[1]`, true},
		{`async.spawn(function() sleep(1000) end) return "done"`, "done"},
		{`async.spawn(function() while true do sleep(0) end end) sleep(0.01) return "done"`, "done"},
		{`local co = coroutine.wrap(function() coroutine.yield(1) end) co() return "done"`, "done"},
		{`local co = coroutine.create(function() pcall(function() coroutine.yield() end) error("not reached") end) coroutine.resume(co) return coroutine.status(co)`, "suspended"},
	} {
		o := options(t)
		o.Globals = map[string]any{"U": s.URL}
		got, err := eval(t, o, c.src)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
		} else if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.src, d)
		}
	}
}

// A coroutine yields across whatever Lua 5.4 lets it, and is told where it cannot.
func TestYield(t *testing.T) {
	const within = "attempt to yield across a C-call boundary"
	const outside = "attempt to yield from outside a coroutine"
	for src, want := range map[string]any{
		`local co = coroutine.wrap(function() local ok, v = pcall(function() return coroutine.yield("in") + 1 end) return v end) return co() .. co(5)`:                               "in6",
		`local t = setmetatable({}, {__index = function(_, k) return coroutine.yield(k) end}) local co = coroutine.wrap(function() return t.foo end) return co() .. co("!")`:         "foo!",
		`local co = coroutine.wrap(function() for v in function() return coroutine.yield("next") end do return v end end) return co() .. co("v")`:                                    "nextv",
		`local co = coroutine.wrap(function() local x <close> = setmetatable({}, {__close = function() coroutine.yield("closing") end}) return "done" end) return co() .. co()`:      "closingdone",
		`local co = coroutine.wrap(function() return select(2, xpcall(function() coroutine.yield("x") error("e", 0) end, function(e) return e .. "!" end)) end) return co() .. co()`: "xe!",
		`local co = coroutine.wrap(function() return sleep(0.001) or coroutine.yield("slept") end) return co()`:                                                                      "slept",
		`return select(2, pcall(coroutine.wrap(function() table.sort({3, 2, 1}, function(a, b) coroutine.yield() return a < b end) end)))`:                                           within,
		`return select(2, pcall(coroutine.wrap(function() return (("a"):gsub("a", function() coroutine.yield() end)) end)))`:                                                         within,
		`package.preload.y = function() coroutine.yield() end return select(2, pcall(coroutine.wrap(function() require("y") end)))`:                                                  within,
		`return select(2, pcall(async.spawn(function() coroutine.yield() end).await))`:                                                                                               outside,
		`return select(2, pcall(coroutine.yield))`: outside,
		`async.spawn(function() http.serve(PORT, {GET = {["/"] = function() coroutine.yield() end}}) end) sleep(0.05) return http.get("http://127.0.0.1:" .. PORT).body`: outside,
	} {
		got, err := eval(t, Options{Globals: map[string]any{"PORT": free(t)}}, src)
		if s, _ := got.(string); err != nil || got != want && !strings.HasSuffix(s, want.(string)) {
			t.Errorf("%s: %v, %v, want %v", src, got, err, want)
		}
	}
}

// A task that fails unheard is heard of in the log.
func TestUnawaited(t *testing.T) {
	var log bytes.Buffer
	if _, err := eval(t, Options{Log: &log}, `local lost, ticked async.spawn(function() lost = true error("lost") end) async.spawn_interval(0.001, function() ticked = true error("tick") end) while not (lost and ticked) do sleep(0.001) end`); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"WARN  async.spawn: a task that nobody awaits has failed: t.lua:1: lost", "ERROR async.spawn_interval: t.lua:1: tick"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q lacks %q", log.String(), want)
		}
	}
}

// Several VMs run at once and know nothing of each other.
func TestVMsAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			vm := New(Options{Memory: 1 << 30})
			defer vm.Close()
			for range 3 {
				out, err := vm.Run(t.Context(), "t", []byte(`
x = (x or 0) + ...
local hs = {}
for i = 1, 5 do hs[i] = async.spawn(function() local s = 0 for j = 1, 2000 do s = s + j % i end sleep(0.001) return (("a"):rep(100):gsub("a", "b")) end) end
for _, h in ipairs(hs) do h.await() end
pcall(function() local function f() return 1 + f() end f() end)
local co = coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i) end end)
for i = 1, 100 do co() end
return json.parse(json.encode({x = x})).x`), n)
				if err != nil {
					t.Error(err)
				} else if out[0].(int64)%int64(max(n, 1)) != 0 {
					t.Error(out)
				}
			}
		})
	}
	wg.Wait()
}

func TestWebSocket(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		for {
			_, b, err := c.Read(r.Context())
			switch {
			case err != nil:
				return
			case string(b) == "bye":
				c.Close(websocket.StatusNormalClosure, "")
				return
			case string(b) == "drop":
				return
			case string(b) == "binary":
				c.Write(r.Context(), websocket.MessageBinary, []byte("bin"))
			case string(b) == "ping":
				ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
				go c.Read(ctx) // which a ping needs
				err := c.Ping(ctx)
				cancel()
				if err != nil {
					return
				}
			default:
				c.Write(r.Context(), websocket.MessageText, append([]byte("re: "), b...))
			}
		}
	}))
	defer s.Close()
	o := Options{Globals: map[string]any{"U": "ws" + strings.TrimPrefix(s.URL, "http")}}
	for src, want := range map[string]any{
		`local c = ws.connect(U) ws.send(c, "a") ws.send(c, "é") local r = ws.recv(c) .. ws.recv(c) ws.close(c) return r`:                                        "re: are: é",
		`local c = ws.connect(U) ws.send(c, "binary") return ws.recv(c)`:                                                                                         "bin",
		`local c = ws.connect(U) ws.send(c, "bye") return (select(2, pcall(ws.recv, c)))`:                                                                        "ws.recv: connection closed",
		`local c = ws.connect(U) ws.send(c, "drop") return (select(2, pcall(ws.recv, c)))`:                                                                       "ws.recv: connection closed",
		`local c = ws.connect(U) ws.close(c) return (select(2, pcall(ws.send, c, "x")))`:                                                                         "ws.send: connection closed",
		`local c = ws.connect(U) ws.close(c) ws.close(c) return 1`:                                                                                               int64(1),
		`local c = ws.connect(U) local n = 0 local h = async.spawn(function() return ws.recv(c) end) sleep(0.01) n = 1 ws.send(c, "x") return h.await()[1] .. n`: "re: x1",
		`return tostring(ws.connect(U)):match("^ws connection: ") ~= nil and type(ws.connect(U))`:                                                                "userdata",
	} {
		if got, err := eval(t, o, src); err != nil || got != want {
			t.Errorf("%s = %v, %v, want %v", src, got, err, want)
		}
	}
}
