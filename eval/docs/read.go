package main

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// askedBy holds the questions of the sets that have some.
const askedBy = "eval/docs/testdata/asked.jsonl"

// A corpus is the pages of a set.
type corpus struct {
	set   set
	pages []page
	asked []question
	byKey map[string]int // pages by the key of their path; -1 where two have it
}

type page struct {
	library.Page
	format   library.Format
	text     []byte
	headings []markup.Block
}

// files yields the pages below a folder, in the order of their paths.
func files(root *os.Root) iter.Seq2[library.File, error] {
	return func(yield func(library.File, error) bool) {
		var names []string
		err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && library.FormatOf(name, nil) != "" {
				names = append(names, name)
			}
			return err
		})
		if err != nil {
			yield(library.File{}, err)
			return
		}
		slices.Sort(names)
		for _, name := range names {
			f := library.File{Path: name, URL: name, Data: func() ([]byte, error) { return root.ReadFile(filepath.FromSlash(name)) }, Options: optionsOf(root, name)}
			if !yield(f, nil) {
				return
			}
		}
	}
}

func optionsOf(root *os.Root, name string) markup.Options {
	return markup.Options{Path: name, Include: func(p string) ([]byte, error) {
		if !strings.HasPrefix(p, "/") {
			p = path.Join(path.Dir(name), p)
		}
		return root.ReadFile(filepath.FromSlash(strings.TrimPrefix(path.Clean(p), "/")))
	}}
}

// load reads a set that was fetched.
func load(ctx context.Context, dir string, s set) (*corpus, error) {
	c := &corpus{set: s, byKey: map[string]int{}}
	root, err := os.OpenRoot(filepath.Join(dir, s.name))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for p, err := range library.Read(ctx, 0, files(root)) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		c.pages = append(c.pages, page{Page: p})
	}
	for i := range c.pages {
		p := &c.pages[i]
		if p.text, err = root.ReadFile(filepath.FromSlash(p.Path)); err != nil {
			return nil, err
		}
		p.format = library.FormatOf(p.Path, p.text)
		for _, b := range library.Parse(p.text, p.format, optionsOf(root, p.Path)).Blocks {
			if b.Kind == markup.Heading {
				p.headings = append(p.headings, b)
			}
		}
		key := keyOf(p.Path)
		if _, twice := c.byKey[key]; twice {
			c.byKey[key] = -1
			continue
		}
		c.byKey[key] = i
	}
	if s.asked {
		return c, c.readAsked(askedBy)
	}
	return c, nil
}

var ordinal = regexp.MustCompile(`^[0-9]+[-_]`)

// keyOf returns a path as the addresses of a site name it: without numbers that
// order, groups in parentheses, endings and index.
func keyOf(name string) string {
	var out []string
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, "(") && strings.HasSuffix(part, ")") || part == "." || part == "" {
			continue
		}
		out = append(out, ordinal.ReplaceAllString(part, ""))
	}
	if len(out) == 0 {
		return ""
	}
	last := out[len(out)-1]
	for library.FormatOf(last, nil) != "" {
		last = strings.TrimSuffix(last, path.Ext(last))
	}
	out[len(out)-1] = last
	if last == "index" || last == "README" {
		out = out[:len(out)-1]
	}
	return strings.ToLower(strings.Join(out, "/"))
}

// find returns the page that a link of the page from leads to, or -1.
func (c *corpus) find(from int, to string) int {
	if strings.HasPrefix(to, "/") {
		for parts := strings.Split(strings.Trim(to, "/"), "/"); len(parts) > 0; parts = parts[1:] {
			if i, ok := c.byKey[keyOf(strings.Join(parts, "/"))]; ok {
				return i
			}
		}
		return -1
	}
	for _, base := range []string{path.Dir(c.pages[from].Path), "."} {
		if i, ok := c.byKey[keyOf(path.Join(base, to))]; ok {
			return i
		}
	}
	return -1
}

// section returns the snippets of a page that hold the section with an anchor.
func (p *page) section(anchor string) (at []int) {
	for i, s := range p.Snippets {
		if _, a, _ := strings.Cut(s.URL, "#"); a == anchor {
			at = append(at, i)
		}
	}
	if at != nil {
		return at
	}
	for _, h := range p.headings {
		if h.Anchor == anchor {
			at = append(at, p.under(h.Text)...)
		}
	}
	return at
}

// under returns the snippets of a page that hold a section that is so called.
func (p *page) under(heading string) (at []int) {
	heading = letters(heading)
	for i, s := range p.Snippets {
		found := letters(s.Title) == heading
		for line := range strings.Lines(s.Content) {
			found = found || strings.HasPrefix(line, "####") && letters(line) == heading
		}
		if found {
			at = append(at, i)
		}
	}
	return at
}
