package lua

import (
	"io"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxRegexes  = 256     // compiled expressions that a VM keeps
	maxRegex    = 50_000  // instructions of one: each takes 40 bytes, and a step for each byte of a text
	maxUnpolled = 1 << 22 // bytes times instructions that are matched at once: some tenths of a second
)

// An expression finds its matches one after another. The package regexp cannot be interrupted: it takes instructions × bytes for one
// match, and to find all of them in the worst case the square. So every match is asked for on its own, and on a long text through a
// reader that polls.
type expression struct {
	*regexp.Regexp
	later *regexp.Regexp // the same after one character, which ^ and \b look at; made when needed
	size  int            // instructions, about
}

func newExpression(src string) (*expression, error) {
	tree, err := syntax.Parse(src, syntax.Perl)
	if err != nil {
		return nil, err
	}
	size := instructionsOf(tree)
	if size > maxRegex {
		return nil, &syntax.Error{Code: syntax.ErrLarge, Expr: "of about " + strconv.Itoa(size) + " instructions"}
	}
	re, err := regexp.Compile(src)
	return &expression{Regexp: re, size: size}, err
}

// instructionsOf returns about how many instructions an expression has when what it repeats is written out.
func instructionsOf(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n = min(n+instructionsOf(sub), 2*maxRegex)
	}
	if re.Op == syntax.OpRepeat {
		n = min(n*max(re.Min, re.Max, 1), 2*maxRegex)
	}
	return n
}

// find returns the first match in text at or after a place, as FindStringSubmatchIndex.
func (e *expression) find(c call, text string, from int) []int {
	re, at := e.Regexp, 0
	if from > 0 {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		if e.later == nil {
			e.later = regexp.MustCompile(`\A(?s:.)(?s:.*?)(` + e.String() + `)`)
		}
		re, at = e.later, from-size
	}
	var m []int
	if rest := text[at:]; len(rest) <= maxUnpolled/max(e.size, 1) {
		m = re.FindStringSubmatchIndex(rest)
	} else {
		m = re.FindReaderSubmatchIndex(&polledText{c: c, s: rest})
	}
	c.Poll()
	if from > 0 && m != nil {
		m = m[2:]
	}
	for i := range m {
		if m[i] >= 0 {
			m[i] += at
		}
	}
	return m
}

// A polledText is a text to read that looks whether the run goes on.
type polledText struct {
	c  call
	s  string
	at int
}

func (p *polledText) ReadRune() (rune, int, error) {
	p.c.Step(1)
	if p.at == len(p.s) {
		return 0, 0, io.EOF
	}
	r, size := utf8.DecodeRuneInString(p.s[p.at:])
	p.at += size
	return r, size, nil
}

// all calls f with every match, as FindAllStringSubmatchIndex finds them: no empty one at the end of the one before.
func (e *expression) all(c call, text string, f func(m []int)) {
	for at, last := 0, -1; at <= len(text); {
		m := e.find(c, text, at)
		if m == nil {
			return
		}
		accept := true
		if m[1] == at {
			accept = m[0] != last
			_, size := utf8.DecodeRuneInString(text[at:])
			at += max(size, 1)
		} else {
			at = m[1]
		}
		last = m[1]
		if accept {
			f(m)
		}
	}
}

func (c call) regex() (string, *expression) {
	text, p := c.Str(1), c.Str(2)
	vm := c.vm
	re := vm.regexes[p]
	if re == nil {
		if len(p) > longPattern {
			c.Fail("%s: pattern of more than %d bytes", c.name, longPattern)
		}
		var err error
		if re, err = newExpression(p); err != nil {
			c.Fail("%s: invalid pattern: %s", c.name, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		if len(vm.regexes) >= maxRegexes || vm.regexes == nil {
			vm.regexes = map[string]*expression{}
		}
		vm.regexes[p] = re
	}
	return text, re
}

// longPattern is how many bytes an expression may have: what it is compiled to takes many times as much.
const longPattern = 64 << 10

func regexMatch(c call) int {
	text, re := c.regex()
	return c.Return(boolean(re.find(c, text, 0) != nil))
}

func regexFind(c call) int {
	text, re := c.regex()
	m := re.find(c, text, 0)
	if m == nil {
		return c.Return(none)
	}
	groups := c.newTable(0)
	for i := 1; i < len(m)/2; i++ {
		if m[2*i] >= 0 {
			groups.SetInt(int64(i), c.Copy(text[m[2*i]:m[2*i+1]]))
		}
	}
	t := c.newRecord(2)
	t.SetField("match", c.Copy(text[m[0]:m[1]]))
	t.SetField("groups", groups.Of())
	return c.Return(t.Of())
}

func regexFindAll(c call) int {
	text, re := c.regex()
	t := c.newTable(0)
	re.all(c, text, func(m []int) {
		t.SetInt(t.Len()+1, c.Copy(text[m[0]:m[1]]))
	})
	return c.Return(t.Of())
}

func regexReplace(c call) int {
	text, re := c.regex()
	repl := c.Str(3)
	var b []byte
	at, seen := 0, 0
	re.all(c, text, func(m []int) {
		b = append(b, text[at:m[0]]...)
		c.Room(re.expanded(repl, m))
		b = re.ExpandString(b, repl, text, m)
		at = m[1]
		c.grown(len(b), &seen)
	})
	c.Room(int64(len(b) + len(text)))
	return c.Return(c.Bytes(append(b, text[at:]...)))
}

// expanded returns how many bytes a template may become at most: every $ in it may be the longest of the groups.
func (e *expression) expanded(template string, m []int) int64 {
	longest := 0
	for i := 0; i < len(m); i += 2 {
		longest = max(longest, m[i+1]-m[i])
	}
	return int64(len(template)) + int64(strings.Count(template, "$"))*int64(longest)
}
