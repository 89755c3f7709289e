package vault

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/memory/foreign"
)

// An Importing says what to take over from another program.
type Importing struct {
	Notes    []foreign.Note
	Project  string // of notes that name none; empty: none
	Category string // of notes that name none; empty: other
	DryRun   bool   // only say what it would be
}

// Brought says what became of the notes of an Importing.
type Brought struct {
	Notes     []BroughtNote // new in the vault
	Same      int           // that the vault has already
	Forgotten int           // that were imported before and forgotten
	Redacted  int           // secrets that were removed
	Empty     int           // of which nothing was left
}

// A BroughtNote is a note that was imported.
type BroughtNote struct {
	Path       string // empty in a dry run
	Title      string
	Created    time.Time
	Supersedes string // the note that the same source said before
}

// The front matter of an imported note: what names it at its source, and what it said
// there. A note that says the same is not imported again, wherever it was moved to and
// whatever was written into it.
const (
	importedKey = "imported"
	importedSum = "imported_sum"
)

// importedDir is where files from folders are put, so that links between them still lead
// somewhere.
const importedDir = "imported"

// forgottenImport begins the line of forgottenFile that names an imported note.
const forgottenImport = "imported:"

// Import stores the notes of another program, each with the date that it has there and
// under the name that it has there: what is imported again, or was forgotten, is not
// stored again, and what says something else by then is in the place of what it said. A
// note is on the disk before the next is written; whoever is stopped imports the rest
// another time.
func (m *Memory) Import(ctx context.Context, in Importing) (out Brought, err error) {
	if len(in.Notes) == 0 {
		return out, nil
	}
	root, err := m.root()
	if err != nil {
		return out, err
	}
	defer root.Close()
	unlock, err := m.lockStore(ctx)
	if err != nil {
		return out, err
	}
	defer unlock()
	have, err := m.imported(ctx, root)
	if err != nil {
		return out, err
	}
	for _, n := range in.Notes {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if err := m.bring(root, have, in, n, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// A holding is what a vault has before an import.
type holdings struct {
	said   map[string][]string // by key: sums of what was imported
	path   map[string]string   // by key: the note that was imported last
	at     map[string]time.Time
	bodies map[string]bool
	forgot map[string]bool
}

func (m *Memory) imported(ctx context.Context, root *safe.Root) (*holdings, error) {
	h := &holdings{said: map[string][]string{}, path: map[string]string{}, at: map[string]time.Time{}, bodies: map[string]bool{}}
	var err error
	if h.forgot, err = m.forgotten(ctx); err != nil {
		return nil, err
	}
	return h, m.eachNote(ctx, root, func(rel string, raw []byte) {
		clean, _ := Clean(raw)
		head, body, _ := cutFront(clean)
		if b := bodyHash(string(body)); b != nil {
			h.bodies[string(b)] = true
		}
		if f := readFront(head); f.imported != "" {
			h.said[f.imported] = append(h.said[f.imported], f.importedSum)
			if _, known := h.path[f.imported]; !known || f.created.After(h.at[f.imported]) {
				h.path[f.imported], h.at[f.imported] = rel, f.created
			}
		}
	})
}

// bring stores one note, unless the vault has it.
func (m *Memory) bring(root *safe.Root, have *holdings, in Importing, n foreign.Note, out *Brought) error {
	text, taken := Clean([]byte(n.Text))
	key, _ := Clean([]byte(strings.Join(strings.Fields(n.Key), " ")))
	name := string(key[:min(len(key), 500)])
	sum := sumOfText(text)
	if have.forgot[forgottenImport+name] {
		out.Forgotten++
		return nil
	}
	head, body, _ := cutFront(text)
	hash := bodyHash(string(body))
	if bare := strings.NewReplacer(hidden, "", marked, "").Replace(string(body)); hash == nil || bodyHash(bare) == nil {
		out.Empty++
		return nil
	}
	// What the vault says in the same words needs no second note; nor does what was
	// imported before, though somebody has rewritten it since.
	if slices.Contains(have.said[name], sum) || have.bodies[string(hash)] {
		out.Same++
		return nil
	}
	if n.Category == "" {
		n.Category = cmp.Or(in.Category, "other")
	}
	n.Project = cmp.Or(n.Project, in.Project)
	if n.Project == "" && n.Dir != "" {
		n.Project = m.Project(n.Dir)
	}
	title, k := Clean([]byte(n.Title))
	if n.Title = strings.Join(strings.Fields(string(title)), " "); len(n.Title) > 200 {
		n.Title = strings.ToValidUTF8(n.Title[:200], "")
	}
	out.Redacted += taken + k
	if n.Created.IsZero() {
		n.Created = m.cfg.Now()
	}
	if f := readFront(head); !f.created.IsZero() {
		n.Created = f.created
	} else if d := dateIn(n.File); d != 0 {
		n.Created = timeOf(d)
	}
	b := BroughtNote{Title: cmp.Or(n.Title, strings.TrimSuffix(path.Base(n.File), ".md"), firstWords(string(body))), Created: n.Created, Supersedes: have.path[name]}
	if n.File == "" && n.Title == "" || b.Title == "." {
		b.Title = firstWords(string(body))
	}
	if !in.DryRun {
		var err error
		if b.Path, err = m.write(root, &n, text, name, sum, b.Supersedes); err != nil {
			return fault.New(fault.Unavailable, "cannot write into the vault %s", m.cfg.Vault).Because(err).Or("check its permissions and whether the disk is full; %d notes are imported, and the next run continues with the rest", len(out.Notes))
		}
	}
	have.said[name] = append(have.said[name], sum)
	have.bodies[string(hash)] = true
	if b.Path != "" {
		have.path[name] = b.Path
	}
	out.Notes = append(out.Notes, b)
	return nil
}

// write writes an imported note. A file keeps its front matter, its name and its folders.
func (m *Memory) write(root *safe.Root, n *foreign.Note, text []byte, key, sum, old string) (string, error) {
	var add strings.Builder
	head, body, line := cutFront(text)
	f := readFront(head)
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&add, "%s: %s\n", name, yamlString(value))
		}
	}
	if line == 1 {
		field("type", "memory")
		field("title", n.Title)
	}
	if f.category == "" {
		field("category", n.Category)
	}
	if f.created.IsZero() {
		fmt.Fprintf(&add, "created_at: %s\n", n.Created.UTC().Format(time.RFC3339))
	}
	if f.project == "" {
		field("project", n.Project)
	}
	if f.source == "" {
		fmt.Fprintf(&add, "source: import\n")
	}
	if len(n.Tags) > 0 && !bytes.Contains(head, []byte("tags:")) {
		fmt.Fprintf(&add, "tags: [%s]\n", strings.Join(n.Tags, ", "))
	}
	field("id", rand.Text()[:16])
	if f.topic == "" {
		field(linkTopic, n.Topic)
	}
	field(importedKey, key)
	field(importedSum, sum)
	if !bytes.Contains(head, []byte("supersedes:")) {
		field("supersedes", old)
	}
	var data []byte
	if line == 1 {
		front := "---\n" + add.String() + "---\n\n"
		if first, _, _ := strings.Cut(string(body), "\n"); n.Title != "" {
			if level, _ := heading(first); level == 0 {
				front += "# " + n.Title + "\n\n"
			}
		}
		data = slices.Concat([]byte(front), bytes.TrimSpace(body), []byte("\n"))
	} else {
		at := bytes.IndexByte(text, '\n') + 1
		data = slices.Concat(text[:at], []byte(add.String()), text[at:], []byte("\n"))
	}
	if n.File == "" {
		return create(root, n.Category, cmp.Or(slug(n.Title), slug(firstWords(string(body))), "note"), n.Created, data)
	}
	base := path.Join(importedDir, strings.TrimSuffix(n.File, path.Ext(n.File)))
	if err := root.MkdirAll(path.Dir(base), 0o700); err != nil {
		return "", err
	}
	return createAs(root, base, data)
}

func sumOfText(text []byte) string {
	sum := sha256.Sum256(bytes.TrimSpace(text))
	return hex.EncodeToString(sum[:8])
}

// Within reports whether a place is the vault, holds it or is in it: what is imported from
// there is in the vault already.
func (m *Memory) Within(place string) bool {
	if real, err := filepath.EvalSymlinks(place); err == nil {
		place = real
	}
	below := func(a, b string) bool {
		rel, err := filepath.Rel(a, b)
		return err == nil && filepath.IsLocal(rel)
	}
	return below(m.cfg.Vault, place) || below(place, m.cfg.Vault)
}
