package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"maps"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
)

// What the modules of a large folder say is kept in a file, each module as its terms: a
// question then asks the folder what has changed and reads that alone. The file is
// written whole, and what is not as it was written counts as nothing.
type kept struct {
	path string
	had  map[string]record // by the name of the module's file

	mu    sync.Mutex
	fresh map[string]record
	seen  int // of had
}

// A state is what a file was at one time.
type state struct {
	kind          os.FileMode // the type bits
	size, changed int64       // bytes; Unix nanoseconds of the last change, of whatever kind
}

// A record is what a file said in this state.
type record struct {
	state
	length int // in words
	// Each term once: its length, the fields that it is in, a bit each, how often it is in
	// each of those, and the term. To skip one is an addition: there are a million.
	terms []byte
}

// settled is how long ago a file must have been changed to be kept: within the clock's
// tick it could change again and look the same.
const settled = 2 * time.Second

// recall returns what is kept of a folder in the folder cache: nil, if nothing is and
// nothing can be.
func recall(cache, dir string) *kept {
	sum := sha256.Sum256([]byte(dir))
	k := &kept{path: filepath.Join(cache, hex.EncodeToString(sum[:12])+".modules"), fresh: map[string]record{}}
	if info, err := os.Stat(k.path); err != nil || info.Size() > mostKept {
		if !writable(cache) {
			return nil // to prepare what is to be kept would be in vain
		}
		return k
	}
	if data, err := safe.ReadNamed(k.path, mostKept); err == nil {
		k.had = decode(data)
	}
	return k
}

func writable(dir string) bool {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	r, err := safe.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer r.Close()
	name := file.TemporaryName()
	f, err := r.Create(name, 0o600)
	if err != nil {
		return false
	}
	f.Close()
	return r.Remove(name) == nil
}

// get returns the tally of a file that is as it was.
func (k *kept) get(name string, now state, q *question) (*tally, bool) {
	r, ok := k.had[name]
	if !ok || r.state != now {
		return nil, false
	}
	k.mu.Lock()
	k.seen++
	k.mu.Unlock()
	t := q.none
	t.length = r.length
	for in := r.terms; len(in) > 2; {
		n, fields := int(in[0]), in[1]
		counts := in[2:]
		at := bits.OnesCount8(fields)
		if len(counts) < at+n {
			break
		}
		term := counts[at : at+n]
		in = counts[at+n:]
		if !q.lengths[n] || !q.begins.May(term) || !q.wanted[string(term)] {
			continue
		}
		word := string(term)
		for i := range t.fields {
			if fields>>i&1 != 0 {
				for range counts[0] {
					t.fields[i].Words = append(t.fields[i].Words, word)
				}
				counts = counts[1:]
			}
		}
	}
	return &t, true
}

// put keeps what a file says that was read. words remembers the terms of words.
func (k *kept) put(name string, now state, f Fields, words *text.Vocabulary[[]string]) {
	if time.Since(time.Unix(0, now.changed)) < settled {
		return
	}
	r := record{state: now}
	counts := map[string]*[numFields]byte{}
	var order []string
	whole := true
	for i, said := range f.each() {
		text.EachWord(said, func(word []byte) {
			if len(word) > 1 {
				r.length++
			}
			for _, t := range words.ResultFor(word) {
				n := counts[t]
				if n == nil {
					n = new([numFields]byte)
					counts[t], order = n, append(order, t)
				}
				whole = whole && n[i] < math.MaxUint8 && len(t) <= math.MaxUint8
				n[i]++
			}
		})
	}
	if !whole {
		return // it is read every time
	}
	for _, t := range order {
		at := len(r.terms) + 1
		r.terms = append(r.terms, byte(len(t)), 0)
		for i, n := range counts[t] {
			if n > 0 {
				r.terms[at] |= 1 << i
				r.terms = append(r.terms, n)
			}
		}
		r.terms = append(r.terms, t...)
	}
	k.mu.Lock()
	k.fresh[name] = r
	k.mu.Unlock()
}

// save writes what there is now, of which here are the names, if it is not what there
// was. What cannot be written is read again the next time.
func (k *kept) save(here map[string]bool) {
	if len(k.fresh) == 0 && k.seen == len(k.had) {
		return
	}
	for name, r := range k.had {
		if _, ok := k.fresh[name]; !ok && here[name] {
			k.fresh[name] = r
		}
	}
	_ = safe.Replace(k.path, encode(k.fresh), 0o600)
}

const (
	// keptForm changes with what Fields are made of, with how words become terms, and with
	// the form itself.
	keptForm = "assay modules 3\n"
	mostKept = 64 << 20 // bytes
)

func encode(all map[string]record) []byte {
	b := []byte(keptForm)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r := all[name]
		b = binary.AppendVarint(binary.AppendVarint(codec.AppendPacked(b, name), r.size), r.changed)
		b = codec.AppendPacked(binary.AppendUvarint(b, uint64(r.length)), r.terms)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli()))
}

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// decode returns nothing for what encode did not write. The terms are parts of data.
func decode(data []byte) map[string]record {
	n := len(data) - 4
	if n < len(keptForm) || string(data[:len(keptForm)]) != keptForm || crc32.Checksum(data[:n], castagnoli()) != binary.LittleEndian.Uint32(data[n:]) {
		return nil
	}
	all := map[string]record{}
	for in := (codec.PackedReader{Rest: data[len(keptForm):n]}); len(in.Rest) > 0 && !in.Bad; {
		name := in.Str()
		var r record
		r.size, r.changed, r.length = in.Signed(), in.Signed(), in.Int()
		r.terms = in.Bytes()
		all[name] = r
	}
	return all
}
