package main

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

const (
	buckets      = 64
	sameQuery    = 2    // pairs with one query
	packagePart  = 0.04 // of the code pairs, at most from one package
	languagePart = 0.15
	codeMost     = 1_250_000 // pairs of code
	proseMost    = 450_000   // pairs of documents
	glossMost    = 220_000   // pairs of dictionaries
	othersMost   = 8_000     // pairs of a language that is not wanted
)

// wanted is the languages that the model is for.
var wanted = []string{
	"go", "python", "javascript", "typescript", "java", "kotlin", "scala", "c", "cpp", "csharp", "rust", "ruby", "php", "swift", "objc",
	"lua", "bash", "elixir", "erlang", "haskell", "zig",
}

// mark is what is remembered of a pair while all are being collected.
type mark struct {
	id, text, query uint64 // hashes
	group           uint64
	kind, lang      uint8
	pkg             uint16
}

// A collector takes pairs from several packages at a time. What it keeps in the
// end does not depend on the order in which they came.
type collector struct {
	mu                 sync.Mutex
	dir                string
	out                []*zstd.Encoder
	files              []*os.File
	found              []mark
	kinds, langs, pkgs table
	err                error
}

// A table gives names small numbers.
type table struct {
	names []string
	index map[string]int
}

func (t *table) number(name string) int {
	if n, ok := t.index[name]; ok {
		return n
	}
	if t.index == nil {
		t.index = map[string]int{}
	}
	t.index[name] = len(t.names)
	t.names = append(t.names, name)
	return len(t.names) - 1
}

func newCollector(dir string) (*collector, error) {
	c := &collector{dir: dir}
	for i := range buckets {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%02d", i)))
		if err != nil {
			return nil, err
		}
		c.files = append(c.files, f)
		z, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<17))
		if err != nil {
			return nil, err
		}
		c.out = append(c.out, z)
	}
	return c, nil
}

// sum returns a hash of texts, the same on every run (FNV-1a, then mixed as in
// MurmurHash3, because FNV leaves the high bits poor).
func sum(parts ...string) uint64 {
	x := uint64(14695981039346656037)
	for _, p := range parts {
		for i := range len(p) {
			x = (x ^ uint64(p[i])) * 1099511628211
		}
		x *= 1099511628211
	}
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// short is the kinds whose texts are so short that the same one with another
// query says something new.
var short = []string{"gloss", "synonym"}

// add returns what takes the pairs of a package.
func (c *collector) add(r record) func(pair) {
	return func(p pair) {
		p.query, p.text = squeeze(p.query, maxQuery), squeeze(p.text, maxText)
		if p.query == "" || p.text == "" {
			return
		}
		line := p.kind + "\t" + p.lang + "\t" + squeeze(p.group, maxQuery) + "\t" + p.query + "\t" + p.text + "\n"
		m := mark{id: sum("1", p.kind, p.query, p.text), text: sum(letters(p.text)), query: sum(strings.ToLower(p.query)), group: sum(p.group)}
		if slices.Contains(short, p.kind) {
			m.text = sum(p.query, p.text)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		m.kind, m.lang, m.pkg = uint8(c.kinds.number(p.kind)), uint8(c.langs.number(p.lang)), uint16(c.pkgs.number(r.Kind+"/"+r.Name))
		if _, err := io.WriteString(c.out[m.id>>58], line); err != nil && c.err == nil {
			c.err = err
		}
		c.found = append(c.found, m)
	}
}

func (c *collector) flush() error {
	for _, w := range c.out {
		if err := w.Close(); err != nil && c.err == nil {
			c.err = err
		}
	}
	return c.err
}

// letters returns what of a text tells it from others.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

const rules = "-=*#_~/+.%<>^"

// squeeze makes white space single and cuts a text at a word.
func squeeze(s string, most int) string {
	s = strings.ToValidUTF8(s, "")
	last, run := rune(0), 0
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r != last {
			last, run = r, 0
		}
		// Of lines that are drawn with signs a bit is enough.
		if run++; unicode.IsControl(r) || run > 3 && strings.ContainsRune(rules, r) {
			return ' '
		}
		return r
	}, s)), " ")
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if i := strings.LastIndexByte(s[:cut], ' '); i > most/2 {
		cut = i
	}
	return s[:cut]
}

func codeKind(kind string) bool {
	return kind == "doc-code" || kind == "name-body" || kind == "path-file"
}

// choose returns the ids of the pairs to keep. No text comes twice, no query more
// than sameQuery times, no package and no language has more than its part of the
// code. What is left out of a package are whole groups, so that the rest keep
// their neighbours.
func (c *collector) choose() map[uint64]bool {
	slices.SortFunc(c.found, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.group, b.group))
	})
	texts, queries := map[uint64]bool{}, map[uint64]int{}
	var unique []mark
	for _, m := range c.found {
		if texts[m.text] || queries[m.query] >= sameQuery && c.kinds.names[m.kind] != "synonym" {
			continue
		}
		texts[m.text] = true
		queries[m.query]++
		unique = append(unique, m)
	}
	slices.SortFunc(unique, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.id, b.id))
	})
	unique = c.balance(unique)
	kept := make(map[uint64]bool, len(unique))
	for _, m := range unique {
		kept[m.id] = true
	}
	return kept
}

// balance keeps as many pairs as are wanted of code and of documents. Of each
// language it takes the same number, as far as there are so many, and inside a
// language the same number of each package: many projects teach more than much of
// one does.
func (c *collector) balance(all []mark) []mark {
	byLang := map[uint8][]mark{}
	var prose, gloss, out []mark
	for _, m := range all {
		switch kind := c.kinds.names[m.kind]; {
		case codeKind(kind):
			byLang[m.lang] = append(byLang[m.lang], m)
		case kind == "gloss":
			gloss = append(gloss, m)
		case kind == "synonym":
			out = append(out, m)
		default:
			prose = append(prose, m)
		}
	}
	sizes := map[uint8]int{}
	for l, ms := range byLang {
		sizes[l] = len(ms)
		if !slices.Contains(wanted, c.langs.names[l]) {
			sizes[l] = min(len(ms), othersMost)
		}
	}
	total := 0
	for _, n := range sizes {
		total += n
	}
	total = min(total, codeMost)
	most := min(level(sizes, total), max(2000, int(languagePart*float64(total))))
	for l, ms := range byLang {
		out = append(out, c.mix(ms, min(sizes[l], most), max(2000, int(packagePart*float64(total)*2/3)))...)
	}
	out = append(out, spread(gloss, glossMost, glossMost)...)
	return append(out, spread(prose, proseMost, proseMost/8)...)
}

// level returns the height to which all may be filled so that together they hold
// total.
func level[K comparable](sizes map[K]int, total int) int {
	low, high := 0, total
	for low < high {
		mid := (low + high + 1) / 2
		sum := 0
		for _, n := range sizes {
			sum += min(n, mid)
		}
		if sum <= total {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// spread takes n of the pairs, the same number from each package as far as there
// are so many, but never more than most. They come by group, so that what is left
// out are whole groups.
func spread(all []mark, n, most int) []mark {
	sizes := map[uint16]int{}
	for _, m := range all {
		sizes[m.pkg]++
	}
	each := min(level(sizes, n), most)
	taken := map[uint16]int{}
	var out []mark
	for _, m := range all {
		if taken[m.pkg] < each {
			taken[m.pkg]++
			out = append(out, m)
		}
	}
	return out
}

// mix takes n of the pairs of one language. Names and paths tell less than
// comments do: they make up what comments leave, or a part.
func (c *collector) mix(all []mark, n, most int) []mark {
	byKind := map[string][]mark{}
	for _, m := range all {
		kind := c.kinds.names[m.kind]
		byKind[kind] = append(byKind[kind], m)
	}
	docs, named, paths := byKind["doc-code"], byKind["name-body"], byKind["path-file"]
	path := min(len(paths), n/16)
	name := min(len(named), max((n-path)*35/100, n-path-len(docs)))
	out := spread(docs, n-path-name, most)
	out = append(out, spread(named, name, max(most/3, 500))...)
	return append(out, spread(paths, path, max(most/10, 100))...)
}

// write writes the kept pairs in the order of their ids.
func (c *collector) write(name string, kept map[uint64]bool) error {
	f, err := os.Create(name + ".part")
	if err != nil {
		return err
	}
	defer os.Remove(name + ".part")
	z, err := gzip.NewWriterLevel(f, 4)
	if err != nil {
		return err
	}
	for i := range buckets {
		if err := c.bucket(i, z, kept); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}

func (c *collector) bucket(i int, w io.Writer, kept map[uint64]bool) error {
	name := c.files[i].Name()
	c.files[i].Close()
	text, err := unzstd(name)
	if err != nil {
		return err
	}
	type line struct {
		id   uint64
		text string
	}
	var lines []line
	for l := range strings.Lines(string(text)) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), "\t", 5)
		if id := sum("1", f[0], f[3], f[4]); kept[id] {
			lines = append(lines, line{id, l})
		}
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.text, b.text))
	})
	for j, l := range lines {
		if j > 0 && lines[j-1].id == l.id {
			continue
		}
		if _, err := io.WriteString(w, l.text); err != nil {
			return err
		}
	}
	return os.Remove(name)
}

func unzstd(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(z)
}

// report prints how many pairs there are of each kind and language.
func (c *collector) report(w io.Writer, kept map[uint64]bool) error {
	counts := map[[2]string]int{}
	kinds, langs := map[string]int{}, map[string]int{}
	done := map[uint64]bool{}
	for _, m := range c.found {
		if !kept[m.id] || done[m.id] {
			continue
		}
		done[m.id] = true
		k, l := c.kinds.names[m.kind], c.langs.names[m.lang]
		counts[[2]string{k, l}]++
		kinds[k]++
		langs[l]++
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(w, "%-16s %8d\n", k, kinds[k])
	}
	fmt.Fprintf(w, "\n%-12s %9s %9s %9s %9s\n", "language", "all", "doc-code", "name-body", "path-file")
	for _, l := range slices.Sorted(maps.Keys(langs)) {
		fmt.Fprintf(w, "%-12s %9d %9d %9d %9d\n", l, langs[l], counts[[2]string{"doc-code", l}], counts[[2]string{"name-body", l}], counts[[2]string{"path-file", l}])
	}
	return nil
}
