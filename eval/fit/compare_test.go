package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

// A profile of before a signal is measured without it, beside the one with it.
func TestCompare(t *testing.T) {
	dir, before := t.TempDir(), t.TempDir()
	const query = "where are jobs made to wait"
	pools(t, dir, query, rank.Parse(query, rank.Hybrid).Terms)
	text, err := os.ReadFile("../../internal/code/rank/profiles/code.txt")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^context .*  its file is called by files\n`)
	for path, text := range map[string][]byte{
		filepath.Join(dir, "code.txt"):    line.ReplaceAll(text, []byte("context 0 1 0 0 0 0 its file is called by files\n")),
		filepath.Join(before, "code.txt"): line.ReplaceAll(text, nil),
	} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	o := options{profiles: dir, against: before, pools: dir, mode: "hybrid", write: true}
	if err := o.run([]string{"code"}, nil, &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, " 6 projects   18 questions  ndcg@10 0.6309 → 1.0000") {
		t.Errorf("%s", got)
	}
	after, err := os.ReadFile(filepath.Join(dir, "code.txt"))
	if err != nil || !bytes.Contains(after, []byte("context 0 1 0 0 0 0 its file is called")) {
		t.Error("comparing wrote a profile")
	}
}
