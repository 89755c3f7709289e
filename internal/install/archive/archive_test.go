package archive

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var files = map[string]string{"notes/a.md": "alpha\n", "notes/sub/b.md": strings.Repeat("beta gamma ", 400), "settings": ""}

func made(t testing.TB, keys ...ed25519.PrivateKey) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, List{Made: time.Unix(1, 0).UTC(), Program: "v1"})
	for _, key := range keys {
		w.Sign(key)
	}
	w.AddPart(Part{Name: "notes", Kind: "folder", From: "/n"})
	w.AddPart(Part{Name: "settings", Kind: "file"})
	for _, name := range []string{"notes/a.md", "notes/sub/b.md", "settings"} {
		if _, err := w.Add(t.Context(), name, 0o644, strings.NewReader(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read returns what an archive holds, once all of it is verified.
func read(t testing.TB, data []byte) (map[string]string, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := Open(f)
	if err != nil {
		return nil, err
	}
	if err := r.Verify(t.Context()); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for i, x := range r.Files {
		var b bytes.Buffer
		if err := r.Copy(t.Context(), i, &b); err != nil {
			return nil, err
		}
		out[x.Path] = b.String()
	}
	return out, nil
}

// What was added is what is read, to the byte.
func TestRead(t *testing.T) {
	got, err := read(t, made(t))
	if d := cmp.Diff(files, got); d != "" || err != nil {
		t.Fatalf("%v\n%s", err, d)
	}
}

// However short an archive is cut, it is refused: what is read is everything.
func TestTorn(t *testing.T) {
	whole := made(t)
	for n := range whole {
		if got, err := read(t, whole[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("the first %d of %d bytes are %v, %v", n, len(whole), got, err)
		}
	}
}

// Whatever byte of an archive is changed, it is refused or says what it said.
func TestFlipped(t *testing.T) {
	whole, refused := made(t), 0
	for i := range whole {
		other := bytes.Clone(whole)
		other[i] ^= 1 << rand.N(8) //nolint:gosec // a test
		got, err := read(t, other)
		if err != nil {
			refused++
		} else if d := cmp.Diff(files, got); d != "" {
			t.Fatalf("with byte %d changed it says something else:\n%s", i, d)
		}
	}
	if refused < len(whole)/2 {
		t.Errorf("%d of %d changes are refused", refused, len(whole))
	}
}

// What is signed is read by who trusts the key, and by no other; whatever byte of it is changed, it is
// refused or says what it said.
func TestSigned(t *testing.T) {
	public, key, _ := ed25519.GenerateKey(nil)
	other, _, _ := ed25519.GenerateKey(nil)
	whole := made(t, key)
	name := filepath.Join(t.TempDir(), "a")
	open := func(data []byte, key ed25519.PublicKey) error {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := OpenSigned(f, key)
		if err == nil {
			err = r.Verify(t.Context())
		}
		return err
	}
	if err := open(whole, public); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t, whole); err != nil || len(got) != len(files) {
		t.Errorf("who asks for no key reads %v, %v", got, err)
	}
	for what, err := range map[string]error{"another key": open(whole, other), "no signature": open(made(t), public),
		"another's signature": open(bytes.Replace(whole, []byte(hex.EncodeToString(public)), []byte(hex.EncodeToString(other)), 1), other)} {
		if !errors.Is(err, ErrSigner) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 1 << rand.N(8) //nolint:gosec // a test
		if open(changed, public) == nil {
			if got, err := read(t, changed); err != nil || cmp.Diff(files, got) != "" {
				t.Fatalf("with byte %d changed it is accepted, and says %v, %v", i, got, err)
			}
		}
	}
}

// An entry is what somebody else may put into an archive.
type entry struct {
	name, text string
	mode       fs.FileMode
	says       int64 // the size in the list; 0: that of text
}

// forged makes an archive whose list and whose checksums agree with whatever is in it.
func forged(t testing.TB, format int, entries []entry, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	l := List{Format: format, Files: []File{}}
	for _, p := range parts {
		l.Parts = append(l.Parts, Part{Name: p, Kind: "folder"})
	}
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(e.text))
		f := File{Path: e.name, Size: int64(len(e.text)), SHA256: hex.EncodeToString(sum[:])}
		if e.says != 0 {
			f.Size = e.says
		}
		l.Files = append(l.Files, f)
	}
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	w, err := z.Create(listName)
	if err == nil {
		_, err = w.Write(text)
	}
	sum := sha256.Sum256(text)
	if err := errors.Join(err, z.SetComment(comment+hex.EncodeToString(sum[:])), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What could be written elsewhere, or be more than it says, is refused before any of it is
// read.
func TestHostile(t *testing.T) {
	if _, err := read(t, forged(t, currentFormat, []entry{{name: "p/fine", text: "x"}}, "p")); err != nil {
		t.Fatal(err)
	}
	for name, entries := range map[string][]entry{
		"above":     {{name: "p/../../x"}},
		"absolute":  {{name: "/etc/x"}},
		"dot":       {{name: "p/./x"}},
		"drive":     {{name: "p/C:x"}},
		"backslash": {{name: `p/..\x`}},
		"control":   {{name: "p/a\x1b[2J"}},
		"no part":   {{name: "q/x"}},
		"a link":    {{name: "p/x", text: "/etc/passwd", mode: fs.ModeSymlink | 0o777}},
		"a device":  {{name: "p/x", mode: fs.ModeDevice | 0o600}},
		"twice":     {{name: "p/x", text: "1"}, {name: "p/x", text: "2"}},
		"in a file": {{name: "p/x", text: "1"}, {name: "p/x/y", text: "2"}},
		"more":      {{name: "p/x", text: strings.Repeat("0", 1<<20), says: 10}},
		"negative":  {{name: "p/x", text: "1", says: -1}},
		"the list":  {{name: listName, text: "{}"}},
		"long":      {{name: "p/" + strings.Repeat("x", maxPath), text: "1"}},
	} {
		if got, err := read(t, forged(t, currentFormat, entries, "p")); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, part := range []string{"..", "a/b", "", "."} {
		if _, err := read(t, forged(t, currentFormat, nil, part)); !errors.Is(err, ErrDamaged) {
			t.Errorf("the part %q: %v", part, err)
		}
	}
	if _, err := read(t, forged(t, currentFormat+1, nil)); !errors.Is(err, ErrNewer) {
		t.Errorf("of a newer version: %v", err)
	}
}

// A list is not unpacked that is longer than the files of its archive have any need of, and a directory is not read
// that has more of them than an archive may.
func TestBombs(t *testing.T) {
	long := forged(t, currentFormat, []entry{{name: "p/x", text: "1"}}, "p", strings.Repeat("p", 2<<20))
	if got, err := read(t, long); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "list is too long") {
		t.Errorf("a long list: %v, %v", got, err)
	}
	many := []entry{}
	for i := range 20 {
		many = append(many, entry{name: fmt.Sprint("p/", i, strings.Repeat("x", maxPath-10)), text: "1"})
	}
	data := forged(t, currentFormat, many, "p")
	if got, err := read(t, data); err != nil || len(got) != 20 {
		t.Errorf("long names: %d, %v", len(got), err)
	}
	many = many[:0]
	for i := range 500 {
		many = append(many, entry{name: fmt.Sprint("p/", i), text: "1"})
	}
	data = forged(t, currentFormat, many, "p")
	for left, good := range map[int]bool{600: true, 400: false} { // some are counted twice: at the end of the file
		_, err := zip.NewReader(&entryCounter{from: bytes.NewReader(data), left: left, list: true}, int64(len(data)))
		if (err == nil) != good {
			t.Errorf("a directory of 501 where %d are let: %v", left, err)
		}
	}
}

// Whatever an archive is, what is accepted names only what lies below a folder.
func FuzzOpen(f *testing.F) {
	f.Add(made(f))
	f.Add(forged(f, currentFormat, []entry{{name: "p/x", text: "1"}}, "p"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := read(t, data)
		for name := range got {
			if err == nil && !filepath.IsLocal(filepath.FromSlash(name)) {
				t.Fatalf("%q is accepted", name)
			}
		}
	})
}
