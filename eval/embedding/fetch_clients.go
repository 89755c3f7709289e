package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// client runs a package manager's own client and returns what it prints.
func client(dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s: %v: %s", name, err, lastLine(stderr.String()))
	}
	return out, nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// files returns the files in a folder whose names match one of the patterns.
func files(dir string, patterns ...string) []string {
	var out []string
	for _, p := range patterns {
		found, _ := filepath.Glob(filepath.Join(dir, p)) // the patterns are constants
		out = append(out, found...)
	}
	return out
}

// apt gets Debian's packages with lists of its own, so that sources can be had and
// the machine's configuration stays as it is.
type apt struct {
	root    string
	suites  []string // the one to be preferred first
	options []string
	source  bool
}

// newApt makes a private apt root for suites, of which the newest has a package, at the server and with the key
// that the machine uses.
func newApt(tmp, suites string, source bool) (*apt, error) {
	root := filepath.Join(tmp, "apt")
	for _, d := range []string{"lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			return nil, err
		}
	}
	out, err := client("", nil, "apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian", "Label: Debian")
	if err != nil {
		return nil, err
	}
	uri := strings.TrimSpace(strings.SplitN(string(out), "\n", 2)[0])
	if uri == "" {
		return nil, errors.New("apt knows no Debian archive: run apt-get update")
	}
	kind := "deb"
	if source {
		kind = "deb-src"
	}
	var text strings.Builder
	for s := range strings.SplitSeq(suites, ",") {
		fmt.Fprintf(&text, "%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n", kind, uri, s)
	}
	list := filepath.Join(root, "sources.list")
	if err := os.WriteFile(list, []byte(text.String()), 0o644); err != nil {
		return nil, err
	}
	a := &apt{root: root, suites: strings.Split(suites, ","), source: source}
	for _, o := range []string{
		"Dir::Etc::sourcelist=" + list, "Dir::Etc::sourceparts=-",
		"Dir::State::lists=" + filepath.Join(root, "lists"), "Dir::Cache=" + filepath.Join(root, "cache"),
		"Dir::State::status=/dev/null", "APT::Sandbox::User=root", "Acquire::Languages=en",
	} {
		a.options = append(a.options, "-o", o)
	}
	_, err = client("", nil, "apt-get", append(a.options, "-q", "update")...)
	return a, err
}

func (a *apt) get(name, tmp string) (string, []string, error) {
	if name == descriptions {
		return a.descriptions(tmp)
	}
	verb := []string{"-q", "download"}
	if a.source {
		verb = []string{"-q", "--download-only", "--tar-only", "--only-source", "source"}
	}
	// A mirror may lack what one suite's list names and have another suite's.
	var err error
	for _, suite := range a.suites {
		args := append(append(append([]string{}, a.options...), verb...), name+"/"+suite)
		if _, err = client(tmp, nil, "apt-get", args...); err == nil {
			break
		}
	}
	if err != nil {
		return "", nil, err
	}
	if !a.source {
		found := files(tmp, "*.deb")
		if len(found) == 0 {
			return "", nil, errors.New("apt-get left nothing")
		}
		parts := strings.Split(filepath.Base(found[0]), "_")
		return strings.ReplaceAll(parts[1], "%3a", ":"), found[:1], nil
	}
	found := files(tmp, "*.tar.?z", "*.tar.bz2")
	if len(found) == 0 {
		return "", nil, errors.New("apt-get left nothing")
	}
	_, version, _ := strings.Cut(filepath.Base(found[0]), "_")
	version, _, _ = strings.Cut(version, ".tar")
	return strings.TrimSuffix(version, ".orig"), found, nil
}

// descriptions returns the short and long descriptions of all packages, which apt
// keeps beside its lists.
func (a *apt) descriptions(tmp string) (string, []string, error) {
	found := files(filepath.Join(a.root, "lists"), "*_i18n_Translation-en*")
	if len(found) == 0 {
		return "", nil, errors.New("apt has no descriptions")
	}
	name := filepath.Join(tmp, "descriptions.txt")
	text, err := client("", nil, "/usr/lib/apt/apt-helper", append([]string{"cat-file"}, found...)...)
	if err != nil {
		return "", nil, err
	}
	return "", []string{name}, os.WriteFile(name, text, 0o644)
}

// npm gets packages of the npm registry.
type npm struct{}

func (npm) get(name, tmp string) (string, []string, error) {
	out, err := client(tmp, nil, "npm", "pack", name, "--json", "--silent", "--ignore-scripts")
	if err != nil {
		return "", nil, err
	}
	var packed []struct{ Version string }
	if err := json.Unmarshal(out, &packed); err != nil || len(packed) == 0 {
		return "", nil, fmt.Errorf("npm answered %q", lastLine(string(out)))
	}
	return packed[0].Version, files(tmp, "*.tgz"), nil
}

// golang gets modules of the Go module proxy.
type golang struct{}

func (golang) get(name, tmp string) (string, []string, error) {
	out, err := client(tmp, []string{"GOMODCACHE=" + filepath.Join(tmp, "mod"), "GOFLAGS=-modcacherw", "GOWORK=off"},
		"go", "mod", "download", "-json", name+"@latest")
	var m struct{ Version, Zip, Error string }
	if jerr := json.Unmarshal(out, &m); jerr == nil && m.Error != "" {
		return "", nil, errors.New(lastLine(m.Error))
	}
	if err != nil {
		return "", nil, err
	}
	if m.Zip == "" {
		return "", nil, errors.New("no archive")
	}
	return m.Version, []string{m.Zip}, nil
}

// repositories gets the newest commit of public repositories.
type repositories struct{ mirrors string }

func (r repositories) get(name, tmp string) (string, []string, error) {
	repo := filepath.Join(r.mirrors, folder(name), "repo")
	if _, err := os.Stat(repo); r.mirrors == "" || err != nil {
		repo = filepath.Join(tmp, "repo")
		if _, err := client(tmp, nil, "git", "clone", "-q", "--bare", "--depth", "1", "--", "https://github.com/"+name, repo); err != nil {
			return "", nil, err
		}
	}
	version, err := client(tmp, nil, "git", "--git-dir", repo, "rev-parse", "--short=12", "HEAD")
	if err != nil {
		return "", nil, err
	}
	paths, err := present(repo)
	if err != nil {
		return "", nil, err
	}
	sources := filepath.Join(tmp, "sources.tar")
	if _, err := client(tmp, nil, "git", append([]string{"--git-dir", repo, "archive", "--format=tar", "-o", sources, "HEAD", "--"}, paths...)...); err != nil {
		return "", nil, err
	}
	return strings.TrimSpace(string(version)), []string{sources}, nil
}

// present returns pathspecs of the files that a repository has: a partial clone lacks some,
// and of these git writes no archive.
func present(repo string) ([]string, error) {
	objects, err := client("", nil, "git", "--git-dir", repo, "rev-list", "--objects", "--missing=print", "--no-walk", "HEAD")
	if err != nil {
		return nil, err
	}
	missing := map[string]bool{}
	for line := range strings.Lines(string(objects)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "?"); ok {
			missing[id] = true
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	files, err := client("", nil, "git", "--git-dir", repo, "ls-tree", "-r", "-z", "HEAD")
	if err != nil {
		return nil, err
	}
	specs := []string{"."}
	for entry := range strings.SplitSeq(string(files), "\x00") {
		mode, name, _ := strings.Cut(entry, "\t")
		if f := strings.Fields(mode); len(f) == 3 && missing[f[2]] {
			specs = append(specs, ":(exclude,literal)"+name)
		}
	}
	return specs, nil
}
