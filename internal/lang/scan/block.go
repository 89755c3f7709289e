package scan

// Blocks are the brackets and the blocks under way in a text whose blocks begin and
// end with words.
type Blocks struct {
	*Source
	Open   []Opening
	Sound  bool // every block had its end so far
	loose  bool // brackets without an end are no fault
	column int  // of the line
}

// An Opening is a token that opens a bracket or a block.
type Opening struct {
	Tok     int
	Waits   bool // it is a loop whose do may come
	bracket bool
	column  int
}

// Match pairs the words that open a block with those that end it, as brackets are
// paired, and reports whether every block had its end. It calls each for every keyword,
// and for all that follows a loop whose do may come: each says Begin and End. With
// repair, indentation says where a block that has no end is over: before a line that
// begins with one of starts, or with end. With loose, brackets need no end.
func (s *Source) Match(repair, loose bool, starts *Keys, each func(b *Blocks, i int)) bool {
	b := Blocks{Source: s, Sound: true, loose: loose}
	for i := range s.Toks {
		t := &s.Toks[i]
		if repair && t.Line {
			b.line(i, starts)
		}
		if n := len(b.Open); t.Key != 0 || n > 0 && b.Open[n-1].Waits {
			each(&b, i)
		}
		switch t.Kind {
		case Open:
			b.Open = append(b.Open, Opening{Tok: i, column: b.column, bracket: true})
		case Close:
			b.close(i)
		}
	}
	b.fault(0)
	b.drop(0, len(s.Toks))
	return b.Sound
}

// Begin opens a block at token i.
func (b *Blocks) Begin(i int, waits bool) {
	b.Open = append(b.Open, Opening{Tok: i, column: b.column, Waits: waits})
}

// Innermost returns the index in Open of the innermost block; -1 where there is none.
func (b *Blocks) Innermost() int {
	n := len(b.Open) - 1
	for n >= 0 && b.Open[n].bracket {
		n--
	}
	return n
}

// End pairs the word at token i with the innermost block.
func (b *Blocks) End(i int) {
	t := &b.Toks[i]
	t.Pair = -1
	n := b.Innermost()
	if n < 0 {
		b.Sound = false
		return
	}
	b.fault(n + 1)
	b.drop(n+1, i)
	t.Pair = int32(b.Open[n].Tok)
	b.Toks[b.Open[n].Tok].Pair = int32(i)
	b.Open = b.Open[:n]
}

// fault notes that what is open beyond keep has no end.
func (b *Blocks) fault(keep int) {
	for _, o := range b.Open[keep:] {
		b.Sound = b.Sound && b.loose && o.bracket
	}
}

// drop lets what is open beyond keep end before a token.
func (b *Blocks) drop(keep, at int) {
	for _, o := range b.Open[keep:] {
		b.Toks[o.Tok].Pair = int32(at)
	}
	b.Open = b.Open[:keep]
}

func (b *Blocks) line(i int, starts *Keys) {
	b.column = b.Column(i)
	keep := len(b.Open)
	switch key := b.Toks[i].Key; {
	case key == KEnd:
		for keep > 0 && b.Open[keep-1].column > b.column {
			keep--
		}
		if keep == 0 || b.Open[keep-1].column != b.column {
			return
		}
	case starts.Has(key):
		for keep > 0 && b.Open[keep-1].column >= b.column {
			keep--
		}
	}
	b.drop(keep, i)
}

func (b *Blocks) close(i int) {
	p := int(b.Toks[i].Pair)
	if p < 0 {
		return
	}
	keep := len(b.Open)
	for keep > 0 && b.Open[keep-1].Tok > p {
		keep--
	}
	b.fault(keep)
	b.drop(keep, i)
	if keep > 0 && b.Open[keep-1].Tok == p {
		b.Open = b.Open[:keep-1]
	}
}

// Statement returns the token that the statement of token i ends before, where the
// lines that continued reports go on with the one before.
func (s *Source) Statement(i int, continued func(i int) bool) int {
	k := i
	for n := 0; n < 2000 && k < len(s.Toks); n++ {
		t := &s.Toks[k]
		if k > i && t.Line && !continued(k) || t.Kind == Close || t.Key == KEnd || s.Sign(k, ';') {
			break
		}
		k = s.Past(k)
	}
	return k
}

// Arguments returns the token behind the arguments without parentheses of the call at
// token i, where ends reports what an expression ends before.
func (s *Source) Arguments(i int, ends func(i int) bool) int {
	k := i + 1
	for n := 0; n < 60 && k < len(s.Toks) && !ends(k); n++ {
		if k = s.Past(k); s.Sign(k, ',') {
			k++
		}
	}
	return k
}
