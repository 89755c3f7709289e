package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
)

// A shade is a project with known shadows.
type shade struct {
	*project
	gone, kept map[string]bool      // names that no document knows, and that one does
	drifted    map[string]bool      // whether a document has it otherwise, of those that one gives a signature of
	lines      map[string][2]string // of those: what the document says, and what it should
}

func without(text string, drop func(line string) bool) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), drop), "")
}

// shadows plants up to n of each sort: names that are taken out of the documents,
// words that are left there as words and taken out as names, and declarations that
// are new. Signatures are added, of which every second is not as in the code.
func (p *project) shadows(r *rand.Rand, n int) *shade {
	s := &shade{p.clone(), map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string][2]string{}}
	named := func(d claims.Declaration) bool { return inner.MatchString(d.Name) }
	s.unname(r, n, named, func(name string) func(string) bool { return word(name).MatchString })
	// A word may stay in prose, where it speaks of something else.
	s.unname(r, n, func(d claims.Declaration) bool { return !inner.MatchString(d.Name) }, func(name string) func(string) bool {
		re := regexp.MustCompile("`[^`]*\\b" + name + "\\b|[.:#(]" + name + "\\b|\\b" + name + `[(.]|^(#|    |\t|=|-).*\b` + name + `\b`)
		fenced := false
		whole := word(name)
		return func(line string) bool {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				fenced = !fenced
				return false
			}
			return strings.Contains(line, name) && (re.MatchString(line) || fenced && whole.MatchString(line))
		}
	})
	// What one sort kept may have stood on a line that the other took.
	said := s.words()
	for name := range s.kept {
		if !said[name] {
			delete(s.kept, name)
			s.gone[name] = true
		}
	}
	s.declare(r, n/2)
	s.sign(r, n)
	return s
}

// unname takes half of the documented declarations of a sort out of the documents.
func (s *shade) unname(r *rand.Rand, n int, sort func(claims.Declaration) bool, lines func(name string) func(line string) bool) {
	count := map[string]int{}
	for _, d := range s.decls {
		count[d.Name]++
	}
	stands := func(name string) bool {
		for _, text := range s.docs {
			if strings.Contains(text, name) && slices.ContainsFunc(strings.Split(text, "\n"), lines(name)) {
				return true
			}
		}
		return false
	}
	said := s.words()
	var names []string
	for _, d := range s.decls {
		if count[d.Name] == 1 && len(d.Name) >= 4 && said[d.Name] && sort(d) && stands(d.Name) {
			names = append(names, d.Name)
		}
	}
	slices.Sort(names)
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	take := names[:min(n, (len(names)+1)/2)]
	for _, name := range take {
		for path, text := range s.docs {
			if strings.Contains(text, name) {
				s.docs[path] = without(text, lines(name))
			}
		}
	}
	for _, name := range names {
		// What stood on a line with one that was taken is gone with it. Of what is left
		// only that is known which is set as code.
		re := regexp.MustCompile("`" + name + `\b[^=:]|\w(\.|::|#)` + name + `\(`)
		switch {
		case !stands(name):
			s.gone[name] = true
		case inner.MatchString(name) || slices.ContainsFunc(slices.Collect(maps.Values(s.docs)), re.MatchString):
			s.kept[name] = true
		}
	}
}

// declare adds declarations whose names are made of words that the project uses.
func (s *shade) declare(r *rand.Rand, n int) {
	nouns := s.nouns(r)
	var files []string
	offers := map[string]bool{}
	for _, d := range s.decls {
		offers[d.Path] = true
	}
	for name, text := range s.code {
		if forms := declaring[s.lang[name]]; forms != "" && !strings.Contains(path.Base(name), "test") && offers[name] && text != "" {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	for k := 0; k < n && len(files) > 0; k++ {
		a, b := nouns[r.IntN(len(nouns))], nouns[r.IntN(len(nouns))]
		name := strings.ToUpper(a[:1]) + a[1:] + strings.ToUpper(b[:1]) + b[1:]
		file := files[r.IntN(len(files))]
		if s.gone[name] || s.declares(name) {
			continue
		}
		s.code[file] += fmt.Sprintf(declaring[s.lang[file]], name, a)
		s.gone[name] = true
	}
}

// declaring is how languages declare a function that others may use.
var declaring = map[string]string{
	"go":         "\n// %[1]s returns the %[2]s that is in use.\nfunc %[1]s(%[2]sID int) int { return %[2]sID }\n",
	"python":     "\n\ndef %[1]s(%[2]s_id):\n    return %[2]s_id\n",
	"typescript": "\nexport function %[1]s(%[2]sId: number) { return %[2]sId }\n",
}

// sign writes signatures into the documents, of functions that none gives there.
func (s *shade) sign(r *rand.Rand, n int) {
	var b strings.Builder
	b.WriteString("\n\n## Signatures\n\n")
	words := map[string]string{"go": "func ", "python": "def ", "javascript": "function ", "typescript": "function "}
	count := map[string]int{}
	for _, d := range s.decls {
		count[d.Name]++
	}
	said := s.words()
	k := 0
	for _, i := range r.Perm(len(s.decls)) {
		d := &s.decls[i]
		params := strings.Join(d.Params, ", ")
		if k == n || words[d.Language] == "" || d.Kind != "function" || d.Scope != "" || count[d.Name] > 1 || len(d.Params) == 0 || s.gone[d.Name] || said[d.Name] || strings.ContainsAny(params, "*{[(\n`") || strings.Contains(params, "..") {
			continue
		}
		if s.drifted[d.Name] = k%2 == 1; s.drifted[d.Name] {
			switch k / 2 % 3 {
			case 0: // one that was added to the code
				params = strings.Join(d.Params[:len(d.Params)-1], ", ")
			case 1: // one that was taken out of it
				params += map[bool]string{true: ", deadlineMS int", false: ", deadline_ms"}[d.Language == "go"]
			case 2: // another one
				params = strings.Join(append([]string{map[bool]string{true: "former complex64", false: "former"}[d.Language == "go"]}, d.Params[1:]...), ", ")
			}
		}
		line := words[d.Language] + d.Name + "(" + params + ")"
		s.lines[d.Name] = [2]string{line, words[d.Language] + d.Name + "(" + strings.Join(d.Params, ", ") + ")"}
		if k/2%2 == 0 {
			fmt.Fprintf(&b, "- `%s` is for those who need it\n", line)
		} else {
			fmt.Fprintf(&b, "\n```\n%s\n```\n\n", line)
		}
		k++
	}
	if k > 0 {
		s.docs[s.first] += b.String()
	}
}

// words returns the names that documents hold.
func (p *project) words() map[string]bool {
	out := map[string]bool{}
	for _, text := range p.docs {
		for _, w := range names.FindAllString(text, -1) {
			out[w] = true
		}
	}
	return out
}
