package vault

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
)

// An Item is a note or a session as List shows it.
type Item struct {
	Path       string    `json:"path"`
	Source     string    `json:"source"` // "memory" or "sessions"
	Title      string    `json:"title"`
	Category   string    `json:"category,omitempty"`
	Project    string    `json:"project,omitempty"`
	Day        time.Time `json:"-"` // that it is of; zero where nothing says so
	Date       string    `json:"date,omitempty"`
	Chunks     int       `json:"chunks"`
	Superseded string    `json:"superseded_by,omitempty"` // the note that is in its place
	Tags       []string  `json:"tags,omitempty"`
	Validity   string    `json:"validity,omitempty"` // why it does not hold today; empty: it does
	Pinned     bool      `json:"pinned,omitempty"`
}

// A Listing says which items.
type Listing struct {
	Source, Category, Project, Tag string // empty: all
}

// List returns the items of the index, the newest first.
func (m *Memory) List(ctx context.Context, what Listing) (items []Item, err error) {
	err = m.with(ctx, func(h *handle) error {
		items = nil
		return h.read(ctx, func(tx *sql.Tx) error {
			by, err := replaced(ctx, tx)
			if err != nil {
				return err
			}
			var i Item
			var kind, d int
			var created int64
			var st standing
			var tags string
			columns := []any{&kind, &i.Path, &i.Title, &i.Category, &i.Project, &d, &created, &i.Chunks, &st.from, &st.until, &i.Pinned, &tags}
			return store.Each(ctx, tx, columns, func() error {
				if i.Title == "" {
					return nil // it is no text: see notText
				}
				if i.Source = "memory"; kind == sessions {
					i.Source = "sessions"
				}
				switch i.Day, i.Date = (time.Time{}), ""; {
				case created != 0:
					i.Day = time.Unix(created, 0).UTC()
				case d != 0:
					i.Day = timeOf(d)
				}
				if !i.Day.IsZero() {
					i.Date = i.Day.Format(time.DateOnly)
				}
				i.Tags, i.Validity, i.Superseded = strings.Fields(tags), st.says(dayOf(m.cfg.Now())), ""
				if n := by[i.Path]; n != nil && !n.copied {
					i.Superseded = n.path
				}
				if what.has(i) {
					items = append(items, i)
				}
				return nil
			}, `SELECT f.kind, f.path, f.title, f.category, f.project, f.day, f.created, count(c.id), f.valid_from, f.valid_until, f.pinned,
				coalesce((SELECT group_concat(target, ' ') FROM links WHERE file = f.id AND kind = '#'), '')
				FROM files f LEFT JOIN chunks c ON c.file = f.id GROUP BY f.id`)
		})
	})
	sorting.Stable(items, func(a, b Item) int { return cmp.Or(b.Day.Compare(a.Day), cmp.Compare(a.Path, b.Path)) })
	return items, err
}

func (l Listing) has(i Item) bool {
	if l.Source != "" && l.Source != "all" && l.Source != i.Source || l.Category != "" && l.Category != i.Category {
		return false
	}
	if tag := tagOf(l.Tag); l.Tag != "" && !slices.ContainsFunc(i.Tags, func(t string) bool { return t == tag || strings.HasPrefix(t, tag+"/") }) {
		return false
	}
	return l.Project == "" || strings.EqualFold(i.Project, l.Project) || strings.HasSuffix(strings.ToLower(i.Project), "/"+strings.ToLower(l.Project))
}

// A Finding is something about a note that its owner should know.
type Finding struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"` // 0 where it is about the whole note
	Kind string `json:"kind"`           // secret, instructions, duplicate, conflicts, superseded, expired, missing, front matter, large, binary, unreadable
	What string `json:"what"`
}

// Texts that speak to a model rather than to a reader.
var orders = lazy.Regexp(`(?i)\b(ignore|disregard|forget|override) (all |any |the |your )*(previous|prior|above|earlier|system) (instructions?|prompts?|messages?|rules)|you are now (a|an|in) |system prompt|<\|im_start\|>|do not tell the user|ignoriere (alle|die) (vorherigen|bisherigen) anweisungen|以前の指示を無視`)

// Audit reads every note of the vault and says what is wrong with it. It changes
// nothing.
func (m *Memory) Audit(ctx context.Context) (out []Finding, notes int, err error) {
	root, err := m.root()
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	l, err := list(m.cfg.Vault, m.cfg.Now())
	if err != nil {
		return nil, 0, err
	}
	names := named(l.entries)
	titles := map[string]string{}
	bodies := map[string]string{}
	by := map[string]string{} // what supersedes a note
	for _, e := range l.entries {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		raw, err := readFile(root, e.path)
		raw = noteText(e.path, raw)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, errTooLarge):
			out = append(out, Finding{Path: e.path, Kind: "large", What: "it is larger than 32 MB and is not indexed: divide it"})
			continue
		case err != nil:
			out = append(out, Finding{Path: e.path, Kind: "unreadable", What: err.Error()})
			continue
		}
		if notText(raw) {
			out = append(out, Finding{Path: e.path, Kind: "binary", What: "it is not text and is not indexed"})
			continue
		}
		out = append(out, m.auditNote(e.path, raw)...)
		clean, _ := Clean(raw)
		head, body, _ := cutFront(clean)
		f := readFront(head)
		titles[e.path] = cmp.Or(f.title, firstHeading(strings.Split(string(body[:min(len(body), maxStatus)]), "\n")))
		if f.problem != "" {
			out = append(out, Finding{Path: e.path, Kind: "front matter", What: f.problem})
		}
		if why := f.standing.says(dayOf(m.cfg.Now())); why != "" {
			out = append(out, Finding{Path: e.path, Kind: "expired", What: why})
		}
		for _, old := range append(f.links, statusLinks(e.path, body)...) {
			if old.kind == conflictsWith {
				out = append(out, Finding{Path: e.path, Kind: "conflicts", What: "it and " + old.target + " were edited on two machines: keep what holds of both, and forget this one"})
			}
			if old.kind != supersedes && old.kind != succeeded {
				continue
			}
			switch rel := names.resolve(old.target); {
			case rel == "":
				out = append(out, Finding{Path: e.path, Kind: "missing", What: "its " + old.kind + " names " + old.target + ", which is not there"})
			case rel == e.path:
				out = append(out, Finding{Path: e.path, Kind: "missing", What: "its " + old.kind + " names itself"})
			case old.kind == supersedes:
				by[rel] = e.path
			default:
				by[e.path] = rel
			}
		}
		if h := string(bodyHash(string(body))); h != "" {
			h = f.project + "\x00" + h
			if first, ok := bodies[h]; ok {
				out = append(out, Finding{Path: e.path, Kind: "duplicate", What: "it says the same as " + first})
			} else {
				bodies[h] = e.path
			}
		}
	}
	out = append(out, copiesAmong(l.entries, titles)...)
	for _, e := range l.entries {
		switch b := by[e.path]; {
		case b == "":
		case by[b] == e.path:
			out = append(out, Finding{Path: e.path, Kind: "conflicts", What: "it and " + b + " are each said to be in the place of the other: take one of the links out"})
		default:
			out = append(out, Finding{Path: e.path, Kind: "superseded", What: b + " is in its place"})
		}
	}
	sorting.Stable(out, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return out, len(l.entries), nil
}

// copiesAmong finds the copies that synchronising services made of notes.
func copiesAmong(entries []entry, titles map[string]string) (out []Finding) {
	for _, e := range entries {
		l := copyOf(e.path)
		title, there := titles[l.target]
		if !there || l.kind == linkPerhapsCopy && (title == "" || title != titles[e.path]) {
			continue
		}
		out = append(out, Finding{Path: e.path, Kind: "conflicts",
			What: "it is a copy that a synchronising service made of " + l.target + ": keep what holds of both, and forget this one"})
	}
	return out
}

// statusLinks returns what the text of a note says that it is in the place of, or what is in
// its place, as records of decisions do.
func statusLinks(rel string, body []byte) (out []link) {
	for _, l := range linksIn(strings.Split(string(body[:min(len(body), maxStatus)]), "\n"), 1) {
		if l.kind != supersedes && l.kind != succeeded {
			continue
		}
		if below, ok := strings.CutPrefix(l.target, "./"); ok {
			l.target = path.Join(path.Dir(rel), below)
		}
		out = append(out, l)
	}
	return out
}

// maxStatus is how much of a text is looked through for its status, in bytes.
const maxStatus = 64 << 10

// auditNote looks for what is in one note.
func (m *Memory) auditNote(rel string, raw []byte) (out []Finding) {
	clean, taken := Clean(raw)
	if taken > 0 {
		a, b := bytes.Split(raw, []byte("\n")), bytes.Split(clean, []byte("\n"))
		for i := range min(len(a), len(b)) {
			if !bytes.Equal(a[i], b[i]) && bytes.Contains(b[i], []byte(marked)) && !bytes.Contains(a[i], []byte(marked)) {
				kind, _, _ := strings.Cut(string(b[i][bytes.Index(b[i], []byte(marked))+len(marked):]), "]")
				out = append(out, Finding{Path: rel, Kind: "secret", What: "it holds what looks like a secret (" + kind + "); it is not indexed", Line: i + 1})
			}
		}
	}
	if at := orders.FindIndex(raw); at != nil {
		out = append(out, Finding{Path: rel, Kind: "instructions", What: "it speaks to a model: " + shorten(string(raw[at[0]:at[1]]), 60), Line: 1 + bytes.Count(raw[:at[0]], []byte("\n"))})
	}
	if len(raw) > 1<<20 {
		out = append(out, Finding{Path: rel, Kind: "large", What: "it is larger than 1 MB"})
	}
	return out
}

// shorten cuts a text to about n bytes.
func shorten(s string, n int) string {
	return text.Short(strings.Join(strings.Fields(s), " "), n)
}

// A Health says what state memory is in.
type Health struct {
	Vault      string
	VaultError string // why it cannot be read
	ReadOnly   bool   // the vault
	Notes      int
	Index      string
	IndexError string
	Moved      string // where it was put because it was damaged
	Bytes      int64
	Indexed    int // notes
	Sessions   int // indexed
	Chunks     int
	Embedder   string
	Vectors    int
	Trouble    string         // with the embedder
	Stale      int            // files and sessions that differ from the index
	Front      []string       // notes whose front matter cannot be read as a whole
	Large      []string       // notes that are too large to be indexed
	Unreadable []string       // notes that cannot be opened
	Agents     map[string]int // sessions that each agent has
	Forgotten  int            // sessions that are excluded
}

// unreadable tells the notes that cannot be opened from those that are only not indexed yet.
func (s *syncer) unreadable(ctx context.Context, f *found, h *Health) error {
	if f.vault == nil {
		return nil
	}
	differ, _, _, err := s.changed(ctx, f, false)
	if err != nil || len(differ) == 0 {
		return err
	}
	root, err := safe.OpenRoot(s.m.cfg.Vault)
	if err != nil {
		return nil // VaultError has it
	}
	defer root.Close()
	for _, e := range differ {
		switch note, err := root.Open(e.path); {
		case err == nil:
			_ = note.Close() // it was only opened
		case !errors.Is(err, fs.ErrNotExist):
			h.Unreadable = append(h.Unreadable, e.path)
			h.Stale--
		}
	}
	return nil
}

// brokenFront returns the notes whose front matter cannot be read as a whole.
func (m *Memory) brokenFront(ctx context.Context) (out []string, err error) {
	root, err := m.root()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = m.eachNote(ctx, root, func(rel string, raw []byte) {
		head, _, _ := cutFront(raw)
		if readFront(head).problem != "" {
			out = append(out, rel)
		}
	})
	return out, err
}

// Check checks everything that memory relies on. It changes nothing but what
// opening the index does.
func (m *Memory) Check(ctx context.Context) (h Health, err error) {
	h = Health{Vault: m.cfg.Vault, Index: m.cfg.DB, Embedder: m.embedder(), Trouble: m.cfg.Trouble, Agents: map[string]int{}}
	if forgot, err := m.forgotten(ctx); err == nil {
		for name := range forgot {
			if !strings.HasPrefix(name, forgottenImport) {
				h.Forgotten++
			}
		}
	} else {
		h.VaultError = err.Error()
	}
	root, err := m.root()
	if err == nil {
		name := file.TemporaryName()
		if f, e := root.Create(name, 0o600); e == nil {
			f.Close()
			h.ReadOnly = root.Remove(name) != nil
		} else {
			h.ReadOnly = true
		}
		root.Close()
	} else {
		h.VaultError = err.Error()
	}
	if h.VaultError == "" {
		if h.Front, err = m.brokenFront(ctx); err != nil {
			return h, err
		}
	}
	for _, src := range m.cfg.Sources {
		refs, _, err := src.List(ctx)
		if err != nil {
			return h, err
		}
		h.Agents[src.Agent()] = len(refs)
	}
	err = m.with(ctx, func(hd *handle) error {
		if err := hd.DB.Check(ctx); err != nil {
			return err
		}
		s := &syncer{m: m, h: hd, r: SyncReport{Skipped: map[string]int{}}}
		f := s.look(ctx)
		h.Notes = s.r.Notes
		if err := s.countStale(ctx, f); err != nil {
			return err
		}
		h.Stale, h.Large = s.r.Stale, f.large
		if err := s.unreadable(ctx, f, &h); err != nil {
			return err
		}
		return hd.read(ctx, func(tx *sql.Tx) error {
			if h.Vectors, err = index.CountVectors(ctx, tx, m.embedder()); err != nil {
				return err
			}
			return tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM files WHERE kind = 0), (SELECT count(*) FROM files WHERE kind = 1), (SELECT count(*) FROM chunks)`).
				Scan(&h.Indexed, &h.Sessions, &h.Chunks)
		})
	})
	if err != nil {
		if ctx.Err() != nil {
			return h, ctx.Err()
		}
		h.IndexError = err.Error()
	}
	h.Moved = m.pool.told()
	for _, suffix := range []string{"", "-wal"} {
		if st, err := os.Stat(m.cfg.DB + suffix); err == nil {
			h.Bytes += st.Size()
		}
	}
	return h, nil
}
