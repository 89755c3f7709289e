//go:build unix

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestASDF installs a release with the scripts of the plugin, and holds that one whose
// bytes are not those of its checksum is refused.
func TestASDF(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	archive := tar.NewWriter(z)
	for name, text := range map[string]string{"assay": "#!/bin/sh\necho assay 0.1.0\n", "assay.1": "manual", "LICENSE": "licence", "NOTICE": "notice"} {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := "assay_0.1.0_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
	sums := fmt.Sprintf("%x  %s\n", sha256.Sum256(packed.Bytes()), name)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v0.1.0/" + name:
			_, _ = w.Write(packed.Bytes())
		case "/v0.1.0/checksums.txt":
			_, _ = w.Write([]byte(sums))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	run := func(script, download, install string) (string, error) {
		path, err := filepath.Abs(filepath.Join("..", "..", "packaging", "asdf", "bin", script))
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), path)
		cmd.Env = append(os.Environ(), "ASDF_INSTALL_VERSION=0.1.0", "ASSAY_RELEASES="+server.URL, "ASDF_DOWNLOAD_PATH="+download, "ASDF_INSTALL_PATH="+install)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	download, install := t.TempDir(), filepath.Join(t.TempDir(), "0.1.0")
	for _, script := range []string{"download", "install"} {
		if out, err := run(script, download, install); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(install, "bin", "assay"), "version").Output()
	if err != nil || string(out) != "assay 0.1.0\n" {
		t.Errorf("installed is %q (%v)", out, err)
	}
	sums = strings.Repeat("0", 64) + "  " + name + "\n"
	refused := t.TempDir()
	if out, err := run("download", refused, install); err == nil || !strings.Contains(out, "checksum") {
		t.Errorf("another checksum: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(refused, "assay")); err == nil {
		t.Error("what has another checksum was unpacked")
	}
}

// TestASDFVersions holds the order of the versions that can be had.
func TestASDFVersions(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "x")
	for _, tag := range []string{"v0.10.0", "v0.2.0", "v0.9.1", "other"} {
		git("tag", tag)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join("..", "..", "packaging", "asdf", "bin", "list-all"))
	cmd.Env = append(os.Environ(), "ASSAY_REPOSITORY="+dir)
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "0.2.0 0.9.1 0.10.0 " {
		t.Errorf("%v: %q", err, out)
	}
}
