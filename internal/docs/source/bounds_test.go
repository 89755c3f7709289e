package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
)

// unreadIn returns what was not read of a project, with paths relative to it.
func unreadIn(t *testing.T, dir string) (names, unread []string) {
	t.Helper()
	all, left, err := Installed(t.Context(), dir, Places{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		names = append(names, p.Name)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range left {
		unread = append(unread, strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(u.Path, real)), "/")+": "+u.Why)
	}
	return names, unread
}

// A property that stands for many others is no version, however little text it takes.
func TestPropertiesAreBounded(t *testing.T) {
	dir := t.TempDir()
	many := func(name string) string { return strings.Repeat("${"+name+"}", 100) }
	put(t, dir, map[string]string{"pom.xml": "<project><properties><a>" + many("b") + "</a><b>" + many("c") + "</b><c>1.0</c><d>" + strings.Repeat("1", 300) + "</d></properties><dependencies>" +
		"<dependency><groupId>g.h</groupId><artifactId>bomb</artifactId><version>${a}</version></dependency>" +
		"<dependency><groupId>g.h</groupId><artifactId>long</artifactId><version>" + strings.Repeat("1", 300) + "</version></dependency>" +
		"<dependency><groupId>g.h</groupId><artifactId>short</artifactId><version>${c}</version></dependency></dependencies></project>"})
	all, _, err := Installed(t.Context(), dir, Places{})
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	for i, want := range []string{"", "", "1.0"} {
		if v := all[i].Version; v != want {
			t.Errorf("%s has the version %.20q of %d bytes, want %q", all[i].Name, v, len(v), want)
		}
	}
	b := &build{values: map[string]string{"a": strings.Repeat("$b", 90), "b": strings.Repeat("$c", 90), "c": strings.Repeat("$d", 90), "d": "1.0"}}
	if n := testing.AllocsPerRun(1, func() { b.filled("$a") }); n > 1000 {
		t.Errorf("a property takes %v allocations", n)
	}
}

// What a pom says of others is removed in one pass for each of them.
func TestMavenOthers(t *testing.T) {
	for pom, want := range map[string]string{
		"a<parent>x</parent>b<build>y</build>c<profiles><build>z</build></profiles>d": "abcd",
		"a<parent>b<build>c</build>d": "a<parent>bd",
		"<dependencyManagement><dependencies>x</dependencies></dependencyManagement><version>1</version>": "<version>1</version>",
	} {
		if got := withoutOthers(pom); got != want {
			t.Errorf("withoutOthers(%q) = %q, want %q", pom, got, want)
		}
	}
}

// The manifests of a workspace are bounded in number, size and depth; a pattern that is none hides no other, one that begins with
// an exclamation mark excludes, and what was not read is said.
func TestMembersAreBounded(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"package.json":         `{"workspaces":["[","libs/*","!libs/out","!**/test/**","` + strings.Repeat("*/", 20) + `x","many/*","node_modules/*"]}`,
		"libs/in/package.json": `{"dependencies":{"inside":"1"}}`, "libs/out/package.json": `{"dependencies":{"excluded":"1"}}`, "libs/test/package.json": `{"dependencies":{"tested":"1"}}`,
		"libs/large/package.json":      `{"dependencies":{"large":"1"}}` + strings.Repeat(" ", maxManifest),
		"node_modules/it/package.json": `{"name":"it","version":"1","dependencies":{"transitive":"1"}}`,
	}
	put(t, dir, files)
	names, unread := unreadIn(t, dir)
	if diff := cmp.Diff([]string{"inside"}, names); diff != "" {
		t.Error(diff)
	}
	want := []string{
		`package.json: its pattern "[" names no folders of a workspace`,
		`package.json: its pattern "` + strings.Repeat("*/", 20) + `x" names no folders of a workspace`,
		"libs/large/package.json: it is larger than 1 MiB",
	}
	if diff := cmp.Diff(want, unread); diff != "" {
		t.Error(diff)
	}
	for i := range maxMembers + 20 {
		put(t, dir, map[string]string{fmt.Sprintf("many/p%03d/package.json", i): fmt.Sprintf(`{"dependencies":{"of-%03d":"1"}}`, i)})
	}
	names, unread = unreadIn(t, dir)
	// libs has two that are not excluded.
	if n := len(names); n != 1+maxMembers-2 || names[n-1] != fmt.Sprintf("of-%03d", maxMembers-3) {
		t.Errorf("%d names: %q", len(names), names)
	}
	if want := fmt.Sprintf("many/p%03d/package.json: it and 21 more are not read: of a kind of manifest only %d are", maxMembers-2, maxMembers); !slices.Contains(unread, want) {
		t.Errorf("%q, want among them %q", unread, want)
	}
	put(t, dir, map[string]string{"package.json": `{"workspaces":["` + strings.Join(strings.Split(strings.Repeat("y", 150), ""), `","`) + `"]}`})
	if _, unread = unreadIn(t, dir); !slices.Contains(unread, fmt.Sprintf("package.json: %d of its 150 patterns of workspaces are not followed", 150-maxPatterns)) {
		t.Errorf("%q", unread)
	}
}

// Lists of requirements that name others are read once each, and no more than a number of them and of their lines.
func TestRequirementsAreBounded(t *testing.T) {
	dir := t.TempDir()
	var chain strings.Builder
	for i := range 3 * maxMembers {
		fmt.Fprintf(&chain, "-r more/%d.txt\n", i)
		put(t, dir, map[string]string{fmt.Sprintf("more/%d.txt", i): fmt.Sprintf("name%d==1\n-r ../requirements.txt\n", i)})
	}
	put(t, dir, map[string]string{"requirements.txt": chain.String()})
	names, unread := unreadIn(t, dir)
	if len(names) != maxMembers-1 {
		t.Errorf("%d names", len(names))
	}
	if want := fmt.Sprintf("requirements.txt: %d lists that it names are not read: of a kind of manifest only %d are", 2*maxMembers+1, maxMembers); !slices.Equal(unread, []string{want}) {
		t.Errorf("%q, want %q", unread, want)
	}
	put(t, dir, map[string]string{"requirements.txt": "a==1\n", "requirements-x.txt": strings.Repeat("#\n", maxLines) + "b==1\n"})
	names, unread = unreadIn(t, dir)
	if want := "requirements-x.txt: with it lists of requirements have more than 100000 lines"; !slices.Equal(unread, []string{want}) || len(names) != 1 {
		t.Errorf("%q: %q, want %q", names, unread, want)
	}
}

// A project asks for so many packages at most.
func TestPackagesAreBounded(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range maxPackages + 5 {
		fmt.Fprintf(&text, "n%d\n", i)
	}
	put(t, dir, map[string]string{"requirements.txt": text.String()})
	names, unread := unreadIn(t, dir)
	if want := ": it asks for more than 5000 packages, and the others are not read"; len(names) != maxPackages || !slices.Equal(unread, []string{want}) {
		t.Errorf("%d: %q, want %q", len(names), unread, want)
	}
}

// What is above a folder is read where it is of the same repository and of the same person.
func TestAbove(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"package.json": `{}`, "node_modules/up/package.json": `{"name":"up","version":"1.0.0"}`, "a/package.json": `{"dependencies":{"up":"1"}}`,
		".git/x": "",
	})
	at := filepath.Join(dir, "a")
	missing := []string{"up 1 /npm/up it is not in node_modules"}
	if diff := cmp.Diff(missing, installedIn(t, at, Places{}, dir)); diff != "" {
		t.Errorf("a folder .git that is no repository: %s", diff)
	}
	put(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n"})
	if diff := cmp.Diff([]string{"up 1.0.0 /npm/up /node_modules/up"}, installedIn(t, at, Places{}, dir)); diff != "" {
		t.Error(diff)
	}
	if os.Getuid() != 0 {
		t.Log("who is not root gives nothing away; safe.TestSameOwner asks about owners")
		return
	}
	for _, name := range []string{".git", "node_modules", "package.json", ""} {
		if err := os.Lchown(filepath.Join(dir, name), 1234, -1); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(missing, installedIn(t, at, Places{}, dir)); diff != "" {
			t.Errorf("%q of another: %s", name, diff)
		}
		if err := os.Lchown(filepath.Join(dir, name), 0, -1); err != nil {
			t.Fatal(err)
		}
	}
}

// pnpm puts links into each package of a workspace that lead to one folder of the workspace.
func TestPnpm(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "package.json": `{}`, "pnpm-workspace.yaml": "packages:\n  - 'pkg/*'\n  - '!pkg/b'\n",
		"node_modules/.pnpm/x@1.2.0/node_modules/x/package.json": `{"name":"x","version":"1.2.0"}`,
		"pkg/a/package.json":           `{"dependencies":{"x":"^1"}}`,
		"pkg/b/package.json":           `{"dependencies":{"y":"^1"}}`,
		"pkg/a/node_modules/.keep":     "",
		"pkg/a/node_modules/.bin/keep": "",
	})
	if err := os.Symlink("../../../node_modules/.pnpm/x@1.2.0/node_modules/x", filepath.Join(dir, "pkg", "a", "node_modules", "x")); err != nil {
		t.Log("links need rights here: ", err)
		return
	}
	want := []string{"x 1.2.0 /npm/x /node_modules/.pnpm/x@1.2.0/node_modules/x"}
	for _, at := range []string{"", "pkg/a"} {
		if diff := cmp.Diff(want, installedIn(t, filepath.Join(dir, at), Places{}, dir)); diff != "" {
			t.Errorf("from %q: %s", at, diff)
		}
	}
}

// The ID of a package is its own matter: what else a project asks for changes nothing.
func TestIDs(t *testing.T) {
	for _, c := range []struct{ name, repository, want string }{
		{"react", "facebook/react", "/facebook/react"},
		{"react-js", "facebook/react", "/npm/react-js"},
		{"react-dom", "facebook/react", "/npm/react-dom"},
		{"@types/node", "DefinitelyTyped/DefinitelyTyped", "/npm/types-node"},
		{"commander", "tj/commander.js", "/tj/commander.js"},
		{"redis", "redis/node-redis", "/redis/node-redis"},
		{"typescript", "microsoft/TypeScript", "/microsoft/TypeScript"},
		{"@sindresorhus/is", "sindresorhus/is", "/sindresorhus/is"},
		{"@other/is", "sindresorhus/is", "/npm/other-is"},
		{"free", "", "/npm/free"},
	} {
		dir := t.TempDir()
		put(t, dir, map[string]string{
			"package.json": `{"dependencies":{"` + c.name + `":"1","other":"1"}}`,
			"node_modules/" + c.name + "/package.json": `{"version":"1.0.0","repository":"` + c.repository + `"}`,
			"node_modules/other/package.json":          `{"version":"1.0.0"}`,
		})
		for _, beside := range []string{"", c.repository} { // of the same repository
			put(t, dir, map[string]string{"node_modules/other/package.json": `{"version":"1.0.0","repository":"` + beside + `"}`})
			all, _, err := Installed(t.Context(), dir, Places{})
			if err != nil || len(all) != 2 {
				t.Fatalf("%v, %v", all, err)
			}
			if i := slices.IndexFunc(all, func(p Package) bool { return p.Name == c.name }); all[i].ID != c.want {
				t.Errorf("%s of %q beside one of %q is %s, want %s", c.name, c.repository, beside, all[i].ID, c.want)
			}
		}
	}
}

// A name that leads anywhere is none of npm's.
func TestNPMName(t *testing.T) {
	for name, want := range map[string]bool{
		"x": true, "x-y.z_1": true, "@a/b": true, "7zip": true, "x~1": true,
		"": false, ".": false, "..": false, "../x": false, "@a/../b": false, "@../b": false, "@a/..": false, "@a/b/c": false, "a/b": false, "/x": false, "x/": false,
		"-x": false, "@-a/b": false, "@a/-b": false, "_x": false, ".x": false, "@/x": false, "@a/": false, "@a": false,
		"x\n": false, "x\x00": false, "\x1b[2J": false, "x\\y": false, "x y": false, "x%2f": false, "X": false, "é": false,
	} {
		if got := npmName.MatchString(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

// A package of Swift is called as its folder may be, or is not asked for.
func TestSwiftNames(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/a/Kit.git": "Kit /a/Kit", "https://github.com/a/swift-nio": "swift-nio /a/swift-nio", "https://github.com/a/Kit/": "Kit /a/Kit",
		"https://github.com/a/..": "", "https://github.com/a/..git": "", "https://github.com/a/.git": "", "https://github.com/a/My Kit": "", "https://github.com/a/-x": "", "https://github.com/a/x\x1b": "", "..": "",
	} {
		dir := t.TempDir()
		put(t, dir, map[string]string{"Package.swift": `.package(url: "` + address + `", from: "1.0.0")`})
		all, _, err := Installed(t.Context(), dir, Places{})
		got := ""
		for _, p := range all {
			got += p.Name + " " + p.ID
		}
		if err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", address, got, err, want)
		}
	}
}

// What is checked out is what Swift's package manager says of it, and not what a folder is called.
func TestSwiftState(t *testing.T) {
	state := func(version, subpath string) string {
		return `{"object":{"dependencies":[{"packageRef":{"identity":"kit","location":"https://github.com/a/kit"},"state":{"checkoutState":{"version":"` + version + `"},"name":"sourceControlCheckout"},"subpath":"` + subpath + `"}]},"version":6}`
	}
	for _, c := range []struct{ state, want string }{
		{"", "Kit 1.2.0 /a/Kit nothing says which version .build/checkouts has: swift package resolve puts it there"},
		{state("1.1.0", "Kit"), "Kit 1.2.0 /a/Kit .build/checkouts has 1.1.0, and Package.resolved 1.2.0"},
		{state("1.2.0", "Kit"), "Kit 1.2.0 /a/Kit /.build/checkouts/Kit"},
		{state("1.2.0", "Other"), "Kit 1.2.0 /a/Kit /.build/checkouts/Other"},
		{state("1.2.0", "../../secret"), "Kit 1.2.0 /a/Kit it is not in .build/checkouts: swift package resolve puts it there"},
		{strings.ReplaceAll(state("1.2.0", "Kit"), "location", "path"), "Kit 1.2.0 /a/Kit /.build/checkouts/Kit"},
	} {
		dir := t.TempDir()
		put(t, dir, map[string]string{
			"Package.swift":                  `.package(url: "https://github.com/a/Kit.git", from: "1.0.0")`,
			"Package.resolved":               `{"pins":[{"location":"https://github.com/a/Kit.git","state":{"version":"1.2.0"}}],"version":2}`,
			".build/checkouts/Kit/README.md": "# Kit", ".build/checkouts/Other/README.md": "# Other", "secret/README.md": "# Secret",
			".build/workspace-state.json": c.state,
		})
		if diff := cmp.Diff([]string{c.want}, installedIn(t, dir, Places{}, dir)); diff != "" {
			t.Errorf("%s: %s", c.state, diff)
		}
	}
}

// The manifest of a folder above is read of the same repository and person alone.
func TestProjectAbove(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"x/package.json": `{}`, "x/a/b/.keep": "", "x/own/.git/HEAD": "ref: refs/heads/main\n", "x/own/b/.keep": "", "x/c/app.csproj": "<Project/>", "x/c/d/.keep": ""})
	for below, want := range map[string]string{"x": "x", "x/a/b": "x", "x/own": "", "x/own/b": "", "x/c/d": "x/c"} {
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got := Project(filepath.Join(dir, below)); got != want {
			t.Errorf("from %s: %q, want %q", below, got, want)
		}
	}
	if runtime.GOOS == "windows" {
		t.Log("what everybody may write to is not asked here")
		return
	}
	for _, name := range []string{"x", "x/package.json"} {
		at := filepath.Join(dir, name)
		st, err := os.Stat(at)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(at, st.Mode().Perm()|0o002); err != nil {
			t.Fatal(err)
		}
		if got := Project(filepath.Join(dir, "x", "a", "b")); got != "" {
			t.Errorf("everybody may write to %s, and %s is the project", name, got)
		}
		if got := Project(filepath.Join(dir, "x")); got == "" {
			t.Errorf("everybody may write to %s, and it is no project from inside", name)
		}
		if err := os.Chmod(at, st.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
}

// A folder of packages is in its environment, and not elsewhere by a link.
func TestSiteIsInside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	info := "x-1.0.dist-info/"
	put(t, outside, map[string]string{info + "METADATA": "Name: x\nVersion: 1.0\n", info + "RECORD": "x/__init__.py,,\n", "x/__init__.py": ""})
	put(t, dir, map[string]string{"requirements.txt": "x\n", ".venv/lib/python3.12/.keep": ""})
	if err := os.Symlink(outside, filepath.Join(dir, ".venv", "lib", "python3.12", "site-packages")); err != nil {
		t.Log("links need rights here: ", err)
		return
	}
	all, unread, err := Installed(t.Context(), dir, Places{})
	if err != nil || len(all) != 1 || all[0].Dir != "" || all[0].Version != "" {
		t.Errorf("%+v, %v", all, err)
	}
	if len(unread) != 1 || !strings.HasPrefix(unread[0].Why, "it is a link to ") {
		t.Errorf("unread: %+v", unread)
	}
}

// All manifests together are bounded, which bounds what is held of them and how long it takes; so are lock files.
func TestManifestsAreBoundedTogether(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"pom.xml": "<project/>"}
	large := strings.Repeat(" ", maxManifest)
	for i := range maxManifests/maxManifest + 3 {
		files[fmt.Sprintf("m%02d/pom.xml", i)] = large
	}
	files["mix.exs"], files["mix.lock"] = `{:plug, "~> 1"}`, `  "plug": {:hex, :plug, "1.0.0", `+strings.Repeat(" ", maxLockText)
	put(t, dir, files)
	names, unread := unreadIn(t, dir)
	var want []string
	for i := maxManifests/maxManifest - 1; i < maxManifests/maxManifest+3; i++ {
		want = append(want, fmt.Sprintf("m%02d/pom.xml: the manifests of the project are larger than 4 MiB together", i))
	}
	want = append(want, "mix.lock: it is larger than 8 MiB")
	if !slices.Equal(unread, want) || !slices.Equal(names, []string{"plug"}) {
		t.Errorf("unread: %q", unread)
	}
	one := t.TempDir()
	put(t, one, map[string]string{"mix.exs": files["mix.exs"], "mix.lock": files["mix.lock"]})
	if _, unread := unreadIn(t, one); !slices.Equal(unread, []string{"mix.lock: it is larger than 8 MiB"}) {
		t.Errorf("unread: %q", unread)
	}
}

// Reading ends when it is asked to, within one list too.
func TestReadingEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	dir := t.TempDir()
	put(t, dir, map[string]string{"go.mod": "module m\nrequire a.example/b v1.0.0\n"})
	if _, _, err := Installed(ctx, dir, Places{}); fault.KindOf(err) != fault.Interrupted {
		t.Errorf("%v", err)
	}
	var list strings.Builder
	for i := range 100 {
		fmt.Fprintf(&list, "gem 'x%d'\n", i)
	}
	put(t, dir, map[string]string{"Gemfile": list.String()})
	root, err := safe.Linked(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	p := &project{dir: dir, root: root, reading: newReading(t.Context()), had: map[string]bool{}}
	p.ended = func() error {
		if len(p.out) == 7 {
			return context.Canceled
		}
		return nil
	}
	if p.gems(); len(p.out) != 7 {
		t.Errorf("%d of 100 were read", len(p.out))
	}
}
