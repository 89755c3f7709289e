package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
)

// Which words the modules of a large folder have is kept in a file: a question then
// asks the folder what has changed and reads that alone. The file is written whole,
// and what is not as it was written counts as nothing.
type kept struct {
	path    string
	had     *index
	place   map[string]int // of a module in had
	tallies []tally        // of the modules in had, for one question

	mu    sync.Mutex
	fresh map[string]*keptModule
	seen  int // of had
}

// A state is what a file was at one time.
type state struct {
	kind          os.FileMode // the type bits
	size, changed int64       // bytes; Unix nanoseconds of the last change, of whatever kind
}

// A keptModule is the words that a file had in this state, by their stems.
type keptModule struct {
	state
	length int // in words
	terms  map[string]counts
}

// counts are how often a word is in each field.
type counts [numFields]uint32

// settled is how long ago a file must have been changed to be kept: within the clock's
// tick it could change again and look the same.
const settled = 2 * time.Second

// recall returns what is kept of a folder in the folder cache, as far as a question is
// concerned: nil, if nothing is and nothing can be.
func recall(cache, dir string, q *question) *kept {
	sum := sha256.Sum256([]byte(dir))
	k := &kept{path: filepath.Join(cache, hex.EncodeToString(sum[:12])+".modules"), fresh: map[string]*keptModule{}, had: &index{}}
	if info, err := os.Stat(k.path); err != nil || info.Size() > mostKept {
		if !writable(cache) {
			return nil // to prepare what is to be kept would be in vain
		}
		return k
	}
	if data, err := safe.ReadNamed(k.path, mostKept); err == nil {
		k.had = decodeIndex(data)
	}
	k.place = make(map[string]int, len(k.had.modules))
	k.tallies = make([]tally, len(k.had.modules))
	w := weights()
	for i, m := range k.had.modules {
		k.place[m.name] = i
		k.tallies[i].length = m.length
		for f := range numFields {
			k.tallies[i].fields[f].Weight = w[f]
		}
	}
	for _, t := range k.had.terms {
		if !q.stems[t.stem] {
			continue
		}
		k.had.each(t, func(module int, n counts) {
			for f := range numFields {
				for range n[f] {
					words := &k.tallies[module].fields[f].Words
					*words = append(*words, t.stem)
				}
			}
		})
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
func (k *kept) get(name string, now state) (*tally, bool) {
	i, ok := k.place[name]
	if !ok || k.had.modules[i].state != now {
		return nil, false
	}
	k.mu.Lock()
	k.seen++
	k.mu.Unlock()
	return &k.tallies[i], true
}

// put keeps the words of a file that was read. stems are those of words that were seen.
func (k *kept) put(name string, now state, f Fields, stems map[string]string) {
	if time.Since(time.Unix(0, now.changed)) < settled {
		return
	}
	m := &keptModule{state: now, terms: map[string]counts{}}
	for i, said := range f.each() {
		m.length += eachWord(said, &anyStart, func(word []byte) {
			stem, ok := stems[string(word)]
			if !ok {
				stem = text.Porter(string(word))
				stems[string(word)] = stem
			}
			n := m.terms[stem]
			n[i]++
			m.terms[stem] = n
		})
	}
	k.mu.Lock()
	k.fresh[name] = m
	k.mu.Unlock()
}

// save writes what there is now, of which here are the names, if it is not what there
// was. What cannot be written is read again the next time.
func (k *kept) save(here map[string]bool) {
	if len(k.fresh) == 0 && k.seen == len(k.had.modules) {
		return
	}
	old := make([]*keptModule, len(k.had.modules))
	for i, m := range k.had.modules {
		if k.fresh[m.name] == nil && here[m.name] {
			old[i] = &keptModule{m.state, m.length, map[string]counts{}}
			k.fresh[m.name] = old[i]
		}
	}
	for _, t := range k.had.terms {
		k.had.each(t, func(module int, n counts) {
			if old[module] != nil {
				old[module].terms[t.stem] = n
			}
		})
	}
	_ = safe.Replace(k.path, encodeIndex(k.fresh), 0o600)
}

// An index is what a file of kept words holds.
type index struct {
	modules []indexed
	terms   []indexedTerm // by stem
}

type indexed struct {
	state
	name   string
	length int
}

type indexedTerm struct{ stem, postings string }

const (
	// keptForm changes with what Fields are made of, with how words are cut and stemmed,
	// and with the form itself.
	keptForm = "assay modules 1\n"
	mostKept = 64 << 20 // bytes
	// mostOften bounds how often a word counts in a field.
	mostOften = 1 << 16
)

func encodeIndex(all map[string]*keptModule) []byte {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	b := binary.AppendUvarint([]byte(keptForm), uint64(len(names)))
	add := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	terms := map[string][]byte{}
	last := map[string]int{} // module of a term, from 1
	for i, name := range names {
		m := all[name]
		add(name)
		b = binary.AppendUvarint(binary.AppendVarint(binary.AppendVarint(b, m.size), m.changed), uint64(m.length))
		for stem, n := range m.terms {
			p := binary.AppendUvarint(terms[stem], uint64(i+1-last[stem]))
			last[stem] = i + 1
			for _, c := range n {
				p = binary.AppendUvarint(p, uint64(c))
			}
			terms[stem] = p
		}
	}
	stems := make([]string, 0, len(terms))
	for stem := range terms {
		stems = append(stems, stem)
	}
	slices.Sort(stems)
	b = binary.AppendUvarint(b, uint64(len(stems)))
	for _, stem := range stems {
		add(stem)
		add(unsafe.String(unsafe.SliceData(terms[stem]), len(terms[stem])))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli()))
}

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// decodeIndex returns an empty index for what encodeIndex did not write. The strings
// are parts of data, which nobody writes to.
func decodeIndex(data []byte) *index {
	n := len(data) - 4
	if n < len(keptForm) || string(data[:len(keptForm)]) != keptForm || crc32.Checksum(data[:n], castagnoli()) != binary.LittleEndian.Uint32(data[n:]) {
		return &index{}
	}
	r := reader{unsafe.String(unsafe.SliceData(data), n)[len(keptForm):], true}
	x := &index{}
	for range r.count() {
		m := indexed{name: r.text()}
		m.size, m.changed, m.length = r.signed(), r.signed(), int(r.number())
		x.modules = append(x.modules, m)
	}
	for range r.count() {
		x.terms = append(x.terms, indexedTerm{r.text(), r.text()})
	}
	if !r.ok || r.rest != "" {
		return &index{}
	}
	return x
}

// each calls yield with the modules that have a term, and stops at what is unsound.
func (x *index) each(t indexedTerm, yield func(module int, n counts)) {
	r := reader{t.postings, true}
	for at := uint64(0); r.rest != ""; {
		step := r.number()
		at += step
		var n counts
		for f := range n {
			n[f] = uint32(min(r.number(), mostOften))
		}
		if !r.ok || step == 0 || at > uint64(len(x.modules)) {
			return
		}
		yield(int(at-1), n)
	}
}

// A reader takes numbers and texts off a string, while it is ok.
type reader struct {
	rest string
	ok   bool
}

func (r *reader) number() (v uint64) {
	for shift := 0; shift < 64 && r.rest != ""; shift += 7 {
		c := r.rest[0]
		r.rest = r.rest[1:]
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	r.ok, r.rest = false, ""
	return 0
}

func (r *reader) signed() int64 {
	u := r.number()
	return int64(u>>1) ^ -int64(u&1)
}

// count returns a number of things, each of which takes a byte at least.
func (r *reader) count() int {
	if n := r.number(); n <= uint64(len(r.rest)) {
		return int(n)
	}
	r.ok, r.rest = false, ""
	return 0
}

func (r *reader) text() string {
	n := r.count()
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}
