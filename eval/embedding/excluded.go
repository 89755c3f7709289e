package main

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// excluded is the projects that search quality is measured on. Nothing of them
// may be trained on, under any packaging. The names are those of the projects;
// what else they go by follows in alsoExcluded.
var excluded = strings.Fields(`
	abseil-cpp aeson aiohttp alamofire axios axum bash-it bats-core cats chi circe click cobra commons-lang curl dapper ecto exposed express
	fastapi flask fmtlib gin gson guzzle http4s httpx jackson-databind kotlinx-coroutines ktor laravel lazy.nvim libuv messagepack-csharp
	locomo mini.nvim model2vec monolog newtonsoft-json nlohmann-json nvm pandoc phoenix plug pydantic rack rails redis redux requests serde sinatra
	snapkit starlette telescope.nvim tokio trpc vapor vitest xmonad zig zig-clap zls zod
	alertmanager astropy bat beads django fastify fzf go-task httpie kombu matplotlib picocli pylint restic rich ripgrep scikit-learn seaborn sphinx starship
	sympy xarray`)

// alsoExcluded is the names under which parts and copies of them are packaged.
var alsoExcluded = strings.Fields(`
	abseil absl libabsl bash_it bats bats-assert bats-support cats-core cats-effect cats-kernel go-chi commons-lang3 libcurl curl4 spf13/cobra
	ecto_sql phoenix_live_view phoenix_html phoenix_pubsub plug_cowboy plug_crypto express-generator gin-gonic guzzlehttp psr7 jackson2-databind libjackson-json-java
	fmt-dev libfmt google-gson kotlinx.coroutines illuminate laravel-framework lazy-nvim mini-nvim telescope-nvim uv1 messagepack-cs
	com.neuecc.messagepack newtonsoft.json json-net newtonsoft nlohmann nlohmann-json3 json-for-modern-cpp pydantic-core pydantic_core
	actioncable actionmailbox actionmailer actionpack actiontext actionview activejob activemodel activerecord activestorage activesupport
	railties action_cable action_controller action_dispatch action_mailbox action_mailer action_pack action_text action_view active_job
	active_model active_record active_storage active_support redux-toolkit reduxjs rtk serde_json serde_derive serde_core serde-json
	serde-derive tokio-util tokio-macros tokio-stream tokio-test rack-protection rack-test xmonad-contrib axum-core axum-extra axum-macros
	pandoc-types ziglang junegunn/fzf prometheus/alertmanager sklearn fastify-plugin`)

// javaPaths are folders of excluded projects that only several names together tell.
var javaPaths = []string{
	"org/apache/commons/lang", "com/google/gson", "com/fasterxml/jackson/databind", "kotlinx/coroutines", "io/ktor", "org/jetbrains/exposed",
	"org/http4s", "io/circe", "spf13/cobra", "microsoft/vitest", "redux/src", "redux/dist",
}

// wrapping is what distributions put around the name of a project.
var (
	wrapBefore = regexp.MustCompile(`^(lib)?(python3?|ruby|rust|ghc|haskell|php|golang|node|lua|elixir|erlang|kotlin|scala|types)[-.]`)
	wrapAfter  = regexp.MustCompile(`([-.](dev|doc|docs|java|perl|data|source|src|core|common|utils|cpp|js|ts|php|rb|py|go|dotnet|modules?|framework))+$`)
	wrapNumber = regexp.MustCompile(`[-@_]v?[0-9][0-9a-z.+~-]*$`)
	wrapDigits = regexp.MustCompile(`[0-9.]+$`)
)

// bare returns the names that a package or a folder may be meant by.
func bare(name string) []string {
	name = strings.ToLower(name)
	out := []string{name}
	add := func(s string) {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for i := 0; i < len(out) && i < 12; i++ {
		s := out[i]
		add(wrapNumber.ReplaceAllString(s, ""))
		add(wrapDigits.ReplaceAllString(s, ""))
		add(wrapBefore.ReplaceAllString(s, ""))
		add(wrapAfter.ReplaceAllString(s, ""))
		add(strings.ReplaceAll(s, "_", "-"))
		add(strings.TrimPrefix(s, "lib"))
	}
	return out
}

func isExcluded(name string) bool {
	return slices.ContainsFunc(bare(name), func(s string) bool {
		return slices.Contains(excluded, s) || slices.Contains(alsoExcluded, s)
	})
}

// packagePrefix tells the packages that belong to an excluded project by how
// their names begin.
var packagePrefix = regexp.MustCompile(`^(librust-(tokio|serde|axum)|ruby-(rails|active|action|rack|sinatra)|php-(laravel|illuminate|guzzle|monolog)|` +
	`libghc-(aeson|pandoc|xmonad)|haskell-(aeson|pandoc|xmonad)|python3-(flask|requests|pydantic|starlette|fastapi|httpx|aiohttp|click)|` +
	`@trpc/|@vitest/|@reduxjs/|laravel-|com\.unity\.nuget\.newtonsoft|org\.nuget\.newtonsoft|jillejr\.newtonsoft|libcurl|zig|redux|zod|axios|express-?$)`)

// excludedPackage reports whether a package is, or is part of, a project that must
// not be trained on.
func excludedPackage(name string) bool {
	name = strings.ToLower(name)
	if packagePrefix.MatchString(name) {
		return true
	}
	return slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool {
		s = strings.TrimPrefix(s, "@")
		if isExcluded(s) {
			return true
		}
		// golang-github-spf13-cobra-dev: the last part is the project.
		parts := strings.Split(wrapAfter.ReplaceAllString(s, ""), "-")
		return strings.HasPrefix(s, "golang-") && isExcluded(parts[len(parts)-1])
	})
}

// excludedPath reports whether a file inside another package is a copy of an
// excluded project's, by the names of its folders and its own.
func excludedPath(name string) bool {
	name = path.Clean("/" + strings.ToLower(name))
	for _, p := range javaPaths {
		if strings.Contains(name, "/"+p+"/") || strings.Contains(name, "/"+p+"3/") {
			return true
		}
	}
	parts := strings.Split(name[1:], "/")
	for i, p := range parts {
		if i == len(parts)-1 {
			p = strings.TrimSuffix(p, path.Ext(p)) // requests.py, axios.js
		}
		if isExcluded(p) {
			return true
		}
	}
	c := strings.HasSuffix(name, ".h") || strings.HasSuffix(name, ".cc") || strings.HasSuffix(name, ".hpp") || strings.HasSuffix(name, ".cpp") || strings.HasSuffix(name, ".c")
	return c && (slices.Contains(parts, "fmt") || slices.Contains(parts, "uv"))
}

// signs stand near the beginning of files of excluded projects, wherever a copy lies.
var signs = []string{
	"The Abseil Authors", "JSON for Modern C++", "Victor Zverovich", "Manu Martinez-Almeida", "The Cobra Authors", "Newtonsoft", "Taylor Otwell",
	"Copyright Joyent, Inc. and other Node contributors", "Salvatore Sanfilippo", "Daniel Stenberg", "jackson-databind", "Google Gson",
}

// excludedText reports whether a file's beginning says that it is a copy.
func excludedText(head []byte) bool {
	s := string(head[:min(len(head), 1500)])
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(s, sign) })
}
