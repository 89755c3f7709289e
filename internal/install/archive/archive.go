// Package archive writes files into one file and reads them again: a zip file that begins
// with the content and ends with a list of it, each file with its size and checksum, and
// with the checksum of the list.
//
// Open checks the list against the entries of the zip file: every path is below the folder that the archive is unpacked
// into, and no file has more bytes than the list says. Verify reads every file and compares its checksum. An archive may be
// signed: the signature covers the list, and with its checksums every file.
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
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/work"
)

// The limits of an archive.
const (
	maxFiles = 2_000_000
	maxList  = 1 << 29 // bytes of the list
	maxTotal = 1 << 40 // bytes of all files
	maxPath  = 4096
	maxHead  = 1 << 20 // bytes of the list besides its files
	maxRow   = 1 << 10 // bytes that a file and a part add to the list, without the file's name

	listName      = "assay.json"
	currentFormat = 1 // the format of the list
	comment       = "assay sha256:"

	signature = " ed25519:" // followed by the public key, a colon and the signature
)

// ErrDamaged says that a file is not an archive of this program, or was changed since it was written.
var ErrDamaged = errors.New("the file is damaged, incomplete or not an archive of this program")

// ErrSigner says that an archive is not signed, or not with the required key.
var ErrSigner = errors.New("the archive is not signed with the given key")

// ErrNewer says that a newer version wrote an archive.
var ErrNewer = errors.New("a newer version of this program wrote the archive")

// A List is the table of contents of an archive.
type List struct {
	Format  int       `json:"format"`
	Made    time.Time `json:"made"`
	Program string    `json:"program"` // the version that made it
	Secrets bool      `json:"secrets"` // secrets were included on request
	Parts   []Part    `json:"parts"`
	Files   []File    `json:"files"`
}

// A Part is a file or folder that is restored to a place of its own.
type Part struct {
	Name string `json:"name"` // the first component of the paths of its files
	Kind string `json:"kind"`
	From string `json:"from"` // where it was, for people
}

// A File is a file in an archive. If a part is a single file, the path of that file is the name of the part.
type File struct {
	Path   string      `json:"path"`
	Size   int64       `json:"size"`
	Mode   fs.FileMode `json:"mode"` // permissions
	SHA256 string      `json:"sha256"`
}

// PathIn reports whether f belongs to a part, and returns its path below that part, or "" if f is the part itself.
func (f File) PathIn(part string) (rel string, ok bool) {
	if f.Path == part {
		return "", true
	}
	return strings.CutPrefix(f.Path, part+"/")
}

// IsIn reports whether an open file has the content of f.
func (f File) IsIn(ctx context.Context, there *os.File) (bool, error) {
	st, err := there.Stat()
	if err != nil || st.Size() != f.Size {
		return false, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, there); err != nil {
		return false, err
	}
	return hex.EncodeToString(sum.Sum(nil)) == f.SHA256, ctx.Err()
}

// A Writer writes an archive.
type Writer struct {
	zip  *zip.Writer
	list List
	key  ed25519.PrivateKey
}

// NewWriter begins an archive. l has no files yet.
func NewWriter(w io.Writer, l List) *Writer {
	l.Format, l.Files = currentFormat, []File{}
	return &Writer{zip: zip.NewWriter(w), list: l}
}

// Add adds a file with the content of r to the archive.
func (w *Writer) Add(ctx context.Context, name string, mode fs.FileMode, r io.Reader) (File, error) {
	if err := CheckPath(name); err != nil {
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

// AddPart adds a part to the list.
func (w *Writer) AddPart(p Part) { w.list.Parts = append(w.list.Parts, p) }

// Sign sets the key that Close signs the archive with.
func (w *Writer) Sign(key ed25519.PrivateKey) { w.key = key }

// signedText returns the text that is signed: the checksum of the list, with a prefix so that the signature fits no other use.
func signedText(sum string) []byte { return []byte("assay archive list\n" + sum) }

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
	signedSum := hex.EncodeToString(sum[:])
	if w.key != nil {
		public, _ := w.key.Public().(ed25519.PublicKey)
		signedSum += signature + hex.EncodeToString(public) + ":" + hex.EncodeToString(ed25519.Sign(w.key, signedText(signedSum)))
	}
	if err == nil {
		err = w.zip.SetComment(comment + signedSum)
	}
	return errors.Join(err, w.zip.Close())
}

// Settle ends the archive, which is in the file out, and returns its size when it is on the disk.
func (w *Writer) Settle(out *os.File) (size int64, err error) {
	if err := w.Close(); err != nil {
		return 0, err
	}
	st, err := out.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), file.Settled(out, int(st.Size()))
}

// A Reader reads an archive.
type Reader struct {
	List
	Signer  ed25519.PublicKey // the key of its valid signature; nil: not signed
	entries []*zip.File       // of Files, in their order
}

// Open reads the list of an archive and checks it against the entries.
func Open(f *os.File) (*Reader, error) { return openArchive(f, &Reader{}) }

func openArchive(f *os.File, r *Reader) (*Reader, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: it is not a regular file", ErrDamaged)
	}
	d := &entryCounter{from: f, left: maxFiles + maxTail, list: true}
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

// An entryCounter counts the entries of a zip file while they are read, and stops reading when there are more than an
// archive may have, because each takes several times its size in memory.
type entryCounter struct {
	from io.ReaderAt
	left int // entries that may still follow; includes maxTail for the end of the file, which is read first
	list bool
}

const maxTail = 1 << 12

func (d *entryCounter) ReadAt(p []byte, at int64) (int, error) {
	n, err := d.from.ReadAt(p, at)
	if d.list {
		if d.left -= bytes.Count(p[:n], []byte("PK\x01\x02")); d.left < 0 {
			return 0, fmt.Errorf("the archive has more than %d files", maxFiles)
		}
	}
	return n, err
}

// OpenSigned opens an archive that must be signed with key. It returns ErrSigner for any other archive, after reading only
// the zip directory and the signature.
func OpenSigned(f *os.File, key ed25519.PublicKey) (*Reader, error) {
	return openArchive(f, &Reader{Signer: key})
}

// read reads the list, which is the last entry.
func (r *Reader) read(z *zip.Reader) error {
	n := len(z.File) - 1
	want, ok := strings.CutPrefix(z.Comment, comment)
	if n < 0 || n > maxFiles || !ok {
		return fmt.Errorf("%w: its list of files is missing", ErrDamaged)
	}
	if z.File[n].Name != listName || z.File[n].UncompressedSize64 > maxList {
		return fmt.Errorf("%w: its list of files is missing", ErrDamaged)
	}
	want, err := r.checkSignature(want)
	if err != nil {
		return err
	}
	// Bound the list by the number of its files, because a few compressed kilobytes can expand to as many megabytes.
	need := uint64(maxHead)
	for _, f := range z.File[:n] {
		need += uint64(6*len(f.Name)) + maxRow // an escaped byte of a name takes six bytes
	}
	if z.File[n].UncompressedSize64 > need {
		return fmt.Errorf("%w: its list is too long for its number of files", ErrDamaged)
	}
	text, err := readEntry(z.File[n], int64(z.File[n].UncompressedSize64)) //nolint:gosec // bounded above
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != want {
		return fmt.Errorf("%w: the checksum of its list is wrong", ErrDamaged)
	}
	// Check the format first, because a newer version may write other types.
	var form struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &form); err != nil {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if form.Format > currentFormat {
		return ErrNewer
	}
	if err := json.Unmarshal(text, &r.List); err != nil {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if r.Format != currentFormat || len(r.Files) != n {
		return fmt.Errorf("%w: its list does not match its files", ErrDamaged)
	}
	r.entries = z.File[:n]
	return nil
}

// checkSignature splits the checksum of the list from its signature, and verifies the signature if there is one. If
// r.Signer is set, the signature must be of that key.
func (r *Reader) checkSignature(says string) (sum string, err error) {
	sum, rest, found := strings.Cut(says, signature)
	if !found {
		if r.Signer != nil {
			return "", fmt.Errorf("%w: it has no signature", ErrSigner)
		}
		return sum, nil
	}
	one, two, _ := strings.Cut(rest, ":")
	key, err1 := hex.DecodeString(one)
	sig, err2 := hex.DecodeString(two)
	switch {
	case err1 != nil || err2 != nil || len(key) != ed25519.PublicKeySize:
		return "", fmt.Errorf("%w: its signature is malformed", ErrDamaged)
	case r.Signer != nil && !r.Signer.Equal(ed25519.PublicKey(key)):
		return "", fmt.Errorf("%w: it is signed with ed25519:%x", ErrSigner, key)
	case !ed25519.Verify(key, signedText(sum), sig):
		return "", fmt.Errorf("%w: its signature does not match its list", ErrSigner)
	}
	r.Signer = key
	return sum, nil
}

// check validates the list against the entries and the limits.
func (r *Reader) check() error {
	parts, total := map[string]bool{}, int64(0)
	for _, p := range r.Parts {
		if CheckPath(p.Name) != nil || strings.Contains(p.Name, "/") || parts[p.Name] {
			return fmt.Errorf("%w: invalid part %.80q", ErrDamaged, p.Name)
		}
		parts[p.Name] = true
	}
	seen := make(map[string]bool, len(r.Files))
	for i, f := range r.Files {
		if err := CheckPath(f.Path); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		part, _, _ := strings.Cut(f.Path, "/")
		switch e := r.entries[i]; {
		case !parts[part], seen[f.Path], e.Name != f.Path, !e.Mode().IsRegular(), f.Size < 0, e.UncompressedSize64 != uint64(f.Size):
			return fmt.Errorf("%w: the entry %.200q does not match the list", ErrDamaged, f.Path)
		case f.Size > maxTotal-total:
			return fmt.Errorf("%w: it would unpack to more than 1 TiB", ErrDamaged)
		}
		seen[f.Path] = true
		total += f.Size
	}
	for _, f := range r.Files { // no path may be both a file and a folder
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			if seen[dir] {
				return fmt.Errorf("%w: %.200q is both a file and a folder", ErrDamaged, dir)
			}
		}
	}
	return nil
}

// CheckPath returns an error for a path that must not be in an archive. A valid path is relative and slash-separated, without
// ".." and without characters that some system reads in another way.
func CheckPath(name string) error {
	reserved := name == "." || name == listName
	isPath := len(name) <= maxPath && fs.ValidPath(name) && utf8.ValidString(name) && filepath.IsLocal(filepath.FromSlash(name))
	if reserved || !isPath || strings.ContainsFunc(name, isUnportable) {
		return fmt.Errorf("%.200q cannot be the name of a file on every system", name)
	}
	return nil
}

func isUnportable(r rune) bool { return r < ' ' || r == '\\' || r == ':' || r == 0x7f }

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
		return fmt.Errorf("%w: the checksum of %.200q is wrong", ErrDamaged, f.Path)
	}
	return nil
}

// Extract writes the file at Files[i] to a new file and syncs it to the disk. It has at least the permissions perm, and
// nobody but its owner can write it.
func (r *Reader) Extract(ctx context.Context, i int, root *safe.Root, rel string, perm fs.FileMode) error {
	to, err := root.Create(rel, r.Files[i].Mode.Perm()&0o755|perm)
	if err != nil {
		return err
	}
	defer to.Close()
	if err := r.Copy(ctx, i, to); err != nil {
		return err
	}
	return file.Settled(to, int(r.Files[i].Size))
}

// Verify reads every file and compares its checksum.
func (r *Reader) Verify(ctx context.Context) error {
	for i := range r.Files {
		work.FromContext(ctx).Progress("Checking", int64(i), int64(len(r.Files)))
		if err := r.Copy(ctx, i, io.Discard); err != nil {
			return err
		}
	}
	return nil
}

func readEntry(f *zip.File, size int64) ([]byte, error) {
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

// A writer remembers the error of w, so that a full disk is not reported as a damaged archive.
type writer struct {
	w   io.Writer
	err error
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.err = err
	return n, err
}
