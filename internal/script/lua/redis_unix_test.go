//go:build unix && !slim

package lua

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fakeRedis answers each command with what replies has for it, and hangs up where that is "".
func fakeRedis(t *testing.T, replies map[string]string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					words, err := readCommand(in)
					if err != nil {
						return
					}
					reply := replies[strings.Join(words, " ")]
					if reply == "" {
						return
					}
					io.WriteString(conn, reply)
				}
			}()
		}
	}()
	return l.Addr().String()
}

func readCommand(in *bufio.Reader) (words []string, err error) {
	var n int
	if _, err := fmt.Fscanf(in, "*%d\r\n", &n); err != nil {
		return nil, err
	}
	for range n {
		var size int
		if _, err := fmt.Fscanf(in, "$%d\r\n", &size); err != nil {
			return nil, err
		}
		b := make([]byte, size+2)
		if _, err := io.ReadFull(in, b); err != nil {
			return nil, err
		}
		words = append(words, string(b[:size]))
	}
	return words, nil
}

func TestRedisReplies(t *testing.T) {
	address := fakeRedis(t, map[string]string{
		"AUTH secret":   "+OK\r\n",
		"AUTH u secret": "-WRONGPASS no secret here\r\n",
		"SELECT 3":      "+OK\r\n",
		"BYTES":         "$4\r\n\x00\xff\r\n\r\n",
		"EMPTY":         "$0\r\n\r\n",
		"NONE":          "$-1\r\n",
		"NOLIST":        "*-1\r\n",
		"NUMBER -2":     ":-9223372036854775808\r\n",
		"LIST":          "*4\r\n$1\r\na\r\n$-1\r\n:7\r\n*2\r\n-ERR inner\r\n*0\r\n",
		"FAILS":         "-ERR it failed\r\n",
		"HTTP":          "HTTP/1.1 400 Bad Request\r\n",
		"SHORT":         "\r\n",
		"HUGE":          "$9223372036854775807\r\n",
		"LARGE":         "$400000000\r\n",
		"NEGATIVE":      "$-5\r\n",
		"DEEP":          strings.Repeat("*1\r\n", 40) + ":1\r\n",
		"LONGLINE":      "-" + strings.Repeat("x", 5000) + "\r\n",
		"ENDLESS":       "+" + strings.Repeat("x", 1<<20),
	})
	for _, c := range []struct{ url, call, want string }{
		{"", `"BYTES"`, "\x00\xff\r\n"},
		{"", `"EMPTY"`, ""},
		{"", `"NONE"`, "nil"},
		{"", `"NOLIST"`, "nil"},
		{"", `"NUMBER", -2`, "-9223372036854775808"},
		{"", `"LIST"`, `["a",false,7,[{"err":"ERR inner"},[]]]`},
		{"", `"FAILS"`, "error: t.lua:2: redis.call: FAILS: ERR it failed"},
		{"", `"HTTP"`, "error: t.lua:2: redis.call: HTTP: the server does not speak Redis's protocol"},
		{"", `"SHORT"`, "error: t.lua:2: redis.call: SHORT: the server does not speak Redis's protocol"},
		{"", `"HUGE"`, "error: t.lua:2: redis.call: HUGE: the server does not speak Redis's protocol"},
		{"", `"LARGE"`, "error: t.lua:2: redis.call: LARGE: the command was carried out, and the reply is larger than 64 MiB, which is what a memory limit of 256 MiB leaves for it"},
		{"", `"NEGATIVE"`, "error: t.lua:2: redis.call: NEGATIVE: the server does not speak Redis's protocol"},
		{"", `"DEEP"`, "error: t.lua:2: redis.call: DEEP: the server does not speak Redis's protocol"},
		{"", `"ENDLESS"`, "error: t.lua:2: redis.call: ENDLESS: the server does not speak Redis's protocol"},
		{"", `"GONE"`, "error: t.lua:2: redis.call: GONE: EOF"},
		{"", `"LONGLINE"`, "error: t.lua:2: redis.call: LONGLINE: " + strings.Repeat("x", 5000)},
		{"", `"subscribe", "x", "y"`, "error: t.lua:2: redis.call: SUBSCRIBE makes a connection one that only receives, which this one cannot be"},
		{"", ``, "error: t.lua:2: redis.call: a command is required"},
		{":secret@", `"NONE"`, "nil"},
		{"u:secret@", `"NONE"`, "error: t.lua:2: redis.connect: WRONGPASS no [redacted] here"},
	} {
		comma := ", "
		if c.call == "" {
			comma = ""
		}
		got, err := eval(t, Options{Memory: 256 << 20}, fmt.Sprintf(`
local ok, v = pcall(function() return redis.call(redis.connect("redis://%s%s/3")%s%s) end)
if not ok then return "error: " .. tostring(v) end
return type(v) == "table" and json.encode(v) or tostring(v)`, c.url, address, comma, c.call))
		if err != nil || got != c.want {
			t.Errorf("redis.call(%s) at %s = %q, %v; want %q", c.call, c.url, got, err, c.want)
		}
	}
}

// After a reply that was not read to its end no other command gets it for its own.
func TestRedisBroken(t *testing.T) {
	address := fakeRedis(t, map[string]string{"BAD": "?\r\n:1\r\n", "GOOD": ":2\r\n", "ERROR": "-ERR x\r\n"})
	got, err := eval(t, Options{}, `
local c = redis.connect("redis://`+address+`")
local out = {}
for _, command in ipairs({"ERROR", "GOOD", "BAD", "GOOD"}) do out[#out + 1] = tostring(select(2, pcall(redis.call, c, command))) end
redis.close(c)
out[#out + 1] = tostring(select(2, pcall(redis.call, c, "GOOD")))
return table.concat(out, "|")`)
	want := "redis.call: ERROR: ERR x|2|redis.call: BAD: the server does not speak Redis's protocol|" +
		"redis.call: GOOD: the connection is closed after: the server does not speak Redis's protocol|redis.call: GOOD: the connection is closed"
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// A reply that is too large says that a command was carried out only where it is that of a command of the script.
func TestRedisLongReplies(t *testing.T) {
	large := fmt.Sprintf("$%d\r\n", 400_000_000)
	address := fakeRedis(t, map[string]string{"PING": "+PONG\r\n", "SELECT 3": large, "SET k v": large})
	for _, tt := range []struct{ name, src, want, not string }{
		{"connect", `redis.connect("redis://" .. R .. "/3")`, "the reply is larger than 1 MiB", "carried out"},
		{"call", `redis.call(redis.connect("redis://" .. R), "SET", "k", "v")`, "SET: the command was carried out, and the reply is larger", "closed after"},
		{"call on a closed connection", `local c = redis.connect("redis://" .. R) pcall(redis.call, c, "SET", "k", "v") redis.call(c, "DEL", "k")`, "DEL: the connection is closed after: the reply is larger", "carried out"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := eval(t, Options{Globals: map[string]any{"R": address}}, tt.src)
			if text := fmt.Sprint(err); !strings.Contains(text, tt.want) || strings.Contains(text, tt.not) {
				t.Errorf("%s, want %s and not %s", text, tt.want, tt.not)
			}
		})
	}
}

// A server that never answers holds a script no longer than its time.
func TestRedisWaits(t *testing.T) {
	address := fakeRedis(t, map[string]string{"LONG": "*536870912\r\n:1\r\n"})
	vm := New(Options{})
	defer vm.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := vm.Run(ctx, "@test", []byte(`redis.call(redis.connect("redis://`+address+`"), "LONG")`))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the script ended with %v", err)
	}
}

// What may be done at a permitted server under a policy.
func TestRedisPolicy(t *testing.T) {
	address := fakeRedis(t, map[string]string{"PING": "+PONG\r\n", "CONFIG GET dir": "+no\r\n"})
	o := Options{Policy: &Policy{Hosts: []string{address}}}
	for call, want := range map[string]string{`"PING"`: "PONG", `"config", "GET", "dir"`: "redis.call: the policy permits no CONFIG"} {
		got, err := eval(t, o, `return select(2, pcall(redis.call, redis.connect("redis://`+address+`"), `+call+`))`)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("redis.call(%s) = %v, %v; want %s", call, got, err, want)
		}
	}
}

// TestRedisServer asks a server of its own, where Redis is installed.
func TestRedisServer(t *testing.T) {
	bin, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	dir := t.TempDir()
	start(t, exec.Command(bin, "--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--save", "", "--dir", dir, "--requirepass", "p:@ss",
		"--logfile", filepath.Join(dir, "log")), port, syscall.SIGTERM)
	got, err := eval(t, Options{}, fmt.Sprintf(`
local c = redis.connect("redis://:p%%3A%%40ss@127.0.0.1:%d/2")
redis.call(c, "SET", "k", "\0\255\r\n")
redis.call(c, "RPUSH", "l", "a", 2)
return {redis.call(c, "GET", "k") == "\0\255\r\n", redis.call(c, "LRANGE", "l", 0, -1), redis.call(c, "INCR", "n"), redis.call(c, "GET", "none") == nil,
  select(2, pcall(redis.call, c, "LPUSH", "k", 1)), select(2, pcall(redis.connect, "redis://127.0.0.1:%d/1"))}`, port, port))
	want := []any{true, []any{"a", "2"}, int64(1), true, "redis.call: LPUSH: WRONGTYPE Operation against a key holding the wrong kind of value",
		"redis.connect: NOAUTH Authentication required."}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	testReadingRedis(t, fmt.Sprintf("redis://:p%%3A%%40ss@127.0.0.1:%d/2", port), fmt.Sprintf("127.0.0.1:%d", port))
}

// testReadingRedis asks a server which of all its commands write or rule it: none of them may be
// permitted where databases are read-only.
func testReadingRedis(t *testing.T, url, host string) {
	listed, err := eval(t, Options{}, `
local out = {}
for _, about in ipairs(redis.call(redis.connect("`+url+`"), "COMMAND")) do
  local flags = {}
  for _, flag in ipairs(about[3]) do flags[flag.ok or flag] = true end
  if flags.write or flags.admin then out[#out + 1] = about[1] end
end
return out`)
	commands, ok := listed.([]any)
	if err != nil || !ok || len(commands) < 100 {
		t.Fatalf("of the server's commands %d write: %v", len(commands), err)
	}
	p := &Policy{Hosts: []string{host}, Methods: []string{"GET", "POST"}, WriteWS: true}
	for _, command := range commands {
		if err := p.permitRedis([]string{fmt.Sprint(command), "k"}); err == nil {
			t.Errorf("%v is permitted where databases are read-only", command)
		}
	}
	got, err := eval(t, Options{Policy: p}, `
local c, out = redis.connect("`+url+`"), {}
for _, command in ipairs({{"SET", "k", "v"}, {"flushall"}, {"EVAL", "return redis.call('SET', 'k', 1)", 0}, {"SORT", "l", "BY", "x", "STORE", "m"}}) do
  out[#out + 1] = pcall(redis.call, c, table.unpack(command))
end
out[#out + 1] = redis.call(c, "LLEN", "l")
return out`)
	if diff := cmp.Diff([]any{false, false, false, false, int64(2)}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
