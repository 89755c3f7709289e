package code_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"github.com/assay-dev/assay/internal/base/testaid"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A model embeds a text as the letters that its words begin with: enough for chunks to
// be near each other, and to be so in one way only.
type model struct{ twist int }

func (model) Name() string { return "letters/16" }
func (model) Dims() int    { return 16 }

func (m model) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = make([]float32, 16)
		m.Vector(out[i], []byte(t))
	}
	return out, nil
}

func (m model) Vector(dst []float32, text []byte) {
	clear(dst)
	for _, w := range strings.Fields(string(text)) {
		dst[(int(w[0])+m.twist)%16]++
	}
	var sum float32
	for _, x := range dst {
		sum += x
	}
	for i := range dst {
		dst[i] /= max(sum, 1)
	}
}

var _ embed.Local = model{}

// A project is a tree of files and what is asked about it.
type project struct {
	t     testing.TB
	root  string
	now   time.Time
	model model
}

func newProject(t testing.TB) *project {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	must(t, os.WriteFile(filepath.Join(root, ".git", "HEAD"), []byte("x"), 0o644))
	return &project{t: t, root: root, now: time.Now().Add(time.Hour)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.root, name)
	must(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(p.t, os.WriteFile(path, []byte(text), 0o644))
}

// fill writes files of every kind that the index treats in its own way.
func (p *project) fill() {
	for i := range 24 {
		p.write(fmt.Sprintf("pkg%d/file%d.go", i%4, i), fmt.Sprintf(
			"package pkg%d\n\n// Open%d opens the reader of value %d.\nfunc Open%d(name string) error { return readValue%d(name) }\n\nfunc readValue%d(name string) error {\n\treturn Open%d(name)\n}\n",
			i%4, i, i, i, i, i, (i+1)%24))
	}
	p.write("README.md", "# A project\n\nIt opens values and reads names.\n\n## Usage\n\nopen the value of a name\n")
	p.write("twin/a.txt", "the same words in two files\n")
	p.write("twin/b.txt", "the same words in two files\n")
	p.write("data.bin", "\x00\x01\x02")
	p.write("empty.go", "")
}

func (p *project) feature() *code.Feature {
	f := code.New(workspace.New(workspace.Config{WorkDir: p.root, Now: func() time.Time { return p.now }, Embedder: func(string) (embed.Provider, error) { return p.model, nil }}), code.Config{})
	return f
}

// index runs the command, and returns what it says and its verdict.
func (p *project) index(in code.IndexInput) (*code.IndexReport, error) {
	f := p.feature()
	defer f.Close()
	r, err := f.Index(context.Background(), in)
	if err == nil {
		err = r.Verdict()
	}
	return r, err
}

// queries are asked of every index.
func queries() []code.SearchInput {
	return []code.SearchInput{
		{Query: "open the value", TopK: 50, Explain: true},
		{Query: "Open7", TopK: 10, Explain: true},
		{Query: "readValue3", Lexical: true, TopK: 10, Explain: true},
		{Query: "the same words", TopK: 1, Lexical: true, Explain: true},
		{Query: "reader of a name", Semantic: true, TopK: 30, Explain: true},
		{Query: "usage", TopK: 10, Explain: true},
		{Query: `readValue1\d`, Regex: true},
		{Query: `nothing like it`, Regex: true},
	}
}

// answers returns what the project's index answers to all queries, but for what names
// the state of the index.
func (p *project) answers() (string, error) {
	f := p.feature()
	defer f.Close()
	var b strings.Builder
	for _, in := range queries() {
		a, err := f.Search(context.Background(), in)
		if err != nil {
			return "", fmt.Errorf("%s: %w", in.Query, err)
		}
		a.Pagination.Cursor = ""
		for i := range a.Hits {
			a.Hits[i].Epoch = 0
		}
		a.Notes, a.Unwritten = nil, "" // an answer without the index says so
		raw, err := json.Marshal(a)
		if err != nil {
			return "", err
		}
		b.WriteString(strings.ReplaceAll(string(raw), p.root, "ROOT"))
		b.WriteByte('\n')
	}
	a, err := f.Similar(context.Background(), code.SimilarInput{At: filepath.Join(p.root, "pkg1", "file5.go") + ":4"})
	if err == nil {
		for _, h := range a.Hits {
			fmt.Fprintln(&b, strings.TrimPrefix(h.Path, p.root), h.Span, h.Score)
		}
	}
	return b.String(), nil
}

// fresh returns what an index answers that is built from the files as they are.
func (p *project) fresh() string {
	p.t.Helper()
	q := newProject(p.t)
	must(p.t, filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(p.root, path)
		if d.IsDir() && d.Name() == ".assay" {
			return fs.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			raw, err := os.ReadFile(path)
			must(p.t, err)
			q.write(rel, string(raw))
		}
		return err
	}))
	if _, err := q.index(code.IndexInput{}); err != nil {
		p.t.Fatal(err)
	}
	a, err := q.answers()
	must(p.t, err)
	return a
}

func (p *project) indexDir() string { return filepath.Join(p.root, ".assay", "index") }

// sql runs statements on the project's database, as somebody would who edits it.
func (p *project) sql(statements string) {
	p.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(p.indexDir(), "index.db"))
	must(p.t, err)
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		p.t.Fatalf("%s: %v", statements, err)
	}
}

// keep copies the index to a folder; restore brings it back.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	must(t, os.RemoveAll(to))
	must(t, os.CopyFS(to, os.DirFS(from)))
}

// built returns a project whose index has all that an index can have: several
// segments, dead documents, folders, contents, vectors.
func built(t testing.TB) (p *project, kept string) {
	t.Helper()
	p = newProject(t)
	p.fill()
	_, err := p.index(code.IndexInput{})
	must(t, err)
	p.now = p.now.Add(time.Minute)
	p.write("pkg1/file5.go", "package pkg1\n\n// Open5 opens nothing more.\nfunc Open5(name string) error { return nil }\n")
	p.write("new/late.go", "package late\n\n// Late opens late.\nfunc Late() error { return nil }\n")
	must(t, os.Remove(filepath.Join(p.root, "pkg2", "file6.go")))
	_, err = p.index(code.IndexInput{})
	must(t, err)
	p.now = p.now.Add(time.Minute)
	p.sql("INSERT INTO vectors SELECT x'01', 'paid', epoch, x'00', 7 FROM meta; DELETE FROM vectors")
	kept = filepath.Join(t.TempDir(), "kept")
	copyTree(t, p.indexDir(), kept)
	return p, kept
}

// Whatever is wrong with an index, --check says so or the answers are those of a new
// one; and after index both are.
func TestDamageIsSeen(t *testing.T) {
	p, kept := built(t)
	want := p.fresh()
	if got, err := p.answers(); err != nil || got != want {
		t.Fatalf("before any damage: %v\n%s\nwant\n%s", err, got, want)
	}
	type harm struct {
		name  string
		do    func()
		quiet bool // it takes nothing from an answer, so that check may pass it
	}
	var harms []harm
	edit := func(name, statement string) {
		harms = append(harms, harm{name: name, do: func() { p.sql(statement) }})
	}
	columns := map[string][]string{
		"meta":     {"id", "format", "embedder", "epoch", "nonce", "next_chunk", "next_doc", "seg_sum", "dir_sum", "row_sum"},
		"seg":      {"name", "kind", "of", "bytes", "sum", "lo", "hi", "docs", "words", "dead", "row_sum"},
		"dirs":     {"path", "seen", "entries", "row_sum"},
		"contents": {"hash", "chunks", "row_sum"},
	}
	for table, names := range columns {
		for _, c := range names {
			one := fmt.Sprintf(" WHERE %s = (SELECT %s FROM %s ORDER BY 1 LIMIT 1)", c, c, table)
			for what, value := range map[string]string{
				"other": fmt.Sprintf("CASE typeof(%[1]s) WHEN 'integer' THEN %[1]s + 1 WHEN 'blob' THEN CAST(%[1]s AS BLOB) || x'01' ELSE %[1]s || 'x' END", c),
				"typed": "2.5",
				"empty": "''",
			} {
				edit(table+"."+c+" "+what, "UPDATE OR REPLACE "+table+" SET "+c+" = "+value+one)
				// What is empty already, or says that another version made the index.
				harms[len(harms)-1].quiet = what == "empty" && slices.Contains([]string{"embedder", "of", "dead", "path"}, c) || c == "format" && what == "other"
			}
		}
		if table != "meta" {
			edit(table+" loses a row", "DELETE FROM "+table+" WHERE row_sum = (SELECT min(row_sum) FROM "+table+")")
			edit(table+" loses all", "DELETE FROM "+table)
			harms[len(harms)-1].quiet = table == "contents"
			harms[len(harms)-2].quiet = table == "contents"
		}
	}
	edit("meta loses its row", "DELETE FROM meta")
	edit("all dead", "UPDATE seg SET dead = x'ffffffffffffffff'")
	edit("none dead", "UPDATE seg SET dead = x''")
	edit("dead flipped", "UPDATE seg SET dead = x'0400000000000000'")
	edit("two folders swapped", "UPDATE dirs SET entries = (SELECT o.entries FROM dirs o WHERE o.path = CASE dirs.path WHEN 'pkg0' THEN 'pkg1' ELSE 'pkg0' END) WHERE path IN ('pkg0', 'pkg1')")
	edit("a folder twice", "INSERT INTO dirs SELECT path || 'x', seen, entries, row_sum FROM dirs LIMIT 1")
	edit("a segment twice", "INSERT INTO seg SELECT 'x' || name, kind, of, bytes, sum, lo, hi, docs, words, dead, row_sum FROM seg LIMIT 1")
	edit("vectors of nobody", "INSERT INTO vectors VALUES (x'01', 'paid', 1, x'0000', 5)")
	segs, err := filepath.Glob(filepath.Join(kept, "seg", "*"))
	must(t, err)
	if len(segs) < 2 {
		t.Fatalf("%d segments, want several", len(segs))
	}
	for i, s := range segs {
		path := filepath.Join(p.indexDir(), "seg", filepath.Base(s))
		next := filepath.Join(p.indexDir(), "seg", filepath.Base(segs[(i+1)%len(segs)]))
		for name, do := range map[string]func(){
			"deleted": func() { must(t, os.Remove(path)) },
			"cut":     func() { must(t, os.Truncate(path, 700)) },
			"empty":   func() { must(t, os.Truncate(path, 0)) },
			"swapped": func() {
				must(t, os.Rename(path, path+"~"))
				must(t, os.Rename(next, path))
				must(t, os.Rename(path+"~", next))
			},
			"doubled": func() {
				raw, err := os.ReadFile(path)
				must(t, err)
				must(t, os.WriteFile(path, append(raw, raw...), 0o600))
			},
		} {
			harms = append(harms, harm{name: fmt.Sprintf("segment %d %s", i, name), do: do})
		}
	}
	for _, h := range testaid.Sample(harms, 1, 4) {
		t.Run(h.name, func(t *testing.T) {
			copyTree(t, kept, p.indexDir())
			h.do()
			r, err := p.index(code.IndexInput{Check: true})
			if fault.KindOf(err) != fault.Negative && !h.quiet {
				t.Errorf("--check says %v", err)
			}
			if err != nil && (r == nil || r.Problems == 0 && !strings.Contains(err.Error(), "rebuilt")) {
				t.Errorf("--check says %v, and not what", err)
			}
			p.mustBeSound(t, want)
			// And without a check before.
			copyTree(t, kept, p.indexDir())
			h.do()
			p.mustBeSound(t, want)
		})
	}
}

// mustBeSound runs index, and makes sure that there is nothing wrong after it.
func (p *project) mustBeSound(t *testing.T, want string) {
	t.Helper()
	if _, err := p.index(code.IndexInput{}); err != nil {
		t.Errorf("index: %v", err)
	}
	if r, err := p.index(code.IndexInput{Tree: true}); err != nil || !r.Checked {
		t.Errorf("after index, --check --against-tree says %v: %+v", err, r)
	}
	got, err := p.answers()
	if err != nil || got != want {
		t.Errorf("after index the answers are others (%v):\n%s\nwant\n%s", err, got, want)
	}
}

// Some bits of the files of an index flip. Either --check says so, or every answer is
// what it was. For a wider run: ASSAY_FLIPS=5000.
func TestFlippedBits(t *testing.T) {
	rounds := flips(t, 120)
	p, kept := built(t)
	want, err := p.answers()
	must(t, err)
	copyTree(t, p.indexDir(), kept) // what the answers published
	var files []string
	for _, pattern := range []string{"index.db", "seg/*"} {
		found, err := filepath.Glob(filepath.Join(kept, pattern))
		must(t, err)
		files = append(files, found...)
	}
	said, same := 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		copyTree(t, kept, p.indexDir())
		var what []string
		for range 1 + r.Intn(3)*r.Intn(25) {
			file := files[0]
			if r.Intn(3) == 0 {
				file = files[r.Intn(len(files))]
			}
			path := filepath.Join(p.indexDir(), strings.TrimPrefix(file, kept))
			raw, err := os.ReadFile(path)
			must(t, err)
			at, bit := r.Intn(len(raw)), r.Intn(8)
			raw[at] ^= 1 << bit
			must(t, os.WriteFile(path, raw, 0o600))
			what = append(what, fmt.Sprintf("%s %d.%d", filepath.Base(path), at, bit))
		}
		damaged := filepath.Join(t.TempDir(), "damaged")
		copyTree(t, p.indexDir(), damaged)
		_, err := p.index(code.IndexInput{Check: true})
		if fault.KindOf(err) == fault.Negative {
			said++
		} else {
			same++
			if err != nil {
				t.Errorf("seed %d, %.200q: --check says %v", seed, what, err)
			}
			// Asked of the index as it was damaged: a check may have indexed it again.
			copyTree(t, damaged, p.indexDir())
			if got, err := p.answers(); err != nil || got != want {
				t.Errorf("seed %d, %q: --check finds nothing, and the answers are others (%v):\n%s\nwant\n%s", seed, what, err, got, want)
			}
		}
		// What was damaged must not be answered from either, check or no check.
		copyTree(t, damaged, p.indexDir())
		if got, err := p.answers(); err != nil || got != want {
			t.Errorf("seed %d, %q: a search answers otherwise (%v):\n%s\nwant\n%s", seed, what, err, got, want)
		}
		must(t, os.RemoveAll(damaged))
	}
	t.Logf("%d rounds: %d damaged, %d without effect", rounds, said, same)
	if said == 0 || same == 0 {
		t.Errorf("%d damaged, %d without effect: the test flips the wrong bits", said, same)
	}
}

func flips(t *testing.T, n int) int {
	if testing.Short() {
		n /= 6
	}
	if s := os.Getenv("ASSAY_FLIPS"); s != "" {
		_, err := fmt.Sscan(s, &n)
		must(t, err)
	}
	return n
}

// The answer after any history of a tree is that of an index built from it now.
func TestAnyHistory(t *testing.T) {
	histories := 6
	if testing.Short() {
		histories = 2
	}
	for seed := range histories {
		r := rand.New(rand.NewSource(int64(seed)))
		p := newProject(t)
		p.fill()
		live := func() (out []string) {
			must(t, filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
				if d.IsDir() && (d.Name() == ".assay" || d.Name() == ".git") {
					return fs.SkipDir
				}
				if d.Type().IsRegular() {
					rel, _ := filepath.Rel(p.root, path)
					out = append(out, rel)
				}
				return err
			}))
			return out
		}
		for range 12 + r.Intn(12) {
			for range 1 + r.Intn(6) {
				files := live()
				name := files[r.Intn(len(files))]
				switch r.Intn(5) {
				case 0:
					if len(files) > 12 {
						must(t, os.Remove(filepath.Join(p.root, name)))
					}
				case 1: // to another name, perhaps one that is read otherwise
					to := fmt.Sprintf("moved%d/m%d%s", r.Intn(3), r.Intn(30), []string{".go", ".ts", ".tsx", ".h", "_test.go", ".txt"}[r.Intn(6)])
					must(t, os.MkdirAll(filepath.Dir(filepath.Join(p.root, to)), 0o755))
					must(t, os.Rename(filepath.Join(p.root, name), filepath.Join(p.root, to)))
				case 2:
					p.write(fmt.Sprintf("add/a%d.ts", r.Intn(40)), fmt.Sprintf("const open%d = <T>(value: T) => { return readValue%d(value) }\nfunction after%d() { return open%d(1) }\n", r.Intn(9), r.Intn(24), r.Intn(9), r.Intn(9)))
				default:
					p.write(name, fmt.Sprintf("package p\n\n// Open%d opens a value again and again %s.\nfunc Open%d() error { return readValue%d(%d) }\n", r.Intn(24), strings.Repeat("the same words ", r.Intn(40)), r.Intn(24), r.Intn(24), r.Intn(99)))
				}
			}
			p.now = p.now.Add(time.Minute)
			if r.Intn(2) == 0 {
				_, err := p.index(code.IndexInput{})
				must(t, err)
			} else if _, err := p.answers(); err != nil {
				t.Fatal(err)
			}
		}
		got, err := p.answers()
		must(t, err)
		if want := p.fresh(); got != want {
			t.Fatalf("seed %d: after its history the tree is answered for\n%s\na fresh index answers\n%s", seed, got, want)
		}
		if rep, err := p.index(code.IndexInput{Tree: true}); err != nil || rep.Compared == 0 {
			t.Errorf("seed %d: against the tree: %v, %+v", seed, err, rep)
		}
	}
}

// An index that another version made is recognised, said to be so, and rebuilt.
func TestOlderIndex(t *testing.T) {
	p, _ := built(t)
	want, err := p.answers()
	must(t, err)
	// As version 4 left it: one step of the schema, and no checksums.
	p.sql(`UPDATE meta SET format = 4;
ALTER TABLE meta DROP COLUMN seg_sum; ALTER TABLE meta DROP COLUMN dir_sum; ALTER TABLE meta DROP COLUMN row_sum; ALTER TABLE meta DROP COLUMN files_left;
ALTER TABLE seg DROP COLUMN row_sum; ALTER TABLE dirs DROP COLUMN row_sum; ALTER TABLE vectors DROP COLUMN row_sum;
DROP TABLE contents; CREATE TABLE contents(hash BLOB PRIMARY KEY, epoch INTEGER NOT NULL, chunks BLOB NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1`)
	f := p.feature()
	r, err := f.Index(context.Background(), code.IndexInput{Check: true})
	must(t, err)
	f.Close()
	if r.Verdict() != nil || r.Changed == 0 || !r.Checked {
		t.Errorf("an older index: %v, %+v", r.Verdict(), r)
	}
	if _, err := os.Stat(filepath.Join(p.indexDir(), "index.db.other")); err != nil {
		t.Error(err)
	}
	if got, err := p.answers(); err != nil || got != want {
		t.Errorf("rebuilt, it answers otherwise: %v", err)
	}
}

// What is sound and yet not what the tree gives is found by comparison alone: here by a
// model that has changed and kept its name.
func TestAgainstTree(t *testing.T) {
	p, _ := built(t)
	r, err := p.index(code.IndexInput{Tree: true})
	if err != nil || r.Compared < 25 || r.Differences != 0 {
		t.Fatalf("a sound index: %v, %+v", err, r)
	}
	p.model.twist = 1
	if _, err := p.index(code.IndexInput{Check: true}); err != nil {
		t.Errorf("--check says %v", err)
	}
	r, err = p.index(code.IndexInput{Tree: true})
	if fault.KindOf(err) != fault.Negative || r.Differing["vectors"] != r.Differences || r.Differences < 20 || len(r.Examples) == 0 || r.Checked {
		t.Errorf("--against-tree says %v: %+v", err, r.Damage)
	}
	_, err = p.index(code.IndexInput{Full: true})
	must(t, err)
	if r, err := p.index(code.IndexInput{Tree: true}); err != nil || !r.Checked {
		t.Errorf("after --full: %v, %+v", err, r.Damage)
	}
}
