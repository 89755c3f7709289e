package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	fetchLimit = 5 * time.Minute
	maxFile    = 16 << 20
)

// fetch puts the documentation of s into dir/NAME, unless it is there already, and
// the version of the package into dir/NAME.version. It appears under its name only
// when it is whole.
func (s *set) fetch(ctx context.Context, dir string) error {
	to := filepath.Join(dir, s.name)
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	temp, err := os.MkdirTemp(dir, ".fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	ctx, cancel := context.WithTimeout(ctx, fetchLimit)
	defer cancel()
	get := s.npm
	if s.apt {
		get = s.deb
	}
	part := filepath.Join(temp, "kept")
	version, n, err := get(ctx, temp, part)
	if err == nil && n == 0 {
		err = fmt.Errorf("%v holds none of the files %s/%v", s.packages, s.root, s.keep)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, s.name+".version"), []byte(version+"\n"), 0o644)
	}
	if err != nil {
		return fmt.Errorf("fetch %s: %w", s.name, err)
	}
	return os.Rename(part, to)
}

// npm downloads the package and unpacks it into part.
func (s *set) npm(ctx context.Context, temp, part string) (version string, n int, err error) {
	name := s.packages[0] + "@" + s.version
	out, err := client(ctx, temp, "npm", "pack", name, "--json", "--silent", "--ignore-scripts")
	if err != nil {
		return "", 0, err
	}
	var packed []struct{ Filename string }
	if err := json.Unmarshal(out, &packed); err != nil || len(packed) != 1 || !filepath.IsLocal(packed[0].Filename) {
		return "", 0, fmt.Errorf("npm pack %s: no file in %q", name, out)
	}
	f, err := os.Open(filepath.Join(temp, packed[0].Filename))
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", 0, err
	}
	n, err = s.unpack(z, part)
	return name, n, err
}

// deb is npm for a package of Debian, in the version that this machine's release
// has.
func (s *set) deb(ctx context.Context, temp, part string) (version string, n int, err error) {
	for _, name := range s.packages {
		if _, err = client(ctx, temp, "apt-get", "-q", "download", name); err == nil {
			break
		}
	}
	if err != nil {
		return "", 0, err
	}
	found, err := filepath.Glob(filepath.Join(temp, "*.deb"))
	if err != nil || len(found) != 1 {
		return "", 0, fmt.Errorf("apt-get download %v left %d packages", s.packages, len(found))
	}
	cmd := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", found[0])
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return "", 0, err
	}
	if err := cmd.Start(); err != nil {
		return "", 0, err
	}
	n, err = s.unpack(pipe, part)
	if e := cmd.Wait(); err == nil {
		err = e
	}
	base := strings.Split(strings.TrimSuffix(filepath.Base(found[0]), ".deb"), "_")
	return strings.ReplaceAll(strings.Join(base[:min(2, len(base))], " "), "%3a", ":"), n, err
}

func client(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, msg bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &msg
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(msg.String())
		return nil, fmt.Errorf("%s: %v: %s", name, err, text[strings.LastIndexByte(text, '\n')+1:])
	}
	return out.Bytes(), nil
}

// unpack writes what is wanted of a tar below dir and returns how many files.
func (s *set) unpack(archive io.Reader, dir string) (n int, err error) {
	r := tar.NewReader(archive)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			// What follows the end would keep the one who writes it waiting.
			_, err = io.Copy(io.Discard, archive)
			return n, err
		}
		if err != nil {
			return n, err
		}
		name, ok := s.path(h.Name)
		if !ok || h.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			continue
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return n, err
		}
		raw, err := io.ReadAll(io.LimitReader(r, maxFile))
		if err != nil {
			return n, err
		}
		if err := os.WriteFile(to, raw, 0o644); err != nil {
			return n, err
		}
		n++
	}
}
