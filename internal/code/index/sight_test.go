package index

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A look that was kept is read as it was, and said to be of the same state only of that; one
// that is damaged or of another index is none.
func TestSight(t *testing.T) {
	x, w := open(t)
	publish(t, w, newMaker(1).docs(1, 3, 2))
	first := snapshot(t, x).State
	if got, same := x.Sight(first); got != nil || same {
		t.Errorf("nothing was kept, and it is %q, %v", got, same)
	}
	x.KeepSight(first, []byte("two files"))
	if got, same := x.Sight(first); string(got) != "two files" || !same {
		t.Errorf("what was kept is %q, of the same state: %v", got, same)
	}
	publish(t, w, newMaker(2).docs(4, 3, 2))
	second := snapshot(t, x).State
	if got, same := x.Sight(second); string(got) != "two files" || same {
		t.Errorf("of another state: %q, %v", got, same)
	}
	for _, other := range []State{{Epoch: first.Epoch, Nonce: first.Nonce + 1}, {Epoch: first.Epoch + 1, Nonce: first.Nonce}} {
		if _, same := x.Sight(other); same {
			t.Errorf("%+v is taken for %+v", other, first)
		}
	}
	at := filepath.Join(x.dir, sightFile)
	whole, err := os.ReadFile(at)
	must(t, err)
	for i := range whole {
		flip := bytes.Clone(whole)
		flip[i] ^= 4
		for name, data := range map[string][]byte{"flipped": flip, "cut": whole[:i]} {
			must(t, os.WriteFile(at, data, 0o600))
			if got, same := x.Sight(first); got != nil || same {
				t.Fatalf("%s at byte %d: %q, %v", name, i, got, same)
			}
		}
	}
	must(t, os.WriteFile(at, whole, 0o600))
	y, _ := open(t)
	must(t, os.WriteFile(filepath.Join(y.dir, sightFile), whole, 0o600))
	if _, same := y.Sight(first); same {
		t.Error("a look of another index is taken for one of this")
	}
	// An index that may only be read keeps nothing, and one in memory has nothing.
	r, err := Open(t.Context(), x.dir, true)
	must(t, err)
	defer r.Close()
	r.KeepSight(first, []byte("of a reader"))
	if got, _ := r.Sight(first); string(got) != "two files" {
		t.Errorf("a reader has kept %q", got)
	}
	mem := Memory([16]byte{1})
	mem.KeepSight(first, []byte("nowhere"))
	if got, same := mem.Sight(first); got != nil || same {
		t.Errorf("in memory is kept %q, %v", got, same)
	}
}

// A builder says about how much memory it holds, so that it is written before that is too much.
func TestBuilderBytes(t *testing.T) {
	b := NewBuilder()
	empty := b.Bytes()
	m := newWriter(3)
	last, text := empty, 0
	for i := range 200 {
		d := m.doc(uint32(i+1), 6)
		b.Add(d)
		text += len(d.Text)
		if n := b.Bytes(); n < last {
			t.Fatalf("%d bytes with %d documents, %d before", n, i+1, last)
		} else {
			last = n
		}
	}
	var out bytes.Buffer
	size, _, err := b.WriteTo(&out, [16]byte{})
	must(t, err)
	if held := int64(last - empty); held < size/2 || held > 8*size {
		t.Errorf("%d bytes are held of a segment of %d", held, size)
	}
	// Each part counts: of what is added, of which there is much.
	for name, add := range map[string]func(d *Doc){
		"facts":   func(d *Doc) { d.Body = make([]byte, 1<<20) },
		"keys":    func(d *Doc) { d.Keys = make([]uint32, 1<<18) },
		"vectors": func(d *Doc) { d.Embedder, d.Vectors = "own", make([]float32, 1<<20) },
		"words": func(d *Doc) {
			var text []byte
			for i := range 40_000 {
				text = fmt.Appendf(text, "w%dx ", i*7919)
			}
			d.Text, d.Chunks[0].End = text, len(text)
		},
	} {
		b := NewBuilder()
		before := b.Bytes()
		d := text1("a.txt", "words\n")
		d.ID = 1
		add(d)
		b.Add(d)
		if grown := b.Bytes() - before; grown < 1<<20 || grown > 16<<20 {
			t.Errorf("%s: %d bytes more, want one to sixteen million", name, grown)
		}
	}
}
