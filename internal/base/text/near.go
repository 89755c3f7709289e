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

// Distance is the number of characters to add, drop, change or swap with the next, to make
// one word of the other (optimal string alignment; Damerau 1964). It is quadratic.
func Distance(a, b string) int { return DistanceWithin(a, b, len(a)+len(b)) }

// DistanceWithin is Distance, or more than limit where that is more.
func DistanceWithin(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return limit + 1
	}
	n := len(y) + 1
	var few [3 * 48]int // as most words have
	rows := few[:]
	if 3*n > len(few) {
		rows = make([]int, 3*n)
	}
	before, last, now := rows[:n], rows[n:2*n], rows[2*n:3*n]
	for j := range last {
		last[j] = j
	}
	least := 0 // of the row before
	for i := range x {
		now[0] = i + 1
		lowest := now[0]
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			now[j+1] = min(last[j+1]+1, now[j]+1, last[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
			lowest = min(lowest, now[j+1])
		}
		if lowest > limit && least > limit {
			return limit + 1 // the next row is computed from these two rows
		}
		before, last, now, least = last, now, before, lowest
	}
	return last[n-1]
}
