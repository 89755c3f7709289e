package text

// Nearest returns the name that is at most two edits and a third of its length away
// from a word, or "".
func Nearest(word string, names []string) string {
	best, least := "", 3
	for _, n := range names {
		if d := Distance(word, n); d < least && 3*d <= max(len(n), 3) {
			best, least = n, d
		}
	}
	return best
}

// Distance is the number of bytes to add, drop, change or swap with the next, to make one
// word of the other (optimal string alignment; Damerau 1964). It is quadratic.
func Distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
