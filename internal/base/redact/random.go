package redact

import (
	"bytes"
	"math"
)

// placeholder reports whether a value shows where a secret goes.
func placeholder(v []byte) bool {
	low := bytes.ToLower(v)
	for _, w := range [...]string{"example", "changeme", "change_me", "change-me", "placeholder", "your_", "your-", "yourpass", "yourkey", "yourtoken", "yoursecret", "xxxx", "****", "dummy", "insert", "replace", "<", "todo"} {
		if bytes.Contains(low, []byte(w)) {
			return true
		}
	}
	return !isVaried(v)
}

// isMixed reports whether a password has other characters than letters.
func isMixed(v []byte) bool {
	letters, others := 0, 0
	for _, c := range v {
		switch {
		case letter(c):
			letters++
		case !parts(c):
			others++
		}
	}
	return letters > 0 && others > 0 || others >= 8 || random(v, true)
}

// random reports whether nobody would choose v for its meaning: it is as varied
// as chance makes it and not made of words. Strict asks for more, where nothing
// but the value speaks for a secret.
func random(v []byte, strict bool) bool {
	if len(v) >= 16 && shuffled(v) {
		return true
	}
	least := 2.5
	if strict {
		least = 2.75
	}
	if entropy(v) < least {
		return false
	}
	letters, breaks, spoken := 0, 0, 0.0
	for i := 0; i < len(v); {
		if !letter(v[i]) {
			j := i + 1
			for j < len(v) && digit(v[i]) && digit(v[j]) {
				j++ // a number counts once, however long
			}
			if digit(v[i]) || !parts(v[i]) {
				breaks++
			}
			i = j
			continue
		}
		j := i + 1
		for j < len(v) && letter(v[j]) && !(lower(v[j-1]) && !lower(v[j])) && !(j+1 < len(v) && !lower(v[j]) && lower(v[j+1]) && letter(v[j+1])) {
			j++
		}
		letters += j - i
		switch {
		case j-i < 3: // it may be a word
			spoken += float64(j-i) / 2
		case speakable(v[i:j]):
			spoken += float64(j - i)
		}
		i = j
	}
	if letters == 0 {
		return !strict && len(v) >= 12
	}
	if breaks == 0 && len(v) < 16 {
		return false
	}
	return spoken < .65*float64(letters+breaks)
}

// shuffled reports whether small letters, capitals and digits of a value follow each other
// as chance would have it: in names they come in runs.
func shuffled(v []byte) bool {
	kind := func(c byte) int {
		switch {
		case digit(c):
			return 1
		case lower(c):
			return 2
		case letter(c):
			return 3
		}
		return 0
	}
	changes, n, last, digits := 0, 0, 0, 0
	for i, c := range v {
		k := kind(c)
		if k == 1 {
			digits++
		}
		// The capital of a word in a name changes twice: it counts once.
		if k == 0 || last == 3 && k == 2 && (i < 2 || kind(v[i-2]) != 3) {
			last = k
			continue
		}
		if last != 0 {
			n++
			if k != last {
				changes++
			}
		}
		last = k
	}
	least := 3 // a third: a short name may have a number in it
	if len(v) >= 24 {
		least = 4
	}
	return n >= 10 && digits > 0 && digits*10 < len(v)*9 && changes*least >= n
}

// parts reports whether c parts words in names.
func parts(c byte) bool { return c == '_' || c == '-' || c == '.' || c == '/' || c == ':' }

func lower(c byte) bool { return 'a' <= c && c <= 'z' }

// speakable reports whether letters alternate as they do in words.
func speakable(s []byte) bool {
	vowels, since, longest := 0, 0, 0
	for _, c := range s {
		switch c | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
			since = 0
		default:
			since++
			longest = max(longest, since)
		}
	}
	return vowels*4 >= len(s) && longest <= 4
}

// entropy returns how many bits a byte of v carries, by v's own frequencies.
func entropy(v []byte) float64 {
	var n [256]int
	for _, c := range v {
		n[c]++
	}
	e := 0.0
	for _, k := range n {
		if k > 0 {
			p := float64(k) / float64(len(v))
			e -= p * math.Log2(p)
		}
	}
	return e
}
