// Package corpus holds the nouns of assay: Span, Range, Document, Symbol, Chunk
// and Flags. It has no behaviour beyond describing itself and imports only the
// standard library.
package corpus

import (
	"slices"
	"strings"
)

// A Span is a half-open range of bytes in a document.
type Span struct{ Start, End int }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// A Range is a run of lines: one-based, both ends included.
type Range struct{ First, Last int }

// Flags classify a document beside its language. Ranking lowers documents with most of them, and filters select them.
type Flags uint16

const (
	Test      Flags = 1 << iota // a test, a fixture or a mock
	Example                     // an example, a demo, a benchmark
	Generated                   // written by a program
	Vendored                    // somebody else's code, copied in
	Minified                    // machine-packed code
	Compat                      // compatibility, legacy or deprecated code
	Prose                       // documentation rather than code
	Stub                        // declarations without bodies: .d.ts, .pyi, re-exports
	Lock                        // a lock file or another bulk record
	Platform                    // for a platform that few work on
)

// A Document is one text to be made findable.
type Document struct {
	Path     string // slash-separated, relative to its root
	Language string // as package syntax names it; empty when unknown
	Flags    Flags
	Text     []byte
}

// A Kind is the kind of a declaration.
type Kind uint8

// The kinds of declaration, in every language.
const (
	NoKind Kind = iota
	Function
	Method
	Class
	Interface
	Struct
	Enum
	Trait
	Type
	Constant
	Variable
	Module
	Macro
	TestCase
	Section // a heading of a text
)

var kinds = [...]string{"", "function", "method", "class", "interface", "struct", "enum", "trait", "type", "constant", "variable", "module", "macro", "test", "section"}

func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return ""
}

// A Decl is one declaration in a source text.
type Decl struct {
	Kind  Kind
	Name  string // as written, without its scope
	Scope string // the enclosing declarations, outermost first, joined by "."
	// Span is the whole declaration: the comment and the decorators directly
	// above it, its head and its body. Spans nest; they never cross.
	Span Span
	// Name starts at NameAt; the head ends and the body begins at Body. Both lie
	// in Span; Body is Span.End where there is no body.
	NameAt, Body int
	Exported     bool
	Traits       Traits

	Doc    Span     // the comment that documents it; empty where there is none
	Params []string // as written, without the receiver
	Result string   // the return type as written, or the type of a variable
	Bases  []string // the types that it extends, implements or embeds, as written
	Marks  []string // decorators, annotations and attributes, without their sign
	Parent int32    // the index of the Decl around it, -1 at top level
}

// Qualified returns the name with its scope: "Scope.Name".
func (d Decl) Qualified() string {
	if d.Scope == "" {
		return d.Name
	}
	return d.Scope + "." + d.Name
}

// IsTest reports whether d says itself that it is a test, or that it is built with tests alone.
func (d Decl) IsTest() bool {
	return d.Kind == TestCase || slices.ContainsFunc(d.Marks, func(mark string) bool {
		name, args, _ := strings.Cut(mark, "(")
		if name == "cfg" {
			return args == "test)" || strings.HasPrefix(args, "all(test,")
		}
		return name == "test" || strings.HasSuffix(name, "::test")
	})
}

// InTest reports whether a declaration of a file is a test or inside one; none is for -1.
func InTest(decls []Decl, i int32) bool {
	for i >= 0 && int(i) < len(decls) {
		if decls[i].IsTest() {
			return true
		}
		i = decls[i].Parent
	}
	return false
}

// A Symbol is a declaration as a chunk knows it.
type Symbol struct {
	Kind Kind
	Name string
}

// A Chunk is a piece of a document that is found and shown as one.
type Chunk struct {
	Span
	Lines   Range
	Scope   string   // the declaration around the chunk's start, qualified; empty at top level
	Symbols []Symbol // the declarations in the chunk, in order
	Hash    Hash     // of the text of the span
	InTest  bool     // it is of a test that stands beside the code
}

// A Hash identifies content: the first 16 bytes of its SHA-256.
type Hash [16]byte

// A Term is one word of a query, folded as package text folds it, and how much
// it counts.
type Term struct {
	Text   string
	Weight float32
	Match  Match
}

// A Match is the way to compare a term with words. An index without the data for a Match finds nothing by it.
type Match uint8

const (
	// Same finds chunks that have the term.
	Same Match = iota
	// Begins finds chunks that have a term with this beginning.
	Begins
	// Inside finds chunks that have a word with these three or more characters in it; or, if the index has no positions, chunks
	// that have all their groups of three.
	Inside
)

// MaxTerms is the most terms a query may have: a Candidate keeps a bit for each.
const MaxTerms = 32

// A Ref names a chunk within one snapshot of an index.
type Ref struct{ Segment, Chunk uint32 }

// A Candidate is a chunk that an index proposes for a query, with the data that ranking needs. Bit i of a mask stands for
// term i of the query.
type Candidate struct {
	Ref
	Doc    uint32  // of the segment; equal for the chunks of one document
	Score  float32 // BM25 over the weighted fields, summed over the terms
	Cosine float32 // similarity of meaning, -1..1; 0 where it was not asked for

	Terms  uint32 // terms that occur in text, names or path
	Named  uint32 // terms that are part of a name declared in the chunk
	Whole  uint32 // terms that are a name declared in the chunk
	Scoped uint32 // terms in the enclosing declaration's name
	Folder uint32 // terms in the folders of the path
	Stem   uint32 // terms that are part of the file's name
	File   uint32 // terms that are the file's name

	DocTerms uint32  // terms that occur anywhere in the document
	DocScore float32 // the scores of the document's chunks, summed
	DocBest  float32 // the best of them
	DocHits  uint16  // how many of them matched
	Flags    Flags
	Words    uint16  // the chunk's length
	Chunks   uint16  // how many the document has
	First    bool    // the chunk is the document's first
	InFile   float32 // how surely the query names the file, 0..1
	AtPlace  float32 // how surely it names a place in the chunk, 0..1
	History  float32 // how much past commits that changed the file are like the query, 0..1
}
