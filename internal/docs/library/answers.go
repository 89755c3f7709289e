package library

import "github.com/assay-dev/assay/internal/base/cache"

const (
	keepAnswers = 4 << 20 // bytes: some three hundred answers of the usual budget
	perSnippet  = 300     // of a snippet beside its texts
)

// An answerKey is what an answer depends on. The version is known by its checksum, which no two
// share; one that has none is asked each time.
type answerKey struct {
	checksum, id, query string
	options             Options
}

type answers = cache.Map[answerKey, DocsAnswer]

func newAnswers() *answers { return cache.New[answerKey, DocsAnswer](keepAnswers) }

func (a *DocsAnswer) bytes() int {
	n := perSnippet
	for i := range a.Snippets {
		s := &a.Snippets[i]
		n += perSnippet*(1+len(s.Breakdown)) + len(s.Title) + len(s.Breadcrumb) + len(s.Path) + len(s.URL) + len(s.Content)
	}
	return n
}
