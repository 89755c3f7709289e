package regex

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
)

// Two assertions of our own, in the bits that package syntax leaves free: no word
// character lies before, or after. RE2's \b cannot say that beside a character
// that is no word character itself.
const (
	noLook     syntax.EmptyOp = 0
	wordBegins syntax.EmptyOp = 1 << 6
	wordEnds   syntax.EmptyOp = 1 << 7
)

type opcode uint8

const (
	fails opcode = iota
	forks        // to out, or less willingly to arg
	looks        // on to out where the assertions look hold
	reads        // a character of set, then on to out
	matches
)

type instr struct {
	op       opcode
	look     syntax.EmptyOp
	set      int32
	out, arg uint32
}

// A program is a nondeterministic automaton over characters.
type program struct {
	code  []instr
	start uint32
	looks syntax.EmptyOp // every assertion in code
}

// A setTable numbers sets of characters, each a list of sorted ranges.
type setTable struct {
	sets [][]rune
	by   map[string]int32
	seen map[*rune]int32 // a repeated class shares its ranges
}

func (t *setTable) id(ranges []rune) int32 {
	if len(ranges) > 0 {
		if id, ok := t.seen[&ranges[0]]; ok && len(t.sets[id]) == len(ranges) {
			return id
		}
	}
	if t.by == nil {
		t.by, t.seen = map[string]int32{}, map[*rune]int32{}
	}
	var key []byte
	for _, r := range ranges {
		key = binary.AppendVarint(key, int64(r))
	}
	id, ok := t.by[string(key)]
	if !ok {
		id = int32(len(t.sets))
		t.by[string(key)], t.sets = id, append(t.sets, ranges)
	}
	if len(ranges) > 0 {
		t.seen[&ranges[0]] = id
	}
	return id
}

// newProgram compiles re between two assertions, either of which may be noLook.
func newProgram(re *syntax.Regexp, before, after syntax.EmptyOp, sets *setTable) (*program, error) {
	src, err := syntax.Compile(re)
	if err != nil {
		return nil, err
	}
	p := &program{code: make([]instr, len(src.Inst), len(src.Inst)+4), start: uint32(src.Start)}
	for pc := range src.Inst {
		p.code[pc] = p.instr(&src.Inst[pc], sets)
	}
	if after != noLook {
		for pc, in := range p.code[:len(src.Inst)] {
			if in.op == matches {
				p.code[pc] = instr{op: looks, look: after, out: p.add(in)}
			}
		}
	}
	if before != noLook {
		p.start = p.add(instr{op: looks, look: before, out: p.start})
	}
	for _, in := range p.code {
		p.looks |= in.look
	}
	return p, nil
}

func (p *program) add(in instr) uint32 {
	p.code = append(p.code, in)
	return uint32(len(p.code) - 1)
}

func (p *program) instr(in *syntax.Inst, sets *setTable) instr {
	switch in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return instr{op: forks, out: in.Out, arg: in.Arg}
	case syntax.InstCapture, syntax.InstNop:
		return instr{op: looks, out: in.Out}
	case syntax.InstEmptyWidth:
		return instr{op: looks, look: syntax.EmptyOp(in.Arg), out: in.Out}
	case syntax.InstMatch:
		return instr{op: matches}
	case syntax.InstRuneAny:
		return instr{op: reads, out: in.Out, set: sets.id([]rune{0, unicode.MaxRune})}
	case syntax.InstRuneAnyNotNL:
		return instr{op: reads, out: in.Out, set: sets.id([]rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune})}
	case syntax.InstRune1, syntax.InstRune:
		return instr{op: reads, out: in.Out, set: sets.id(runesOf(in))}
	}
	return instr{op: fails}
}

// runesOf returns the ranges of characters that in reads.
func runesOf(in *syntax.Inst) []rune {
	if len(in.Rune) != 1 {
		return in.Rune
	}
	r := in.Rune[0]
	if in.Op == syntax.InstRune1 || syntax.Flags(in.Arg)&syntax.FoldCase == 0 {
		return []rune{r, r}
	}
	return foldedRanges(r)
}

// foldedRanges returns r and the characters that are r in another case, as ranges.
func foldedRanges(r rune) []rune {
	ranges := []rune{r, r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		ranges = append(ranges, f, f)
	}
	slices.Sort(ranges)
	return ranges
}

// scan makes p look for its match from any character on, a later start being less
// welcome than whatever an earlier one leads to.
func (p *program) scan() {
	loop := p.add(instr{op: forks, out: p.start})
	p.code[loop].arg = p.add(instr{op: reads, set: anySet, out: loop})
	p.start = loop
}

// anySet is the set of all characters, whatever the table.
const anySet = -1
