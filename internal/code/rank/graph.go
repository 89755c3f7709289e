package rank

import (
	"slices"
	"strings"
)

// The signals of a declaration that a map may show, in the order of the profile's file.
// Package graph measures them.
const (
	MapUsed = iota
	MapFocus
	MapMembers
	NumMap
)

// Map is the profile of the declarations of a map.
var Map = open("map", NumMap)

// The signals of a file that a change may reach, likewise.
const (
	ReachCalls = iota
	ReachCalled
	ReachTypes
	ReachImports
	ReachName
	ReachHistory
	ReachChanged
	ReachWords
	ReachFolder
	ReachImported
	NumReach
)

// Reach is the profile of the files that a change reaches.
var Reach = open("reach", NumReach)

// A Link is a use of a node by a file.
type Link struct {
	To     int // the node
	Weight float64
}

// A Walk follows uses at random, from file to file, and begins again now and then: how
// often it comes along a use is what the use is worth.
type Walk struct {
	File  []int     // of each node its file, which is a node: its own file
	Uses  [][]Link  // by file
	Begin []float64 // by file: where walks begin; it adds up to 1
}

// Used returns of each node how often walks come to it along the uses of it. A walk goes
// on with the constant "walk goes on", for as many steps as "steps of a walk".
func (w *Walk) Used(p *Profile) []float64 {
	on := p.Constant("walk goes on")
	sum := make([]float64, len(w.File))
	var files []int
	for i, file := range w.File {
		if file == i {
			files = append(files, i)
			for _, l := range w.Uses[i] {
				sum[i] += l.Weight
			}
		}
	}
	at := append([]float64(nil), w.Begin...)
	for range int(p.Constant("steps of a walk")) {
		next := make([]float64, len(w.File))
		lost := 0.0 // of those that use nothing: they begin again
		for _, i := range files {
			if sum[i] == 0 {
				lost += at[i]
			}
			for _, l := range w.Uses[i] {
				next[w.File[l.To]] += on * at[i] * l.Weight / sum[i]
			}
		}
		for _, i := range files {
			next[i] += (1 - on + on*lost) * w.Begin[i]
		}
		at = next
	}
	used := make([]float64, len(w.File))
	for _, i := range files {
		for _, l := range w.Uses[i] {
			used[l.To] += at[i] * l.Weight / sum[i]
		}
	}
	return used
}

// Nearness is 1 for one folder, and less for others by the parts that they share: what a
// test is worth that is named after a file, by profile Reach.
func (p *Profile) Nearness(a, b string) float64 {
	if a == b {
		return 1
	}
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	same := 0
	for _, w := range as {
		if slices.Contains(bs, w) {
			same++
		}
	}
	return p.Constant("named in another folder") + p.Constant("part of the path")*float64(same)/float64(max(len(as), len(bs)))
}
