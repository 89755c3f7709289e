package library

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

// Resolve returns up to limit libraries that name may mean, each in its newest
// version with the labels of all: those so called, then those whose names begin
// so, then those that are spelt much like it; of equals the more trusted, then the
// larger. Case and punctuation do not count. Where no name fits, a library is meant that
// one of the words names, if the others say what it is: "the Express framework". That a
// description has a word of the name is no match: Next.js is no answer to "React.js".
func (d *DB) Resolve(ctx context.Context, name, query string, limit int) ([]Library, error) {
	all, err := d.newest(ctx)
	if err != nil || limit <= 0 {
		return nil, err
	}
	found := fitting(all, []string{name}, query, rank.NamesTwoLetters, limit)
	if len(found) == 0 {
		found = described(all, name, query, limit)
	}
	return found, nil
}

// Suggest returns up to limit libraries that have something of a name that none is called by.
func (d *DB) Suggest(ctx context.Context, name, query string, limit int) ([]Library, error) {
	all, err := d.newest(ctx)
	if err != nil {
		return nil, err
	}
	words := append(significant(name), significant(query)...)
	return fitting(all, append(words, name), query, rank.NumNames-1, limit), nil
}

// newest returns all libraries in their newest versions.
func (d *DB) newest(ctx context.Context) ([]Library, error) {
	var rows []row
	err := d.read(ctx, func(tx *sql.Tx) (err error) {
		rows, err = libraries(ctx, tx, "")
		return err
	})
	if err != nil {
		return nil, err
	}
	var all []Library
	for _, r := range rows {
		if len(all) == 0 || !strings.EqualFold(all[len(all)-1].ID, r.ID) {
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
	return all, nil
}

// significant returns the words of s that may name something.
func significant(s string) (words []string) {
	for _, w := range rank.Read(s, queries()).Words {
		if !w.Stop && len(w.Text) > 2 && len(words) < maxTerms {
			words = append(words, w.Text)
		}
	}
	return words
}

// kinds are words that say what a library is, not which.
var kinds = []string{"framework", "library", "package", "module", "sdk", "docs", "documentation", "api", "client", "javascript", "typescript", "python", "golang", "rust", "ruby", "php", "java", "version"}

// described returns the libraries that a word of name is the name of, where the other words
// are in what they say of themselves; of a question alone, those that a word names.
func described(all []Library, name, query string, limit int) []Library {
	words := significant(name)
	asked := len(words) == 0
	if asked {
		words = significant(query)
	}
	var out []Library
	for _, l := range all {
		keys := keysOf(&l)
		own, others := false, true
		for _, w := range words {
			low := text.Fold(w)
			switch {
			case fits(&l, keys, w) <= rank.NamesBare:
				own = true
			case !slices.Contains(kinds, low) && !hasWord(l.Title, low) && !hasWord(l.Description, low):
				others = false
			}
		}
		if own && (others || asked) {
			out = append(out, l)
		}
	}
	return fitting(out, words, query, rank.NamesTwoLetters, limit)
}

// fitting returns the libraries that any of names fits, by the signal worst or a better one,
// best first.
func fitting(all []Library, names []string, query string, worst, limit int) []Library {
	scorer := rank.Names().Scorer(rank.Variant{Kind: rank.Symbol}, len(all), false)
	var fit []*Library
	var asked []int // words of the query that a library has
	words := readQuestion(query).stems
	for i := range all {
		l, best := &all[i], rank.NumNames
		keys := keysOf(l)
		for _, n := range names {
			best = min(best, fits(l, keys, n))
		}
		if best > worst {
			continue
		}
		var values [rank.NumNames]float64
		values[best] = 1
		l.Respelt = best == rank.NamesOneLetter || best == rank.NamesTwoLetters
		scorer.Add(values[:], rank.Groups{})
		have, shared := readQuestion(l.Title+" "+l.Description).stems, 0
		for _, w := range words {
			if slices.Contains(have, w) {
				shared++
			}
		}
		fit, asked = append(fit, l), append(asked, shared)
	}
	var found []Library
	for _, r := range scorer.Rank(func(i, k int) int {
		a, b := fit[i], fit[k]
		return cmp.Or(cmp.Compare(b.Trust, a.Trust), cmp.Compare(asked[k], asked[i]), cmp.Compare(b.Snippets, a.Snippets), cmp.Compare(a.ID, b.ID))
	}) {
		if len(found) < limit {
			found = append(found, *fit[r.At])
		}
	}
	return found
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

// fits returns the best signal of a name that is asked for, NumNames where it does not
// fit a library.
func fits(l *Library, keys []string, name string) int {
	best := rank.NumNames
	want := squeeze(name)
	if want == "" {
		return best
	}
	for _, k := range keys {
		switch {
		case k == want:
			return rank.NamesSame
		case bare(k) == bare(want):
			best = min(best, rank.NamesBare)
		case strings.HasPrefix(k, want), len(k) > 2 && numbered(want, k):
			best = min(best, rank.NamesPrefix)
		case len(k) > 2 && strings.HasPrefix(want, k):
			best = min(best, rank.NamesBegins)
		case len(want) > 2 && strings.Contains(k, want):
			best = min(best, rank.NamesPart)
		case len(want) > 3 && best >= rank.NamesOneLetter:
			far := 1
			if len(want) > 6 {
				far = 2
			}
			if n := min(text.DistanceWithin(k, want, far), text.DistanceWithin(bare(k), bare(want), far)); n <= far {
				best = min(best, rank.NamesOneLetter+n-1)
			}
		}
	}
	low := text.Fold(name)
	if best > rank.NamesWord && hasWord(l.Title, low) {
		best = rank.NamesWord
	}
	if best > rank.NamesText && hasWord(l.Description, low) {
		best = rank.NamesText
	}
	return best
}

// numbered reports whether a name is another with a version behind it: "vue3", "nextjs15".
func numbered(name, other string) bool {
	rest, ok := strings.CutPrefix(name, other)
	return ok && rest != "" && strings.Trim(strings.TrimPrefix(rest, "v"), "0123456789") == ""
}

func hasWord(s, low string) (found bool) {
	text.Words([]byte(s), func(w []byte) { found = found || text.Fold(string(w)) == low })
	return found
}
