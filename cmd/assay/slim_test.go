package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestSlimLinks holds that the slim program does not link what it leaves out. Its size is held by eval/release.
func TestSlimLinks(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-tags", "slim", ".")
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for _, without := range []string{"/script/scaffold", "/docs/openapi", "/html/charset", "modernc.org/sqlite", "/code/embed/model2vec"} {
		if i := slices.IndexFunc(linked, func(p string) bool { return strings.HasSuffix(p, without) }); i >= 0 {
			t.Errorf("slim links %s", linked[i])
		}
	}
}
