//go:build team

package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/assay-dev/assay/eval/timed"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/chunk"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// batchChunks is how many chunks are put at a time.
const batchChunks = 4096

// proposed is how many candidates a search asks for, and perDoc how many of a document.
const (
	proposed = 256
	perDoc   = 8
)

// A question is words and what they mean.
type question struct {
	terms []corpus.Term
	unit  []float32
}

func speed(ctx context.Context, url, server string, chunks, questions int, folders []string) error {
	provider, err := embed.Open(embed.Config{Provider: "static"})
	if err != nil {
		return err
	}
	local, ok := provider.(embed.Local)
	if !ok {
		return errors.New("the static provider makes no vectors itself")
	}
	far, err := open(ctx, url, fmt.Sprint("speed ", time.Now().UnixNano()))
	if err != nil {
		return err
	}
	defer func() { _ = far.Drop(ctx); far.Close() }()
	dir, err := os.MkdirTemp("", "remote-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	near, err := index.Open(ctx, dir, false)
	if err != nil {
		return err
	}
	defer func() { _ = near.Close() }()
	fmt.Println("machine  ", timed.Machine())
	before, spent := diskOf(server), cpuOf(server)
	l := &loader{local: local, far: far, near: near, r: rand.New(rand.NewSource(1)), most: chunks, next: 1}
	if err := l.folders(ctx, folders); err != nil {
		return err
	}
	if err := l.collect(ctx); err != nil {
		return err
	}
	start, cpu := time.Now(), timed.CPU()
	if err := far.Tidy(ctx); err != nil {
		return err
	}
	tidy := time.Since(start)
	fmt.Printf("put        %d chunks of %d files: %.0f a second (%.1f s; %.1f s of this process); with the index of vectors and the last merges %.0f a second (%.1f s more; %.1f s of this process)\n",
		l.chunks, l.next-1, float64(l.chunks)/l.took.Seconds(), l.took.Seconds(), l.cpu.Seconds(), float64(l.chunks)/(l.took+tidy).Seconds(), tidy.Seconds(), (timed.CPU() - cpu).Seconds())
	l.costs = [2]cost{
		{form: formOf(url), chunks: l.chunks, build: (l.took + tidy).Seconds(), cpu: cpuOf(server) - spent + (l.cpu + timed.CPU() - cpu).Seconds(), disk: diskOf(server) - before},
		{form: "folder", chunks: l.chunks, build: l.beside.Seconds(), cpu: l.besideCPU.Seconds(), disk: diskOf(dir)},
	}
	if err := l.ask(ctx, server, questions); err != nil {
		return err
	}
	l.costs[0].memory = memoryOf(server)
	fmt.Println(l.costs[0])
	fmt.Println(l.costs[1])
	return nil
}

// A loader puts files into both indexes.
type loader struct {
	local             embed.Local
	far               server
	near              *index.Index
	r                 *rand.Rand
	most              int
	chunks            int
	next              uint32
	docs              []*index.Doc // of the next batch
	held              int
	took              time.Duration // to put into far
	beside, besideCPU time.Duration // to put into near
	costs             [2]cost
	cpu               time.Duration
	asked             []question
	laps              [3][]time.Duration
}

func (l *loader) folders(ctx context.Context, folders []string) error {
	for _, dir := range folders {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if l.chunks+l.held >= l.most {
				return fs.SkipAll
			}
			if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			l.file(path, b)
			if l.held < batchChunks {
				return nil
			}
			return l.flush(ctx)
		})
		if err != nil {
			return err
		}
	}
	return l.flush(ctx)
}

func (l *loader) file(path string, b []byte) {
	v := discover.Classify(path, b)
	if !v.Index || !v.Text || len(b) == 0 {
		return
	}
	sum := sha256.Sum256(b)
	d := &index.Doc{ID: l.next, Hash: corpus.Hash(sum[:16]), Document: corpus.Document{Path: path, Language: v.Language, Flags: v.Flags, Text: b}}
	l.next++
	found := syntax.Facts(path, v.Language, b)
	d.Chunks = chunk.Split(d.Document, found.Decls, chunk.Size)
	n := l.local.Dims()
	d.Embedder, d.Vectors = l.local.Name(), make([]float32, n*len(d.Chunks))
	for i, c := range d.Chunks {
		l.local.Vector(d.Vectors[i*n:(i+1)*n], b[c.Start:c.End])
		if l.r.Intn(50) == 0 {
			l.question(b[c.Start:c.End], d.Vectors[i*n:(i+1)*n])
		}
	}
	l.docs = append(l.docs, d)
	l.held += len(d.Chunks)
}

// question makes one of a few words of a text.
func (l *loader) question(b []byte, unit []float32) {
	var words []string
	text.Words(b, func(w []byte) { words = append(words, text.Code().Terms(nil, w)...) })
	slices.Sort(words)
	words = slices.Compact(words)
	l.r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	q := question{unit: slices.Clone(unit)}
	for _, w := range words[:min(len(words), 3+l.r.Intn(4))] {
		q.terms = append(q.terms, corpus.Term{Text: w, Weight: 1})
	}
	l.asked = append(l.asked, q)
}

func (l *loader) flush(ctx context.Context) error {
	if len(l.docs) == 0 {
		return nil
	}
	start, cpu := time.Now(), timed.CPU()
	if err := l.far.Change(ctx, index.Change{Put: l.docs}); err != nil {
		return err
	}
	l.took += time.Since(start)
	l.cpu += timed.CPU() - cpu
	l.chunks += l.held
	start, cpu = time.Now(), timed.CPU()
	defer func() { l.beside += time.Since(start); l.besideCPU += timed.CPU() - cpu }()
	b := index.NewBuilder()
	for _, d := range l.docs {
		b.Add(d)
	}
	l.docs, l.held = nil, 0
	built, err := l.near.Build(b)
	if err != nil {
		return err
	}
	w, err := l.near.TryLock()
	if err != nil {
		return err
	}
	defer w.Close()
	if err := w.Publish(ctx, index.Batch{Segments: []*index.Built{built}, NextDoc: l.next}); err != nil {
		return err
	}
	return w.Merge(ctx, 1<<40)
}

// collect removes what merges have left beside, as time does.
func (l *loader) collect(ctx context.Context) error {
	w, err := l.near.TryLock()
	if err != nil {
		return err
	}
	defer w.Close()
	return w.Collect(ctx, time.Now().AddDate(0, 0, 7))
}

// propose asks for what a search ranks, as engine.View does: by words and by meaning beside each other.
func (l *loader) propose(ctx context.Context, r *index.Snapshot, q question) (words, near []corpus.Candidate, err error) {
	var nearest time.Duration
	var nearErr error
	var second sync.WaitGroup
	start := time.Now()
	second.Go(func() {
		near, nearErr = r.Nearest(ctx, l.local.Name(), q.unit, proposed, nil)
		nearest = time.Since(start)
	})
	if _, _, err = r.DF(q.terms); err == nil {
		words, err = r.LexicalBeside(ctx, q.terms, proposed, perDoc, nil, 0)
	}
	lexical := time.Since(start)
	second.Wait()
	if err = errors.Join(err, nearErr); err != nil {
		return nil, nil, err
	}
	both := time.Since(start)
	err = r.FillCosine(l.local.Name(), q.unit, words)
	for i, took := range []time.Duration{lexical, nearest, time.Since(start) - both} {
		l.laps[i] = append(l.laps[i], took)
	}
	return words, near, err
}

// spread says how long something took, and its parts: words, the nearest, cosines.
func (l *loader) spread(what string, d []time.Duration) {
	fmt.Printf("%-10s p50 %s, p90 %s, p99 %s; p50 of words %s and beside them of the nearest %s, then of the cosines of the former %s\n", what, at(d, 50), at(d, 90), at(d, 99), at(l.laps[0], 50), at(l.laps[1], 50), at(l.laps[2], 50))
	clear(l.laps[:])
}

// An answer is a chunk in either index.
type answer struct {
	name string
	hash corpus.Hash
}

// said is what an index proposed.
type said struct{ words, near []answer }

func saying(r *index.Snapshot, words, near []corpus.Candidate, err error) (s said, _ error) {
	for i, cands := range [][]corpus.Candidate{words, near} {
		refs := make([]corpus.Ref, len(cands))
		for i, c := range cands {
			refs[i] = c.Ref
		}
		found, also := r.Describe(refs)
		err = errors.Join(err, also)
		for _, f := range found {
			a := answer{fmt.Sprint(f.Doc.Path, " ", f.Start), f.Hash}
			if i == 0 {
				s.words = append(s.words, a)
			} else {
				s.near = append(s.near, a)
			}
		}
	}
	return s, err
}

func (l *loader) ask(ctx context.Context, server string, n int) error {
	l.r.Shuffle(len(l.asked), func(i, j int) { l.asked[i], l.asked[j] = l.asked[j], l.asked[i] })
	l.asked = l.asked[:min(n, len(l.asked))]
	var far, near []time.Duration
	var farSaid, nearSaid []said
	cpu, spent := timed.CPU(), cpuOf(server)
	for _, q := range l.asked {
		begin := time.Now()
		r, err := l.far.Current(ctx)
		if err != nil {
			return err
		}
		w, v, err := l.propose(ctx, r, q)
		far = append(far, time.Since(begin))
		s, err := saying(r, w, v, err)
		if err != nil {
			return err
		}
		farSaid = append(farSaid, s)
	}
	fmt.Printf("questions  %d, of %d candidates by words and as many by meaning (%.1f ms of this process each)\n", len(l.asked), proposed, (timed.CPU()-cpu).Seconds()*1000/float64(max(1, len(l.asked))))
	l.spread("server", far)
	each := 1000 / float64(max(1, len(l.asked)))
	l.costs[0].p50, l.costs[0].p99, l.costs[0].ask = ms(far, 50), ms(far, 99), each*(cpuOf(server)-spent+(timed.CPU()-cpu).Seconds())
	cpu = timed.CPU()
	for _, q := range l.asked {
		begin := time.Now()
		p, err := l.near.Snapshot(ctx)
		if err != nil {
			return err
		}
		w, v, err := l.propose(ctx, p, q)
		near = append(near, time.Since(begin))
		s, err := saying(p, w, v, err)
		if err != nil {
			return err
		}
		nearSaid = append(nearSaid, s)
	}
	l.spread("folder", near)
	l.costs[1].p50, l.costs[1].p99, l.costs[1].ask = ms(near, 50), ms(near, 99), each*(timed.CPU()-cpu).Seconds()
	var wordsSame, first, firstSame, all, allSame int
	for i, f := range farSaid {
		if slices.Equal(f.words, nearSaid[i].words) {
			wordsSame++
		}
		for k, x := range nearSaid[i].near {
			// Of copies of a text, any is as near.
			same := slices.ContainsFunc(f.near, func(y answer) bool { return y.name == x.name || y.hash == x.hash })
			count(&all, &allSame, same)
			if k < 10 {
				count(&first, &firstSame, same)
			}
		}
	}
	fmt.Printf("the same   by words all %d in order in %d of %d questions; by meaning %.4f of the first 10, %.4f of all %d\n",
		proposed, wordsSame, len(l.asked), float64(firstSame)/float64(max(first, 1)), float64(allSame)/float64(max(all, 1)), proposed)
	return nil
}

func count(all, same *int, is bool) {
	*all++
	if is {
		*same++
	}
}

// at returns a percentile.
func at(d []time.Duration, percent int) time.Duration {
	slices.Sort(d)
	if len(d) == 0 {
		return 0
	}
	return d[min(len(d)-1, len(d)*percent/100)].Round(10 * time.Microsecond)
}
