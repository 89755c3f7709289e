package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/code/engine"
)

// A kind of query, and how to call it in the table.
type kind int

const (
	symbolQuery kind = iota
	phraseQuery
	questionQuery
	issueQuery
	kinds
)

func (k kind) String() string {
	return [...]string{"symbol", "3 words", "20-word question", "issue of 4,000 characters"}[k]
}

const (
	phraseWords   = 3
	questionWords = 20
	issueLetters  = 4000
)

// sample draws n queries of each kind from a tree: declared names, and words that
// follow one another in its comments and texts, which is how people write.
func sample(e *engine.Engine, v *engine.View, n int) (queries [kinds][]string, err error) {
	docs, err := documents(v)
	if err != nil || len(docs) == 0 {
		return queries, errors.Join(err, errors.New("the tree has nothing to draw queries from"))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for tries := 0; tries < 200*n; tries++ {
		if len(queries[symbolQuery]) == n && len(queries[phraseQuery]) == n && len(queries[questionQuery]) == n && len(queries[issueQuery]) == n {
			return queries, nil
		}
		d := docs[rng.IntN(len(docs))]
		if len(queries[symbolQuery]) < n {
			chunks, err := v.Snap.Chunks(d.Path)
			if err != nil {
				return queries, err
			}
			var names []string
			for _, c := range chunks {
				for _, s := range c.Symbols {
					if len(s.Name) > 3 && !strings.ContainsAny(s.Name, " \t") {
						names = append(names, s.Name)
					}
				}
			}
			if len(names) > 0 {
				queries[symbolQuery] = append(queries[symbolQuery], names[rng.IntN(len(names))])
			}
		}
		text, err := os.ReadFile(e.Abs(d.Path))
		if err != nil {
			return queries, err
		}
		words := prose(string(text))
		if len(queries[issueQuery]) < n && len(words) >= questionWords {
			queries[issueQuery] = append(queries[issueQuery], issue(rng, words, string(text), d.Path))
		}
		if len(queries[phraseQuery]) < n && len(words) >= phraseWords {
			queries[phraseQuery] = append(queries[phraseQuery], stretch(rng, words, phraseWords))
		}
		if len(queries[questionQuery]) < n && len(words) >= questionWords {
			queries[questionQuery] = append(queries[questionQuery], "where "+stretch(rng, words, questionWords-1)+"?")
		}
	}
	if len(queries[issueQuery]) == 0 || len(queries[symbolQuery]) == 0 || len(queries[questionQuery]) == 0 {
		return queries, errors.New("the tree has too little text to draw queries from")
	}
	return queries, nil
}

// issue returns what somebody might report of a file: a title, prose, a stack trace and code.
func issue(rng *rand.Rand, words []string, code, path string) string {
	var b strings.Builder
	b.WriteString(stretch(rng, words, 8) + "\n\n### Describe the bug\n\n")
	for range 4 {
		b.WriteString(stretch(rng, words, questionWords) + ".\n")
	}
	lines := strings.Split(code, "\n")
	b.WriteString("\n```\n")
	for n := 1; n < len(lines) && n < 100; n += 10 {
		fmt.Fprintf(&b, "  File \"/home/user/lib/%s\", line %d, in f\n    %s\n", path, n, lines[n])
	}
	for b.Len() < issueLetters {
		b.WriteString(lines[rng.IntN(len(lines))] + "\n")
	}
	return b.String()[:issueLetters-4] + "\n```"
}

// stretch returns n words that follow one another.
func stretch(rng *rand.Rand, words []string, n int) string {
	return strings.Join(words[rng.IntN(len(words)-n+1):][:n], " ")
}

// prose returns the words of a text's comments, or of all of it where it has few.
func prose(text string) []string {
	var comments strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"//", "#", "*", "--", ";"} {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				comments.WriteString(rest)
				comments.WriteByte(' ')
				break
			}
		}
	}
	if words := plainWords(comments.String()); len(words) >= questionWords {
		return words
	}
	return plainWords(text)
}

func plainWords(text string) (words []string) {
	for _, w := range strings.Fields(text) {
		w = strings.Trim(w, ".,;:!?()[]{}\"'`")
		if len(w) > 1 && len(w) < 20 && strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 {
			words = append(words, w)
		}
	}
	return words
}
