package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVersions holds that the manifests of one release speak of the same version, which
// CHANGELOG.md knows, and start the program in the same way.
func TestVersions(t *testing.T) {
	log, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"server.json", "gemini-extension.json", ".claude-plugin/plugin.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		var v struct {
			Version  string
			Packages []struct{ Version string }
			Servers  map[string]struct {
				Command string
				Args    []string
			} `json:"mcpServers"`
		}
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(string(log), v.Version) || !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(v.Version) {
			t.Errorf("%s is of version %s, which CHANGELOG.md does not have", name, v.Version)
		}
		for _, p := range v.Packages {
			if p.Version != v.Version {
				t.Errorf("%s: a package of version %s", name, p.Version)
			}
		}
		if s, ok := v.Servers["assay"]; len(v.Packages) == 0 && (!ok || s.Command != "assay" || len(s.Args) != 1 || s.Args[0] != "serve") {
			t.Errorf("%s starts %+v", name, s)
		}
	}
}

// TestNARHash holds the hash of a folder to what nix-hash 2.8 says of the same files.
func TestNARHash(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"a": 0o644, "b/run": 0o755} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(map[string]string{"a": "hello\n", "b/run": "#!/bin/sh\n"}[name]), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../a", filepath.Join(dir, "b", "link")); err != nil {
		t.Fatal(err)
	}
	if hash, err := narHash(dir); err != nil || hash != "sha256-Hy0Lk4lYsqxOS4Uw4OBWMUy1YftElAIMPEtiSvSlvNI=" {
		t.Errorf("%s, %v", hash, err)
	}
}

// TestCheckDist holds that a file that is not what its checksum says is found.
func TestCheckDist(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a", "text")
	for list, want := range map[string]string{
		"982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1  a\n": "no *linux_amd64.tar.gz",
		"982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d0  a\n": "its checksum is",
		"982d9e3e  ../a\n": "checksums.txt",
	} {
		write("checksums.txt", list)
		if err := checkDist(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", list, err, want)
		}
	}
}
