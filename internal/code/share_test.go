package code_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/bucket"
	"github.com/assay-dev/assay/internal/code/bucket/buckettest"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/workspace"
)

func shared(f *buckettest.Fake, url string) bucket.Config {
	return bucket.Config{URL: url, Endpoint: f.URL, Region: buckettest.Region, Keys: bucket.Keys{Access: buckettest.Access, Secret: buckettest.Secret},
		Sleep: func(context.Context, time.Duration) error { return nil }}
}

func shareable() map[string]string {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("p%d/f%d.go", i%3, i)] = fmt.Sprintf("package p\n\n// Retry%d asks again after %d seconds.\nfunc Retry%d() {}\n", i, i, i)
	}
	return files
}

func hits(t *testing.T, f *code.Feature, root, query string) string {
	t.Helper()
	r, err := f.Search(t.Context(), code.SearchInput{Query: query, TopK: 20, Place: code.Place{Root: root}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, h := range r.Hits {
		rel, _ := filepath.Rel(root, h.Path)
		fmt.Fprintf(&out, "%s %v %.9f\n", rel, h.Span, h.Score)
	}
	return out.String()
}

// What one machine pushed another pulls: it reads files, but makes nothing of those that are the
// same, and answers as the first.
func TestShared(t *testing.T) {
	s := buckettest.New(t)
	const url = "s3://" + buckettest.Bucket + "/api"
	a, b := folder(t, shareable()), folder(t, shareable())
	one := feature(t, workspace.New(workspace.Config{WorkDir: a}), code.Config{Shared: shared(s, "")})
	two := feature(t, workspace.New(workspace.Config{WorkDir: b}), code.Config{Shared: shared(s, "")})
	if _, err := two.Pull(t.Context(), code.PullInput{URL: url}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("nothing is there, and it says %v", err)
	}
	sent, err := one.Push(t.Context(), code.PushInput{URL: url})
	if err != nil || sent.Objects != sent.Segments+1 || sent.URL != url {
		t.Fatalf("%+v, %v", sent, err)
	}
	got, err := two.Pull(t.Context(), code.PullInput{URL: url})
	if err != nil || got.Changed != 0 || got.Files != 30 || got.Objects != sent.Objects {
		t.Fatalf("%+v, %v", got, err)
	}
	if x, y := hits(t, one, a, "retry after seconds"), hits(t, two, b, "retry after seconds"); x != y || x == "" {
		t.Errorf("one answers\n%s\nthe other\n%s", x, y)
	}
	var said strings.Builder
	if err := got.WriteText(&said, false); err != nil || !strings.Contains(said.String(), "30 files, of which 0 differ") {
		t.Errorf("%v: %s", err, &said)
	}
	for _, root := range []string{a, b} {
		if err := os.WriteFile(filepath.Join(root, "new.go"), []byte("package p\n\n// Again retries after seconds "+root+".\nfunc Again() {}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if sent, err = one.Push(t.Context(), code.PushInput{URL: url}); err != nil || sent.Same || sent.Changed != 1 {
		t.Fatalf("%+v, %v", sent, err)
	}
	if got, err = two.Pull(t.Context(), code.PullInput{URL: url}); err != nil || got.Changed != 1 {
		t.Fatalf("with a file of its own: %+v, %v", got, err)
	}
	if got := hits(t, two, b, "again retries"); !strings.Contains(got, "new.go") {
		t.Errorf("it finds\n%s", got)
	}
	if check, err := two.Index(t.Context(), code.IndexInput{Tree: true}); err != nil || !check.Checked {
		t.Errorf("%+v, %v", check, err)
	}
}

// A tree without an index takes the shared one of its name, if there is one, and says whence;
// otherwise it is indexed.
func TestTaken(t *testing.T) {
	s := buckettest.New(t)
	const url = "s3://" + buckettest.Bucket + "/team"
	at := func(root string, to *[]string) (*code.Feature, context.Context) {
		c := shared(s, url)
		trees := workspace.New(workspace.Config{WorkDir: root, Shared: func(name string) (index.Objects, string, error) {
			c.URL = url + "/" + name
			b, err := bucket.Open(c)
			return b, c.URL, err
		}})
		ctx := work.With(t.Context(), work.Report{Note: func(f string, args ...any) { *to = append(*to, fmt.Sprintf(f, args...)) }})
		return feature(t, trees, code.Config{Shared: shared(s, url)}), ctx
	}
	named := func() string {
		root := filepath.Join(folder(t, nil), "api")
		if err := os.Rename(folder(t, shareable()), root); err != nil {
			t.Fatal(err)
		}
		return root
	}
	var notes []string
	one, ctx := at(named(), &notes)
	if _, err := one.Push(ctx, code.PushInput{}); err != nil || len(notes) != 1 || !strings.Contains(notes[0], "no index is shared at") {
		t.Fatalf("%v, %q", err, notes)
	}
	s.Calls()
	notes = nil
	two, ctx := at(named(), &notes)
	r, err := two.Search(ctx, code.SearchInput{Query: "retry seconds"})
	if err != nil || len(r.Hits) == 0 || len(notes) != 1 || !strings.HasPrefix(notes[0], "index taken from "+url+"/api") {
		t.Errorf("%v, %q", err, notes)
	}
	if _, err := two.Search(ctx, code.SearchInput{Query: "retry seconds"}); err != nil || len(notes) != 1 {
		t.Errorf("asked again: %v, %q", err, notes)
	}
	for _, call := range s.Calls() {
		if !strings.HasPrefix(call, "GET team/api/") {
			t.Errorf("it calls %s", call)
		}
	}
	s.Fail = func(int, *http.Request) bool { return true }
	notes = nil
	three, ctx := at(named(), &notes)
	if r, err := three.Search(ctx, code.SearchInput{Query: "retry seconds"}); err != nil || len(r.Hits) == 0 || len(notes) != 1 || !strings.HasPrefix(notes[0], "degraded: ") {
		t.Errorf("with a server that is always busy: %v, %q", err, notes)
	}
}

// Each way in which it goes wrong has its kind and says what to do.
func TestSharedErrors(t *testing.T) {
	s := buckettest.New(t)
	const url = "s3://" + buckettest.Bucket + "/api"
	root := folder(t, shareable())
	open := func(c bucket.Config) *code.Feature {
		return feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{Shared: c})
	}
	if _, err := open(shared(s, "")).Push(t.Context(), code.PushInput{URL: url}); err != nil {
		t.Fatal(err)
	}
	want := func(what string, kind fault.Kind, err error) {
		t.Helper()
		if e, ok := errors.AsType[*fault.Error](err); !ok || e.Kind != kind || e.Hint == "" && e.Fix == nil {
			t.Errorf("%s: %v (kind %d)", what, err, fault.KindOf(err))
		}
	}
	_, err := open(bucket.Config{}).Push(t.Context(), code.PushInput{})
	want("no address", fault.Usage, err)
	for _, bad := range []string{"https://x/y", "s3://", "s3://b/../c"} {
		_, err = open(shared(s, "")).Push(t.Context(), code.PushInput{URL: bad})
		want(bad, fault.Usage, err)
	}
	wrong := shared(s, "")
	wrong.Keys.Secret = "another"
	_, err = open(wrong).Pull(t.Context(), code.PullInput{URL: url})
	want("a wrong key", fault.Unavailable, err)
	var manifest string
	for _, key := range s.Objects() {
		if strings.HasSuffix(key, ".json") {
			manifest = key
		}
	}
	good := s.Object(manifest)
	s.Set(manifest, []byte("{}"))
	_, err = open(shared(s, "")).Pull(t.Context(), code.PullInput{URL: url})
	want("a manifest of nothing", fault.Negative, err)
	// Somebody pushes between the read of the manifest and its replacement.
	s.Set(manifest, good)
	s.Fail = func(_ int, r *http.Request) bool {
		if r.Method == http.MethodHead {
			s.Set(manifest, append(good, ' '))
		}
		return false
	}
	if err := os.WriteFile(filepath.Join(root, "more.go"), []byte("package p\n\nfunc More() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = open(shared(s, "")).Push(t.Context(), code.PushInput{URL: url})
	want("another was first", fault.Stale, err)
	if fix := fault.FixOf(err); fix == nil || fix.Op != "index push" {
		t.Errorf("its fix is %+v", fix)
	}
}

// Keys that may not list the bucket are refused what is not there: they push and pull nevertheless, and
// nobody's index is replaced unseen.
func TestSharedUnlisted(t *testing.T) {
	s := buckettest.New(t)
	s.Hidden = true
	const url = "s3://" + buckettest.Bucket + "/api"
	a, b := folder(t, shareable()), folder(t, shareable())
	one := feature(t, workspace.New(workspace.Config{WorkDir: a}), code.Config{Shared: shared(s, "")})
	two := feature(t, workspace.New(workspace.Config{WorkDir: b}), code.Config{Shared: shared(s, "")})
	if _, err := two.Pull(t.Context(), code.PullInput{URL: url}); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "AccessDenied") {
		t.Errorf("nothing is there: %v", err)
	}
	if sent, err := one.Push(t.Context(), code.PushInput{URL: url}); err != nil || sent.Objects != sent.Segments+1 {
		t.Fatalf("%+v, %v", sent, err)
	}
	if got, err := two.Pull(t.Context(), code.PullInput{URL: url}); err != nil || got.Changed != 0 || got.Files != 30 {
		t.Errorf("%+v, %v", got, err)
	}
	manifest := s.Objects()[0]
	if !strings.HasSuffix(manifest, ".json") {
		t.Fatalf("no manifest among %v", s.Objects())
	}
	kept := s.Object(manifest)
	s.Unreadable = manifest
	if _, err := two.Push(t.Context(), code.PushInput{URL: url}); fault.KindOf(err) != fault.Stale || string(s.Object(manifest)) != string(kept) {
		t.Errorf("a manifest that may not be read was replaced: %v", err)
	}
	s.Unconditional = true
	if _, err := two.Push(t.Context(), code.PushInput{URL: url}); fault.KindOf(err) != fault.Unavailable || string(s.Object(manifest)) != string(kept) {
		t.Errorf("a manifest that may not be read was replaced where the server knows no conditions: %v", err)
	}
}
