package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/testaid"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/engine"
)

var mail = map[string]string{
	"go.mod":      "module mail\n\ngo 1.26\n",
	"mail.go":     "package mail\n\nimport \"mail/store\"\n\n// Send delivers a message over SMTP with retries.\nfunc Send(to string, body []byte) error { return store.Keep(body) }\n\n// Mailbox keeps messages.\ntype Mailbox struct{}\n",
	"store/s.go":  "package store\n\n// Keep writes a message to the disk.\nfunc Keep(body []byte) error { return nil }\n",
	"cmd/m.go":    "package main\n\nfunc main() {}\n",
	"FEATURES.md": "# Mail\n\n## Features\n\n- `Send` delivers a message over SMTP\n- Telepathic delivery to penguins\n",
}

// asked returns an Ask over an engine of its own, with the model or without.
func asked(t *testing.T, model bool) func(context.Context, string, string, string, bool, func(*engine.Engine, *engine.View, string) error) error {
	t.Helper()
	return func(ctx context.Context, root, _, _ string, _ bool, do func(*engine.Engine, *engine.View, string) error) error {
		cfg := engine.Config{Root: root, IndexDir: filepath.Join(t.TempDir(), "index")}
		if model {
			p, err := embed.Open(embed.Config{Provider: "static"})
			if err != nil {
				return err
			}
			cfg.Embedder = p
		}
		e, err := engine.Open(ctx, cfg)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }() // the test is over
		if _, err := e.Sync(ctx, engine.Options{Wait: true}); err != nil {
			return err
		}
		v, err := e.View(ctx, engine.Options{})
		if err != nil {
			return err
		}
		return do(e, v, ".")
	}
}

var (
	score = regexp.MustCompile(`\d+\.\d+|\d+%|: \d+;`)
	// How many more places there are than the best one is not the same for all.
	varies = regexp.MustCompile(`(?m)^    [\w./]+:\d+ .*\n|\d+ results|"results":\d+|"best":[\d#]+|"evidence":\[.*\]`)
	secret = regexp.MustCompile(`(?i)\b(ck|grep|index|lexical|semantic|hybrid|scan)\b`)
)

// keys adds the paths of all keys of a JSON text to a set.
func keys(t *testing.T, in map[string]bool, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				in[path+"."+k] = true
				walk(path+"."+k, x)
			}
		case []any:
			for _, x := range v {
				walk(path+"[]", x)
			}
		}
	}
	walk("", tree)
}

// The same tree gives the same report, whatever answers; no word of it says what did.
func TestAlike(t *testing.T) {
	broken := func(context.Context, string, string, string, bool, func(*engine.Engine, *engine.View, string) error) error {
		return errors.New("no index")
	}
	var first string
	var shape map[string]bool
	for _, c := range []struct {
		name string
		set  func(*Config)
	}{
		{"scan", func(*Config) {}},
		{"broken index", func(c *Config) { c.Ask = broken }},
		{"index", func(c *Config) { c.Ask = asked(t, false) }},
		{"index and model", func(c *Config) {
			c.Ask = asked(t, true)
		}},
	} {
		root, f := project(t, mail)
		c.set(&f.cfg)
		answered := 0
		if ask := f.cfg.Ask; ask != nil {
			f.cfg.Ask = func(ctx context.Context, root, index, path string, fresh bool, do func(*engine.Engine, *engine.View, string) error) error {
				return ask(ctx, root, index, path, fresh, func(e *engine.Engine, v *engine.View, within string) error {
					answered++
					return do(e, v, within)
				})
			}
		}
		var b bytes.Buffer
		ride, err := f.Ride(t.Context(), RideInput{DriftInput{HTML: true}})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := ride.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{ride.Drift.File, ride.Drift.HTML} {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
		}
		ghosts, err := f.Ghosts(t.Context(), GhostsInput{Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(ghosts.WriteText(&b, false), ghosts.WriteLines(&b)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "  words in its lines (") {
			t.Errorf("%s: no score is explained:\n%s", c.name, b.String())
		}
		shadows, err := f.Shadows(t.Context(), ShadowsInput{Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(shadows.WriteText(&b, false), shadows.WriteLines(&b)); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 3}[strings.HasPrefix(c.name, "index")]; answered != want {
			t.Errorf("%s: the index was asked by %d of 3, want %d", c.name, answered, want)
		}
		got := map[string]bool{}
		for _, v := range []any{ride, ghosts, shadows} {
			keys(t, got, v)
		}
		if shape == nil {
			shape = got
		}
		for k := range got {
			if !shape[k] {
				t.Errorf("%s has %s besides", c.name, k)
			}
		}
		for k := range shape {
			if !got[k] {
				t.Errorf("%s has no %s", c.name, k)
			}
		}
		said := strings.ReplaceAll(b.String(), root, "ROOT")
		if word := secret.FindString(said); word != "" {
			t.Errorf("%s says %q", c.name, word)
		}
		for _, want := range []string{"CONFIRMED GHOST: Telepathic delivery to penguins", "cmd/m.go:3: func main() {}", "struct Mailbox", "store/s.go"} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, said)
			}
		}
		said = varies.ReplaceAllString(score.ReplaceAllString(said, "#"), "")
		if first == "" {
			first = said
		} else if said != first {
			a, b := strings.Split(said, "\n"), strings.Split(first, "\n")
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Errorf("%s gives\n%s\nnot\n%s", c.name, a[i], b[i])
				}
			}
			t.Errorf("%s gives %d lines, not %d", c.name, len(a), len(b))
		}
	}
}

func TestWhere(t *testing.T) {
	for _, c := range []struct{ dir, want string }{
		{"", ".assay/reports"}, {"loa-grimoire", "loa-grimoire/reality"}, {"grimoires/loa", "grimoires/loa/reality"},
	} {
		root, f := project(t, mail)
		if c.dir != "" {
			if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(c.dir)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		got, err := f.Drift(t.Context(), DriftInput{})
		if want := filepath.Join(root, filepath.FromSlash(c.want), "drift-report.md"); err != nil || got.File != want {
			t.Errorf("with %q it lies at %+v, %v; want %s", c.dir, got, err, want)
		}
	}
}

// A link of the project leads no report elsewhere, nor what stands there into it.
func TestReportStays(t *testing.T) {
	elsewhere := t.TempDir()
	for name, to := range map[string]string{".assay/reports": elsewhere, ".assay/reports/drift-report.md": filepath.Join(elsewhere, "secret"), ".assay/reports/drift-report.html": "../../mail.go", ".assay": elsewhere} {
		if err := os.WriteFile(filepath.Join(elsewhere, "secret"), []byte("# mine\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		root, f := project(t, mail)
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at); err != nil {
			t.Skip(err)
		}
		if _, err := f.Drift(t.Context(), DriftInput{HTML: true}); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%s as a link: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestGhostOfOne(t *testing.T) {
	_, f := project(t, mail)
	for feature, want := range map[string]claims.Class{"delivers a message over SMTP": claims.Found, "telepathic penguins": claims.Confirmed} {
		got, err := f.Ghost(t.Context(), GhostInput{Feature: feature})
		if err != nil || got.Features[0].Class != want {
			t.Errorf("%s: %+v, %v; want %s", feature, got, err, want)
		}
	}
	if _, err := f.Ghost(t.Context(), GhostInput{Feature: " "}); fault.KindOf(err) != fault.Usage {
		t.Errorf("no feature: %v, want a usage error", err)
	}
	if _, err := f.Ghosts(t.Context(), GhostsInput{Scope: Scope{Docs: []string{"nothing/*.md"}}}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("no documents: %v, want not found", err)
	}
}

// Tickets are opened once and closed with what they are of; nothing in a document
// becomes a flag of the tracker.
func TestTrack(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tracker of the test is a script")
	}
	files := map[string]string{}
	for k, v := range mail {
		files[k] = v
	}
	files["FEATURES.md"] += "- [ ] --force telepathic walrus\n"
	files["store/s.go"] = strings.Replace(mail["store/s.go"], "// Keep writes a message to the disk.\n", "", 1) // nothing documents it
	root, f := project(t, files)
	log := filepath.Join(t.TempDir(), "log")
	tracker := filepath.Join(t.TempDir(), "bd")
	script := "#!/bin/sh\nfor a in \"$@\"; do printf '[%s]' \"$a\" >> '" + log + "'; done\necho >> '" + log + "'\necho \"Created issue: mail-$(wc -l < '" + log + "' | tr -d ' ')\"\n"
	testaid.WriteProgram(t, tracker, []byte(script))
	f.cfg.Tracker = func(dir string) (*claims.Tracker, bool) { return &claims.Tracker{Program: tracker, Dir: dir}, true }
	run := func() string {
		if _, err := f.Drift(t.Context(), DriftInput{Tracking: Tracking{Track: true}}); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(log)
		_ = os.Remove(log)
		return string(text)
	}
	got := run()
	for _, want := range []string{
		"[create][GHOST: Telepathic delivery to penguins][--type][liability][--priority][2]\n",
		"[create][GHOST: --force telepathic walrus][--type][liability][--priority][2]\n",
		"[create][SHADOW (orphaned): store][--type][debt][--priority][1]\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := run(); got != "" {
		t.Errorf("a second run makes\n%s", got)
	}
	if err := os.WriteFile(filepath.Join(root, "FEATURES.md"), []byte(mail["FEATURES.md"]), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(); !strings.HasPrefix(got, "[close][mail-") || strings.Count(got, "\n") != 1 {
		t.Errorf("fixed, it makes\n%s", got)
	}
}

// Without documents there is no score, and a library begins where its callers do.
func TestRideLibrary(t *testing.T) {
	_, f := project(t, map[string]string{"sum.go": "package sum\n\n// A Sum adds.\ntype Sum struct{ N int }\n\nfunc Add(a int) int { return a }\n\nfunc NewSum() *Sum { return nil }\n"})
	got, err := f.Ride(t.Context(), RideInput{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := got.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Entry points\n  sum.go:8: func NewSum() *Sum { return nil }\n  sum.go:6: func Add(a int) int { return a }\n", "Abstractions\n  sum.go:4: struct Sum\n", "Drift score: none: there is no document"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	text, err := os.ReadFile(got.Drift.File)
	if err != nil || !strings.Contains(string(text), "## Drift Score: none") || got.Drift.Score != nil {
		t.Errorf("score %v, %v; the report is\n%s", got.Drift.Score, err, text)
	}
}

// What cannot be looked for is refused, and what only one query can look for is not
// confirmed.
func TestGhostQueries(t *testing.T) {
	_, f := project(t, map[string]string{"auth.go": code, "FEATURES.md": "# x\n"})
	if _, err := f.Ghost(t.Context(), GhostInput{Feature: "the system"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a feature without words: %v", err)
	}
	for synonym, want := range map[string]string{"": "HIGH AMBIGUITY", "mind reading": "CONFIRMED GHOST"} {
		got, err := f.Ghost(t.Context(), GhostInput{Feature: "telepathy", Synonym: synonym})
		if err != nil {
			t.Fatal(err)
		}
		if v := got.Features[0]; string(v.Class) != want || v.Single != (synonym == "") {
			t.Errorf("with %q: %+v, want %s", synonym, v, want)
		}
	}
}
