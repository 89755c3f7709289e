//go:build team

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/timed"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// first is how many hits are looked at.
const first = 10

// remark is a comment that may be asked for.
var remark = regexp.MustCompile(`(?m)^\s*(?://|#|\*) ([A-Za-z][^\n]{40,200})$`)

// A sought is a few words of a comment and the file that has it.
type sought struct{ words, path string }

// An asker is a form of the index that answers.
type asker struct {
	name string
	f    *code.Feature
}

// answers says how the same questions are answered from both forms.
func answers(ctx context.Context, url string, n int, folder string) error {
	root, err := filepath.Abs(folder)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return err
	}
	asked, err := comments(root, n)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "answers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	corpus := fmt.Sprint("answers ", time.Now().UnixNano())
	first, err := open(ctx, url, corpus)
	if err != nil {
		return err
	}
	defer func() { _ = first.Drop(ctx); first.Close() }()
	fmt.Println("machine  ", timed.Machine())
	var forms []asker
	for _, name := range []string{"folder", "server"} {
		c := workspace.Config{WorkDir: root, CacheDir: filepath.Join(dir, name), IndexDir: filepath.Join(dir, name, "index"),
			Embedder: func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }}
		if name == "server" {
			c.Backend = func(ctx context.Context, _ string) (index.Backend, error) {
				return openPlace(ctx, index.RemotePlace{URL: url, Corpus: corpus, Whole: true}) // as commands do
			}
		}
		f := code.New(workspace.New(c), code.Config{Trajectory: code.NoTrajectory})
		defer func() { _ = f.Close() }()
		start := time.Now()
		got, err := f.Index(ctx, code.IndexInput{Place: code.Place{Root: root}, Quiet: true})
		if err != nil {
			return err
		}
		forms = append(forms, asker{name, f})
		fmt.Printf("%-10s %d files, %d chunks, indexed in %s\n", name, got.Files, got.Chunks, time.Since(start).Round(100*time.Millisecond))
	}
	for _, mode := range []string{"hybrid", "semantic", "lexical"} {
		if err := compare(ctx, mode, root, forms, asked); err != nil {
			return err
		}
	}
	return nil
}

// compare asks both forms in a mode.
func compare(ctx context.Context, mode, root string, forms []asker, asked []sought) error {
	var sums [2]float64
	var took [2][]time.Duration
	same := 0
	for _, q := range asked {
		var said [2]string
		for i, form := range forms {
			in := code.SearchInput{Query: q.words, TopK: 4 * first, Hybrid: mode == "hybrid", Semantic: mode == "semantic", Lexical: mode == "lexical", Place: code.Place{Root: root}}
			start := time.Now()
			a, err := form.f.Search(ctx, in)
			if err != nil {
				return fmt.Errorf("%s: %q: %w", form.name, q.words, err)
			}
			took[i] = append(took[i], time.Since(start))
			var files []string
			seen := map[string]bool{}
			for _, h := range a.Hits {
				if !seen[h.Path] && len(files) < first {
					seen[h.Path] = true
					files = append(files, h.Path)
				}
			}
			for rank, path := range files {
				if path == q.path {
					sums[i] += 1 / math.Log2(float64(rank)+2)
				}
			}
			said[i] = strings.Join(files, "\n")
		}
		if said[0] == said[1] {
			same++
		}
	}
	n := float64(len(asked))
	fmt.Printf("%-10s NDCG@%d %s %.4f, %s %.4f of %d questions, a difference of %+.4f; the same files in order for %d; p50 %s and %s, p99 %s and %s\n", mode, first,
		forms[0].name, sums[0]/n, forms[1].name, sums[1]/n, len(asked), (sums[1]-sums[0])/n, same, at(took[0], 50), at(took[1], 50), at(took[0], 99), at(took[1], 99))
	return nil
}

// comments draws questions from a tree: a few words, in a row, of comments.
func comments(root string, n int) ([]sought, error) {
	var all []sought
	r := rand.New(rand.NewSource(1))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if v := discover.Classify(path, text); !v.Index || !v.Text {
			return nil
		}
		said := remark.FindAllSubmatch(text, 100)
		if len(said) == 0 {
			return nil
		}
		words := strings.Fields(string(said[r.Intn(len(said))][1]))
		k := min(len(words), 4+r.Intn(5))
		at := r.Intn(len(words) - k + 1)
		all = append(all, sought{strings.Join(words[at:at+k], " "), path})
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errors.New("the folder has no comments to ask for")
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))], err
}
