//go:build team

package index

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/weaviate"
)

// weaviateEnv names the Weaviate that the tests ask: its classes of tests come and go.
const weaviateEnv = "ASSAY_TEST_WEAVIATE"

// inWeaviate is the backend of a Weaviate.
type inWeaviate struct{ x *Weaviate }

func newInWeaviate(t testing.TB) backend {
	t.Helper()
	return &inWeaviate{openWeaviate(t, fmt.Sprint(t.Name(), nonce()))}
}

func openWeaviate(t testing.TB, name string) *Weaviate {
	t.Helper()
	ctx := context.Background()
	x, err := OpenWeaviate(ctx, RemotePlace{URL: os.Getenv(weaviateEnv), Corpus: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		must(t, x.Drop(ctx))
		x.Close()
	})
	return x
}

func (b *inWeaviate) change(t testing.TB, put []*Doc, del ...string) {
	t.Helper()
	must(t, b.x.Change(context.Background(), Change{Put: put, Delete: del}))
	must(t, b.x.Tidy(context.Background()))
}

func (b *inWeaviate) read(t testing.TB) *Snapshot {
	t.Helper()
	p, err := b.x.Current(context.Background())
	must(t, err)
	return p
}

func (b *inWeaviate) lexical(t testing.TB, terms []corpus.Term, n, perDoc int, f Filter) []hit {
	t.Helper()
	p := b.read(t)
	cands, err := p.Lexical(context.Background(), terms, n, perDoc, f)
	must(t, err)
	return hitsOf(t, cands, p.Describe)
}

func (b *inWeaviate) nearest(t testing.TB, unit []float32, n int, f Filter) []hit {
	t.Helper()
	p := b.read(t)
	cands, err := p.Nearest(context.Background(), "own", unit, n, f)
	must(t, err)
	again := slices.Clone(cands)
	for i := range again {
		again[i].Cosine = -2
	}
	if err := p.FillCosine("own", unit, again); err != nil || !slices.Equal(again, cands) {
		t.Errorf("FillCosine: %v, not what Nearest says", err)
	}
	return hitsOf(t, cands, p.Describe)
}

func (b *inWeaviate) df(t testing.TB, terms []corpus.Term) ([]int, int) {
	t.Helper()
	df, n, err := b.read(t).DF(terms)
	must(t, err)
	return df, n
}

func (b *inWeaviate) docs(t testing.TB) (out []DocInfo) {
	t.Helper()
	must(t, b.read(t).Docs(func(d DocInfo) bool { out = append(out, d); return true }))
	return out
}

func (b *inWeaviate) state(t testing.TB) State {
	t.Helper()
	return b.read(t).State
}

func (b *inWeaviate) model() *model { return &model{} }

func (b *inWeaviate) info(d DocInfo) DocInfo {
	d.ID, d.First = 0, 0
	return d
}

// Several machines write at a time, and nothing is lost or there twice.
func TestWeaviateWriters(t *testing.T) {
	if os.Getenv(weaviateEnv) == "" {
		t.Skip(weaviateEnv + " names no server")
	}
	name := fmt.Sprint(t.Name(), nonce())
	first := openWeaviate(t, name)
	ctx := context.Background()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			x, err := OpenWeaviate(ctx, RemotePlace{URL: os.Getenv(weaviateEnv), Corpus: name})
			if err != nil {
				t.Error(err)
				return
			}
			defer x.Close()
			for i := range 6 {
				d := text1(fmt.Sprintf("%d/%d.txt", w, i), "cherry")
				if err := x.Change(ctx, Change{Put: []*Doc{d, text1("yak.txt", fmt.Sprint("turn", w))}}); err != nil {
					t.Error(err)
				}
			}
			if err := x.Tidy(ctx); err != nil && !errors.Is(err, errSwept) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	b := &inWeaviate{first}
	if df, n := b.df(t, terms("cherry", "yak")); df[0] != 24 || df[1] != 1 || n != 25 {
		t.Errorf("words in %v of %d chunks, want 24 and 1 of 25", df, n)
	}
	if docs := b.docs(t); len(docs) != 25 {
		t.Errorf("%d documents, want 25", len(docs))
	}
}

// What was sent twice is made once, even after something else was made.
func TestWeaviateSentTwice(t *testing.T) {
	if os.Getenv(weaviateEnv) == "" {
		t.Skip(weaviateEnv + " names no server")
	}
	x := openWeaviate(t, fmt.Sprint(t.Name(), nonce()))
	ctx := context.Background()
	old := newBatch(Change{Put: []*Doc{text1("a.txt", "old")}})
	models := map[weaviateModel]bool{}
	row, err := x.send(ctx, old, models)
	must(t, err)
	publish := func() {
		must(t, x.locked(ctx, func(held func() error) error { return x.publish(ctx, old, row, models, held) }))
	}
	publish()
	b := &inWeaviate{x}
	b.change(t, []*Doc{text1("a.txt", "new")})
	before := b.state(t)
	publish()
	if st := b.state(t); st.Epoch != before.Epoch {
		t.Errorf("state %+v after a batch that was made before, %+v without", st, before)
	}
	wantPaths(t, b, terms("new"), "a.txt")
	wantPaths(t, b, terms("old"))
}

// The lock of one who died while he held it is broken, and that of who holds one now is not:
// two who find it at a time both get on, one after the other.
func TestWeaviateDeadLock(t *testing.T) {
	if os.Getenv(weaviateEnv) == "" {
		t.Skip(weaviateEnv + " names no server")
	}
	x := openWeaviate(t, fmt.Sprint(t.Name(), nonce()))
	ctx := context.Background()
	x.dead = 300 * time.Millisecond
	if made, err := x.c.Create(ctx, weaviate.Class{Class: x.class + "Lock", Description: "of the dead", Vectors: map[string]any{"skip": true}}); err != nil || !made {
		t.Fatal(made, err)
	}
	var inside atomic.Int32
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if err := x.locked(ctx, func(held func() error) error {
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d hold the lock", n)
				}
				defer inside.Add(-1)
				return held()
			}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// A key goes over TLS or to this machine, and is in no error.
func TestWeaviateKeepsTheKey(t *testing.T) {
	for at, ok := range map[string]bool{
		"http://127.0.0.1:1": true, "http://[::1]:1": true, "http://localhost:1": true, "https://db.example.org": true,
		"http://db.example.org": false, "http://10.0.0.1": false, "ftp://127.0.0.1": false, "https://ann:sesame@db.example.org": false, "https://db.example.org/?key=sesame": false, "sesame": false,
	} {
		_, err := weaviate.New(at, "sesame")
		if (err == nil) != ok || err != nil && strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: %v, want a client: %v", at, err, ok)
		}
	}
}

// A key is not carried to where a server sends who asks, and failures of one object of many
// are failures.
func TestWeaviateClientRefuses(t *testing.T) {
	var elsewhere bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere = true }))
	defer other.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/batch/objects" {
			fmt.Fprint(w, `[{"result":{"status":"SUCCESS"}},{"result":{"status":"FAILED","errors":{"error":[{"message":"no space left on device"}]}}}]`)
			return
		}
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	defer s.Close()
	c, err := weaviate.New(s.URL, "sesame")
	must(t, err)
	if _, _, err := c.Class(context.Background(), "A"); weaviate.StatusOf(err) != http.StatusTemporaryRedirect || elsewhere {
		t.Errorf("a redirect: %v, followed: %v", err, elsewhere)
	}
	err = c.Put(context.Background(), []weaviate.Object{weaviate.ObjectOf("A", weaviate.ID{1}, "", nil), weaviate.ObjectOf("A", weaviate.ID{2}, "", nil)})
	if err == nil || !strings.Contains(err.Error(), "no space left") || !weaviatePasses(context.Background())(err) {
		t.Errorf("one of two objects not written: %v", err)
	}
}

// What the replica that answers lacks is asked of most of them, and what those lack is not there.
func TestWeaviateAsksTheOthers(t *testing.T) {
	here, there, nowhere := weaviate.ID{1}, weaviate.ID{2}, weaviate.ID{3}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/v1/graphql":
			fmt.Fprintf(w, `{"data":{"Get":{"A":[{"data":"aGVyZQ==","_additional":{"id":%q}}]}}}`, here)
		case r.URL.Path == "/v1/objects/A/"+there.String() && r.URL.Query().Get("consistency_level") == "QUORUM":
			fmt.Fprintf(w, `{"class":"A","id":%q,"properties":{"data":"dGhlcmU="}}`, there)
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	c, err := weaviate.New(s.URL, "")
	must(t, err)
	got, err := c.Many(context.Background(), "A", []weaviate.ID{here, there, nowhere})
	if err != nil || len(got) != 2 || string(got[here]) != "here" || string(got[there]) != "there" {
		t.Errorf("%q, %v", got, err)
	}
}

// Buckets that are cut off or say too much are told, whatever they hold.
func TestUnbucketRefuses(t *testing.T) {
	for _, data := range []string{"\x05ab", "\x01a", "\x01a\x01\x09zz", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "\x01a\x01"} {
		if all, err := unbucket([]byte(data)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q is %v, %v", data, all, err)
		}
	}
	all, err := unbucket([]byte("\x01a\x01\x02zz\x02bc\x03\x00"))
	if err != nil || len(all) != 2 || all[1].term != "bc" || all[1].df != 3 || string(all[0].data) != "zz" {
		t.Errorf("%+v, %v", all, err)
	}
}
