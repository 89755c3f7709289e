package lua

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A reference is a process of lua5.4 that answers questions.
type reference struct {
	mu  sync.Mutex
	in  io.WriteCloser
	out *bufio.Reader
}

// newReference starts lua5.4 with a script that reads strings and writes one for
// each question. It skips the test where lua5.4 is not installed.
func newReference(t testing.TB, script string) *reference {
	t.Helper()
	path, err := exec.LookPath("lua5.4")
	if err != nil {
		t.Skip("lua5.4 is not installed")
	}
	const frame = `
local function receive() local n = io.read("n") if not n then os.exit() end io.read(1) return n > 0 and io.read(n) or "" end
local function reply(s) io.write(#s, "\n", s) io.flush() end
`
	cmd := exec.Command(path, "-e", frame+script)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	return &reference{in: in, out: bufio.NewReader(out)}
}

func (r *reference) ask(t testing.TB, parts ...string) string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range parts {
		if _, err := fmt.Fprintf(r.in, "%d\n%s", len(p), p); err != nil {
			t.Fatal("lua5.4:", err)
		}
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		t.Fatal("lua5.4:", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal("lua5.4:", err)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r.out, b); err != nil {
		t.Fatal("lua5.4:", err)
	}
	return string(b)
}

// runner runs programs: what they emit, and "error" if they raise one.
const runner = `
local steps = 0
local function hooked(co)
  debug.sethook(co, function() steps = steps + 1 if steps > 300 then error("too long") end end, "", 1000)
  return co
end
local create = coroutine.create
coroutine.wrap = function(f)
  local co = hooked(create(f))
  return function(...)
    local r = table.pack(coroutine.resume(co, ...))
    if not r[1] then error(r[2], 0) end
    return table.unpack(r, 2, r.n)
  end
end
while true do
  local src = receive()
  local out = {}
  local f, err = load(src, "=x", "t")
  if not f then reply("syntax: " .. err) else
    emit = function(...)
      for i = 1, select("#", ...) do
        local v = select(i, ...)
        local k = type(v)
        if math.type(v) == "float" and v == math.floor(v) then v = string.format("%.0f", v) end
        out[#out+1] = (k == "table" or k == "function" or k == "thread" or k == "string" and not tonumber(v)) and k or tostring(v)
      end
      out[#out+1] = "\n"
    end
    steps = 0
    local co = hooked(create(function() return pcall(f) end))
    local alive, ok, err = coroutine.resume(co)
    if steps > 300 then out = {"too long"} elseif not ok then out[#out+1] = "error" end
    reply(table.concat(out, " "))
  end
end`
