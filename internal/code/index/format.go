package index

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/assay-dev/assay/bm25"
)

// Format is the version of an index. It rises with facts.Format, whose records segments hold: an index
// whose facts cannot be read would answer that there are none. It rises, too, where discover.Classify reads
// what it excluded: of a file that has not changed an index keeps why it was excluded.
const Format = 39

// A segment is one immutable file:
//
//	header   magic(8) format(4) reserved(4) index id(16)
//	sections one after another, see the constants below
//	toc      for each section: offset(8) length(8)
//	crcs     CRC-32C of each block of the bytes before crcs
//	footer   crc of toc..crcs(4) number of blocks(4) length of the file(8) magic(8)
//
// All numbers are little-endian. Every offset read is bounded by its section;
// a block is checked against its CRC before its first use. Of vectors only some are
// read for a question, from all over their section: each has a CRC of its own, and
// is checked against that.
const (
	magic      = "assayseg"
	headerSize = 32
	footerSize = 24
	blockBits  = 12
)

// The sections of a segment.
const (
	secDocs     = iota // docSize bytes a document, ascending document id
	secChunks          // chunkSize bytes a chunk, in document order
	secWords           // 2 bytes a chunk: its length in words
	secStrings         // paths, scopes and symbols
	secTermIdx         // 8 bytes a block of termBlock terms: offsets in secTerms, secPostings
	secTerms           // front-coded terms, ascending
	secPostings        // see appendPostings
	secGramKeys        // gramSize bytes a block of gramBlock trigrams: first trigram, offsets in secGramDict, secGrams
	secGramDict        // trigrams, ascending: gap, documents and whether a bitmap, length in secGrams
	secGrams           // see appendGrams
	secFactAt          // factSize bytes a document: where its facts are in secFacts, the lengths of both records
	secFacts           // of each document, a short record and a long one
	secKeys            // keySize bytes a key: see keyDict
	secKeyDocs         // see keyDict
	secVecs            // vecHead bytes and a row of int8 a chunk, see vectors
	secSigns           // a bit for each number of these, in whole words; aligned to them
	secVecName         // what made them; empty where nothing did
	sections
)

const (
	docSize   = 52
	vecHead   = 8 // of what follows: CRC-32C; float32 scale
	chunkSize = 48
	gramSize  = 12
	gramBlock = 64
	termBlock = 16
	postBlock = 128
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A posting's byte says where and how often a term occurs in a chunk.
//
//	bits 0-3  occurrences in the text, at most 15
//	bits 4-5  in declarations: 0 none, 1 in an enclosing scope, 2 part of a
//	          declared name, 3 the declared name
//	bits 6-7  in the path: 0 none, 1 a folder, 2 part of the file's name, 3 the
//	          file's name without its extension
const (
	tfMask   = 0x0f
	defShift = 4
	defMask  = 3
	pathHave = 6
)

// The weight of an occurrence by its field, as a number of occurrences in text.
var (
	defWeight  = [4]float64{0, 1, 2.5, 4}
	pathWeight = [4]float64{0, 1, 2, 3}
)

// Params are the parameters of the chunk ranking.
func params() bm25.Params { return bm25.Params{K1: 1.2, B: 0.6} }

// tfTable maps a posting's byte to the weighted number of occurrences.
var tfTable = func() (t [256]float32) {
	for b := range t {
		t[b] = float32(float64(b&tfMask) + defWeight[b>>defShift&defMask] + pathWeight[b>>pathHave])
	}
	return t
}()

var le = binary.LittleEndian
