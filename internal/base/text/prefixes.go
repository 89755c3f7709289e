package text

// Prefixes has the first three letters of some terms. A stem begins like its word, except for a y that becomes an i, so that
// most words can be excluded without stemming them. For each first and second letter it has the possible third letters; bit
// 31 means any, as for a term that ends before.
type Prefixes [26][26]uint32

const anyLetter = 1 << 31

func (p *Prefixes) Add(term string) {
	first, ok := letter(term[0])
	if !ok {
		return // May knows
	}
	second, third := byte(26), byte(26)
	if len(term) > 1 {
		second, _ = letter(term[1])
	}
	if len(term) > 2 {
		third, _ = letter(term[2])
	}
	switch {
	case second == 26:
		for i := range p[first] {
			p[first][i] = anyLetter
		}
	case third == 26:
		p[first][second] |= anyLetter
	default:
		p[first][second] |= 1 << third
	}
}

// letter returns which letter c is, in any case, y as i; or 26 for another byte.
func letter(c byte) (n byte, ok bool) {
	switch c |= 0x20; {
	case c < 'a' || c > 'z':
		return 26, false
	case c == 'y':
		return 'i' - 'a', true
	}
	return c - 'a', true
}

// May reports whether the first term of a word may be one of those added.
func (p *Prefixes) May(word []byte) bool {
	if len(word) < 2 {
		return true
	}
	first, ok := letter(word[0])
	if !ok {
		return true
	}
	second, ok := letter(word[1])
	if !ok {
		return true
	}
	thirds := p[first][second]
	if thirds == 0 || thirds&anyLetter != 0 || len(word) == 2 {
		return thirds != 0
	}
	third, ok := letter(word[2])
	return !ok || thirds&(1<<third) != 0
}

// MayPart is May for any of the terms of a word, its parts among them.
func (p *Prefixes) MayPart(word []byte) bool {
	if p.May(word) {
		return true
	}
	last := class[word[0]]
	for i := 1; i < len(word); i++ {
		k := class[word[i]]
		if k == lower && last == lower {
			continue
		}
		if k == wide || k != under && (k == upper || k != last) && p.May(word[i:]) {
			return true
		}
		last = k
	}
	return false
}
