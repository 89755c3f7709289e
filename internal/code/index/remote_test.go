//go:build team

package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/vec"
)

// serverEnv names the server that the tests ask, as its owner: its schemas of tests come
// and go.
const serverEnv = "ASSAY_TEST_POSTGRES"

// others are the backends of this build. Without a server there are none, which .ci/run
// says.
func others() map[string]func(testing.TB) backend {
	all := databases()
	if os.Getenv(weaviateEnv) != "" {
		all["weaviate"] = newInWeaviate
	}
	return all
}

func databases() map[string]func(testing.TB) backend {
	if os.Getenv(serverEnv) == "" {
		return map[string]func(testing.TB) backend{}
	}
	return map[string]func(testing.TB) backend{"postgres": newPostgres, "postgres without pgvector": newPlain}
}

// newPlain is as where a server has no extension.
func newPlain(t testing.TB) backend {
	t.Helper()
	x := newRemote(t)
	if x.nearest {
		_, err := x.pool.Exec(context.Background(), "ALTER TABLE remote_vectors DROP embedding")
		must(t, err)
		x.nearest = false
	}
	return &postgres{x}
}

// postgres is the backend of a Remote.
type postgres struct{ x *Remote }

func newPostgres(t testing.TB) backend {
	t.Helper()
	return &postgres{newRemote(t)}
}

func newRemote(t testing.TB) *Remote {
	t.Helper()
	ctx := context.Background()
	x, err := OpenRemote(ctx, RemotePlace{URL: os.Getenv(serverEnv), Corpus: fmt.Sprint(t.Name(), nonce())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		must(t, x.Drop(ctx))
		x.Close()
	})
	return x
}

func (b *postgres) change(t testing.TB, put []*Doc, del ...string) {
	t.Helper()
	must(t, b.x.Change(context.Background(), Change{Put: put, Delete: del}))
	must(t, b.x.Tidy(context.Background()))
}

func (b *postgres) read(t testing.TB) *remoteReader {
	t.Helper()
	r, err := b.x.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func (b *postgres) lexical(t testing.TB, terms []corpus.Term, n, perDoc int, f Filter) []hit {
	t.Helper()
	r := b.read(t)
	defer r.Close()
	cands, err := r.Lexical(context.Background(), terms, n, perDoc, f)
	must(t, err)
	return hitsOf(t, cands, r.Describe)
}

func (b *postgres) nearest(t testing.TB, unit []float32, n int, f Filter) []hit {
	t.Helper()
	r := b.read(t)
	defer r.Close()
	cands, err := r.Nearest(context.Background(), "own", unit, n, f)
	must(t, err)
	again := slices.Clone(cands)
	for i := range again {
		again[i].Cosine = -2
	}
	if err := r.FillCosine("own", unit, again); err != nil || !slices.Equal(again, cands) {
		t.Errorf("FillCosine: %v, not what Nearest says", err)
	}
	return hitsOf(t, cands, r.Describe)
}

func (b *postgres) df(t testing.TB, terms []corpus.Term) ([]int, int) {
	t.Helper()
	r := b.read(t)
	defer r.Close()
	df, n, err := r.DF(terms)
	must(t, err)
	return df, n
}

func (b *postgres) docs(t testing.TB) (out []DocInfo) {
	t.Helper()
	r := b.read(t)
	defer r.Close()
	must(t, r.Docs(func(d DocInfo) bool { out = append(out, d); return true }))
	return out
}

func (b *postgres) state(t testing.TB) State {
	t.Helper()
	r := b.read(t)
	defer r.Close()
	return r.State()
}

func (b *postgres) model() *model { return &model{} }

func (b *postgres) info(d DocInfo) DocInfo {
	d.ID, d.First = 0, 0
	return d
}

// What is sent twice is made once, even after something else was made.
func TestRemoteSentTwice(t *testing.T) {
	for _, make := range databases() {
		b := make(t).(*postgres)
		ctx := context.Background()
		old := newBatch(Change{Put: []*Doc{text1("a.txt", "old")}})
		must(t, b.x.commit(ctx, old))
		b.change(t, []*Doc{text1("a.txt", "new")})
		before := b.state(t)
		must(t, b.x.commit(ctx, old))
		if st := b.state(t); st.Epoch != before.Epoch {
			t.Errorf("state %+v after a batch that was made before, %+v without", st, before)
		}
		wantPaths(t, b, terms("new"), "a.txt")
		wantPaths(t, b, terms("old"))
	}
}

// Several machines write at a time, and nothing is lost or there twice.
func TestRemoteWriters(t *testing.T) {
	for _, make := range databases() {
		b := make(t).(*postgres)
		var wg sync.WaitGroup
		for w := range 6 {
			wg.Go(func() {
				for i := range 8 {
					d := text1(fmt.Sprintf("%d/%d.txt", w, i), "cherry")
					if err := b.x.Change(context.Background(), Change{Put: []*Doc{d, text1("yak.txt", fmt.Sprint("turn", w))}}); err != nil {
						t.Error(err)
					}
				}
				if err := b.x.Tidy(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if df, n := b.df(t, terms("cherry", "yak")); df[0] != 48 || df[1] != 1 || n != 49 {
			t.Errorf("words in %v of %d chunks, want 48 and 1 of 49", df, n)
		}
		if docs := b.docs(t); len(docs) != 49 {
			t.Errorf("%d documents, want 49", len(docs))
		}
	}
}

// A reader sees one state, whatever others write and merge meanwhile.
func TestRemoteReaderStays(t *testing.T) {
	for _, make := range databases() {
		b := make(t).(*postgres)
		b.change(t, []*Doc{text1("a.txt", "banana")})
		r := b.read(t)
		defer r.Close()
		for i := range 20 {
			b.change(t, []*Doc{text1(fmt.Sprint(i), "banana")}, "a.txt")
		}
		df, n, err := r.DF(terms("banana"))
		if err != nil || df[0] != 1 || n != 1 {
			t.Errorf("banana is in %v of %d chunks (%v), want the one that the reader began with", df, n, err)
		}
	}
}

// Where there are many vectors the database's index proposes, and what it proposes are
// nearly always the nearest, with a filter too.
func TestRemoteNearestOfMany(t *testing.T) {
	for _, make := range databases() {
		b := make(t).(*postgres)
		if !b.x.nearest {
			t.Log("the server has no pgvector: there is no index to ask")
			continue
		}
		const dims = 24
		m := newMaker(5)
		byChunk := map[string][]float32{}
		for i := range 12 {
			b.change(t, embed(m.Rand, m.docs(uint32(1+300*i), 300, 5), dims, byChunk))
		}
		rows, err := b.x.pool.Query(context.Background(), "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE '%hnsw%'")
		must(t, err)
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
		if len(names) != 1 {
			t.Fatalf("indexes %q, want one of the vectors", names)
		}
		found, all := 0, 0
		for i := range 20 {
			q := unit(m.Rand, dims)
			var f Filter
			if i%2 == 1 {
				f = func(d DocInfo) bool { return d.Chunks != 3 }
			}
			r := b.read(t)
			got, err := r.Nearest(context.Background(), "own", q, 10, f)
			must(t, err)
			id, err := r.embedder(context.Background(), "own", dims)
			must(t, err)
			h := &nearHeap{r: r, near: near{top: top{n: 10, p: &r.snap}, where: r.state.places.of(&r.state.Snapshot), q: vec.NewQuery(q), dims: dims}}
			if f != nil {
				h.pass = map[uint32]bool{}
				must(t, r.Docs(func(d DocInfo) bool { h.pass[d.ID] = f(d); return true }))
			}
			want, err := h.ask(context.Background(), "SELECT doc, chunk, data FROM remote_vectors WHERE embedder = $1", id)
			must(t, err)
			r.Close()
			for _, w := range want {
				all++
				if slices.Contains(got, w) {
					found++
				}
			}
		}
		if all != 200 || found*100 < all*95 {
			t.Errorf("%d of the %d nearest found", found, all)
		}
	}
}

// What goes wrong with a connection says nothing of the password, and takes no minute.
func TestRemoteKeepsTheKey(t *testing.T) {
	for _, url := range []string{"postgres://ann:sesame@127.0.0.1:1/db?connect_timeout=5", "postgres://ann:sesame@[bad", "postgres://ann:sesame@/?sslmode=wrong", "sesame"} {
		x, err := OpenRemote(context.Background(), RemotePlace{URL: url, Key: "sesame", Corpus: "c"})
		if err == nil {
			x.Close()
			t.Errorf("%s was opened", url)
		} else if strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: the error tells the password: %v", url, err)
		}
	}
}

// What is wrong with the question is said at once; what is wrong with the connection is
// tried again.
func TestRemotePassing(t *testing.T) {
	for err, want := range map[error]bool{
		&pgconn.PgError{Code: "40001"}: true, &pgconn.PgError{Code: "57P03"}: true, &pgconn.PgError{Code: "08006"}: true,
		&pgconn.PgError{Code: "28P01"}: false, &pgconn.PgError{Code: "42P01"}: false, &pgconn.PgError{Code: "53100"}: false, // no password, no table, no room
		&net.OpError{Op: "read", Err: syscall.ECONNRESET}: true, io.ErrUnexpectedEOF: true,
		context.Canceled: false, context.DeadlineExceeded: false, ErrDamaged: false, ErrReplaced: false, errors.New("else"): false,
	} {
		if got := passing(fmt.Errorf("put: %w", err)); got != want {
			t.Errorf("%v passes: %v, want %v", err, got, want)
		}
	}
}

// halves are those of IEEE 754.
func TestHalf(t *testing.T) {
	for x, want := range map[float32]uint16{0: 0, 1: 0x3c00, -1: 0xbc00, .5: 0x3800, .1: 0x2e66, -2: 0xc000, 65504: 0, 1e-8: 0, 6e-8: 1, .99999: 0x3c00,
		float32(math.NaN()): 0, 6.1035156e-5: 0x0400, 6.0975552e-5: 0x03ff} {
		if got := half(x); got != want {
			t.Errorf("half(%g) = %#04x, want %#04x", x, got, want)
		}
	}
}
