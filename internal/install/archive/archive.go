// Package archive writes files into one file and reads them again: a zip file that begins
// with the content and ends with a list of it, each file with its size and checksum, and
// with the checksum of the list.
//
// What Open returns is whole as far as lists can say, names only what lies below the
// folder that it is unpacked into, and gives no byte more than the list says. What Verify
// accepts is, to the byte, what was added. An archive may be signed: who holds the key made
// its list, and so all that Verify accepts.
package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/file"
)

// What an archive may hold.
const (
	maxFiles = 2_000_000
	maxList  = 1 << 29 // bytes of the list
	maxTotal = 1 << 40 // bytes of all files
	maxPath  = 4096
	maxHead  = 1 << 20 // bytes of the list that are of no file
	maxRow   = 1 << 10 // bytes of it that a file and a part take, without the file's name

	listName = "assay.json"
	current  = 1 // the form of the list
	comment  = "assay sha256:"

	signature = " ed25519:" // then the public key, a colon and the signature
)

// ErrDamaged says that a file is no archive of ours, or not as it was written.
var ErrDamaged = errors.New("it is damaged, cut off, or no archive of this program")

// ErrSigner says that an archive is not signed, or not by the key that was asked for.
var ErrSigner = errors.New("it is not signed by the key that was named")

// ErrNewer says that a newer version wrote an archive.
var ErrNewer = errors.New("a newer version of this program wrote it")

// A List is what an archive says of itself.
type List struct {
	Format  int       `json:"format"`
	Made    time.Time `json:"made"`
	Program string    `json:"program"` // the version that made it
	Secrets bool      `json:"secrets"` // they were asked for
	Parts   []Part    `json:"parts"`
	Files   []File    `json:"files"`
}

// A Part is what has a place of its own.
type Part struct {
	Name string `json:"name"` // the first component of the paths of its files
	Kind string `json:"kind"`
	From string `json:"from"` // where it was, for people
}

// A File is a file in an archive. A part that is one file has it by its own name.
type File struct {
	Path   string      `json:"path"`
	Size   int64       `json:"size"`
	Mode   fs.FileMode `json:"mode"` // permissions
	SHA256 string      `json:"sha256"`
}

// Of says whether f is of the part of that name, and its path there, "" for the part
// itself.
func (f File) Of(part string) (rel string, ok bool) {
	if f.Path == part {
		return "", true
	}
	return strings.CutPrefix(f.Path, part+"/")
}

// A Writer writes an archive.
type Writer struct {
	zip  *zip.Writer
	list List
	key  ed25519.PrivateKey
}

// NewWriter begins an archive. l has no files yet.
func NewWriter(w io.Writer, l List) *Writer {
	l.Format, l.Files = current, []File{}
	return &Writer{zip: zip.NewWriter(w), list: l}
}

// Add puts a file into the archive. What r gives is what is kept, and what is summed.
func (w *Writer) Add(ctx context.Context, name string, mode fs.FileMode, r io.Reader) (File, error) {
	if err := Valid(name); err != nil {
		return File{}, err
	}
	to, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, sum), file.Until(ctx, r))
	if err != nil {
		return File{}, err
	}
	f := File{Path: name, Size: n, Mode: mode.Perm(), SHA256: hex.EncodeToString(sum.Sum(nil))}
	w.list.Files = append(w.list.Files, f)
	return f, nil
}

// Part adds a part to the list.
func (w *Writer) Part(p Part) { w.list.Parts = append(w.list.Parts, p) }

// Sign has Close sign the archive.
func (w *Writer) Sign(key ed25519.PrivateKey) { w.key = key }

// signed is what is signed of a list: its checksum, said to be one of a list.
func signed(sum string) []byte { return []byte("assay archive list\n" + sum) }

// Close ends the archive.
func (w *Writer) Close() error {
	text, err := json.Marshal(w.list)
	if err != nil {
		return err
	}
	to, err := w.zip.CreateHeader(&zip.FileHeader{Name: listName, Method: zip.Deflate})
	if err == nil {
		_, err = to.Write(text)
	}
	sum := sha256.Sum256(text)
	says := hex.EncodeToString(sum[:])
	if w.key != nil {
		public, _ := w.key.Public().(ed25519.PublicKey)
		says += signature + hex.EncodeToString(public) + ":" + hex.EncodeToString(ed25519.Sign(w.key, signed(says)))
	}
	if err == nil {
		err = w.zip.SetComment(comment + says)
	}
	return errors.Join(err, w.zip.Close())
}

// A Reader reads an archive.
type Reader struct {
	List
	Signer  ed25519.PublicKey // whose signature it bears, which is good; nil: nobody's
	entries []*zip.File       // of Files, in their order
}

// Open reads the list of an archive and checks it against what is there.
func Open(f *os.File) (*Reader, error) { return open(f, &Reader{}) }

func open(f *os.File, r *Reader) (*Reader, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: not a file", ErrDamaged)
	}
	d := &directory{from: f, left: maxFiles + maxTail, list: true}
	z, err := zip.NewReader(d, st.Size())
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	d.list = false
	if err := r.read(z); err != nil {
		return nil, err
	}
	return r, r.check()
}

// A directory counts the entries of the list of a zip file while it is read, and ends it where they are more than an
// archive may have: in memory each takes several times its size.
type directory struct {
	from io.ReaderAt
	left int // entries; the end of the file is looked at before, and may have maxTail of them
	list bool
}

const maxTail = 1 << 12

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	n, err := d.from.ReadAt(p, at)
	if d.list {
		if d.left -= bytes.Count(p[:n], []byte("PK\x01\x02")); d.left < 0 {
			return 0, fmt.Errorf("it has more than %d files", maxFiles)
		}
	}
	return n, err
}

// OpenSigned is Open of an archive that key has signed, and ErrSigner of another: of that nothing
// but the directory of the zip file and the signature has been read.
func OpenSigned(f *os.File, key ed25519.PublicKey) (*Reader, error) {
	return open(f, &Reader{Signer: key})
}

// read reads the list, which is the last entry.
func (r *Reader) read(z *zip.Reader) error {
	n := len(z.File) - 1
	want, ok := strings.CutPrefix(z.Comment, comment)
	if n < 0 || n > maxFiles || !ok || z.File[n].Name != listName || z.File[n].UncompressedSize64 > maxList {
		return fmt.Errorf("%w: it has no list", ErrDamaged)
	}
	want, err := r.signer(want)
	if err != nil {
		return err
	}
	// A few kilobytes can be unpacked to as many megabytes: what so many files have to say is bounded.
	need := uint64(maxHead)
	for _, f := range z.File[:n] {
		need += uint64(6*len(f.Name)) + maxRow // an escaped byte of a name has six
	}
	if z.File[n].UncompressedSize64 > need {
		return fmt.Errorf("%w: its list is too long for its files", ErrDamaged)
	}
	text, err := content(z.File[n], int64(z.File[n].UncompressedSize64)) //nolint:gosec // bounded above
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != want {
		return fmt.Errorf("%w: the checksum of its list", ErrDamaged)
	}
	// What a newer version lists is not read as this one would.
	var form struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &form); err != nil {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if form.Format > current {
		return ErrNewer
	}
	if err := json.Unmarshal(text, &r.List); err != nil {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if r.Format != current || len(r.Files) != n {
		return fmt.Errorf("%w: its list is not of its files", ErrDamaged)
	}
	r.entries = z.File[:n]
	return nil
}

// signer takes a signature off the checksum of the list, if there is one. A reader that was
// given a key takes no other.
func (r *Reader) signer(says string) (sum string, err error) {
	sum, rest, found := strings.Cut(says, signature)
	if !found {
		if r.Signer != nil {
			return "", fmt.Errorf("%w: it bears no signature", ErrSigner)
		}
		return sum, nil
	}
	one, two, _ := strings.Cut(rest, ":")
	key, err1 := hex.DecodeString(one)
	sig, err2 := hex.DecodeString(two)
	switch {
	case err1 != nil || err2 != nil || len(key) != ed25519.PublicKeySize:
		return "", fmt.Errorf("%w: its signature", ErrDamaged)
	case r.Signer != nil && !r.Signer.Equal(ed25519.PublicKey(key)):
		return "", fmt.Errorf("%w: it is signed by ed25519:%x", ErrSigner, key)
	case !ed25519.Verify(key, signed(sum), sig):
		return "", fmt.Errorf("%w: its signature is not of its list", ErrSigner)
	}
	r.Signer = key
	return sum, nil
}

// check holds the list to what it may say.
func (r *Reader) check() error {
	parts, total := map[string]bool{}, int64(0)
	for _, p := range r.Parts {
		if Valid(p.Name) != nil || strings.Contains(p.Name, "/") || parts[p.Name] {
			return fmt.Errorf("%w: the part %.80q", ErrDamaged, p.Name)
		}
		parts[p.Name] = true
	}
	seen := make(map[string]bool, len(r.Files))
	for i, f := range r.Files {
		if err := Valid(f.Path); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		part, _, _ := strings.Cut(f.Path, "/")
		switch e := r.entries[i]; {
		case !parts[part], seen[f.Path], e.Name != f.Path, !e.Mode().IsRegular(), f.Size < 0, e.UncompressedSize64 != uint64(f.Size):
			return fmt.Errorf("%w: %.200q is not what its list says", ErrDamaged, f.Path)
		case f.Size > maxTotal-total:
			return fmt.Errorf("%w: it would unpack to more than 1 TiB", ErrDamaged)
		}
		seen[f.Path] = true
		total += f.Size
	}
	for _, f := range r.Files { // nothing is both a file and a folder
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			if seen[dir] {
				return fmt.Errorf("%w: %.200q is a file and a folder", ErrDamaged, dir)
			}
		}
	}
	return nil
}

// Valid returns nil for the path of a file that may be in an archive: relative,
// slash-separated, without ".." and without what some system would read otherwise.
func Valid(name string) error {
	if len(name) > maxPath || !fs.ValidPath(name) || name == "." || name == listName || !utf8.ValidString(name) || !filepath.IsLocal(filepath.FromSlash(name)) ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '\\' || r == ':' || r == 0x7f }) {
		return fmt.Errorf("%.200q cannot be the name of a file on every system", name)
	}
	return nil
}

// Copy writes the file at Files[i] to w. An error may come after some of it was written.
func (r *Reader) Copy(ctx context.Context, i int, w io.Writer) error {
	f := r.Files[i]
	from, err := r.entries[i].Open()
	if err != nil {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	defer from.Close()
	sum := sha256.New()
	to := &writer{w: io.MultiWriter(w, sum)}
	n, err := io.Copy(to, io.LimitReader(file.Until(ctx, from), f.Size+1))
	switch {
	case to.err != nil:
		return to.err
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%w: %.200q: %v", ErrDamaged, f.Path, err)
	case n != f.Size || hex.EncodeToString(sum.Sum(nil)) != f.SHA256:
		return fmt.Errorf("%w: the checksum of %.200q", ErrDamaged, f.Path)
	}
	return nil
}

// Verify reads every file and compares its checksum.
func (r *Reader) Verify(ctx context.Context, progress func(done, total int64)) error {
	for i := range r.Files {
		progress(int64(i), int64(len(r.Files)))
		if err := r.Copy(ctx, i, io.Discard); err != nil {
			return err
		}
	}
	return nil
}

func content(f *zip.File, size int64) ([]byte, error) {
	from, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	defer from.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.LimitReader(from, size+1)); err != nil || int64(b.Len()) != size {
		return nil, fmt.Errorf("%w: its list cannot be read", ErrDamaged)
	}
	return b.Bytes(), nil
}

// A writer remembers that it was the disk that failed.
type writer struct {
	w   io.Writer
	err error
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.err = err
	return n, err
}
