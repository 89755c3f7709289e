package vault

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestReadNote(t *testing.T) {
	p := readNote("decisions/use-postgres-20250302-101112.md", []byte("---\ntype: memory\ntitle: \"Use: Postgres\"\ncategory: decisions\ncreated_at: 2025-03-02T10:11:12Z\nproject: github.com/a/b\nsupersedes: decisions/old.md\ntags: [db, storage]\n---\n\n# Heading\n\nWe use Postgres.\n"), 400, 80)
	if p.title != "Use: Postgres" || p.category != "decisions" || p.project != "github.com/a/b" || linkTargets(p, supersedes) != "decisions/old.md" || p.keywords != "db storage" || !p.evergreen {
		t.Errorf("%+v", p)
	}
	if timeOf(p.day).Format(time.DateOnly) != "2025-03-02" {
		t.Errorf("its day is %s", timeOf(p.day))
	}
	if len(p.windows) != 1 || p.windows[0].first != 11 || p.windows[0].last != 13 {
		t.Errorf("%+v", p.windows)
	}
	for _, c := range []struct {
		rel, text, title, category, day string
		evergreen                       bool
	}{
		{"2025-03-02.md", "notes of the day", "2025-03-02", "", "2025-03-02", false},
		{"daily/2025-03-02-standup.md", "x", "standup", "daily", "2025-03-02", false},
		{"MEMORY.md", "# About me\n2024-01-01 x", "About me", "", "2024-01-01", true},
		{"deploy_steps.md", "first", "deploy steps", "", "", true},
		{"a.md", "---\nbroken: [\n---\ntext", "a", "", "", true},
		{"a.md", "---\nnever closed", "a", "", "", true},
		{"a.md", "---\nevergreen: false\n---\ntext", "a", "", "", false},
		{"talk.md", "DATE: 1:56 pm on 8 May, 2023\n\nA: hi", "talk", "", "2023-05-08", false},
		{"a.md", "\ufeff---\ntitle: B\n---\n", "B", "", "", true},
	} {
		p := readNote(c.rel, []byte(c.text), 400, 80)
		day := ""
		if p.day != 0 {
			day = timeOf(p.day).Format(time.DateOnly)
		}
		if p.title != c.title || p.category != c.category || day != c.day || p.evergreen != c.evergreen {
			t.Errorf("%s %q: title %q category %q day %q evergreen %v", c.rel, c.text, p.title, p.category, day, p.evergreen)
		}
		if len(p.windows) == 0 {
			t.Errorf("%s: no window", c.rel)
		}
	}
}

func TestBodyHash(t *testing.T) {
	base := bodyHash("# Title\n\nWe use **tabs**, not spaces: 3.5 of them.\n")
	for body, same := range map[string]bool{
		"we use tabs not spaces 3.5 of them":            true,
		"- We use `tabs`, not\n  spaces: 3.5 of them!":  true,
		"We use spaces, not tabs: 3.5 of them.":         false,
		"We use tabs, not spaces: 35 of them.":          false,
		"We use tabs, not spaces: 3.5 of them. Always.": false,
	} {
		if got := bytes.Equal(bodyHash(body), base); got != same {
			t.Errorf("%q: the same = %v, want %v", body, got, same)
		}
	}
	if bytes.Equal(bodyHash("a < b"), bodyHash("a > b")) {
		t.Error("a < b is taken for a > b")
	}
	if bodyHash("---\n\n") != nil {
		t.Error("a text without words has a hash")
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"Use Postgres, not MySQL!": "use-postgres-not-mysql", "Größe der Übung": "große-der-ubung", "認証の設定": "認証の設定", "../../etc/passwd": "etc-passwd", "---": "", "": "",
		"a\x00b": "a-b",
	} {
		if got := slug(in); got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
		}
	}
	if got := slug(strings.Repeat("日本語", 50)); len(got) > 60 {
		t.Errorf("%d bytes", len(got))
	}
}

func FuzzReadNote(f *testing.F) {
	f.Add("a.md", []byte("---\ntitle: x\ncreated_at: 2025-03-02\n---\n# T\ntext"))
	f.Add("decisions/2025-03-02-x.md", []byte("---\n---\n\n\n"))
	f.Fuzz(func(t *testing.T, rel string, text []byte) {
		clean, _ := Clean(text)
		p := readNote(rel, clean, 64, 16)
		lines := bytes.Count(clean, []byte("\n")) + 1
		for _, w := range p.windows {
			if w.first < 1 || w.last > max(lines, w.first) {
				t.Fatalf("lines %d-%d of %d", w.first, w.last, lines)
			}
		}
	})
}

// linkTargets returns the targets of a page's links of a kind.
func linkTargets(p page, kind string) string {
	var out []string
	for _, l := range p.links {
		if l.kind == kind {
			out = append(out, l.target)
		}
	}
	return strings.Join(out, " ")
}
