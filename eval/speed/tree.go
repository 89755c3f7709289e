package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/config"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
)

// copyTree copies a tree without the index that may lie in it, and waits until
// its files have settled.
func (b *bench) copyTree(from string) (string, error) {
	fmt.Fprintln(b.log, "copying the tree ...")
	to := filepath.Join(b.work, "tree")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return "", fmt.Errorf("copy %s: %w", from, err)
	}
	if err := os.RemoveAll(filepath.Join(to, ".assay")); err != nil {
		return "", err
	}
	time.Sleep(settle)
	return to, nil
}

// owner is whom the program takes an index from: the user, by the secret beside the settings. An index
// of nobody's it would not trust, and make anew for each question.
func owner() (safe.Identity, error) {
	return safe.OpenIdentity(filepath.Dir(config.UserFile(os.LookupEnv, runtime.GOOS)))
}

// open opens a tree with an index of its own below the scratch folder.
func (b *bench) open(ctx context.Context, tree, name string) (*engine.Engine, error) {
	e, err := engine.Open(ctx, engine.Config{Root: tree, IndexDir: filepath.Join(b.work, name), Owner: owner})
	if err != nil {
		return nil, err
	}
	if why := e.Unusable(); why != "" {
		e.Close()
		return nil, fmt.Errorf("no index can be written: %s", why)
	}
	return e, nil
}

// synced opens a tree and makes its index agree with it.
func (b *bench) synced(ctx context.Context, tree, name string) (*engine.Engine, error) {
	e, err := b.open(ctx, tree, name)
	if err != nil {
		return nil, err
	}
	if _, err := e.Sync(ctx, engine.Options{}); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// unchanged fails where a refresh finds anything to do: then it is not a refresh
// with nothing to do that is measured.
func unchanged(ctx context.Context, e *engine.Engine) error {
	rep, err := e.Sync(ctx, engine.Options{})
	if err == nil && rep.Changed+rep.Removed > 0 {
		err = fmt.Errorf("%d files seem changed and %d removed in a tree that nobody touched", rep.Changed, rep.Removed)
	}
	return err
}

// documents returns the indexed documents of a view, by path: the order of the
// index depends on who indexed what first.
func documents(v *engine.View) ([]index.DocInfo, error) {
	var docs []index.DocInfo
	err := v.Snap.Docs(func(d index.DocInfo) bool {
		if d.Chunks > 0 {
			docs = append(docs, d)
		}
		return true
	})
	slices.SortFunc(docs, func(a, b index.DocInfo) int { return strings.Compare(a.Path, b.Path) })
	return docs, err
}

// makeTree writes a tree of n small source files, a hundred to a folder.
func makeTree(dir string, n int) error {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	word := func() string { return syllables[rng.IntN(len(syllables))] + syllables[rng.IntN(len(syllables))] }
	for i := range n {
		folder := filepath.Join(dir, fmt.Sprintf("p%03d", i/10000), fmt.Sprintf("q%03d", i/100%100))
		if i%100 == 0 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
		}
		var s strings.Builder
		fmt.Fprintf(&s, "package q%03d\n", i/100%100)
		for range 3 {
			a, b := word(), word()
			fmt.Fprintf(&s, "\n// %s%d %s the %s of a %s.\nfunc %s%d(%s int) int {\n\treturn %s + %d\n}\n", a, i, b, word(), word(), a, i, b, b, rng.IntN(1000))
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("f%06d.go", i)), []byte(s.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

var syllables = strings.Fields("ba co di fu ga he ju ki lo ma ne po qua ri so tu va wen xa yo zi bra cle dro fla gri stu tre plo ska")
