package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/bucket/buckettest"
)

// The examples of "Signature Calculations for the Authorization Header: Transferring Payload in a
// Single Chunk", Amazon S3 API Reference.
func TestSign(t *testing.T) {
	k := Keys{Access: "AKIAIOSFODNN7EXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
	at := time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct{ method, path, query, head, payload, want string }{
		{"GET", "/test.txt", "", "bytes=0-9", emptySum, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
		{"GET", "/", "lifecycle=", "", emptySum, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
		{"GET", "/", "max-keys=2&prefix=J", "", emptySum, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
	} {
		r := httptest.NewRequest(c.method, "https://examplebucket.s3.amazonaws.com"+c.path+"?"+c.query, nil)
		r.URL.Host = "examplebucket.s3.amazonaws.com"
		if c.head != "" {
			r.Header.Set("Range", c.head)
		}
		sign(r, k, "us-east-1", c.payload, at)
		if got := r.Header.Get("Authorization"); !strings.HasSuffix(got, "Signature="+c.want) {
			t.Errorf("%s %s?%s: %s, want %s", c.method, c.path, c.query, got, c.want)
		}
	}
	if got := escaped("a b/ü+$~c"); got != "a%20b/%C3%BC%2B%24~c" {
		t.Error(got)
	}
}

func opened(t *testing.T, f *buckettest.Fake, prefix string) *Bucket {
	t.Helper()
	b, err := Open(Config{URL: "s3://" + buckettest.Bucket + "/" + prefix, Endpoint: f.URL, Region: buckettest.Region,
		Keys: Keys{Access: buckettest.Access, Secret: buckettest.Secret}, Sleep: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestObjects(t *testing.T) {
	f := buckettest.New(t)
	b, ctx := opened(t, f, "in dices/ü+$"), t.Context()
	data := bytes.Repeat([]byte("0123456789"), 1000)
	sum := sha256.Sum256(data)
	if ok, err := b.Has(ctx, "x", 1); ok || err != nil {
		t.Errorf("Has = %v, %v", ok, err)
	}
	if _, err := b.Get(ctx, "x", 10, &bytes.Buffer{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Get of nothing: %v", err)
	}
	if err := b.Put(ctx, "x", bytes.NewReader(data), int64(len(data)), sum); err != nil {
		t.Fatal(err)
	}
	if got := f.Objects(); len(got) != 1 || got[0] != "in dices/ü+$/x" {
		t.Errorf("the objects are %q", got)
	}
	for size, want := range map[int64]bool{10_000: true, 9_999: false} {
		if ok, err := b.Has(ctx, "x", size); ok != want || err != nil {
			t.Errorf("Has(%d) = %v, %v", size, ok, err)
		}
	}
	for limit, want := range map[int64]error{9_999: ErrTooLarge, 10_000: nil, 1 << 30: nil} {
		var got bytes.Buffer
		if _, err := b.Get(ctx, "x", limit, &got); !errors.Is(err, want) || err == nil && !bytes.Equal(got.Bytes(), data) {
			t.Errorf("Get within %d: %d bytes, %v", limit, got.Len(), err)
		}
	}
	if err := b.Put(ctx, "y", bytes.NewReader(data), int64(len(data)), [32]byte{}); err == nil || f.Object("in dices/ü+$/y") != nil {
		t.Errorf("content with another checksum is taken: %v", err)
	}
}

// Of two who replace the same version one succeeds.
func TestReplace(t *testing.T) {
	f := buckettest.New(t)
	b, ctx := opened(t, f, ""), t.Context()
	put := func(text, version string) (bool, error) {
		return b.Replace(ctx, "m", []byte(text), sha256.Sum256([]byte(text)), version, false)
	}
	if held, err := put("1", ""); err != nil || !held {
		t.Fatal(held, err)
	}
	if _, err := put("2", ""); !errors.Is(err, ErrChanged) {
		t.Errorf("an object that is there is taken for none: %v", err)
	}
	version, err := b.Get(ctx, "m", 10, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := put("2", version); err != nil {
		t.Error(err)
	}
	if _, err := put("3", version); !errors.Is(err, ErrChanged) || string(f.Object("m")) != "2" {
		t.Errorf("an old version is replaced: %v, %q", err, f.Object("m"))
	}
	f.Set("m", nil)
	if _, err := put("3", version); !errors.Is(err, ErrChanged) {
		t.Errorf("one that is gone: %v", err)
	}
	f.Unconditional = true
	if _, err := b.Replace(ctx, "m", []byte("3"), sha256.Sum256([]byte("3")), "", true); !errors.Is(err, ErrDenied) || f.Object("m") != nil {
		t.Errorf("written without the condition that it must have: %v, %q", err, f.Object("m"))
	}
	if held, err := put("4", ""); err != nil || held || string(f.Object("m")) != "4" {
		t.Errorf("where the server knows no conditions: %v, %v, %q", held, err, f.Object("m"))
	}
}

// A busy server is asked again, a download goes on where it broke off, and what was replaced
// in between is not put together.
func TestFaults(t *testing.T) {
	f := buckettest.New(t)
	b, ctx := opened(t, f, ""), t.Context()
	data := bytes.Repeat([]byte("abcdefghij"), 5000)
	f.Set("x", data)
	f.Fail = func(n int, _ *http.Request) bool { return n < 4 }
	if ok, err := b.Has(ctx, "x", int64(len(data))); !ok || err != nil {
		t.Errorf("after three refusals: %v, %v", ok, err)
	}
	f.Fail = func(int, *http.Request) bool { return true }
	if _, err := b.Has(ctx, "x", 1); err == nil {
		t.Error("a server that is always busy has an answer")
	}
	f.Fail = nil
	var got bytes.Buffer
	f.Cut = func(r *http.Request, n int) int {
		if r.Header.Get("Range") == "" {
			return 20_001
		}
		return n
	}
	f.Calls()
	if _, err := b.Get(ctx, "x", 1<<20, &got); err != nil || !bytes.Equal(got.Bytes(), data) {
		t.Errorf("%d of %d bytes, %v", got.Len(), len(data), err)
	}
	if calls := f.Calls(); len(calls) != 2 {
		t.Errorf("it took %q", calls)
	}
	other := bytes.Repeat([]byte("ABCDEFGHIJ"), 5000)
	f.Cut = func(*http.Request, int) int { return 20_001 }
	b.cfg.Sleep = func(context.Context, time.Duration) error { f.Set("x", other); return nil }
	if _, err := b.Get(ctx, "x", 1<<20, &bytes.Buffer{}); !errors.Is(err, ErrChanged) {
		t.Errorf("two versions are put together: %v", err)
	}
}

// Keys go to the configured address alone, and a server that says no is named.
func TestRefused(t *testing.T) {
	var elsewhere int
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Amz-Bucket-Region", "us-west-2")
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	defer s.Close()
	b, err := Open(Config{URL: "s3://bucket/p", Endpoint: s.URL, Keys: Keys{Access: "a", Secret: "b"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Get(t.Context(), "x", 1, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "us-west-2") || elsewhere != 0 {
		t.Errorf("%v, and %d requests elsewhere", err, elsewhere)
	}
	f := buckettest.New(t)
	wrong := opened(t, f, "")
	wrong.cfg.Keys.Secret = "another"
	if err := wrong.Put(t.Context(), "x", strings.NewReader(""), 0, sha256.Sum256(nil)); !errors.Is(err, ErrDenied) || !strings.Contains(err.Error(), "SignatureDoesNotMatch") {
		t.Errorf("a wrong key: %v", err)
	}
}

func TestOpen(t *testing.T) {
	for _, c := range []struct{ url, endpoint, want string }{
		{"s3://bucket/a/b/", "", "https://bucket.s3.us-east-1.amazonaws.com/"},
		{"s3://bu.cket", "", "https://s3.us-east-1.amazonaws.com/bu.cket/"},
		{"s3://bucket", "http://127.0.0.1:9000/minio/", "http://127.0.0.1:9000/minio/bucket/"},
		{"https://bucket", "", ""}, {"s3://", "", ""}, {"s3://B/x", "", ""}, {"s3://bucket/a/../b", "", ""},
		{"s3://bucket/a//b", "", ""}, {"s3://bucket/a?b", "", ""}, {"s3://bucket", "ftp://x", ""}, {"s3://bucket", "http://u:p@x", ""},
	} {
		b, err := Open(Config{URL: c.url, Endpoint: c.endpoint})
		if b != nil {
			if got := b.base.String(); got != c.want {
				t.Errorf("Open(%s, %s) is at %s, want %s", c.url, c.endpoint, got, c.want)
			}
		} else if c.want != "" || strings.Contains(err.Error(), "u:p") {
			t.Errorf("Open(%s, %s): %v", c.url, c.endpoint, err)
		}
	}
	if _, err := Open(Config{URL: "s3://bucket", Keys: Keys{Access: "a"}}); err == nil {
		t.Error("a key without its secret is taken")
	}
}
