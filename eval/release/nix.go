package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkNix holds the hash of the dependencies in flake.nix to what they are now.
func checkNix() error {
	tmp, err := os.MkdirTemp("", "vendor")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	dir := filepath.Join(tmp, "vendor")
	cmd := exec.Command("go", "mod", "vendor", "-o", dir)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod vendor: %v\n%s", err, text)
	}
	hash, err := narHash(dir)
	if err != nil {
		return err
	}
	flake, err := os.ReadFile("flake.nix")
	if err != nil {
		return err
	}
	if !strings.Contains(string(flake), `vendorHash = "`+hash+`";`) {
		return fmt.Errorf("flake.nix: the dependencies have another hash by now: set vendorHash to %s", hash)
	}
	fmt.Println("flake.nix has the hash of the dependencies:", hash)
	return nil
}

// narHash returns the hash that Nix has for a folder: of its archive, as "sha256-…".
func narHash(dir string) (string, error) {
	h := sha256.New()
	narStrings(h, "nix-archive-1")
	if err := narNode(h, dir); err != nil {
		return "", err
	}
	return "sha256-" + base64.StdEncoding.EncodeToString(h.Sum(nil)), nil
}

// narStrings writes strings as an archive has them: the length, and zeros up to a
// multiple of eight bytes. A hash never fails to be written.
func narStrings(w io.Writer, all ...string) {
	for _, s := range all {
		var length [8]byte
		binary.LittleEndian.PutUint64(length[:], uint64(len(s)))
		_, _ = w.Write(length[:])
		_, _ = io.WriteString(w, s)
		_, _ = w.Write(make([]byte, -len(s)&7))
	}
}

func narNode(w io.Writer, path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	narStrings(w, "(", "type")
	defer narStrings(w, ")")
	switch {
	case info.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(path)
		narStrings(w, "symlink", "target", target)
		return err
	case info.IsDir():
		narStrings(w, "directory")
		entries, err := os.ReadDir(path) // in the order of their names, as Nix wants them
		if err != nil {
			return err
		}
		for _, e := range entries {
			narStrings(w, "entry", "(", "name", e.Name(), "node")
			if err := narNode(w, filepath.Join(path, e.Name())); err != nil {
				return err
			}
			narStrings(w, ")")
		}
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	narStrings(w, "regular")
	if info.Mode()&0o100 != 0 {
		narStrings(w, "executable", "")
	}
	narStrings(w, "contents", string(text))
	return nil
}
