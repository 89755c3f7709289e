package python

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// Read returns what src says of its structure.
func Read(src []byte) corpus.Facts {
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		// A form feed begins the column again.
		src = append([]byte("  \f"), src[3:]...)
	}
	return grammar.Read(src, func(s *scan.Source) {
		f := file{Source: s, within: -1, function: -1}
		f.repair()
		f.read()
	})
}

// A file is a text under way.
type file struct {
	*scan.Source
	blocks    []block
	within    int  // the innermost open declaration, or -1
	function  int  // the innermost open function, or -1; in a class in one it is -1 too
	local     bool // a function is open
	last      int  // the last token of the line before
	indented  int  // the column of the line
	decorated int  // the sign of the first decorator that waits for its declaration, plus 1
	lambda    int  // the lambda whose parameters were read
	marks     []string
	traits    corpus.Traits // that those decorators give
	seen      map[string]bool
	shown     map[int]bool // brackets whose elements are bound, and whether there are any
	prints    []int        // calls of print that begin a statement
	printed   bool         // there are print statements
}

// A block is a compound statement whose body is being read.
type block struct {
	column   int
	decl     int // or -1
	within   int // what was innermost outside of it
	function int
	local    bool
	imports  corpus.ImportKind // of the imports in it
}

// begins reports whether token i can only be the beginning of a statement.
func (f *file) begins(i int) bool {
	switch f.Toks[i].Key {
	case scan.KClass, scan.KDef, scan.KReturn, scan.KWhile, scan.KWith, scan.KTry, scan.KRaise, scan.KPass, scan.KBreak, scan.KContinue, scan.KDel, scan.KGlobal, scan.KNonlocal, scan.KAssert, scan.KFinally, scan.KExcept, scan.KElif:
		return true
	case scan.KAsync:
		return f.Key(i+1) == scan.KDef
	}
	return false
}

// repair ends brackets that were left open where a statement begins inside them, and
// makes room for the calls.
func (f *file) repair() {
	var open []int
	calls := 0 // at most, about
	for i := range f.Toks {
		t := &f.Toks[i]
		for len(open) > 0 && int(f.Toks[open[len(open)-1]].Pair) <= i {
			open = open[:len(open)-1]
		}
		if t.Line && len(open) > 0 && t.Key != 0 && f.begins(i) {
			f.Out.Missed++
			for _, o := range open {
				f.Toks[o].Pair = int32(i)
			}
			open = open[:0]
		}
		if t.Kind == scan.Open {
			open = append(open, i)
			if i > 0 && f.Toks[i-1].Kind == scan.Word {
				calls++
			}
		}
	}
	f.Out.Calls = make([]corpus.Call, 0, calls)
}

// read goes through the lines, where a line goes on over brackets.
func (f *file) read() {
	for i := 0; i < len(f.Toks); {
		end := i + 1
		if f.Kind(i) == scan.Open {
			end = f.past(i)
		}
		for end < len(f.Toks) && !f.Toks[end].Line {
			end = f.past(end)
		}
		if skip := f.conflict(i); skip > i {
			i = skip
			continue
		}
		f.indented = f.Column(i)
		f.dedent(f.indented)
		f.line(i, end)
		f.last = end - 1
		i = end
	}
	f.dedent(-1)
	f.statements()
}

// past returns the token after i, or after the bracket that i opens.
func (f *file) past(i int) int {
	t := &f.Toks[i]
	if t.Kind != scan.Open {
		return i + 1
	}
	p := int(t.Pair)
	if p < len(f.Toks) && int(f.Toks[p].Pair) == i {
		p++ // else it was never closed
	}
	return p
}

// conflict returns the token after the line of token i if that is a mark that a
// merge left; else i.
func (f *file) conflict(i int) int {
	at := f.At(i)
	if c := f.Src[at]; c != '<' && c != '=' && c != '>' && c != '|' || at+7 > len(f.Src) || at > 0 && f.Src[at-1] != '\n' {
		return i
	}
	for k := at + 1; k < at+7; k++ {
		if f.Src[k] != f.Src[at] {
			return i
		}
	}
	f.Out.Missed++
	for i++; i < len(f.Toks) && !f.Toks[i].Line; i++ {
	}
	return i
}

// dedent ends the blocks that a line at this column is not in.
func (f *file) dedent(column int) {
	n := len(f.blocks)
	for n > 0 && f.blocks[n-1].column >= column {
		n--
		b := &f.blocks[n]
		if b.decl >= 0 {
			f.Out.Decls[b.decl].Span.End = f.End(f.last)
		}
		f.within, f.function, f.local = b.within, b.function, b.local
	}
	f.blocks = f.blocks[:n]
}

const maxBlocks = 500

// indent opens a block whose head, on the line under way, is before token end.
func (f *file) indent(end, decl int, imports corpus.ImportKind) {
	b := block{column: f.indented, decl: decl, within: f.within, function: f.function, local: f.local}
	if n := len(f.blocks); n > 0 {
		imports |= f.blocks[n-1].imports
	}
	b.imports = imports
	if len(f.blocks) == maxBlocks {
		f.Out.Missed++
		if decl >= 0 {
			f.Out.Decls[decl].Span.End = f.End(end - 1)
		}
		return
	}
	f.blocks = append(f.blocks, b)
	if decl >= 0 {
		f.within = decl
		if k := f.Out.Decls[decl].Kind; k == corpus.Function || k == corpus.Method {
			f.function, f.local = decl, true
		} else {
			f.function = -1
		}
	}
}

// line reads the statements from token i up to end.
func (f *file) line(i, end int) {
	for i < end {
		i = f.statement(i, end)
	}
}

// statement reads one statement, or the head of one that has a block, and returns
// the token after it.
func (f *file) statement(i, end int) int {
	if f.decorated > 0 && f.Src[f.At(i)] != '@' {
		if k := f.Toks[i].Key; k != scan.KDef && k != scan.KClass && k != scan.KAsync {
			f.decorated, f.marks, f.traits = 0, nil, 0
		}
	}
	switch f.Toks[i].Key {
	case scan.KDef:
		return f.def(i, i, end)
	case scan.KClass:
		return f.class(i, end)
	case scan.KAsync:
		if f.Key(i+1) == scan.KDef {
			return f.def(i, i+1, end)
		}
		if f.Key(i+1) == scan.KFor || f.Key(i+1) == scan.KWith {
			return f.compound(i, i+1, end)
		}
		return i + 1
	case scan.KIf, scan.KElif, scan.KElse, scan.KTry, scan.KExcept, scan.KFinally, scan.KFor, scan.KWhile, scan.KWith:
		return f.compound(i, i, end)
	}
	stop := f.semicolon(i, end)
	switch f.Toks[i].Key {
	case scan.KImport:
		f.imports(i, stop)
	case scan.KFrom:
		f.from(i, stop)
	case scan.KReturn:
		f.results(i+1, stop)
		f.walk(i+1, stop)
	case 0:
		if f.Is(i, "@") {
			f.decorator(i, stop)
		} else if at := f.soft(i, stop, end); at > i {
			return at
		} else {
			f.simple(i, stop)
		}
	case scan.KRaise:
		f.walk(i, stop)
		if k := stop - 1; k > i && f.Name(k) && f.over(i+1, stop) == stop && f.Bytes(k)[0] < 'a' {
			// A class is called where it is raised.
			f.Out.Calls = append(f.Out.Calls, corpus.Call{Callee: f.Str(k), Receiver: f.receiver(k, i+1), At: f.At(k), Args: -1})
		}
	case scan.KGlobal, scan.KNonlocal:
	default:
		f.walk(i, stop)
	}
	if stop < end {
		stop++ // ;
	}
	return stop
}

// semicolon returns the end of the simple statement at token i.
func (f *file) semicolon(i, end int) int {
	for k := i; k < end; k = f.past(k) {
		if f.Sign(k, ';') {
			return k
		}
	}
	return end
}

// colon returns the colon that ends the head of a compound statement; end where
// there is none.
func (f *file) colon(i, end int) int {
	lambdas := 0
	for k := i; k < end; k = f.past(k) {
		switch t := &f.Toks[k]; {
		case t.Key == scan.KLambda:
			lambdas++
		case t.Kind != scan.Punct || f.Src[t.At] != ':' || t.End-t.At != 1:
		case lambdas > 0:
			lambdas--
		default:
			return k
		}
	}
	f.Out.Missed++
	return end
}

// compound reads the head of an if, a for and so on: its keyword is token k.
func (f *file) compound(i, k, end int) int {
	colon := f.colon(k+1, end)
	var kind corpus.ImportKind
	switch f.Toks[k].Key {
	case scan.KIf, scan.KElif:
		kind = corpus.Conditional
		if f.Is(colon-1, "TYPE_CHECKING") && !f.negated(k+1, colon) {
			kind = corpus.TypeOnly
		}
	case scan.KElse, scan.KTry, scan.KExcept, scan.KFinally:
		kind = corpus.Conditional
	}
	f.indent(k+1, -1, kind)
	switch f.Toks[k].Key {
	case scan.KFor:
		f.loop(k+1, colon)
	case scan.KWith:
		f.with(k+1, colon)
	case scan.KExcept:
		f.except(k+1, colon)
	}
	f.walk(k+1, colon)
	return min(colon+1, end)
}

// negated reports whether there is a not from token i up to end.
func (f *file) negated(i, end int) bool {
	for ; i < end; i++ {
		if f.Toks[i].Key == scan.KNot {
			return true
		}
	}
	return false
}

// soft reads the statements that begin with a word which is a keyword there only:
// match, case, type, and print of Python 2. It returns the token after what it
// read, i where it read nothing.
func (f *file) soft(i, stop, end int) int {
	if f.Toks[i].Kind != scan.Word || i+1 >= stop {
		return i
	}
	switch string(f.Bytes(i)) {
	case "match":
		if !f.operand(i+1) || stop < end || !f.Sign(end-1, ':') || f.colonIn(i, end-1) < end-1 {
			return i
		}
		f.indent(i+1, -1, corpus.Conditional)
		f.walk(i+1, end-1)
		return end
	case "case":
		if !f.operand(i + 1) {
			return i
		}
		colon := f.colonIn(i+1, stop)
		if colon == stop {
			return i
		}
		f.indent(i+1, -1, corpus.Conditional)
		f.pattern(i+1, colon)
		return colon + 1
	case "type":
		if f.Name(i+1) && (f.Sign(i+2, '=') || f.Sign(i+2, '[')) {
			return f.alias(i, stop, end)
		}
	case "print":
		if f.operand(i+1) && f.Kind(i+1) != scan.Open && f.Kind(i+1) != scan.Punct {
			f.printed = true
		} else if f.Is(i+1, "(") {
			f.prints = append(f.prints, f.At(i))
		}
	}
	return i
}

// operand reports whether an expression may begin with token i.
func (f *file) operand(i int) bool {
	switch f.Kind(i) {
	case scan.Word:
		switch f.Key(i) {
		case 0, scan.KNot, scan.KLambda, scan.KAwait, scan.KNone, scan.KTrue, scan.KFalse, scan.KYield:
			return true
		}
		return false
	case scan.Text, scan.Number, scan.Open:
		return true
	case scan.Punct:
		return f.Sign(i, '-') || f.Sign(i, '*') || f.Sign(i, '~')
	}
	return false
}

// colonIn is colon where it is no fault that there is none.
func (f *file) colonIn(i, end int) int {
	missed := f.Out.Missed
	k := f.colon(i, end)
	f.Out.Missed = missed
	return k
}

// pattern reads a case: what looks like calls in it are none, up to the guard.
func (f *file) pattern(i, end int) {
	for k := i; k < end; k++ {
		if f.Toks[k].Key == scan.KIf {
			f.walk(k+1, end)
			return
		}
		if f.Toks[k].Key == scan.KAs && f.Name(k+1) {
			f.Bind(k+1, "", "", 0)
		}
	}
}

// statements takes back the calls of print in a text that has print statements.
func (f *file) statements() {
	if !f.printed || len(f.prints) == 0 {
		return
	}
	kept := f.Out.Calls[:0]
	prints := f.prints
	for _, c := range f.Out.Calls {
		for len(prints) > 0 && prints[0] < c.At {
			prints = prints[1:]
		}
		if len(prints) == 0 || prints[0] != c.At {
			kept = append(kept, c)
		}
	}
	f.Out.Calls = kept
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return grammar.Tokens(src) }
