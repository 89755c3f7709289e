package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What a project depends on is known by name from the manifests of each registry, and its version where that is locked.
func TestNamed(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  []string // name, version, ID
	}{
		{map[string]string{
			"Cargo.toml": "[package]\nname = \"x\"\n\n[dependencies]\naxum = \"0.7\"\ntokio = { version = \"1\", features = [\"full\"] }\nserde.workspace = true\n\n[dev-dependencies]\nproptest = \"1\"\n\n[dependencies.sqlx]\nversion = \"0.7\"\n\n[features]\nall = []\n",
			"Cargo.lock": "[[package]]\nname = \"axum\"\nversion = \"0.7.5\"\n",
		}, []string{"axum 0.7.5 /crates/axum", "proptest ^1 /crates/proptest", "serde  /crates/serde", "sqlx ^0.7 /crates/sqlx", "tokio ^1 /crates/tokio"}},
		{map[string]string{
			"composer.json": `{"require":{"php":">=8.1","ext-json":"*","doctrine/dbal":"^4.0"},"require-dev":{"phpunit/phpunit":"^11"}}`,
			"composer.lock": `{"packages":[{"name":"doctrine/dbal","version":"v4.1.0"}]}`,
		}, []string{"doctrine/dbal 4.1.0 /doctrine/dbal", "phpunit/phpunit ^11 /phpunit/phpunit"}},
		{map[string]string{
			"Gemfile": "source 'https://rubygems.org'\ngem 'rack', '~> 3.0'\n  gem \"puma\"\n# gem 'none'\n", "Gemfile.lock": "GEM\n  specs:\n    rack (3.0.8)\n      x (>= 1)\n",
		}, []string{"puma  /gems/puma", "rack 3.0.8 /gems/rack"}},
		{map[string]string{
			"Directory.Packages.props": `<Project><ItemGroup><PackageVersion Include="Serilog" Version="4.0.0" /></ItemGroup></Project>`,
			"src/A/A.csproj":           `<Project><ItemGroup><PackageReference Include="Polly" Version="$(Polly)" /></ItemGroup></Project>`,
		}, []string{"Polly  /nuget/Polly", "Serilog 4.0.0 /nuget/Serilog"}},
		{map[string]string{
			"pom.xml": "<project><dependencies><dependency>\n <groupId>com.google.code.gson</groupId>\n <artifactId>gson</artifactId>\n <version>2.11.0</version>\n</dependency></dependencies></project>",
		}, []string{"com.google.code.gson:gson 2.11.0 /maven/com.google.code.gson-gson"}},
		{map[string]string{
			"build.gradle.kts": "dependencies {\n    implementation(\"com.squareup.okio:okio:3.9.0\")\n    api(project(\":core\"))\n}\n",
			"gradle/libs.versions.toml": "[libraries]\nkotlinpoet = { module = \"com.squareup:kotlinpoet\", version.ref = \"kp\" }\n" +
				"junit = { group = \"org.junit.jupiter\", name = \"junit-jupiter\" }\n",
		}, []string{"com.squareup.okio:okio 3.9.0 /maven/com.squareup.okio-okio", "com.squareup:kotlinpoet  /maven/com.squareup-kotlinpoet", "org.junit.jupiter:junit-jupiter  /maven/org.junit.jupiter-junit-jupiter"}},
		{map[string]string{
			"package.json": `{"name":"root"}`, "packages/a/package.json": `{"dependencies":{"commander":"^14.0.0","@types/node":"22"}}`,
		}, []string{"@types/node 22 /npm/types-node", "commander ^14.0.0 /npm/commander"}},
		{map[string]string{
			"pyproject.toml": "[project]\nname = \"x\"\n\n[project.optional-dependencies]\nsql = [\"sqlalchemy[asyncio] >= 2.0\"]\n\n[tool.x]\ny = [\"not-one\"]\n",
		}, []string{"sqlalchemy >= 2.0 /pypi/sqlalchemy"}},
		{map[string]string{"mix.exs": "defp deps do\n  [\n    {:phoenix, \"~> 1.7\"},\n    {:jason, \">= 1.0.0\", only: :test}\n  ]\nend\n"}, []string{"jason >= 1.0.0 /hex/jason", "phoenix ~> 1.7 /hex/phoenix"}},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			at := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		all, _, err := Installed(t.Context(), dir, Places{})
		if err != nil || Project(dir) != dir {
			t.Errorf("%v: %v, in %q", c.files, err, Project(dir))
		}
		var got []string
		for _, p := range all {
			got = append(got, fmt.Sprintf("%s %s %s", p.Name, p.Version+p.Asked, p.ID))
			if p.Dir != "" || p.Missing == "" {
				t.Errorf("%s has a folder, or nothing says why not: %+v", p.Name, p)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
