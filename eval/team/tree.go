package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const seed = 1

// A pool is what users ask for: names that are declared in a tree, and what comments say.
type pool struct {
	names, words []string
}

var (
	declared = regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |def |class |function )([A-Za-z_]\w{3,40})`)
	remark   = regexp.MustCompile(`(?m)^\s*(?://|#|\*) ([A-Za-z][^\n]{40,200})$`)
)

// add adds what a text declares and says.
func (p *pool) add(text []byte) {
	for _, m := range declared.FindAllSubmatch(text, 200) {
		p.names = append(p.names, string(m[1]))
	}
	for _, m := range remark.FindAllSubmatch(text, 50) {
		p.words = append(p.words, string(m[1]))
	}
}

// join returns what two pools have.
func (p pool) join(q pool) pool {
	return pool{slices.Concat(p.names, q.names), slices.Concat(p.words, q.words)}
}

// copyTree copies the files of a tree below some folders, all where none is named, without what is
// hidden, and returns how many there are and what may be asked for.
func copyTree(from, to string, folders ...string) (files int, bytes int64, p pool, err error) {
	if len(folders) == 0 {
		folders = []string{"."}
	}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(from, folder), func(at string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if name := e.Name(); strings.HasPrefix(name, ".") && at != from {
				if e.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
				return err
			}
			text, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(from, at)
			if err != nil {
				return err
			}
			target := filepath.Join(to, rel)
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			files, bytes = files+1, bytes+info.Size()
			p.add(text)
			return os.WriteFile(target, text, 0o644)
		})
		if err != nil {
			return 0, 0, p, err
		}
	}
	if len(p.names) == 0 || len(p.words) == 0 {
		return 0, 0, p, fmt.Errorf("%s has no declarations or comments to ask for", from)
	}
	return files, bytes, p, nil
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// some returns a few words of a text that follow each other.
func some(r *rand.Rand, text string) string {
	words := strings.Fields(text)
	n := min(len(words), 4+r.IntN(5))
	at := r.IntN(len(words) - n + 1)
	return strings.Join(words[at:at+n], " ")
}
