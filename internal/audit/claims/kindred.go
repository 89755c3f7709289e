package claims

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// Documents write many names, and each is compared with those of the program: these are laid out so
// that a question looks at few of them, and asked once.

// kindreds are the names of a program by what others may have in common with them.
type kindreds struct {
	written  shapes              // all names that the code has, folded
	declared shapes              // of those that the program declares
	ends     map[string][]string // of three words and more: by the first or the last word, and how many there are
	framed   map[string][]string // of three words and more: by the first and the last word
	inside   haystack            // folded ones
	names    []string            // those of inside, as they are declared

	misspelt, alike, framing map[string]bool // names that were asked for

	left, bytes int64           // how many comparisons may still be made, and how much of inside may be gone through
	cut         map[string]bool // names that were not compared for want of either
}

// spend takes comparisons with a list from what may still be made, and reports whether there was enough.
func (n *kindreds) spend(list []string) bool {
	n.left -= int64(len(list))
	return n.left >= 0
}

// mostSearched bounds how many bytes of the names of a program are gone through for those that others
// are inside of: a few seconds of the time of a processor.
const mostSearched = 8 << 30

// shapes are folded names by their first byte and their length.
type shapes map[shape][]string

type shape struct {
	first byte
	size  int
}

func (s shapes) add(folded string) {
	if folded != "" {
		at := shape{folded[0], len(folded)}
		s[at] = append(s[at], folded)
	}
}

// nearly reports whether a name is at most some edits away from one that begins as it does.
func (n *kindreds) nearly(s shapes, want string, far int) bool {
	for size := len(want) - far; size <= len(want)+far; size++ {
		list := s[shape{want[0], size}]
		if !n.spend(list) {
			return false
		}
		for _, other := range list {
			if text.DistanceWithin(want, other, far) <= far {
				return true
			}
		}
	}
	return false
}

// A haystack is many short texts in one: it is searched as one is.
type haystack struct {
	text   string
	starts []int32 // of each, with a line end before the next
}

func stack(all []string) haystack {
	h := haystack{starts: make([]int32, len(all))}
	n := 0
	for i, s := range all {
		h.starts[i] = int32(n)
		n += len(s) + 1
	}
	h.text = strings.Join(all, "\n") + "\n"
	return h
}

// with yields which texts have a piece, until yield returns false.
func (h *haystack) with(piece string, yield func(i int) bool) {
	for from := 0; ; {
		at := strings.Index(h.text[from:], piece)
		if at < 0 {
			return
		}
		i, ok := slices.BinarySearch(h.starts, int32(from+at))
		if !ok {
			i--
		}
		if !yield(i) || i+1 == len(h.starts) {
			return
		}
		from = int(h.starts[i+1])
	}
}

func (k *known) kindreds() *kindreds {
	if k.near != nil {
		return k.near
	}
	k.parse()
	n := &kindreds{written: shapes{}, declared: shapes{}, ends: map[string][]string{}, framed: map[string][]string{}, misspelt: map[string]bool{}, alike: map[string]bool{}, framing: map[string]bool{}, cut: map[string]bool{}, left: mostComparisons, bytes: mostSearched}
	for name := range k.fold {
		n.written.add(name)
	}
	var folded []string
	for name := range k.whole {
		n.names = append(n.names, name)
	}
	slices.Sort(n.names)
	for _, name := range n.names {
		f := fold2(name)
		folded = append(folded, f)
		if len(f) >= leastNear {
			n.declared.add(f)
		}
		if words := subwords(name); len(words) > 2 && len(f) >= leastNear {
			frame := words[0] + " " + words[len(words)-1]
			n.framed[frame] = append(n.framed[frame], name)
			for _, end := range ends(words) {
				n.ends[end] = append(n.ends[end], name)
			}
		}
	}
	n.inside = stack(folded)
	k.near = n
	return n
}

// leastNear is how many letters a name has to have so that another is nearly it.
const leastNear = 6

// ends are what a name of several words is filed under: if one of its words is another, one of both is
// the same.
func ends(words []string) [2]string {
	n := strconv.Itoa(len(words))
	return [2]string{words[0] + " " + n, n + " " + words[len(words)-1]}
}

// misspelt reports whether the program declares a name that is almost the same: then a document
// means it, and has it wrong or as it was before.
func (k *known) misspelt(name string) bool {
	n := k.kindreds()
	return n.judged(n.misspelt, name, &n.left, func() bool { return n.left >= 0 && n.misspells(k, name) })
}

func (n *kindreds) misspells(k *known, name string) bool {
	want, words := fold2(name), subwords(name)
	if len(want) < leastNear {
		return false
	}
	far := 1
	if len(want) >= 10 && len(words) > 1 {
		far = 2
	}
	if len(want) >= 16 && len(words) > 2 {
		far = 3
	}
	if len(words) > 2 {
		if n.nearly(n.written, want, far-1) {
			return true
		}
		for _, end := range ends(words) {
			if !n.spend(n.ends[end]) {
				return false
			}
			if slices.ContainsFunc(n.ends[end], func(declared string) bool {
				d := len(declared) - len(name)
				return d <= 12 && d >= -12 && fold2(declared)[0] == want[0] && abbreviated(words, subwords(declared))
			}) {
				return true
			}
		}
	}
	if k.whole["I"+name] && marked(name, "I"+name) || name[0] == 'I' && k.whole[name[1:]] && marked(name, name[1:]) && len(want) > leastNear {
		return true
	}
	return n.nearly(n.declared, want, far)
}

// between reports whether the program declares a name with one word more or one less, between the first
// and the last: documents leave one out, or keep one that is no more.
func (k *known) between(name string) bool {
	n := k.kindreds()
	return n.judged(n.framing, name, &n.left, func() bool { return n.frames(name) })
}

func (n *kindreds) frames(name string) bool {
	words := subwords(name)
	if len(words) < 3 {
		return false
	}
	list := n.framed[words[0]+" "+words[len(words)-1]]
	return n.spend(list) && slices.ContainsFunc(list, func(declared string) bool {
		long, short := subwords(declared), words
		if len(long) < len(short) {
			long, short = short, long
		}
		if len(long) != len(short)+1 || len(short) < 3 {
			return false
		}
		i := 0
		for i < len(short) && long[i] == short[i] {
			i++
		}
		return slices.Equal(long[i+1:], short[i:])
	})
}

// shortened reports whether a text may have shortened a name, or made several of it: what is called
// is not several.
func (k *known) shortened(n *named) bool {
	end := last(chainOf(n.name))
	return n.sort == codeName && (!n.called && k.several(end) || k.inner(end))
}

// several reports whether the code has a name but for its number.
func (k *known) several(name string) bool {
	for _, number := range []string{strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "es"), name + "s"} {
		if _, ok := k.fold[fold2(number)]; ok && number != name {
			return true
		}
	}
	return false
}

// inner reports whether the code has a name inside of a longer one.
func (k *known) inner(name string) bool {
	n := k.kindreds()
	return n.judged(n.alike, name, &n.bytes, func() bool { return n.resembles(name) })
}

// judged asks about a name once: documents repeat them. Left is what it takes from.
func (n *kindreds) judged(had map[string]bool, name string, left *int64, ask func() bool) bool {
	got, ok := had[name]
	if !ok {
		if got = ask(); *left < 0 {
			n.cut[name] = true
		}
		had[name] = got
	}
	return got
}

func (n *kindreds) resembles(name string) bool {
	words := subwords(name)
	if len(words) < 2 {
		return false
	}
	if n.bytes -= int64(len(n.inside.text)); n.bytes < 0 {
		return true // it may be: no ghost is made of what was not looked for
	}
	found := false
	n.inside.with(fold2(name), func(i int) bool {
		found = len(n.names[i]) > len(name) && within(subwords(n.names[i]), words)
		return !found
	})
	return found
}
