package index

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A Backend is a corpus that several machines share. Builds with the tag team have two:
// Remote and Weaviate.
type Backend interface {
	ID() [16]byte
	// Current returns the last committed state. Its words and vectors stay where they are
	// and are asked for by questions; an error of those calls says that they could not be had.
	Current(ctx context.Context) (*Snapshot, error)
	// Change makes a change whole, and durable once it has returned nil.
	Change(ctx context.Context, c Change) error
	// Tidy merges what has become too many pieces.
	Tidy(ctx context.Context) error
	Close()
}

// A Change puts documents and deletes paths, in one commit. A document takes the place of
// the one at its path; one that is put and deleted is put. IDs are given by the Backend.
type Change struct {
	Put    []*Doc
	Delete []string
}

// A distant has the words and vectors of segments of which a snapshot has only the rest.
// Segments without a name, which are those of an overlay, have their own.
type distant interface {
	// postings returns those of terms: by term, then by segment of p.
	postings(ctx context.Context, p *Snapshot, terms []string) (map[string][]postings, error)
	nearest(ctx context.Context, p *Snapshot, embedder string, unit []float32, n int, f Filter) ([]corpus.Candidate, error)
	fillCosine(ctx context.Context, p *Snapshot, embedder string, unit []float32, cands []corpus.Candidate) error
	// embedded reports whether there are vectors by an embedder.
	embedded(embedder string) bool
}

// fetch reads the postings of terms that are not known yet, in one round trip.
func (p *Snapshot) fetch(ctx context.Context, terms []corpus.Term) error {
	if p.far == nil {
		return nil
	}
	var ask []string
	p.terms.mu.Lock()
	for _, t := range terms {
		if _, ok := p.terms.m[t.Text]; !ok && t.Match == corpus.Same && !slices.Contains(ask, t.Text) {
			ask = append(ask, t.Text)
		}
	}
	p.terms.mu.Unlock()
	if len(ask) == 0 {
		return nil
	}
	got, err := p.far.postings(ctx, p, ask)
	if err != nil {
		return err
	}
	return p.safely(func() {
		for _, t := range ask {
			p.learn(t, got[t])
		}
	})
}

// learn notes the postings of a term: those of distant segments, by segment, and those
// that the others have.
func (p *Snapshot) learn(t string, far []postings) known {
	k := known{found: make([]postings, len(p.segs))}
	copy(k.found, far)
	for i, s := range p.segs {
		if p.far == nil || s.Name == "" {
			k.found[i], _ = s.lookup(t)
		}
		if k.found[i].df > 0 {
			k.df += s.live(k.found[i])
		}
	}
	c := &p.terms
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil || len(c.m) >= cachedTerms {
		c.m = map[string]known{}
	}
	c.m[t] = k
	return k
}

// unreached is how a reader deep inside a question says that a distant segment could not
// be asked; safely makes it an error again.
type unreached struct{ error }

// Shared returns an index whose committed states are a backend's, beside what was last
// seen of the folders of the tree on this machine. It is for reading: changes are made by
// the backend.
func Shared(b Backend, seen map[string]Dir) *Index {
	return &Index{id: b.ID(), maps: map[string]*Segment{}, far: b, seen: seen}
}

// See notes what was seen of some folders; one without entries is gone. It returns all.
func (x *Index) See(dirs map[string]Dir) map[string]Dir {
	x.mu.Lock()
	defer x.mu.Unlock()
	all := make(map[string]Dir, len(x.seen))
	for _, m := range []map[string]Dir{x.seen, dirs} {
		for p, d := range m {
			if all[p] = d; len(d.Entries) == 0 {
				delete(all, p)
			}
		}
	}
	x.seen = all
	return all
}

// current returns the state of the backend, and the folders as they would be if that had
// been made of the files that were seen here. A file that this machine has not seen, or has
// seen with another text than is in the index, looks changed; one whose text is in the index
// is that document.
func (x *Index) current(ctx context.Context) (*Snapshot, map[string]Dir, error) {
	p, err := x.far.Current(ctx)
	if err != nil {
		return nil, nil, err
	}
	x.mu.Lock()
	seen := x.seen
	x.mu.Unlock()
	docs := map[string]DocInfo{}
	if err := p.Docs(func(d DocInfo) bool { docs[d.Path] = d; return true }); err != nil {
		return nil, nil, err
	}
	files := map[string][]Entry{}
	for dir, d := range seen {
		list := []Entry{}
		r := d.Read()
		for e := (Entry{}); r.Next(&e); {
			at := path.Join(dir, e.Name)
			doc, ok := docs[at]
			delete(docs, at)
			switch {
			case ok && doc.Hash == e.Hash:
				e.Doc = doc.ID
			case ok:
				e = Entry{Name: e.Name, Doc: doc.ID, Hash: doc.Hash}
			case e.Doc != 0:
				continue // it would have a document
			}
			list = append(list, e)
		}
		files[dir] = list
	}
	for at, doc := range docs {
		dir, name := path.Split(at)
		dir = strings.TrimSuffix(dir, "/")
		files[dir] = append(files[dir], Entry{Name: name, Doc: doc.ID, Hash: doc.Hash})
	}
	out := make(map[string]Dir, len(files))
	for dir, list := range files {
		sorting.Stable(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
		d := Dir{Seen: seen[dir].Seen, Entries: []byte{}}
		for i := range list {
			d.Entries = AppendEntry(d.Entries, &list[i])
		}
		out[dir] = d
	}
	return p, out, nil
}
