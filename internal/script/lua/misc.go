package lua

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/work"
)

func (vm *VM) openMisc() {
	vm.lib("base64", map[string]builtin{
		"encode": func(c call) int {
			s := c.Str(1)
			c.Room(int64(len(s)) * 4)
			return c.str(base64.StdEncoding.EncodeToString([]byte(s)))
		},
		"decode": func(c call) int {
			b, err := base64.StdEncoding.Strict().DecodeString(c.Str(1))
			c.Check("base64.decode", err)
			return c.Return(c.Bytes(b))
		},
	})
	vm.lib("env", map[string]builtin{"get": envGet})
	vm.lib("log", map[string]builtin{
		"info":  func(c call) int { return c.logged("INFO") },
		"warn":  func(c call) int { return c.logged("WARN") },
		"error": func(c call) int { return c.logged("ERROR") },
	})
	vm.lib("regex", map[string]builtin{
		"find": regexFind, "find_all": regexFindAll, "match": regexMatch, "replace": regexReplace,
	})
	vm.setGlobal("sleep", vm.fn("sleep", func(c call) int {
		c.sleep(c.Float(1))
		return 0
	}))
	vm.setGlobal("time", vm.fn("time", func(c call) int {
		return c.Return(float(c.vm.now()))
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
	c.wait(func(ctx context.Context) { _ = work.Sleep(ctx, duration(seconds)) })
}

func envGet(c call) int {
	name := c.Str(1)
	vm := c.vm
	if !vm.o.Policy.permitsEnv(name) {
		return c.Return(none)
	}
	v, ok := vm.o.Env(name)
	if !ok {
		return c.Return(none)
	}
	if secretName(name) {
		vm.hide(name, v)
	}
	return c.str(v)
}

func (c call) logged(level string) int {
	s := c.ToString(c.Any(1))
	c.Room(3 * int64(len(s)))
	c.vm.record(level, s)
	return 0
}

// record writes one line. A message of several stays one record, and what moves a terminal's cursor is written out.
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
