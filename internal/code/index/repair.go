package index

import (
	"context"
	"database/sql"
	"path"
)

// Repair drops what Problems finds wrong: rows that fail their checksums, segments that
// cannot be read or are not what their rows say, documents that no file has. The files
// whose documents are lost by that look new to the next sync.
func (w *Writer) Repair(ctx context.Context) error {
	// A segment may be readable again by now, and a sound one may be damaged.
	w.x.mu.Lock()
	w.x.cur = nil
	w.x.setMaps(nil)
	w.x.mu.Unlock()
	return w.commit(ctx, func(tx *sql.Tx, st *State) error {
		segs, err := readSegs(ctx, tx)
		if err != nil {
			return err
		}
		dirs, err := readDirs(ctx, tx)
		if err != nil {
			return err
		}
		kept, live, err := w.survivors(st, segs.sound)
		if err != nil {
			return err
		}
		named := map[uint32]bool{}
		folders := map[string]Dir{}
		for _, d := range dirs.sound {
			if f := survivingEntries(d, live, named); len(f.Entries) > 0 {
				folders[d.path] = f
			}
		}
		tree := st.dirSum != 0 || len(dirs.sound)+len(dirs.bad) > 0
		for i := range kept {
			if tree && kept[i].segment != nil {
				kept[i].buryOthers(named)
			}
		}
		st.Left = max(st.Left, 1) // how many files lost their documents, the next scan of the tree finds
		return st.rewrite(ctx, tx, kept, folders)
	})
}

// A survivor is a row that Repair keeps.
type survivor struct {
	segRow
	segment *Segment // nil for vectors
}

// survivors returns the rows whose segments are sound, and their live documents.
func (w *Writer) survivors(st *State, rows []segRow) (kept []survivor, live map[uint32]docAt, err error) {
	live = map[uint32]docAt{}
	words := map[string]*Segment{}
	var end int64
	for i := range rows {
		r := &rows[i]
		if r.kind == kindVectors {
			continue
		}
		s, err := w.x.proven(r)
		if err != nil && !lost(err) {
			return nil, nil, err
		}
		if err != nil || r.lo < end {
			continue
		}
		end, st.next = r.hi, max(st.next, r.hi)
		err = safely(func() {
			for d := range s.Docs {
				info := s.doc(d)
				if r.dead.has(d) {
					continue
				}
				st.NextDoc = max(st.NextDoc, info.ID+1)
				if _, twice := live[info.ID]; twice {
					live[info.ID] = docAt{} // which no file is at: both go
				} else {
					live[info.ID] = docAt{info.Path, info.Hash}
				}
			}
		})
		if err != nil {
			continue
		}
		words[r.name] = s
		kept = append(kept, survivor{*r, s})
	}
	for i := range rows {
		r := &rows[i]
		if r.kind == kindVectors && w.x.provenVectors(r, words[r.of]) == nil {
			kept = append(kept, survivor{*r, nil})
		}
	}
	return kept, live, nil
}

// survivingEntries returns a folder without the entries whose documents are not there,
// and notes the documents of the others.
func survivingEntries(d dirRow, live map[uint32]docAt, named map[uint32]bool) Dir {
	kept := Dir{Seen: d.Seen}
	last := ""
	r := d.Read()
	for e := (Entry{}); r.Next(&e); last = e.Name {
		if e.Name <= last || e.Why >= whys {
			break // a sync reads what is missing, in any order
		}
		if e.Doc != 0 && (named[e.Doc] || live[e.Doc] != docAt{path.Join(d.path, e.Name), e.Hash}) {
			continue
		}
		named[e.Doc] = true
		kept.Entries = AppendEntry(kept.Entries, &e)
	}
	return kept
}

// buryOthers marks the documents that no file has as dead.
func (s *survivor) buryOthers(named map[uint32]bool) {
	_ = safely(func() { // it has been read whole just now
		for d := range s.segment.Docs {
			if id := s.segment.docID(d); id == 0 || !named[id] {
				s.dead.set(d)
			}
		}
	})
}

// rewrite makes the tables what survived. They are emptied whole: a row with a corrupt
// key is not found by it.
func (s *State) rewrite(ctx context.Context, tx *sql.Tx, segs []survivor, dirs map[string]Dir) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM seg; DELETE FROM dirs"); err != nil {
		return err
	}
	s.segSum, s.dirSum = 0, 0
	for _, r := range segs {
		if err := s.putSeg(ctx, tx, r.segRow); err != nil {
			return err
		}
	}
	if err := s.putDirs(ctx, tx, dirs); err != nil {
		return err
	}
	contents, err := readContents(ctx, tx)
	if err == nil && len(contents.bad) > 0 {
		_, err = tx.ExecContext(ctx, "DELETE FROM contents")
	}
	if err != nil {
		return err
	}
	return keepSoundVectors(ctx, tx)
}

// keepSoundVectors drops the cached vectors that fail their checksums, and writes the
// others again: they were paid for, and a row with a corrupt key is not found by it.
func keepSoundVectors(ctx context.Context, tx *sql.Tx) error {
	cached, err := readCached(ctx, tx)
	if err != nil || len(cached.bad) == 0 {
		return err
	}
	rows, err := readTable(ctx, tx, "SELECT hash, embedder, epoch, vec, row_sum FROM vectors", func(rows *sql.Rows) (r vectorRow, key string, have, want int64, err error) {
		err = rows.Scan(&r.hash, &r.embedder, &r.epoch, &r.vec, &have)
		want = vectorSum(r.hash, r.embedder, r.vec)
		return r, "", have, want, err
	})
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM vectors"); err != nil {
		return err
	}
	for _, r := range rows.sound {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)", r.hash, r.embedder, r.epoch, r.vec, vectorSum(r.hash, r.embedder, r.vec)); err != nil {
			return err
		}
	}
	return nil
}

type vectorRow struct {
	hash, vec []byte
	embedder  string
	epoch     int64
}
