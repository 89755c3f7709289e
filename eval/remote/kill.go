//go:build team

package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/index"
)

// pathsOf is how many documents a client writes in turn.
const pathsOf = 40

// A client writes documents of its own, version after version.
type client struct {
	no int
	mu sync.Mutex
	// By path: the last version that was acknowledged and the last that was tried; -1 is
	// that it was deleted, 0 that it never was there.
	acked, tried map[string]int
}

// A trial is what all clients did.
type trial struct {
	url, corpus              string
	clients                  []*client
	stop                     chan struct{}
	acks, failed             atomic.Int64
	reads, unread, forgotten atomic.Int64
	longest                  atomic.Int64 // ms of a write
}

// A blow is a kind of trouble, and how it comes.
type blow struct {
	kind, folder, clock string
	during, every       time.Duration
}

func hit(ctx context.Context, url string, clients int, w blow) error {
	t := &trial{url: url, corpus: fmt.Sprint("kill ", time.Now().UnixNano()), stop: make(chan struct{})}
	first, err := open(ctx, url, t.corpus)
	if err != nil {
		return err
	}
	defer func() { _ = first.Drop(ctx); first.Close() }()
	var b *between
	if w.kind == "net" {
		if b, t.url, err = across(url); err != nil {
			return err
		}
		defer func() { _ = b.l.Close() }()
	}
	var wg sync.WaitGroup
	for i := range clients {
		c := &client{no: i, acked: map[string]int{}, tried: map[string]int{}}
		t.clients = append(t.clients, c)
		wg.Go(func() { t.write(ctx, c) })
		wg.Go(func() { t.read(ctx, c) })
	}
	what, err := t.trouble(ctx, b, w)
	if err != nil {
		return err
	}
	close(t.stop)
	wg.Wait()
	if err := first.Tidy(ctx); err != nil {
		return err
	}
	lost, docs, err := t.check(ctx, first)
	if err != nil {
		return err
	}
	fmt.Printf("%d clients wrote and %d read for %s while %s\n", clients, clients, w.during, what)
	fmt.Printf("%d writes were acknowledged, %d gave up after a minute; the longest took %d ms\n", t.acks.Load(), t.failed.Load(), t.longest.Load())
	fmt.Printf("%d reads were answered, %d said that they could not be\n", t.reads.Load(), t.unread.Load())
	fmt.Printf("%d documents at the end; acknowledged and lost: %d; acknowledged and not seen by a later reader: %d\n", docs, lost, t.forgotten.Load())
	if lost > 0 || t.forgotten.Load() > 0 {
		return fmt.Errorf("acknowledged writes were lost")
	}
	return nil
}

// trouble makes it, and says what was done: the network's where there is something between.
func (t *trial) trouble(ctx context.Context, b *between, w blow) (string, error) {
	if b != nil {
		return b.trouble(ctx, w.during, w.every), nil
	}
	n := 0
	for end := time.Now().Add(w.during); time.Now().Add(w.every).Before(end); n++ {
		time.Sleep(w.every)
		if err := w.once(t.url, n); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("the server %s %d times", blows[w.kind], n), nil
}

func (t *trial) over() bool {
	select {
	case <-t.stop:
		return true
	default:
		return false
	}
}

func textOf(path string, version int) []byte {
	return fmt.Appendf(nil, "document %s of version %d says banana\n", path, version)
}

func hashOf(b []byte) corpus.Hash {
	sum := sha256.Sum256(b)
	return corpus.Hash(sum[:16])
}

func (t *trial) write(ctx context.Context, c *client) {
	x, err := open(ctx, t.url, t.corpus)
	for err != nil && !t.over() {
		time.Sleep(100 * time.Millisecond)
		x, err = open(ctx, t.url, t.corpus)
	}
	if err != nil {
		return
	}
	defer x.Close()
	for i := 1; !t.over(); i++ {
		path := fmt.Sprintf("%d/%d.txt", c.no, i%pathsOf)
		var change index.Change
		version := i
		if i%7 == 0 {
			version, change.Delete = -1, []string{path}
		} else {
			b := textOf(path, i)
			d := &index.Doc{Hash: hashOf(b), Lines: 1, Document: corpus.Document{Path: path, Text: b},
				Chunks: []corpus.Chunk{{Span: corpus.Span{End: len(b)}, Lines: corpus.Range{First: 1, Last: 1}, Hash: hashOf(b)}}, Embedder: "own", Vectors: []float32{0, 1, 0, 0}}
			change.Put = []*index.Doc{d}
		}
		c.mu.Lock()
		c.tried[path] = version
		c.mu.Unlock()
		start := time.Now()
		err := x.Change(ctx, change)
		if ms := time.Since(start).Milliseconds(); ms > t.longest.Load() {
			t.longest.Store(ms)
		}
		if err != nil {
			t.failed.Add(1)
			continue
		}
		t.acks.Add(1)
		c.mu.Lock()
		c.acked[path] = version
		c.mu.Unlock()
		if i%20 == 0 {
			_ = x.Tidy(ctx) // the next one goes on where the server was killed
		}
	}
}

// read asks for what was acknowledged before.
func (t *trial) read(ctx context.Context, c *client) {
	var x server
	defer func() {
		if x != nil {
			x.Close()
		}
	}()
	for !t.over() {
		time.Sleep(20 * time.Millisecond)
		if x == nil {
			var err error
			if x, err = open(ctx, t.url, t.corpus); err != nil {
				t.unread.Add(1)
				x = nil
				continue
			}
		}
		c.mu.Lock()
		before := map[string]int{}
		for path, v := range c.acked {
			before[path] = v
		}
		c.mu.Unlock()
		seen, err := hashes(ctx, x)
		if err != nil {
			t.unread.Add(1)
			continue
		}
		t.reads.Add(1)
		c.mu.Lock()
		for path, v := range before {
			// Whatever was tried since may be there instead.
			if v == c.tried[path] && !is(seen, path, v) {
				t.forgotten.Add(1)
			}
		}
		c.mu.Unlock()
	}
}

// hashes returns the texts of all documents, and an error where the words do not find as
// many chunks.
func hashes(ctx context.Context, x server) (map[string]corpus.Hash, error) {
	r, err := x.Current(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]corpus.Hash{}
	if err := r.Docs(func(d index.DocInfo) bool { seen[d.Path] = d.Hash; return true }); err != nil {
		return nil, err
	}
	df, n, err := r.DF([]corpus.Term{{Text: "banana", Weight: 1}})
	if err == nil && (df[0] != len(seen) || n != len(seen)) {
		panic(fmt.Sprintf("the words are in %v of %d chunks, of %d documents", df, n, len(seen)))
	}
	return seen, err
}

func is(seen map[string]corpus.Hash, path string, version int) bool {
	h, ok := seen[path]
	if version <= 0 {
		return !ok
	}
	return ok && h == hashOf(textOf(path, version))
}

// check counts the writes that were acknowledged and are not there, nor what was tried
// after them.
func (t *trial) check(ctx context.Context, x server) (lost, docs int, err error) {
	seen, err := hashes(ctx, x)
	if err != nil {
		return 0, 0, err
	}
	for _, c := range t.clients {
		for path, v := range c.acked {
			if !is(seen, path, v) && !is(seen, path, c.tried[path]) {
				lost++
			}
		}
	}
	return lost, len(seen), nil
}
