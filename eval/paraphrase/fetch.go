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
	"path"
	"path/filepath"
	"strings"
	"time"
)

const fetchLimit = 5 * time.Minute

// A pack is a package whose documentation is asked about. None is among those
// that the embedding model learns from.
type pack struct {
	Name    string
	Version string // npm: the one fetched; apt: the one the questions were written for
	apt     bool
	keep    []string // patterns of path.Match; "dir/**" is all below dir
	strip   string   // taken off the front of the paths kept
}

// What lists the contents of other pages again is not kept, as it would answer
// their questions as well: markdownlint's Rules.md, Knot's reference.rst.
var packages = []pack{
	{Name: "semantic-release", Version: "24.2.9", keep: []string{"package/docs/**", "package/README.md"}, strip: "package/"},
	{Name: "markdownlint", Version: "0.40.0", keep: []string{"package/doc/md*.md", "package/doc/CustomRules.md"}, strip: "package/"},
	{Name: "node-gyp", Version: "12.4.0", keep: []string{"package/README.md", "package/gyp/docs/**"}, strip: "package/"},
	{Name: "knot-doc", Version: "3.2.6-1", apt: true, keep: []string{
		"usr/share/doc/knot-doc/_sources/[a-q]*.rst.txt", "usr/share/doc/knot-doc/_sources/requirements.rst.txt",
		"usr/share/doc/knot-doc/_sources/[s-z]*.rst.txt",
	}, strip: "usr/share/doc/knot-doc/_sources/"},
}

// wanted returns the path below the package's folder at which a file of its
// archive is kept. Sphinx names its sources NAME.rst.txt.
func (p pack) wanted(name string) (string, bool) {
	name = strings.TrimPrefix(name, "./")
	for _, k := range p.keep {
		dir, all := strings.CutSuffix(k, "**")
		if ok, _ := path.Match(k, name); !ok && !(all && strings.HasPrefix(name, dir)) {
			continue
		}
		name = strings.TrimSuffix(strings.TrimPrefix(name, p.strip), ".txt")
		ext := path.Ext(name)
		return name, filepath.IsLocal(name) && (ext == ".md" || ext == ".rst")
	}
	return "", false
}

// fetch puts the documentation of p into docs/NAME, unless that is there already.
// It appears under its name only when it is whole.
func (p pack) fetch(ctx context.Context, docs string) error {
	to := filepath.Join(docs, p.Name)
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	tmp, err := os.MkdirTemp(filepath.Dir(docs), ".fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	ctx, cancel := context.WithTimeout(ctx, fetchLimit)
	defer cancel()
	get := p.npm
	if p.apt {
		get = p.deb
	}
	archive, err := get(ctx, tmp)
	if err != nil {
		return err
	}
	part := filepath.Join(tmp, "kept")
	n, err := p.unpack(archive, part)
	if err != nil {
		return fmt.Errorf("unpack %s: %v", p.Name, err)
	}
	if n == 0 {
		return fmt.Errorf("%s has none of the files %v", p.Name, p.keep)
	}
	return os.Rename(part, to)
}

// npm returns the package's files as an unpacked tar.
func (p pack) npm(ctx context.Context, tmp string) (io.Reader, error) {
	out, err := client(ctx, tmp, "npm", "pack", p.Name+"@"+p.Version, "--json", "--silent", "--ignore-scripts")
	if err != nil {
		return nil, err
	}
	var packed []struct{ Filename string }
	if err := json.Unmarshal(out, &packed); err != nil || len(packed) != 1 || !filepath.IsLocal(packed[0].Filename) {
		return nil, fmt.Errorf("npm pack %s: no file in %q", p.Name, out)
	}
	raw, err := os.ReadFile(filepath.Join(tmp, packed[0].Filename))
	if err != nil {
		return nil, err
	}
	return gzip.NewReader(bytes.NewReader(raw))
}

// deb returns the package's files as an unpacked tar. The version is what the
// machine's release of Debian has.
func (p pack) deb(ctx context.Context, tmp string) (io.Reader, error) {
	if _, err := client(ctx, tmp, "apt-get", "-q", "download", p.Name); err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(tmp, "*.deb"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("apt-get download %s left %d packages", p.Name, len(found))
	}
	out, err := client(ctx, tmp, "dpkg-deb", "--fsys-tarfile", found[0])
	return bytes.NewReader(out), err
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
func (p pack) unpack(archive io.Reader, dir string) (n int, err error) {
	r := tar.NewReader(archive)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		name, ok := p.wanted(h.Name)
		if !ok || h.Typeflag != tar.TypeReg {
			continue
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return n, err
		}
		raw, err := io.ReadAll(io.LimitReader(r, 8<<20))
		if err != nil {
			return n, err
		}
		if err := os.WriteFile(to, raw, 0o644); err != nil {
			return n, err
		}
		n++
	}
}
