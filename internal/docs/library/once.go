package library

import "crypto/sha256"

// Once holds what the pages of a version have said, so that a snippet which many pages
// repeat is kept for the first of them alone.
type Once map[[16]byte]struct{}

// Drop removes the snippets of a page that an earlier page has too, title and text, and returns
// how many.
func (o Once) Drop(p *Page) (n int) {
	kept := p.Snippets[:0:0]
	h := sha256.New()
	var sum [sha256.Size]byte
	for i := range p.Snippets {
		s := &p.Snippets[i]
		h.Reset()
		for _, part := range [...]string{s.Title, "\x00", s.Content} {
			h.Write(bytesIn(part))
		}
		key := [16]byte(h.Sum(sum[:0]))
		if _, there := o[key]; there {
			n++
			continue
		}
		o[key] = struct{}{}
		kept = append(kept, *s)
	}
	p.Snippets = kept
	return n
}
