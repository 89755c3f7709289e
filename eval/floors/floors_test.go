package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// calls is an answer of a way through the files of some packages.
func calls(packages ...string) string {
	var out []string
	for i := 1; i < len(packages); i++ {
		out = append(out, fmt.Sprintf(`{"file":"%s/a.go","callee_file":"%s/b.go"}`, packages[i-1], packages[i]))
	}
	return `{"paths":[{"calls":[` + strings.Join(out, ",") + `]}]}`
}

func TestMeasure(t *testing.T) {
	long := []string{"f"}
	for i := range 8 {
		long = append(long, fmt.Sprint("p", i))
	}
	for name, tt := range map[string]struct {
		second, said string
		ok           bool
	}{
		"a short way":         {calls("f", "f", "d", "f", "s"), ": 6 stays in 5 packages, 9 functions\n    c\n    internal/present/op\n    f\n    d\n    f\n    s\n", true},
		"through many":        {calls(long...), ": 11 stays in 11 packages, 13 functions\n", false},
		"to and fro":          {calls("f", "d", "f", "d", "f", "d", "f", "d", "f", "d", "f", "d"), ": 14 stays in 4 packages", false},
		"nothing leads there": {`{"paths":[]}`, "", false},
		"what is no answer":   {"no", "", false},
	} {
		var b bytes.Buffer
		ok, err := measure(&b, func(from, _ string) ([]byte, error) {
			if from == entry {
				return []byte(calls("c", "c", "c")), nil
			}
			return []byte(tt.second), nil
		})
		if ok != tt.ok || (err != nil) != (tt.said == "") || tt.said != "" && strings.Count(b.String(), tt.said) != len(ways) {
			t.Errorf("%s: %v, %v\n%s", name, ok, err, &b)
		}
	}
	if _, err := measure(&bytes.Buffer{}, func(string, string) ([]byte, error) { return nil, fmt.Errorf("broken") }); err == nil {
		t.Error("a program that fails was measured")
	}
}
