package library

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/text"
)

// How well a name fits a library. Between two of them no trust decides.
const (
	noFit      = 0
	inText     = 10 // a word of its description
	fuzzy      = 30 // less the number of letters that differ
	partOfName = 40
	wordOfName = 50
	prefix     = 60
	sameStem   = 80 // "react.js" and "react"
	exact      = 100
)

// Resolve returns up to limit libraries that name may mean, each in its newest
// version with the labels of all: those so called, then those whose names begin
// so, then those that are spelt much like it; of equals the more trusted, then the
// larger. Case and punctuation do not count. Where no name fits, the words of
// query are tried.
func (d *DB) Resolve(ctx context.Context, name, query string, limit int) ([]Library, error) {
	var rows []row
	err := d.read(ctx, func(tx *sql.Tx) (err error) {
		rows, err = libraries(ctx, tx, "")
		return err
	})
	if err != nil || limit <= 0 {
		return nil, err
	}
	var all []Library // newest versions
	for _, r := range rows {
		if len(all) == 0 || all[len(all)-1].ID != r.ID {
			all = append(all, r.Library)
		}
		last := &all[len(all)-1]
		last.Versions = append(last.Versions, r.Version)
	}
	for i := range all {
		if slices.Equal(all[i].Versions, []string{Latest}) {
			all[i].Versions = nil // it cannot be asked for by any other name
		}
	}
	found := fitting(all, []string{name}, query, limit)
	if len(found) == 0 {
		var words []string
		for _, s := range []string{name, query} {
			text.Words([]byte(s), func(w []byte) {
				if len(w) > 2 && !text.Prose().Stop(w) && len(words) < maxTerms {
					words = append(words, string(w))
				}
			})
		}
		found = fitting(all, words, query, limit)
	}
	return found, nil
}

// fitting returns the libraries that any of names fits, best first.
func fitting(all []Library, names []string, query string, limit int) []Library {
	type ranked struct {
		Library
		fit, asked int
	}
	var out []ranked
	for _, l := range all {
		keys := keysOf(&l)
		r := ranked{Library: l}
		for _, n := range names {
			r.fit = max(r.fit, fit(&l, keys, n))
		}
		if r.fit == noFit {
			continue
		}
		r.asked = shared(l.Title+" "+l.Description, query)
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.fit, a.fit), cmp.Compare(b.Trust, a.Trust), cmp.Compare(b.asked, a.asked),
			cmp.Compare(b.Snippets, a.Snippets), cmp.Compare(a.ID, b.ID))
	})
	var found []Library
	for _, r := range out[:min(limit, len(out))] {
		found = append(found, r.Library)
	}
	return found
}

// shared counts the words of query that are in s.
func shared(s, query string) (n int) {
	words := newVocabulary()
	have := stems(s, words)
	for _, w := range stems(query, words) {
		if slices.Contains(have, w) {
			n++
		}
	}
	return n
}

// keysOf returns what a library is called, squeezed.
func keysOf(l *Library) []string {
	keys := []string{squeeze(l.ID), squeeze(l.ID[strings.LastIndexByte(l.ID, '/')+1:]), squeeze(l.Title)}
	for _, a := range l.Aliases {
		keys = append(keys, squeeze(a), squeeze(a[strings.LastIndexByte(a, '/')+1:]))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if keys[0] == "" {
		keys = keys[1:]
	}
	return keys
}

// squeeze returns the letters and digits of s, folded: "Next.js" is "nextjs".
func squeeze(s string) string {
	return text.Fold(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s))
}

// bare cuts what names of packages and of repositories add to a name.
func bare(key string) string {
	for _, end := range []string{"js", "py", "docs", "lang", "org", "com", "dev"} {
		if s, ok := strings.CutSuffix(key, end); ok && len(s) > 1 {
			return s
		}
	}
	return key
}

func fit(l *Library, keys []string, name string) (best int) {
	want := squeeze(name)
	if want == "" {
		return noFit
	}
	for _, k := range keys {
		switch {
		case k == want:
			return exact
		case bare(k) == bare(want):
			best = max(best, sameStem)
		case strings.HasPrefix(k, want), len(k) > 2 && strings.HasPrefix(want, k):
			best = max(best, prefix)
		case len(want) > 2 && strings.Contains(k, want):
			best = max(best, partOfName)
		case len(want) > 3 && best < fuzzy:
			far := 1
			if len(want) > 6 {
				far = 2
			}
			if n := min(text.DistanceWithin(k, want, far), text.DistanceWithin(bare(k), bare(want), far)); n <= far {
				best = max(best, fuzzy-n)
			}
		}
	}
	low := text.Fold(name)
	if best < wordOfName && hasWord(l.Title, low) {
		best = wordOfName
	}
	if best < inText && hasWord(l.Description, low) {
		best = inText
	}
	return best
}

func hasWord(s, low string) (found bool) {
	text.Words([]byte(s), func(w []byte) { found = found || text.Fold(string(w)) == low })
	return found
}

// stems returns the first term of each word that is no stop word.
func stems(s string, words *vocabulary) (out []string) {
	text.Words([]byte(s), func(w []byte) {
		if !text.Prose().Stop(w) {
			out = append(out, words.Of(w)[0])
		}
	})
	return out
}
