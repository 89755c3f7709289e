package index

import (
	"cmp"
	"database/sql"
	"slices"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// documents is what a reader knows of the documents of its part, in the order of their
// chunks: those that it was asked for, or all.
type documents struct {
	all   bool
	list  []DocInfo
	some  bool // those that there are are all that a filter can pass: see Narrow
	found int  // how many were asked for one by one
	one   *sql.Stmt
}

// fewDocuments is how many documents are asked for one by one before all are read: to read
// twenty thousand takes as long as a thousand of them.
const fewDocuments = 400

// of returns the document of a chunk, nil where it is not known.
func (d *documents) of(chunk int) *DocInfo {
	i, ok := slices.BinarySearchFunc(d.list, chunk, func(d DocInfo, chunk int) int {
		switch {
		case int(d.First+d.Chunks) <= chunk:
			return -1
		case int(d.First) > chunk:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return &d.list[i]
}

// load makes all documents known that have chunks.
func (d *documents) load(r *PartReader) error {
	if d.all {
		return nil
	}
	d.list = d.list[:0]
	err := r.readDocs("SELECT path, first, chunks FROM documents WHERE part = ? AND chunks > 0 ORDER BY first", func(x DocInfo) bool {
		d.list = append(d.list, x)
		return true
	}, r.part)
	d.all = err == nil
	return err
}

// find makes the documents of chunks known.
func (d *documents) find(r *PartReader, of []scored) error {
	for _, h := range of {
		if x, err := d.get(r, h.at); err != nil || x == nil {
			return cmp.Or(err, r.damaged("documents"))
		}
	}
	return nil
}

// get returns the document of a chunk, nil where there is none.
func (d *documents) get(r *PartReader, chunk int) (*DocInfo, error) {
	if x := d.of(chunk); x != nil || d.all {
		return x, nil
	}
	if d.found++; d.found > fewDocuments {
		if err := d.load(r); err != nil {
			return nil, err
		}
		return d.of(chunk), nil
	}
	if d.one == nil {
		one, err := r.tx.PrepareContext(r.ctx, "SELECT path, first, chunks FROM documents WHERE part = ?1 AND first <= ?2 AND chunks > 0 ORDER BY first DESC LIMIT 1")
		if err != nil {
			return nil, err
		}
		d.one = one // until the end of the transaction
	}
	rows, err := d.one.QueryContext(r.ctx, r.part, chunk)
	if err != nil {
		return nil, err
	}
	err = eachDoc(rows, func(x DocInfo) bool {
		if chunk < int(x.First+x.Chunks) {
			i, _ := slices.BinarySearchFunc(d.list, x.First, func(d DocInfo, first uint32) int { return int(d.First) - int(first) })
			d.list = slices.Insert(d.list, i, x)
		}
		return true
	})
	return d.of(chunk), err
}

func (r *PartReader) readDocs(query string, yield func(DocInfo) bool, args ...any) error {
	rows, err := r.tx.QueryContext(r.ctx, query, args...)
	if err != nil {
		return err
	}
	return eachDoc(rows, yield)
}

// Narrow says that the filter of what is asked next passes documents of these paths alone:
// no other is looked up. With nil, any may pass again.
func (r *PartReader) Narrow(paths []string) error {
	r.docs = documents{some: paths != nil, all: paths != nil}
	for _, p := range paths {
		if err := r.readDocs("SELECT path, first, chunks FROM documents WHERE part = ? AND path = ? AND chunks > 0", func(x DocInfo) bool {
			r.docs.list = append(r.docs.list, x)
			return true
		}, r.part, p); err != nil {
			r.docs = documents{}
			return err
		}
	}
	sorting.Stable(r.docs.list, func(a, b DocInfo) int { return cmp.Compare(a.First, b.First) })
	return nil
}

// eachDoc calls yield with each row until it returns false, and closes them.
func eachDoc(rows *sql.Rows, yield func(DocInfo) bool) error {
	defer rows.Close()
	for rows.Next() {
		var d DocInfo
		var path sql.RawBytes
		if err := rows.Scan(&path, &d.First, &d.Chunks); err != nil {
			return err
		}
		d.Path = string(path)
		if !yield(d) {
			return nil
		}
	}
	return rows.Err()
}

// Docs is the Reader's. Of a document it says its path and its chunks.
func (r *PartReader) Docs(yield func(DocInfo) bool) error {
	return r.readDocs("SELECT path, first, chunks FROM documents WHERE part = ? ORDER BY first, path", yield, r.part)
}
