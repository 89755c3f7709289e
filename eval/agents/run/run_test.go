package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/eval/agents"
)

func TestScripts(t *testing.T) {
	for _, a := range all() {
		in, err := scripts.Open("scripts/" + a.name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if s, err := agents.Read(in); err != nil || len(s.Replies) == 0 {
			t.Errorf("%s: %d replies, %v", a.name, len(s.Replies), err)
		}
		in.Close()
	}
}

func TestScrub(t *testing.T) {
	work := filepath.FromSlash("/tmp/x.y")
	s := newScrubber(work, "claude")
	home := homeOf(work, "claude")
	for in, want := range map[string]string{
		`{"b":1.50,"a":["<x>",null,true]}`:                      `{"b":1.50,"a":["<x>",null,true]}`,
		`{"cwd":"` + home + `","p":"` + home + `/a"}`:           `{"cwd":"/home/user","p":"/home/user/a"}`,
		`"` + projectOf(work, "claude") + `"`:                   `"/home/user/project"`,
		`"-tmp-x-y-claude-project and /tmp/elsewhere/a.output"`: `"-home-user-project and /home/user/tmp"`,
		`"Linux 6.1.2-abc"`:                                     `"Linux"`,
		`"` + strings.Repeat("z", 400) + `"`:                    `"` + strings.Repeat("z", 60) + ` (left out)"`,
	} {
		if got, err := s.json([]byte(in)); string(got) != want || err != nil {
			t.Errorf("json(%s) = %s, %v, want %s", in, got, err, want)
		}
	}
	for _, in := range []string{``, `{`, `{} {}`, `nope`} {
		if got, err := s.json([]byte(in)); err == nil {
			t.Errorf("json(%q) = %s, want an error", in, got)
		}
	}
	if s.leak([]byte("see "+home)) == "" || s.leak([]byte("see /home/user")) != "" {
		t.Error("leak finds the wrong things")
	}
	lines := `{"type":"user"}` + "\n" + `{"type":"api-request-shape","x":1}` + "\n"
	if got, err := s.lines([]byte(lines)); string(got) != `{"type":"user"}`+"\n" || err != nil {
		t.Errorf("lines = %q, %v", got, err)
	}
	for v, want := range map[any]string{nil: "NULL", int64(3): "3", 1.5: "1.5", "it's": "'it''s'", `{"a":"it's"}`: `'{"a":"it''s"}'`} {
		if got, err := s.value(v); got != want || err != nil {
			t.Errorf("value(%v) = %s, %v, want %s", v, got, err, want)
		}
	}
}
