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

func (r *reader) scoped(i int) bool { return r.Two(i, ':', ':') }

// caps reports whether token i is a name without small letters, as macros have.
func (r *reader) caps(i int) bool {
	if !r.Name(i) {
		return false
	}
	for _, c := range r.Bytes(i) {
		if c >= 'a' && c <= 'z' {
			return false
		}
	}
	return r.Toks[i].End-r.Toks[i].At > 1
}

// Tokens cuts a source text of any of the languages into its tokens.
func Tokens(src []byte, cpp, objc bool) *scan.Source {
	d := plain
	switch {
	case cpp && objc:
		d = objectivepp
	case cpp:
		d = plusplus
	case objc:
		d = objective
	}
	return d.Tokens(src)
}
