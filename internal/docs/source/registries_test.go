package source

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What Cargo, Composer, Bundler, Maven and Gradle have installed is found at the version of the lock file, and nothing
// else is.
func TestRegistries(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	put(t, dir, map[string]string{
		"Cargo.toml": "[workspace]\nmembers = [\"own\"]\n\n[dependencies]\nrand = \"0.8\"\nlog = { version = \"0.4\", features = [\"std\"] }\nown = { path = \"own\" }\nforked = { git = \"https://x/y\" }\n" +
			"absent = \"1\"\nvend = \"2\"\nrenamed = { package = \"itoa\", version = \"1\" }\nevil = \"1\"\n\n[dependencies.itoa]\nversion = \"1.0\"\n",
		"Cargo.lock": cargoLock("absent", "1.0.0", "evil", "../../../1.0.0", "itoa", "1.0.11", "log", "0.4.22", "rand", "0.8.5", "rand", "0.9.1", "vend", "2.1.0") +
			"[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"forked\"\nversion = \"3.0.0\"\nsource = \"git+https://x/y#abc\"\n",
		"vendor/vend/Cargo.toml":         "[package]\nname = \"vend\"\nversion = \"2.1.0\"\n",
		"composer.json":                  `{"require":{"php":">=8","a/b":"^1","a/old":"1","a/none":"1","../../x":"1"},"require-dev":{"d/ev":"^2"}}`,
		"composer.lock":                  `{"packages":[{"name":"a/b","version":"v1.2.0"},{"name":"a/old","version":"1.1.0"},{"name":"a/none","version":"1.0.0"}],"packages-dev":[{"name":"d/ev","version":"2.0.1"}]}`,
		"vendor/composer/installed.json": `{"packages":[{"name":"a/b","version":"v1.2.0"},{"name":"a/old","version":"1.0.0"},{"name":"d/ev","version":"2.0.1"}]}`,
		"vendor/a/b/README.md":           "# b", "vendor/a/old/README.md": "# old", "vendor/d/ev/README.md": "# ev",
		"Gemfile":      "gem 'ice', '~> 1'\ngem 'native'\ngem 'home'\ngem 'lost'\ngem 'free'\n",
		"Gemfile.lock": "GEM\n  specs:\n    free (1.0-x86)\n    home (3.0.0)\n    ice (1.2.3)\n      dep (>= 1)\n    lost (9.0)\n    native (2.0.0-x86_64-linux)\n",
		"vendor/bundle/ruby/3.2.0/gems/ice-1.2.3/README.md": "# ice", "vendor/bundle/ruby/3.2.0/gems/native-2.0.0-x86_64-linux/README.md": "# native",
		"pom.xml":      "<dependency><groupId>com.x</groupId><artifactId>y</artifactId><version>1.5</version></dependency><dependency><groupId>com..x</groupId><artifactId>..</artifactId><version>1</version></dependency>",
		"build.gradle": "implementation 'org.g:lib:2.0'\nimplementation 'org.g:bare:2.0'\n",
	})
	put(t, home, map[string]string{
		"cargo/registry/src/index.crates.io-1/rand-0.8.5/README.md": "# rand", "cargo/registry/src/index.crates.io-1/rand-0.9.1/README.md": "# rand 9",
		"cargo/registry/src/index.crates.io-1/log-0.4.22/README.md": "# log", "cargo/registry/src/index.crates.io-1/itoa-1.0.11/README.md": "# itoa", "cargo/registry/src/own-0.1.0/README.md": "# not it",
		"gem/gems/home-3.0.0/README.md": "# home", "m2/com/x/y/1.5/y-1.5-sources.jar": "PK", "gradle/caches/modules-2/files-2.1/org.g/lib/2.0/abc/lib-2.0-sources.jar": "PK",
	})
	in := func(name string) string { return filepath.Join(home, name) }
	got, _, err := Installed(t.Context(), dir, Places{Crates: in("cargo"), Maven: in("m2"), Gradle: in("gradle"), Gems: []string{"", in("nowhere"), in("gem")}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range got {
		lines = append(lines, fmt.Sprint(p.Name, " ", p.Version, " ", whereabouts(p, dir, home)))
	}
	want := []string{
		"a/b 1.2.0 /vendor/a/b",
		"a/none 1.0.0 it is not in vendor: composer install puts it there",
		"a/old 1.1.0 vendor has 1.0.0, and composer.lock 1.1.0",
		"absent 1.0.0 it is not in Cargo's registry: cargo fetch puts it there",
		"com..x:.. 1 its sources are not here: mvn dependency:sources fetches them",
		"com.x:y 1.5 /m2/com/x/y/1.5/y-1.5-sources.jar",
		"d/ev 2.0.1 /vendor/d/ev",
		"evil  no lock file has its version",
		"forked 3.0.0 it is of git+https://x/y#abc",
		"free 1.0 it is not among the gems here: bundle install puts it there",
		"home 3.0.0 /gem/gems/home-3.0.0",
		"ice 1.2.3 /vendor/bundle/ruby/3.2.0/gems/ice-1.2.3",
		"itoa 1.0.11 /cargo/registry/src/index.crates.io-1/itoa-1.0.11",
		"log 0.4.22 /cargo/registry/src/index.crates.io-1/log-0.4.22",
		"lost 9.0 it is not among the gems here: bundle install puts it there",
		"native 2.0.0 /vendor/bundle/ruby/3.2.0/gems/native-2.0.0-x86_64-linux",
		"org.g:bare 2.0 its sources are not here: mvn dependency:sources fetches them",
		"org.g:lib 2.0 /gradle/caches/modules-2/files-2.1/org.g/lib/2.0/abc/lib-2.0-sources.jar",
		"own 0.1.0 it is a part of this project",
		"rand 0.8.5 /cargo/registry/src/index.crates.io-1/rand-0.8.5",
		"vend 2.1.0 /vendor/vend",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

func cargoLock(pairs ...string) (out string) {
	for i := 0; i < len(pairs); i += 2 {
		out += fmt.Sprintf("[[package]]\nname = %q\nversion = %q\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n", pairs[i], pairs[i+1])
	}
	return out
}

// What dotnet restore put among NuGet's packages is found at the version that it chose; without that, at the version that
// a project asks for, where it is one.
func TestNuGet(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	put(t, dir, map[string]string{
		"App.csproj": `<Project><ItemGroup><PackageReference Include="Some.Json" Version="13.0.1" /><PackageReference Include="Least" Version="2.0.0" />` +
			`<PackageReference Include="Range" Version="[1.0,2.0)" /><PackageReference Include="Gone" Version="1.0.0" /><PackageReference Include="Evil" Version="../../x" /></ItemGroup></Project>`,
		"obj/project.assets.json": `{"libraries":{"Some.Json/13.0.3":{"type":"package"},"App/1.0.0":{"type":"project"}}}`,
		"packages.lock.json":      `{"dependencies":{"net8.0":{"range":{"type":"Direct","resolved":"1.4.0"},"Some.Json":{"resolved":"13.0.2"}}}}`,
	})
	put(t, home, map[string]string{"some.json/13.0.3/README.md": "# Json", "some.json/13.0.1/README.md": "# old", "least/2.0.0/README.md": "# Least", "range/1.4.0/README.md": "# Range"})
	got, _, err := Installed(t.Context(), dir, Places{NuGet: home})
	if err != nil || Project(filepath.Join(dir, "obj")) != dir {
		t.Fatalf("%v, in %q", err, Project(dir))
	}
	var lines []string
	for _, p := range got {
		lines = append(lines, fmt.Sprint(p.Name, " ", p.Version, " ", whereabouts(p, dir, home)))
	}
	want := []string{
		"Evil  no lock file has its version",
		"Gone 1.0.0 it is not among NuGet's packages: dotnet restore puts it there",
		"Least 2.0.0 /least/2.0.0",
		"Range 1.4.0 /range/1.4.0",
		"Some.Json 13.0.3 /some.json/13.0.3",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

// What packages of a workspace ask for is where npm puts it: beside the workspace, or beside the package. Packages of one
// repository are told apart, and none is lost.
func TestWorkspace(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"package.json":                              `{"workspaces":["libs/*"],"dependencies":{"react":"18","react-dom":"18","@types/react":"18","@types/node":"22"}}`,
		"package-lock.json":                         `{"packages":{"node_modules/left":{"version":"1.0.0"},"libs/b/node_modules/left":{"version":"2.0.0"},"node_modules/react":{"version":"18.3.1"}}}`,
		"libs/a/package.json":                       `{"name":"a","dependencies":{"hoisted":"^1","b":"*"}}`,
		"libs/b/package.json":                       `{"name":"b","dependencies":{"left":"^2"}}`,
		"node_modules/left/package.json":            `{"name":"left","version":"1.0.0"}`,
		"node_modules/hoisted/package.json":         `{"name":"hoisted","version":"1.1.0"}`,
		"node_modules/react/package.json":           `{"name":"react","version":"18.3.1","repository":"github:facebook/react"}`,
		"node_modules/react-dom/package.json":       `{"name":"react-dom","version":"18.3.1","repository":{"url":"https://github.com/facebook/react.git","directory":"packages/react-dom"}}`,
		"node_modules/@types/react/package.json":    `{"name":"@types/react","version":"18.0.0","repository":"github:DefinitelyTyped/DefinitelyTyped"}`,
		"node_modules/@types/node/package.json":     `{"name":"@types/node","version":"22.0.0","repository":"github:DefinitelyTyped/DefinitelyTyped"}`,
		"libs/b/node_modules/left/package.json":     `{"name":"left","version":"2.0.0"}`,
		"libs/b/node_modules/left/dist/left.d.ts":   "",
		"libs/a/nothing/here":                       "",
		"node_modules/transitive/package.json":      `{"name":"transitive","version":"1.0.0"}`,
		"node_modules/@types/react/index.d.ts":      "",
		"node_modules/hoisted/node_modules/x/a.txt": "",
	})
	for _, c := range []struct {
		at   string
		want []string
	}{
		{"", []string{
			"@types/node 22.0.0 /npm/types-node /node_modules/@types/node",
			"@types/react 18.0.0 /npm/types-react /node_modules/@types/react",
			"hoisted 1.1.0 /npm/hoisted /node_modules/hoisted",
			"left 2.0.0 /npm/left /libs/b/node_modules/left",
			"react 18.3.1 /facebook/react /node_modules/react",
			"react-dom 18.3.1 /npm/react-dom /node_modules/react-dom",
		}},
		// What is above is read in one repository alone.
		{"libs/a", []string{"b  /npm/b it is not in node_modules", "hoisted ^1 /npm/hoisted it is not in node_modules"}},
	} {
		if diff := cmp.Diff(c.want, installedIn(t, filepath.Join(dir, c.at), Places{}, dir)); diff != "" {
			t.Errorf("%s: %s", c.at, diff)
		}
	}
	put(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n"})
	for _, c := range []struct {
		at   string
		want []string
	}{
		{"libs/a", []string{"b  /npm/b it is not in node_modules", "hoisted 1.1.0 /npm/hoisted /node_modules/hoisted"}},
		{"libs/b", []string{"left 2.0.0 /npm/left /libs/b/node_modules/left"}},
	} {
		if diff := cmp.Diff(c.want, installedIn(t, filepath.Join(dir, c.at), Places{}, dir)); diff != "" {
			t.Errorf("%s: %s", c.at, diff)
		}
	}
}

// installedIn returns a line for each package that a project asks for.
func installedIn(t *testing.T, dir string, places Places, below ...string) (lines []string) {
	t.Helper()
	got, _, err := Installed(t.Context(), dir, places)
	if err != nil || Project(dir) != dir {
		t.Fatalf("%v, in %q", err, Project(dir))
	}
	for _, p := range got {
		lines = append(lines, fmt.Sprint(p.Name, " ", p.Version+p.Asked, " ", p.ID, " ", whereabouts(p, below...)))
	}
	return lines
}

// Whatever way a project of Python says what it asks for, what is installed of it is found.
func TestPythonManifests(t *testing.T) {
	site := func(name, version string) (string, string, string, string) {
		at := ".venv/lib/python3.12/site-packages/" + name + "-" + version + ".dist-info/"
		return at + "METADATA", "Name: " + name + "\nVersion: " + version + "\n", at + "RECORD", name + ".py,,\n"
	}
	for _, c := range []struct{ file, text, lock, locked, want string }{
		{"pyproject.toml", "[project]\ndependencies = []\n[project.optional-dependencies]\ntest = [\"one[x] >= 1\"]\n", "", "", "one 1.0"},
		{"pyproject.toml", "[dependency-groups]\ndev = [{include-group = \"two\"}, \"one\"]\n", "", "", "one 1.0"},
		{"pyproject.toml", "[tool.uv]\ndev-dependencies = [\n \"one>=1\",\n]\nother = [\"two\"]\n", "uv.lock", "[[package]]\nname = \"one\"\nversion = \"1.0\"\n", "one 1.0"},
		{"pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3\"\n[tool.poetry.group.dev.dependencies]\none = \"^1\"\n[tool.poetry.scripts]\ntwo = \"x\"\n", "", "", "one 1.0"},
		{"requirements/dev.txt", "-r ../more.txt\n", "more.txt", "one===1.0 ; python_version > '3'\n", "one 1.0"},
		{"requirements-test.txt", "one==2.0\n", "", "", "one 2.0 the environment has 1.0, and the lock file 2.0"},
		{"setup.py", "setup(install_requires=[\n  'one>=1', \"two\"])", "", "", "one 1.0,two 1.0"},
		{"setup.cfg", "[options]\ninstall_requires =\n    one>=1\n    # no\n    two\npackages = find:\n", "", "", "one 1.0,two 1.0"},
		{"Pipfile", "[packages]\none = \"*\"\n[dev-packages]\n\"two\" = {version = \"*\"}\n[requires]\npython_version = \"3\"\n", "Pipfile.lock",
			`{"_meta":{"hash":{"sha256":"x"}},"default":{"one":{"version":"==1.0"}},"develop":{"two":{"version":"==1.5"}}}`, "one 1.0,two 1.5 the environment has 1.0, and the lock file 1.5"},
	} {
		dir := t.TempDir()
		files := map[string]string{c.file: c.text, "setup.cfg": ""}
		if c.lock != "" {
			files[c.lock] = c.locked
		}
		files[c.file] = c.text
		for _, name := range []string{"one", "two"} {
			meta, said, record, top := site(name, "1.0")
			files[meta], files[record] = said, top
		}
		put(t, dir, files)
		var lines []string
		for _, l := range installedIn(t, dir, Places{}, dir) {
			l = strings.TrimSuffix(l, " /.venv/lib/python3.12/site-packages")
			lines = append(lines, strings.NewReplacer(" /pypi/one", "", " /pypi/two", "").Replace(l))
		}
		if got := strings.Join(lines, ","); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.file, c.text, got, c.want)
		}
	}
}

// The versions of artifacts are where builds write them.
func TestBuilds(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"pom.xml": "<project><groupId>own</groupId><artifactId>root</artifactId><version>7</version><properties><y.version>1.5</y.version><same>${y.version}</same></properties>" +
			"<dependencyManagement><dependencies><dependency><groupId>com.x</groupId><artifactId>managed</artifactId><version>${same}</version></dependency>" +
			"<dependency><groupId>com.x</groupId><artifactId>bom</artifactId><version>1</version><type>pom</type></dependency></dependencies></dependencyManagement>" +
			"<dependencies><dependency><groupId>com.x</groupId><artifactId>y</artifactId><scope>test</scope><version>${y.version}</version><exclusions><exclusion><groupId>no</groupId><artifactId>no</artifactId></exclusion></exclusions></dependency>" +
			"<!-- <dependency><groupId>com.x</groupId><artifactId>gone</artifactId></dependency> --><dependency><groupId>com.x</groupId><artifactId>unknown</artifactId><version>${nowhere}</version></dependency></dependencies></project>",
		"core/pom.xml": "<project><artifactId>core</artifactId><dependencies><dependency><groupId>${project.groupId}</groupId><artifactId>root</artifactId></dependency>" +
			"<dependency><groupId>com.x</groupId><artifactId>managed</artifactId></dependency></dependencies></project>",
		"gradle.properties":         "okVersion=3.0\n",
		"build.gradle":              "ext.inner = '4.0'\ndependencies {\n implementation \"org.g:ok:$okVersion\"\n api \"org.g:inner:${inner}@aar\"\n implementation group: 'org.g', name: 'map', version: '5.0'\n implementation 'junit:junit:4.13'\n}\n",
		"app/build.gradle.kts":      "dependencies { implementation(\"org.g:locked:+\") }\n",
		"gradle.lockfile":           "org.g:locked:6.1=compileClasspath\norg.g:transitive:1=compileClasspath\n",
		"gradle/libs.versions.toml": "[versions]\nkp = \"8.0\"\n\n[libraries]\n# no = \"a.b:c:1\"\none = { module = \"org.c:one\", version.ref = \"kp\" }\ntwo = { group = \"org.c\", name = \"two\", version = \"9.0\" }\nthree = \"org.c:three:10\"\n\n[plugins]\nx = \"org.p:x:1\"\n",
	})
	want := []string{
		"com.x:managed 1.5", "com.x:unknown ", "com.x:y 1.5", "junit:junit 4.13", "org.c:one 8.0", "org.c:three 10", "org.c:two 9.0",
		"org.g:inner 4.0", "org.g:locked 6.1", "org.g:map 5.0", "org.g:ok 3.0",
	}
	got, _, err := Installed(t.Context(), dir, Places{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range got {
		lines = append(lines, p.Name+" "+p.Version)
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

// What Mix and Swift's package manager fetched is in the project itself.
func TestCheckouts(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"mix.exs":                        "[{:jason, \"~> 1.0\"}, {:old, \"1.0\"},\n  # {:none, \"1\"}\n {:gone, \"~> 2.0\"}]",
		"mix.lock":                       "%{\n  \"gone\": {:hex, :gone, \"2.0.0\", \"a\"},\n  \"jason\": {:hex, :jason, \"1.4.4\", \"b\", [:mix], [], \"hexpm\"},\n  \"old\": {:hex, :old, \"1.1.0\", \"c\"},\n}\n",
		"deps/jason/hex_metadata.config": "{<<\"name\">>,<<\"jason\">>}.\n{<<\"version\">>,<<\"1.4.4\">>}.\n",
		"deps/old/hex_metadata.config":   "{<<\"version\">>,<<\"1.0.0\">>}.\n",
		"Package.swift":                  ".package(url: \"https://github.com/a/Kit.git\", from: \"1.0.0\"), .package(\n  name: \"x\", url: \"https://github.com/a/none\", .upToNextMajor(from: \"1.0.0\")),",
		"Package.resolved":               `{"pins":[{"identity":"kit","location":"https://github.com/A/kit.git","state":{"version":"1.2.0"}},{"location":"https://github.com/a/none","state":{"branch":"main"}}],"version":2}`,
		".build/checkouts/Kit/README.md": "# Kit",
		".build/workspace-state.json":    `{"object":{"dependencies":[{"packageRef":{"location":"https://github.com/a/kit"},"state":{"checkoutState":{"version":"1.2.0"}},"subpath":"Kit"}]}}`,
	})
	want := []string{
		"Kit 1.2.0 /a/Kit /.build/checkouts/Kit",
		"gone 2.0.0 /hex/gone it is not in deps: mix deps.get puts it there",
		"jason 1.4.4 /hex/jason /deps/jason",
		"none ^1.0.0 /a/none no lock file has its version",
		"old 1.1.0 /hex/old deps has 1.0.0, and mix.lock 1.1.0",
	}
	if diff := cmp.Diff(want, installedIn(t, dir, Places{}, dir)); diff != "" {
		t.Error(diff)
	}
}
