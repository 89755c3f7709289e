package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/store"
)

func segFiles(t testing.TB, x *Index) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(x.dir, "seg"))
	must(t, err)
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func segNames(p *Snapshot) (out []string) {
	for i, s := range p.segs {
		out = append(out, s.Name)
		if v := p.vecs[i]; v != nil {
			out = append(out, v.Name)
		}
	}
	slices.Sort(out)
	return out
}

// Collect removes what no row names once it is old, and nothing else.
func TestCollect(t *testing.T) {
	ctx := context.Background()
	m := newMaker(61)
	x, w := open(t)
	now := time.Now()
	for i := range 9 {
		publish(t, w, m.docs(uint32(1+5*i), 5, 3))
	}
	p := snapshot(t, x)
	must(t, w.PutVectors(ctx, p, 0, "model", 4, make([][]float32, p.segs[0].Chunks)))
	publish(t, w, nil, 1, 6, 11)
	orphan, err := x.Build(func() *Builder { b := NewBuilder(); b.Add(m.doc(99, 3)); return b }())
	must(t, err)
	before := segFiles(t, x)
	must(t, w.Collect(ctx, now))
	if got := segFiles(t, x); !slices.Equal(got, before) {
		t.Errorf("Collect removed files that are new: %q of %q", got, before)
	}
	later := now.Add(2 * collectAge)
	must(t, w.Collect(ctx, later))
	names := segNames(snapshot(t, x))
	if got := segFiles(t, x); !slices.Equal(got, names) || slices.Contains(got, orphan.name) {
		t.Errorf("files %q are left, want the named %q", got, names)
	}
	// A reader of the state before keeps what it has.
	old := snapshot(t, x)
	want := dump(t, old)
	must(t, w.Merge(ctx, 1<<30))
	must(t, w.Collect(ctx, later))
	names = segNames(snapshot(t, x))
	if got := segFiles(t, x); !slices.Equal(got, names) || len(got) > 3 {
		t.Errorf("after a merge files %q are left, want %q", got, names)
	}
	if old.Segments() < 9 {
		t.Fatalf("%d segments before the merge", old.Segments())
	}
	sameDump(t, "a snapshot whose files are gone", dump(t, old), want)
}

// While a reader keeps the log from being written into the database, nothing is
// removed: a power loss could bring back the rows that name it.
func TestCollectWaitsForCheckpoint(t *testing.T) {
	ctx := context.Background()
	m := newMaker(62)
	x, w := open(t)
	publish(t, w, m.docs(1, 5, 3))
	tx, err := x.db.BeginTx(ctx, nil) // holds the state of now
	must(t, err)
	must(t, tx.Rollback())
	ro, err := store.OpenReadOnly(ctx, filepath.Join(x.dir, database), schema())
	must(t, err)
	defer ro.Close()
	read, err := ro.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	must(t, err)
	defer read.Rollback()
	var n int
	must(t, read.QueryRow("SELECT count(*) FROM seg").Scan(&n))
	publish(t, w, m.docs(6, 5, 3))
	must(t, w.Clear(ctx))
	before := segFiles(t, x)
	must(t, w.Collect(ctx, time.Now().Add(time.Hour)))
	if got := segFiles(t, x); !slices.Equal(got, before) {
		t.Errorf("%q are left of %q while the log is not in the database", got, before)
	}
	must(t, read.Rollback())
	must(t, w.Collect(ctx, time.Now().Add(time.Hour)))
	if got := segFiles(t, x); len(got) != 0 {
		t.Errorf("%q are left after Clear", got)
	}
}

// A batch that could not be committed can be published again, as it is.
func TestPublishAgain(t *testing.T) {
	m := newMaker(63)
	x, w := open(t)
	docs := m.docs(1, 10, 3)
	batch := batchOf(t, w, docs)
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for range 3 {
		if err := w.Publish(stopped, batch); !errors.Is(err, context.Canceled) {
			t.Fatalf("Publish = %v after it was cancelled", err)
		}
	}
	if p := snapshot(t, x); p.Segments() != 0 || p.Epoch != 0 {
		t.Errorf("%d segments in epoch %d of a batch that failed", p.Segments(), p.Epoch)
	}
	must(t, w.Publish(context.Background(), batch))
	p := snapshot(t, x)
	if p.chunks != int64(p.segs[0].Chunks) || p.next != 1+p.chunks {
		t.Errorf("%d chunks, next %d; want %d", p.chunks, p.next, p.segs[0].Chunks)
	}
}

// A segment that was collected before it was named is not named.
func TestPublishOfCollected(t *testing.T) {
	ctx := context.Background()
	m := newMaker(64)
	x, w := open(t)
	batch := batchOf(t, w, m.docs(1, 5, 3))
	must(t, w.Collect(ctx, time.Now().Add(time.Hour)))
	if err := w.Publish(ctx, batch); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Publish of a file that is gone = %v, want fs.ErrNotExist", err)
	}
	for i := range 3 {
		publish(t, w, m.docs(uint32(10+10*i), 10, 3), uint32(10+10*i))
	}
	p := snapshot(t, x)
	mg, built, err := x.prepareMerge(p, p.segs)
	must(t, err)
	must(t, w.Collect(ctx, time.Now().Add(time.Hour)))
	if err := w.publishMerge(ctx, mg, built); !errors.Is(err, errSuperseded) {
		t.Errorf("a merge whose file is gone = %v, want errSuperseded", err)
	}
	if p := snapshot(t, x); p.Damaged() || p.Segments() != 3 {
		t.Errorf("damaged %v, %d segments; want the three as they were", p.Damaged(), p.Segments())
	}
}

func TestLock(t *testing.T) {
	ctx := context.Background()
	x, w := open(t)
	if _, err := x.TryLock(); !errors.Is(err, file.ErrLocked) {
		t.Errorf("Lock = %v while there is a writer, want file.ErrLocked", err)
	}
	// A merge that finds the lock taken drops its work.
	for i := range 8 {
		publish(t, w, newMaker(65).docs(uint32(1+5*i), 5, 2))
	}
	must(t, x.Merge(ctx, 1<<30))
	if n := snapshot(t, x).Segments(); n != 8 {
		t.Errorf("%d segments after a merge without the lock", n)
	}
	w.Close()
	must(t, x.Merge(ctx, 1<<30))
	if n := snapshot(t, x).Segments(); n != 1 {
		t.Errorf("%d segments after the merge", n)
	}
	w, err := x.TryLock()
	must(t, err)
	w.Close()
	if _, err := Memory([16]byte{}).TryLock(); err == nil {
		t.Error("an index in memory has a writer")
	}
}

func TestContents(t *testing.T) {
	ctx := context.Background()
	x, w := open(t)
	put := func(hash byte, chunks string) {
		b := batchOf(t, w, []*Doc{newMaker(int64(hash)).doc(uint32(hash), 1)})
		b.Contents = []Content{{Hash: [16]byte{hash}, Chunks: []byte(chunks)}}
		must(t, w.Publish(ctx, b))
	}
	want := func(hash byte, chunks string) {
		t.Helper()
		if got, err := x.Content(ctx, [16]byte{hash}); err != nil || string(got) != chunks {
			t.Errorf("the content of %d is %q, %v; want %q", hash, got, err, chunks)
		}
	}
	put(1, "one")
	put(2, "two")
	put(1, "newer")
	want(1, "newer")
	want(2, "two")
	want(3, "")
	before := snapshot(t, x)
	must(t, w.Clear(ctx))
	want(1, "")
	if p := snapshot(t, x); p.Segments() != 0 || p.Epoch <= before.Epoch || p.NextDoc != before.NextDoc {
		t.Errorf("after Clear: %d segments, state %+v after %+v", p.Segments(), p.State, before.State)
	}
	if got, err := Memory([16]byte{}).Content(ctx, [16]byte{1}); got != nil || err != nil {
		t.Errorf("a content in memory: %q, %v", got, err)
	}
}

// A change of the manifest alone is no change of the answers.
func TestQuietChange(t *testing.T) {
	ctx := context.Background()
	x, w := open(t)
	publish(t, w, newMaker(66).docs(1, 3, 2))
	before := snapshot(t, x)
	must(t, w.Publish(ctx, Batch{Dirs: map[string]Dir{"a": {Seen: 5, Entries: AppendEntry(nil, &Entry{Name: "x"})}}}))
	if p := snapshot(t, x); p != before {
		t.Errorf("state %+v after %+v", p.State, before.State)
	}
	dirs, err := x.Manifest(ctx)
	must(t, err)
	if len(dirs) != 1 || dirs["a"].Seen != 5 {
		t.Errorf("manifest %v", dirs)
	}
	must(t, w.Publish(ctx, Batch{Dirs: map[string]Dir{"a": {}}}))
	if dirs, _ = x.Manifest(ctx); len(dirs) != 0 {
		t.Errorf("manifest %v, want none after its folder went", dirs)
	}
	if dirs, err := Memory([16]byte{}).Manifest(ctx); err != nil || len(dirs) != 0 {
		t.Errorf("a manifest in memory: %v, %v", dirs, err)
	}
}

func TestOpenReadOnly(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	if _, err := Open(ctx, dir, true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of nothing = %v, want fs.ErrNotExist", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("opening for reading made %v", entries)
	}
	docs := newMaker(67).docs(1, 10, 3)
	x, err := Open(ctx, dir, false)
	must(t, err)
	w, err := x.TryLock()
	must(t, err)
	publish(t, w, docs)
	want := dump(t, snapshot(t, x))
	id := x.ID()
	w.Close()
	must(t, x.Close())
	ro, err := Open(ctx, dir, true)
	must(t, err)
	defer ro.Close()
	sameDump(t, "read-only", dump(t, snapshot(t, ro)), want)
	if _, err := ro.TryLock(); err == nil || !ro.ReadOnly() || ro.ID() != id {
		t.Errorf("Lock = %v, ReadOnly() = %v, ID %x, want %x", err, ro.ReadOnly(), ro.ID(), id)
	}
	b, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if err != nil || string(b) != "*\n" {
		t.Errorf(".gitignore is %q, %v", b, err)
	}
}

// One that was killed before it had an id is finished by the next writer.
func TestOpenUnfinished(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	folders := Index{dir: dir}
	must(t, folders.folders(false))
	folders.leave()
	db, err := store.Open(ctx, filepath.Join(dir, database), schema())
	must(t, err)
	db.Close()
	if _, err := Open(ctx, dir, true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open for reading = %v, want fs.ErrNotExist", err)
	}
	x, err := Open(ctx, dir, false)
	must(t, err)
	defer x.Close()
	if x.ID() == ([16]byte{}) || x.Moved() != "" {
		t.Errorf("id %x, moved %q", x.ID(), x.Moved())
	}
}

// A database whose meta row is not ours is rebuilt from scratch; its segments are nobody's.
func TestForeignMeta(t *testing.T) {
	ctx := context.Background()
	for name, change := range map[string]string{
		"other format": "UPDATE meta SET format = format + 1",
		"id":           "UPDATE meta SET id = x'00'",
		"type of id":   "UPDATE meta SET id = 7.5",
		"type of form": "UPDATE meta SET format = 'one'",
	} {
		dir := t.TempDir()
		x, err := Open(ctx, dir, false)
		must(t, err)
		w, err := x.TryLock()
		must(t, err)
		publish(t, w, newMaker(68).docs(1, 5, 2))
		if _, err := x.db.Exec(change); err != nil {
			t.Fatal(err)
		}
		w.Close()
		must(t, x.Close())
		other, want := strings.HasPrefix(name, "other"), store.ErrDamaged
		if other {
			want = store.ErrOther
		}
		if x, err := Open(ctx, dir, true); !errors.Is(err, want) {
			t.Errorf("%s: Open for reading = %v, %v; want %v", name, x, err, want)
		}
		x, err = Open(ctx, dir, false)
		must(t, err)
		if p := snapshot(t, x); x.Moved() == "" || x.Other() != other || p.Segments() != 0 || p.Damaged() {
			t.Errorf("%s: moved %q, of another version %v, %d segments", name, x.Moved(), x.Other(), p.Segments())
		}
		x.Close()
	}
}

// Rows of segments may say anything.
func TestHostileRows(t *testing.T) {
	ctx := context.Background()
	m := newMaker(69)
	for name, change := range map[string]string{
		"escape":          "UPDATE seg SET name = '../index.db'",
		"parent":          "UPDATE seg SET name = '..'",
		"here":            "UPDATE seg SET name = '.'",
		"nothing":         "UPDATE seg SET name = ''",
		"zero byte":       "UPDATE seg SET name = 'a' || char(0)",
		"length":          "UPDATE seg SET bytes = -1",
		"sum":             "UPDATE seg SET sum = 0",
		"sum too large":   "UPDATE seg SET sum = 1 << 40",
		"backwards":       "UPDATE seg SET lo = 9223372036854775807, hi = -9223372036854775808, words = -9223372036854775808",
		"far":             "UPDATE seg SET lo = -9223372036854775808, hi = 9223372036854775807, words = 9223372036854775807",
		"text for number": "UPDATE seg SET lo = 'x'",
		"dead":            "UPDATE seg SET dead = zeroblob(1000000)",
		"odd dead":        "UPDATE seg SET dead = x'ffffffffffffffffff'",
		"all dead":        "UPDATE seg SET dead = x'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'",
		"words as vec":    "UPDATE seg SET kind = 'vec', of = name",
		"other kind":      "UPDATE seg SET kind = 'x'",
		"vectors of none": "INSERT INTO seg SELECT 'v', 'vec', name, bytes, sum, lo, hi, docs, words, dead, 0 FROM seg",
		"state":           "UPDATE meta SET next_doc = -5, next_chunk = -1, epoch = -1",
	} {
		t.Run(name, func(t *testing.T) {
			x, w := open(t)
			publish(t, w, m.docs(1, 20, 3))
			if _, err := x.db.Exec(change + "; UPDATE meta SET nonce = 1"); err != nil {
				t.Fatal(err)
			}
			resealRows(t, x)
			p, err := x.Snapshot(ctx)
			if err != nil {
				if !errors.Is(err, store.ErrDamaged) {
					t.Errorf("Snapshot = %v, want store.ErrDamaged", err)
				}
				return
			}
			if len(p.segs) > 0 {
				if err := interrogate(p); !onlyDamage(err) {
					t.Error(err)
				}
			}
			if err := w.Repair(ctx); err != nil {
				t.Errorf("Repair = %v", err)
			}
			must(t, w.Merge(ctx, 1<<30))
			publish(t, w, []*Doc{m.doc(100, 3)}, 1, 2)
			if p := snapshot(t, x); p.Damaged() {
				t.Errorf("still damaged after Repair: %v", p.damaged)
			}
		})
	}
}

// resealRows puts right the checksums of rows that somebody changed, as far as they can
// be read.
func resealRows(t testing.TB, x *Index) {
	t.Helper()
	ctx := context.Background()
	var st State
	var id []byte
	if x.db.QueryRow("SELECT id, epoch, nonce, embedder, next_doc, next_chunk FROM meta").Scan(&id, &st.Epoch, &st.Nonce, &st.Embedder, &st.NextDoc, &st.next) != nil {
		return
	}
	update := map[string]int64{}
	_, err := readTable(ctx, x.db, selectSegs, func(rows *sql.Rows) (r segRow, key string, have, want int64, err error) {
		var dead []byte
		if err = rows.Scan(&r.name, &r.kind, &r.of, &r.bytes, &r.sum, &r.lo, &r.hi, &r.docs, &r.words, &dead, &have); err == nil {
			r.dead = decodeBits(dead)
			update[r.name] = r.seal()
		}
		return r, "", 0, 0, err
	})
	must(t, err)
	for name, sum := range update {
		_, err := x.db.Exec("UPDATE seg SET row_sum = ? WHERE name = ?", sum, name)
		must(t, err)
		st.segSum.add(sum)
	}
	dirs, err := readDirs(ctx, x.db)
	must(t, err)
	_, err = x.db.Exec("UPDATE meta SET seg_sum = ?, dir_sum = ?, row_sum = ?", int64(st.segSum), int64(dirs.set), func() int64 { st.dirSum = dirs.set; return st.sum(id) }())
	must(t, err)
}

// A row leads to no file outside the index's own folder, sound as that may be.
func TestRowsStayInside(t *testing.T) {
	x, w := open(t)
	publish(t, w, newMaker(73).docs(1, 5, 2))
	name := snapshot(t, x).segs[0].Name
	must(t, os.Rename(filepath.Join(x.dir, "seg", name), filepath.Join(x.dir, name)))
	if _, err := x.db.Exec("UPDATE seg SET name = '../' || name; UPDATE meta SET nonce = 1"); err != nil {
		t.Fatal(err)
	}
	resealRows(t, x)
	if p := snapshot(t, x); !p.Damaged() || p.Segments() != 0 {
		t.Errorf("a row that leads out of the index is followed: %d segments", p.Segments())
	}
}

// A shortage is no damage: nothing is given up for it.
func TestLost(t *testing.T) {
	for err, want := range map[error]bool{
		ErrDamaged: true, fs.ErrNotExist: true, fmt.Errorf("map: not a file"): true,
		fs.ErrPermission: false, syscall.EMFILE: false, syscall.ENFILE: false, syscall.ENOMEM: false,
		&fs.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}: false,
	} {
		if got := lost(err); got != want {
			t.Errorf("lost(%v) = %v, want %v", err, got, want)
		}
	}
}

// An index that was deleted and rebuilt by another process is not written to
// under its old name.
func TestReplaced(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	x, err := Open(ctx, dir, false)
	must(t, err)
	defer x.Close()
	w, err := x.TryLock()
	must(t, err)
	publish(t, w, newMaker(70).docs(1, 5, 2))
	batch := batchOf(t, w, newMaker(71).docs(6, 5, 2))
	w.Close()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(filepath.Join(dir, database+suffix))
	}
	other, err := Open(ctx, dir, false)
	must(t, err)
	defer other.Close()
	// All connections of x so far lead to the old file; new ones do not.
	conn, err := x.db.Conn(ctx)
	must(t, err)
	defer conn.Close()
	must(t, conn.PingContext(ctx))
	var held []interface{ Close() error }
	for range 2 {
		c, err := x.db.Conn(ctx)
		must(t, err)
		held = append(held, c)
	}
	w, err = x.TryLock()
	must(t, err)
	defer w.Close()
	if err := w.Publish(ctx, batch); !errors.Is(err, ErrReplaced) {
		t.Errorf("Publish = %v, want ErrReplaced", err)
	}
	if _, err := x.Snapshot(ctx); !errors.Is(err, ErrReplaced) {
		t.Errorf("Snapshot = %v, want ErrReplaced", err)
	}
	for _, c := range held {
		c.Close()
	}
	if p := snapshot(t, other); p.Segments() != 0 || p.Epoch != 0 {
		t.Errorf("the new index has %d segments in epoch %d", p.Segments(), p.Epoch)
	}
}

// Damage of the database that shows only in use is found by Rescue.
func TestRescue(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	x, err := Open(ctx, dir, false)
	must(t, err)
	w, err := x.TryLock()
	must(t, err)
	docs := newMaker(72).docs(1, 20, 2)
	b := batchOf(t, w, docs)
	b.Dirs = treeOf(1, docs)
	for i := range 500 {
		b.Dirs[fmt.Sprint(i)] = Dir{Entries: AppendEntry(nil, &Entry{Name: strings.Repeat("x", 200)})}
	}
	must(t, w.Publish(ctx, b))
	must(t, x.Check(ctx))
	w.Close()
	must(t, x.Close())
	if moved, err := Rescue(ctx, dir); moved != "" || err != nil {
		t.Errorf("Rescue of a sound index = %q, %v", moved, err)
	}
	path := filepath.Join(dir, database)
	data, err := os.ReadFile(path)
	must(t, err)
	for i := len(data) / 2; i < len(data)/2+3*4096; i++ {
		data[i] = 0xee
	}
	must(t, os.WriteFile(path, data, 0o600))
	x, err = Open(ctx, dir, false)
	must(t, err)
	if _, err := x.Manifest(ctx); x.Moved() == "" && !errors.Is(err, store.ErrDamaged) {
		t.Errorf("Manifest = %v, want store.ErrDamaged", err)
	}
	if err := x.Check(ctx); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("Check = %v, want store.ErrDamaged", err)
	}
	must(t, x.Close())
	if moved, err := Rescue(ctx, dir); moved == "" || err != nil {
		t.Errorf("Rescue = %q, %v; want the database moved", moved, err)
	}
	x, err = Open(ctx, dir, false)
	must(t, err)
	defer x.Close()
	if dirs, err := x.Manifest(ctx); err != nil || len(dirs) != 0 {
		t.Errorf("manifest of %d folders, %v, in a new index", len(dirs), err)
	}
}

// Who looks while another process commits must get a state and the folders of that
// state: a document that the folders have and the state lacks is found by nobody.
func TestCurrentIsOfOneState(t *testing.T) {
	ctx := t.Context()
	x, w := open(t)
	reader, err := Open(ctx, x.dir, true)
	must(t, err)
	defer reader.Close()
	m := newMaker(68)
	const commits = 150
	done := make(chan error, 1)
	go func() {
		var err error
		for i := 1; i <= commits && err == nil; i++ {
			b := batchOf(t, w, m.docs(uint32(i), 1, 1))
			b.Dirs = map[string]Dir{"a": {Seen: 1, Entries: AppendEntry(nil, &Entry{Name: "x", Doc: uint32(i)})}}
			err = w.Publish(ctx, b)
		}
		done <- err
		close(done)
	}()
	defer func() { <-done }()
	for {
		p, dirs, err := reader.Current(ctx)
		must(t, err)
		have := readEntries(dirs["a"].Entries)
		var newest uint32
		must(t, p.Docs(func(d DocInfo) bool { newest = max(newest, d.ID); return true }))
		if len(have) > 0 && have[0].Doc != newest {
			t.Fatalf("the folders have document %d, the state has %d", have[0].Doc, newest)
		}
		select {
		case err := <-done:
			must(t, err)
			return
		default:
		}
	}
}
