package keptaside_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/eval/keptaside"
)

func TestProjects(t *testing.T) {
	all := keptaside.Projects()
	if !slices.IsSortedFunc(all, strings.Compare) || len(all) < 60 {
		t.Errorf("%d projects, which are sorted and more than 60: %v", len(all), all)
	}
	for _, p := range all {
		owner, name, ok := strings.Cut(p, "/")
		if !ok || owner == "" || name == "" {
			t.Errorf("%q is no OWNER/NAME", p)
		}
		for _, as := range []string{p, owner + "+" + name, strings.ToUpper(p), "https://github.com/" + p + ".git", "git@github.com:" + p, p + ", questions"} {
			err := keptaside.Check(as)
			if err == nil || !strings.Contains(err.Error(), as) || !strings.Contains(err.Error(), p) || !strings.Contains(err.Error(), "kept aside") {
				t.Errorf("Check(%q) = %v", as, err)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for name, of := range map[string]string{
		"expressjs+expressjs.com":        "is named as the site of expressjs/express",
		"laravel+docs":                   "is named as the site of laravel/framework",
		"tokio-rs+website":               "is named as the site of tokio-rs/tokio",
		"tokio-rs/doc-push":              "is named as the site of tokio-rs/tokio",
		"redis/redis-doc":                "is named as the site of redis/redis",
		"gin-gonic/website":              "is named as the site of gin-gonic/gin",
		"serde-rs/serde-rs.github.io":    "is named as the site of serde-rs/serde",
		"bagder/everything-curl":         "is named as the site of curl/curl",
		"JetBrains/kotlin-web-site":      "is named as the site of ",
		"encode/starlette":               "is Kludex/starlette",
		"cobra":                          "is spf13/cobra",
		"redux symbols":                  "is reduxjs/redux",
		"https://github.com/httpie/cli/": "is httpie/cli",
		"tokio-rs+axum":                  "",
		"tokio-rs+tracing":               "",
		"cli/cli":                        "",
		"uutils/task":                    "",
		"honojs+website":                 "",
		"go-gorm+gorm.io":                "",
		"celery+celery":                  "",
		"elixir-plug+plug":               "",
		"fold 3":                         "",
		"":                               "",
	} {
		err := keptaside.Check(name)
		if (err == nil) != (of == "") || err != nil && !strings.Contains(err.Error(), of) {
			t.Errorf("Check(%q) = %v, want %q", name, err, of)
		}
	}
}
