package python

import (
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// partial returns the bracket of functools.partial(f, …) at token i, 0 where it is none: what it gives
// is called as f is. So it does for copy.copy(x) and copy.deepcopy(x), which have the members of x.
func (f *file) partial(i int) int {
	if f.Is(i, "copy") && f.Sign(i+1, '.') && (f.Is(i+2, "copy") || f.Is(i+2, "deepcopy")) && f.Sign(i+3, '(') {
		return i + 3
	}
	if f.Is(i, "deepcopy") && f.Sign(i+1, '(') {
		return i + 1
	}
	if f.Is(i, "functools") && f.Sign(i+1, '.') {
		i += 2
	}
	if f.Is(i, "partial") && f.Sign(i+1, '(') {
		return i + 1
	}
	return 0
}

// display binds what is in the list, the tuple, the set or the dict that bracket i writes out, and
// returns by which name: "@" and its offset; "" where nothing in it is a chain. An element is bound
// as "@7[]", its key, where that is a constant, as the type "=key".
func (f *file) display(i int) string {
	name := "@" + strconv.Itoa(f.At(i))
	if filled, ok := f.shown[i]; ok {
		if !filled {
			return ""
		}
		return name
	}
	if f.shown == nil {
		f.shown = map[int]bool{}
	}
	f.shown[i] = false
	before, dict, n := len(f.Out.Bindings), f.Is(i, "{"), 0
	stop := min(f.Pair(i), len(f.Toks))
	for from := i + 1; from < stop && n < maxItems; n++ {
		to, colon, loop := from, 0, 0
		for ; to < stop && !f.Sign(to, ','); to = f.past(to) {
			if dict && colon == 0 && f.Sign(to, ':') {
				colon = to
			} else if loop == 0 && (f.Toks[to].Key == scan.KFor || f.Toks[to].Key == scan.KAsync) {
				loop = to
			}
		}
		if to == stop && n == 0 && f.Is(i, "(") {
			return "" // parentheses only, or a generator
		}
		begin, over, key := from, to, ""
		switch {
		case loop > 0:
			over = loop
		case colon > 0:
			key = f.constant(from, colon)
		case !dict:
			key = "=" + strconv.Itoa(n)
		}
		if colon > 0 {
			begin = colon + 1
		}
		if f.Is(begin, "**") || f.Sign(begin, '*') {
			begin, key = begin+1, "=*"
		}
		if v := f.value(begin, over); v != "" {
			f.BindAs(name+"[]", key, v, f.At(begin), 0)
		}
		if loop > 0 {
			break
		}
		from = to + 1
	}
	f.shown[i] = len(f.Out.Bindings) > before
	if !f.shown[i] {
		return ""
	}
	return name
}

// constant returns the tokens from i up to end as a key: "=" and a number, or a text that may stand in
// a chain; "" for what else there is.
func (f *file) constant(i, end int) string {
	if i+1 != end || f.Kind(i) != scan.Text && f.Kind(i) != scan.Number {
		return ""
	}
	b := f.Bytes(i)
	if f.Kind(i) == scan.Text {
		if len(b) < 3 || b[0] != b[len(b)-1] {
			return ""
		}
		b = b[1 : len(b)-1]
	}
	for _, c := range b {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return ""
		}
	}
	return "=" + string(b)
}

// subscript returns what stands in the bracket at token i: a constant key, ":" for a slice, or nothing.
func (f *file) subscript(i int) string {
	end := f.Pair(i)
	for k := i + 1; k < end && k < len(f.Toks); k = f.past(k) {
		if f.Sign(k, ':') {
			return ":" + strings.TrimPrefix(f.constant(i+1, k), "=")
		}
	}
	return f.constant(i+1, end)
}

// starred binds the name of a starred target to a list of values.
func (f *file) starred(t [2]int, values [][2]int) {
	t[0]++
	n := f.target(t[0], t[1])
	if n == "" {
		return
	}
	f.BindAs(n, "", "", f.At(t[0]), 0)
	for k, v := range values {
		if c := f.value(v[0], v[1]); c != "" {
			f.BindAs(n+"[]", "="+strconv.Itoa(k), c, f.At(v[0]), 0)
		}
	}
}

// container cuts the target from token i up to end into what has elements and the key of one.
func (f *file) container(i, end int) (of, key string, ok bool) {
	if end-1 <= i || f.Kind(end-1) != scan.Close || f.Src[f.At(end-1)] != ']' || f.Pair(end-1) <= i {
		return "", "", false
	}
	open := f.Pair(end - 1)
	if of = f.value(i, open); of == "" {
		return "", "", false
	}
	if key = f.subscript(open); strings.HasPrefix(key, ":") {
		key = "=*"
	}
	return of, key, true
}
