package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

const (
	maxQuery = 300  // bytes
	maxText  = 1600 // bytes
)

// A pair is something that a query may say and the text it should find. Group is
// where the text's neighbours are: the ones it is told apart from.
type pair struct {
	kind, lang, group, query, text string
}

func runPairs(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("pairs", flag.ContinueOnError)
	dir := flags.String("dir", "", "the directory of the corpora")
	out := flags.String("out", "", "the file to write, gzip'd lines of kind, lang, group, query, text")
	small := flags.Bool("small", false, "a handful of packages")
	workers := flags.Int("j", min(2, runtime.NumCPU()), "packages to read at a time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" || *out == "" {
		return errors.New("-dir and -out are needed")
	}
	s := store{*dir}
	all, err := s.records()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(*out), "pairs-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	c, err := newCollector(tmp)
	if err != nil {
		return err
	}
	if err := extractAll(s, chosen(all, *small), c, *workers); err != nil {
		return err
	}
	kept := c.choose()
	fmt.Fprintf(w, "%d packages, %d pairs found, %d kept\n", len(all), len(c.found), len(kept))
	if err := c.write(*out, kept); err != nil {
		return err
	}
	return c.report(w, kept)
}

// chosen leaves out what must not be trained on, which the lists have changed
// about since it was fetched, and with small takes few.
func chosen(all []record, small bool) []record {
	var out []record
	for _, r := range all {
		if excludedPackage(r.Name) {
			continue
		}
		if small {
			ok := false
			for _, n := range few[r.Kind] {
				ok = ok || n == r.Name
			}
			if !ok {
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

func extractAll(s store, all []record, c *collector, workers int) error {
	jobs := make(chan record)
	errs := make(chan error, workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for r := range jobs {
				x := &extractor{pkg: r, emit: c.add(r)}
				if err := x.walk(s.source(r.Kind, r.Name)); err != nil {
					select {
					case errs <- fmt.Errorf("read %s: %w", r.Name, err):
					default:
					}
				}
			}
		})
	}
	for _, r := range all {
		jobs <- r
	}
	close(jobs)
	wg.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return c.flush()
	}
}

// An extractor reads the files of one package.
type extractor struct {
	pkg  record
	emit func(pair)
	root string
	skip map[string]bool // folders that say again what others say
}

func (x *extractor) walk(root string) error {
	x.root = root
	x.skip = repeats(root, x.pkg.Kind)
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if x.skip[rel] {
				return filepath.SkipDir
			}
			return nil
		}
		if excludedPath(rel) || skipFile(rel) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		x.file(rel, text)
		return nil
	})
}

// repeats returns the folders of an npm package that hold what another folder
// holds too: what a compiler made of its sources, once for each kind of module.
func repeats(root, kind string) map[string]bool {
	skip := map[string]bool{}
	if kind != "npm" {
		return skip
	}
	built := []string{"src", "source", "lib-esm", "esm", "es", "es6", "esm2022", "esm2020", "esm5", "module", "fesm2022", "dist-esm", "dist-src", "lib", "dist", "build", "cjs", "commonjs", "umd", "dist-cjs", "dist-es", "dist-types", "types", "typings", "out", "browser", "bundles", "amd", "_esm", "_cjs", "_types", "lib.esm", "lib.commonjs"}
	first := ""
	base, prefix := root, ""
	if entries, err := os.ReadDir(root); err == nil && len(entries) == 1 && entries[0].IsDir() {
		prefix = entries[0].Name() + "/"
		base = filepath.Join(root, entries[0].Name())
	}
	for _, b := range built {
		if sources(filepath.Join(base, b)) < 3 {
			continue
		}
		if first != "" {
			skip[prefix+b] = true
		} else {
			first = b
		}
	}
	if first == "lib" || first == "dist" || first == "build" {
		// The same, one folder further down.
		inner := ""
		for _, b := range built[2:] {
			p := first + "/" + b
			if sources(filepath.Join(base, p)) < 3 {
				continue
			}
			if inner != "" {
				skip[prefix+p] = true
			} else {
				inner = b
			}
		}
	}
	return skip
}

// sources counts the source files below a folder, up to three.
func sources(dir string) int {
	n := 0
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // a folder that is not there has none
		if err == nil && !d.IsDir() {
			switch strings.ToLower(filepath.Ext(path)) {
			case ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx":
				n++
			}
		}
		if n >= 3 {
			return filepath.SkipAll
		}
		return nil
	})
	return n
}

// skipFile reports whether a file is not worth reading, by its path.
func skipFile(rel string) bool {
	low := "/" + strings.ToLower(rel)
	for _, s := range []string{"/_modules/", "/_sources/", "/genindex", "/search.html", ".min.", ".bundle.", "/bundle.", "/code_of_conduct", "/test262/", "/testdata/", "/locale-data/", ".d.mts", ".d.cts", "/umd/", "/copyright", "/license", "/copying", "/news.", "/history.", "/changelog", "/releases.", "/cldr/", "/win32/"} {
		if strings.Contains(low, s) {
			return true
		}
	}
	return false
}

// file reads one file.
func (x *extractor) file(rel string, text []byte) {
	switch {
	case x.pkg.Name == descriptions:
		x.descriptions(string(text))
		return
	case strings.Contains(rel, "usr/share/wordnet"):
		x.wordnet(rel, string(text))
		return
	case strings.Contains(rel, "usr/share/dictd"):
		x.dictionary(rel, text)
		return
	case manual(rel):
		x.manual(rel, string(text))
		return
	}
	head := text[:min(len(text), 4000)]
	if excludedText(head) || generated(head) {
		return
	}
	language := syntax.Language(rel, head)
	switch {
	case language == "markdown" || language == "rst" || language == "html" || language == "asciidoc" || language == "text":
		x.prose(rel, language, string(text))
	case language != "":
		x.code(rel, language, text)
	}
}

// group returns where a file's neighbours are.
func (x *extractor) group(rel string) string {
	parts := strings.Split(rel, "/")
	parts = parts[:len(parts)-1]
	return x.pkg.Kind + "/" + folder(x.pkg.Name) + "/" + strings.Join(parts[:min(len(parts), 8)], "/")
}

// read reads another file of the package.
func (x *extractor) read(rel string) ([]byte, error) {
	return os.ReadFile(filepath.Join(x.root, filepath.FromSlash(rel)))
}
