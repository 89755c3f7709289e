package source_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/docs/source"
)

func open(t *testing.T, address string, o source.Options) (*source.Tree, error) {
	t.Helper()
	if o.Temp == "" {
		o.Temp = t.TempDir()
	}
	if o.WorkDir == "" {
		o.WorkDir = t.TempDir()
	}
	tree, err := source.Open(context.Background(), address, o)
	if tree != nil {
		t.Cleanup(func() {
			if err := tree.Close(); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(o.Temp); len(left) > 0 {
				t.Errorf("Close left %v", left)
			}
		})
	} else if left, _ := os.ReadDir(o.Temp); len(left) > 0 {
		t.Errorf("a failed Open left %v", left)
	}
	return tree, err
}

func files(t *testing.T, tree *source.Tree) []string {
	t.Helper()
	var out []string
	if err := fs.WalkDir(tree.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(p, ".git/") {
			out = append(out, p)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRefusedAddresses(t *testing.T) {
	for _, tc := range []struct {
		address string
		kind    fault.Kind
	}{
		{"", fault.Usage},
		{"--upload-pack=touch x", fault.Usage},
		{"-x", fault.Usage},
		{"ext::sh -c id", fault.Usage},
		{"ext::sh%20-c%20id", fault.Usage},
		{"file:///etc", fault.Usage},
		{"FILE:///etc", fault.Usage},
		{"ftp://host/repo", fault.Usage},
		{"https://user:secret@host/org/repo", fault.Usage},
		{"no/such/folder/here", fault.NotFound},
		{"npm:../../x", fault.Usage},
		{"npm:-x y", fault.Usage},
	} {
		_, err := open(t, tc.address, source.Options{})
		if fault.KindOf(err) != tc.kind || fault.HintOf(err) == "" {
			t.Errorf("Open(%q) = %v of kind %d, want kind %d with a hint", tc.address, err, fault.KindOf(err), tc.kind)
		}
		if err != nil && strings.Contains(err.Error()+fault.HintOf(err), "secret") {
			t.Errorf("Open(%q) repeats the password: %v", tc.address, err)
		}
	}
}

func TestFileThatIsNoText(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"doc.deb": "!<arch>\ndebian-binary   \xfd7zXZ\x00", "page.txt": "# Größe\n", "empty.md": ""} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := fault.Kind(0)
		if name == "doc.deb" {
			want = fault.Usage
		}
		if _, err := open(t, path, source.Options{}); err == nil && want != 0 || err != nil && (fault.KindOf(err) != want || fault.HintOf(err) == "") {
			t.Errorf("Open(%s) = %v, want kind %d", name, err, want)
		}
	}
}

// A gitServer serves repositories over HTTP, private ones to nobody.
func gitServer(t *testing.T) (url, repo string) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	root := t.TempDir()
	repo = filepath.Join(root, "org", "lib.git")
	run := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command(git, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
			"GIT_COMMITTER_DATE=2026-01-02T03:04:05Z", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	work := filepath.Join(root, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		t.Fatal(err)
	}
	run(work, "init", "-q", "-b", "trunk")
	if err := os.WriteFile(filepath.Join(work, "logo.png"), []byte("a picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	commit := func(text string) {
		if err := os.WriteFile(filepath.Join(work, "README.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		run(work, "add", ".")
		run(work, "commit", "-q", "-m", text)
	}
	commit("one")
	run(work, "tag", "-a", "v1.0.0", "-m", "one")
	commit("two")
	run(work, "tag", "2.0.0")
	run(work, "branch", "next")
	commit("three")
	run(root, "clone", "-q", "--bare", work, repo)
	run(repo, "config", "uploadpack.allowFilter", "true")
	run(repo, "config", "uploadpack.allowAnySHA1InWant", "true")
	run(root, "clone", "-q", "--bare", work, filepath.Join(root, "org", "plain.git"))
	mean := filepath.Join(root, "org", "mean.git")
	run(root, "clone", "-q", "--bare", work, mean)
	run(mean, "config", "uploadpack.allowFilter", "true")
	backend := &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Dir: root,
		Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1"},
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/private/") {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, repo
}

// A repository without a checkout is read at its first branch, a branch or the tag of a version.
func TestBareRepository(t *testing.T) {
	_, repo := gitServer(t)
	for _, c := range []struct {
		name string
		with source.Options
		want string
	}{{"first branch", source.Options{}, "three"}, {"branch", source.Options{Ref: "next"}, "two"}, {"version", source.Options{Version: "1.0.0"}, "one"}, {"range", source.Options{Version: "^1.0.0"}, "one"}} {
		t.Run(c.name, func(t *testing.T) {
			tree, err := open(t, repo, c.with)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := fs.ReadFile(tree.FS(), "README.md"); err != nil || string(text) != c.want || tree.ID != "/local/lib" || len(tree.Commit) != 40 {
				t.Errorf("%q, %+v (%v), want %q", text, tree, err, c.want)
			}
		})
	}
	if _, err := open(t, repo, source.Options{Version: "9"}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a version that is not there: %v", err)
	}
}

// The commit of a folder is that of the repository around it, unless the folder is of a dependency.
func TestCommitOfFolder(t *testing.T) {
	_, repo := gitServer(t)
	work := filepath.Join(filepath.Dir(filepath.Dir(repo)), "work")
	for below, hasCommit := range map[string]bool{"docs": true, "node_modules/lib": false, ".venv/lib/python3.12/site-packages/lib": false, "my_node_modules": true} {
		t.Run(below, func(t *testing.T) {
			dir := filepath.Join(work, filepath.FromSlash(below))
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			tree, err := open(t, dir, source.Options{})
			if err != nil || (tree.Commit != "") != hasCommit {
				t.Errorf("commit %q, %v", tree.Commit, err)
			}
		})
	}
}

// A folder of a checkout is read as it was at a branch or tag, and stays as it is.
func TestCheckoutAtRef(t *testing.T) {
	_, repo := gitServer(t)
	work := filepath.Join(filepath.Dir(filepath.Dir(repo)), "work")
	for ref, want := range map[string]string{"v1.0.0": "one", "next": "two", "": "three"} {
		tree, err := open(t, work, source.Options{Ref: ref})
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		text, err := fs.ReadFile(tree.FS(), "README.md")
		if err != nil || string(text) != want || tree.Kind != source.Folder || tree.ID != "/local/work" || len(tree.Commit) != 40 {
			t.Errorf("at %q: %q, %+v (%v), want %q", ref, text, tree, err, want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(work, "README.md")); err != nil || string(text) != "three" {
		t.Errorf("the checkout has %q, %v", text, err)
	}
	for where, want := range map[string]fault.Kind{work: fault.NotFound, t.TempDir(): fault.Usage} {
		if _, err := open(t, where, source.Options{Ref: "nosuch"}); fault.KindOf(err) != want {
			t.Errorf("%s at nosuch: %v", where, err)
		}
	}
}

func TestGit(t *testing.T) {
	url, _ := gitServer(t)
	for _, tc := range []struct {
		name, ref, version string
		text, atRef, label string
	}{
		{"the first branch", "", "", "three", "trunk", ""},
		{"latest names no tag", "", "latest", "three", "trunk", ""},
		{"a tag with v, asked without", "", "1.0.0", "one", "v1.0.0", "1.0.0"},
		{"a tag without v, asked with", "", "v2.0.0", "two", "2.0.0", "v2.0.0"},
		{"a tag by its ref, the version is a label", "v1.0.0", "first", "one", "v1.0.0", ""},
		{"a branch", "next", "", "two", "next", ""},
	} {
		tree, err := open(t, url+"/org/lib.git", source.Options{Ref: tc.ref, Version: tc.version})
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		text, err := fs.ReadFile(tree.FS(), "README.md")
		if err != nil || string(text) != tc.text || tree.Ref != tc.atRef || tree.Version != tc.label {
			t.Errorf("%s: %q at %s, version %q (%v), want %q at %s, %q", tc.name, text, tree.Ref, tree.Version, err, tc.text, tc.atRef, tc.label)
		}
		if len(tree.Commit) < 40 || tree.Date.Year() != 2026 || tree.ID != "/org/lib" {
			t.Errorf("%s: commit %q of %v, ID %s", tc.name, tree.Commit, tree.Date, tree.ID)
		}
		if _, err := fs.Stat(tree.FS(), "logo.png"); err == nil {
			t.Errorf("%s: a picture was brought", tc.name)
		}
		if at, err := source.Head(context.Background(), tree.Address, tree.Ref); err != nil || at != tree.Commit {
			t.Errorf("%s: Head = %s, %v, want %s", tc.name, at, err, tree.Commit)
		}
	}
}

// Servers that cannot leave files out, and those that will not give them one by one, are read
// all the same.
func TestGitServers(t *testing.T) {
	url, _ := gitServer(t)
	for _, tc := range [][3]string{{"plain", "", "three"}, {"mean", "", "three"}, {"mean", "v1.0.0", "one"}} {
		name := tc[0]
		tree, err := open(t, url+"/org/"+name+".git", source.Options{Ref: tc[1]})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, err := fs.ReadFile(tree.FS(), "README.md")
		if _, picture := fs.Stat(tree.FS(), "logo.png"); err != nil || string(text) != tc[2] || picture == nil {
			t.Errorf("%s: %q, %v; the picture: %v", name, text, err, picture)
		}
	}
}

func TestGitErrors(t *testing.T) {
	url, _ := gitServer(t)
	for _, tc := range []struct {
		address, ref, version string
		kind                  fault.Kind
		says                  string
	}{
		{"/org/lib.git", "v9", "", fault.NotFound, "no branch or tag"},
		{"/org/lib.git", "", "9.9.9", fault.NotFound, "9.9.9"},
		{"/org/lib.git", "--upload-pack=x", "", fault.Unavailable, ""},
		{"/org/gone.git", "", "", fault.Unavailable, "does not exist"},
		{"/private/x.git", "", "", fault.Unavailable, "asks for a password"},
	} {
		_, err := open(t, url+tc.address, source.Options{Ref: tc.ref, Version: tc.version})
		if fault.KindOf(err) != tc.kind || !strings.Contains(fmt.Sprint(err), tc.says) || fault.HintOf(err) == "" {
			t.Errorf("Open(%s, %q, %q) = %v of kind %d, want %q of kind %d", tc.address, tc.ref, tc.version, err, fault.KindOf(err), tc.says, tc.kind)
		}
	}
	dead := httptest.NewServer(nil)
	dead.Close()
	if _, err := open(t, dead.URL+"/org/lib", source.Options{}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a server that is down: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := source.Open(ctx, url+"/org/lib.git", source.Options{Temp: t.TempDir()}); fault.KindOf(err) != fault.Interrupted {
		t.Errorf("interrupted: %v", err)
	}
}

// An entry of an archive that a test makes.
type entry struct {
	name, text string
	kind       byte
	link       string
}

func tarball(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range entries {
		if e.kind == 0 {
			e.kind = tar.TypeReg
		}
		if err := w.WriteHeader(&tar.Header{Name: e.name, Typeflag: e.kind, Linkname: e.link, Size: int64(len(e.text)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLongList holds that a zip file that is all list of files is not read whole: what
// is made of a list takes several times its size in memory.
func TestLongList(t *testing.T) {
	const entries, name = 1000, 1<<16 - 1
	one := append([]byte("PK\x01\x02"), make([]byte, 42)...)
	binary.LittleEndian.PutUint16(one[28:], name)
	one = append(one, bytes.Repeat([]byte("a"), name)...)
	end := append([]byte("PK\x05\x06"), make([]byte, 18)...)
	binary.LittleEndian.PutUint16(end[8:], entries)
	binary.LittleEndian.PutUint16(end[10:], entries)
	binary.LittleEndian.PutUint32(end[12:], uint32(entries*len(one)))
	binary.LittleEndian.PutUint32(end[16:], 4)
	dir := t.TempDir()
	file := slices.Concat([]byte("PK\x03\x04"), bytes.Repeat(one, entries), end)
	if err := os.WriteFile(filepath.Join(dir, "list.zip"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, "list.zip", source.Options{WorkDir: dir})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "list of files is too long") {
		t.Errorf("%v", err)
	}
}

func zipped(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.kind == tar.TypeSymlink {
			h.SetMode(fs.ModeSymlink | 0o777)
			e.text = e.link
		}
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchives(t *testing.T) {
	hostile := []entry{
		{name: "lib-1.0/README.md", text: "# Lib"},
		{name: "lib-1.0/docs/a.md", text: "# A"},
		{name: "../escape.md", text: "out"},
		{name: "lib-1.0/../../escape.md", text: "out"},
		{name: "/etc/escape.md", text: "out"},
		{name: strings.Repeat("lib-1.0/", source.MaxDepth+1) + "deep.md", text: "# Deep"},
		{name: "lib-1.0/link.md", kind: tar.TypeSymlink, link: "/etc/passwd"},
		{name: `lib-1.0\docs\b.md`, text: "# B"},
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"lib-1.0.tar.gz": tarball(t, append(hostile, entry{name: "lib-1.0/dev", kind: tar.TypeFifo}, entry{name: "lib-1.0/hard.md", kind: tar.TypeLink, link: "../../x"})...),
		"lib-1.0.zip":    zipped(t, hostile...),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		tree, err := open(t, name, source.Options{WorkDir: dir})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, want := files(t, tree), []string{"README.md", "docs/a.md", "docs/b.md"}; !slices.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", name, got, want)
		}
		if tree.ID != "/local/lib-1.0" || len(tree.Notes) != 1 || !regexp.MustCompile(`^(1 entry|[2-9] entries) of the archive omitted: `).MatchString(tree.Notes[0]) {
			t.Errorf("%s: ID %s, notes %v", name, tree.ID, tree.Notes)
		}
	}
	for name, data := range map[string][]byte{"cut.tar.gz": tarball(t, hostile...)[:60], "text.zip": []byte("PK\x03\x04 no"), "empty.zip": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := open(t, name, source.Options{WorkDir: dir}); err == nil && name != "empty.zip" || err != nil && fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %v, want an error of kind Usage", name, err)
		}
	}
}

// A tree's own links must not lead out of it.
func TestLinksStayInside(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "secret.md"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(out, "secret.md"), filepath.Join(dir, "a.md")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Symlink(out, filepath.Join(dir, "docs")); err != nil {
		t.Fatal(err)
	}
	tree, err := open(t, dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.md", "docs/secret.md", "../secret.md"} {
		if data, err := fs.ReadFile(tree.FS(), name); err == nil {
			t.Errorf("%s reads %q", name, data)
		}
	}
}

func registry(t *testing.T, tarballs map[string][]byte, change func([]byte) []byte) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	versions := []string{}
	for v, data := range tarballs {
		sum := sha512.Sum512(data)
		versions = append(versions, fmt.Sprintf(`%q:{"dist":{"tarball":%q,"integrity":"sha512-%s"}}`, v, srv.URL+"/t/"+v, base64.StdEncoding.EncodeToString(sum[:])))
		mux.HandleFunc("/t/"+v, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(change(data)) })
	}
	slices.Sort(versions)
	mux.HandleFunc("/{name}", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("name") != "@org/lib" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"dist-tags":{"latest":"2.0.0","old":"1.0.0"},"versions":{%s}}`, strings.Join(versions, ","))
	})
	return srv
}

func TestNPM(t *testing.T) {
	pack := func(v string) []byte {
		return tarball(t, entry{name: "package/package.json", text: `{"name":"@org/lib","description":"A lib","repository":{"url":"git+https://github.com/Org/Lib.git"}}`},
			entry{name: "package/README.md", text: "# Lib " + v})
	}
	same := func(b []byte) []byte { return b }
	srv := registry(t, map[string][]byte{"1.0.0": pack("1.0.0"), "2.0.0": pack("2.0.0")}, same)
	for _, tc := range []struct{ address, version, want string }{
		{"npm:@org/lib", "", "2.0.0"}, {"npm:@org/lib@1.0.0", "", "1.0.0"}, {"npm:@org/lib@old", "", "1.0.0"}, {"npm:@org/lib", "v1.0.0", "1.0.0"}, {"npm:@org/lib", "latest", "2.0.0"},
	} {
		tree, err := open(t, tc.address, source.Options{Registry: srv.URL + "/", Version: tc.version})
		if err != nil {
			t.Errorf("%s: %v", tc.address, err)
			continue
		}
		text, _ := fs.ReadFile(tree.FS(), "README.md")
		got := []string{tree.Version, string(text), tree.ID, tree.Address, tree.Description, strings.Join(tree.Aliases, " "), tree.URL("docs/a b.md")}
		want := []string{tc.want, "# Lib " + tc.want, "/Org/Lib", "npm:@org/lib", "A lib", "@org/lib", "https://unpkg.com/@org/lib@" + tc.want + "/docs/a%20b.md"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", tc.address, diff)
		}
	}
	for address, kind := range map[string]fault.Kind{"npm:@org/none": fault.NotFound, "npm:@org/lib@9": fault.NotFound} {
		if _, err := open(t, address, source.Options{Registry: srv.URL}); fault.KindOf(err) != kind {
			t.Errorf("%s: %v, want kind %d", address, err, kind)
		}
	}
	bad := registry(t, map[string][]byte{"2.0.0": pack("2.0.0")}, func(b []byte) []byte { return append(slices.Clone(b), 0) })
	if _, err := open(t, "npm:@org/lib", source.Options{Registry: bad.URL}); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("a changed package: %v", err)
	}
}

// TestLargePages holds that a site of many large pages is not held whole.
func TestLargePages(t *testing.T) {
	page := bytes.Repeat([]byte("all work and no play\n"), 7<<20/21)
	const pages = 40
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/llms.txt" {
			_, _ = w.Write(page)
			return
		}
		fmt.Fprint(w, "# Lib\n\n## Docs\n\n")
		for i := range pages {
			fmt.Fprintf(w, "- [A](a%d.md)\n", i)
		}
	}))
	defer srv.Close()
	tree, err := open(t, srv.URL+"/llms.txt", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tree.Only()) - 1; n > (256<<20)/len(page) || n < 30 || !strings.Contains(strings.Join(tree.Notes, "\n"), "could not be fetched") {
		t.Errorf("%d pages of %d MB, %q", n, len(page)>>20, tree.Notes)
	}
}

func TestLLMs(t *testing.T) {
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	defer srv.Close()
	mux.HandleFunc("/docs/llms.txt", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "# Lib\n\n> A lib.\n\n## Docs\n\n- [A](a.md): first\n- [B](/b?x=1#top)\n- [gone](/gone.md)\n- [twice](a.md#here)\n- [far](https://example.com/x.md)\n- [up](../../../etc/passwd.md)\n")
	})
	mux.HandleFunc("/docs/a.md", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/markdown; charset=koi8-r")
		fmt.Fprint(w, "# A \xc1")
	})
	mux.HandleFunc("/b", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!DOCTYPE html><h1>B</h1>") })
	tree, err := open(t, srv.URL+"/docs/llms.txt", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tree.Only(), []string{"llms.md", "docs/a.md", "b/x-1.html"}; !slices.Equal(got, want) {
		t.Errorf("pages %v, want %v", got, want)
	}
	if text, err := fs.ReadFile(tree.FS(), "docs/a.md"); err != nil || string(text) != "# A а" {
		t.Errorf("a page in KOI8-R is %q, %v", text, err)
	}
	if tree.Title != "Lib" || tree.URL("docs/a.md") != srv.URL+"/docs/a.md" || !strings.HasPrefix(tree.ID, "/websites/") {
		t.Errorf("title %q, address %q, ID %q", tree.Title, tree.URL("docs/a.md"), tree.ID)
	}
	if notes := strings.Join(tree.Notes, "\n"); !strings.Contains(notes, "1 page omitted: links to other sites") || !strings.Contains(notes, "gone.md") {
		t.Errorf("notes %s", notes)
	}
	for path, kind := range map[string]fault.Kind{"/none/llms.txt": fault.NotFound} {
		if _, err := open(t, srv.URL+path, source.Options{}); fault.KindOf(err) != kind {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestRefusedUnpacked holds that an archive is refused by its headers: nothing of it has
// been written by then, and nothing of it is left.
func TestRefusedUnpacked(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	entries := []entry{{name: "lib/a.md", text: "# A"}, {name: "lib/docs/b.md", text: "# B"}, {name: "../c.md", text: "x"}}
	many := make([]entry, 200_001)
	for i := range many {
		many[i].name = fmt.Sprintf("lib/%d.md", i)
	}
	for name, data := range map[string][]byte{"lib.tar.gz": tarball(t, entries...), "lib.zip": zipped(t, entries...), "many.tar.gz": tarball(t, many...), "sound.zip": zipped(t, entries...)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		asked := 0
		tree, err := source.Open(t.Context(), name, source.Options{WorkDir: dir, Temp: temp, Refuse: func(paths []string) error {
			asked++
			if want := []string{"a.md", "docs/b.md"}; !slices.Equal(paths, want) {
				t.Errorf("%s: asked about %.100q, want %q", name, paths, want)
			}
			if written, _ := filepath.Glob(filepath.Join(temp, "*", "tree", "*")); len(written) > 0 {
				t.Errorf("%s: %q was written before", name, written)
			}
			if name == "sound.zip" {
				return nil
			}
			return errors.New("no, thanks")
		}})
		switch {
		case name == "sound.zip":
			if err != nil || !slices.Equal(files(t, tree), []string{"a.md", "docs/b.md"}) {
				t.Errorf("%s: %v", name, err)
			} else if err := tree.Close(); err != nil {
				t.Error(err)
			}
		case name == "many.tar.gz" && (asked > 0 || err == nil || !strings.Contains(err.Error(), "more than 200000 files")),
			name != "many.tar.gz" && (asked != 1 || err == nil || !strings.Contains(err.Error(), "no, thanks")):
			t.Errorf("%s: asked %d times, %v", name, asked, err)
		}
		if left, _ := os.ReadDir(temp); len(left) > 0 {
			t.Errorf("%s left %v", name, left)
		}
	}
}

// The description of an API is fetched by its address, and a web page in its place is not one.
func TestRemoteFile(t *testing.T) {
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	defer srv.Close()
	mux.HandleFunc("/v1/api.yaml", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "openapi: 3.0.0") })
	mux.HandleFunc("/v1/moved.json", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/raw", http.StatusFound) })
	mux.HandleFunc("/raw", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	mux.HandleFunc("/page.json", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!DOCTYPE html>") })
	for address, want := range map[string]string{"/v1/api.yaml": "api.yaml openapi: 3.0.0", "/v1/moved.json": "raw.json {}"} {
		tree, err := open(t, srv.URL+address, source.Options{})
		if err != nil {
			t.Fatal(address, err)
		}
		name, text, _ := strings.Cut(want, " ")
		data, err := fs.ReadFile(tree.FS(), name)
		if err != nil || string(data) != text || !slices.Equal(tree.Only(), []string{name}) || !strings.HasPrefix(tree.URL(name), srv.URL) {
			t.Errorf("%s: %q of %v at %s, %v", address, data, tree.Only(), tree.URL(name), err)
		}
	}
	if _, err := open(t, srv.URL+"/page.json", source.Options{}); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "JSON or YAML") {
		t.Errorf("a page: %v", err)
	}
}

// A PDF is told from other files that are no text, with what makes a text of it.
func TestPDF(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "it's -x.pdf"), []byte("%PDF-1.7\n%\xe2\xe3\n\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, "it's -x.pdf", source.Options{WorkDir: dir})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "is a PDF") {
		t.Fatalf("a PDF: %v", err)
	}
	f, _ := errors.AsType[*fault.Error](err)
	if hint := fmt.Sprintf("%+v", *f); !strings.Contains(hint, `pdftotext -layout './it'\''s -x.pdf'`) {
		t.Errorf("it says %s", hint)
	}
}
