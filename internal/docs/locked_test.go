package docs

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

// lockedBy has the files of a package manager for a dependency that is called lib: locked at 3.23.8, asked for by a range that allows
// it and not 4, and named without a version.
type lockedBy struct {
	manager             string
	lock, asked, plain  map[string]string
	lockFile, rangeFile string
}

var managers = []lockedBy{
	{"npm", files("package.json", `{"dependencies":{"lib":"^3.0.0"}}`, "package-lock.json", `{"packages":{"node_modules/lib":{"version":"3.23.8"}}}`),
		files("package.json", `{"dependencies":{"lib":"^3.0.0"}}`), files("package.json", `{"dependencies":{"lib":"*"}}`), "package-lock.json", "package.json"},
	{"yarn 1", files("package.json", `{"dependencies":{"lib":"^3.0.0"}}`, "yarn.lock", "# yarn lockfile v1\n\n\nlib@^2.0.0:\n  version \"2.9.0\"\n\n\"@s/x@^1\", lib@^3.0.0, lib@^3.1.0:\n  version \"3.23.8\"\n  dependencies:\n    other \"^9.0.0\"\n"),
		files("package.json", `{"dependencies":{"lib":"~3.23.1"}}`), files("package.json", `{"dependencies":{"lib":"latest"}}`), "yarn.lock", "package.json"},
	{"yarn berry", files("package.json", `{"dependencies":{"lib":"^3.0.0"}}`, "yarn.lock", "__metadata:\n  version: 8\n\n\"lib@npm:^2.0.0\":\n  version: 2.9.0\n\n\"lib@npm:^3.0.0, lib@npm:^3.1.0\":\n  version: 3.23.8\n  resolution: \"lib@npm:3.23.8\"\n"),
		files("package.json", `{"dependencies":{"lib":"npm:lib@^3.0.0"}}`), files("package.json", `{"dependencies":{"lib":"workspace:*"}}`), "yarn.lock", "package.json"},
	{"pnpm 9", files("package.json", `{"dependencies":{"lib":"^3.0.0"}}`, "pnpm-lock.yaml", "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      lib:\n        specifier: ^3.0.0\n        version: 3.23.8(react@18.0.0)\n\npackages:\n\n  lib@2.0.0:\n    resolution: {integrity: x}\n"),
		files("package.json", `{"dependencies":{"lib":"3.x"}}`), files("package.json", `{"dependencies":{"lib":"catalog:"}}`), "pnpm-lock.yaml", "package.json"},
	{"pnpm 5", files("package.json", `{"devDependencies":{"lib":"^3.0.0"}}`, "pnpm-lock.yaml", "lockfileVersion: 5.4\n\nspecifiers:\n  lib: ^3.0.0\n\ndevDependencies:\n  lib: 3.23.8_react@18.0.0\n"),
		files("package.json", `{"devDependencies":{"lib":"3"}}`), files("package.json", `{"devDependencies":{"lib":""}}`), "pnpm-lock.yaml", "package.json"},
	{"bun", files("package.json", `{"dependencies":{"lib":"^3.0.0"}}`, "bun.lock", "{\n  \"lockfileVersion\": 1,\n  \"packages\": {\n    \"lib\": [\"lib@3.23.8\", \"\", {}, \"sha512-,]\"],\n\n    \"x/lib\": [\"lib@2.0.0\", \"\", {}, \"sha512-x\"],\n  },\n}\n"),
		files("package.json", `{"dependencies":{"lib":">=3.0.0 <4"}}`), files("package.json", `{"dependencies":{"lib":"github:who/lib"}}`), "bun.lock", "package.json"},
	{"uv", files("pyproject.toml", "[project]\ndependencies = [\n  \"lib[x]>=3,<4\",\n]\n", "uv.lock", "[[package]]\nname = \"lib\"\nversion = \"3.23.8\"\n"),
		files("pyproject.toml", "[project]\ndependencies = [\n  \"lib>=3,!=3.1,<4 ; python_version > '3.8'\",\n]\n"), files("pyproject.toml", "[project]\ndependencies = [\n  \"lib\",\n]\n"), "uv.lock", "pyproject.toml"},
	{"poetry", files("pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3.9\"\nlib = \"^3.0\"\n", "poetry.lock", "[[package]]\nname = \"lib\"\nversion = \"3.23.8\"\n"),
		files("pyproject.toml", "[tool.poetry.dependencies]\nlib = { extras = [\"x\"], version = \"^3.0\" }\n"), files("pyproject.toml", "[tool.poetry.dependencies]\nlib = \"*\"\n"), "poetry.lock", "pyproject.toml"},
	{"pip", files("requirements.txt", "lib==3.23.8  # pinned\n"), files("requirements.txt", "lib~=3.0\n"), files("requirements.txt", "lib\n"), "requirements.txt", "requirements.txt"},
	{"pipenv", files("Pipfile", "[packages]\nlib = \"*\"\n", "Pipfile.lock", `{"_meta":{},"default":{"lib":{"version":"==3.23.8"}}}`),
		files("Pipfile", "[packages]\nlib = \">=3,<4\"\n"), files("Pipfile", "[packages]\nlib = \"*\"\n"), "Pipfile.lock", "Pipfile"},
	{"cargo", files("Cargo.toml", "[dependencies]\nlib = \"3\"\n", "Cargo.lock", "[[package]]\nname = \"lib\"\nversion = \"3.23.8\"\nsource = \"registry+https://x\"\n"),
		files("Cargo.toml", "[dependencies]\nlib = { version = \"3.1\" }\n"), files("Cargo.toml", "[dependencies]\nlib = { git = \"https://x\" }\n"), "Cargo.lock", "Cargo.toml"},
	{"composer", files("composer.json", `{"require":{"who/lib":"^3.0"}}`, "composer.lock", `{"packages":[{"name":"who/lib","version":"v3.23.8"}]}`),
		files("composer.json", `{"require":{"who/lib":"~3.1|^2.0"}}`), files("composer.json", `{"require":{"who/lib":"dev-main"}}`), "composer.lock", "composer.json"},
	{"bundler", files("Gemfile", "gem 'lib', '~> 3.0'\n", "Gemfile.lock", "GEM\n  specs:\n    lib (3.23.8)\n"),
		files("Gemfile", "gem \"lib\", \"~> 3.0\", \">= 3.1\", require: false\n"), files("Gemfile", "gem 'lib'\n"), "Gemfile.lock", "Gemfile"},
	{"nuget", files("a.csproj", `<Project><ItemGroup><PackageReference Include="lib" Version="3.*" /></ItemGroup></Project>`, "packages.lock.json", `{"dependencies":{"net8.0":{"lib":{"resolved":"3.23.8"}}}}`),
		files("a.csproj", `<Project><ItemGroup><PackageReference Include="lib" Version="[3.0,4.0)" /></ItemGroup></Project>`), files("a.csproj", `<Project><ItemGroup><PackageReference Include="lib" /></ItemGroup></Project>`), "the lock file of NuGet", "the project file"},
	{"maven", files("pom.xml", "<project><dependencies><dependency><groupId>org.who</groupId><artifactId>lib</artifactId><version>3.23.8</version></dependency></dependencies></project>"),
		files("pom.xml", "<project><dependencies><dependency><groupId>org.who</groupId><artifactId>lib</artifactId><version>[3.0,4.0)</version></dependency></dependencies></project>"),
		files("pom.xml", "<project><dependencies><dependency><groupId>org.who</groupId><artifactId>lib</artifactId></dependency></dependencies></project>"), "pom.xml", "pom.xml"},
	{"gradle", files("build.gradle", "dependencies {\n  implementation 'org.who:lib:3.+'\n}\n", "gradle.lockfile", "org.who:lib:3.23.8=compileClasspath\n"),
		files("build.gradle", "dependencies {\n  implementation 'org.who:lib:3.+'\n}\n"), files("build.gradle", "dependencies {\n  implementation 'org.who:lib:latest.release'\n}\n"), "gradle.lockfile", "the build of Gradle"},
	{"mix", files("mix.exs", "[{:lib, \"~> 3.0\"}]\n", "mix.lock", "%{\n  \"lib\": {:hex, :lib, \"3.23.8\", \"x\"},\n}\n"),
		files("mix.exs", "[{:lib, \">= 3.0.0 and < 4.0.0\"}]\n"), files("mix.exs", "[{:lib, github: \"who/lib\"}]\n"), "mix.lock", "mix.exs"},
	{"swift", files("Package.swift", `.package(url: "https://github.com/who/lib.git", from: "3.0.0")`, "Package.resolved", `{"pins":[{"location":"https://github.com/who/lib.git","state":{"version":"3.23.8"}}]}`),
		files("Package.swift", `.package(url: "https://github.com/who/lib", .upToNextMajor(from: "3.0.0"))`), files("Package.swift", `.package(url: "https://github.com/who/lib", branch: "main")`), "Package.resolved", "Package.swift"},
	{"pub", files("pubspec.yaml", "name: x\ndependencies:\n  flutter:\n    sdk: flutter\n  lib: ^3.0.0\n", "pubspec.lock", "packages:\n  lib:\n    dependency: \"direct main\"\n    source: hosted\n    version: \"3.23.8\"\n"),
		files("pubspec.yaml", "dependencies:\n  lib:\n    hosted: https://x\n    version: '>=3.0.0 <4.0.0'\n"), files("pubspec.yaml", "dependencies:\n  lib: any\n"), "pubspec.lock", "pubspec.yaml"},
	{"go", files("go.mod", "module x\n\nrequire github.com/who/lib/v3 v3.23.8\n"), nil, nil, "go.mod", ""},
}

// files pairs names with texts.
func files(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

// storeOf makes a file with versions of one library, which has the name of the package in every registry.
func storeOf(t *testing.T, versions ...string) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "docs.db")
	for _, v := range append([]string{""}, versions...) {
		dir, id := tree(t, map[string]string{"README.md": "# Lib\n\nVersion " + v + " paints a circle.\n"}), "/who/lib"
		if v == "" {
			v, id = "1.0.0", "/who/unrelated"
		}
		f := New(Config{WorkDir: dir, DB: db, Temp: t.TempDir(), Now: func() time.Time { return time.Unix(1e9, 0) }})
		in := IngestInput{Where: Where{Source: ".", ID: id, Version: v}, Quiet: true}
		if id == "/who/lib" {
			in.Aliases = []string{"lib", "org.who:lib", "github.com/who/lib/v3"}
		}
		if _, err := f.Ingest(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// A question to a library is answered from the version that the project around has locked, or else one of the range that it
// asks for; the first line says so where another answers, or why one does.
func TestLockedVersionAnswers(t *testing.T) {
	right, other, none := storeOf(t, "3.23.8", "4.1.5"), storeOf(t, "4.1.5"), storeOf(t)
	for _, m := range managers {
		for _, c := range []struct {
			name            string
			project         map[string]string
			right, another  string // the answering versions
			says, otherSays string
		}{
			{"lock", m.lock, "3.23.8", "4.1.5", "Note: " + m.lockFile + " has ", "3.23.8, which is not stored: version 4.1.5 answers."},
			{"range", m.asked, "3.23.8", "4.1.5", "Note: " + m.rangeFile + " asks for ", ", which is not stored: version 4.1.5 answers."},
			{"nothing", m.plain, "4.1.5", "4.1.5", "Note: nothing in this project says which version of ", ": 4.1.5, the newest stored, answers."},
		} {
			if c.project == nil { // go.mod always names a version
				continue
			}
			t.Run(m.manager+"/"+c.name, func(t *testing.T) {
				dir := tree(t, c.project)
				ask := func(db, id string) (*Answered, error) {
					f := New(Config{WorkDir: dir, DB: db, Now: func() time.Time { return time.Unix(1e9, 0) }})
					defer f.Close()
					return f.Query(t.Context(), QueryInput{ID: id, Query: "paint a circle"})
				}
				if a, err := ask(right, "/who/lib"); err != nil || a.Version != c.right || !strings.HasPrefix(a.text, c.says) {
					t.Errorf("the right version is stored: %+v, %v", a, err)
				}
				if a, err := ask(other, "/Who/LIB"); err != nil || a.Version != c.another || !strings.HasPrefix(a.Note, c.says[:14]) || !strings.HasSuffix(a.Note, c.otherSays) {
					t.Errorf("another version is stored: %+v, %v", a, err)
				}
				if _, err := ask(none, "/who/lib"); fault.KindOf(err) != fault.NotFound {
					t.Errorf("nothing is stored: %v", err)
				}
				// A version that is named is meant, and another library has none of it.
				if a, err := ask(right, "/who/lib/4.1.5"); err != nil || a.Version != "4.1.5" || a.Note != "" {
					t.Errorf("a version that is named: %+v, %v", a, err)
				}
				if a, err := ask(right, "/who/unrelated"); err != nil || a.Version != "1.0.0" || a.Note != "" {
					t.Errorf("a library that the project does not use: %+v, %v", a, err)
				}
			})
		}
	}
}

// Without a project around, and where the locked version is the newest, nothing is said.
func TestLockedVersionIsPlain(t *testing.T) {
	db := storeOf(t, "3.23.8", "4.1.5")
	for name, project := range map[string]map[string]string{
		"no project": {"x.txt": "x"}, "newest": {"package.json": `{"dependencies":{"lib":"4"}}`, "package-lock.json": `{"packages":{"node_modules/lib":{"version":"4.1.5"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			f := New(Config{WorkDir: tree(t, project), DB: db})
			defer f.Close()
			a, err := f.Query(t.Context(), QueryInput{ID: "/who/lib", Query: "paint a circle"})
			if err != nil || a.Version != "4.1.5" || a.Note != "" {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
}

// The lock file of a workspace is above the package in which a question is asked.
func TestLockAbove(t *testing.T) {
	db := storeOf(t, "3.23.8", "4.1.5")
	for name, lock := range map[string]map[string]string{
		"pnpm": {"pnpm-lock.yaml": "importers:\n  packages/a:\n    dependencies:\n      lib:\n        specifier: '*'\n        version: 3.23.8\n  packages/b:\n    dependencies:\n      lib:\n        version: 4.1.5\n"},
		"yarn": {"yarn.lock": "\"lib@npm:*\":\n  version: 3.23.8\n"},
		"bun":  {"bun.lock": `{"packages":{"lib":["lib@4.1.5"],"a/lib":["lib@3.23.8"],},}`},
		"npm":  {"package-lock.json": `{"packages":{"node_modules/lib":{"version":"3.23.8"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, lock)
			write(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n", "package.json": "{}", "packages/a/package.json": `{"name":"a","dependencies":{"lib":"*"}}`})
			f := New(Config{WorkDir: filepath.Join(dir, "packages", "a"), DB: db})
			defer f.Close()
			a, err := f.Query(t.Context(), QueryInput{ID: "/who/lib", Query: "paint a circle"})
			if err != nil || a.Version != "3.23.8" {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
}

// IDs that differ by case only are of one library.
func TestOneLibraryWhateverCase(t *testing.T) {
	dir := tree(t, map[string]string{"README.md": "# Queue\n\nPut jobs into a queue.\n"})
	f := feature(t, dir)
	for _, in := range []Where{{Source: ".", ID: "/Who/Queue", Version: "1.0.0"}, {Source: ".", ID: "/who/queue", Version: "2.0.0"}, {Source: ".", ID: "/who/queue", Version: "1.0.0"}} {
		if _, err := f.Ingest(t.Context(), IngestInput{Where: in, Quiet: true}); err != nil {
			t.Fatal(err)
		}
	}
	l, err := f.List(t.Context(), ListInput{})
	if err != nil || len(l.Libraries) != 2 || l.Libraries[0].ID != "/Who/Queue" || l.Libraries[1].ID != "/Who/Queue" {
		t.Errorf("%+v, %v", l, err)
	}
	if a, err := f.Query(t.Context(), QueryInput{ID: "/WHO/queue/1.0.0", Query: "jobs"}); err != nil || a.Version != "1.0.0" {
		t.Errorf("%+v, %v", a, err)
	}
	r, err := f.Resolve(t.Context(), ResolveInput{Name: "queue"})
	if err != nil || len(r.Libraries) != 1 || !slices.Equal(r.Libraries[0].Versions, []string{"2.0.0", "1.0.0"}) {
		t.Errorf("%+v, %v", r, err)
	}
	if gone, err := f.Remove(t.Context(), RemoveInput{ID: "/who/QUEUE"}); err != nil || gone.Versions != 2 {
		t.Errorf("%+v, %v", gone, err)
	}
}
