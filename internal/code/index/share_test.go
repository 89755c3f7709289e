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
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// A pail is Objects in memory, which breaks off where a test says.
type pail struct {
	objects map[string][]byte
	left    int // calls until it fails; negative: never
	puts    []string
}

var errShelf = errors.New("the network is gone")

func (s *pail) call() error {
	if s.left == 0 {
		return errShelf
	}
	s.left--
	return nil
}

func version(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func (s *pail) Get(_ context.Context, key string, limit int64, w io.Writer) (string, error) {
	if err := s.call(); err != nil {
		return "", err
	}
	data, ok := s.objects[key]
	if !ok {
		return "", fs.ErrNotExist
	}
	if int64(len(data)) > limit {
		return "", errors.New("too large")
	}
	_, err := w.Write(data)
	return version(data), err
}

func (s *pail) Has(_ context.Context, key string, size int64) (bool, error) {
	data, ok := s.objects[key]
	return ok && int64(len(data)) == size, s.call()
}

func (s *pail) Put(_ context.Context, key string, body io.ReaderAt, size int64, sum [32]byte) error {
	if err := s.call(); err != nil {
		return err
	}
	data := make([]byte, size)
	if _, err := body.ReadAt(data, 0); err != nil && err != io.EOF {
		return err
	}
	if sha256.Sum256(data) != sum {
		return errors.New("another content")
	}
	s.objects[key] = data
	s.puts = append(s.puts, key)
	return nil
}

func (s *pail) Replace(_ context.Context, key string, body []byte, _ [32]byte, was string, _ bool) (bool, error) {
	if err := s.call(); err != nil {
		return true, err
	}
	if data, ok := s.objects[key]; ok && version(data) != was || !ok && was != "" {
		return true, errors.New("changed")
	}
	s.objects[key] = body
	return true, nil
}

func quietly(string, int64, int64) {}

func openAt(t *testing.T, dir string) *Index {
	t.Helper()
	x, err := Open(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// fill publishes documents, each in a folder of its own, and that others are gone.
func fill(t *testing.T, x *Index, all []*Doc, dead ...uint32) {
	t.Helper()
	w, err := x.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	b := NewBuilder()
	batch := Batch{Dead: dead, Dirs: map[string]Dir{}}
	for _, id := range dead {
		batch.Dirs[fmt.Sprint("d", id)] = Dir{}
	}
	for _, d := range all {
		d.Path = fmt.Sprintf("d%d/file.go", d.ID)
		d.Hash = corpus.Hash(sumOf(d.Text))
		b.Add(d)
		batch.NextDoc = max(batch.NextDoc, d.ID+1)
		batch.Contents = append(batch.Contents, Content{Hash: d.Hash, Chunks: []byte("chunks")})
		batch.Dirs[fmt.Sprint("d", d.ID)] = Dir{Seen: 1, Entries: AppendEntry(nil, &Entry{Name: "file.go", Size: int64(len(d.Text)), Doc: d.ID, Hash: d.Hash})}
	}
	built, err := x.Build(b)
	if err == nil {
		batch.Segments = []*Built{built}
		err = w.Publish(t.Context(), batch)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func sumOf(b []byte) []byte { s := sha256.Sum256(b); return s[:16] }

// said is what an index answers, and what a check of all of it finds.
func said(t *testing.T, x *Index) string {
	t.Helper()
	p, err := x.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Lexical(t.Context(), []corpus.Term{{Text: "wa", Weight: 1}, {Text: "wk", Weight: .5}}, 100_000, 1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := x.Manifest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	problems, err := x.Problems(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, c := range got {
		fmt.Fprintf(&all, "%+v\n", c)
	}
	for _, d := range slices.Sorted(maps.Keys(dirs)) {
		fmt.Fprintf(&all, "%s %v\n", d, dirs[d])
	}
	return fmt.Sprintf("%d answers, %d folders, %s of epoch %d.%d; problems %v", len(got), len(dirs), version([]byte(all.String()))[:12], p.Epoch, p.Nonce, problems)
}

// What was pushed is what is pulled: from nothing, from an earlier state, and over an index of
// one's own. Only what is new is sent and received.
func TestShare(t *testing.T) {
	ctx, at := t.Context(), &pail{objects: map[string][]byte{}, left: -1}
	x, y, z := openAt(t, t.TempDir()), openAt(t, t.TempDir()), openAt(t, t.TempDir())
	if _, err := y.Pull(ctx, at, quietly); !errors.Is(err, ErrNotShared) {
		t.Fatalf("nothing is shared, and it says %v", err)
	}
	fill(t, x, docs(1, 1, 40))
	fill(t, z, docs(9, 1, 30))
	now := time.Unix(1e9, 0)
	if m, err := x.Push(ctx, at, now, quietly); err != nil || m.Sent != 2 || m.Same {
		t.Fatalf("%+v, %v", m, err)
	}
	if m, err := x.Push(ctx, at, now, quietly); err != nil || m.Sent != 0 || !m.Same {
		t.Errorf("pushed again it is %+v, %v", m, err)
	}
	want := said(t, x)
	for name, other := range map[string]*Index{"empty": y, "of one's own": z} {
		if m, err := other.Pull(ctx, at, quietly); err != nil || m.Sent != 2 || !m.FromBefore.Equal(now) {
			t.Fatalf("%s: %+v, %v", name, m, err)
		}
		if got := said(t, other); got != want {
			t.Errorf("%s: pulled it says\n%s\nwant\n%s", name, got, want)
		}
		if b, err := other.Content(ctx, corpus.Hash(sumOf(docs(1, 1, 40)[0].Text))); string(b) != "chunks" || err != nil {
			t.Errorf("%s: what was kept of a text is %q, %v", name, b, err)
		}
	}
	fill(t, y, docs(3, 60, 5), 1, 2) // the reader goes on by itself, and so does the writer
	fill(t, x, docs(2, 41, 20), 3, 4, 5)
	at.puts = nil
	if m, err := x.Push(ctx, at, now, quietly); err != nil || m.Sent != 2 || m.Segments != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := y.Pull(ctx, at, quietly); err != nil || m.Sent != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	want = said(t, x)
	if got := said(t, y); got != want {
		t.Errorf("pulled again it says\n%s\nwant\n%s", got, want)
	}
	if m, err := y.Pull(ctx, at, quietly); err != nil || !m.Same || m.Sent != 0 {
		t.Errorf("pulled a third time: %+v, %v", m, err)
	}
	fill(t, y, docs(4, 100, 5)) // it can be written as any
	if got := said(t, y); !strings.HasSuffix(got, " []") {
		t.Errorf("written to, it has problems: %s", got)
	}
	for _, dir := range []*Index{x, y, z} {
		if left, _ := filepath.Glob(filepath.Join(dir.dir, "*", ".assay-tmp*")); len(left) > 0 {
			t.Errorf("%q are left", left)
		}
	}
}

// Whichever call to a bucket is the last, what is here answers as before or as what was shared,
// a second try succeeds, and what is there can be pulled.
func TestShareBreaksOff(t *testing.T) {
	ctx := t.Context()
	x := openAt(t, t.TempDir())
	fill(t, x, docs(1, 1, 20))
	fill(t, x, docs(2, 21, 20))
	want := said(t, x)
	for n := range 12 {
		at := &pail{objects: map[string][]byte{}, left: n}
		_, err := x.Push(ctx, at, time.Unix(1e9, 0), quietly)
		if broke := errors.Is(err, errShelf); broke != (n < 8) || broke && at.objects[manifestKey()] != nil {
			t.Fatalf("after %d calls: %v, with %d objects", n, err, len(at.objects))
		}
		at.left = -1
		if _, err := x.Push(ctx, at, time.Unix(1e9, 0), quietly); err != nil {
			t.Fatal(err)
		}
		y := openAt(t, t.TempDir())
		fill(t, y, docs(7, 1, 10))
		before := said(t, y)
		at.left = n
		_, err = y.Pull(ctx, at, quietly)
		if broke := errors.Is(err, errShelf); broke != (n < 4) {
			t.Fatalf("a pull after %d calls: %v", n, err)
		} else if got := said(t, y); broke && got != before {
			t.Errorf("a pull that broke off after %d calls changed what is here:\n%s", n, got)
		}
		at.left = -1
		if _, err := y.Pull(ctx, at, quietly); err != nil {
			t.Fatal(err)
		}
		if got := said(t, y); got != want {
			t.Errorf("after %d calls, pulled again it says\n%s", n, got)
		}
	}
}

// What somebody else may put into a bucket is refused, and nothing is written outside of the
// index, nor into it.
func TestShareHostile(t *testing.T) {
	ctx, at := t.Context(), &pail{objects: map[string][]byte{}, left: -1}
	x := openAt(t, t.TempDir())
	fill(t, x, docs(1, 1, 20))
	if _, err := x.Push(ctx, at, time.Unix(1e9, 0), quietly); err != nil {
		t.Fatal(err)
	}
	var good Manifest
	if err := json.Unmarshal(at.objects[manifestKey()], &good); err != nil {
		t.Fatal(err)
	}
	put := func(o map[string][]byte, data []byte, name string) Object {
		sum := sha256.Sum256(data)
		out := Object{Name: name, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
		o[out.key()] = data
		return out
	}
	rows := at.objects[good.Rows.key()]
	segment := at.objects[good.Segments[0].key()]
	home := filepath.Join(t.TempDir(), "index")
	y := openAt(t, home)
	fill(t, y, docs(5, 1, 10))
	before := said(t, y)
	for name, change := range map[string]func(m *Manifest, o map[string][]byte){
		"path":           func(m *Manifest, _ map[string][]byte) { m.Segments[0].Name = "../../x.bm" },
		"no name":        func(m *Manifest, _ map[string][]byte) { m.Segments[0].Name = "" },
		"absolute":       func(m *Manifest, _ map[string][]byte) { m.Segments[0].Name = "/etc/passwd" },
		"the database":   func(m *Manifest, _ map[string][]byte) { m.Segments[0].Name = "../index.db" },
		"twice":          func(m *Manifest, _ map[string][]byte) { m.Segments = append(m.Segments, m.Segments[0]) },
		"negative":       func(m *Manifest, _ map[string][]byte) { m.Segments[0].Size = -1 },
		"huge":           func(m *Manifest, _ map[string][]byte) { m.Segments[0].Size = 1 << 40 },
		"a key":          func(m *Manifest, _ map[string][]byte) { m.Segments[0].SHA256 = strings.Repeat("../", 21) + "x" },
		"short hash":     func(m *Manifest, _ map[string][]byte) { m.Rows.SHA256 = "ab" },
		"another format": func(m *Manifest, _ map[string][]byte) { m.Format++ },
		"another id":     func(m *Manifest, _ map[string][]byte) { m.ID = strings.Repeat("0", 32) },
		"another epoch":  func(m *Manifest, _ map[string][]byte) { m.Epoch++ },
		"size":           func(m *Manifest, _ map[string][]byte) { m.Segments[0].Size-- },
		"gone":           func(m *Manifest, o map[string][]byte) { delete(o, m.Segments[0].key()) },
		"content":        func(m *Manifest, o map[string][]byte) { o[m.Segments[0].key()] = make([]byte, len(segment)) },
		"rows cut":       func(m *Manifest, o map[string][]byte) { m.Rows = put(o, rows[:len(rows)/2], "") },
		"rows and more":  func(m *Manifest, o map[string][]byte) { m.Rows = put(o, append(slices.Clone(rows), 1), "") },
		"no rows":        func(m *Manifest, o map[string][]byte) { m.Rows = put(o, []byte{0}, "") },
		"a huge column":  func(m *Manifest, o map[string][]byte) { m.Rows = put(o, []byte{2, 'b', 0xff, 0xff, 0xff, 0x7f, 1}, "") },
		"another table":  func(m *Manifest, o map[string][]byte) { m.Rows = put(o, []byte{9, 'i', 0}, "") },
		"a row missing":  func(m *Manifest, o map[string][]byte) { m.Rows = put(o, rows[:len(rows)-1], "") },
		"fewer segments": func(m *Manifest, _ map[string][]byte) { m.Segments = nil },
		"a bad segment": func(m *Manifest, o map[string][]byte) {
			m.Segments[0] = put(o, segment[:len(segment)-9], m.Segments[0].Name)
		},
		"a flipped frame": func(m *Manifest, o map[string][]byte) {
			m.Segments[0] = put(o, flipped(segment, 8), m.Segments[0].Name)
		},
	} {
		m, o := good, maps.Clone(at.objects)
		m.Segments = slices.Clone(good.Segments)
		change(&m, o)
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		o[manifestKey()] = text
		if _, err := y.Pull(ctx, &pail{objects: o, left: -1}, quietly); !errors.Is(err, ErrManifest) && (err == nil || err.Error() != "too large") {
			t.Errorf("%s: %v", name, err)
		}
		if got := said(t, y); got != before {
			t.Fatalf("%s: the index has changed:\n%s", name, got)
		}
		for _, n := range m.Segments { // what was received and is of no use is collected as any
			if ourName(n.Name) {
				_ = os.Remove(filepath.Join(home, "seg", n.Name))
			}
		}
	}
	for _, text := range []string{"", "null", "{}", "[]", `{"assay":1}`, strings.Repeat("[", 1<<20)} {
		if _, err := y.Pull(ctx, &pail{objects: map[string][]byte{manifestKey(): []byte(text)}, left: -1}, quietly); !errors.Is(err, ErrManifest) {
			t.Errorf("%.20q is a manifest: %v", text, err)
		}
	}
	if list, err := os.ReadDir(filepath.Dir(home)); len(list) != 1 || err != nil {
		t.Errorf("beside the index is %v, %v", list, err)
	}
}

func flipped(data []byte, at int) []byte {
	out := slices.Clone(data)
	out[at] ^= 1
	return out
}

// Whatever the bytes of rows are, reading them ends, and takes no more memory than they have.
func FuzzShareRows(f *testing.F) {
	f.Add([]byte{1, 'i', 2, 's', 1, 'x', 0})
	f.Add([]byte{5, 'b', 0x80, 0x80, 0x80, 0x80, 1, 0})
	x, err := Open(context.Background(), f.TempDir(), false)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { x.Close() })
	f.Fuzz(func(t *testing.T, data []byte) {
		tx, err := x.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		if err := readRows(t.Context(), tx, bytes.NewReader(data)); err != nil && !errors.Is(err, ErrManifest) {
			t.Error(err)
		}
	})
}
