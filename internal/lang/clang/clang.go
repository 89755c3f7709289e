// Package clang reads the declarations, imports, calls and bindings of C, C++ and
// Objective-C text, as it stands before the preprocessor runs.
//
// Whatever the text, spans lie in it and nest, and the text at NameAt is the name.
// Of text that the preprocessor chooses between all branches are read, those of
// #if 0 left out; brackets are paired as the first one has them. Time is linear in
// the text.
package clang

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// ReadC returns the facts of a C source text.
func ReadC(src []byte) corpus.Facts { return plain.read(src) }

// ReadCPP returns the facts of a C++ source text.
func ReadCPP(src []byte) corpus.Facts { return plusplus.read(src) }

// ReadObjC returns the facts of an Objective-C source text.
func ReadObjC(src []byte) corpus.Facts { return objective.read(src) }

// ReadObjCPP returns the facts of a source text in both C++ and Objective-C.
func ReadObjCPP(src []byte) corpus.Facts { return objectivepp.read(src) }

// ReadHeader returns the facts of a header in any of the languages: what it says
// shows which.
func ReadHeader(src []byte) corpus.Facts {
	cpp, objc := false, false
	for _, w := range []string{"\nnamespace ", "\nclass ", "\ntemplate", "\nusing ", "public:", "private:", "std::", "\n#include <string>\n", "\n#include <vector>\n", "\n#include <memory>\n"} {
		cpp = cpp || bytes.Contains(src, []byte(w))
	}
	for _, w := range []string{"\n@interface ", "\n@protocol ", "\n@class ", "\n#import ", "\n@import "} {
		objc = objc || bytes.Contains(src, []byte(w))
	}
	switch {
	case cpp && objc:
		return ReadObjCPP(src)
	case cpp:
		return ReadCPP(src)
	case objc:
		return ReadObjC(src)
	}
	return ReadC(src)
}

func (d *dialect) read(src []byte) corpus.Facts {
	return d.Grammar.Read(src, func(s *scan.Source) {
		r := reader{Source: s, dialect: d}
		r.branches()
		r.run()
	})
}

// A reader is one pass over the tokens of a text.
type reader struct {
	*scan.Source
	*dialect
	places []place
	inits  []int // names of members and bases that a constructor initialises, the next one last
}

// What a place holds.
type holds uint8

const (
	code    holds = iota
	members       // of a class
	outside       // of functions and classes
	values        // of an enum
	methods       // of Objective-C
)

// A place is what surrounds a token: up to the token end.
type place struct {
	sort   holds
	end    int
	decl   int    // the declaration whose inside it is, or -1
	name   string // of the class
	scope  string // the qualified name of what is around, for names with a scope of their own
	inner  bool   // code of a function without a name
	hidden bool   // what is declared is not to be seen from other files
}

func (r *reader) run() {
	n := len(r.Toks)
	r.places = append(r.places, place{sort: outside, end: n, decl: -1})
	for i := 0; i < n; {
		for len(r.places) > 1 && r.top().end <= i {
			r.places = r.places[:len(r.places)-1]
		}
		i = max(r.step(i), i+1)
	}
	f := &r.Out
	order(f.Decls, func(d corpus.Decl) int { return d.Span.Start })
	order(f.Imports, func(m corpus.Import) int { return m.At })
	order(f.Calls, func(c corpus.Call) int { return c.At })
	order(f.Bindings, func(b corpus.Binding) int { return b.At })
	f.Decls = nested(f.Decls)
}

func (r *reader) step(i int) int {
	switch r.top().sort {
	case code, values:
		return r.code(i)
	case methods:
		return r.objcMember(i)
	default:
		return r.member(i)
	}
}

// order sorts what is hardly ever out of order.
func order[T any](all []T, at func(T) int) {
	less := func(a, b T) int { return cmp.Compare(at(a), at(b)) }
	if !slices.IsSortedFunc(all, less) {
		slices.SortStableFunc(all, less)
	}
}

// nested cuts short, or drops, what crosses the declaration around it.
func nested(all []corpus.Decl) []corpus.Decl {
	out := all[:0]
	var around []int // ends
	for _, d := range all {
		for len(around) > 0 && around[len(around)-1] <= d.Span.Start {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && d.Span.End > around[n-1] {
			d.Span.End = around[n-1]
			d.Body = min(d.Body, d.Span.End)
		}
		if d.NameAt+len(d.Name) > d.Body || d.NameAt < d.Span.Start {
			continue
		}
		around = append(around, d.Span.End)
		out = append(out, d)
	}
	return out
}

func (r *reader) top() *place { return &r.places[len(r.places)-1] }

// maxPlaces bounds how deep declarations nest.
const maxPlaces = 200

// enter says that up to the token end there is something else. A place never ends
// after the one around it.
func (r *reader) enter(p place) {
	if len(r.places) >= maxPlaces {
		return
	}
	p.end = min(p.end, r.top().end)
	if p.scope == "" {
		p.scope = r.top().scope
	}
	p.hidden = p.hidden || r.top().hidden && p.sort != members
	r.places = append(r.places, p)
}

// name reports whether token i is a name.
func (r *reader) name(i int) bool {
	return i >= 0 && i < len(r.Toks) && r.Toks[i].Kind == scan.Word && r.Toks[i].Key == 0
}

// word reports whether token i is a name or a keyword.
func (r *reader) word(i int) bool { return i >= 0 && i < len(r.Toks) && r.Toks[i].Kind == scan.Word }

// one reports whether token i is the sign c.
func (r *reader) one(i int, c byte) bool {
	return i >= 0 && i < len(r.Toks) && r.Toks[i].End-r.Toks[i].At == 1 && r.Src[r.Toks[i].At] == c
}

// two reports whether token i is the sign of the bytes c and d.
func (r *reader) two(i int, c, d byte) bool {
	return i >= 0 && i < len(r.Toks) && r.Toks[i].End-r.Toks[i].At == 2 && r.Src[r.Toks[i].At] == c && r.Src[r.Toks[i].At+1] == d
}

func (r *reader) scoped(i int) bool { return r.two(i, ':', ':') }

// caps reports whether token i is a name without small letters, as macros have.
func (r *reader) caps(i int) bool {
	if !r.name(i) {
		return false
	}
	for _, c := range r.Bytes(i) {
		if c >= 'a' && c <= 'z' {
			return false
		}
	}
	return r.Toks[i].End-r.Toks[i].At > 1
}
