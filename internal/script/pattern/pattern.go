// Package pattern matches the patterns of Lua 5.4.
//
// It gives what C Lua gives, in linear time wherever a pattern has neither back
// references (%1) nor balances (%b): a place from which an item could not match
// is not tried again, however many ways lead to it. What remains can be stopped.
package pattern

import (
	"errors"
	"fmt"
)

// maxCaptures is how many captures a pattern may have, maxItems how many items
// may wait for each other, which C Lua limits as the depth of its stack.
const (
	maxCaptures = 32
	maxItems    = 200
)

// A kind is what an item does.
type kind uint8

const (
	single   kind = iota // a class, repeated as rep says
	balance              // %bxy
	frontier             // %f[set]
	backref              // %1
	open                 // (
	shut                 // )
	position             // ()
	end                  // $ at the end of the pattern
)

// A set is a class of bytes.
type set [4]uint64

func (s *set) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *set) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }
func (s *set) union(o *set)    { s[0] |= o[0]; s[1] |= o[1]; s[2] |= o[2]; s[3] |= o[3] }
func (s *set) invert()         { s[0], s[1], s[2], s[3] = ^s[0], ^s[1], ^s[2], ^s[3] }

type item struct {
	kind kind
	rep  byte // 0 once, or one of * + - ?
	set  set
	x, y byte // of a balance; x the number of a capture, from 0
	row  int  // of a repeated one: its place in what a matcher remembers
}

// A Pattern is a compiled pattern. It is safe for concurrent use.
type Pattern struct {
	items    []item
	anchored bool
	ncap     int
	rows     int    // items that are repeated
	pure     bool   // whether an item matches at a place depends on the place alone
	literal  string // of a pattern that is nothing else
	plain    bool
	first    *set // what a match begins with, if it must begin with something
}

// Compile returns the pattern of p, or the error that C Lua raises for it once a
// match gets so far. Without anchors a ^ at its start is a character like any, as
// it is for gmatch.
func Compile(p string, anchors bool) (*Pattern, error) {
	c := compiler{src: p}
	c.out.anchored = anchors && len(p) > 0 && p[0] == '^'
	if err := c.compile(); err != nil {
		return nil, err
	}
	return &c.out, nil
}

type compiler struct {
	src  string
	at   int
	out  Pattern
	open []int
	done [maxCaptures]bool
	deep int
}

func (c *compiler) compile() error {
	c.out.pure = true
	if c.out.anchored {
		c.at++
	}
	for c.at < len(c.src) {
		if err := c.item(); err != nil {
			return err
		}
	}
	if len(c.open) > 0 {
		return errors.New("unfinished capture")
	}
	c.shortcuts()
	return nil
}

// item reads the next one.
func (c *compiler) item() error {
	switch ch := c.src[c.at]; {
	case ch == '(':
		if c.out.ncap == maxCaptures {
			return errors.New("too many captures")
		}
		n := c.out.ncap
		c.out.ncap++
		if c.at+1 < len(c.src) && c.src[c.at+1] == ')' {
			c.at += 2
			c.done[n] = true
			c.push(item{kind: position, x: byte(n)})
			return c.nested()
		}
		c.at++
		c.open = append(c.open, n)
		c.push(item{kind: open, x: byte(n)})
		return c.nested()
	case ch == ')':
		if len(c.open) == 0 {
			return errors.New("invalid pattern capture")
		}
		n := c.open[len(c.open)-1]
		c.open = c.open[:len(c.open)-1]
		c.done[n] = true
		c.at++
		c.push(item{kind: shut, x: byte(n)})
		return c.nested()
	case ch == '$' && c.at+1 == len(c.src):
		c.at++
		c.push(item{kind: end})
		return nil
	case ch == '%' && c.at+1 < len(c.src):
		if done, err := c.escaped(c.src[c.at+1]); done || err != nil {
			return err
		}
	}
	it := item{kind: single}
	if err := c.class(&it.set); err != nil {
		return err
	}
	if c.at < len(c.src) {
		switch r := c.src[c.at]; r {
		case '*', '+', '-', '?':
			it.rep, it.row = r, c.out.rows
			c.out.rows++
			c.at++
		}
	}
	c.push(it)
	if it.rep != 0 {
		return c.nested()
	}
	return nil
}

// escaped reads a balance, a frontier or a back reference; done is false for an
// escape that is a character.
func (c *compiler) escaped(next byte) (done bool, err error) {
	switch {
	case next == 'b':
		if c.at+3 >= len(c.src) {
			return false, errors.New("malformed pattern (missing arguments to '%b')")
		}
		c.push(item{kind: balance, x: c.src[c.at+2], y: c.src[c.at+3]})
		c.out.pure = false
		c.at += 4
	case next == 'f':
		c.at += 2
		if c.at >= len(c.src) || c.src[c.at] != '[' {
			return false, errors.New("missing '[' after '%f' in pattern")
		}
		it := item{kind: frontier}
		if err := c.class(&it.set); err != nil {
			return false, err
		}
		c.push(it)
	case '0' <= next && next <= '9':
		n := int(next) - '1'
		if n < 0 || n >= c.out.ncap || !c.done[n] {
			return false, fmt.Errorf("invalid capture index %%%d", n+1)
		}
		c.push(item{kind: backref, x: byte(n)})
		c.out.pure = false
		c.at += 2
	default:
		return false, nil
	}
	return true, nil
}

func (c *compiler) push(it item) { c.out.items = append(c.out.items, it) }

// nested counts an item that the rest of a match waits in.
func (c *compiler) nested() error {
	if c.deep++; c.deep > maxItems {
		return errors.New("pattern too complex")
	}
	return nil
}

// class reads a character, a dot, an escape or a set.
func (c *compiler) class(s *set) error {
	ch := c.src[c.at]
	c.at++
	switch ch {
	case '.':
		s.invert()
	case '%':
		if c.at == len(c.src) {
			return errors.New("malformed pattern (ends with '%')")
		}
		s.escape(c.src[c.at])
		c.at++
	case '[':
		return c.brackets(s)
	default:
		s.add(ch)
	}
	return nil
}

func (c *compiler) brackets(s *set) error {
	missing := errors.New("malformed pattern (missing ']')")
	invert := c.at < len(c.src) && c.src[c.at] == '^'
	if invert {
		c.at++
	}
	end, ok := setEnd(c.src, c.at)
	if !ok {
		return missing
	}
	for c.at < end {
		ch := c.src[c.at]
		c.at++
		switch {
		case ch == '%':
			s.escape(c.src[c.at])
			c.at++
		case c.at+1 < end && c.src[c.at] == '-':
			for x := int(ch); x <= int(c.src[c.at+1]); x++ {
				s.add(byte(x))
			}
			c.at += 2
		default:
			s.add(ch)
		}
	}
	c.at = end + 1
	if invert {
		s.invert()
	}
	return nil
}

// setEnd returns where the bracket is that ends a set which begins at i: not the first
// character, and not one after a %, though a range may take that % for its end.
func setEnd(src string, i int) (int, bool) {
	for first := true; i < len(src); first = false {
		switch ch := src[i]; {
		case ch == ']' && !first:
			return i, true
		case ch == '%':
			i++
		}
		i++
	}
	return 0, false
}

// escape adds what %c stands for: a class of ASCII or the character itself.
func (s *set) escape(c byte) {
	var o set
	f := classes(c | 0x20)
	if f == nil {
		s.add(c)
		return
	}
	for x := range 256 {
		if f(byte(x)) {
			o.add(byte(x))
		}
	}
	if c < 'a' {
		o.invert()
	}
	s.union(&o)
}

func classes(c byte) func(byte) bool {
	alpha := func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	switch c {
	case 'a':
		return alpha
	case 'c':
		return func(c byte) bool { return c < ' ' || c == 127 }
	case 'd':
		return digit
	case 'g':
		return func(c byte) bool { return ' ' < c && c < 127 }
	case 'l':
		return func(c byte) bool { return 'a' <= c && c <= 'z' }
	case 'p':
		return func(c byte) bool { return ' ' < c && c < 127 && !alpha(c) && !digit(c) }
	case 's':
		return func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
	case 'u':
		return func(c byte) bool { return 'A' <= c && c <= 'Z' }
	case 'w':
		return func(c byte) bool { return alpha(c) || digit(c) }
	case 'z': // of Lua 5.1, and there still
		return func(c byte) bool { return c == 0 }
	case 'x':
		return func(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
	}
	return nil
}

// shortcuts finds what spares most places a look.
func (c *compiler) shortcuts() {
	p := &c.out
	p.plain = !p.anchored
	var lit []byte
	for _, it := range p.items {
		b, one := it.only()
		if it.kind != single || it.rep != 0 || !one {
			p.plain = false
			break
		}
		lit = append(lit, b)
	}
	p.literal = string(lit)
	for i := range p.items {
		switch it := &p.items[i]; it.kind {
		case open, position:
			continue
		case single:
			if it.rep == 0 || it.rep == '+' {
				p.first = &it.set
			}
		case balance:
			p.first = &set{}
			p.first.add(it.x)
		}
		return
	}
}

// only returns the byte of a set of one.
func (it *item) only() (byte, bool) {
	b, n := 0, 0
	for x := range 256 {
		if it.set.has(byte(x)) {
			b, n = x, n+1
		}
	}
	return byte(b), n == 1
}
