package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestFill(t *testing.T) {
	tests := []struct {
		name, raw string
		want      answer
	}{
		{"of a part", `{"structuredContent":{"hits":[{"path":"/t/a/b.go"},{"path":"/t/c.go"}],"complete":false,"indexing":{"done":7,"total":9}}}`, answer{path: "a/b.go", read: 7}},
		{"of all", `{"structuredContent":{"hits":[],"complete":true}}`, answer{complete: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var a answer
			if err := a.fill([]byte(tt.raw), "/t"); err != nil || a != tt.want {
				t.Errorf("%+v, %v, want %+v", a, err, tt.want)
			}
		})
	}
}

func TestFigures(t *testing.T) {
	var f figures
	f.add(question{"q", "a"}, answer{path: "a", took: time.Second}, answer{path: "a"})
	f.add(question{"q", "a"}, answer{path: "b", took: 3 * time.Second}, answer{path: "a"})
	f.add(question{query: "q"}, answer{path: "c", took: 2 * time.Second}, answer{path: "c"})
	var b bytes.Buffer
	f.write(&b)
	if want := "first file as with the whole index: 2 of 3; the right file first: 1 of 2, with the whole index 2; seconds to the answer: median 2.00, most 3.00"; !strings.HasPrefix(b.String(), want) {
		t.Errorf("%s, want %s", b.String(), want)
	}
}
