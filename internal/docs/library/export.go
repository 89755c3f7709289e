package library

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
)

const (
	maxImport   = 4 << 30 // bytes of a file
	maxVersions = 1000
)

// Export writes a library to a file of its own at path, in place of what is there:
// all versions, or the one that a reference names. The file can be asked as it is,
// and each version carries its checksum. It returns what is in it.
func (d *DB) Export(ctx context.Context, id, path string) (out []Library, err error) {
	unwritten := func(err error) error {
		return fault.New(fault.Unavailable, "write %s", path).Because(err).Or("free some space on its disk, or name a file elsewhere")
	}
	dir, base, err := safe.Output(path)
	if err != nil {
		return nil, unwritten(err)
	}
	defer dir.Close()
	dir.Tidy(".")
	// SQLite puts files beside the one that it writes: with such names in such a folder
	// they are collected if this process is killed.
	temp := filepath.Join(dir.Name(), file.TemporaryName())
	if err := os.Mkdir(temp, 0o700); err != nil {
		return nil, unwritten(err)
	}
	defer os.RemoveAll(temp)
	part := filepath.Join(temp, file.TemporaryName())
	to, err := Open(ctx, part)
	if err != nil {
		return nil, err
	}
	to.now = d.now
	err = d.read(ctx, func(tx *sql.Tx) error {
		rows, err := named(ctx, tx, id)
		if err != nil {
			return err
		}
		return to.change(ctx, func(dst *sql.Tx) error {
			out, err = to.copy(ctx, dst, tx, rows, nil)
			return err
		})
	})
	if e := to.Close(); err == nil {
		err = e
	}
	if fault.KindOf(err) == fault.Internal && store.Environmental(err) {
		err = unwritten(store.Classify(err))
	}
	if err != nil {
		return nil, err
	}
	err = dir.Rename(filepath.Base(temp)+"/"+filepath.Base(part), base)
	if err == nil {
		err = dir.SyncDir(".")
	}
	if err != nil {
		return nil, unwritten(err)
	}
	return out, nil
}

// named returns the versions that a reference means exactly.
func named(ctx context.Context, tx *sql.Tx, id string) ([]row, error) {
	r, ok := parseRef(id)
	if !ok {
		return nil, noLibrary(id)
	}
	const orVersion = " AND (? IN ('', version))"
	rows, err := libraries(ctx, tx, " WHERE id = ?"+orVersion, r.id, r.version) // a file has one spelling of an ID
	if err == nil && len(rows) == 0 {
		rows, err = libraries(ctx, tx, sameID+orVersion, r.id, r.version)
	}
	if err == nil && len(rows) == 0 {
		err = missing(ctx, tx, r.id, r.version)
	}
	return rows, err
}

// copy puts versions of src into d. accept, if set, is asked of each before it counts, and may change how it was read.
func (d *DB) copy(ctx context.Context, dst, src *sql.Tx, rows []row, accept func(want Library, got *Library) error) (out []Library, err error) {
	for _, r := range rows {
		l, err := d.put(ctx, dst, r.Library, pagesOf(ctx, src, r), func(got *Library) error {
			if accept == nil {
				return nil
			}
			return accept(r.Library, got)
		})
		if err != nil {
			return nil, err
		}
		// What it is has not changed by being copied, nor when it was read.
		if _, err := dst.ExecContext(ctx, "UPDATE libraries SET ingested_at = ? WHERE id = ? AND version = ?", writeTime(r.Ingested), l.ID, l.Version); err != nil {
			return nil, err
		}
		l.Ingested = r.Ingested
		out = append(out, l)
	}
	return out, nil
}

// pagesOf yields the pages of a version in the order of their snippets, one at a
// time.
func pagesOf(ctx context.Context, tx *sql.Tx, r row) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		type place struct {
			Page
			first, n int64
		}
		var places []place
		var p place
		if err := store.Each(ctx, tx, []any{&p.Path, &p.Hash, &p.first, &p.n}, func() error {
			places = append(places, p)
			return nil
		}, "SELECT path, hash, first, snippets FROM pages WHERE library = ? ORDER BY first, snippets, path", r.first); err != nil {
			yield(Page{}, err)
			return
		}
		next := r.first
		for _, p := range places {
			if p.first != next || p.n < 0 || p.n > r.last-next+1 {
				yield(Page{}, fmt.Errorf("%w: the pages of %s are not its snippets", store.ErrDamaged, r.ID))
				return
			}
			next += p.n
			var err error
			if p.n > 0 {
				p.Snippets, err = snippets(ctx, tx, " WHERE id BETWEEN ? AND ? ORDER BY id", p.first, p.first+p.n-1)
			}
			if err == nil && int64(len(p.Snippets)) != p.n {
				err = fmt.Errorf("%w: %s lacks snippets", store.ErrDamaged, p.Path)
			}
			if !yield(p.Page, err) || err != nil {
				return
			}
		}
	}
}

// Import puts the library in a file that Export wrote beside the others, its
// versions in place of those of the same labels. The file may come from anywhere:
// it is opened for reading only, its schema must be ours to the letter, and of its
// contents only text is taken, checked field by field and against its checksum;
// what it is searched by is rebuilt. Anything amiss is a fault, and nothing is
// changed. Of how a version was read it keeps what recipe returns of it, nothing where
// recipe is nil: whoever made the file says what is read, and not what will be.
func (d *DB) Import(ctx context.Context, path string, recipe func(string) string) (out []Library, err error) {
	if err := plainFile(path); err != nil {
		return nil, err
	}
	from, err := OpenReadOnly(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = from.Close() }()
	// What is damaged in a way that only reading shows.
	if err := from.db.Check(ctx); err != nil {
		return nil, refused(path, err)
	}
	err = from.read(ctx, func(src *sql.Tx) error {
		rows, err := portable(ctx, src, path)
		if err != nil {
			return err
		}
		return d.change(ctx, func(dst *sql.Tx) error {
			out, err = d.copy(ctx, dst, src, rows, func(want Library, got *Library) error {
				if want.Checksum != got.Checksum || want.Snippets != got.Snippets || want.Pages != got.Pages {
					return refused(path, fmt.Errorf("the checksum of %s %s is not that of its text", want.ID, want.Version))
				}
				if got.Recipe = ""; recipe != nil {
					got.Recipe = recipe(want.Recipe)
				}
				return nil
			})
			return err
		})
	})
	if errors.Is(err, store.ErrDamaged) {
		err = refused(path, err)
	}
	return out, err
}

// portable returns the versions in a file of one library.
func portable(ctx context.Context, tx *sql.Tx, path string) ([]row, error) {
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM libraries").Scan(&n); err != nil {
		return nil, err
	}
	if n == 0 || n > maxVersions {
		return nil, refused(path, fmt.Errorf("it holds %d versions", n))
	}
	rows, err := libraries(ctx, tx, "")
	if err != nil {
		return nil, err
	}
	sorting.Stable(rows, func(a, b row) int { return cmp.Compare(a.first, b.first) })
	end := int64(0)
	for _, r := range rows {
		if r.ID != rows[0].ID {
			return nil, refused(path, errors.New("it holds several libraries"))
		}
		if r.first <= 0 || r.last < r.first || r.last-r.first >= maxSnippets || r.Ingested.IsZero() {
			return nil, refused(path, fmt.Errorf("%s %s has no snippets", r.ID, r.Version))
		}
		if r.first <= end {
			return nil, refused(path, errors.New("two versions share snippets"))
		}
		end = r.last
	}
	// Before any of it is read into memory.
	var large bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM snippets WHERE max(octet_length(content), octet_length(title), octet_length(breadcrumb),
		octet_length(source_path), octet_length(source_url), octet_length(language)) > ?) OR EXISTS (SELECT 1 FROM pages WHERE max(octet_length(path), octet_length(hash)) > ?)`,
		maxContent, maxText).Scan(&large); err != nil {
		return nil, err
	}
	if large {
		return nil, refused(path, errors.New("a snippet is too large"))
	}
	return rows, nil
}

// plainFile refuses what is no closed database of bearable size.
func plainFile(path string) error {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "no file %s", path)
	case err != nil:
		return fault.New(fault.Unavailable, "import %s", path).Because(err)
	case !st.Mode().IsRegular():
		return refused(path, errors.New("it is not a file"))
	case st.Size() > maxImport:
		return refused(path, fmt.Errorf("it is larger than %d bytes", int64(maxImport)))
	}
	for _, suffix := range []string{"-wal", "-journal"} {
		if _, err := os.Lstat(path + suffix); err == nil {
			return refused(path, fmt.Errorf("%s is beside it: the database was not closed", filepath.Base(path)+suffix))
		}
	}
	return nil
}

func refused(path string, why error) error {
	if e, ok := errors.AsType[*fault.Error](why); ok && strings.HasPrefix(e.Msg, "import ") {
		return why
	}
	return fault.New(fault.Usage, "import %s", path).Because(why).Or("export it again with assay docs export")
}
