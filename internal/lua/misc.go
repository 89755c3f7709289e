package lua

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

func (vm *VM) openMisc() {
	vm.setGlobal("base64", lib("base64.", map[string]builtin{
		"encode": func(c call) int {
			s := c.str(1)
			c.room(int64(len(s)) * 4 / 3)
			return c.ret(str(base64.StdEncoding.EncodeToString([]byte(s))))
		},
		"decode": func(c call) int {
			b, err := base64.StdEncoding.Strict().DecodeString(c.str(1))
			if err != nil {
				c.fail("base64.decode: %v", err)
			}
			if !utf8.Valid(b) {
				c.fail("base64.decode: what it encodes is not UTF-8 text")
			}
			return c.ret(str(string(b)))
		},
	}))
	vm.setGlobal("env", lib("env.", map[string]builtin{"get": envGet}))
	vm.setGlobal("log", lib("log.", map[string]builtin{
		"info":  func(c call) int { return c.logged("INFO") },
		"warn":  func(c call) int { return c.logged("WARN") },
		"error": func(c call) int { return c.logged("ERROR") },
	}))
	vm.setGlobal("regex", lib("regex.", map[string]builtin{
		"find": regexFind, "find_all": regexFindAll, "match": regexMatch, "replace": regexReplace,
	}))
	vm.setGlobal("sleep", fn("sleep", func(c call) int {
		c.sleep(c.float(1))
		return 0
	}))
	vm.setGlobal("time", fn("time", func(c call) int {
		return c.ret(float(float64(time.Now().UnixMicro()) / 1e6))
	}))
}

// duration makes one of seconds; what is no time is none at all.
func duration(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(math.Min(seconds, math.MaxInt64/1e10) * float64(time.Second))
}

func (c call) sleep(seconds float64) {
	c.wait(func(ctx context.Context) {
		t := time.NewTimer(duration(seconds))
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
	})
}

func envGet(c call) int {
	name := c.str(1)
	vm := c.vm()
	if p := vm.o.Policy; p != nil && !slices.Contains(p.Env, name) {
		return c.ret(none)
	}
	get := vm.o.Env
	if get == nil {
		get = Getenv
	}
	v, ok := get(name)
	if !ok {
		return c.ret(none)
	}
	if secretName(name) {
		vm.secrets.note(v)
	}
	return c.ret(str(v))
}

func (c call) logged(level string) int {
	c.vm().record(level, c.tostring(c.any(1)))
	return 0
}

// record writes one line. A message of several stays one record, and what moves
// a terminal's cursor is written out.
func (vm *VM) record(level, message string) {
	if vm.o.Log == nil {
		return
	}
	message = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return utf8.RuneError
		}
		return r
	}, vm.Redact(message))
	message = strings.ReplaceAll(message, "\n", "\n  ")
	vm.logMu.Lock()
	defer vm.logMu.Unlock()
	// A log that cannot be written is no reason for a script to fail.
	_, _ = io.WriteString(vm.o.Log, fmt.Sprintf("%s %-5s %s\n", time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), level, message))
}

// maxRegexes is how many compiled expressions a VM keeps.
const maxRegexes = 256

func (c call) regex() (string, *regexp.Regexp) {
	text, p := c.str(1), c.str(2)
	vm := c.vm()
	re := vm.regexes[p]
	if re == nil {
		var err error
		if re, err = regexp.Compile(p); err != nil {
			c.fail("%s: invalid pattern: %s", c.name, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		if len(vm.regexes) >= maxRegexes || vm.regexes == nil {
			vm.regexes = map[string]*regexp.Regexp{}
		}
		vm.regexes[p] = re
	}
	return text, re
}

func regexMatch(c call) int {
	text, re := c.regex()
	return c.ret(boolean(re.MatchString(text)))
}

func regexFind(c call) int {
	text, re := c.regex()
	m := re.FindStringSubmatchIndex(text)
	if m == nil {
		return c.ret(none)
	}
	groups := newTable(4)
	for i := 1; i < len(m)/2; i++ {
		if m[2*i] >= 0 {
			groups.RawSetInt(i, str(text[m[2*i]:m[2*i+1]]))
		}
	}
	t := newRecord(4)
	t.RawSetString("match", str(text[m[0]:m[1]]))
	t.RawSetString("groups", groups)
	return c.ret(t)
}

func regexFindAll(c call) int {
	text, re := c.regex()
	t := newTable(4)
	for i, m := range re.FindAllStringIndex(text, -1) {
		t.RawSetInt(i+1, str(text[m[0]:m[1]]))
	}
	return c.ret(t)
}

func regexReplace(c call) int {
	text, re := c.regex()
	repl := c.str(3)
	var b []byte
	at, seen := 0, 0
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		b = append(b, text[at:m[0]]...)
		b = re.ExpandString(b, repl, text, m)
		at = m[1]
		c.grown(len(b), &seen)
	}
	return c.ret(str(string(append(b, text[at:]...))))
}
