package vault

import (
	"context"

	"github.com/assay-dev/assay/internal/base/heap"
	"github.com/assay-dev/assay/internal/base/work"
)

// each reads n files, one while those before it are written, and writes them in
// batches, in order. A nil file is omitted. What is left when the budget is spent is
// stale.
func (s *syncer) each(ctx context.Context, what string, n int, read func(i int) (*filed, error)) error {
	if n > 2*batchFiles {
		defer heap.Tight()() // what is live is a batch: memory counts more than the time to collect it
	}
	ctx, stop := context.WithCancel(ctx)
	type one struct {
		f   *filed
		err error
	}
	files := make(chan one, 32)
	go func() {
		defer close(files)
		for i := range n {
			if ctx.Err() != nil || s.late() {
				return
			}
			f, err := read(i)
			files <- one{f, err}
		}
	}()
	defer func() {
		stop()
		for range files { // so that it ends
		}
	}()
	progress := work.FromContext(ctx).Progress
	done := 0
	for x := range files {
		if done++; x.err != nil {
			return x.err
		}
		if x.f == nil {
			continue
		}
		s.queue = append(s.queue, x.f)
		for _, w := range x.f.page.windows {
			s.bytes += len(w.text)
		}
		if len(s.queue) >= batchFiles || s.bytes >= batchBytes {
			if err := s.flush(ctx); err != nil {
				return err
			}
			progress(what, int64(done), int64(n))
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.r.Stale += n - done
	return s.flush(ctx)
}

// flush writes what was read.
func (s *syncer) flush(ctx context.Context) error {
	queue := s.queue
	s.queue, s.bytes = nil, 0
	if len(queue) == 0 {
		return nil
	}
	changed, chunks := 0, 0
	err := s.h.file(ctx, s.m.embedder(), func(w *filer) error {
		for _, f := range queue {
			if f.page.hash == nil {
				if err := w.Exec("UPDATE files SET size = ?, mtime = ?, stamp = ? WHERE path = ?", f.size, f.mtime, f.stamp, f.path); err != nil {
					return err
				}
				continue
			}
			if err := w.put(f); err != nil {
				return err
			}
			changed++
			chunks += len(f.page.windows)
			s.r.Embedded += len(f.vectors)
		}
		return nil
	})
	s.r.Changed += changed
	s.r.Chunks += chunks
	return err
}
