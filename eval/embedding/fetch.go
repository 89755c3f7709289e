package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed packages/*.txt
var lists embed.FS

// kinds are the ways a package comes, each with a list of names.
var kinds = []string{"debian", "debian-source", "npm", "go", "git"}

// few is what -small takes of each kind.
var few = map[string][]string{
	"debian": {"git-man", "lua-socket"},
	"npm":    {"rxjs", "tldr"},
	"go":     {"golang.org/x/text", "github.com/rs/zerolog"},
}

// A record says what a package is: a line of packages.jsonl.
type record struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Version string `json:"version"`
	Licence string `json:"licence"`
	Files   int    `json:"files"`
	Bytes   int64  `json:"bytes"`
}

// A store is the directory that the corpora lie in.
//
//	src/<kind>/<package>/…        what was kept of a package
//	records/<kind>/<package>.json its record; there once the package is whole
//	packages.jsonl                all records
//	tmp/                          downloads under way
type store struct{ dir string }

func (s store) source(kind, name string) string {
	return filepath.Join(s.dir, "src", kind, folder(name))
}

func (s store) record(kind, name string) string {
	return filepath.Join(s.dir, "records", kind, folder(name)+".json")
}

// folder returns the name of a package as the name of one folder.
func folder(name string) string { return strings.ReplaceAll(name, "/", "+") }

// A getter downloads one package into a temporary folder and returns its version
// and the archives that it consists of.
type getter interface {
	get(name, tmp string) (version string, archives []string, err error)
}

func runFetch(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("fetch", flag.ContinueOnError)
	dir := flags.String("dir", "", "the directory of the corpora")
	only := flags.String("only", "", "the kinds to fetch, joined by commas: "+strings.Join(kinds, ","))
	small := flags.Bool("small", false, "a handful of packages")
	text := flags.Bool("text", false, "of the packages those that the model for text was taught with (packages/text.txt)")
	suites := flags.String("suites", "trixie,bookworm", "Debian's suites, joined by commas")
	mirrors := flags.String("mirrors", "", "a folder of bare repositories, OWNER+NAME/repo; what it lacks is cloned from GitHub")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		return errors.New("-dir is missing")
	}
	root, err := filepath.Abs(*dir)
	if err != nil {
		return err
	}
	f := &fetch{store: store{root}, w: w, suites: *suites}
	if *mirrors != "" {
		if f.mirrors, err = filepath.Abs(*mirrors); err != nil {
			return err
		}
	}
	taught, err := names("text")
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for _, kind := range kinds {
		names, err := names(kind)
		if err != nil {
			return err
		}
		if *text {
			names = slices.DeleteFunc(names, func(n string) bool { return !slices.Contains(taught, n) })
		}
		if *small {
			names = few[kind]
		}
		if *only != "" && !slices.Contains(strings.Split(*only, ","), kind) || len(names) == 0 {
			continue
		}
		// Each kind has a server of its own, so they do not wait for one another.
		wg.Go(func() { f.kind(kind, names) })
	}
	wg.Wait()
	return f.store.gather(w)
}

// names reads the list of a kind.
func names(kind string) ([]string, error) {
	text, err := lists.ReadFile("packages/" + kind + ".txt")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseNames(string(text)), nil
}

// parseNames reads a list of packages: one name a line, # starts a comment.
func parseNames(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

type fetch struct {
	store store
	mu    sync.Mutex
	w     io.Writer

	suites, mirrors string
}

func (f *fetch) say(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fmt.Fprintf(f.w, format+"\n", args...)
}

// kind fetches the packages of one kind that are not there. One that fails is
// reported and left out.
func (f *fetch) kind(kind string, names []string) {
	tmp := filepath.Join(f.store.dir, "tmp", kind)
	g, err := f.getter(kind, tmp)
	if err != nil {
		f.say("%s: %v", kind, err)
		return
	}
	got, failed := 0, 0
	for _, name := range names {
		if excludedPackage(name) {
			f.say("%s %s: excluded", kind, name)
			continue
		}
		if _, err := os.Stat(f.store.record(kind, name)); err == nil {
			continue
		}
		r, err := f.one(g, kind, name, filepath.Join(tmp, "one"))
		if err != nil {
			failed++
			f.say("%s %s: %v", kind, name, err)
			continue
		}
		got++
		f.say("%s %s %s: %d files, %.1f MB, %s", kind, name, r.Version, r.Files, float64(r.Bytes)/1e6, r.Licence)
	}
	f.say("%s: %d listed, %d fetched, %d failed", kind, len(names), got, failed)
}

func (f *fetch) getter(kind, tmp string) (getter, error) {
	switch kind {
	case "debian", "debian-source":
		return newApt(tmp, f.suites, kind == "debian-source")
	case "npm":
		return npm{}, nil
	case "go":
		return golang{}, nil
	case "git":
		return repositories{f.mirrors}, nil
	}
	return nil, fmt.Errorf("no kind %s", kind)
}

// one fetches one package. Its record is written last.
func (f *fetch) one(g getter, kind, name, tmp string) (record, error) {
	if err := os.RemoveAll(tmp); err != nil {
		return record{}, err
	}
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return record{}, err
	}
	defer os.RemoveAll(tmp)
	version, archives, err := g.get(name, tmp)
	if err != nil {
		return record{}, err
	}
	dest := f.store.source(kind, name)
	if err := os.RemoveAll(dest); err != nil {
		return record{}, err
	}
	u := &unpacker{dest: dest, tmp: tmp, licences: map[string]bool{}}
	for _, a := range archives {
		if err := u.archive(a); err != nil {
			return record{}, fmt.Errorf("unpack %s: %w", filepath.Base(a), err)
		}
	}
	if u.files == 0 {
		return record{}, errors.New("nothing to keep in it")
	}
	r := record{Name: name, Kind: kind, Version: version, Licence: u.licence(), Files: u.files, Bytes: u.bytes}
	return r, writeRecord(f.store.record(kind, name), r)
}

func writeRecord(path string, r record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// records returns the records of all packages that are there, in order.
func (s store) records() ([]record, error) {
	files, err := filepath.Glob(filepath.Join(s.dir, "records", "*", "*.json"))
	if err != nil {
		return nil, err
	}
	var out []record
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var r record
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b record) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return out, nil
}

// gather writes packages.jsonl and says how much there is.
func (s store) gather(w io.Writer) error {
	all, err := s.records()
	if err != nil {
		return err
	}
	var text []byte
	var bytes int64
	for _, r := range all {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
		bytes += r.Bytes
	}
	fmt.Fprintf(w, "%d packages, %.0f MB\n", len(all), float64(bytes)/1e6)
	return os.WriteFile(filepath.Join(s.dir, "packages.jsonl"), text, 0o644)
}
