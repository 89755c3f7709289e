package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestSoak is the short form of the command.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program and kills it for some seconds")
	}
	bin := filepath.Join(t.TempDir(), "assay")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/assay").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	var out bytes.Buffer
	o := options{assay: bin, work: t.TempDir(), files: 300, kills: 8, searchers: 4, last: time.Second, seed: uint64(time.Now().UnixNano())}
	if err := run(context.Background(), o, &out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	t.Log(out.String())
}

// A judge that lets everything pass would make a fine soak: each wrong answer
// must be found out, and each right one pass.
func TestJudge(t *testing.T) {
	g, err := newGarden(filepath.Join(t.TempDir(), "tree"), options{files: 3}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	s := &soak{garden: g, log: io.Discard}
	stands, goes, moves := g.plants[0], g.plants[1], g.plants[2]
	if err := g.change(goes.file, "", func() error { return os.Remove(filepath.Join(g.dir, goes.file)) }); err != nil {
		t.Fatal(err)
	}
	if err := g.move(moves.file, "bed/elsewhere.go"); err != nil {
		t.Fatal(err)
	}
	moved := g.plants[len(g.plants)-1]
	before := stands.stands
	time.Sleep(time.Millisecond)
	start := time.Now()
	quote := func(file, word string) hit {
		text, err := os.ReadFile(filepath.Join(g.dir, file))
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(string(text), word)
		h := hit{Path: filepath.Join(g.dir, file), Snippet: string(text[at : at+30])}
		h.Span.Start, h.Span.End = at, at+30
		return h
	}
	good := quote(stands.file, stands.word)
	corrupt := good
	corrupt.Span.Start++
	false1 := hit{Path: filepath.Join(g.dir, goes.file), Snippet: goes.word}
	stone := quote(g.fixed[0], "return")
	wrong := stone
	wrong.Snippet = "return nothing at all"
	for _, c := range []struct {
		name  string
		p     *plant
		a     answer
		start time.Time
		want  string
	}{
		{"found", stands, answer{Hits: []hit{stone, good}}, start, ""},
		{"not found", stands, answer{Hits: []hit{stone}}, start, "not found in " + stands.file},
		{"not found, but stale", stands, answer{Stale: 3}, start, ""},
		{"not found, and not there all the time", stands, answer{}, before, ""},
		{"found after a move", moved, answer{Hits: []hit{quote(moved.file, moved.word)}}, start, ""},
		{"lost in a move", moved, answer{}, start, "not found in bed/elsewhere.go"},
		{"a snippet beside its span", stands, answer{Hits: []hit{corrupt}}, start, "does not stand there"},
		{"a snippet that is invented", nil, answer{Hits: []hit{wrong}}, start, "does not stand there"},
		{"gone", goes, answer{Hits: []hit{stone}}, start, ""},
		{"gone and found", goes, answer{Hits: []hit{false1}}, start, "does not stand there"},
		{"going and found", goes, answer{Hits: []hit{false1}}, before, ""},
		{"nothing", nil, answer{}, start, "nothing"},
	} {
		err := s.judge(c.a, c.p, "words", c.start, time.Now())
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: judge = %v, want an error with %q", c.name, err, c.want)
		}
	}
	// A file that says the word of another plant, where that is gone.
	if err := g.put("stone/new.go", "package garden // "+goes.word+" is still here, so it seems to be"); err != nil {
		t.Fatal(err)
	}
	if err := s.judge(answer{Hits: []hit{quote("stone/new.go", goes.word)}}, goes, "", start, time.Now()); err == nil {
		t.Error("a word that was gone was found, and nobody minded")
	}
}

func TestGarden(t *testing.T) {
	g, err := newGarden(filepath.Join(t.TempDir(), "tree"), options{files: 20}, rand.New(rand.NewPCG(7, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		if err := g.edit(); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	standing := map[string]string{}
	for _, p := range g.plants {
		if p.going.IsZero() {
			standing[p.word] = p.file
		}
	}
	if len(standing) < beds/2 {
		t.Errorf("%d plants stand, want about %d", len(standing), beds)
	}
	for _, p := range g.plants {
		file, ok := standing[p.word]
		if g.nowhere(p.word, now) == ok {
			t.Errorf("nowhere(%s) = %v, and it stands in %q", p.word, !ok, file)
		}
	}
	words := map[string]int{}
	err = filepath.WalkDir(g.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for word, file := range standing {
			if strings.Contains(string(text), word) {
				words[word]++
				if path != filepath.Join(g.dir, file) {
					t.Errorf("%s stands in %s, want %s", word, path, file)
				}
			}
		}
		return err
	})
	if err != nil || len(words) != len(standing) {
		t.Errorf("%d of %d words stand in the tree: %v", len(words), len(standing), err)
	}
}
