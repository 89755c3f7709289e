package main

import (
	"context"
	"slices"
	"strings"
	"testing"
)

const sample = `-- a comment
local a, b = 1, "x" ; f = nil
local t <const> = {a = 1}
local function g(n)
  if n then return 1 elseif n == nil then return 2 else return 3 end
end
local s = g
(true)
assert(s == 1 and t.a ==
  1)
error("this one fails")
do local x = 1 repeat x = x + 1 until x
  == 3 end
function f() return a end
local bad = nil + 1
assert(f() == 1 and bad == nil) assert(... ~= nil)
return a
`

func TestSplit(t *testing.T) {
	var got []string
	for _, s := range splitChunk(sample) {
		first, _, _ := strings.Cut(strings.TrimSpace(s.text), "\n")
		got = append(got, first)
	}
	want := []string{"-- a comment", ";", "f = nil", "local t <const> = {a = 1}", "local function g(n)", "local s = g", "assert(s == 1 and t.a ==",
		`error("this one fails")`, "do local x = 1 repeat x = x + 1 until x", "function f() return a end", "local bad = nil + 1",
		"assert(f() == 1 and bad == nil)", "assert(... ~= nil)", "return a"}
	if !slices.Equal(got, want) {
		t.Errorf("split into %q, want %q", got, want)
	}
}

// A statement that fails ends no other, and what it should have made is nil; what may fail is
// counted, each once.
func TestEachByItself(t *testing.T) {
	list := splitChunk(sample)
	src, counted := instrument(list)
	if n := strings.Count(src, "\n"); n != strings.Count(sample, "\n")-1 {
		t.Errorf("instrumented it has %d lines more or less", n)
	}
	got, err := file{name: "sample.lua", src: src}.all(context.Background(), here)
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, n := range counted {
		if o := got[n]; !o.ok {
			failed = append(failed, o.err)
		}
	}
	want := []string{"sample.lua:11: this one fails", "sample.lua:15: attempt to perform arithmetic on a nil value"}
	if len(counted) != 11 || len(got) != 11 || !slices.Equal(failed, want) {
		t.Errorf("%d counted, %d ran; failed: %q, want %q", len(counted), len(got), failed, want)
	}
}
