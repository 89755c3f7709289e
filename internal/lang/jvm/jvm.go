// Package jvm reads Java, Kotlin and Scala: what a text declares, imports, calls
// and binds.
//
// Whatever the text, reading it takes time linear in it and ends; declarations lie
// in the text and nest, and the text at NameAt is the name.
package jvm

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A place is what the tokens of a frame are.
type place uint8

const (
	members   place = iota // of a class, or of the file
	constants              // of an enum, with members behind them
	code
)

// A frame is a stretch of tokens under way.
type frame struct {
	place       place
	end         int   // the token that it ends before
	decl        int32 // the class or function that it is the body of; -1
	name        string
	kind        corpus.Kind // of decl
	local       bool        // in a function
	typ, typEnd int         // the type of the fields that are read
	jump        int         // where reading goes on after the end
	until       int         // the token before which get and set may stand
	ext         string      // the type that functions here extend
	implied     bool        // it is an implicit class, whose functions extend what it is made of
}

// maxFrames bounds the nesting: what is deeper is read as part of what is around.
const maxFrames = 1000

// A reader goes once over the tokens of a text.
type reader struct {
	*scan.Source
	frames []frame
	owners int // how often a receiver was looked for behind a block
}

func (r *reader) top() *frame { return &r.frames[len(r.frames)-1] }

// push puts a frame on the stack. Frames nest: one that its text leaves open ends
// with the one around it.
func (r *reader) push(f frame) {
	if len(r.frames) >= maxFrames {
		r.Out.Missed++
		return
	}
	if n := len(r.frames); n > 0 {
		f.end = min(f.end, r.frames[n-1].end)
	}
	r.frames = append(r.frames, f)
}

// declare adds a declaration that begins with token start and ends before offset
// end, and returns its index.
func (r *reader) declare(d corpus.Decl, start, name, end int) int32 {
	d.Name, d.NameAt = r.Str(name), r.At(name)
	d.Doc = r.Doc(r.At(start))
	d.Span = corpus.Span{Start: r.At(start), End: max(end, r.End(name))}
	if d.Doc.Len() > 0 {
		d.Span.Start = d.Doc.Start
	}
	if d.Body < r.End(name) || d.Body > d.Span.End {
		d.Body = d.Span.End
	}
	r.Out.Decls = append(r.Out.Decls, d)
	return int32(len(r.Out.Decls) - 1)
}

func (r *reader) bind(tok int, typ, value string, param int) {
	if value == "null" || value == "true" || value == "false" {
		value = ""
	}
	r.Bind(tok, typ, value, param)
}

// path returns the names from token i on, joined by points, and the token after them.
func (r *reader) path(i int) (string, int) {
	k := i + 1
	for r.Sign(k, '.') && r.Word(k+1) && !r.Line(k+1) {
		k += 2
	}
	if k == i+1 {
		return r.Str(i), k
	}
	var b strings.Builder
	for ; i < k; i++ {
		b.Write(r.Bytes(i))
	}
	return b.String(), k
}

// blocks is Value for languages whose calls may have a block behind them:
// x.map { … }.first().
func (r *reader) blocks(i, end int) string {
	chain, k := r.Chain(i)
	if chain == "" || strings.HasPrefix(chain, scan.Unknown) {
		return ""
	}
	for n := 0; n < maxBlocks && k < end; n++ {
		switch {
		case r.Sign(k, '{') && !r.Line(k):
			if !strings.HasSuffix(chain, "()") {
				chain += "()"
			}
			k = r.Past(k)
		case (r.Sign(k, '.') || r.Two(k, '?', '.')) && r.Name(k+1):
			chain += "." + r.Str(k+1)
			k += 2
		case r.Sign(k, '('):
			chain += "()"
			k = r.Past(k)
		default:
			return ""
		}
	}
	if k != end {
		return ""
	}
	return chain
}

const maxBlocks = 24 // in a chain

// own gives a call of token i its receiver where blocks are part of that.
func (r *reader) own(c *corpus.Call, i int) {
	if c.Receiver == scan.Unknown {
		c.Receiver = r.owner(i, 0)
	}
}

// owner is Receiver for languages whose calls may have a block behind them.
func (r *reader) owner(i, depth int) string {
	chain := r.Receiver(i)
	if chain != scan.Unknown || depth == maxBlocks || r.owners > len(r.Toks)/2 {
		return chain
	}
	r.owners++
	k, suffix := i-2, ""
	for n := 0; n < 3 && k > 0; n++ {
		switch p := r.Pair(k); {
		case r.Sign(k, '}') && suffix == "" && p > 0, r.Sign(k, ')') && p > 0:
			k, suffix = p-1, "()"
		case r.Sign(k, ']') && suffix != "" && p > 0:
			k = p - 1
		case r.Sign(k, '>') && r.AngleBack(k) < k:
			k = r.AngleBack(k) - 1
		}
	}
	if !r.Name(k) {
		return scan.Unknown
	}
	switch chain = r.owner(k, depth+1); chain {
	case scan.Unknown:
		return chain
	case "":
		return r.Str(k) + suffix
	}
	return chain + "." + r.Str(k) + suffix
}
