package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

func TestSet(t *testing.T) {
	for _, tc := range []struct{ was, name, value, want string }{
		{"", "embed.provider", "none", "embed:\n  provider: none\n"},
		{"# mine\n", "color", "never", "# mine\ncolor: never\n"},
		{"embed:\n  provider: static # why\n  dims: 64\n", "embed.provider", "none", "embed:\n  provider: none # why\n  dims: 64\n"},
		{"embed:\n    # c\n    dims: 64\n", "embed.provider", "none", "embed:\n    # c\n    provider: none\n    dims: 64\n"},
		{"embed.provider: 'static'\nx: y", "embed.provider", "none", "embed.provider: none\nx: y"},
		{"search: {top_k: 5, budget: 10}\n", "search.top_k", "20", "search: {top_k: 20, budget: 10}\n"},
		{"memory:\n", "memory.vault", "/ a: b #c", "memory:\nmemory:\n"}, // twice the same key: refused
		{"search:\n  top_k: 5\r\n", "search.top_k", "7", "search:\n  top_k: 7\r\n"},
		{"docs:\n  db: \"/a\\tb\" # c\n", "docs.db", "/new: place", "docs:\n  db: '/new: place' # c\n"},
	} {
		file := filepath.Join(t.TempDir(), "assay", "config.yaml")
		if tc.was != "" {
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(tc.was), 0o640); err != nil {
				t.Fatal(err)
			}
		}
		err := Set(file, tc.name, tc.value, false)
		got, _ := os.ReadFile(file)
		if strings.HasPrefix(tc.was, "memory") {
			if fault.KindOf(err) != fault.Usage || string(got) != tc.was {
				t.Errorf("%q: %v, %q", tc.was, err, got)
			}
			continue
		}
		if err != nil || string(got) != tc.want {
			t.Errorf("%q: %v, %q, want %q", tc.was, err, got, tc.want)
			continue
		}
		if info, err := os.Stat(file); err != nil || tc.was != "" && info.Mode().Perm() != 0o640 || tc.was == "" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if err := Set(file, tc.name, "", true); err != nil && !strings.Contains(tc.was, "{") {
			t.Errorf("%q: unset: %v", tc.was, err)
		}
		if got, _ := os.ReadFile(file); !strings.Contains(tc.was, "{") && strings.Contains(string(got), tc.value) {
			t.Errorf("%q: unset: %q", tc.was, got)
		}
	}
}

func TestSetRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.yaml")
	was := "embed:\n  provider: |\n    static\nmemory: &a\n  min_score: 0.5\n"
	if err := os.WriteFile(file, []byte(was), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, value, want string }{
		{"embed.provider", "none", "cannot be edited line by line"},
		{"embed.povider", "none", "embed.provider"},
		{"search.top_k", "many", "is not an integer"},
		{"docs.db", "here.db", "a relative path"},
		{"embed.model", "a\nb", "one line"},
		{"embed.key_env", "sk-secret", "store the key in a variable"},
	} {
		err := Set(file, tc.name, tc.value, false)
		if err == nil || !strings.Contains(err.Error()+fault.HintOf(err), tc.want) || strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
	if got, _ := os.ReadFile(file); string(got) != was {
		t.Errorf("the file became %q", got)
	}
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink(file, link); err != nil {
		if runtime.GOOS == "windows" {
			return // there it takes a right that users lack
		}
		t.Fatal(err)
	}
	if err := Set(link, "memory.min_score", "0.25", false); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if got, _ := os.ReadFile(file); !strings.Contains(string(got), "min_score: 0.25\n") {
		t.Errorf("behind a link: %q", got)
	}
}
