package facts

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/klauspost/compress/s2"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/corpus"
)

// Format is the version of what Encode writes, and of what scanners put into it.
const Format = 28

// maxBody bounds what a record unpacks to: a source file is at most some MB.
const maxBody = 1 << 28

// errCorrupt says that a record is not one that Encode wrote.
var errCorrupt = errors.New("a record of facts is corrupt")

// A Head is what is known of a file without reading all its facts.
type Head struct {
	Module    string
	Build     string // the constraint of a Go file
	Functions int
	Public    int // of them, offered to others
	Decls     int
	Calls     int
	Missed    int
	Imports   []corpus.Import
}

// Encode packs facts: what an overview needs, and the rest. Counted says which
// declarations count as functions.
func Encode(f *corpus.Facts, counted func(*corpus.Decl) bool) (head, body []byte) {
	h := writer{b: []byte{Format}}
	h.str(f.Module)
	h.str(f.Build)
	functions, public := 0, 0
	for i := range f.Decls {
		if counted(&f.Decls[i]) {
			functions++
			if f.Decls[i].Exported {
				public++
			}
		}
	}
	h.nums(functions, public, len(f.Decls), len(f.Calls), f.Missed, len(f.Imports))
	at := 0
	for i := range f.Imports {
		m := &f.Imports[i]
		h.str(m.Path)
		h.str(m.Alias)
		h.nums(int(m.Kind), m.At-at, int(m.In)+1, len(m.Names))
		at = m.At
		for _, n := range m.Names {
			h.str(n.Name)
			h.str(n.Alias)
		}
	}
	if len(f.Decls)+len(f.Calls)+len(f.Bindings) == 0 {
		return h.b, nil
	}
	w := writer{ids: map[string]int{}}
	w.decls(f.Decls)
	w.nums(len(f.Calls))
	at = 0
	for i := range f.Calls {
		c := &f.Calls[i]
		args := int(c.Args-corpus.Selected) << 1
		if c.Given != "" {
			args |= 1
		}
		if args <<= 1; c.New {
			args |= 1
		}
		if args <<= 1; c.Block > 0 {
			args |= 1
		}
		w.sym(c.Callee)
		w.sym(c.Receiver)
		w.nums(c.At-at, args, int(c.In)+1)
		if c.Given != "" {
			w.sym(c.Given)
		}
		if c.Block > 0 {
			w.nums(c.At + 1 - c.Block)
		}
		at = c.At
	}
	w.nums(len(f.Bindings))
	at = 0
	for i := range f.Bindings {
		b := &f.Bindings[i]
		w.sym(b.Name)
		w.sym(b.Type)
		w.sym(b.Value)
		w.nums(b.At-at, int(b.Param), int(b.In)+1)
		at = b.At
	}
	// The table of strings comes first.
	t := writer{b: []byte{Format}}
	t.nums(len(w.list))
	for _, s := range w.list {
		t.str(s)
	}
	return h.b, s2.Encode(nil, append(t.b, w.b...))
}

type writer struct {
	b    []byte
	ids  map[string]int
	list []string
}

func (w *writer) nums(ns ...int) {
	for _, n := range ns {
		w.b = binary.AppendUvarint(w.b, uint64(max(n, 0)))
	}
}

func (w *writer) str(s string) { w.b = codec.AppendPacked(w.b, s) }

func (w *writer) sym(s string) {
	id, ok := w.ids[s]
	if !ok {
		id = len(w.list)
		w.ids[s] = id
		w.list = append(w.list, s)
	}
	w.b = binary.AppendUvarint(w.b, uint64(id))
}

func (w *writer) syms(list []string) {
	w.nums(len(list))
	for _, s := range list {
		w.sym(s)
	}
}

func (w *writer) decls(decls []corpus.Decl) {
	w.nums(len(decls))
	at := 0
	for i := range decls {
		d := &decls[i]
		exported := 0
		if d.Exported {
			exported = 1
		}
		w.sym(d.Name)
		w.sym(d.Scope)
		w.nums(int(d.Kind)<<1|exported, int(d.Traits), d.Span.Start-at, d.Span.Len(), d.NameAt-d.Span.Start, d.Body-d.Span.Start,
			max(d.Doc.Start-d.Span.Start, 0), d.Doc.Len(), int(d.Parent)+1)
		at = d.Span.Start
		w.syms(d.Params)
		w.sym(d.Result)
		w.syms(d.Bases)
		w.syms(d.Marks)
	}
}

// decodeHead reads the first part of what Encode wrote; without imports, their
// list stays empty.
func decodeHead(b []byte, imports bool) (h Head, err error) {
	r := recordReader{PackedReader: codec.PackedReader{Rest: b}}
	if r.Byte() != Format {
		return h, errCorrupt
	}
	h.Module, h.Build = r.Str(), r.Str()
	h.Functions, h.Public, h.Decls, h.Calls, h.Missed = r.Int(), r.Int(), r.Int(), r.Int(), r.Int()
	n := r.Count(6)
	if !imports {
		return h, r.err()
	}
	h.Imports = make([]corpus.Import, n)
	at := 0
	for i := range h.Imports {
		m := &h.Imports[i]
		m.Path, m.Alias = r.Str(), r.Str()
		m.Kind = corpus.ImportKind(r.Int())
		m.At = at + r.Int()
		at = m.At
		m.In = int32(r.Int()) - 1
		for range r.Count(2) {
			m.Names = append(m.Names, corpus.Name{Name: r.Str(), Alias: r.Str()})
		}
	}
	return h, r.err()
}

// Decode reads all that Encode wrote.
func Decode(head, body []byte) (*corpus.Facts, error) {
	h, err := decodeHead(head, true)
	if err != nil {
		return nil, err
	}
	f := &corpus.Facts{Module: h.Module, Build: h.Build, Missed: h.Missed, Imports: h.Imports}
	if len(body) == 0 {
		return f, nil
	}
	r, err := unpack(body)
	if err != nil {
		return nil, err
	}
	f.Decls = r.decls()
	f.Calls = make([]corpus.Call, r.Count(5))
	at := 0
	for i := range f.Calls {
		c := &f.Calls[i]
		c.Callee, c.Receiver = r.sym(), r.sym()
		c.At = at + r.Int()
		at = c.At
		args := r.Int()
		c.Args, c.New = int16(args>>3)+corpus.Selected, args&2 != 0
		c.In = r.in(len(f.Decls))
		if args&4 != 0 {
			c.Given = r.sym()
		}
		if args&1 != 0 {
			c.Block = max(c.At+1-r.Int(), 0)
		}
	}
	f.Bindings = make([]corpus.Binding, r.Count(6))
	at = 0
	for i := range f.Bindings {
		b := &f.Bindings[i]
		b.Name, b.Type, b.Value = r.sym(), r.sym(), r.sym()
		b.At = at + r.Int()
		at = b.At
		b.Param = int16(r.Int())
		b.In = r.in(len(f.Decls))
	}
	for i := range f.Imports {
		if int(f.Imports[i].In) >= len(f.Decls) {
			r.Bad = true
		}
	}
	return f, r.err()
}

// unpack begins to read the long record: its strings are read.
func unpack(body []byte) (*recordReader, error) {
	if n, err := s2.DecodedLen(body); err != nil || n > maxBody {
		return nil, errCorrupt
	}
	body, err := s2.Decode(nil, body)
	if err != nil {
		return nil, errCorrupt
	}
	r := &recordReader{PackedReader: codec.PackedReader{Rest: body}}
	if r.Byte() != Format {
		return nil, errCorrupt
	}
	r.list = make([]string, r.Count(1))
	all := string(r.Rest) // one string that all of them are parts of
	for i := range r.list {
		n := r.Int()
		from := len(all) - len(r.Rest)
		if r.Take(n); r.Bad {
			return nil, errCorrupt
		}
		r.list[i] = all[from : from+n]
	}
	return r, nil
}

// DecodeDecls reads the declarations alone of what Encode wrote, and none where no
// string of the record is one that is wanted.
func DecodeDecls(body []byte, wanted func(string) bool) ([]corpus.Decl, error) {
	if len(body) == 0 {
		return nil, nil
	}
	r, err := unpack(body)
	if err != nil || !slices.ContainsFunc(r.list, wanted) {
		return nil, err
	}
	decls := r.decls()
	return decls, r.err()
}

func (r *recordReader) decls() []corpus.Decl {
	out := make([]corpus.Decl, r.Count(14))
	at := 0
	for i := range out {
		d := &out[i]
		d.Name, d.Scope = r.sym(), r.sym()
		kind := r.Int()
		d.Kind, d.Exported = corpus.Kind(kind>>1), kind&1 != 0
		d.Traits = corpus.Traits(r.Int())
		d.Span.Start = at + r.Int()
		at = d.Span.Start
		d.Span.End = at + r.Int()
		d.NameAt, d.Body = at+r.Int(), at+r.Int()
		d.Doc.Start = at + r.Int()
		if d.Doc.End = d.Doc.Start + r.Int(); d.Doc.Len() == 0 {
			d.Doc = corpus.Span{}
		}
		d.Parent = r.in(i)
		d.Params = r.syms()
		d.Result = r.sym()
		d.Bases, d.Marks = r.syms(), r.syms()
	}
	return out
}

type recordReader struct {
	codec.PackedReader
	list []string
}

func (r *recordReader) err() error {
	if r.Bad {
		return errCorrupt
	}
	return nil
}

// in reads the index of a declaration, one of n, or -1.
func (r *recordReader) in(n int) int32 {
	i := r.Int() - 1
	if i >= n {
		r.Bad = true
		return -1
	}
	return int32(i)
}

func (r *recordReader) sym() string {
	i := r.Int()
	if i >= len(r.list) {
		r.Bad = true
		return ""
	}
	return r.list[i]
}

func (r *recordReader) syms() []string {
	n := r.Count(1)
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = r.sym()
	}
	return out
}

// A Role is what a name does in a file.
type Role byte

// The roles by which files are found.
const (
	Declared Role = 'd'
	Called   Role = 'c'
	Put      Role = 'p' // something that may be a function is put into it; of Go alone
	Handed   Role = 'h' // it may stand as a function that is handed on; of Go alone
	Held     Role = 'f' // a type has it as a field; of Scala alone
	Above    Role = 'b' // a type extends, implements or embeds what is written with it
)

// Key returns the number by which the files are found in which name has a role.
func Key(role Role, name string) uint32 {
	const offset, prime = 2166136261, 16777619 // FNV-1a, as hash/fnv has it
	h := (offset ^ uint32(role)) * prime
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * prime
	}
	return h
}

// Keys returns the keys of a file's facts, sorted, each once.
func Keys(language string, f *corpus.Facts) []uint32 {
	var out []uint32
	for i := range f.Decls {
		out = append(out, Key(Declared, f.Decls[i].Name))
		for _, b := range f.Decls[i].Bases {
			for _, w := range words(b) {
				out = append(out, Key(Above, w))
			}
		}
	}
	for i := range f.Calls {
		out = append(out, Key(Called, unspaced(f.Calls[i].Callee)))
	}
	if language == "go" {
		for i := range f.Bindings {
			if name, ok := strings.CutPrefix(f.Bindings[i].Name, "="); ok {
				out = append(out, Key(Put, name))
			}
		}
		for name := range handedNames(f) {
			out = append(out, Key(Handed, name))
		}
	}
	for i := range f.Bindings {
		if b := &f.Bindings[i]; language == "scala" && b.In >= 0 && classLike(f.Decls[b.In].Kind) {
			out = append(out, Key(Held, b.Name))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
