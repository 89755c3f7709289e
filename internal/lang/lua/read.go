package lua

import (
	"strconv"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A frame is a bracket or block under way.
type frame struct {
	end      int // the token that it ends before
	function bool
	table    bool
	name     string // of the table, where it has one: "M", "M.handlers"
}

// A target is what a value is assigned to.
type target struct {
	name  string // the last part
	at    int    // of name
	scope string // what the name is a member of
	start int    // where it begins
	local bool
	mark  string // const, close
	typ   string
}

func (t target) full() string {
	if t.scope == "" {
		return t.name
	}
	return t.scope + "." + t.name
}

// What is pending is a token that a value begins with, and what the value is
// assigned to. Of several the last one is reached first.
type pending struct {
	tok int
	target
}

// A table is a name at top level that functions are defined in.
type table struct {
	decl             int
	methods, members bool
}

func (f *file) read() {
	f.tables = map[string]*table{}
	for i := 0; i < len(f.Toks); {
		for n := len(f.frames) - 1; n >= 0 && f.frames[n].end <= i; n-- {
			if f.frames[n].function {
				f.depth--
			}
			f.frames = f.frames[:n]
		}
		t := &f.Toks[i]
		switch {
		case t.Kind == scan.Word && t.Key == 0:
			i = f.word(i)
		case t.Kind == scan.Word:
			i = f.keyword(i)
		case t.Kind == scan.Open && f.Src[t.At] == '{':
			name := ""
			if p, ok := f.take(i); ok {
				name = p.full()
			}
			f.push(frame{end: f.Pair(i), table: true, name: name})
			i++
		case t.Kind == scan.Punct && f.Sign(i, '='):
			f.assignment(i)
			i++
		default:
			i++
		}
	}
	f.classes()
}

const maxFrames = 1000

// push puts a frame on the stack. Frames nest: one that its text leaves open ends
// with the one around it.
func (f *file) push(fr frame) {
	n := len(f.frames)
	if n == maxFrames {
		return
	}
	if n > 0 {
		fr.end = min(fr.end, f.frames[n-1].end)
	}
	if fr.function {
		f.depth++
	}
	f.frames = append(f.frames, fr)
}

// take returns what waits for the value that begins at token i.
func (f *file) take(i int) (pending, bool) {
	for n := len(f.pending); n > 0 && f.pending[n-1].tok <= i; n-- {
		p := f.pending[n-1]
		f.pending = f.pending[:n-1]
		if p.tok == i {
			return p, true
		}
	}
	return pending{}, false
}

func (f *file) keyword(i int) int {
	switch f.Toks[i].Key {
	case scan.KFunction:
		return f.function(i)
	case scan.KLocal:
		return f.local(i)
	case scan.KFor:
		return f.loop(i)
	case scan.KReturn:
		f.returned(i + 1)
	case scan.KIf, scan.KDo, scan.KRepeat:
		f.push(frame{end: f.Pair(i)})
	}
	return i + 1
}

// word reads what begins with a name that is used: a call, or nothing.
func (f *file) word(i int) int {
	if !f.arguments(i + 1) {
		return i + 1
	}
	f.call(i)
	if f.member(i - 1) {
		return i + 1
	}
	switch f.Toks[i].End - f.Toks[i].At {
	case 5:
		if f.Is(i, "pcall") && f.Is(i+1, "(") && f.Is(i+2, "require") && f.Sign(i+3, ',') {
			f.imported(i, i+4, corpus.Conditional)
		}
	case 6:
		if f.Is(i, "module") && f.depth == 0 {
			if name, _ := f.literal(f.argument(i)); name != "" && f.Out.Module == "" {
				f.Out.Module = name
			}
		}
	case 7:
		if f.Is(i, "require") {
			f.imported(i, f.argument(i), 0)
		}
	case 12:
		f.inherits(i)
	}
	return i + 1
}

// argument returns the first argument of the call at token i.
func (f *file) argument(i int) int {
	if f.Is(i+1, "(") {
		return i + 2
	}
	return i + 1
}

// imported records that token path is required by the call at token i.
func (f *file) imported(i, path int, kind corpus.ImportKind) {
	p, named := f.take(i)
	text, at := f.literal(path)
	if text == "" || f.Toks[i+1].Kind == scan.Open && f.Kind(path+1) == scan.Punct && !f.Sign(path+1, ',') {
		return
	}
	m := corpus.Import{Path: text, At: at, Kind: corpus.Dynamic | kind}
	m.Kind.AddIf(len(f.frames) > 0 && (f.depth > 0 || !f.frames[len(f.frames)-1].table), corpus.Conditional)
	if named {
		m.Alias = p.full()
		if k := f.Past(i + 1); f.Sign(k, '.') && f.Name(k+1) {
			m.Alias, m.Names = "", []corpus.Name{{Name: f.Str(k + 1), Alias: p.full()}}
		}
	}
	f.Out.Imports = append(f.Out.Imports, m)
}

// inherits reads setmetatable(X, T) where X is a name.
func (f *file) inherits(i int) {
	if !f.Is(i, "setmetatable") || !f.Is(i+1, "(") || !f.Name(i+2) || !f.Sign(i+3, ',') {
		return
	}
	base := f.metatable(i + 1)
	name := f.Str(i + 2)
	if base == "" || base == name {
		return
	}
	if t := f.tables[name]; t != nil && f.depth == 0 {
		if f.Sign(i+4, '{') {
			f.Out.Decls[t.decl].Bases = append(f.Out.Decls[t.decl].Bases, base)
		}
		return
	}
	f.bind(target{name: name, at: f.At(i + 2)}, "", base+"()", 0)
}

func (f *file) bind(t target, typ, value string, param int16) {
	f.BindAs(t.full(), typ, value, t.at, int(param))
}

// numbered returns what the k-th of several results is called.
func numbered(chain string, k int) string {
	if k == 0 || chain == "" {
		return chain
	}
	return chain + "#" + strconv.Itoa(k)
}

// returned reads the values after return.
func (f *file) returned(i int) {
	for k := 0; ; k++ {
		end := f.expression(i)
		if end == i {
			return
		}
		if c := f.value(i, end); c != "" && len(f.frames) < maxFrames {
			f.bind(target{name: numbered("()", k), at: f.At(i)}, "", c, 0)
		}
		if !f.Sign(end, ',') {
			return
		}
		i = end + 1
	}
}

// loop reads the names of a for and what they go over.
func (f *file) loop(i int) int {
	var names []target
	for i++; f.Name(i); i++ {
		names = append(names, target{name: f.Str(i), at: f.At(i)})
		if !f.Sign(i+1, ',') {
			i++
			break
		}
		i++
	}
	key, value := "", ""
	if f.Key(i) == scan.KIn {
		end := f.expression(i + 1)
		over := f.value(i+1, end)
		switch {
		case f.Key(end) != scan.KDo:
		case over == "ipairs()" || over == "pairs()":
			if over = f.value(f.argument(i+1), end-1); over != "" {
				key, value = over+"[key]", over+"[]"
			}
		case over != "":
			key = over + "[]"
		}
	} else if !f.Sign(i, '=') {
		return i
	}
	for k, n := range names {
		f.bind(n, "", []string{key, value, ""}[min(k, 2)], 0)
	}
	return i + 1
}
