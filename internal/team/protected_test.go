package team

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/present/mcp"
)

// A file that every user of the machine may write admits nobody: neither at the start nor later, when
// those of before stay. A key that others may read is told of.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	s := start(t, "", mcp.HTTPOptions{})
	red, _ := s.token("red", Read)
	tokens := filepath.Join(s.dir, "tokens.txt")
	mode := func(name string, m os.FileMode) {
		t.Helper()
		if err := os.Chmod(name, m); err != nil {
			t.Fatal(err)
		}
	}
	if status, _ := s.call(red, "who"); status != 200 {
		t.Fatalf("before: %d", status)
	}
	good := s.read("tokens.txt")
	planted, _, err := AddToken(filepath.Join(t.TempDir(), "tokens.txt"), "red", "thief", Administer, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	mode(tokens, 0o666)
	s.write("tokens.txt", good+line(planted)+"\n")
	if status, _ := s.call(planted, "who"); status != 401 {
		t.Errorf("a token that anybody may have added: %d", status)
	}
	if status, _ := s.call(red, "who"); status != 200 || !strings.Contains(s.log.String(), "chmod o-w") {
		t.Errorf("a token of before: %d; log %s", status, s.log)
	}
	if _, err := OpenTokens(tokens, t.Logf); err == nil {
		t.Error("a server starts with tokens that anybody may write")
	}
	if _, err := ListTokens(tokens); err == nil {
		t.Error("tokens that anybody may write are listed")
	}
	mode(tokens, 0o600)
	if status, _ := s.call(planted, "who"); status != 200 {
		t.Errorf("a token of a file that is its owner's again: %d", status)
	}

	file := filepath.Join(s.dir, "team.yaml")
	mode(file, 0o646)
	if _, err := Load(file); err == nil || !strings.Contains(err.Error(), "chmod o-w") {
		t.Errorf("a file of a server that anybody may write: %v", err)
	}
	s.pair("one")
	var log bytes.Buffer
	files := Files{filepath.Join(s.dir, "server.crt"), filepath.Join(s.dir, "server.key")}
	mode(files.Key, 0o644)
	if _, err := openKeys(files, time.Now, newWarner(&log)); err != nil || !strings.Contains(log.String(), "chmod o-r") {
		t.Errorf("a key that anybody may read: %v, %s", err, log.String())
	}
	mode(files.Key, 0o602)
	if _, err := openKeys(files, time.Now, newWarner(&log)); err == nil {
		t.Error("a key that anybody may write is used")
	}
}

// line is what a file of tokens says of one.
func line(token string) string {
	h := Holder{ID: strings.Split(token, "_")[1], Team: "red", Role: Administer, Name: "thief", Made: time.Unix(1e9, 0), sum: sha256.Sum256([]byte(token))}
	_, text, _ := strings.Cut(string(writeTokens([]Holder{h})), "\n")
	return strings.TrimSpace(text)
}
