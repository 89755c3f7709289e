package setup

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// older sets a client up as versions did whose commands did not end with harmless.
func (w *world) older(client string, project bool) {
	w.Helper()
	f := New(Config{Home: w.home, WorkDir: w.work, Exe: w.exe})
	in := Input{Client: client, Project: project, Memory: true}
	j, err := f.job(in)
	if err != nil {
		w.Fatal(err)
	}
	targets, err := f.targets(j)
	if err != nil {
		w.Fatal(err)
	}
	var steps []*step
	for _, t := range targets {
		if h, ok := t.part.(jsonHooks); ok {
			h.older = true
			t.part = h
		}
		s, err := f.plan(t, j)
		if err != nil {
			w.Fatal(err)
		}
		steps = append(steps, s)
	}
	if err := f.write(steps); err != nil {
		w.Fatal(err)
	}
}

// fixWords writes an operation with its arguments, sorted.
func fixWords(fix *fault.Fix) string {
	if fix == nil {
		return ""
	}
	var words []string
	for name, value := range fix.Values() {
		words = append(words, fmt.Sprintf(" %s=%v", name, value))
	}
	slices.Sort(words)
	return fix.Op + strings.Join(words, "")
}

// What an older version has written is replaced by setup and removed by uninstall, with
// or without that between, and what was there before is there again.
func TestOlderHooks(t *testing.T) {
	for _, c := range clients {
		name := c.files["hooks"]
		for _, text := range []string{"", full[".json"], "{}\n"} {
			for _, upgraded := range []bool{false, true} {
				w := newWorld(t)
				if name == "" || c.client == "cursor" { // which older versions had no hooks for
					continue
				}
				if text != "" {
					w.write(name, text)
				}
				before := w.tree()
				w.older(c.client, c.project)
				path := filepath.Join(filepath.Dir(w.home), filepath.FromSlash(name))
				if got := w.read(path); !strings.Contains(got, "hook "+c.client+" prompt\"") || strings.Contains(got, "exit 0") {
					t.Fatalf("the older form is\n%s", got)
				}
				fixes := func() (out []string) {
					for _, i := range New(Config{Home: w.home, WorkDir: w.work, Exe: w.exe}).Installed() {
						if i.Fix != nil {
							out = append(out, i.Path+": "+fixWords(i.Fix))
						}
					}
					return out
				}
				want := path + ": setup client=" + c.client + " memory=true"
				if c.project {
					want += " project=true"
				}
				if got := fixes(); !slices.Equal(got, []string{want}) {
					t.Errorf("what replaces them is %q, want %q", got, want)
				}
				if upgraded {
					if w.must(Input{Client: c.client, Project: c.project, Memory: true}); strings.Count(w.read(path), harmless) != len(hookEvents(c.client)) || strings.Count(w.read(path), " hook "+c.client) != len(hookEvents(c.client)) {
						t.Errorf("%s: upgraded is\n%s", c.client, w.read(path))
					}
					if got := fixes(); got != nil {
						t.Errorf("upgraded, there is %q", got)
					}
				}
				if _, did := w.must(Input{Client: c.client, Project: c.project, Uninstall: true}); !reflect.DeepEqual(w.tree(), before) {
					t.Errorf("%s %q upgraded %v: %s left\n%v\nof\n%v", c.client, text, upgraded, did, w.tree(), before)
				}
			}
		}
	}
}
