package index

// Postings are where the terms of texts are, in memory: for texts that are read once, asked
// a few times and forgotten. What is kept is a Builder's or a File's.
type Postings struct {
	ids   map[string]int32
	terms []string
	lists [][]Posting // by the number of a term
}

// A Posting is a place that has a term, and the highest level at which it does, in one number:
// a large tree has millions of them.
type Posting uint32

// levelBits are those of a posting that hold its level.
const levelBits = 3

func (p Posting) Place() int32 { return int32(p >> levelBits) }

// Level returns the level, 0 to 7.
func (p Posting) Level() uint8 { return uint8(p & (1<<levelBits - 1)) }

// NewPostings returns empty postings.
func NewPostings() *Postings { return &Postings{ids: map[string]int32{}} }

// Term returns the number of a term, for Add.
func (p *Postings) Term(term string) int32 {
	id, ok := p.ids[term]
	if !ok {
		id = int32(len(p.terms))
		p.ids[term] = id
		p.terms = append(p.terms, term)
		p.lists = append(p.lists, nil)
	}
	return id
}

// Add says that a place has a term, by its number. One that is added several times in a
// row is one posting. Places are from 0 and below 1<<29, levels below 8.
func (p *Postings) Add(term, place int32, level uint8) {
	list, add := p.lists[term], Posting(place)<<levelBits|Posting(level)
	if n := len(list); n > 0 && list[n-1].Place() == place {
		list[n-1] = max(list[n-1], add)
		return
	}
	p.lists[term] = append(list, add)
}

// Of returns the postings of a term, in the order in which they were added.
func (p *Postings) Of(term string) []Posting {
	if id, ok := p.ids[term]; ok {
		return p.lists[id]
	}
	return nil
}
