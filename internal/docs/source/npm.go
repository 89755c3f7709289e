package source

import (
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/docs/release"
)

const (
	maxMetadata = 64 << 20
	maxManifest = 1 << 20
)

var npmName = lazy.Regexp(`^(?:@[a-z0-9][a-z0-9._~-]*/)?[a-z0-9][a-z0-9._~-]*$`)

// Registry is where packages of npm come from where nothing else is said.
const Registry = "https://registry.npmjs.org"

// A packument is what a registry says of a package, as far as it matters here.
type packument struct {
	Tags     map[string]string `json:"dist-tags"`
	Versions map[string]struct {
		Dist struct {
			Tarball   string `json:"tarball"`
			Integrity string `json:"integrity"`
			Shasum    string `json:"shasum"`
		} `json:"dist"`
	} `json:"versions"`
}

func (t *Tree) openNPM(ctx context.Context, o Options) error {
	name, version := strings.TrimPrefix(t.Address, "npm:"), ""
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name, version = name[:i], name[i+1:]
	}
	if !npmName.MatchString(name) || len(name) > 214 {
		return fault.New(fault.Usage, "%q is not the name of an npm package", name).Or("write npm:NAME or npm:@SCOPE/NAME, with @VERSION after it if you need one")
	}
	if version == "" && o.Version != "latest" {
		version = o.Version
	}
	t.Address = "npm:" + name
	base := cmp.Or(strings.TrimSuffix(o.Registry, "/"), Registry)
	o.Progress("Looking npm:"+name+" up", 0, 0)
	f := newFetcher(base).within(o.Request)
	p, err := lookUp(ctx, f, base+"/"+url.PathEscape(name))
	if fault.KindOf(err) == fault.NotFound {
		return fault.New(fault.NotFound, "npm has no package %s", name).Or("check the name")
	}
	if err != nil {
		return err
	}
	if version, err = p.pick(name, version); err != nil {
		return err
	}
	dist := p.Versions[version].Dist
	dir, err := t.scratch(o)
	if err != nil {
		return err
	}
	o.Progress("Fetching npm:"+name+"@"+version, 0, 0)
	file := filepath.Join(dir, "package.tgz")
	if err := f.download(ctx, dist.Tarball, file); err != nil {
		return err
	}
	if err := intact(file, dist.Integrity, dist.Shasum); err != nil {
		return fault.New(fault.Unavailable, "npm:%s@%s", name, version).Because(err).Or("try again; if it persists, the registry or a proxy in front of it changes what it sends")
	}
	t.Version = version
	t.ID = "/npm/" + slug(strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-"))
	if err := t.unpack(ctx, o, file, filepath.Join(dir, "tree")); err != nil {
		return err
	}
	if repo := t.manifest().repository(); repo != "" {
		t.ID = idOf(repo)
	}
	t.alias(name)
	return nil
}

func lookUp(ctx context.Context, f *fetcher, address string) (*packument, error) {
	body, _, err := f.get(ctx, address, "application/vnd.npm.install-v1+json")
	if err != nil {
		return nil, err
	}
	defer body.Close()
	var p packument
	if err := json.NewDecoder(io.LimitReader(body, maxMetadata)).Decode(&p); err != nil {
		return nil, fault.New(fault.Unavailable, "what the npm registry says cannot be read").Because(err).Or("try again later")
	}
	return &p, nil
}

// pick returns the version that is meant: by its number, or as a tag.
func (p *packument) pick(name, version string) (string, error) {
	asked := version
	version = cmp.Or(version, "latest")
	if v, ok := p.Tags[version]; ok {
		version = v
	}
	for _, v := range []string{version, strings.TrimPrefix(version, "v")} {
		if _, ok := p.Versions[v]; ok {
			return v, nil
		}
	}
	if v := release.Meant(slices.Collect(maps.Keys(p.Versions)), version); v != "" {
		return v, nil
	}
	return "", fault.New(fault.NotFound, "npm:%s has no version %q", name, asked).Or("its newest is %s", p.Tags["latest"])
}

// intact checks a file against what its registry says of it: the integrity, as
// "sha512-BASE64", or the older sum in hexadecimal.
func intact(file, integrity, shasum string) error {
	f, err := safe.OpenNamed(file)
	if err != nil {
		return err
	}
	defer f.Close()
	var h hash.Hash
	var want []byte
	if b64, ok := strings.CutPrefix(integrity, "sha512-"); ok {
		h = sha512.New()
		want, err = base64.StdEncoding.DecodeString(b64)
	} else {
		h = sha1.New() //nolint:gosec // all that the oldest packages have
		want, err = hex.DecodeString(shasum)
	}
	if err != nil || len(want) != h.Size() {
		return errors.New("the registry states no checksum")
	}
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if subtle.ConstantTimeCompare(h.Sum(nil), want) != 1 {
		return errors.New("what was fetched has another checksum than the registry states")
	}
	return nil
}

// A manifest is a package.json, as far as it matters here.
type manifest struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Repository  json.RawMessage `json:"repository"`
}

func (t *Tree) manifest() manifest {
	var m manifest
	if data, err := t.small("package.json"); err == nil {
		_ = json.Unmarshal(data, &m) // a broken one says nothing
	}
	return m
}

// repository returns the address of a package's repository, or "".
func (m manifest) repository() string {
	var short string
	var long struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(m.Repository, &short) != nil {
		_ = json.Unmarshal(m.Repository, &long) // it is one or the other, or nothing
		short = long.URL
	}
	short = strings.TrimPrefix(strings.TrimSpace(short), "git+")
	short = strings.Replace(short, "git://", "https://", 1)
	short = strings.TrimPrefix(short, "github:")
	kind, address, err := classify(short, "/nowhere")
	if err != nil || kind != Git {
		return ""
	}
	return address
}

// within reports whether a package says that it is one folder of its repository.
func (m manifest) within() bool {
	var long struct{ Directory string }
	return json.Unmarshal(m.Repository, &long) == nil && strings.Trim(long.Directory, "./") != ""
}

func (t *Tree) small(name string) ([]byte, error) {
	f, err := safe.OpenIn(t.root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	return io.ReadAll(io.LimitReader(f, maxManifest))
}

var pyName = lazy.Regexp(`(?m)^\[(?:project|tool\.poetry)\]\s*(?:^[^\[\n]*\n)*?^name\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// ownNames are where packages of other registries say what they are called.
var ownNames = []struct {
	file string
	name *lazy.Pattern
}{
	{"composer.json", lazy.Regexp(`(?m)^\s*\{?\s*"name"\s*:\s*"([a-z0-9][a-z0-9_.-]*/[a-z0-9][a-z0-9_.-]*)"`)},
	{"Cargo.toml", lazy.Regexp(`(?m)^\[package\]\s*(?:^[^\[\n]*\n)*?^name\s*=\s*"([A-Za-z0-9_-]+)"`)},
	{"mix.exs", lazy.Regexp(`\bapp:\s*:([a-z][a-z0-9_]*)`)},
	{"go.mod", lazy.Regexp(`(?m)^module\s+([\w./~-]+)`)},
}

// describe takes from a tree what its packages are called.
func (t *Tree) describe(ctx context.Context) {
	m := t.manifest()
	if npmName.MatchString(m.Name) && len(m.Description) < 1000 {
		t.alias(m.Name)
		t.Description = m.Description
	}
	if data, err := t.small("pyproject.toml"); err == nil {
		if name := pyName.FindSubmatch(data); name != nil {
			t.alias(string(name[1]))
		}
	}
	for _, of := range ownNames {
		if data, err := t.small(of.file); err == nil {
			if name := of.name.FindSubmatch(data); name != nil {
				t.alias(string(name[1]))
			}
		}
	}
	if t.Kind == Folder && t.Commit == "" && !isInstalled(t.Address) {
		t.Commit, _ = git.Head(ctx, t.Address)
	}
}

// isInstalled reports whether a folder is below one in which package managers keep dependencies: the commit of the
// repository around it is the project's, not the library's.
func isInstalled(dir string) bool {
	top, ok := git.TopLevel(dir)
	if !ok {
		return false
	}
	below, err := filepath.Rel(top, dir)
	return err == nil && slices.ContainsFunc(strings.Split(filepath.ToSlash(below), "/"), func(name string) bool {
		switch name {
		case "node_modules", "bower_components", "site-packages", "dist-packages", ".venv", "venv", "vendor", "deps", ".build":
			return true
		}
		return false
	})
}

func (t *Tree) alias(name string) {
	if slices.Contains(t.Aliases, name) {
		return
	}
	t.Aliases = append(t.Aliases, name)
}
