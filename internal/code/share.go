package code

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/bucket"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A PushInput asks for an index to be shared.
type PushInput struct {
	URL string `json:"url,omitempty" arg:"1" help:"s3://BUCKET/PREFIX (default: a prefix of index.url named after the project's folder)"`
	SharedPlace
}

// A PullInput asks for an index that somebody shared.
type PullInput struct {
	URL string `json:"url,omitempty" arg:"1" help:"s3://BUCKET/PREFIX (default: a prefix of index.url named after the project's folder)"`
	SharedPlace
}

// A SharedPlace says which tree is meant and where its index lies.
type SharedPlace struct {
	Root     string `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the working directory)"`
	IndexDir string `json:"index_dir,omitempty" flag:"index-dir" out:"folder" help:"folder of the index (default: ROOT/.assay/index)"`
}

// A ShareReport says what was sent or received.
type ShareReport struct {
	Root     string   `json:"root"`
	URL      string   `json:"url"`
	Epoch    int64    `json:"epoch"`
	Segments int      `json:"segments"`
	Bytes    int64    `json:"bytes"`       // of the index
	Objects  int      `json:"objects"`     // that were missing, and so sent or received
	Moved    int64    `json:"moved_bytes"` // of those
	Same     bool     `json:"unchanged"`   // both sides had it already
	Made     string   `json:"made,omitempty"`
	Files    int      `json:"files"`
	Changed  int      `json:"changed"` // files that the tree has otherwise, indexed here
	Removed  int      `json:"removed"`
	Seconds  float64  `json:"seconds"`
	Notes    []string `json:"notes,omitempty"`

	pulled bool
}

// WriteText writes the report in a few lines.
func (r *ShareReport) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	verb := "sent to"
	if r.pulled {
		verb = "taken from"
	}
	if r.Same {
		fmt.Fprintf(&b, "nothing to do: %s has this index", r.URL)
	} else {
		fmt.Fprintf(&b, "index %s %s: %d of %d objects, %s of %s", verb, r.URL, r.Objects, r.Segments+1, size(r.Moved), size(r.Bytes))
	}
	fmt.Fprintf(&b, " (%.2f s)\n", r.Seconds)
	if r.pulled {
		fmt.Fprint(&b, text.Counted("%d file{s}, of which %d differ{s and was|and were} read, %d are gone\n", r.Files, r.Changed, r.Removed))
	}
	b.Notes(r.Notes)
	return b.End()
}

// Push brings an index up to date and shares it.
func (f *Feature) Push(ctx context.Context, in PushInput) (*ShareReport, error) {
	start := f.around.Now()
	t, e, at, err := f.sharing(ctx, in.URL, in.SharedPlace)
	if err != nil {
		return nil, err
	}
	built, err := f.Index(ctx, IndexInput{Place: in.place(t)})
	if err != nil {
		return nil, err
	}
	moved, err := e.Push(ctx, at, work.FromContext(ctx).Progress)
	if err != nil {
		return nil, f.unshared(e, at, "push", in.URL, err)
	}
	out := reported(e, at, moved)
	out.Files, out.Changed, out.Removed, out.Notes = built.Files, built.Changed, built.Removed, built.Notes
	if moved.Unguarded {
		out.Notes = append(out.Notes, "the server has no conditional writes: had somebody else pushed at the same time, one of the two would be undone")
	}
	out.Seconds = f.around.Now().Sub(start).Round(time.Millisecond).Seconds()
	return out, nil
}

// Pull takes an index that somebody shared, and brings it up to date with the tree.
func (f *Feature) Pull(ctx context.Context, in PullInput) (*ShareReport, error) {
	start := f.around.Now()
	t, e, at, err := f.sharing(ctx, in.URL, in.SharedPlace)
	if err != nil {
		return nil, err
	}
	moved, err := e.Pull(ctx, at, work.FromContext(ctx).Progress)
	if err != nil {
		return nil, f.unshared(e, at, "pull", in.URL, err)
	}
	built, err := f.Index(ctx, IndexInput{Place: in.place(t)})
	if err != nil {
		return nil, err
	}
	out := reported(e, at, moved)
	out.pulled = true
	out.Files, out.Changed, out.Removed, out.Notes = built.Files, built.Changed, built.Removed, built.Notes
	out.Seconds = f.around.Now().Sub(start).Round(time.Millisecond).Seconds()
	return out, nil
}

func (p SharedPlace) place(t workspace.Target) Place {
	return Place{Root: t.Root, IndexDir: p.IndexDir}
}

func reported(e *engine.Engine, at *bucket.Bucket, m *index.Moved) *ShareReport {
	out := &ShareReport{Root: e.Root(), URL: at.URL(), Epoch: m.Epoch, Segments: m.Segments, Bytes: m.Bytes, Objects: m.Sent, Moved: m.SentBytes, Same: m.Same}
	if !m.FromBefore.IsZero() {
		out.Made = m.FromBefore.Format(time.RFC3339)
	}
	return out
}

// sharing finds the tree that is meant, its index and where that is shared.
func (f *Feature) sharing(ctx context.Context, url string, p SharedPlace) (workspace.Target, *engine.Engine, *bucket.Bucket, error) {
	t, err := f.resolve(Place{Root: p.Root, IndexDir: p.IndexDir}, nil)
	if err != nil {
		return t, nil, nil, err
	}
	at, err := f.bucket(url, f.trees.SharedName(t))
	if err != nil {
		return t, nil, nil, err
	}
	e, err := f.trees.Open(ctx, t)
	if err != nil {
		return t, nil, nil, err
	}
	if why := e.Unusable(); why != "" {
		return t, nil, nil, fault.New(fault.Unavailable, "cannot write an index in %s: %s", e.IndexDir(), why).Or("choose another folder with --index-dir")
	}
	return t, e, at, nil
}

// bucket returns the one at an address or, without one, that of a name below the settings' address.
func (f *Feature) bucket(url, name string) (*bucket.Bucket, error) {
	if url == "" && f.cfg.Shared.URL == "" {
		return nil, fault.New(fault.Usage, "no location for shared indexes is set").Or("name it as s3://BUCKET/PREFIX, or assay config set index.url s3://BUCKET/PREFIX")
	}
	c := f.cfg.Shared
	if url != "" {
		c.URL = url
	} else {
		c.URL = strings.TrimSuffix(c.URL, "/") + "/" + name
	}
	b, err := bucket.Open(c)
	if err != nil {
		return nil, fault.New(fault.Usage, "%s cannot be used", "the place of the index").Because(err).
			Or("addresses are s3://BUCKET/PREFIX; keys and region come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, another server from index.endpoint")
	}
	return b, nil
}

// unshared makes an error of a push or a pull one that says what to do.
func (f *Feature) unshared(e *engine.Engine, at *bucket.Bucket, op, url string, err error) error {
	again := func(op string) []fault.Arg {
		args := []fault.Arg{{Name: "root", Value: e.Root()}}
		if url != "" {
			args = append([]fault.Arg{{Name: "url", Value: url}}, args...)
		}
		return args
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, bucket.ErrChanged):
		return fault.New(fault.Stale, "%s changed meanwhile: somebody else has pushed", at.URL()).Try("index "+op, again(op)...)
	case errors.Is(err, index.ErrNotShared):
		return fault.New(fault.NotFound, "%s", at.URL()).Because(err).Or("assay index push there, with the same version of assay, makes one")
	case errors.Is(err, index.ErrManifest):
		return fault.New(fault.Negative, "%s", at.URL()).Because(err).Or("what is here is as it was; push again from a tree that is indexed, or ask whoever writes there")
	case errors.Is(err, index.ErrDamaged):
		return fault.New(fault.Unavailable, "the index in %s", e.IndexDir()).Because(err).Try("index", fault.Arg{Name: "path", Value: e.Root()})
	case errors.Is(err, bucket.ErrDenied):
		return fault.New(fault.Unavailable, "%s", at.URL()).Because(err).Or("check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION, and what those keys may do: without s3:ListBucket, S3 refuses what is not there, too")
	}
	return fault.New(fault.Unavailable, "%s %s", op, at.URL()).Because(err).Or("what was moved already is not moved again: run it again")
}
