package library

import (
	"bytes"
	"path"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var changelog = lazy.Regexp(`(?i)^(?:change[-_]?log|changes|(?:version|revision)?[-_]?history|news|releases?|release[-_]?notes?|what[-_]?s[-_]?new)(?:[-_.]v?\d[\w.]*)?` +
	`\.(?:md|mdx|markdown|rst|rdoc|txt|adoc|html)$`)

// IsChangelog reports whether a page is called like a list of what changed from version to version.
func IsChangelog(page string) bool { return changelog.MatchString(path.Base(page)) }

// maxChangelog is how much of a list of changes is stored, in bytes: the newest versions come first.
const maxChangelog = 64 << 10

// NewestChanges returns the beginning of a list of changes that is stored, up to the end of a line.
func NewestChanges(page []byte) []byte {
	if len(page) <= maxChangelog {
		return page
	}
	page = page[:maxChangelog]
	if end := bytes.LastIndexByte(page, '\n'); end > 0 {
		page = page[:end+1]
	}
	return page
}
