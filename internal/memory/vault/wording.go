package vault

import (
	"context"
	"github.com/assay-dev/assay/internal/base/slice"
	"slices"
	"strconv"
	"strings"
)

// A Wording is how a note is asked for in other words than its own. It is in the front matter of the note, and
// counts when the note is looked for; it is not shown as text of the note.
type Wording struct {
	Asked    []string // questions that the note answers
	Keywords []string
}

// The keys of front matter that have a Wording, and how much of it is kept.
const (
	askedKey     = "asked"
	keywordsKey  = "keywords"
	maxQuestions = 10 // and as many keywords
)

// clean returns a wording as it is kept, and how many secrets were removed from it.
func (w Wording) clean() (out Wording, removed int) {
	each := func(all []string) (kept []string) {
		for _, s := range all {
			clean, n := Clean([]byte(s))
			removed += n
			s = strings.ToValidUTF8(strings.Join(strings.Fields(string(clean)), " "), "")
			if len(s) > maxName {
				s = strings.ToValidUTF8(s[:maxName], "")
			}
			if s != "" && !slices.Contains(kept, s) && len(kept) < maxQuestions {
				kept = append(kept, s)
			}
		}
		return kept
	}
	out = Wording{Asked: each(w.Asked), Keywords: each(w.Keywords)}
	return out, removed
}

func (w Wording) isEmpty() bool { return len(w.Asked) == 0 && len(w.Keywords) == 0 }

// writeInto returns a note with the wording in its front matter. A list that is empty leaves the note's own.
func (w Wording) writeInto(raw []byte) []byte {
	if len(w.Keywords) > 0 {
		raw = setFront(raw, keywordsKey, yamlList(w.Keywords))
	}
	if len(w.Asked) > 0 {
		raw = setFront(raw, askedKey, yamlList(w.Asked))
	}
	return raw
}

func yamlList(all []string) string {
	quoted := slice.Map(all, strconv.Quote)
	return "[" + strings.Join(quoted, ", ") + "]"
}

// An Unasked is a note without questions that it answers.
type Unasked struct {
	Path, Title, Text string
}

// Unasked returns the first notes, by path, that have text and no questions that they answer, and the number of all.
func (m *Memory) Unasked(ctx context.Context, most int) (first []Unasked, all int, err error) {
	root, err := m.root()
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	err = m.eachNote(ctx, root, func(rel string, raw []byte) {
		if isCanvas(rel) || !lacksQuestions(raw) {
			return
		}
		if all++; len(first) < most {
			clean, _ := Clean(raw)
			_, body, _ := cutFront(clean)
			p := readNote(rel, clean, m.cfg.ChunkTokens, 0)
			first = append(first, Unasked{Path: rel, Title: p.title, Text: strings.TrimSpace(string(body))})
		}
	})
	return first, all, err
}

// lacksQuestions reports whether a file is a note with text, and no digest of a session, for which nobody has
// written questions.
func lacksQuestions(raw []byte) bool {
	if notText(raw) {
		return false
	}
	head, body, _ := cutFront(raw)
	f := readFront(head)
	return len(f.asked) == 0 && f.session == "" && bodyHash(string(body)) != nil
}

// Reword writes a wording into a note and indexes it; false: the note says so already.
func (m *Memory) Reword(ctx context.Context, where string, w Wording) (changed bool, err error) {
	root, err := m.root()
	if err != nil {
		return false, err
	}
	defer root.Close()
	rel, err := m.existing(root, where)
	if err != nil {
		return false, err
	}
	unlock, err := m.lock(ctx, ".store", false)
	if err != nil {
		return false, err
	}
	defer unlock()
	w, _ = w.clean()
	return m.rewrite(ctx, root, rel, func(raw []byte) ([]byte, error) {
		return w.writeInto(raw), m.exact(root, rel, true)
	})
}
