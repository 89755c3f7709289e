package library

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/heap"
	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/index"
)

// What is larger than this was not written by people for people.
const (
	maxName     = 1 << 10 // bytes of an ID, a label, a title, an alias
	maxText     = 1 << 16 // of a description, a rule, a breadcrumb, an address
	maxList     = 1 << 10 // aliases, rules
	maxContent  = 4 << 20 // bytes of one snippet
	maxSnippets = 20_000_000
)

// Put makes pages the documentation of lib's ID and Version, in place of what was.
// They may be produced meanwhile. An error from them, or any other, leaves
// everything as it was; so does a version without a single snippet, which is a
// fault of kind NotFound. It returns the library as it is listed.
func (d *DB) Put(ctx context.Context, lib Library, pages iter.Seq2[Page, error]) (out Library, err error) {
	defer heap.Roomy()() // what is live is a batch, and each page is thrown away
	err = d.change(ctx, func(tx *sql.Tx) error {
		if lib.ID, err = spelling(ctx, tx, lib.ID, orLatest(lib.Version)); err == nil {
			out, err = d.put(ctx, tx, lib, pages, func(*Library) error { return nil })
		}
		return err
	})
	return out, err
}

// spelling returns the ID of a library as it is stored already: that of the version first, if several are.
func spelling(ctx context.Context, tx *sql.Tx, id, version string) (string, error) {
	stored := id
	const query = "SELECT id FROM libraries" + sameID + " ORDER BY version = ? DESC, first_snippet LIMIT 1"
	err := tx.QueryRowContext(ctx, query, id, version).Scan(&stored)
	if errors.Is(err, sql.ErrNoRows) {
		return id, nil
	}
	return stored, err
}

// Remove removes a version, or all of them where version is empty, and returns how
// many. None is a fault of kind NotFound.
func (d *DB) Remove(ctx context.Context, id, version string) (n int, err error) {
	err = d.change(ctx, func(tx *sql.Tx) error {
		rows, err := libraries(ctx, tx, sameID+" AND (? IN ('', version))", id, version)
		if err != nil {
			return err
		}
		if n = len(rows); n == 0 {
			return missing(ctx, tx, id, version)
		}
		for _, r := range rows {
			if err := d.drop(ctx, tx, r); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// missing says that there is no such version of a library, or no such library.
func missing(ctx context.Context, tx *sql.Tx, id, version string) error {
	rows, err := libraries(ctx, tx, sameID, id)
	if err != nil {
		return err
	}
	return noVersion(id, version, labelsOf(rows))
}

func (d *DB) change(ctx context.Context, f func(*sql.Tx) error) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.db.ReadOnly {
		return fault.New(fault.Unavailable, "%s is open read-only", d.path)
	}
	return d.db.Write(ctx, f)
}

// FTS5 is told of all snippets of a version by one statement, since it writes what
// it holds in memory at the start of each.
const ftsColumns = "title, content, source_path, breadcrumb"

// drop removes a version.
func (d *DB) drop(ctx context.Context, tx *sql.Tx, r row) error {
	if err := d.index.DropPart(ctx, tx, r.first); err != nil {
		return err
	}
	for _, q := range []string{
		"INSERT INTO snippets_fts(snippets_fts, rowid, " + ftsColumns + ") SELECT 'delete', id, " + ftsColumns + " FROM snippets WHERE id BETWEEN ?1 AND ?2",
		"DELETE FROM snippets WHERE id BETWEEN ?1 AND ?2",
		"DELETE FROM pages WHERE library = ?1",
		"DELETE FROM libraries WHERE first_snippet = ?1",
	} {
		args := []any{r.first, r.last}
		if !strings.Contains(q, "?2") {
			args = args[:1]
		}
		if _, err := tx.ExecContext(ctx, q, args...); err != nil {
			return err
		}
	}
	return nil
}

// A writer puts one version in its place.
type writer struct {
	d        *DB
	ctx      context.Context
	tx       *sql.Tx
	lib      Library
	old      row // what it replaces; no ID if nothing
	first    int64
	next     int64
	sum      hash.Hash
	postings *index.PartWriter
	meaning  *meaning
	seen     map[string]bool // paths of pages
	once     Once
	cache    int64 // SQLite's, as it was

	snippet, page *sql.Stmt
}

// put is Put in a transaction. accept is asked of what was read before it counts, and may change its recipe.
func (d *DB) put(ctx context.Context, tx *sql.Tx, lib Library, pages iter.Seq2[Page, error], accept func(*Library) error) (Library, error) {
	lib.Version = orLatest(lib.Version)
	lib.Title = cmp.Or(lib.Title, lib.ID[strings.LastIndexByte(lib.ID, '/')+1:])
	lib.Ingested, lib.Date = d.now().UTC().Truncate(1e9), lib.Date.UTC().Truncate(1e9)
	lib.Snippets, lib.Pages, lib.Tokens, lib.Versions = 0, 0, 0, nil
	if err := sound(&lib); err != nil {
		return lib, err
	}
	w := &writer{d: d, ctx: ctx, tx: tx, lib: lib, sum: sha256.New(), seen: map[string]bool{}, once: Once{}}
	if err := w.begin(); err != nil {
		return lib, err
	}
	defer w.snippet.Close()
	defer w.page.Close()
	for p, err := range pages {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = w.put(p)
		}
		if err != nil {
			return lib, err
		}
	}
	if err := w.end(accept); err != nil {
		return w.lib, err
	}
	return w.lib, w.setCache(w.cache)
}

func (w *writer) begin() (err error) {
	var last sql.NullInt64
	if err := w.tx.QueryRowContext(w.ctx, "SELECT max(seq) FROM sqlite_sequence WHERE name = 'snippets'").Scan(&last); err != nil {
		return err
	}
	w.first = last.Int64 + 1
	w.next = w.first
	w.old, err = scanLibrary(w.tx.QueryRowContext(w.ctx, selectLibrary+" WHERE id = ? AND version = ?", w.lib.ID, w.lib.Version))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if w.meaning, err = newMeaning(); err != nil {
		return err
	}
	if err := w.roomy(); err != nil {
		return err
	}
	w.postings = w.d.index.Write(w.ctx, w.tx, w.first, w.meaning.model.Sum)
	if w.snippet, err = w.tx.PrepareContext(w.ctx, `INSERT INTO snippets(id, library_id, library_version, title, content, source_path, source_url, language, token_count, breadcrumb, line, vector)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`); err != nil {
		return err
	}
	w.page, err = w.tx.PrepareContext(w.ctx, "INSERT INTO pages VALUES (?, ?, ?, ?, ?)")
	if err != nil {
		w.snippet.Close()
	}
	return err
}

// What a version that is written takes of memory, in bytes: pages that go to the log once, when they are full,
// and words that FTS5 sorts at a time, which it would otherwise write and merge again for every megabyte.
const (
	writeCache = 32 << 20
	sortAtOnce = 16 << 20
)

// roomy gives SQLite room for a version.
func (w *writer) roomy() error {
	var size int64
	err := w.tx.QueryRowContext(w.ctx, "SELECT v FROM snippets_fts_config WHERE k = 'hashsize'").Scan(&size)
	if (err == nil || errors.Is(err, sql.ErrNoRows)) && size != sortAtOnce {
		_, err = w.tx.ExecContext(w.ctx, "INSERT INTO snippets_fts(snippets_fts, rank) VALUES ('hashsize', ?)", sortAtOnce)
	}
	if err != nil {
		return err
	}
	if err := w.tx.QueryRowContext(w.ctx, "PRAGMA cache_size").Scan(&w.cache); err != nil {
		return err
	}
	return w.setCache(-writeCache >> 10)
}

// setCache sets how much SQLite keeps of the file: pages, or KiB where it is negative.
func (w *writer) setCache(size int64) error {
	return fault.Only(w.tx.ExecContext(w.ctx, fmt.Sprint("PRAGMA cache_size = ", size)))
}

func (w *writer) put(p Page) error {
	if w.seen[p.Path] {
		return fmt.Errorf("page %s comes twice", p.Path)
	}
	w.seen[p.Path] = true
	if p.Keep {
		if err := w.kept(&p); err != nil {
			return fmt.Errorf("keep %s: %w", p.Path, err)
		}
	}
	if w.once.Drop(&p) > 0 && !strings.HasSuffix(p.Hash, "+") {
		// Whether another page still says it is not known without reading this one.
		p.Hash += "+"
	}
	if len(p.Path) > maxText || len(p.Hash) > maxName || !utf8.ValidString(p.Path) || !utf8.ValidString(p.Hash) {
		return fmt.Errorf("the path of a page is too long, or not text")
	}
	// Without a context: each call would be watched over by a goroutine of its own, and each page asks the context.
	if _, err := w.page.Exec(w.first, p.Path, p.Hash, w.next, len(p.Snippets)); err != nil {
		return err
	}
	w.lib.Pages++
	w.add(p.Path, p.Hash)
	declared := false
	for i := range p.Snippets {
		s := &p.Snippets[i]
		s.Path = p.Path
		if err := soundSnippet(s); err != nil {
			return fmt.Errorf("snippet %d of %s: %w", i+1, p.Path, err)
		}
		s.Tokens = tokensOf(s.Content)
		said := ""
		if i == 0 {
			declared = declares(s) // all of a page are alike
		}
		if declared {
			said = summary(s)
		}
		v := w.meaning.of(s, said)
		if _, err := w.snippet.Exec(w.next, w.lib.ID, w.lib.Version, s.Title, s.Content, s.Path, s.URL, s.Language, s.Tokens, s.Breadcrumb, s.Line, vec.Bytes(v)); err != nil {
			return err
		}
		fieldsOf(s, said, w.postings.Text)
		w.postings.End(v)
		if w.postings.Full() {
			if err := w.postings.Flush(); err != nil {
				return err
			}
		}
		w.next++
		w.lib.Snippets++
		w.lib.Tokens += s.Tokens
		w.add(s.Title, s.Breadcrumb, s.URL, s.Content, s.Language, strconv.Itoa(s.Line))
	}
	return nil
}

// kept fills in what the version has of a page already.
func (w *writer) kept(p *Page) error {
	var first, n int64
	err := w.tx.QueryRowContext(w.ctx, "SELECT hash, first, snippets FROM pages WHERE library = ? AND path = ?", w.old.first, p.Path).Scan(&p.Hash, &first, &n)
	if errors.Is(err, sql.ErrNoRows) || w.old.ID == "" {
		return errors.New("there is no such page")
	}
	if err != nil {
		return err
	}
	p.Snippets, err = snippets(w.ctx, w.tx, " WHERE id BETWEEN ? AND ? ORDER BY id", first, first+n-1)
	return err
}

func (w *writer) end(accept func(*Library) error) error {
	if w.lib.Snippets == 0 {
		return fault.New(fault.NotFound, "no documentation for %s: no snippets in %d pages", w.lib.ID, w.lib.Pages).
			Or("name the folder of its documentation, or other patterns")
	}
	if err := w.postings.Flush(); err != nil {
		return err
	}
	if _, err := w.tx.ExecContext(w.ctx, "INSERT INTO snippets_fts(rowid, "+ftsColumns+") SELECT id, "+ftsColumns+" FROM snippets WHERE id BETWEEN ? AND ?", w.first, w.next-1); err != nil {
		return err
	}
	if w.old.ID != "" {
		if err := w.d.drop(w.ctx, w.tx, w.old); err != nil {
			return err
		}
	}
	l := &w.lib
	aliases, rules := list(l.Aliases), list(l.Rules)
	date, ingested := writeTime(l.Date), writeTime(l.Ingested)
	trust := cmp.Or(l.Trust, -1)
	w.add(l.ID, l.Version, l.Title, l.Description, l.Source, l.Ref, l.Commit, date, aliases, rules)
	l.Checksum = w.checksum()
	read := l.Recipe
	err := accept(l)
	if err == nil && l.Recipe != read {
		l.Checksum = w.checksum()
		err = sound(l)
	}
	if err != nil {
		return err
	}
	_, err = w.tx.ExecContext(w.ctx, `INSERT INTO libraries(id, version, title, description, source_repo, total_snippets, trust_score, benchmark_score, ingested_at,
		git_ref, git_commit, commit_date, aliases, rules, recipe, pages, tokens, checksum, first_snippet, last_snippet) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		l.ID, l.Version, l.Title, l.Description, l.Source, l.Snippets, trust, l.Benchmark, ingested,
		l.Ref, l.Commit, date, aliases, rules, l.Recipe, l.Pages, l.Tokens, l.Checksum, w.first, w.next-1)
	return err
}

// add puts fields into the checksum, each with its length before it.
func (w *writer) add(fields ...string) { addTo(w.sum, fields...) }

func addTo(sum hash.Hash, fields ...string) {
	var n [8]byte
	for _, f := range fields {
		binary.LittleEndian.PutUint64(n[:], uint64(len(f)))
		sum.Write(n[:])
		sum.Write(bytesIn(f))
	}
}

// checksum returns that of a version once all but its recipe and its scores was added.
func (w *writer) checksum() string {
	sum, err := w.sum.(hash.Cloner).Clone()
	if err != nil {
		panic(err) // a SHA-256 of the standard library can always be cloned
	}
	addTo(sum, w.lib.Recipe, fmt.Sprint(w.lib.Trust, w.lib.Benchmark))
	return hex.EncodeToString(sum.Sum(nil))
}

func list(of []string) string {
	if len(of) == 0 {
		return "[]"
	}
	b, err := json.Marshal(of)
	if err != nil {
		return "[]" // strings always marshal
	}
	return string(b)
}

// sound refuses a library that could not be asked for, or that is no text.
func sound(l *Library) error {
	r, ok := parseRef(l.ID)
	if !ok || r.id != l.ID || r.version != "" || !plain(l.ID) {
		return fault.New(fault.Usage, "%q is not a library ID", l.ID).Or("an ID is /organisation/project, of letters, digits, '.', '_' and '-'")
	}
	if l.Version == "" || !plain(l.Version) || strings.Contains(l.Version, "/") {
		return fault.New(fault.Usage, "%q is not a valid version label", l.Version).Or("a label is of letters, digits, '.', '_', '-', '+' and '@'")
	}
	if len(l.Aliases) > maxList || len(l.Rules) > maxList || l.Trust < 0 || l.Trust > 10 || l.Benchmark < 0 || l.Benchmark > 100 {
		return fault.New(fault.Usage, "%s: too many aliases or rules, or a score out of range", l.ID)
	}
	names := append([]string{l.ID, l.Version, l.Ref, l.Title, l.Commit}, l.Aliases...)
	texts := append([]string{l.Description, l.Source, l.Recipe}, l.Rules...)
	if !short(maxName, names) || !short(maxText, texts) {
		return fault.New(fault.Usage, "%s: a field is too long, or not text", l.ID)
	}
	return nil
}

func soundSnippet(s *Snippet) error {
	if s.Title == "" || strings.TrimSpace(s.Content) == "" {
		return errors.New("it is empty")
	}
	if !short(maxText, []string{s.Title, s.Breadcrumb, s.URL, s.Language}) || !short(maxContent, []string{s.Content}) || s.Line < 0 {
		return errors.New("a field is too long, or not text")
	}
	return nil
}

func short(limit int, texts []string) bool {
	return !slices.ContainsFunc(texts, func(t string) bool {
		return len(t) > limit || !utf8.ValidString(t) || strings.ContainsRune(t, 0)
	})
}

// plain reports whether s can be in a reference.
func plain(s string) bool {
	return s != "" && len(s) <= maxName &&
		strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+~@") == ""
}
