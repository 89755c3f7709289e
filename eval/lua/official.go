package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/lang/lua"
	"github.com/assay-dev/assay/internal/lang/scan"
	"github.com/assay-dev/assay/internal/script/vm"
)

// A statement is one at the top of a chunk.
type statement struct {
	text string
	line int
}

// splitChunk returns the statements at the top of a chunk. One ends where what it has so far
// is a chunk, and so is all that follows: a call that goes on in the next line is no end.
func splitChunk(src string) []statement {
	toks := lua.Tokens([]byte(src))
	var list []statement
	from, first, depth := 0, 0, 0
	for i, t := range toks.Toks {
		word := src[t.At:t.End]
		switch {
		case t.Kind == scan.Open || t.Kind == scan.Word && slices.Contains([]string{"do", "then", "function", "repeat"}, word):
			depth++
		case t.Kind == scan.Close || t.Kind == scan.Word && slices.Contains([]string{"end", "until", "elseif"}, word):
			depth--
		}
		if depth != 0 || i+1 < len(toks.Toks) && src[toks.Toks[i+1].At:toks.Toks[i+1].End] == "(" && word != ";" {
			continue
		}
		piece := src[from:t.End]
		if _, err := vm.Compile("=piece", piece); err != nil {
			continue
		}
		if _, err := vm.Compile("=rest", src[t.End:]); err != nil {
			continue
		}
		list = append(list, statement{piece, 1 + strings.Count(src[:toks.Toks[first].At], "\n")})
		from, first = int(t.End), i+1
	}
	return list
}

// instrument returns a chunk whose statements run each by itself: run(n, f), and what fails
// ends no other. Its argument is run. The lines stay what they are. What cannot fail, and
// what has to stand in the chunk itself, does: counted says which are run.
func instrument(list []statement) (src string, counted []int) {
	var b strings.Builder
	b.WriteString("local run__ <const> = ... ")
	for n, s := range list {
		toks := lua.Tokens([]byte(s.text))
		at := func(i int) string {
			if i >= len(toks.Toks) {
				return ""
			}
			return s.text[toks.Toks[i].At:toks.Toks[i].End]
		}
		body := strings.TrimRight(s.text, "; \t\n")
		equals, depth := -1, 0
		if at(0) == "local" {
			for i := range toks.Toks {
				switch at(i) {
				case "{", "(", "[":
					depth++
				}
				if at(i) == "=" && depth == 0 {
					equals = int(toks.Toks[i].End)
					break
				}
			}
		}
		switch first := at(0); {
		case first == "" || first == ";" || first == "return" || first == "goto" || first == "::" || first == "break",
			first == "local" && (at(1) == "function" || equals < 0):
			b.WriteString(s.text)
			continue
		case first == "local":
			fmt.Fprintf(&b, "%s run__(%d, function(...) return %s end, ...)", s.text[:equals], n, body[equals:])
		default:
			lead := s.text[:toks.Toks[0].At]
			fmt.Fprintf(&b, "%s run__(%d, function(...) %s end, ...)", lead, n, body[len(lead):])
		}
		b.WriteString(";")
		counted = append(counted, n)
	}
	return b.String(), counted
}

// maxStatement is how long a statement may take: one that takes longer never ends, as one
// that waits for a finalizer does not, and the file is run again without it.
const maxStatement = 15 * time.Second

// bare is what runs a file of tests: it takes away what needs a system, so that a statement
// that passes in C Lua then is one that needs none of it, and reports each statement.
const bare = `
local report, name, src, modules, skip = ...
local pcall, tostring, unpack, pack, load = pcall, tostring, table.unpack, table.pack, load
local loaded = {string = string, math = math, table = table, utf8 = utf8, coroutine = coroutine, _G = _G}
io, os, debug, dofile, loadfile, arg = nil
package = {loaded = loaded, preload = {}}
string.dump = nil
_soft, _port, _nomsg, print = true, true, true, function() end
function require(m)
  if loaded[m] == nil then
    local found = package.preload[m] or modules[m]
    if not found then error("module '" .. tostring(m) .. "' not found", 2) end
    if modules[m] == found then found = assert(load(found, "=" .. m)) end
    loaded[m] = found(m) or true
  end
  return loaded[m]
end
local function run(n, f, ...)
  if skip[n] then return end
  report(n, false, "does not end")
  local r = pack(pcall(f, ...))
  report(n, r[1], r[1] and "" or tostring(r[2]))
  if r[1] then return unpack(r, 2, r.n) end
end
local f, err = load(src, "@" .. name)
if not f then report(-1, false, err) return end
local ok, err = pcall(f, run)
if not ok then report(-1, false, tostring(err)) end
`

// loads is how bare begins in C Lua, which reads what it runs: sizes and texts.
const loads = `
local out = io.stdout
local function text() local n = io.read("n") io.read(1) return n > 0 and io.read(n) or "" end
local code, name, src, modules = text(), text(), text(), {}
for i = 1, tonumber(text()) do local m = text() modules[m] = text() end
local skip = {}
for n in text():gmatch("%d+") do skip[tonumber(n)] = true end
assert(load(code, "=bare"))(function(n, ok, err)
  out:write(n, " ", ok and "ok" or "no", " ", (err:gsub("\n", " ")), "\n") out:flush()
end, name, src, modules, skip)
`

// An outcome is of a statement: nil in a map of them where it was not reached.
type outcome struct {
	ok  bool
	err string
}

// A file is one of the tests, instrumented, with what it may require.
type file struct {
	name, src string
	modules   map[string]string
}

// all runs a file by run, again without each statement that never ends. run tells each
// statement that begins or ends, and returns early once ctx is done.
func (f file) all(ctx context.Context, run func(ctx context.Context, f file, skip []int, tell func(n int, o outcome)) error) (map[int]outcome, error) {
	got := map[int]outcome{}
	for skip := []int{}; ; {
		ctx, stop := context.WithCancel(ctx)
		late := time.AfterFunc(maxStatement, stop)
		last := -1
		err := run(ctx, f, skip, func(n int, o outcome) {
			late.Reset(maxStatement)
			if got[n] = o; n >= 0 {
				last = n
			}
		})
		ended := ctx.Err() != nil
		late.Stop()
		stop()
		if err != nil || !ended || last < 0 || slices.Contains(skip, last) {
			return got, err
		}
		delete(got, -1)
		skip = append(skip, last)
	}
}

// theirs runs a file in C Lua, whose command is luac.
func theirs(luac string) func(context.Context, file, []int, func(int, outcome)) error {
	return func(ctx context.Context, f file, skip []int, tell func(int, outcome)) error {
		var in bytes.Buffer
		say := func(s string) { fmt.Fprintf(&in, "%d\n%s", len(s), s) }
		say(bare)
		say(f.name)
		say(f.src)
		say(strconv.Itoa(len(f.modules)))
		for m, text := range f.modules {
			say(m)
			say(text)
		}
		say(fmt.Sprint(skip))
		cmd := exec.CommandContext(ctx, luac, "-e", loads)
		cmd.Stdin = &in
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<26)
		for lines.Scan() {
			n, rest, _ := strings.Cut(lines.Text(), " ")
			ok, message, _ := strings.Cut(rest, " ")
			if i, err := strconv.Atoi(n); err == nil {
				tell(i, outcome{ok == "ok", message})
			}
		}
		_ = cmd.Wait() // a file that ends C Lua has said what it had until then
		return lines.Err()
	}
}

// here runs a file in the VM.
func here(ctx context.Context, f file, skip []int, tell func(int, outcome)) error {
	st := vm.New(vm.Options{Memory: 1 << 30, Now: time.Now})
	st.SetContext(ctx)
	p, err := vm.Compile("=bare", bare)
	if err != nil {
		return err
	}
	report := st.NewFunction("report", func(c vm.Call) int {
		n, _ := c.Arg(1).AsInt()
		tell(int(n), outcome{c.Arg(2).Truth(), c.Str(3)})
		return 0
	})
	texts, without := st.NewTable(0, len(f.modules)), st.NewTable(0, len(skip))
	for m, text := range f.modules {
		texts.SetField(m, st.NewString(text))
	}
	for _, n := range skip {
		without.Set(vm.Int(int64(n)), vm.Bool(true))
	}
	args := []vm.Value{report, st.NewString(f.name), st.NewString(f.src), texts.Of(), without.Of()}
	if _, err := st.Main().Call(st.Load(p, st.Globals.Of()).Of(), args...); err != nil {
		tell(-1, outcome{err: err.Error()}) // a limit, which a program cannot catch
	}
	return nil
}

// official runs the official tests of Lua that lie in a folder, statement by statement, and returns
// how many of a hundred fail.
func official(ctx context.Context, w io.Writer, dir, luac string, verbose bool) (failed float64, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.lua"))
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, errors.New("no file of tests in " + dir)
	}
	modules := map[string]string{}
	for _, m := range []string{"bwcoercion"} {
		if b, err := os.ReadFile(filepath.Join(dir, m+".lua")); err == nil {
			modules[m] = string(b)
		}
	}
	fmt.Fprintf(w, "%-16s %8s %8s %8s\n", "official tests", "of all", "passed", "here")
	var all, passed, kept int
	for _, path := range files {
		name := filepath.Base(path)
		b, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		if bytes.HasPrefix(b, []byte("#")) { // the line of a shell
			b = append([]byte("--"), b...)
		}
		list := splitChunk(string(b))
		src, counted := instrument(list)
		f := file{name, src, modules}
		ref, err := f.all(ctx, theirs(luac))
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		own, err := f.all(ctx, here)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		var theirN, ourN int
		for _, n := range counted {
			if !ref[n].ok {
				if verbose {
					fmt.Fprintf(w, "  %s:%d: not in C Lua: %.200s\n", name, list[n].line, ref[n].err)
				}
				continue
			}
			theirN++
			if own[n].ok {
				ourN++
			} else if verbose {
				fmt.Fprintf(w, "  %s:%d: %.300s\n", name, list[n].line, own[n].err)
			}
		}
		if verbose {
			for _, of := range []struct {
				who string
				got map[int]outcome
			}{{"C Lua", ref}, {"here", own}} {
				if o, ended := of.got[-1]; ended {
					fmt.Fprintf(w, "  %s: %s ended: %.300s\n", name, of.who, o.err)
				}
			}
		}
		fmt.Fprintf(w, "%-16s %8d %8d %8d\n", name, len(counted), theirN, ourN)
		all, passed, kept = all+len(counted), passed+theirN, kept+ourN
	}
	share := float64(kept) / float64(max(passed, 1))
	fmt.Fprintf(w, "%-16s %8d %8d %8d  %.4f\n", "all", all, passed, kept, share)
	return 100 * (1 - share), nil
}
