package source

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What Cargo, Composer, Bundler, Maven and Gradle have installed is found at the version of the lock file, and nothing
// else is.
func TestRegistries(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	put(t, dir, map[string]string{
		"Cargo.toml": "[workspace]\nmembers = [\"own\"]\n\n[dependencies]\nrand = \"0.8\"\nlog = { version = \"0.4\", features = [\"std\"] }\nown = { path = \"own\" }\nforked = { git = \"https://x/y\" }\n" +
			"absent = \"1\"\nvend = \"2\"\nevil = \"1\"\n\n[dependencies.itoa]\nversion = \"1.0\"\n",
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
	got, err := Installed(t.Context(), dir, Places{Crates: in("cargo"), Maven: in("m2"), Gradle: in("gradle"), Gems: []string{"", in("nowhere"), in("gem")}})
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
	got, err := Installed(t.Context(), dir, Places{NuGet: home})
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
