package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/eval/keptaside"
)

func TestExcludedPackage(t *testing.T) {
	for name, want := range map[string]bool{
		"python3-flask":                   true,
		"python3-click":                   true,
		"librust-tokio-dev":               true,
		"librust-tokio-util-dev":          true,
		"librust-serde-json-dev":          true,
		"ruby-activerecord":               true,
		"ruby-rack":                       true,
		"php-laravel-framework":           true,
		"php-illuminate-database":         true,
		"php-guzzlehttp-psr7":             true,
		"php-monolog":                     true,
		"libfmt-dev":                      true,
		"nlohmann-json3-dev":              true,
		"libuv1-dev":                      true,
		"libcurl4-openssl-dev":            true,
		"libabsl-dev":                     true,
		"libghc-aeson-dev":                true,
		"haskell-aeson":                   true,
		"haskell-pandoc":                  true,
		"xmonad":                          true,
		"libgoogle-gson-java":             true,
		"libcommons-lang3-java":           true,
		"libjackson2-databind-java":       true,
		"kotlinx-coroutines":              true,
		"golang-github-spf13-cobra-dev":   true,
		"github.com/spf13/cobra":          true,
		"github.com/go-chi/chi/v5":        true,
		"github.com/gin-gonic/gin":        true,
		"@trpc/server":                    true,
		"@reduxjs/toolkit":                true,
		"express":                         true,
		"vitest":                          true,
		"@vitest/runner":                  true,
		"com.unity.nuget.newtonsoft-json": true,
		"elixir":                          false,
		"elixir-lang":                     false,
		"erlang-redis-client":             false,
		"github.com/rs/zerolog":           false,
		"python3-twisted":                 false,
		"ruby-mail":                       false,
		"@babel/core":                     false,
		"librust-clap-dev":                false,
		"golang-etcd-server-dev":          false,
		"swiftlang":                       false,
	} {
		if got := excludedPackage(name); got != want {
			t.Errorf("excludedPackage(%q) = %v, want %v", name, got, want)
		}
	}
}

// Every project of the list is kept out under its own name, as a package, as a
// folder and as a file.
func TestExcludedAll(t *testing.T) {
	for _, name := range excluded {
		for _, p := range []string{name + "/a.go", "x/" + name + "/src/a.c", "x/" + name + "-1.2.3/a.c", "x/" + strings.ReplaceAll(name, "-", "_") + "/a.c"} {
			if !excludedPath(p) {
				t.Errorf("excludedPath(%q) = false, want true", p)
			}
		}
		if !excludedPackage(name) {
			t.Errorf("excludedPackage(%q) = false, want true", name)
		}
	}
}

func TestExcludedPath(t *testing.T) {
	for name, want := range map[string]bool{
		"usr/lib/python3/dist-packages/pip/_vendor/requests/api.py": true,
		"package/node_modules/axios/lib/axios.js":                   true,
		"package/dist/axios.js":                                     true,
		"include/spdlog/fmt/bundled/core.h":                         true,
		"include/nlohmann/json.hpp":                                 true,
		"src/org/apache/commons/lang3/StringUtils.java":             true,
		"src/com/google/gson/Gson.java":                             true,
		"a/vendor/tokio-1.38.0/src/lib.rs":                          true,
		"a/vendor/serde_json/src/lib.rs":                            true,
		"deps/uv/src/unix/core.c":                                   true,
		"vendor/guzzlehttp/psr7/src/Uri.php":                        true,
		"absl/strings/str_cat.h":                                    true,
		"go/src/fmt/print.go":                                       false,
		"src/org/apache/commons/io/FileUtils.java":                  false,
		"lib/plugins/click_to_call/a.js":                            false,
		"usr/share/doc/git/README":                                  false,
		"lib/phoenix/router.ex":                                     true,
	} {
		if got := excludedPath(name); got != want {
			t.Errorf("excludedPath(%q) = %v, want %v", name, got, want)
		}
	}
}

// The lists name no excluded project, and are in order.
func TestLists(t *testing.T) {
	for _, kind := range append(slices.Clone(kinds), "prose") {
		all, err := names(kind)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 {
			t.Errorf("%s lists nothing", kind)
		}
		for i, name := range all {
			if excludedPackage(name) {
				t.Errorf("%s lists %s, which is excluded", kind, name)
			}
			if i > 0 && all[i-1] >= name {
				t.Errorf("%s is not sorted: %s, %s", kind, all[i-1], name)
			}
			if p := folder(name); p != filepath.Base(p) {
				t.Errorf("folder(%q) = %q, want one name", name, p)
			}
		}
	}
}

// What is kept aside is not trained on either.
func TestExcludesKeptAside(t *testing.T) {
	for _, p := range keptaside.Projects() {
		if !excludedPackage(p) {
			t.Errorf("%s may be trained on", p)
		}
	}
}
