package rank

import (
	"cmp"
	"container/heap"
)

// A Need is something that a reader may have to know, and how likely that is, 0..1.
type Need float64

// A Choice is something that an answer may show.
type Choice struct {
	Cost   int     // tokens; at least 1
	After  int     // the choice that has to be shown before it; -1 for none
	Covers []Cover // what it tells; of each need once
}

// A Cover is how much a choice tells of a need, 0..1. What two choices tell of one need
// overlaps: together they cover 1-(1-a)(1-b) of it.
type Cover struct {
	Need  int
	Share float64
}

// A Pick is a choice that is shown, and what it adds to what was picked before it.
type Pick struct {
	At   int
	Gain float64
}

// Select picks from choices, within a budget of tokens, those that cover most of what is
// needed, in the order in which they were picked: always the one that adds most for each
// token. What a choice adds only becomes less as others are picked, so that only the
// choices at the head of a queue are measured again (Minoux 1978). Of choices that add as
// much for their cost, the earlier one is picked.
func Select(needs []Need, choices []Choice, budget int) (picks []Pick) {
	open := make([]float64, len(needs)) // what is not covered yet
	for i := range open {
		open[i] = float64(needs[i])
	}
	gain := func(c *Choice) (sum float64) {
		for _, x := range c.Covers {
			sum += open[x.Need] * x.Share
		}
		return sum
	}
	following := make(map[int][]int, len(choices))
	q := &queue{}
	add := func(at int) {
		q.list = append(q.list, queued{at, gain(&choices[at]), max(1, choices[at].Cost)})
	}
	for i := range choices {
		if after := choices[i].After; after >= 0 {
			following[after] = append(following[after], i)
		} else {
			add(i)
		}
	}
	heap.Init(q)
	for q.Len() > 0 {
		top := &q.list[0]
		c := &choices[top.at]
		if top.cost > budget {
			heap.Pop(q)
			continue
		}
		now := gain(c)
		if now != top.gain {
			top.gain = now
			heap.Fix(q, 0)
			continue
		}
		if now <= 0 && len(following[top.at]) == 0 {
			heap.Pop(q)
			continue
		}
		at := top.at
		budget -= top.cost
		picks = append(picks, Pick{at, now})
		for _, x := range c.Covers {
			open[x.Need] *= 1 - x.Share
		}
		heap.Pop(q)
		for _, next := range following[at] {
			heap.Push(q, queued{next, gain(&choices[next]), max(1, choices[next].Cost)})
		}
	}
	return picks
}

// A queued is a choice that may be picked, and what it added when it was last measured.
type queued struct {
	at   int
	gain float64
	cost int
}

type queue struct{ list []queued }

func (q *queue) Len() int { return len(q.list) }
func (q *queue) Less(i, j int) bool {
	a, b := &q.list[i], &q.list[j]
	return cmp.Or(cmp.Compare(b.gain*float64(a.cost), a.gain*float64(b.cost)), cmp.Compare(a.at, b.at)) < 0
}
func (q *queue) Swap(i, j int) { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *queue) Push(x any)    { q.list = append(q.list, x.(queued)) } //nolint:forcetypeassert // heap pushes what Select gives it
func (q *queue) Pop() any {
	last := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return last
}
