package vault

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
)

// A Note is what is to be remembered.
type Note struct {
	Title      string
	Content    string   // Markdown
	Category   string   // one of Categories; empty: other
	Project    string   // as Project returns it; empty: of the user, whatever he works on
	Source     string   // who says it: "agent" or "user"; empty: agent
	Supersedes string   // the path of the note that this one is in the place of
	Code       []string // what it points at in the code of its project: see Memory.Code

	front string // what its own front matter says beside: see stated
}

// Stored says what became of a Note.
type Stored struct {
	Path      string  // below the vault
	Exists    bool    // the vault has it already, under Path: nothing was written
	Redacted  int     // secrets that were removed
	Unindexed string  // why it cannot be found yet; empty: it can
	Linked    bool    // Exists, and now it says what it supersedes
	Rivals    []Rival // older notes that seem to be about the same matter
}

// Store writes a note, and returns when it is on the disk. A note that the vault has
// already, but for case and punctuation, is not written twice; one of another project
// does not count. A lock that another process keeps delays it for less than two turns of
// a writer's wait; then the note is written without it, and Unindexed says so.
func (m *Memory) Store(ctx context.Context, n Note) (s Stored, err error) {
	n, s.Redacted, err = n.clean()
	if err != nil {
		return s, err
	}
	root, err := m.root()
	if err != nil {
		return s, err
	}
	defer root.Close()
	if n.Supersedes != "" {
		if n.Supersedes, err = m.existing(root, n.Supersedes); err != nil {
			return s, err
		}
	}
	// Without the lock two processes could store the same thing at once. A place where
	// none can be made has no index either, and no duplicates to be found in it; and a
	// process that is stopped with the lock must not keep the note from the disk.
	late := time.Now().Add(m.writerTurn() - m.cfg.Turn/4)
	wait, stop := context.WithTimeout(ctx, m.cfg.Turn)
	unlock, err := m.lock(wait, ".store", false)
	stop()
	if ctx.Err() != nil {
		return s, ctx.Err()
	}
	if err == nil {
		defer unlock()
	}
	s.Path, err = m.known(ctx, late, root, &n)
	if s.Path != "" {
		s.Exists = true
		if n.Supersedes != "" {
			s.Linked, err = m.supersede(ctx, root, s.Path, n.Supersedes)
		}
		return s, err
	}
	if err != nil {
		s.Unindexed = err.Error()
	}
	now := m.cfg.Now()
	if s.Path, err = create(root, n.folder(), cmp.Or(slug(n.Title), slug(firstWords(n.Content)), "note"), now, n.markdown(now)); err != nil {
		return s, fault.New(fault.Unavailable, "cannot write into the vault %s", m.cfg.Vault).Because(err).Or("check its permissions and whether the disk is full")
	}
	if s.Unindexed == "" {
		// It is stored whatever is found: what it may replace is only told.
		s.Rivals, _ = m.rivals(ctx, &n, now)
	}
	if errors.Is(err, store.ErrBusy) || errors.Is(err, file.ErrLocked) {
		if err = m.idle(ctx); err != nil { // else it has gone on
			s.Unindexed = err.Error() + "; the next command indexes it"
			return s, nil
		}
		s.Unindexed = ""
	}
	if err := m.index(ctx, root, s.Path); err != nil {
		s.Unindexed = err.Error()
	}
	return s, nil
}

// idle returns an error unless the index can be written soon.
func (m *Memory) idle(ctx context.Context) error {
	wait, stop := context.WithTimeout(ctx, m.cfg.Turn/4)
	defer stop()
	return m.with(ctx, func(h *handle) error {
		err := h.Idle(wait)
		if err != nil && ctx.Err() == nil && wait.Err() != nil {
			return m.locked(".write")
		}
		return err
	})
}

// supersede writes into a note that it is in the place of another one; false: it says so
// already.
func (m *Memory) supersede(ctx context.Context, root *safe.Root, rel, old string) (bool, error) {
	raw, err := readFile(root, rel)
	if err != nil {
		return false, fault.New(fault.Unavailable, "%s cannot be read", rel).Because(err)
	}
	head, _, _ := cutFront(raw)
	for _, l := range readFront(head).links {
		if l.kind == supersedes && l.target == old {
			return false, nil
		}
	}
	value := yamlString(old)
	if had, ok := frontLine(raw, "supersedes"); ok {
		if strings.HasPrefix(had, "[") && strings.HasSuffix(had, "]") && !strings.HasPrefix(had, "[[") {
			had = had[1 : len(had)-1]
		}
		if had == "" {
			return false, fault.New(fault.Usage, "%s has a list of what it supersedes", rel).Or("add %s to it", old)
		}
		value = "[" + had + ", " + value + "]"
	}
	linked := setFront(raw, "supersedes", value)
	err = replace(root, rel, raw, linked)
	if errors.Is(err, errMeanwhile) {
		return m.supersede(ctx, root, rel, old) // an editor ends some time
	}
	if err != nil {
		return false, fault.New(fault.Unavailable, "cannot write into the vault %s", m.cfg.Vault).Because(err)
	}
	return true, m.index(ctx, root, rel)
}

// maxRivals is how many older notes are told of.
const maxRivals = 3

// rivals returns the notes about the same matter as one that is being stored, the likeliest
// first.
func (m *Memory) rivals(ctx context.Context, n *Note, now time.Time) (out []Rival, err error) {
	stems, _ := m.stems.Get().(*stemmer)
	defer m.stems.Put(stems)
	q := ask(n.Content[:min(len(n.Content), 2000)], now, stems)
	type likely struct {
		old *matter
		by  float64
	}
	var found []likely
	err = m.with(ctx, func(h *handle) error {
		return h.read(ctx, func(tx *sql.Tx) error {
			x, err := h.indexed(ctx, tx)
			if err != nil {
				return err
			}
			defer x.close()
			worth := x.worth()
			later := newMatter(matter{category: n.Category, project: n.Project, at: now.Unix(), text: n.Content}, worth, m.cfg.Embedder)
			if later == nil {
				return nil
			}
			if err := q.weigh(&x); err != nil {
				return err
			}
			ids, err := q.lexical(ctx, &x, notes, 20, nil)
			if err != nil {
				return err
			}
			if later.vector != nil {
				near, err := x[notes].Nearest(ctx, m.embedder(), later.vector, 20, nil)
				if err != nil {
					return err
				}
				for _, c := range near {
					ids = append(ids, chunkID(notes, c.Chunk))
				}
			}
			slices.Sort(ids)
			cs, err := readCandidates(ctx, tx, slices.Compact(ids))
			if err != nil {
				return err
			}
			gone, err := replaced(ctx, tx)
			if err != nil {
				return err
			}
			for _, c := range cs {
				if gone[c.path] != nil || c.path == n.Supersedes || !c.comparable() {
					continue
				}
				old := newMatter(matter{path: c.path, category: c.category, project: c.project, at: c.moment(), text: c.text}, worth, m.cfg.Embedder)
				if old == nil || old.at == 0 {
					continue
				}
				old.at = min(old.at, now.Unix()-1) // stored a moment ago is before
				if by := sameMatter(old, later); by > 0 {
					found = append(found, likely{old, by})
				}
			}
			sorting.Stable(found, func(a, b likely) int { return cmp.Compare(b.by, a.by) })
			for _, f := range found[:min(len(found), maxRivals)] {
				out = append(out, rivalry(f.old, later))
			}
			return nil
		})
	})
	return out, err
}

// maxContent is more than anybody remembers at once.
const maxContent = 1 << 20

// clean checks a note and removes what may not be kept.
func (n Note) clean() (Note, int, error) {
	if len(n.Content) > maxContent {
		return n, 0, fault.New(fault.Usage, "the note has %d bytes, at most %d are stored", len(n.Content), maxContent).Or("store what matters of it")
	}
	if err := n.stated(); err != nil {
		return n, 0, err
	}
	if n.Category == "" {
		n.Category = "other"
	}
	if n.Category != sessionsDir && !slices.Contains(Categories(), n.Category) {
		return n, 0, fault.New(fault.Usage, "there is no category %q", n.Category).Or("choose one of %s", strings.Join(Categories(), ", "))
	}
	if n.Source == "" {
		n.Source = "agent"
	}
	taken := 0
	for _, s := range []*string{&n.Title, &n.Content, &n.Project, &n.Source, &n.front} {
		clean, k := Clean([]byte(*s))
		*s = strings.TrimSpace(string(clean))
		taken += k
	}
	n.Title = strings.Join(strings.Fields(n.Title), " ")
	if len(n.Title) > 200 {
		n.Title = strings.ToValidUTF8(n.Title[:200], "")
	}
	if bare := strings.NewReplacer(hidden, "", "[redacted:", "").Replace(n.Content); bodyHash(bare) == nil {
		return n, taken, fault.New(fault.Usage, "the note is empty").Or("say what is to be remembered; what is marked private, or is a secret, is not stored")
	}
	return n, taken, nil
}

func (n *Note) folder() string { return n.Category }

func firstWords(s string) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(len(words), 8)], " ")
}

// markdown is the file of a note.
func (n *Note) markdown(now time.Time) []byte {
	var b strings.Builder
	b.WriteString("---\ntype: memory\n")
	field := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, yamlString(value))
		}
	}
	field("title", n.Title)
	field("category", n.Category)
	fmt.Fprintf(&b, "created_at: %s\n", now.UTC().Format(time.RFC3339))
	field("source", n.Source)
	field("project", n.Project)
	field("id", rand.Text()[:16])
	field("supersedes", n.Supersedes)
	if len(n.Code) > 0 {
		quoted := make([]string, len(n.Code))
		for i, c := range n.Code {
			quoted[i] = strconv.Quote(c)
		}
		fmt.Fprintf(&b, "%s: [%s]\n", codeKey, strings.Join(quoted, ", "))
	}
	if n.front != "" {
		b.WriteString(n.front + "\n")
	}
	b.WriteString("---\n\n")
	if first, _, _ := strings.Cut(n.Content, "\n"); n.Title != "" {
		if level, _ := heading(first); level == 0 {
			fmt.Fprintf(&b, "# %s\n\n", n.Title)
		}
	}
	b.WriteString(n.Content)
	b.WriteString("\n")
	return []byte(b.String())
}

// yamlString writes a value in double quotes where YAML could take it for more
// than a word.
func yamlString(s string) string {
	for _, r := range s {
		if !alnumRune(r) && r != '-' && r != '/' && r != '.' && r != ' ' {
			return strconv.Quote(s)
		}
	}
	if s != "" && strings.ContainsRune("-.0123456789", rune(s[0])) || strings.Contains(s, "  ") || slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off"}, strings.ToLower(s)) {
		return strconv.Quote(s)
	}
	return s
}

// create writes a new file into a folder of the vault, under a name that no other
// has, and returns its path when it is on the disk.
func create(root *safe.Root, folder, name string, now time.Time, data []byte) (string, error) {
	if err := root.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return createAs(root, path.Join(folder, name+"-"+now.UTC().Format("20060102-150405")), data)
}

// createAs writes a new file named base.md, or base-2.md, base-3.md … where that is
// taken.
func createAs(root *safe.Root, base string, data []byte) (string, error) {
	for i := 1; i < 10_000; i++ {
		final := base + ".md"
		if i > 1 {
			final = fmt.Sprintf("%s-%d.md", base, i)
		}
		if err := root.WriteNew(final, data, 0o600); !errors.Is(err, fs.ErrExist) {
			return final, err
		}
	}
	return "", fs.ErrExist
}

// replace rewrites a file of the vault that readFile gave as it was: a reader sees the old or the new one, and who
// may read it stays its owner's to say. An editor knows of no lock: what somebody has written since stays, and the
// error is errMeanwhile. was is nil for a file that is not there yet.
func replace(root *safe.Root, rel string, was, data []byte) error {
	perm := fs.FileMode(0o600)
	if old, err := root.Lstat(rel); err == nil {
		perm = old.Mode().Perm()
	}
	return root.WriteIf(rel, data, perm, func() error {
		now, err := readFile(root, rel)
		if err != nil && !(was == nil && errors.Is(err, fs.ErrNotExist)) || !bytes.Equal(now, was) {
			return errMeanwhile
		}
		return nil
	})
}

// index brings one note into the index.
func (m *Memory) index(ctx context.Context, root *safe.Root, rel string) error {
	st, err := root.Lstat(rel)
	if err != nil {
		return err
	}
	raw, err := readFile(root, rel)
	if err != nil {
		return err
	}
	f := m.filed(entry{rel, st.Size(), st.ModTime().UnixNano()}, raw, nil)
	err = m.with(ctx, func(h *handle) error {
		return h.file(ctx, m.embedder(), func(w *filer) error { return w.put(f) })
	})
	return err
}
