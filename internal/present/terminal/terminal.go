// Package terminal shows answers on a terminal: within its columns, with places that can be
// clicked, and by a pager where they are longer than it.
package terminal

import (
	"bytes"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/cli"
)

// A Terminal is where answers are shown.
type Terminal struct {
	Out   *os.File
	Roots func() []string // folders that paths in answers may be relative to
	Links bool            // it may be given hyperlinks (OSC 8)
	// Page shows a text that is longer than the screen, and reports whether it did; nil where there is no pager.
	Page func(text string) bool
}

// A page is what an answer is written to.
type page struct {
	bytes.Buffer
	columns int
}

func (p *page) Columns() int { return p.columns }

// Show shows what write writes, in colours if it has some, and by the pager if it may.
func (t *Terminal) Show(how cli.Look, write func(io.Writer) error) error {
	columns, rows, err := term.GetSize(int(t.Out.Fd()))
	if err != nil {
		columns, rows = 0, 0
	}
	p := &page{columns: columns}
	if err = write(p); err != nil {
		return err
	}
	said := text.Visible(p.String())
	if how.Colour {
		said = text.VisiblePainted(p.String())
	}
	if t.Links && how.Colour {
		said = t.linked(said)
	}
	if how.Paged && t.Page != nil && rows > 0 && strings.Count(said, "\n") >= rows && t.Page(said) {
		return nil
	}
	_, err = io.WriteString(t.Out, said)
	return err
}

// place is a text that may be a file, with a line behind it, or sets a colour, which no path begins with.
var place = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[0-9;]*m|[^\s:"'()<>|\x1b…]*[./][^\s:"'()<>|\x1b…]*(?:(?:\x1b\[[0-9;]*m)?:(?:\x1b\[[0-9;]*m)?[0-9]+)?`)
})

// mostLinks bounds the files that are looked for.
const mostLinks = 2000

// linked makes links of the paths of files that are there. They are found in what was
// cleaned: no text can bring a link of its own.
func (t *Terminal) linked(said string) string {
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	roots := t.Roots()
	known := map[string]string{}
	return place().ReplaceAllStringFunc(said, func(at string) string {
		if at[0] == '\x1b' {
			return at
		}
		path, line := at, ""
		if end := strings.IndexAny(at, ":\x1b"); end > 0 {
			path, line = at[:end], at[strings.LastIndexAny(at, ":m")+1:]
		}
		target, ok := known[path]
		if !ok {
			if len(known) >= mostLinks {
				return at
			}
			target = find(path, roots, host)
			known[path] = target
		}
		if target == "" {
			return at
		}
		if line != "" { // as kitty and others read it
			target += "#" + line
		}
		return "\x1b]8;;" + target + "\x1b\\" + at + "\x1b]8;;\x1b\\"
	})
}

// find returns the address of a file, "" where there is none of that name.
func find(path string, roots []string, host string) string {
	for _, root := range append([]string{""}, roots...) {
		full := filepath.FromSlash(path)
		if root == "" && !filepath.IsAbs(full) {
			continue
		} else if root != "" {
			if !filepath.IsLocal(full) {
				continue
			}
			full = filepath.Join(root, full)
		}
		if info, err := os.Lstat(full); err == nil && info.Mode().IsRegular() {
			return (&url.URL{Scheme: "file", Host: host, Path: filepath.ToSlash(full)}).String()
		}
	}
	return ""
}
