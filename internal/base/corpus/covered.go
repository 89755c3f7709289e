package corpus

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// An Extent says whether an answer is based on the whole tree. An incomplete answer must not be taken as proof of absence.
type Extent struct {
	Complete bool      `json:"complete"`
	Indexing *Indexing `json:"indexing,omitempty"` // the progress, if the answer is incomplete
	Frozen   bool      `json:"-"`                  // the caller asked for no indexing
}

// An Indexing is the progress of reading a tree's files.
type Indexing struct {
	Done  int      `json:"done"`
	Total int      `json:"total"`
	Words []string `json:"words,omitempty"` // of the question: every file that has one of these is among those read
}

// Lack returns why an answer of that extent is incomplete and how to complete it, or "" if it is complete.
func (x Extent) Lack() string {
	switch {
	case x.Complete:
		return ""
	case x.Indexing == nil || x.Indexing.Done >= x.Indexing.Total && !x.Frozen:
		return "still indexing: a part of the index is being rebuilt; ask again"
	}
	if x.Frozen {
		return fmt.Sprintf("not refreshed: the index has %s of %s files as they are now; ask without --no-refresh", Thousands(x.Indexing.Done), Thousands(x.Indexing.Total))
	}
	among := ""
	if len(x.Indexing.Words) > 0 {
		among = fmt.Sprintf(", among them every file that has %q", x.Indexing.Words)
		among = strings.NewReplacer("[", "", "]", "", `" "`, `", "`).Replace(among)
	}
	return fmt.Sprintf("still indexing: %s of %s files read%s; ask again", Thousands(x.Indexing.Done), Thousands(x.Indexing.Total), among)
}

// Thousands formats a number with separators: 4,100.
func Thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// UnreadLanguage is the reason of files whose language nothing here reads.
const UnreadLanguage = "language"

// A NotCovered counts the files that an answer does not cover, by reason.
type NotCovered struct {
	Files     int            `json:"files"`
	Reasons   map[string]int `json:"reasons,omitempty"`   // of those files: "binary", "oversize", "language" …
	Languages map[string]int `json:"languages,omitempty"` // of those whose language is not read
	Ignored   int            `json:"ignored,omitempty"`   // entries that are never looked at; a folder counts once
	Stale     int            `json:"stale,omitempty"`     // changed files that are not yet indexed
}

// Add counts n files.
func (c *NotCovered) Add(why string, n int) {
	if n == 0 {
		return
	}
	if c.Reasons == nil {
		c.Reasons = map[string]int{}
	}
	c.Reasons[why] += n
	c.Files += n
}

// Clone returns a copy that can be added to.
func (c *NotCovered) Clone() NotCovered {
	out := *c
	out.Reasons, out.Languages = maps.Clone(c.Reasons), maps.Clone(c.Languages)
	return out
}

// AddLanguage counts a file whose language is not read.
func (c *NotCovered) AddLanguage(language string) {
	c.Add(UnreadLanguage, 1)
	if c.Languages == nil {
		c.Languages = map[string]int{}
	}
	c.Languages[language]++
}

// String names the reasons, most files first: "binary 9, minified 2, perl 1".
func (c *NotCovered) String() string {
	type reason struct {
		name string
		n    int
	}
	var all []reason
	for name, n := range c.Reasons {
		switch name {
		case UnreadLanguage:
			continue
		case "oversize":
			name = "too large"
		}
		all = append(all, reason{name, n})
	}
	for name, n := range c.Languages {
		name = cmp.Or(name, "of no known language")
		all = append(all, reason{name, n})
	}
	sorting.Stable(all, func(a, b reason) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return strings.Compare(a.name, b.name)
	})
	parts := make([]string, len(all))
	for i, r := range all {
		parts[i] = fmt.Sprintf("%s %d", r.name, r.n)
	}
	return strings.Join(parts, ", ")
}
