package vault

import (
	"context"
	"database/sql"
	"io/fs"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
)

// The links of a file that a synchronising service made beside another one, because two machines had changed it. A
// name with a number, as iCloud has it, tells a copy only if both have the same title: "Chapter 2" is no copy.
const (
	linkCopy        = "copy of"
	linkPerhapsCopy = "perhaps copy of"
)

var (
	// Dropbox and Nextcloud: "Plan (Anna's conflicted copy 2024-03-02).md"; Syncthing: "Plan.sync-conflict-20240302-101500-ABC2DEF.md".
	conflictName = lazy.Regexp(`^(.+?)(?: \([^()]*(?i:conflicted copy|in konflikt stehende kopie|case conflict)[^()]*\)|\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?)$`)
	numberedName = lazy.Regexp(`^(.+) \d{1,2}$`)
)

// copyOf returns the link of a file to the one that its name says it is a copy of; its kind is empty for other names.
func copyOf(rel string) link {
	ext := path.Ext(rel)
	stem := strings.TrimSuffix(rel, ext)
	if m := conflictName.FindStringSubmatch(stem); m != nil {
		return link{kind: linkCopy, target: m[1] + ext}
	}
	if m := numberedName.FindStringSubmatch(stem); m != nil {
		return link{kind: linkPerhapsCopy, target: m[1] + ext}
	}
	return link{}
}

// addCopies adds the copies of notes that are there: each is behind its original.
func addCopies(ctx context.Context, tx *sql.Tx, out map[string]*succession) error {
	var copied, original string
	return store.Each(ctx, tx, []any{&copied, &original}, func() error {
		if out[copied] == nil {
			out[copied] = &succession{path: original, copied: true}
		}
		return nil
	}, `SELECT f.path, g.path FROM links l JOIN files f ON f.id = l.file JOIN files g ON g.path = l.target
		WHERE l.kind = ? OR l.kind = ? AND g.title = f.title ORDER BY f.path`, linkCopy, linkPerhapsCopy)
}

// maxOtherFiles bounds how many files that are no notes are looked at.
const maxOtherFiles = 200_000

// otherFiles returns the files of the vault that are no notes, by path and by name, folded: pictures and the like.
func otherFiles(root *safe.Root) map[string]bool {
	out := map[string]bool{}
	level := []string{""}
	for depth := 0; len(level) > 0 && depth <= maxDepth && len(out) < maxOtherFiles; depth++ {
		var below []string
		for _, dir := range level {
			found, err := root.List(path.Join(".", dir), func(string, fs.FileMode) bool { return false })
			if err != nil {
				continue // its files are not known, and links to them are told as broken
			}
			for _, e := range found {
				rel := path.Join(dir, e.Name)
				switch {
				case skipped(e.Name):
				case e.Mode.IsDir():
					below = append(below, rel)
				case e.Mode.IsRegular() && !isNote(e.Name):
					out[nameOf(rel)], out["/"+rel] = true, true
				}
			}
		}
		level = below
	}
	return out
}

// dropAttachments removes the links to files that are there and are no notes: they are none between notes, and not
// broken.
func (m *Memory) dropAttachments(g *graph) error {
	isFile := func(l Link) bool { return l.Broken && path.Ext(l.To) != "" && !isNote(l.To) }
	kept := g.links[:0]
	var files map[string]bool
	for _, l := range g.links {
		if isFile(l) {
			if files == nil {
				root, err := m.root()
				if err != nil {
					return err
				}
				files = otherFiles(root)
				root.Close()
			}
			if files[nameOf(l.To)] || files["/"+path.Clean(l.To)] || files["/"+path.Join(path.Dir(l.From), l.To)] {
				continue
			}
		}
		kept = append(kept, l)
	}
	g.links = kept
	return nil
}
