package backup

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
)

// Kept says what is in an archive.
type Kept struct {
	File    string    `json:"file"`
	Made    time.Time `json:"made"`
	Bytes   int64     `json:"bytes"`   // of the archive
	Secrets bool      `json:"secrets"` // they were asked for
	Files   int       `json:"files"`
	Parts   []Part    `json:"parts"`
	LeftOut []LeftOut `json:"left_out"`

	checked bool
}

// A Part is what has a place of its own.
type Part struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Path  string `json:"path"` // where it is, or was
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
	// Of a restore: "restored", or "same" where it was like that already; and where what was
	// there is now.
	State    string `json:"state,omitempty"`
	Replaced string `json:"replaced,omitempty"`
}

// A LeftOut is what is not in an archive, and why.
type LeftOut struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

func (k *Kept) add(p Part) {
	k.Parts = append(k.Parts, p)
	k.Files += p.Files
}

// tell says what a person has to know who sees nothing else.
func tell(ctx context.Context, k *Kept) {
	secrets := false
	for _, l := range k.LeftOut {
		secrets = secrets || l.Why == "it is a secret" || l.Why == "something in it looks like a secret"
	}
	note := work.Of(ctx).Note
	if len(k.LeftOut) > 0 {
		hint := ""
		if secrets {
			hint = "; --secrets keeps secrets too"
		}
		note("%s left out%s", text.Count(len(k.LeftOut), "file is", "files are"), hint)
	}
	if k.Secrets {
		note("the archive may hold secrets: keep it as you keep those")
	}
}

// WriteText writes what is in it.
func (k *Kept) WriteText(w io.Writer, _ bool) error {
	p := &printer{w: w}
	if k.checked {
		p.line("%s is whole: %s, of %s", k.File, text.Count(k.Files, "file", "files"), k.Made.Format("2006-01-02 15:04:05Z"))
	} else {
		p.line("%s, %s, kept in %s", text.Count(k.Files, "file", "files"), text.Size(k.Bytes), k.File)
	}
	return p.body(k.Parts, k.LeftOut)
}

// Restored says what was put where.
type Restored struct {
	File  string    `json:"file"`
	Made  time.Time `json:"made"`
	Files int       `json:"files"`
	Parts []Part    `json:"parts"`
}

// WriteText writes it.
func (r *Restored) WriteText(w io.Writer, _ bool) error {
	p := &printer{w: w}
	p.line("%s restored from %s, of %s", text.Count(r.Files, "file", "files"), r.File, r.Made.Format("2006-01-02 15:04:05Z"))
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
			state = ", as it was"
		}
		p.line("  %-10s %s, %s%s: %s", x.Name, text.Count(x.Files, "file", "files"), text.Size(x.Bytes), state, x.Path)
		if x.Replaced != "" {
			p.line("  %-10s what was there: %s", "", x.Replaced)
		}
	}
	for _, l := range left {
		p.line("  left out   %s: %s", l.Path, l.Why)
	}
	return p.err
}
