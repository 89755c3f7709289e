package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/script/vm"
)

// prelude is what every program begins with, on one line so that lines keep their numbers.
const prelude = `local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end ` +
	`function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end ` +
	`function some(v) if v == nil then return 0 end return v end ` +
	`function cut(s, ...) if type(s) == "string" then s = s:gsub("%-nan", "nan") if #s > 200 then s = s:sub(1, 100) end end return s, ... end ` +
	`function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end ` +
	`function hold(f) print(f()) end ` +
	`do local out, str, select, pcall = print, tostring, select, pcall ` +
	`function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) ` +
	`s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end ` +
	// C Lua 5.4.4 has the wrong line here.
	`if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end ` + "\n"

// script runs programs that come in on standard input: it answers with what they print.
const script = `
while true do
  local n = io.read("n")
  if not n then break end
  io.read(1)
  local src = n > 0 and io.read(n) or ""
  local out, size = {}, 0
  local env = {}
  for k, v in pairs(_G) do env[k] = v end
  env._G = env
  env.print = function(...)
    local t = table.pack(...)
    for i = 1, t.n do t[i] = tostring(t[i]) end
    out[#out + 1] = table.concat(t, "\t") .. "\n"
  end
  local f, err = load(src, "=p", "t", env)
  if not f then out[1] = "syntax: " .. err .. "\n"
  else
    local ok, err = pcall(f)
    if not ok then out[#out + 1] = "error: " .. tostring(err):gsub("0x%x+", "") .. "\n" end
  end
  local s = table.concat(out)
  io.write(#s, "\n", s)
  io.flush()
end
`

// maxTime is how long C Lua may take for a program, which is milliseconds as a rule.
const maxTime = 20 * time.Second

// A reference is a process of C Lua that runs programs.
type reference struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startReference() (*reference, error) {
	cmd := exec.Command("lua5.4", "-e", script)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &reference{cmd, in, bufio.NewReader(out)}, nil
}

func (r *reference) close() error {
	if err := r.in.Close(); err != nil {
		return err
	}
	return r.cmd.Wait()
}

// run returns what C Lua prints.
func (r *reference) run(src string) (string, error) {
	src = prelude + src
	if _, err := fmt.Fprintf(r.in, "%d\n%s", len(src), src); err != nil {
		return "", err
	}
	late := time.AfterFunc(maxTime, func() { _ = r.cmd.Process.Kill() })
	defer late.Stop()
	line, err := r.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("read from C Lua: %w", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		return "", err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r.out, b)
	return plain(string(b)), err
}

// plain makes equal what C Lua 5.4.4 gets wrong: the line of a division by zero.
func plain(out string) string {
	if i := strings.LastIndex(out, "error: "); i >= 0 && (strings.Contains(out[i:], "by zero") || strings.Contains(out[i:], "'n%0'")) {
		return out[:i] + "error: a division by zero\n"
	}
	return out
}

// guarded runs a program within a pcall, as script does: how many there are in each other
// is limited.
const guarded = `local ok, err = pcall(...) if not ok then error(err, 0) end`

// ours returns what our machine prints.
func ours(src string) string {
	var out bytes.Buffer
	st := vm.New(vm.Options{Stdout: &out, Memory: 256 << 20, Steps: 1_000_000})
	p, err := vm.Compile("=p", prelude+src)
	if err != nil {
		return "syntax: " + err.Error() + "\n"
	}
	within, err := vm.Compile("=run", guarded)
	if err != nil {
		return err.Error()
	}
	if _, err := st.Main().Call(st.Load(within, vm.Nil).Of(), st.Load(p, vm.Nil).Of()); err != nil {
		text := err.Error()
		if e := new(vm.Error); errors.As(err, &e) && e.Value.IsNil() {
			text = "nil"
		}
		fmt.Fprintf(&out, "error: %s\n", text)
	}
	return plain(out.String())
}

func isSyntaxError(out string) bool { return strings.HasPrefix(out, "syntax: ") }

// shrink takes lines from a program while it still differs, as C Lua still compiles it.
func shrink(ref *reference, src, theirs string) (string, string) {
	lines := strings.SplitAfter(src, "\n")
	for size := len(lines) / 2; size > 0; {
		smaller := false
		for i := 0; i+size <= len(lines); {
			rest := append(append([]string(nil), lines[:i]...), lines[i+size:]...)
			s := strings.Join(rest, "")
			if strings.Contains(ours(s), vm.ErrSteps.Error()) {
				i++ // it would not end in C Lua either
				continue
			}
			out, err := ref.run(s)
			if err != nil {
				return src, theirs
			}
			if !isSyntaxError(out) && ours(s) != out {
				lines, theirs, smaller = rest, out, true
			} else {
				i++
			}
		}
		if !smaller || size > len(lines) {
			size /= 2
		}
	}
	return strings.Join(lines, ""), theirs
}
