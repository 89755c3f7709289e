package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

// An index is shared as objects: each segment, and the rows of the database in one, is an
// immutable object named by the SHA-256 of its content, and a manifest, which is replaced last,
// names them. So a reader finds the manifest of before or that of after, and in either case every
// object that it names; and of the next push only what is new is sent.

// Objects is where they are.
type Objects interface {
	// Get writes an object of at most limit bytes to w; fs.ErrNotExist says that there is none, and
	// fs.ErrPermission that there is none, or that it is not for the caller.
	Get(ctx context.Context, key string, limit int64, w io.Writer) (version string, err error)
	Has(ctx context.Context, key string, size int64) (bool, error)
	Put(ctx context.Context, key string, body io.ReaderAt, size int64, sum [32]byte) error
	// Replace writes an object in the place of a version, "" for none; held is false where the
	// store cannot tell whether that was still there, which with must is an error, and nothing is written.
	Replace(ctx context.Context, key string, body []byte, sum [32]byte, version string, must bool) (held bool, err error)
}

// ErrManifest says that a shared index is not what one may be.
var ErrManifest = errors.New("the shared index is damaged, or was not written by this program")

// A Manifest says what a shared index consists of.
type Manifest struct {
	Assay    int       `json:"assay"`  // the form of this document
	Format   int       `json:"format"` // of the index
	ID       string    `json:"id"`
	Epoch    int64     `json:"epoch"`
	Nonce    string    `json:"nonce"`
	Made     time.Time `json:"made"`
	Rows     Object    `json:"rows"`
	Segments []Object  `json:"segments"`
}

// An Object is one of them.
type Object struct {
	Name   string `json:"name,omitempty"` // of a segment
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// What a shared index may be. The sizes of segments are those that their offsets can name.
const (
	manifestForm = 1
	maxManifest  = 4 << 20
	maxSegments  = 10_000
	maxSegment   = 1 << 33
	maxRows      = 1 << 33
	maxShared    = 1 << 38
)

// manifestKey names the manifest: indexes of other formats are beside it, so that a team may
// update the program one by one.
func manifestKey() string { return "index-" + strconv.Itoa(Format) + ".json" }

func (o Object) key() string { return "objects/" + o.SHA256[:2] + "/" + o.SHA256 }

func (o Object) valid(limit int64) bool {
	return o.Size >= 0 && o.Size <= limit && len(o.SHA256) == 64 && strings.Trim(o.SHA256, "0123456789abcdef") == ""
}

// parseManifest reads a manifest and holds it to what it may say.
func parseManifest(text []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrManifest, err)
	}
	bad := func(what string, args ...any) (*Manifest, error) {
		return nil, fmt.Errorf("%w: %s", ErrManifest, fmt.Sprintf(what, args...))
	}
	id, err := hex.DecodeString(m.ID)
	switch {
	case m.Assay != manifestForm || m.Format != Format:
		return bad("it is of form %d and format %d", m.Assay, m.Format)
	case err != nil || len(id) != 16:
		return bad("its id")
	case !m.Rows.valid(maxRows) || m.Rows.Name != "":
		return bad("its rows")
	case len(m.Segments) > maxSegments:
		return bad("it has %d segments", len(m.Segments))
	}
	total, seen := m.Rows.Size, map[string]bool{}
	for _, s := range m.Segments {
		if !ourName(s.Name) || seen[s.Name] || !s.valid(maxSegment) {
			return bad("the segment %.80q", s.Name)
		}
		seen[s.Name] = true
		if total += s.Size; total > maxShared {
			return bad("it is larger than 256 GiB")
		}
	}
	return m, nil
}

// read returns the manifest of a shared index and its version; nil where there is none.
func readManifest(ctx context.Context, from Objects) (*Manifest, string, error) {
	var text bytes.Buffer
	version, err := from.Get(ctx, manifestKey(), maxManifest, &text)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	m, err := parseManifest(text.Bytes())
	return m, version, err
}

// A Moved says what a push sent or a pull received.
type Moved struct {
	Epoch      int64
	Segments   int   // of the index
	Bytes      int64 // of the index
	Sent       int   // objects that were missing
	SentBytes  int64
	Same       bool // both sides had it already
	Unguarded  bool // the store cannot tell whether somebody pushed meanwhile
	FromBefore time.Time
}

// Push shares the last committed state of x.
func (x *Index) Push(ctx context.Context, to Objects, now time.Time, progress func(stage string, done, total int64)) (*Moved, error) {
	old, version, err := readManifest(ctx, to)
	// One that is damaged is replaced. Who may not list a bucket is refused what is not there; what is
	// there is not replaced without its version.
	unseen := errors.Is(err, fs.ErrPermission)
	if err != nil && !errors.Is(err, ErrManifest) && !unseen {
		return nil, err
	}
	e, err := x.export(ctx, x.root)
	if err != nil {
		return nil, err
	}
	defer e.close()
	m := e.manifest
	m.Made = now.UTC().Truncate(time.Second)
	out := &Moved{Epoch: m.Epoch, Segments: len(m.Segments), Bytes: m.total()}
	if old != nil && old.equal(m) {
		out.Same, out.FromBefore = true, old.Made
	}
	for i, o := range append([]Object{m.Rows}, m.Segments...) {
		progress("sending", int64(i), int64(1+len(m.Segments)))
		// Also where the manifest is the same: what it names may have been removed.
		there, err := to.Has(ctx, o.key(), o.Size)
		if err != nil {
			return nil, err
		}
		if there {
			continue
		}
		if err := to.Put(ctx, o.key(), e.files[i], o.Size, o.sum()); err != nil {
			return nil, err
		}
		out.Sent, out.SentBytes = out.Sent+1, out.SentBytes+o.Size
	}
	if out.Same {
		return out, nil
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	held, err := to.Replace(ctx, manifestKey(), text, sha256.Sum256(text), version, unseen)
	out.Unguarded = !held
	return out, err
}

func (o Object) sum() (sum [32]byte) {
	_, _ = hex.Decode(sum[:], []byte(o.SHA256)) // it was made of one
	return sum
}

func (m *Manifest) total() int64 {
	n := m.Rows.Size
	for _, s := range m.Segments {
		n += s.Size
	}
	return n
}

// equal reports whether two manifests name the same index.
func (m *Manifest) equal(n *Manifest) bool {
	return m.ID == n.ID && m.Rows == n.Rows && slices.Equal(m.Segments, n.Segments)
}

// An export is a committed state, held open.
type export struct {
	manifest *Manifest
	files    []*os.File // of the rows, then of each segment
	drop     func()
}

func (e *export) close() {
	for _, f := range e.files {
		f.Close()
	}
	if e.drop != nil {
		e.drop()
	}
}

// export opens everything of the last committed state. A segment can be merged away between the
// row and the open; then the rows of now name others. The rows are written into a folder.
func (x *Index) export(ctx context.Context, into *safe.Root) (e *export, err error) {
	for range 20 {
		e, err = x.exportOnce(ctx, into)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return e, err
		}
	}
	return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
}

func (x *Index) exportOnce(ctx context.Context, into *safe.Root) (_ *export, err error) {
	e := &export{}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	name := file.TemporaryName()
	rows, err := into.Update(name, 0o600)
	if err != nil {
		return nil, err
	}
	e.files, e.drop = append(e.files, rows), func() { _ = into.Remove(name) } // the folder is tidied of what is left
	st, segs, err := x.writeRows(ctx, rows)
	if err != nil {
		return nil, err
	}
	m := &Manifest{Assay: manifestForm, Format: Format, ID: hex.EncodeToString(x.id[:]), Epoch: st.Epoch, Nonce: strconv.FormatInt(st.Nonce, 16)}
	e.manifest = m
	if m.Rows, err = summed(ctx, rows, ""); err != nil {
		return nil, err
	}
	for _, r := range segs {
		f, err := x.segs.Open(r.name)
		if err != nil {
			return nil, err
		}
		e.files = append(e.files, f)
		o, err := summed(ctx, f, r.name)
		if err != nil {
			return nil, err
		}
		if o.Size != r.bytes {
			return nil, fmt.Errorf("%w %s: it has %d bytes in place of %d", ErrDamaged, r.name, o.Size, r.bytes)
		}
		if _, err := x.framed(f, r, x.id); err != nil {
			return nil, err
		}
		m.Segments = append(m.Segments, o)
	}
	return e, nil
}

// summed describes the content of a file.
func summed(ctx context.Context, f *os.File, name string) (Object, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Object{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(sum, file.Until(ctx, f))
	return Object{Name: name, Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// framed checks that a file is the segment of a row, as far as its frame says, and returns how
// large it is.
func (x *Index) framed(f *os.File, r segRow, id [16]byte) (int64, error) {
	data, unmap, err := file.MapFile(f)
	if err != nil {
		return 0, err
	}
	defer unmap()
	var s *Segment
	var openErr error
	if err := safely(func() { s, openErr = openSegment(r.name, data, id) }); err != nil {
		return 0, err
	}
	if openErr != nil {
		return 0, openErr
	}
	if s.size != r.bytes || s.sum != r.sum || r.kind == kindWords && !r.fits(s) {
		return 0, fmt.Errorf("%w %s: not the one that was committed", ErrDamaged, r.name)
	}
	return s.size, nil
}
