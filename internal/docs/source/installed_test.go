package source

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// What a project depends on is found at the version of its lock file, or not at all.
func TestInstalled(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	put(t, dir, map[string]string{
		"go.mod": "module x\n\ngo 1.26\n\nrequire github.com/Masterminds/semver/v3 v3.2.1\n\nrequire (\n\tgolang.org/x/net v0.1.0\n\tgithub.com/a/gone v1.0.0\n\tgithub.com/a/deep v1.0.0 // indirect\n" +
			"\tgithub.com/a/forked v1.0.0\n\tgithub.com/a/beside v1.0.0\n)\n\nreplace github.com/a/forked => github.com/b/fork v1.1.0\nreplace github.com/a/beside => ../beside\n",
		"package.json":                         `{"dependencies":{"left":"^1.0.0","@s/right":"2.x","moved":"1.0.0"},"devDependencies":{"absent":"^3.0.0"}}`,
		"package-lock.json":                    `{"packages":{"node_modules/left":{"version":"1.2.0"},"node_modules/moved":{"version":"1.0.0"}}}`,
		"node_modules/left/package.json":       `{"name":"left","version":"1.2.0","repository":"github:who/left"}`,
		"node_modules/@s/right/package.json":   `{"name":"@s/right","version":"2.3.4"}`,
		"node_modules/moved/package.json":      `{"name":"moved","version":"1.5.0"}`,
		"node_modules/transitive/package.json": `{"name":"transitive","version":"1.0.0"}`,
		"pyproject.toml":                       "[project]\nname = \"x\"\ndependencies = [\n  \"Flask>=3\",\n  'my_lib[extra]~=1.0',\n]\n",
		"uv.lock":                              "[[package]]\nname = \"flask\"\nversion = \"3.0.3\"\n\n[[package]]\nname = \"my-lib\"\nversion = \"1.0.1\"\n",
		"requirements.txt":                     "# pins\nclick==8.1.0\n-r other.txt\n",
		"x":                                    "",
		".venv/lib/python3.12/site-packages/flask-3.0.3.dist-info/METADATA":  "Metadata-Version: 2.1\nName: Flask\nVersion: 3.0.3\nProject-URL: Source, https://github.com/pallets/flask/\n\n# Flask\n",
		".venv/lib/python3.12/site-packages/flask-3.0.3.dist-info/RECORD":    "flask/__init__.py,sha256=x,1\nflask/app.py,,\nflask-3.0.3.dist-info/METADATA,,\n../../../bin/flask,,\n",
		".venv/lib/python3.12/site-packages/my_lib-1.0.0.dist-info/METADATA": "Name: my-lib\nVersion: 1.0.0\n",
		".venv/lib/python3.12/site-packages/my_lib-1.0.0.dist-info/RECORD":   "my_lib.py,,\n",
	})
	put(t, cache, map[string]string{
		"github.com/!masterminds/semver/v3@v3.2.1/a.go": "package semver", "golang.org/x/net@v0.1.0/a.go": "package net", "github.com/b/fork@v1.1.0/a.go": "package fork",
		"github.com/a/forked@v1.0.0/a.go": "package forked",
	})
	got, _, err := Installed(t.Context(), dir, Places{GoModules: cache})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range got {
		lines = append(lines, strings.ReplaceAll(fmt.Sprint(p.Name, " ", p.Version+p.Asked, " ", p.ID, " ", whereabouts(p, dir, cache), " ", strings.Join(p.Include, " ")), cache, "CACHE"))
	}
	want := []string{
		"@s/right 2.3.4 /npm/s-right /node_modules/@s/right ",
		"absent ^3.0.0 /npm/absent it is not in node_modules ",
		"click 8.1.0 /pypi/click it is not in an environment of this project ",
		"flask 3.0.3 /pallets/flask /.venv/lib/python3.12/site-packages flask flask-3.0.3.dist-info",
		"github.com/Masterminds/semver/v3 3.2.1 /Masterminds/semver /github.com/!masterminds/semver/v3@v3.2.1 ",
		"github.com/a/beside 1.0.0 /a/beside go.mod replaces it by the folder ../beside ",
		"github.com/a/forked 1.0.0 /a/forked /github.com/b/fork@v1.1.0 ",
		"github.com/a/gone 1.0.0 /a/gone it is not in CACHE/github.com/a ",
		"golang.org/x/net 0.1.0 /go/golang.org-x-net /golang.org/x/net@v0.1.0 ",
		"left 1.2.0 /who/left /node_modules/left ",
		"moved 1.0.0 /npm/moved node_modules has 1.5.0, and package-lock.json 1.0.0 ",
		"my-lib 1.0.1 /pypi/my-lib the environment has 1.0.0, and the lock file 1.0.1 ",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if at := Project(filepath.Join(dir, "node_modules")); at != dir {
		t.Errorf("the project around a folder is %q", at)
	}
}

// A link of a project that somebody else prepared leads to nothing of this machine's.
func TestInstalledLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("links need rights there")
		return
	}
	dir, secret := t.TempDir(), t.TempDir()
	put(t, secret, map[string]string{"README.md": "# Secret", "package.json": `{"name":"evil","version":"1.0.0"}`})
	put(t, dir, map[string]string{"package.json": `{"dependencies":{"evil":"1"}}`, "node_modules/x": ""})
	if err := os.Symlink(secret, filepath.Join(dir, "node_modules", "evil")); err != nil {
		t.Fatal(err)
	}
	got, _, err := Installed(t.Context(), dir, Places{})
	if err != nil || len(got) != 1 || got[0].Dir != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// whereabouts says where a package is below the folders of a test, or why it is nowhere.
func whereabouts(p Package, below ...string) string {
	if p.Dir == "" {
		return p.Missing
	}
	at := p.Dir
	for _, base := range below {
		if real, err := filepath.EvalSymlinks(base); err == nil {
			at = strings.TrimPrefix(at, real)
		}
	}
	return filepath.ToSlash(at)
}
