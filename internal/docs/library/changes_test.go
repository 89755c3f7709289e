package library

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

func TestIsChangelog(t *testing.T) {
	for page, want := range map[string]bool{
		"CHANGELOG.md": true, "docs/changes.rst": true, "docs/release-notes.md": true, "History.rdoc": true, "what's-new.md": false, "whats_new.md": true,
		"docs/changes-feed.md": false, "CHANGELOG-5.0.md": true, "docs/exchange.md": false, "docs/newsletter.md": false, "docs/upgrading.md": false, "changelog.go": false,
	} {
		t.Run(page, func(t *testing.T) {
			if got := IsChangelog(page); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

func TestNewestChanges(t *testing.T) {
	tests := []struct{ name, page, want string }{
		{"a short list is whole", "# 2.0\n\n- new", "# 2.0\n\n- new"},
		{"a long one ends with a line", strings.Repeat("- an entry of some length\n", 4000), strings.Repeat("- an entry of some length\n", maxChangelog/26)},
		{"one long line", strings.Repeat("x", maxChangelog+1), strings.Repeat("x", maxChangelog)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(NewestChanges([]byte(tt.page))); got != tt.want {
				t.Errorf("%d bytes, want %d", len(got), len(tt.want))
			}
		})
	}
}

// A list of changes comes behind a page that says as much, and answers where no page does.
func TestChangesAreBelow(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	mustPut(t, db, Library{ID: "/a/b"}, some("CHANGELOG.md: Retries: Failed calls are tried again with a pause.", "pauses.md: Retries: Failed calls are tried again with a pause, and then given up.",
		"docs/changes.md: 3.1: The option --linger is gone.", "x.md: Weather: It is fine today."))
	tests := []struct{ name, ask, want string }{
		{"a page says it too", "how are failed calls tried again", "pauses.md"},
		{"no page says it", "is the option linger gone", "docs/changes.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := db.Query(t.Context(), "/a/b", tt.ask, 0)
			if err != nil || len(a.Snippets) == 0 || a.Snippets[0].Path != tt.want {
				t.Errorf("%+v, %v: want %s first", a.Snippets, err, tt.want)
			}
		})
	}
}

// A list of changes is cut at its versions.
func TestChangesByVersion(t *testing.T) {
	const page = "# Changes\n\n## Unreleased\n\n### Added\n\n%[1]s\n\n## [2.1.0] - 2026-01-02\n\n### Fixed\n\n%[1]s\n\n### Changed\n\n%[1]s\n"
	text := fmt.Sprintf(page, filler(300))
	tests := []struct{ name, path, want string }{
		{"a list of changes", "CHANGELOG.md", "Unreleased, [2.1.0] - 2026-01-02"},
		{"a page", "guide.md", "Added, Fixed, Changed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var titles []string
			for _, s := range snippetsIn(Parse([]byte(text), Markdown, markup.Options{}), tt.path, "") {
				titles = append(titles, s.Title)
			}
			if got := strings.Join(titles, ", "); got != tt.want {
				t.Errorf("titles %s, want %s", got, tt.want)
			}
		})
	}
}
