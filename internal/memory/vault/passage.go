package vault

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/embed"
)

// A long chunk speaks of many things, and its vector of all of them at once: what
// one sentence says is lost in it. Where vectors cost nothing, the best passage of a
// chunk counts as much as the whole.
const (
	longChunk = 500 // bytes from which a chunk has passages
	passage   = 200 // bytes of one, about: two sentences
)

// sharpen replaces the cosines of long candidates by the mean of theirs and that of
// their best passage.
func sharpen(cs []*candidate, p embed.Local, query []float32) {
	v := make([]float32, len(query))
	for _, c := range cs {
		if c.cosine < -1 || len(c.text) < longChunk {
			continue
		}
		var best float32
		for rest := c.text; rest != ""; {
			var piece string
			piece, rest = cutPassage(rest)
			p.Vector(v, []byte(piece))
			best = max(best, vec.Dot(v, query))
		}
		c.cosine = (c.cosine + best) / 2
	}
}

// sharpenAsked has the questions that a note answers stand for its meaning where one of them is nearer.
func sharpenAsked(cs []*candidate, p embed.Local, query []float32) {
	v := make([]float32, len(query))
	for _, c := range cs {
		if c.asked == "" {
			continue
		}
		for line := range strings.SplitSeq(c.asked, "\n") {
			p.Vector(v, []byte(line))
			c.cosine = max(c.cosine, vec.Dot(v, query))
		}
	}
}

// cutPassage cuts the first passage off a text: at the end of a line, else between
// words.
func cutPassage(s string) (first, rest string) {
	if len(s) <= passage {
		return s, ""
	}
	at := strings.LastIndexByte(s[:passage], '\n')
	if at < passage/3 {
		at = strings.LastIndexByte(s[:passage], ' ')
	}
	if at < passage/3 {
		at = passage - 1
		for at > 1 && s[at+1]&0xc0 == 0x80 { // inside a character
			at--
		}
	}
	return s[:at+1], s[at+1:]
}
