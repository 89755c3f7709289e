package discover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plant writes files, given as "path" or "path: text", and returns their root.
// A path that ends with a slash is a folder; "a -> b" is a symbolic link.
func plant(tb testing.TB, files ...string) string {
	tb.Helper()
	root := tb.TempDir()
	for _, f := range files {
		if from, to, ok := strings.Cut(f, " -> "); ok {
			mkdir(tb, filepath.Dir(filepath.Join(root, from)))
			if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
				tb.Skip(err)
			}
			continue
		}
		name, text, _ := strings.Cut(f, ": ")
		p := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			mkdir(tb, p)
			continue
		}
		write(tb, p, text)
	}
	return root
}

func mkdir(tb testing.TB, path string) {
	tb.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		tb.Fatal(err)
	}
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	mkdir(tb, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func mustWalk(tb testing.TB, root string) *Tree {
	tb.Helper()
	tree, err := Walk(context.Background(), root, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return tree
}

func TestWalk(t *testing.T) {
	repo := []string{".git/HEAD", ".git/objects/", ".git/refs/"}
	tests := []struct {
		name    string
		files   []string
		root    string // below the files' root
		want    []string
		skipped map[Reason]int
	}{
		{name: "hidden files are files", files: []string{".github/workflows/ci.yml", ".golangci.yml", "a.go"},
			want: []string{".github/workflows/ci.yml", ".golangci.yml", "a.go"}},
		{name: "never read", files: []string{"a/node_modules/x/i.js", "b/.hg/x", ".svn/x", ".jj/x", ".assay/index/x", ".ck/x", "__pycache__/a.pyc", "c/.tox/x", "d/CVS/x", "ok"},
			want: []string{"ok"}, skipped: map[Reason]int{byRule: 3}},
		{name: "python environments", files: []string{"env/pyvenv.cfg", "env/lib/x.py", ".venv/x.py", "venv/pyvenv.cfg/x.py"},
			want: []string{".venv/x.py", "venv/pyvenv.cfg/x.py"}, skipped: map[Reason]int{byRule: 1}},
		{name: "links", files: []string{"a.go", "b.go -> a.go", "out -> ..", "dir/x", "other -> dir", "gone -> nowhere"},
			want: []string{"a.go", "dir/x"}, skipped: map[Reason]int{symlink: 4}},
		{name: "secrets", files: []string{".env", ".env.local", ".env.example", "id_rsa", "id_rsa.pub", "tls/server.KEY", ".aws/credentials", "credentials", "a.pem"},
			want: []string{".env.example", "credentials", "id_rsa.pub"}, skipped: map[Reason]int{secret: 6}},
		{name: "ignored at every level", files: append([]string{".gitignore: *.log\nbuild/\n", "a.log", "x/b.log", "x/.gitignore: !b.log\n", "build/x", "y/build/x", "z/build: a file"}, repo...),
			want: []string{".gitignore", "x/.gitignore", "x/b.log", "z/build"}, skipped: map[Reason]int{byRule: 3}},
		{name: "without git", files: []string{".gitignore: *.log\n/*\n", "a.log", "sub/.gitignore: *\n", "sub/b.go", "sub/in/.git/HEAD", "sub/in/.gitignore: *.o\n", "sub/in/c.o"},
			want: []string{".gitignore", "a.log", "sub/.gitignore", "sub/b.go", "sub/in/.gitignore"}, skipped: map[Reason]int{byRule: 1}},
		{name: "three kinds", files: append([]string{".gitignore: *.a\n*.b\n", ".ckignore: *.c\n!x.b\n!x.a\n", ".assayignore: *.d\nx.a\n", "x.a", "x.b", "x.c", "x.d", "sub/.assayignore: !*.c", "sub/y.c"}, repo...),
			want: []string{".assayignore", ".ckignore", ".gitignore", "sub/.assayignore", "sub/y.c", "x.b"}, skipped: map[Reason]int{byRule: 3}},
		{name: "exclude", files: append([]string{".git/info/exclude: /a\n*.o\n", "a", "b/a", "b/x.o"}, repo...),
			want: []string{"b/a"}, skipped: map[Reason]int{byRule: 2}},
		{name: "from above the root", files: append([]string{".gitignore: *.o\n/sub/x\n", "sub/.gitignore: /deep/y\n", "sub/deep/x", "sub/deep/y", "sub/deep/z.o"}, repo...), root: "sub/deep",
			want: []string{"x"}, skipped: map[Reason]int{byRule: 2}},
		{name: "a root that is ignored", files: append([]string{".gitignore: build\n*.o\n", "build/x/.gitignore: *.p\n", "build/x/a.o", "build/x/a.p"}, repo...), root: "build/x",
			want: []string{".gitignore", "a.o"}, skipped: map[Reason]int{byRule: 1}},
		{name: "ripgrep's own", files: []string{".ignore: *.a\n!x.c\n", ".ckignore: *.c\n!x.a\n", ".gitignore: *.b\n", ".ignored: *\n", "x.a", "y.a", "x.b", "x.c"},
			want: []string{".ckignore", ".gitignore", ".ignore", ".ignored", "x.a", "x.b"}, skipped: map[Reason]int{byRule: 2}},
		{name: "a repository within", files: append([]string{".gitignore: *.o\n", ".assayignore: *.p\n", "sub/.git: gitdir: ../x\n", "sub/a.o", "sub/b.p", "sub/.gitignore: *.q\n", "sub/c.q", "sub/in/a.o"}, repo...),
			want: []string{".assayignore", ".gitignore", "sub/.gitignore", "sub/a.o", "sub/in/a.o"}, skipped: map[Reason]int{byRule: 2}},
		{name: "a linked work tree", files: []string{"main/.git/HEAD", "main/.git/info/exclude: *.o\n", "main/.git/worktrees/w/HEAD", "main/.git/worktrees/w/commondir: ../..\n",
			"w/.git: gitdir: ../main/.git/worktrees/w\n", "w/a.o", "w/a.c"}, root: "w",
			want: []string{"a.c"}, skipped: map[Reason]int{byRule: 1}},
		{name: "an ignore file that is a link", files: []string{"rules: *.o\n", ".gitignore -> rules", "a.o"},
			want: []string{"a.o", "rules"}, skipped: map[Reason]int{symlink: 1}},
		{name: "odd names", files: []string{"a b", "ä", "\xff\xfe", "new\nline", "-rf", "*"},
			want: []string{"*", "-rf", "a b", "new\nline", "ä", "\xff\xfe"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := filepath.Join(plant(t, tt.files...), tt.root)
			tree := mustWalk(t, root)
			if d := cmp.Diff(tt.want, paths(tree)); d != "" {
				t.Errorf("files (-want +got):\n%s", d)
			}
			if tt.skipped == nil {
				tt.skipped = map[Reason]int{}
			}
			if d := cmp.Diff(tt.skipped, tree.Skipped); d != "" {
				t.Errorf("skipped (-want +got):\n%s", d)
			}
			if len(tree.Errors) > 0 {
				t.Errorf("errors: %v", tree.Errors)
			}
			checkIgnored(t, root, paths(tree))
		})
	}
}

// checkIgnored holds that Ignored explains exactly what is not among the walked.
func checkIgnored(t *testing.T, root string, walked []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if why, ok := Ignored(root, rel); ok == slices.Contains(walked, rel) {
			t.Errorf("Ignored(%q) = %q, %v", rel, why, ok)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWalkTellsWhatStatTells(t *testing.T) {
	root := plant(t, "a/x.go: hello", "a/y.go", "z: zz")
	tree := mustWalk(t, root)
	for _, d := range tree.Dirs {
		for _, f := range d.Files {
			st, err := os.Lstat(filepath.Join(root, d.Path, f.Name))
			if err != nil {
				t.Fatal(err)
			}
			if f.Size != st.Size() || f.Mtime != st.ModTime().UnixNano() {
				t.Errorf("%s: %+v, want size %d, mtime %d", f.Name, f, st.Size(), st.ModTime().UnixNano())
			}
		}
	}
	before := tree.Dirs[1].Files[0]
	write(t, filepath.Join(root, "a/new"), "hi")
	if err := os.Rename(filepath.Join(root, "a/new"), filepath.Join(root, "a/x.go")); err != nil {
		t.Fatal(err)
	}
	after := mustWalk(t, root).Dirs[1].Files[0]
	if before.Inode == after.Inode && before.Inode != 0 {
		t.Errorf("inode %d before and after the file was replaced", before.Inode)
	}
}

func TestWalkIsStable(t *testing.T) {
	root := grow(t, 1000)
	var first *Tree
	for _, n := range []int{1, 2, 7} {
		tree, err := Walk(context.Background(), root, Options{Workers: n})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.IsSortedFunc(tree.Dirs, func(a, b Dir) int { return strings.Compare(a.Path, b.Path) }) {
			t.Errorf("%d workers: folders are not in order", n)
		}
		for _, d := range tree.Dirs {
			if !slices.IsSortedFunc(d.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) }) {
				t.Errorf("%d workers: files of %s are not in order", n, d.Path)
			}
		}
		if first == nil {
			first = tree
		} else if d := cmp.Diff(first, tree); d != "" {
			t.Errorf("%d workers differ from 1:\n%s", n, d)
		}
	}
}

func TestWalkOneLargeFolder(t *testing.T) {
	root := t.TempDir()
	var want []string
	for i := range 800 {
		name := fmt.Sprintf("a file with a rather long name, so that one read is not enough for all, %05d", i)
		write(t, filepath.Join(root, name), "")
		want = append(want, name)
	}
	if d := cmp.Diff(want, paths(mustWalk(t, root))); d != "" {
		t.Error(d)
	}
}

func TestWalkRefuses(t *testing.T) {
	root := plant(t, "file")
	for _, bad := range []string{filepath.Join(root, "none"), filepath.Join(root, "file")} {
		if tree, err := Walk(context.Background(), bad, Options{}); err == nil {
			t.Errorf("Walk(%q) = %v, want an error", bad, tree)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Walk(ctx, root, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Walk with a context that ended: %v", err)
	}
}

// TestWalkTooDeep holds that a path longer than the system takes costs an error,
// not the walk.
func TestWalkTooDeep(t *testing.T) {
	root := plant(t, "a.go")
	r, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { r.Close() }()
	name := strings.Repeat("d", 200)
	for range 25 {
		if err := r.Mkdir(name, 0o755); err != nil {
			t.Skip(err)
		}
		next, err := r.OpenRoot(name)
		if err != nil {
			t.Skip(err)
		}
		r.Close()
		r = next
	}
	tree := mustWalk(t, root)
	if d := cmp.Diff([]string{"a.go"}, paths(tree)); d != "" {
		t.Error(d)
	}
	if tree.Skipped[Unreadable] != 1 || len(tree.Errors) != 1 {
		t.Errorf("skipped %v, errors %v; want one", tree.Skipped, tree.Errors)
	}
}

// A walk says which rules take how much away, and which do not count.
func TestRules(t *testing.T) {
	root := plant(t, ".git/HEAD", ".gitignore: # all\n*.log\n/*\n", ".assayignore: !x\n", "a", "b", "c/d", "x/y.log", "x/z.log", "x/w")
	tree := mustWalk(t, root)
	if d := cmp.Diff([]Rule{{".gitignore", 3, 5}, {".gitignore", 2, 2}}, tree.Rules); d != "" || tree.Unheeded != nil {
		t.Errorf("rules (-want +got)\n%s\nunheeded %v", d, tree.Unheeded)
	}
	all, err := Walk(t.Context(), root, Options{All: true})
	if got := paths(all); err != nil || len(got) != 8 || all.Rules != nil {
		t.Errorf("without rules %v, %v, %v", got, all.Rules, err)
	}
	if tree = mustWalk(t, plant(t, ".gitignore: /*\n", "a", "s/.gitignore: b\n", "s/b")); len(paths(tree)) != 4 || tree.Rules != nil {
		t.Errorf("outside a work tree %v, %v", paths(tree), tree.Rules)
	}
	if d := cmp.Diff([]string{".gitignore", "s/.gitignore"}, tree.Unheeded); d != "" {
		t.Errorf("unheeded (-want +got)\n%s", d)
	}
}

func TestIgnored(t *testing.T) {
	if why, ok := Ignored(plant(t, ".gitignore: *\n", "a.go"), "a.go"); ok {
		t.Errorf("a rule of git outside its work trees counts: %s", why)
	}
	root := plant(t, ".git/HEAD", ".gitignore: *.log\n\n/dist\n", "a.log", "dist/x/y.go", "sub/.assayignore: # ours\nz*\n", "sub/z.go", "ok.go",
		"node_modules/m/i.js", ".env", "link -> ok.go", "env/pyvenv.cfg", "env/a.py")
	tests := []struct{ path, want string }{
		{"a.log", "ignored by .gitignore, line 1"},
		{"dist/x/y.go", "dist is ignored by .gitignore, line 3"},
		{"sub/z.go", "ignored by sub/.assayignore, line 2"},
		{"ok.go", ""},
		{"none.log", ""},
		{"../x", ""},
		{"", ""},
		{"node_modules/m/i.js", "node_modules is a folder that is never read"},
		{".env", "left out because its name says that it holds a secret"},
		{"link", "a symbolic link"},
		{"env/a.py", "in a Python environment"},
		{".git/HEAD", ".git is a folder that is never read"},
	}
	for _, tt := range tests {
		got, ok := Ignored(root, tt.path)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("Ignored(%q) = %q, %v, want %q", tt.path, got, ok, tt.want)
		}
	}
}

// TestHostilePatterns holds that no ignore file makes a walk slow.
func TestHostilePatterns(t *testing.T) {
	name := strings.Repeat("a", 250)
	// What it must not do is try every way in which the stars can match, of which
	// there are more than can be tried: then it does not end.
	mustWalk(t, plant(t, strings.Repeat("a/", 50)+name,
		".gitignore: "+strings.Repeat("*a", 120)+"b\n"+strings.Repeat("**/a", 500)+"b\n/"+strings.Repeat("**/*a*/", 200)+"b\n"+strings.Repeat("[", 5000)+"\n"))
}

func FuzzPatterns(f *testing.F) {
	f.Add("*.o\n!a/**/b\\ \n[[:alpha:]-z]/\n", "a/x/b c", true)
	f.Add("[a-\\]]\n**/\n/\n//\n!\n\\", "a", false)
	f.Fuzz(func(t *testing.T, text, rel string, isDir bool) {
		p := parsePatterns([]byte(text))
		if p == nil || rel == "" {
			return
		}
		// The lookup tables answer as asking each line in turn does.
		name := rel[strings.LastIndexByte(rel, '/')+1:]
		var want *pattern
		for i := range p.all {
			if p.all[i].match([]byte(rel), []byte(name), isDir) {
				want = &p.all[i]
			}
		}
		if got := p.match([]byte(rel), []byte(name), isDir); got != want {
			t.Errorf("match(%q) under %q = %+v, want %+v", rel, text, got, want)
		}
	})
}
