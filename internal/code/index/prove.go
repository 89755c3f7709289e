package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
)

// A Problem is damage that Problems found: where, and what is wrong there.
type Problem struct {
	Where string `json:"where"` // a table and a row of it, a segment, or the file of the database
	What  string `json:"what"`
}

func (p Problem) String() string { return p.Where + ": " + p.What }

// Check returns the first of the Problems as ErrDamaged or, where it is the database's,
// as store.ErrDamaged.
func (x *Index) Check(ctx context.Context) error {
	problems, err := x.Problems(ctx)
	switch {
	case err != nil || len(problems) == 0:
		return err
	case problems[0].Where == database:
		return fmt.Errorf("%w: %s", store.ErrDamaged, problems[0])
	}
	return fmt.Errorf("%w: %s", ErrDamaged, problems[0])
}

// Problems reads all of the index: the file of the database, every row and segment
// against its checksum, every table against the others. Where it finds nothing, the
// answers are those of the documents that were published. While others may write, the
// caller holds the lock.
func (x *Index) Problems(ctx context.Context) ([]Problem, error) {
	if x.db == nil {
		return nil, nil
	}
	x.setMaps(nil) // what is on the disk now, not what was opened
	err := x.db.Check(ctx)
	var tx *sql.Tx
	if err == nil {
		tx, err = x.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	}
	var v prover
	if err == nil {
		defer tx.Rollback()
		err = v.prove(ctx, x, tx)
	}
	if err = store.Classify(err); errors.Is(err, store.ErrDamaged) {
		return []Problem{{database, err.Error()}}, nil
	}
	return v.problems, err
}

// sound is the part of Problems that needs no segments.
func sound(ctx context.Context, db *store.DB) error {
	st, _, err := readState(ctx, db)
	if err != nil {
		return err
	}
	var v prover
	if _, _, err = v.rows(ctx, db, st); err == nil && len(v.problems) > 0 {
		err = fmt.Errorf("%w: %s", store.ErrDamaged, v.problems[0])
	}
	return err
}

// A prover gathers problems.
type prover struct{ problems []Problem }

func (v *prover) found(where, what string, args ...any) {
	v.problems = append(v.problems, Problem{where, fmt.Sprintf(what, args...)})
}

func (v *prover) bad(table string, keys []string) {
	for _, k := range keys {
		v.found(fmt.Sprintf("%s %q", table, k), "the row fails its checksum")
	}
}

// rows reads every row of every table.
func (v *prover) rows(ctx context.Context, q store.Querier, st State) (segs tableRows[segRow], dirs tableRows[dirRow], err error) {
	if segs, err = readSegs(ctx, q); err != nil {
		return segs, dirs, err
	}
	if dirs, err = readDirs(ctx, q); err != nil {
		return segs, dirs, err
	}
	contents, err := readContents(ctx, q)
	if err != nil {
		return segs, dirs, err
	}
	cached, err := readCached(ctx, q)
	if err != nil {
		return segs, dirs, err
	}
	v.bad("seg", segs.bad)
	v.bad("dirs", dirs.bad)
	v.bad("contents", contents.bad)
	v.bad("vectors", cached.bad)
	if segs.set != st.segSum && len(segs.bad) == 0 {
		v.found("seg", "a row is missing or not ours")
	}
	if dirs.set != st.dirSum && len(dirs.bad) == 0 {
		v.found("dirs", "a row is missing or not ours")
	}
	return segs, dirs, nil
}

func (v *prover) prove(ctx context.Context, x *Index, tx *sql.Tx) error {
	st, err := x.state(ctx, tx)
	if err != nil {
		return err
	}
	segs, dirs, err := v.rows(ctx, tx, st)
	if err != nil {
		return err
	}
	live, err := v.segments(ctx, x, st, segs.sound)
	if err != nil {
		return err
	}
	if len(v.problems) > 0 || st.dirSum == 0 && len(dirs.sound) == 0 {
		return ctx.Err() // what is missing is named already; or the corpus is no tree
	}
	named := map[uint32]bool{}
	for _, d := range dirs.sound {
		v.folder(d, live, named)
	}
	for id, at := range live {
		if !named[id] {
			v.found("dirs", "no file has document %d, %s", id, at.path)
		}
	}
	return ctx.Err()
}

// A docAt is where a live document is, and of what text.
type docAt struct {
	path string
	hash corpus.Hash
}

// segments checks the segments of rows against the rows, and returns their live
// documents.
func (v *prover) segments(ctx context.Context, x *Index, st State, rows []segRow) (map[uint32]docAt, error) {
	live, paths := map[uint32]docAt{}, map[string]bool{}
	var end int64
	words := map[string]*Segment{}
	for i := range rows {
		r := &rows[i]
		if r.kind == kindVectors {
			continue
		}
		s, err := x.proven(r)
		if err == nil {
			err = safely(func() { v.documents(r, s, st, live, paths) })
		}
		switch {
		case err == nil:
			words[r.name] = s
		case errors.Is(err, ErrDamaged) || errors.Is(err, fs.ErrNotExist) || lost(err):
			v.found("segment "+r.name, "%v", err)
		default:
			return nil, err
		}
		if r.lo < end || r.hi > st.next {
			v.found(fmt.Sprintf("seg %q", r.name), "its chunks are %d to %d, which are others'", r.lo, r.hi)
		}
		end = max(end, r.hi)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	for i := range rows {
		r := &rows[i]
		if r.kind != kindVectors {
			continue
		}
		if err := x.provenVectors(r, words[r.of]); err != nil && !lost(err) {
			return nil, err
		} else if err != nil {
			v.found("vectors "+r.name, "%v", err)
		}
	}
	return live, nil
}

// documents notes the live documents of a segment.
func (v *prover) documents(r *segRow, s *Segment, st State, live map[uint32]docAt, paths map[string]bool) {
	for d := range s.Docs {
		if r.dead.has(d) {
			continue
		}
		info := s.doc(d)
		if _, twice := live[info.ID]; twice || paths[info.Path] || info.ID == 0 || info.ID >= st.NextDoc {
			v.found("segment "+r.name, "document %d, %s, is there twice or was never given out", info.ID, info.Path)
			continue
		}
		live[info.ID], paths[info.Path] = docAt{info.Path, info.Hash}, true
	}
}

// proven returns the segment of a row, all of which is sound and what the row says.
func (x *Index) proven(r *segRow) (*Segment, error) {
	if r.kind != kindWords {
		return nil, fmt.Errorf("%w: of kind %q", ErrDamaged, r.kind)
	}
	s, err := x.mapped(*r)
	if err != nil {
		return nil, err
	}
	if !r.fits(s) {
		return nil, fmt.Errorf("%w: it is not what its row says", ErrDamaged)
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	var words int64
	err = safely(func() {
		for c := range s.Chunks {
			words += int64(s.words(c))
		}
	})
	if err == nil && words != r.words {
		err = fmt.Errorf("%w: %d words, its row says %d", ErrDamaged, words, r.words)
	}
	return s, err
}

func (x *Index) provenVectors(r *segRow, of *Segment) error {
	if of == nil {
		return fmt.Errorf("%w: of no segment", ErrDamaged)
	}
	s, err := x.mapped(*r)
	if err != nil {
		return err
	}
	var v *vectors
	if err := safely(func() { v = openVectors(s, int(of.Chunks)) }); err != nil {
		return err
	}
	if v == nil {
		return fmt.Errorf("%w: nothing made them", ErrDamaged)
	}
	return v.Check()
}

// folder checks the entries of a folder, and notes the documents that they name.
func (v *prover) folder(d dirRow, live map[uint32]docAt, named map[uint32]bool) {
	where := fmt.Sprintf("dirs %q", d.path)
	last := ""
	r := d.Read()
	for e := (Entry{}); r.Next(&e); last = e.Name {
		if e.Name <= last || e.Why >= whys {
			v.found(where, "its entries are out of order")
			return
		}
		if e.Doc == 0 {
			continue
		}
		if at, ok := live[e.Doc]; !ok || named[e.Doc] || at != (docAt{path.Join(d.path, e.Name), e.Hash}) {
			v.found(where, "%s has document %d, which is not its", e.Name, e.Doc)
			continue
		}
		named[e.Doc] = true
	}
	if r.Corrupt() {
		v.found(where, "its entries are corrupt")
	}
}
