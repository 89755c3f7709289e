package engine

import (
	"bytes"
	"cmp"
	"context"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/regex"
)

// packFacts packs what a document's text says of its structure.
func packFacts(d *index.Doc, f *corpus.Facts) {
	f.Build = facts.Constraint(d.Language, d.Text)
	d.Head, d.Body = facts.Encode(f, func(decl *corpus.Decl) bool { return facts.Function(d.Language, decl) })
	d.Keys = facts.Keys(d.Language, f)
}

// Project returns the structure of the tree as the view sees it, for one goroutine
// until it calls release. What one question found out is there for the next, as
// long as the index stays as it is.
func (v *View) Project(ctx context.Context) (p *facts.Project, release func(), err error) {
	c := &v.e.structure
	c.mu.Lock()
	if c.p != nil && c.snap == v.Snap {
		p, c.p = c.p, nil
		c.mu.Unlock()
	} else {
		c.mu.Unlock()
		if p, err = v.project(ctx); err != nil {
			return nil, nil, err
		}
	}
	return p, func() {
		_, loaded := p.Loaded()
		c.mu.Lock()
		c.snap, c.p = v.Snap, p
		c.mu.Unlock()
		resolved.keep(c, loaded)
	}, nil
}

// mostLoaded is of how many bytes of text all trees together keep the facts for the next question. They
// take about four times as much.
const mostLoaded = 48 << 20

// A structure is the project that the last question was answered from, nil while
// one is.
type structure struct {
	mu   sync.Mutex
	snap *index.Snapshot
	p    *facts.Project

	loaded int  // as resolved knows it
	closed bool // what the last questions find out is kept for nobody; as resolved knows it
}

// resolved are the structures that keep facts.
var resolved keeper

// A keeper knows which structures keep facts, those that were not asked for longest first.
type keeper struct {
	mu  sync.Mutex
	all []*structure
	sum int
}

// forget has nothing more kept of a structure.
func (k *keeper) forget(c *structure) {
	k.mu.Lock()
	c.closed = true
	k.mu.Unlock()
	k.keep(c, 0)
}

// keep notes how much a structure keeps, and has others shed theirs where it is too much.
func (k *keeper) keep(c *structure, loaded int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c.closed {
		loaded = 0
	}
	if i := slices.Index(k.all, c); i >= 0 {
		k.all = slices.Delete(k.all, i, i+1)
	}
	k.sum, c.loaded = k.sum+loaded-c.loaded, loaded
	if loaded > 0 {
		k.all = append(k.all, c)
	}
	for k.sum > mostLoaded {
		old := k.all[0]
		k.all = k.all[1:]
		k.sum, old.loaded = k.sum-old.loaded, 0
		old.mu.Lock()
		if old.p != nil { // else a question has it, and says again what it keeps
			old.p.Shed()
		}
		old.mu.Unlock()
	}
}

func (v *View) project(ctx context.Context) (*facts.Project, error) {
	parts := make([]part, v.Snap.Segments())
	work.Each(ctx, len(parts), 1, func() func(int) {
		return func(i int) { parts[i] = v.part(ctx, i) }
	})
	const bits = 32 // of the number of a document in its part, below that of the part
	var order []int64
	src := &factSource{e: v.e, snap: v.Snap, byRef: make([][]int32, len(parts))}
	for k, p := range parts {
		if err := cmp.Or(p.err, ctx.Err()); err != nil {
			return nil, err
		}
		order = slices.Grow(order, len(p.docs))
		for i := range p.docs {
			order = append(order, int64(k)<<bits|int64(i))
		}
		src.byRef[k] = make([]int32, v.Snap.SegmentDocs(k))
	}
	// In order of paths, whatever segments the index has.
	doc := func(at int64) *facts.Doc { return &parts[at>>bits].docs[at&(1<<bits-1)] }
	sorting.Stable(order, func(a, b int64) int { return cmp.Compare(doc(a).Path, doc(b).Path) })
	src.docs, src.refs = make([]facts.Doc, len(order)), make([]index.DocRef, len(order))
	for i, at := range order {
		src.docs[i], src.refs[i] = *doc(at), parts[at>>bits].refs[at&(1<<bits-1)]
		src.byRef[src.refs[i].Segment][src.refs[i].Doc] = int32(i)
	}
	return facts.New(src.docs, src), nil
}

// A part is the documents of one segment.
type part struct {
	docs []facts.Doc
	refs []index.DocRef
	err  error
}

func (v *View) part(ctx context.Context, segment int) (p part) {
	const piece = 256 << 10
	n := v.Snap.SegmentDocs(segment)
	p.docs, p.refs = make([]facts.Doc, 0, n), make([]index.DocRef, 0, n)
	var heads []byte // in few pieces of memory: they are many and short
	p.err = v.Snap.Facts(segment, func(ref index.DocRef, info index.DocInfo, head []byte) bool {
		if len(heads)+len(head) > cap(heads) {
			heads = make([]byte, 0, max(piece, len(head)))
		}
		at := len(heads)
		heads = append(heads, head...)
		p.docs = append(p.docs, facts.Doc{Path: info.Path, Language: info.Language, Flags: info.Flags, Lines: info.Lines, Bytes: info.Size, Head: heads[at:len(heads):len(heads)]})
		p.refs = append(p.refs, ref)
		return ctx.Err() == nil
	})
	return p
}

type factSource struct {
	e     *Engine
	snap  *index.Snapshot
	docs  []facts.Doc
	refs  []index.DocRef
	byRef [][]int32 // by segment and document of that
}

func (s *factSource) Load(doc int) (f *corpus.Facts) {
	err := s.snap.FactsOf(s.refs[doc], func(head, body []byte) {
		f, _ = facts.Decode(head, body) // corrupt ones are as good as none; the index's check finds them
	})
	if err != nil {
		return nil
	}
	return f
}

func (s *factSource) Decls(doc int, wanted func(string) bool) (out []corpus.Decl) {
	err := s.snap.FactsOf(s.refs[doc], func(_, body []byte) {
		out, _ = facts.DecodeDecls(body, wanted)
	})
	if err != nil {
		return nil
	}
	return out
}

func (s *factSource) Keyed(keys ...uint32) (out []int) {
	err := s.snap.Keyed(keys, func(ref index.DocRef) { out = append(out, int(s.byRef[ref.Segment][ref.Doc])) })
	if err != nil {
		return nil
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mostWords is how many words the trigrams are asked about at once: of more, nearly every
// document has one.
const mostWords = 50

func (s *factSource) Mentioning(words ...string) (out []int) {
	quoted := slice.Map(words, regexp.QuoteMeta)
	p, err := regex.Compile(strings.Join(quoted, "|"), regex.Options{})
	if len(words) <= mostWords && err == nil {
		may := map[string]bool{}
		err = s.snap.Matching(context.Background(), p.Query(), func(d index.DocInfo) bool { may[d.Path] = true; return true })
		for i := range s.docs {
			if err == nil && may[s.docs[i].Path] {
				out = append(out, i)
			}
		}
		if err == nil {
			return out
		}
	}
	for i := range s.docs {
		out = append(out, i)
	}
	return out
}

func (s *factSource) Text(doc int, room []byte) []byte {
	raw, err := readFile(s.e.root, s.docs[doc].Path, discover.MaxFile, room)
	if err != nil {
		return nil
	}
	said, _ := text.Decode(raw)
	return said
}

// Text returns the text of a file as it is now.
func (v *View) Text(path string) (said []byte, ok bool) {
	said, _, err := readText(v.e.root, path, discover.MaxFile)
	return said, err == nil
}

// Lines returns the one-based lines that offsets of a file are on, 0 where the
// file cannot be read or is shorter.
func (v *View) Lines(path string, offsets []int) []int {
	out := make([]int, len(offsets))
	text, ok := v.Text(path)
	if !ok {
		return out
	}
	var starts []int
	for at := 0; at >= 0 && at <= len(text); {
		starts = append(starts, at)
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	for i, at := range offsets {
		if at <= len(text) {
			out[i] = sort.SearchInts(starts, at+1)
		}
	}
	return out
}
