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
	"github.com/assay-dev/assay/internal/base/store"
)

// A Note is what is to be remembered.
type Note struct {
	Title      string
	Content    string   // Markdown
	Category   string   // one of Categories; empty: other
	Project    string   // as Project returns it; empty: of the user, whatever he works on
	Source     string   // who says it: "agent" or "user"; empty: agent
	Topic      string   // the key of its matter: it is in the place of the earlier notes of its project and topic
	Supersedes string   // the path of the note that this one is in the place of
	Wording             // how it is asked for in other words
	Code       []string // what it points at in the code of its project: see Memory.Code

	front string // what its own front matter says beside: see stated
}

// Stored says what became of a Note.
type Stored struct {
	Path      string        // below the vault
	Exists    bool          // the vault has it already, under Path: nothing was written
	Redacted  int           // secrets that were removed
	Unindexed string        // why it cannot be found yet; empty: it can
	Linked    bool          // Exists, and now it says its topic, its questions or which note it supersedes
	Replaces  []string      // the notes of the same topic or title that it is in the place of
	Similar   []SimilarNote // notes about the same subject, where nothing says which one it replaces
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
		s.Linked, err = m.link(ctx, root, s.Path, &n)
		return s, err
	}
	if err != nil {
		s.Unindexed = err.Error()
	}
	now := m.cfg.Now()
	told := s.Unindexed == "" && n.Category != sessionsDir // it is stored whatever is found: this is only told
	if told {
		s.Replaces, _ = m.ofTopic(ctx, &n, now)
		if n.Topic != "" && n.Supersedes == "" && len(s.Replaces) > 0 {
			n.Supersedes = s.Replaces[0] // in writing, because two notes of one second have no order
		}
	}
	if s.Path, err = create(root, n.Category, cmp.Or(slug(n.Title), slug(firstWords(n.Content)), "note"), now, n.markdown(now)); err != nil {
		return s, m.unwritten(err)
	}
	if told && n.Topic == "" && n.Supersedes == "" && len(s.Replaces) == 0 {
		s.Similar, _ = m.similar(ctx, &n)
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

// link writes into a note that the vault has already which topic it is of, how it is asked for and which note it
// supersedes; false: it says so already.
func (m *Memory) link(ctx context.Context, root *safe.Root, rel string, n *Note) (bool, error) {
	return m.rewrite(ctx, root, rel, func(raw []byte) ([]byte, error) {
		head, _, _ := cutFront(raw)
		if topic := topicOf(n.Topic); topic != "" && readFront(head).topic != topic {
			raw = setFront(raw, linkTopic, yamlString(n.Topic))
		}
		if !n.Wording.isEmpty() {
			if err := m.exact(root, rel, true); err != nil {
				return nil, err
			}
			raw = n.Wording.writeInto(raw)
		}
		if n.Supersedes == "" {
			return raw, nil
		}
		return addSuperseded(raw, rel, n.Supersedes)
	})
}

// rewrite replaces a note by the result of edit, and indexes it; false: edit has changed nothing. A note that changes
// meanwhile is read again, because an editor ends some time.
func (m *Memory) rewrite(ctx context.Context, root *safe.Root, rel string, edit func(raw []byte) ([]byte, error)) (bool, error) {
	if err := editable(rel); err != nil {
		return false, err
	}
	for {
		raw, err := readNamed(root, rel)
		if err != nil {
			return false, err
		}
		now, err := edit(raw)
		if err != nil || bytes.Equal(now, raw) {
			return false, err
		}
		switch err := replace(root, rel, raw, now); {
		case errors.Is(err, errMeanwhile):
			continue
		case err != nil:
			return false, m.unwritten(err)
		}
		return true, m.index(ctx, root, rel)
	}
}

// readNamed is readFile with the error that a caller who named the note is told.
func readNamed(root *safe.Root, rel string) ([]byte, error) {
	raw, err := readFile(root, rel)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "%s cannot be read", rel).Because(err)
	}
	return raw, nil
}

// unwritten is the error of a vault that takes no note.
func (m *Memory) unwritten(err error) error {
	return fault.New(fault.Unavailable, "cannot write into the vault %s", m.cfg.Vault).Because(err).Or("check its permissions and whether the disk is full")
}

// ofTopic returns the notes that one which is being stored is in the place of, because they have its topic or
// its title.
func (m *Memory) ofTopic(ctx context.Context, n *Note, now time.Time) (out []string, err error) {
	topic := topicOf(cmp.Or(n.Topic, n.Title))
	if topic == "" {
		return nil, nil
	}
	until := now.Unix()
	if n.Topic != "" {
		until++ // who gives a topic says so, whatever the time
	}
	err = m.readIndex(ctx, func(tx *sql.Tx) error {
		gone, err := replaced(ctx, tx)
		if err != nil {
			return err
		}
		var rel string
		return store.Each(ctx, tx, []any{&rel}, func() error {
			if gone[rel] == nil && rel != n.Supersedes {
				out = append(out, rel)
			}
			return nil
		}, `SELECT f.path FROM links l JOIN files f ON f.id = l.file WHERE l.kind = ? AND l.target = ? AND f.project = ? AND f.created < ? ORDER BY f.created DESC, f.path`,
			linkTopic, topic, n.Project, until)
	})
	return out, err
}

// addSuperseded returns a note that says that it is in the place of another one; as it was, if it says so already.
func addSuperseded(raw []byte, rel, old string) ([]byte, error) {
	head, _, _ := cutFront(raw)
	if slices.ContainsFunc(readFront(head).links, func(l link) bool { return l.kind == supersedes && l.target == old }) {
		return raw, nil
	}
	value := yamlString(old)
	if had, ok := frontLine(raw, "supersedes"); ok {
		if strings.HasPrefix(had, "[") && strings.HasSuffix(had, "]") && !strings.HasPrefix(had, "[[") {
			had = had[1 : len(had)-1]
		}
		if had == "" {
			return nil, fault.New(fault.Usage, "%s has a list of what it supersedes", rel).Or("add %s to it", old)
		}
		value = "[" + had + ", " + value + "]"
	}
	return setFront(raw, "supersedes", value), nil
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
	n.Category, n.Source = cmp.Or(n.Category, "other"), cmp.Or(n.Source, "agent")
	if n.Category != sessionsDir && !slices.Contains(Categories(), n.Category) {
		return n, 0, fault.New(fault.Usage, "there is no category %q", n.Category).Or("choose one of %s", strings.Join(Categories(), ", "))
	}
	taken := 0
	for _, s := range []*string{&n.Title, &n.Topic, &n.Content, &n.Project, &n.Source, &n.front} {
		clean, k := Clean([]byte(*s))
		*s = strings.TrimSpace(string(clean))
		taken += k
	}
	wording, k := n.Wording.clean()
	n.Wording, taken = wording, taken+k
	n.Title, n.Topic = strings.Join(strings.Fields(n.Title), " "), strings.Join(strings.Fields(n.Topic), " ")
	if n.Topic != "" && topicOf(n.Topic) == "" {
		return n, 0, fault.New(fault.Usage, "the topic %q has no word", n.Topic).Or("name the matter in a few words, such as deploy-target")
	}
	if len(n.Title) > 200 {
		n.Title = strings.ToValidUTF8(n.Title[:200], "")
	}
	if bare := strings.NewReplacer(hidden, "", "[redacted:", "").Replace(n.Content); bodyHash(bare) == nil {
		return n, taken, fault.New(fault.Usage, "the note is empty").Or("say what is to be remembered; what is marked private, or is a secret, is not stored")
	}
	return n, taken, nil
}

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
	field(linkTopic, n.Topic)
	field("supersedes", n.Supersedes)
	for _, list := range []struct {
		key string
		all []string
	}{{askedKey, n.Asked}, {keywordsKey, n.Keywords}, {codeKey, n.Code}} {
		if len(list.all) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", list.key, yamlList(list.all))
		}
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
	return createAs(root, path.Join(folder, name+"-"+now.UTC().Format("20060102-150405")), data)
}

// createAs writes a new file named base.md, or base-2.md, base-3.md … where that is
// taken.
func createAs(root *safe.Root, base string, data []byte) (string, error) {
	if err := root.MkdirAll(path.Dir(base), 0o700); err != nil {
		return "", err
	}
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
	return m.with(ctx, func(h *handle) error {
		return h.file(ctx, m.embedder(), func(w *filer) error { return w.put(f) })
	})
}
