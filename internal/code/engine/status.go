package engine

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
)

// A Status is what an index holds, beside the tree as it is now.
type Status struct {
	Epoch                               int64
	Files, Documents, Chunks, Lines     int
	Segments, Changed, Removed, Vectors int
	IndexBytes, SourceBytes             int64
	Languages, Skipped                  map[string]int
	Excluded                            map[string]string // why files are in the index by name alone
	Embedder                            string
	Damaged                             bool
}

// Status scans the tree and the index and changes neither.
func (e *Engine) Status(ctx context.Context) (*Status, error) {
	tree, p, snap, err := e.look(ctx, Options{})
	if err != nil {
		return nil, err
	}
	s := &Status{Epoch: snap.Epoch, Files: p.files, Removed: len(p.dead), Segments: snap.Segments(),
		Languages: map[string]int{}, Skipped: map[string]int{}, Excluded: map[string]string{}, Damaged: snap.Damaged()}
	for _, c := range p.changes {
		text, _, err := readText(e.root, path.Join(p.dirs[c.dir].path, c.file.Name), discover.MaxFile)
		same := err == nil && hashOf(text) == c.old.Hash || errors.Is(err, errTooLarge) && c.file.Size > discover.MaxFile
		if !c.suspect || !same {
			s.Changed++
		}
	}
	err = snap.Docs(func(d index.DocInfo) bool {
		s.SourceBytes += int64(d.Size)
		if d.Chunks > 0 {
			s.Documents++
			s.Chunks += int(d.Chunks)
			s.Lines += d.Lines
			s.Languages[d.Language]++
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	for why, n := range tree.Skipped {
		s.Skipped[string(why)] += n
	}
	manifest, err := e.ix.Manifest(ctx)
	if err != nil {
		return nil, err
	}
	for dir, d := range manifest {
		r := d.Read()
		for en := (index.Entry{}); r.Next(&en); {
			if en.Why != index.Indexed {
				s.Skipped[en.Why.String()]++
				s.Excluded[path.Join(dir, en.Name)] = en.Why.String()
			}
		}
	}
	if p := e.cfg.Embedder; p != nil {
		s.Embedder = p.Name()
		_, missing := snap.Unembedded(s.Embedder)
		s.Vectors = max(0, s.Chunks-missing)
	}
	s.IndexBytes = folderSize(e.cfg.IndexDir)
	return s, nil
}

func folderSize(dir string) (n int64) {
	// What cannot be read counts nothing.
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil {
			if info, e := d.Info(); e == nil && info.Mode().IsRegular() {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// embedBatch is how many chunks are embedded between two writes.
const embedBatch = 512

// Embed gives every chunk that has none a vector, and returns how many texts
// were sent to the provider. A text that was embedded before is not sent again.
func (e *Engine) Embed(ctx context.Context, progress func(string, int64, int64)) (sent int, err error) {
	p := e.cfg.Embedder
	if p == nil {
		return 0, nil
	}
	if _, local := p.(embed.Local); e.shared != nil && !local {
		return 0, errors.New("a shared index takes vectors of a model that runs here alone")
	} else if e.shared != nil {
		return 0, nil // they were made with the chunks
	}
	if p.Dims() == 0 {
		// Vectors are kept under a name that holds their dimensions.
		if _, err := p.Embed(ctx, []string{"dimensions"}); err != nil {
			return 0, err
		}
	}
	w, err := e.lock(ctx, true)
	if err != nil {
		return 0, err
	}
	defer w.Close()
	snap, err := e.ix.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	segments, total := snap.Unembedded(p.Name())
	var done int64
	for _, i := range segments {
		n, err := e.embedSegment(ctx, w, snap, i, func(k int) {
			done += int64(k)
			if progress != nil {
				progress("embedding", done, int64(total))
			}
		})
		sent += n
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

func (e *Engine) embedSegment(ctx context.Context, w *index.Writer, snap *index.Snapshot, i int, tell func(int)) (sent int, err error) {
	p := e.cfg.Embedder
	refs, err := snap.LiveChunks(i)
	if err != nil {
		return 0, err
	}
	vecs := make([][]float32, snap.SegmentChunks(i))
	for len(refs) > 0 {
		batch := refs[:min(embedBatch, len(refs))]
		refs = refs[len(batch):]
		n, err := e.embedChunks(ctx, w, snap, batch, vecs)
		sent += n
		if err != nil {
			return sent, err
		}
		tell(len(batch))
	}
	return sent, w.PutVectors(ctx, snap, i, p.Name(), p.Dims(), vecs)
}

func (e *Engine) embedChunks(ctx context.Context, w *index.Writer, snap *index.Snapshot, refs []corpus.Ref, vecs [][]float32) (sent int, err error) {
	p := e.cfg.Embedder
	found, err := snap.Describe(refs)
	if err != nil {
		return 0, err
	}
	var texts []string
	var at []int
	_, local := p.(embed.Local)
	for k, f := range found {
		if local {
			if quote, ok := e.Quote(&Hit{Found: f}); ok {
				texts = append(texts, string(append(embedded(nil, f.Doc.Path, f.Scope), quote...)))
				at = append(at, k)
			}
			continue
		}
		v, err := e.ix.CachedVector(ctx, f.Hash, p.Name())
		if err != nil {
			return 0, err
		}
		if v != nil {
			vecs[refs[k].Chunk] = v
			continue
		}
		quote, ok := e.Quote(&Hit{Found: f})
		if !ok {
			continue
		}
		clean, _ := redact.Text(quote)
		texts = append(texts, string(append(embedded(nil, f.Doc.Path, f.Scope), clean...)))
		at = append(at, k)
	}
	if len(texts) == 0 {
		return 0, nil
	}
	got, err := p.Embed(ctx, texts)
	if err != nil {
		return 0, err
	}
	fresh := map[corpus.Hash][]float32{}
	for j, v := range got {
		vecs[refs[at[j]].Chunk] = v
		fresh[found[at[j]].Hash] = v
	}
	if local {
		return 0, nil // nothing was sent, and it is quicker made than looked up
	}
	return len(texts), w.CacheVectors(ctx, p.Name(), fresh)
}
