// Package sorting sorts without the code that slices.SortFunc and slices.SortStableFunc
// are compiled to for every type: some 20 kB each, of which the program had over a
// hundred. It sorts the numbers of the elements, which is the same code for all, and
// moves each element once. slices.SortFunc is faster for millions of small elements,
// because it needs no memory.
package sorting

// Stable sorts s by cmp, and keeps the order of equal elements.
func Stable[S ~[]E, E any](s S, cmp func(a, b E) int) {
	p := sorted(len(s), func(i, j int32) bool { return cmp(s[i], s[j]) <= 0 })
	if p == nil {
		return
	}
	out := make(S, len(s))
	for i, at := range p {
		out[i] = s[at]
	}
	copy(s, out)
}

// few elements are sorted by insertion, which is as fast as a merge there.
const few = 8

// sorted returns the indexes 0 to n in the order of their elements, or nil if the elements are in order. before reports
// whether the first element may stand before the second.
func sorted(n int, before func(i, j int32) bool) []int32 {
	i := 1
	for ; i < n && before(int32(i-1), int32(i)); i++ {
	}
	if i >= n {
		return nil
	}
	p, room := make([]int32, n), make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
	for from := 0; from < n; from += few {
		part := p[from:min(from+few, n)]
		for i := 1; i < len(part); i++ {
			for k := i; k > 0 && !before(part[k-1], part[k]); k-- {
				part[k-1], part[k] = part[k], part[k-1]
			}
		}
	}
	for width := few; width < n; width *= 2 {
		for from := 0; from < n; from += 2 * width {
			merge(room[from:min(from+2*width, n)], p[from:min(from+width, n)], p[min(from+width, n):min(from+2*width, n)], before)
		}
		p, room = room, p
	}
	return p
}

// merge merges the sorted a and b into dst.
func merge(dst, a, b []int32, before func(i, j int32) bool) {
	if len(b) == 0 || before(a[len(a)-1], b[0]) {
		copy(dst[copy(dst, a):], b)
		return
	}
	for len(a) > 0 && len(b) > 0 {
		if before(a[0], b[0]) {
			dst[0], a = a[0], a[1:]
		} else {
			dst[0], b = b[0], b[1:]
		}
		dst = dst[1:]
	}
	copy(dst[copy(dst, a):], b)
}
