package engine

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/regex"
)

// maxOffered bounds how many names are collected, and from how many files.
const maxOffered = 4000

// OfferPaths returns paths of indexed files that begin with prefix, in any case, or whose last part does. The tree is not looked at.
func (e *Engine) OfferPaths(ctx context.Context, prefix string) (out []string, err error) {
	snap, err := e.ix.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	low := bytes.ToLower([]byte(prefix))
	err = snap.Paths(func(_ index.DocRef, path []byte) bool {
		whole := bytes.ToLower(path)
		if bytes.HasPrefix(whole, low) || bytes.HasPrefix(whole[bytes.LastIndexByte(whole, '/')+1:], low) {
			out = append(out, string(path))
		}
		return len(out) < maxOffered && ctx.Err() == nil
	})
	return out, err
}

// OfferNames returns names of indexed declarations that begin with prefix, in any case: with their scopes if prefix has a dot. The tree
// is not looked at. When ctx ends it returns the names so far beside its error.
func (e *Engine) OfferNames(ctx context.Context, prefix string) (out []string, err error) {
	snap, err := e.ix.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	refs, err := mayDeclare(ctx, snap, prefix)
	if err != nil {
		return nil, err
	}
	v := &View{e: e, Snap: snap}
	low, last := strings.ToLower(prefix), strings.ToLower(prefix[strings.LastIndexByte(prefix, '.')+1:])
	begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), last) }
	for _, ref := range refs {
		if ctx.Err() != nil || len(out) >= maxOffered {
			break
		}
		for _, d := range v.decls(ref, begins) {
			switch {
			case d.Name == "" || !begins(d.Name):
			case last == low:
				out = append(out, d.Name)
			case strings.HasPrefix(strings.ToLower(d.Qualified()), low):
				out = append(out, d.Qualified())
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), ctx.Err()
}

// mayDeclare returns documents that may declare a name that begins with prefix, by the trigrams of its longest word.
func mayDeclare(ctx context.Context, snap *index.Snapshot, prefix string) (refs []index.DocRef, err error) {
	word := ""
	for _, w := range strings.FieldsFunc(prefix, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > len(word) {
			word = w
		}
	}
	p, err := regex.Compile("(?i)"+regexp.QuoteMeta(word), regex.Options{})
	if err != nil {
		return nil, err
	}
	may := map[string]bool{}
	if err := snap.Matching(ctx, p.Query(), func(d index.DocInfo) bool {
		may[d.Path] = true
		return len(may) < maxOffered
	}); err != nil {
		return nil, err
	}
	err = snap.Paths(func(ref index.DocRef, path []byte) bool {
		if may[string(path)] {
			refs = append(refs, ref)
		}
		return len(refs) < len(may)
	})
	return refs, err
}
