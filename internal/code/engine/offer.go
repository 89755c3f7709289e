package engine

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/code/index"
)

// maxOffered bounds how many paths and names are collected.
const maxOffered = 4000

// OfferPaths returns paths of the files of snap that begin with prefix, in any case, or whose last part does.
func OfferPaths(ctx context.Context, snap *index.Snapshot, prefix string) (out []string, err error) {
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

// OfferNames returns names of the declarations of snap that begin with prefix, in any case: with their scopes if prefix has a dot.
// When ctx ends it returns the names so far beside its error.
func OfferNames(ctx context.Context, snap *index.Snapshot, prefix string) (out []string, err error) {
	v := &View{Snap: snap}
	low, last := strings.ToLower(prefix), strings.ToLower(prefix[strings.LastIndexByte(prefix, '.')+1:])
	begins := func(name string) bool { return name != "" && strings.HasPrefix(strings.ToLower(name), last) }
	err = snap.Paths(func(ref index.DocRef, _ []byte) bool {
		for _, d := range v.decls(ref, begins) {
			name := d.Name
			if last != low {
				name = d.Qualified()
			}
			if begins(d.Name) && strings.HasPrefix(strings.ToLower(name), low) {
				out = append(out, name)
			}
		}
		return len(out) < maxOffered && ctx.Err() == nil
	})
	slices.Sort(out)
	return slices.Compact(out), cmp.Or(err, ctx.Err())
}
