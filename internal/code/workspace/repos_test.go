package workspace_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// paths returns the paths of the documents that a target has at a depth.
func paths(t *testing.T, w *workspace.Workspace, target workspace.Target, d workspace.Depth) (out []string) {
	t.Helper()
	if _, err := workspace.Repaired(t.Context(), w, target, func() (int, error) {
		_, v, err := w.View(t.Context(), target, d)
		if err != nil {
			return 0, err
		}
		return 0, v.Snap.Docs(func(d index.DocInfo) bool { out = append(out, d.Path); return true })
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func resolved(t *testing.T, w *workspace.Workspace, p workspace.Place) workspace.Target {
	t.Helper()
	target, err := w.Resolve(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// kindOf is 0 where there is no error.
func kindOf(err error) fault.Kind {
	if err == nil {
		return 0
	}
	return fault.KindOf(err)
}

// Of several repositories a call is about those that it names, in the order in which they
// are listed; a name that none has is told as it was given.
func TestPick(t *testing.T) {
	all := workspace.Named([]string{"/x/a", "/x/b", "/x/c"})
	for _, tt := range []struct {
		names []string
		want  string
		wrong string
	}{
		{nil, "a b c", ""}, {[]string{"", " , "}, "a b c", ""}, {[]string{"c", "a"}, "a c", ""}, {[]string{" c ,b,c"}, "b c", ""},
		{[]string{"a", "b, d ,e"}, "", "no repository d here"}, {[]string{"A"}, "", "no repository A here"},
	} {
		got, err := workspace.Pick(all, tt.names)
		if names := strings.Join(workspace.Names(got), " "); names != tt.want || (err != nil) != (tt.wrong != "") {
			t.Errorf("Pick(%q) = %s, %v, want %s", tt.names, names, err, tt.want)
		}
		if tt.wrong != "" && (fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), tt.wrong) || !strings.Contains(fault.HintOf(err), "a, b, c")) {
			t.Errorf("Pick(%q): %v; %s", tt.names, err, fault.HintOf(err))
		}
	}
	got, err := workspace.Pick(all, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Name = "changed"; all[0].Name != "a" {
		t.Error("what is picked is the list itself")
	}
}

// A call is about several repositories where it says so, or where a server has several.
func TestRepos(t *testing.T) {
	top := tree(t, "a/one.go", "b/two.go")
	a, b := filepath.Join(top, "a"), filepath.Join(top, "b")
	file := write(t, top, "w.yaml", "repositories: [{path: a}, {path: b}, {path: gone}]")
	alone := open(t, workspace.Config{WorkDir: top})
	one := open(t, workspace.Config{WorkDir: top, Roots: []string{a}})
	both := open(t, workspace.Config{WorkDir: top, Roots: []string{a, b}})
	for _, tt := range []struct {
		name  string
		w     *workspace.Workspace
		trees workspace.Trees
		root  string
		want  string
		kind  fault.Kind
	}{
		{"a project", alone, workspace.Trees{}, "", "", 0},
		{"a named project", alone, workspace.Trees{}, a, "", 0},
		{"of a file", alone, workspace.Trees{Workspace: file, Repos: []string{"b,a"}}, "", "a b", 0},
		{"one that is gone", alone, workspace.Trees{Workspace: file}, "", "", fault.NotFound},
		{"a name without a file", alone, workspace.Trees{Repos: []string{"a"}}, "", "", fault.Usage},
		{"a name and a root", alone, workspace.Trees{Repos: []string{"a"}}, a, "", fault.Usage},
		{"a file and a root", alone, workspace.Trees{Workspace: file}, a, "", fault.Usage},
		{"a server of one", one, workspace.Trees{}, "", "", 0},
		{"a server of one, named", one, workspace.Trees{Repos: []string{"a"}}, "", "a", 0},
		{"a server of two", both, workspace.Trees{}, "", "a b", 0},
		{"one of two", both, workspace.Trees{Repos: []string{"b"}}, "", "b", 0},
		{"none of two", both, workspace.Trees{Repos: []string{"c"}}, "", "", fault.NotFound},
		{"a file of a client", both, workspace.Trees{Workspace: file}, "", "", fault.Usage},
	} {
		got, err := tt.w.Repos(tt.trees, tt.root)
		if names := strings.Join(workspace.Names(got), " "); names != tt.want || kindOf(err) != tt.kind {
			t.Errorf("%s: %q, %v, want %q and kind %v", tt.name, names, err, tt.want, tt.kind)
		}
	}
	if got := workspace.Names(both.Served()); !reflect.DeepEqual(got, []string{"a", "b"}) || len(alone.Served()) != 0 {
		t.Errorf("served: %q and %v", got, alone.Served())
	}
	if got := both.Config().Roots; !reflect.DeepEqual(got, []string{a, b}) {
		t.Errorf("made with %q", got)
	}
	// A question about one tree says which.
	ask := func(root, path string) (within string, err error) {
		err = both.Ask(t.Context(), root, "", path, true, func(_ *engine.Engine, _ *engine.View, in string) error { within = in; return nil })
		return within, err
	}
	for _, path := range []string{"", "one.go", "gone.go"} {
		if _, err := ask("", path); fault.KindOf(err) != fault.Usage {
			t.Errorf("about %q of two trees: %v", path, err)
		}
	}
	for _, tt := range [][3]string{{"", filepath.Join(b, "two.go"), "two.go"}, {b, "two.go", "two.go"}, {b, ".", "."}, {b, "no*.go", ""}, {b, "one.go", ""}} {
		if got, err := ask(tt[0], tt[1]); got != tt[2] || err != nil {
			t.Errorf("about %q of %q: %q, %v, want %q", tt[1], tt[0], got, err, tt[2])
		}
	}
	if _, err := ask(b, filepath.Join(a, "one.go")); fault.KindOf(err) != fault.Usage {
		t.Errorf("about a file of another tree: %v", err)
	}
}

// Paths are divided among the repositories that have them; a link out of one is told from
// nothing by nobody.
func TestParts(t *testing.T) {
	top, secret := tree(t, "a/sub/one.go", "a/both.go", "b/both.go"), tree(t, "key.go")
	a, b := filepath.Join(top, "a"), filepath.Join(top, "b")
	if err := os.Symlink(secret, filepath.Join(a, "out")); err != nil {
		t.Fatal(err)
	}
	// The tree by another name: where a temporary folder is behind a link, every path is.
	if err := os.Symlink(top, filepath.Join(secret, "alias")); err != nil {
		t.Fatal(err)
	}
	w := open(t, workspace.Config{WorkDir: top})
	repos, err := w.Ready([]workspace.Repo{{Name: "a", Root: a}, {Name: "b", Root: b}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		paths []string
		want  string
		kind  fault.Kind
	}{
		{nil, "a[] b[]", 0},
		{[]string{"both.go"}, "a[both.go] b[both.go]", 0},
		{[]string{"sub"}, "a[sub]", 0},
		{[]string{"sub/one.go", filepath.Join(b, "both.go")}, "a[sub/one.go] b[both.go]", 0},
		{[]string{a}, "a[.]", 0},
		{[]string{filepath.Join(secret, "alias", "a", "sub")}, "a[sub]", 0},
		{[]string{"gone.go"}, "", fault.NotFound},
		{[]string{"out"}, "", fault.NotFound},
		{[]string{"out/key.go"}, "", fault.NotFound},
		{[]string{"../b/both.go"}, "", fault.Usage},
		{[]string{secret}, "", fault.Usage},
		{[]string{filepath.Join(secret, "gone")}, "", fault.Usage},
	} {
		got, err := w.Parts(repos, tt.paths)
		var said []string
		for _, p := range got {
			var in []string
			for _, path := range p.Paths {
				rel, _ := filepath.Rel(p.Root, path)
				in = append(in, filepath.ToSlash(rel))
			}
			said = append(said, p.Name+"["+strings.Join(in, " ")+"]")
		}
		if strings.Join(said, " ") != tt.want || kindOf(err) != tt.kind {
			t.Errorf("Parts(%q) = %v, %v, want %s and kind %v", tt.paths, said, err, tt.want, tt.kind)
		}
	}
}

// What a workspace file excludes of a repository is not indexed, and the index of the part
// is not that of the whole.
func TestRules(t *testing.T) {
	top := tree(t, "a/one.go", "a/vendor/two.go", "a/doc/three.go")
	cache := filepath.Join(top, "cache")
	file := write(t, top, "w.yaml", "repositories: [{path: a, include: ['*.go'], exclude: [vendor, doc/**]}]")
	w := open(t, workspace.Config{WorkDir: top, CacheDir: cache})
	repos, err := w.Repos(workspace.Trees{Workspace: file}, "")
	if err != nil || len(repos) != 1 || repos[0].Whole() {
		t.Fatalf("%+v, %v", repos, err)
	}
	for path, want := range map[string]bool{"one.go": true, "x/y.go": true, "one.md": false, "vendor/two.go": false, "doc/three.go": false} {
		if got := repos[0].Has(path); got != want {
			t.Errorf("Has(%s) = %v", path, got)
		}
	}
	var whole *workspace.Repo
	if !whole.Has("x") || !whole.Whole() {
		t.Error("a tree without rules lacks something")
	}
	if got := paths(t, w, resolved(t, w, workspace.Place{Root: repos[0].Root}), workspace.Whole); !reflect.DeepEqual(got, []string{"one.go"}) {
		t.Errorf("the part has %q", got)
	}
	if list, err := os.ReadDir(cache); len(list) != 1 || err != nil {
		t.Errorf("the index of the part: %v, %v", list, err)
	}
	other := open(t, workspace.Config{WorkDir: top, CacheDir: cache})
	if got := paths(t, other, resolved(t, other, workspace.Place{Root: repos[0].Root}), workspace.Whole); len(got) != 3 {
		t.Errorf("the whole has %q", got)
	}
}

// An index is where it was named, or in the tree; what lies there and was not made by this
// user on this machine is neither read nor written.
func TestIndexDir(t *testing.T) {
	id, err := safe.OpenIdentity(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := safe.OpenIdentity(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder := func(t *testing.T, root string, by safe.Identity) {
		t.Helper()
		r, err := safe.OpenRoot(root)
		if err == nil {
			defer r.Close()
			err = by.Folder(r, ".assay/index")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		prepare func(t *testing.T, root string)
		place   workspace.Place
		config  func(c *workspace.Config)
		at      string // below the tree's folder; "cache": in the cache
	}{
		"nothing there":   {at: ".assay/index"},
		"our own":         {prepare: func(t *testing.T, root string) { folder(t, root, id) }, at: ".assay/index"},
		"somebody else's": {prepare: func(t *testing.T, root string) { folder(t, root, stranger) }, at: "cache"},
		"a file":          {prepare: func(t *testing.T, root string) { write(t, root, ".assay/index", "") }, at: "cache"},
		"a link": {prepare: func(t *testing.T, root string) {
			if err := os.Symlink(t.TempDir(), filepath.Join(root, ".assay")); err != nil {
				t.Fatal(err)
			}
		}, at: "cache"},
		"what is ignored too":   {place: workspace.Place{NoIgnore: true}, at: ".assay/index-all"},
		"named":                 {place: workspace.Place{IndexDir: "named"}, at: "named"},
		"named by the settings": {config: func(c *workspace.Config) { c.IndexDir = "set" }, at: "set"},
		"of another tree":       {prepare: func(t *testing.T, root string) { folder(t, root, stranger) }, place: workspace.Place{NoIgnore: true}, at: ".assay/index-all"},
	} {
		t.Run(name, func(t *testing.T) {
			root := tree(t, "one.go")
			c := workspace.Config{WorkDir: root, CacheDir: filepath.Join(t.TempDir(), "cache"), Owner: func() (safe.Identity, error) { return id, nil }}
			if tt.prepare != nil {
				tt.prepare(t, root)
			}
			if tt.config != nil {
				tt.config(&c)
			}
			w := open(t, c)
			e, err := w.Open(t.Context(), resolved(t, w, tt.place))
			if err != nil {
				t.Fatal(err)
			}
			want := filepath.Join(root, filepath.FromSlash(tt.at))
			if tt.at == "cache" {
				want = c.CacheDir
			}
			if !strings.HasPrefix(e.IndexDir(), want) || tt.at != "cache" && e.IndexDir() != want || e.Unusable() != "" {
				t.Errorf("the index is in %s (%s), want %s", e.IndexDir(), e.Unusable(), want)
			}
		})
	}
	server := open(t, workspace.Config{WorkDir: tree(t, "one.go"), Server: true})
	if _, err := server.Open(t.Context(), resolved(t, server, workspace.Place{IndexDir: "x"})); fault.KindOf(err) != fault.Usage {
		t.Errorf("a client names where a server writes: %v", err)
	}
}

// Repositories that are asked together have an index each, also where one folder is named
// for indexes: in one, each question would throw out what the other needs.
func TestIndexDirOfSeveral(t *testing.T) {
	top := tree(t, "a/one.go", "b/two.go")
	roots := []string{filepath.Join(top, "a"), filepath.Join(top, "b")}
	for name, dir := range map[string]string{"of the settings": "set", "of the call": ""} {
		w := open(t, workspace.Config{WorkDir: top, IndexDir: dir, Roots: roots})
		place := workspace.Place{}
		if dir == "" {
			place.IndexDir = "named"
		}
		for _, d := range []workspace.Depth{workspace.Whole, workspace.Frozen} {
			for i, root := range roots {
				place.Root = root
				if got, want := paths(t, w, resolved(t, w, place), d), []string{"one.go", "two.go"}[i]; !reflect.DeepEqual(got, []string{want}) {
					t.Errorf("%s, depth %d: %s has %q", name, d, root, got)
				}
			}
			for _, e := range []int{0, 1} {
				place.Root = roots[e]
				opened, err := w.Open(t.Context(), resolved(t, w, place))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := opened.Sync(t.Context(), engine.Options{}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	one := open(t, workspace.Config{WorkDir: top, IndexDir: "one", Roots: roots[:1]})
	e, err := one.Open(t.Context(), resolved(t, one, workspace.Place{}))
	if err != nil || e.IndexDir() != filepath.Join(top, "one") {
		t.Errorf("a tree that is alone has its index elsewhere: %v", err)
	}
}

// What an engine cannot be given is told, and nothing is opened.
func TestOpenFails(t *testing.T) {
	root := tree(t, "one.go")
	none := fault.New(fault.Usage, "no such provider")
	w := open(t, workspace.Config{WorkDir: root, Embedder: func(provider string) (embed.Provider, error) {
		if provider != "" {
			return nil, none
		}
		return nil, nil
	}})
	if _, err := w.Open(t.Context(), resolved(t, w, workspace.Place{Embed: "odd"})); err != none {
		t.Errorf("an embedder that there is not: %v", err)
	}
	if _, err := w.Open(t.Context(), resolved(t, w, workspace.Place{})); err != nil {
		t.Error(err)
	}
	for abs, want := range map[string]string{filepath.Join(root, "sub", "x"): filepath.Join("sub", "x"), filepath.Dir(root): filepath.Dir(root), root: "."} {
		if got := w.Display(abs); got != want {
			t.Errorf("Display(%s) = %s, want %s", abs, got, want)
		}
	}
}

// A server brings repositories up to date as often as they say, tells what went wrong, and
// ends with its context or when it is closed.
func TestRefresh(t *testing.T) {
	root := tree(t, "one.go")
	w := workspace.New(workspace.Config{WorkDir: root, Repos: []workspace.Repo{
		{Name: "gone", Root: filepath.Join(root, "gone"), URL: "https://host.example/x", Refresh: time.Nanosecond},
		{Name: "never", Root: root, URL: "https://host.example/y"},
	}})
	ctx, cancel := context.WithCancel(t.Context())
	said := make(chan string)
	w.Refresh(ctx, func(format string, args ...any) {
		if err, ok := args[0].(error); ok {
			select {
			case said <- err.Error():
			case <-ctx.Done():
			}
		}
	})
	for range 2 {
		if got := <-said; !strings.Contains(got, "repository gone was not fetched yet") {
			t.Errorf("told %q", got)
		}
	}
	cancel()
	if err := w.Close(); err != nil { // waits for what is under way
		t.Error(err)
	}
}
