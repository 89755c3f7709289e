package backup

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
)

// Report describes an archive.
type Report struct {
	File    string    `json:"file"`
	Made    time.Time `json:"made"`
	Bytes   int64     `json:"bytes"`   // of the archive
	Secrets bool      `json:"secrets"` // secrets were included on request
	Files   int       `json:"files"`
	Parts   []Part    `json:"parts"`
	LeftOut []LeftOut `json:"left_out"`

	checked bool
}

// A Part is a file, folder or database with a place of its own.
type Part struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Path  string `json:"path"` // its place, or its former place
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
	// State and Replaced are set by a restore. State is "restored", or "same" if nothing had to change; Replaced is the new
	// path of the replaced data.
	State    string `json:"state,omitempty"`
	Replaced string `json:"replaced,omitempty"`
}

// A LeftOut is a file that is not in the archive, and the reason.
type LeftOut struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

func (k *Report) add(p Part) {
	k.Parts = append(k.Parts, p)
	k.Files += p.Files
}

// noteOmissions notes how many files are left out, and that the archive contains secrets.
func noteOmissions(ctx context.Context, k *Report) {
	secrets := false
	for _, l := range k.LeftOut {
		secrets = secrets || l.Why == whySecret || l.Why == whyLooksSecret
	}
	note := work.FromContext(ctx).Note
	if len(k.LeftOut) > 0 {
		hint := ""
		if secrets {
			hint = "; --secrets includes secrets"
		}
		note("%s left out%s", text.Count(len(k.LeftOut), "file was", "files were"), hint)
	}
	if k.Secrets {
		note("the archive may contain secrets: protect it like them")
	}
}

// WriteText writes the contents of the archive.
func (k *Report) WriteText(w io.Writer, _ bool) error {
	p := &printer{w: w}
	if k.checked {
		p.line("%s is intact: %s, written %s", k.File, text.Count(k.Files, "file", "files"), k.Made.Format("2006-01-02 15:04:05Z"))
	} else {
		p.line("%s, %s, saved in %s", text.Count(k.Files, "file", "files"), text.Size(k.Bytes), k.File)
	}
	return p.body(k.Parts, k.LeftOut)
}

// Restored reports the restored parts and their places.
type Restored struct {
	File  string    `json:"file"`
	Made  time.Time `json:"made"`
	Files int       `json:"files"`
	Parts []Part    `json:"parts"`
}

func (r *Restored) WriteText(w io.Writer, _ bool) error {
	p := &printer{w: w}
	p.line("%s restored from %s, written %s", text.Count(r.Files, "file", "files"), r.File, r.Made.Format("2006-01-02 15:04:05Z"))
	return p.body(r.Parts, nil)
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, text.Line(fmt.Sprintf(format, args...))+"\n")
	}
}

func (p *printer) body(parts []Part, left []LeftOut) error {
	for _, x := range parts {
		state := ""
		if x.State == same {
			state = ", unchanged"
		}
		p.line("  %-10s %s, %s%s: %s", x.Name, text.Count(x.Files, "file", "files"), text.Size(x.Bytes), state, x.Path)
		if x.Replaced != "" {
			p.line("  %-10s replaced data: %s", "", x.Replaced)
		}
	}
	for _, l := range left {
		p.line("  left out   %s: %s", l.Path, l.Why)
	}
	return p.err
}
