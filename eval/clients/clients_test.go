package main

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	const out = "=== Running scenario: ping ===\n\n=== SUMMARY ===\n✓ ping: 2 passed, 0 failed\n✗ tools-call-error: 0 passed, 1 failed, 1 warnings\n✓ server-sse-polling: 0 passed, 0 failed\n\nTotal: 2 passed, 1 failed\n"
	want := []result{{"ping", 2, 0, nil}, {"tools-call-error", 0, 1, nil}, {"server-sse-polling", 0, 0, nil}}
	if got := summary(out); !reflect.DeepEqual(got, want) {
		t.Errorf("summary: %v, want %v", got, want)
	}
	if got := summary("Error: cannot connect"); got != nil {
		t.Errorf("no summary: %v", got)
	}
}

// TestVerdicts sees that what fails is counted as that, and nothing else is.
func TestVerdicts(t *testing.T) {
	var out strings.Builder
	b := &bench{out: &out, counts: map[string]int{}}
	b.check("one", nil, "%d tools", 6)
	b.check("two", errors.New("not\nconnected"), "connected")
	b.say(skip, "three", "no npm")
	want := "pass  one                                            6 tools\nFAIL  two                                            not connected\nskip  three                                          no npm\n"
	if out.String() != want || b.counts[fail] != 1 || b.counts[pass] != 1 || b.counts[skip] != 1 {
		t.Errorf("%v\n%s", b.counts, out.String())
	}
}
