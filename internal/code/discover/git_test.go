package discover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestAgreesWithGit holds walks to what git check-ignore says of random trees
// under random ignore files.
func TestAgreesWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	tmp := t.TempDir()
	home := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		root := filepath.Join(tmp, fmt.Sprint(n))
		defer os.RemoveAll(root)
		files := randomTree(rt, root)
		below := rapid.SampledFrom(slices.Compact(dirsOf(files))).Draw(rt, "root")
		ignored := gitIgnores(rt, root, home, files, dirsOf(files))

		if ignored[below+"/"] {
			return // an ignored folder that is asked for is walked by its own rules
		}
		var want []string
		for _, f := range files {
			if rel, ok := cutDir(f, below); ok && !ignored[f] {
				want = append(want, rel)
			}
		}
		slices.Sort(want)
		tree, err := Walk(context.Background(), filepath.Join(root, below), Options{Workers: 2})
		if err != nil {
			rt.Fatal(err)
		}
		got := paths(tree)
		if d := cmp.Diff(want, got); d != "" {
			rt.Errorf("Walk of %q (-git +ours):\n%s", below, d)
		}
		for _, f := range files {
			rel, ok := cutDir(f, below)
			if !ok {
				continue
			}
			if why, out := Ignored(filepath.Join(root, below), rel); out != ignored[f] {
				rt.Errorf("Ignored(%q, %q) = %q, %v; git says %v", below, rel, why, out, ignored[f])
			}
		}
	})
}

func cutDir(file, dir string) (string, bool) {
	if dir == "." {
		return file, true
	}
	return strings.CutPrefix(file, dir+"/")
}

func dirsOf(files []string) []string {
	dirs := []string{"."}
	for _, f := range files {
		for d := path.Dir(f); d != "."; d = path.Dir(d) {
			dirs = append(dirs, d)
		}
	}
	slices.Sort(dirs)
	return dirs
}

func paths(t *Tree) []string {
	var out []string
	for _, d := range t.Dirs {
		for _, f := range d.Files {
			out = append(out, path.Join(d.Path, f.Name))
		}
	}
	slices.Sort(out)
	return out
}

var (
	someNames = []string{"a", "b", "ab", "abc", "a.o", "b.o", "foo", "foo.log", "x y", "a ", "#c", "!d", "[z]", "ä", `a\b`, ".h", "a.b.o", "-", "^", "A1"}
	pieces    = []string{"a", "b", "ab", "foo", ".o", ".log", "*", "*", "**", "/", "/", "/", "**/", "/**", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[]-a]",
		"[[:alpha:]]", "[[:digit:]z]", "[[:nope:]]", "[", "]", "-", `\`, `\*`, `\ `, " ", "!", "#", "\t", ".", "x", "y", "ä", "^", "a.b", "*.o", "A1", "\r", "***"}
)

// TestPatternsAgreeWithGit asks git about many ignore files at once. The paths
// need not exist for that.
func TestPatternsAgreeWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	tmp := t.TempDir()
	home := t.TempDir()
	n := 0
	sign := rapid.SampledFrom([]string{"a", "b", "c", "d", "a", "b", "c", "-", "]", "[", "!", "^", ":", `\`, " ", ".o", "/", "*"})
	name := rapid.Custom(func(rt *rapid.T) string {
		return strings.ReplaceAll(strings.Join(rapid.SliceOfN(sign, 1, 4).Draw(rt, "name"), ""), "/", "")
	})
	in := rapid.Custom(func(rt *rapid.T) string { // of a class
		return "[" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "-", "-", "!", "^", "]", `\`, `\]`, "[", ":", "[:alpha:]", "[:punct:]", "/", "d"}), 1, 5).Draw(rt, "class"), "") + "]"
	})
	piece := rapid.OneOf(sign, sign, rapid.SampledFrom([]string{"*", "**", "?", "**/", "/**/", "/**", "*.o", `\*`}), in)
	line := rapid.Custom(func(rt *rapid.T) string {
		return rapid.SampledFrom([]string{"", "", "!", "/"}).Draw(rt, "start") + strings.Join(rapid.SliceOfN(piece, 1, 4).Draw(rt, "pieces"), "") +
			rapid.SampledFrom([]string{"", "", "", "/", " "}).Draw(rt, "end")
	})
	rapid.Check(t, func(rt *rapid.T) {
		n++
		root := filepath.Join(tmp, fmt.Sprint(n))
		defer os.RemoveAll(root)
		repository(rt, root)
		var ask []string
		for i := range 40 {
			dir := filepath.Join(root, fmt.Sprint(i))
			lines := strings.Join(rapid.SliceOfN(line, 1, 4).Draw(rt, "lines"), "\n")
			write(t, filepath.Join(dir, ".gitignore"), lines)
			for range 12 {
				if p := path.Join(rapid.SliceOfN(name, 1, 4).Draw(rt, "path")...); p != "." && p != "" {
					ask = append(ask, fmt.Sprint(i)+"/"+p)
				}
			}
		}
		ignored := gitIgnores(rt, root, home, ask, nil)
		for _, p := range ask {
			dir, rel, _ := strings.Cut(p, "/")
			text, err := os.ReadFile(filepath.Join(root, dir, ".gitignore"))
			if err != nil {
				rt.Fatal(err)
			}
			r := (*rules)(nil).with(text, 0, "", true)
			got := false
			for at := 0; at < len(rel) && !got; {
				end := at + strings.IndexByte(rel[at:]+"/", '/')
				got = r.ignored([]byte(rel[:end]), at, end < len(rel))
				at = end + 1
			}
			if got != ignored[p] {
				rt.Errorf("%q under %q: ignored is %v, git says %v", rel, text, got, ignored[p])
			}
		}
	})
}

// repository makes root a repository.
func repository(rt *rapid.T, root string) {
	for _, d := range []string{".git/objects", ".git/refs", ".git/info"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			rt.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, ".git/HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		rt.Fatal(err)
	}
}

// randomTree writes files and ignore files below root and returns the paths of
// all of them.
func randomTree(rt *rapid.T, root string) []string {
	must := func(err error) {
		if err != nil {
			rt.Fatal(err)
		}
	}
	repository(rt, root)
	name := rapid.SampledFrom(someNames)
	dir := rapid.SliceOfN(name, 0, 3)
	all := map[string]bool{}
	put := func(rel, text string) {
		p := filepath.Join(root, filepath.FromSlash(rel))
		if os.MkdirAll(filepath.Dir(p), 0o755) != nil {
			return // a file has the folder's name
		}
		if os.WriteFile(p, []byte(text), 0o644) == nil {
			all[rel] = true
		}
	}
	for range rapid.IntRange(1, 15).Draw(rt, "files") {
		put(path.Join(append(dir.Draw(rt, "dir"), name.Draw(rt, "name"))...), "")
	}
	line := rapid.Custom(func(rt *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 5).Draw(rt, "pieces") {
			b.WriteString(rapid.SampledFrom(pieces).Draw(rt, "piece"))
		}
		return b.String()
	})
	end := rapid.SampledFrom([]string{"\n", "\n", "\r\n"})
	lines := func() string {
		var b strings.Builder
		for range rapid.IntRange(1, 5).Draw(rt, "lines") {
			b.WriteString(line.Draw(rt, "line") + end.Draw(rt, "end"))
		}
		text := b.String()
		if rapid.Bool().Draw(rt, "unfinished") {
			text = strings.TrimSuffix(text, "\n")
		}
		return text
	}
	for range rapid.IntRange(1, 3).Draw(rt, "ignore files") {
		put(path.Join(append(dir.Draw(rt, "dir"), ".gitignore")...), lines())
	}
	if rapid.Bool().Draw(rt, "exclude") {
		must(os.WriteFile(filepath.Join(root, ".git/info/exclude"), []byte(lines()), 0o644))
	}
	var files []string
	for f := range all {
		files = append(files, f)
	}
	slices.Sort(files)
	return files
}

// gitIgnores asks git which of the files, and of the folders with a slash, are
// ignored.
func gitIgnores(rt *rapid.T, root, home string, files, dirs []string) map[string]bool {
	ask := slices.Clone(files)
	for _, d := range dirs {
		if d != "." {
			ask = append(ask, d+"/")
		}
	}
	cmd := exec.Command("git", "check-ignore", "--stdin", "-z", "--no-index")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	cmd.Stdin = strings.NewReader(strings.Join(ask, "\x00"))
	var msg strings.Builder
	cmd.Stderr = &msg
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		rt.Fatalf("git check-ignore: %v: %s", err, msg.String())
	}
	ignored := map[string]bool{}
	for p := range strings.SplitSeq(string(out), "\x00") {
		ignored[p] = true
	}
	return ignored
}
