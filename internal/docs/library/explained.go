package library

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

// guides is how many sections of prose, the best of a question, say which declarations they explain: about as
// many as an answer shows, so that their contents are read once.
const guides = 8

// explained adds to the declarations among the candidates of a question what the evidence for prose says of
// them: a guide is found by the words of a task, which the comment over the function that does it may lack.
// A section passes on how much more evidence there is for it than for the declaration: in full to the best of those whose
// name its heading is, and the less the more declarations its code names.
func (s *search) explained(all []ranked, rows [][rank.NumDocs]float64, scorer *rank.Scorer) error {
	evidence := make([]float64, len(all))
	byName := map[string][]int{}
	byMark := map[uint32][]int{} // of all whose names have it, whichever of them is first
	var marked markSet
	var prose []int
	for i := range all {
		evidence[i] = scorer.Evidence(rows[i][:])
		if all[i].declares {
			name := member(all[i].s.Title)
			byName[name] = append(byName[name], i)
			m := mark(name)
			byMark[m] = append(byMark[m], i)
			marked.add(m)
		} else {
			prose = append(prose, i)
		}
	}
	sorting.Stable(prose, func(a, b int) int { return cmp.Compare(evidence[b], evidence[a]) })
	most := guides
	if len(s.q.names) > 0 {
		most = 0 // what is named is meant, and not what is used with it
	}
	codes, err := s.codes(all, prose[:min(most, len(prose))])
	if err != nil {
		return err
	}
	pass := func(from, to, signal int, part float64) {
		if v := (evidence[from] - evidence[to]) * part; v > rows[to][signal] {
			rows[to][signal] = v
		}
	}
	for n, from := range prose {
		if name, ok := headed(all[from].s.Title); ok && len(byName[name]) > 0 {
			// Of an interface and all that implements it one comes before the section, and not each.
			pass(from, slices.MaxFunc(byName[name], func(a, b int) int { return cmp.Compare(evidence[a], evidence[b]) }), rank.DocsHeaded, 1)
		}
		if n >= len(codes) {
			continue
		}
		var named [][]int
		for marks := codes[n]; len(marks) >= markBytes; marks = marks[markBytes:] {
			if m := markAt(marks); marked.has(m) {
				if of := byMark[m]; of != nil {
					named = append(named, of)
				}
			}
		}
		for _, of := range named {
			for _, to := range of {
				pass(from, to, rank.DocsExplained, 1/math.Sqrt(float64(len(named))))
			}
		}
	}
	for i := range rows {
		if rows[i][rank.DocsHeaded] > 0 {
			rows[i][rank.DocsExplained] = 0 // it has all of it
		}
	}
	return nil
}

// keepCodes is how many bytes are kept of the names in the code of sections.
const keepCodes = 2 << 20

// codes returns the marks of the names in the code of the candidates at some places, each once. The contents are read of
// those alone of which that is not kept.
func (s *search) codes(all []ranked, at []int) ([]string, error) {
	out := make([]string, len(at))
	known := make([]bool, len(at))
	keeps := s.r.Checksum != ""
	if keeps {
		hits := slice.Map(at, func(i int) hit { return all[i].hit })
		s.d.codes.get(s.r.Checksum, hits, func(n int, kept string) { out[n], known[n] = kept[1:], true })
	}
	var missing, places []int
	for n, i := range at {
		if !known[n] {
			missing, places = append(missing, n), append(places, i)
		}
	}
	read, err := s.whole(all, places)
	if err != nil {
		return nil, err
	}
	for k, n := range missing {
		c := &all[places[k]]
		*c = read[k]
		kept := []byte{'c'} // a section without code is kept too
		seen := map[uint32]bool{}
		inCode(c.s.Content, func(name string) {
			if m := mark(name); !seen[m] {
				seen[m] = true
				kept = append(kept, byte(m), byte(m>>8), byte(m>>16))
			}
		})
		out[n] = string(kept[1:])
		if keeps {
			s.d.codes.put(s.r.Checksum, c.at, string(kept))
		}
	}
	return out, nil
}

// whole returns the candidates at some places, with their contents.
func (s *search) whole(all []ranked, at []int) ([]ranked, error) {
	read := slice.Map(at, func(i int) ranked { return all[i] })
	return read, s.complete(read, math.MaxInt32)
}

// member returns the last part of a name, without what it is called with: "combine" of "Result.combine(list)".
func member(name string) string {
	name, _, _ = strings.Cut(name, "(")
	name = joints.Replace(strings.Trim(name, "`*_ "))
	return strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "`*_ ")
}

// headed returns the name that a heading is, and whether it is one: it is written as code is. A word with a capital
// is what many sections are called.
func headed(title string) (string, bool) {
	name := member(title)
	if name == "" || strings.ContainsFunc(name, unicode.IsSpace) {
		return "", false
	}
	first, n := utf8.DecodeRuneInString(name)
	return name, strings.ContainsAny(title, "`(._:") || unicode.IsLower(first) || strings.ContainsFunc(name[n:], unicode.IsUpper)
}

// inCode calls yield with the words of the code of a section, in its blocks and its lines, that may be names.
func inCode(content string, yield func(name string)) {
	word := func(w []byte) {
		if len(w) > 2 {
			yield(string(w))
		}
	}
	fence := ""
	for line := range strings.SplitSeq(content, "\n") {
		switch mark := fenceOf(line); {
		case fence != "" && strings.TrimSpace(line) == fence:
			fence = ""
		case fence != "":
			text.EachWord(line, word)
		case mark != "":
			fence = mark
		default:
			for rest := line; ; {
				_, after, open := strings.Cut(rest, "`")
				code, next, closed := strings.Cut(after, "`")
				if !open || !closed {
					break
				}
				text.EachWord(code, word)
				rest = next
			}
		}
	}
}
