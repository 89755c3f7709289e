package regex

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// A dfa runs a program by determining it as it goes: a state is the list of the
// places where the program may be, most welcome first. One goroutine uses it.
// Where places lie before an assertion, the state keeps the roots from which they
// were found instead: an assertion that holds may lead to places already passed.
//
// A transition is the row of the next state in trans, with the bit ended if a match
// ends before the character read: assertions need to see that character first.
type dfa struct {
	code  []instr
	alpha *alphabet
	begin uint32
	// A leftmost dfa prefers matches as Perl does and drops what is less welcome
	// than a match. The other kind prefers the longest.
	leftmost bool

	// Past limit words of memory, roughly, the dfa forgets its states and goes on.
	limit  int
	size   int
	stride uint32
	trans  []uint32
	states []state
	rows   map[string]uint32
	first  [sides]start
	age    int // how often the states were forgotten

	mark          []uint64 // the round in which a place was last seen
	round         uint64
	stack         []uint32
	list, scratch []uint32
	roots         []uint32
	key           []byte
}

type state struct {
	places []uint32 // or the roots, if it waits
	waits  bool     // for what the assertions say
	behind side     // of the character read last, if it waits
}

// A start is where to begin, and the bytes that change nothing there.
type start struct {
	row  uint32
	idle *[256]bool
}

const (
	unknown uint32 = 0
	dead    uint32 = 1 // not a row: rows are multiples of the stride, which is 2 or more
	ended   uint32 = 1 << 31
)

func newDFA(p *program, a *alphabet, leftmost bool, limit int) *dfa {
	d := &dfa{code: p.code, alpha: a, begin: p.start, leftmost: leftmost, limit: limit, stride: uint32(a.end) + 1}
	d.mark = make([]uint64, len(p.code))
	d.forget()
	return d
}

func (d *dfa) forget() {
	d.age++
	d.size = 0
	d.rows = map[string]uint32{}
	d.states = append(d.states[:0], state{})
	d.trans = append(d.trans[:0], make([]uint32, d.stride)...)
	d.first = [sides]start{}
}

// from returns where to begin beside what lies behind.
func (d *dfa) from(behind side) start {
	if d.first[behind].row == unknown {
		row := d.beginning(behind)
		age := d.age
		idle := d.idle(row)
		if d.age != age {
			row, idle = d.beginning(behind), nil
		}
		d.first[behind] = start{row, idle}
	}
	return d.first[behind]
}

func (d *dfa) beginning(behind side) uint32 {
	d.round++
	d.roots = append(d.roots[:0], d.begin)
	return d.row(d.follow(d.scratch[:0], d.begin, false, 0), d.roots, behind)
}

// idle returns the bytes that lead from row back to it; nil if there are few.
func (d *dfa) idle(row uint32) *[256]bool {
	if row == dead || d.states[row/d.stride].waits || d.alpha.end > 256 {
		return nil
	}
	var idle [256]bool
	age, n, wide := d.age, 0, true
	for i, lo := range d.alpha.starts {
		stays := d.step(row, d.alpha.class[i]) == row
		if d.age != age {
			return nil // there is no such row any more
		}
		if lo >= utf8.RuneSelf {
			wide = wide && stays
		}
		if !stays {
			continue
		}
		for b := lo; b < utf8.RuneSelf && d.alpha.of(b) == d.alpha.class[i]; b++ {
			idle[b] = true
			n++
		}
	}
	for b := utf8.RuneSelf; b < 256; b++ {
		idle[b] = wide
	}
	if n < 64 {
		return nil
	}
	return &idle
}

// follow appends to list the places that pc leads to without reading. Unless look
// is set it stops before assertions; else it passes those that hold.
func (d *dfa) follow(list []uint32, pc uint32, look bool, hold syntax.EmptyOp) []uint32 {
	d.stack = append(d.stack[:0], pc)
	for len(d.stack) > 0 {
		pc := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if d.mark[pc] == d.round {
			continue
		}
		d.mark[pc] = d.round
		switch in := &d.code[pc]; in.op {
		case forks:
			d.stack = append(d.stack, in.arg, in.out)
		case looks:
			switch {
			case in.look == noLook || look && in.look&^hold == 0:
				d.stack = append(d.stack, in.out)
			case !look:
				list = append(list, pc)
			}
		case reads, matches:
			list = append(list, pc)
		}
	}
	return list
}

// row returns the row of the state with these places, found from these roots,
// making it if it is new.
func (d *dfa) row(places, roots []uint32, behind side) uint32 {
	if len(places) == 0 {
		return dead
	}
	waits := slices.ContainsFunc(places, func(pc uint32) bool { return d.code[pc].op == looks })
	switch {
	case waits:
		places = roots
	case d.leftmost:
		// What comes after a match is less welcome than it.
		if i := slices.IndexFunc(places, func(pc uint32) bool { return d.code[pc].op == matches }); i >= 0 {
			places = places[:i+1]
		}
		behind = other
	default:
		slices.Sort(places) // no order among equals: fewer states
		behind = other
	}
	d.key = append(d.key[:0], byte(behind))
	if waits {
		d.key[0] += byte(sides)
	}
	for _, pc := range places {
		d.key = binary.LittleEndian.AppendUint32(d.key, pc)
	}
	if row, ok := d.rows[string(d.key)]; ok {
		return row
	}
	if d.size > d.limit {
		d.forget()
	}
	d.size += int(d.stride) + 2*len(places) + 32
	row := uint32(len(d.trans))
	d.trans = append(d.trans, make([]uint32, d.stride)...)
	d.states = append(d.states, state{slices.Clone(places), waits, behind})
	d.rows[string(d.key)] = row
	return row
}

// step returns the transition from row on a character of class c, working it out
// if need be.
func (d *dfa) step(row uint32, c int32) uint32 {
	if next := d.trans[row+uint32(c)]; next != unknown {
		return next
	}
	st := &d.states[row/d.stride]
	places, ahead := st.places, d.alpha.side[c]
	if st.waits {
		d.round++
		hold := holding(st.behind, ahead)
		if !d.leftmost {
			hold = holding(ahead, st.behind) // it reads backwards
		}
		d.list = d.list[:0]
		for _, pc := range places {
			d.list = d.follow(d.list, pc, true, hold)
		}
		places = d.list
	}
	matched := false
	d.round++
	d.scratch, d.roots = d.scratch[:0], d.roots[:0]
	for _, pc := range places {
		in := &d.code[pc]
		if in.op == matches {
			matched = true
			if d.leftmost {
				break
			}
		} else if d.alpha.in(in.set, c) && d.mark[in.out] != d.round {
			d.roots = append(d.roots, in.out)
			d.scratch = d.follow(d.scratch, in.out, false, 0)
		}
	}
	age := d.age
	next := d.row(d.scratch, d.roots, ahead)
	if matched {
		next |= ended
	}
	if d.age == age {
		d.trans[row+uint32(c)] = next
	}
	return next
}

// classAt returns the class of the character of text at i and its length.
func (d *dfa) classAt(text []byte, i int) (int32, int) {
	if i == len(text) {
		return d.alpha.end, 0
	}
	if b := text[i]; b < utf8.RuneSelf {
		return int32(d.alpha.ascii[b]), 1
	}
	r, n := utf8.DecodeRune(text[i:])
	return d.alpha.search(r), n
}

// classBefore returns the class of the character that ends at i and its length.
func (d *dfa) classBefore(text []byte, i int) (int32, int) {
	if i == 0 {
		return d.alpha.end, 0
	}
	if b := text[i-1]; b < utf8.RuneSelf {
		return int32(d.alpha.ascii[b]), 1
	}
	r, n := utf8.DecodeLastRune(text[:i])
	return d.alpha.search(r), n
}

// forward returns where the first match in text[pos:lim] ends, or -1. Assertions
// see all of text.
func (d *dfa) forward(text []byte, pos, lim int) int {
	behind, _ := d.classBefore(text, pos)
	start := d.from(d.alpha.side[behind])
	row, found, age, ascii := start.row, -1, d.age, &d.alpha.ascii
	if row == dead {
		return -1
	}
	for i := pos; i < lim; {
		if row == start.row && start.idle != nil {
			for i < lim && start.idle[text[i]] {
				i++
			}
			if i >= lim {
				break
			}
		}
		var c int32
		n := 1
		if b := text[i]; b < utf8.RuneSelf {
			c = int32(ascii[b])
		} else {
			c, n = d.classAt(text, i)
		}
		next := d.trans[row+uint32(c)]
		if next-dead-1 >= ended-dead-1 { // not simply a row
			if next = d.step(row, c); next >= ended {
				found, next = i, next-ended
			}
			if next == dead {
				return found
			}
			if d.age != age {
				start.idle = nil // another state may have its row now
			}
		}
		row = next
		i += n
	}
	c, _ := d.classAt(text, lim)
	if d.step(row, c) >= ended {
		return lim
	}
	return found
}

// backward returns where the longest match that ends at pos and does not begin
// before lim begins, or -1.
func (d *dfa) backward(text []byte, pos, lim int) int {
	ahead, _ := d.classAt(text, pos)
	row, found := d.from(d.alpha.side[ahead]).row, -1
	for row != dead {
		c, n := d.classBefore(text, pos)
		next := d.step(row, c)
		if next >= ended {
			found, next = pos, next-ended
		}
		if pos <= lim {
			break
		}
		row = next
		pos -= n
	}
	return found
}
