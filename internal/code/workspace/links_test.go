//go:build unix

package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A path is asked about where it stands: a link out of a project is refused, and the same place
// by its own name is not. A pipe or a device is no place to ask about.
func TestLeadsOut(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(rel string) string { return filepath.Join(top, filepath.FromSlash(rel)) }
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"home/a/src", "home/b", "home/c", "data"} {
		do(os.MkdirAll(at(dir), 0o755))
	}
	for _, name := range []string{"home/a/src/own.py", "home/b/x.py", "data/y.py"} {
		do(os.WriteFile(at(name), nil, 0o644))
	}
	for link, to := range map[string]string{"home/a/l.py": "../b/x.py", "home/a/ld": "../b", "home/a/in.py": "src/own.py", "home/a/zero.py": "/dev/zero", "home/a/twice": "ld",
		"home/c/l.py": "../b/x.py", "home/linked": "../data", "home/here": "a"} {
		do(os.Symlink(to, at(link)))
	}
	do(syscall.Mkfifo(at("home/a/pipe"), 0o644))
	open := func(dir string) *Workspace {
		w := New(Config{WorkDir: dir, Home: at("home")})
		t.Cleanup(func() { w.Close() })
		return w
	}
	w := open(at("home/a"))
	tests := []struct {
		path, root string // what it resolves to; "" is refused
		says       string
	}{
		{"src/own.py", "home/a/src", ""}, // nobody began a project above it
		{"../b/x.py", "home/b", ""},
		{at("home/b"), "home/b", ""},
		{"in.py", "home/a/src", ""},
		{at("home/linked/y.py"), "data", ""}, // a link in the user's own folder is the user's
		{"l.py", "", "l.py leads out of the project " + at("home/a") + ": " + at("home/a/l.py") + " is a link to " + at("home/b/x.py")},
		{at("home/a/l.py"), "", "leads out of the project"},
		{at("home/here/l.py"), "", "leads out of the project"},
		{"ld", "", "leads out of the project"},
		{"ld/x.py", "", "leads out of the project"},
		{"twice/x.py", "", "leads out of the project"},
		{"../c/l.py", "", "leads out of the project " + at("home/c")},
		{"zero.py", "", "is a link to /dev/zero"},
		{"/dev/null", "", "is a device, neither a file nor a folder"},
		{"pipe", "", "is a pipe, neither a file nor a folder"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			got, err := w.Resolve(Place{}, []string{tt.path})
			if tt.root != "" && (err != nil || got.Root != at(tt.root)) {
				t.Errorf("the project is %s, %v, want %s", got.Root, err, at(tt.root))
			}
			if tt.root == "" && (fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), tt.says) || fault.HintOf(err) == "") {
				t.Errorf("%+v, %v, want an error that says %q, and what to do", got, err, tt.says)
			}
		})
	}
	// A project that is named as one may be named through a link, but not through one of the
	// project that one stands in.
	for root, want := range map[string]string{at("home/linked"): "data", at("home/c/l.py"): "", "ld": "", "../b": "home/b"} {
		got, err := w.Resolve(Place{Root: root}, nil)
		if (err == nil) != (want != "") || err == nil && got.Root != at(want) {
			t.Errorf("--root %s: %s, %v, want %q", root, got.Root, err, want)
		}
	}
	// The user may have gone to the project through a link.
	if got, err := open(at("home/here")).Resolve(Place{}, []string{"in.py"}); err != nil || got.Root != at("home/a/src") {
		t.Errorf("behind the link that was gone through: %s, %v", got.Root, err)
	}
	if _, err := open(at("home/here")).Resolve(Place{}, []string{"l.py"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("behind the link that was gone through a link leads out: %v", err)
	}
}

// An answer is limited to paths of its tree: one outside is refused, for otherwise the answer
// would say that there is nothing.
func TestFilters(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(top, "a")
	for _, dir := range []string{"a/src", "b"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../b", filepath.Join(root, "ld")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("src", filepath.Join(root, "alias")); err != nil {
		t.Fatal(err)
	}
	for _, roots := range [][]string{nil, {root}} {
		w := New(Config{WorkDir: root, Roots: roots})
		t.Cleanup(func() { w.Close() })
		for path, want := range map[string]string{"src": "src", "./src/": "src", "/src": "src", filepath.Join(root, "src"): "src", "alias": "src", "gone": "gone", "*.go": "*.go", "/../**": "/../**",
			"..": "", "../b": "", "ld": "", "/etc": "", "/nowhere": "", filepath.Join(top, "b"): ""} {
			got, err := w.Filters(root, []string{path})
			if want == "" && fault.KindOf(err) != fault.Usage || want != "" && (err != nil || got[0] != want) {
				t.Errorf("served %q: %s is %q, %v, want %q", roots, path, got, err, want)
			}
		}
	}
}
