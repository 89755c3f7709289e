// Words measures what the words that a caller guesses are worth (search --words): questions to
// source trees, alone and with guesses that are right, wrong or mixed.
//
//	go run ./eval/words -data DIR -trees DIR
//
// -data is a folder with questions.jsonl (id, project, query, files) and words.jsonl (id and lists
// of guesses, separated by spaces, by whoever saw the questions alone); -trees has a folder of each
// project at its commit. Questions without files have no answer, and count as "absent". testdata/own has
// questions about this program; its tree is a clone named assay.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A question is one line of questions.jsonl.
type question struct {
	ID      string   `json:"id"`
	Project string   `json:"project"`
	URL     string   `json:"url"`
	Query   string   `json:"query"`
	Files   []string `json:"files"`
}

type options struct {
	data, trees string
	mode        rank.Mode
	projects    []string
	verbose     bool
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", "", "folder with questions.jsonl and words.jsonl (required)")
	flag.StringVar(&o.trees, "trees", "", "folder with a tree of each project; indexes are written beside the trees (required)")
	flag.BoolVar(&o.verbose, "v", false, "print the rank of the first right file of every question")
	flag.Func("mode", "hybrid, semantic or lexical (default hybrid)", func(s string) error {
		for _, m := range []rank.Mode{rank.Hybrid, rank.Semantic, rank.Lexical} {
			if o.mode = m; m.String() == s {
				return nil
			}
		}
		return fmt.Errorf("unknown mode %q: use hybrid, semantic or lexical", s)
	})
	flag.Func("project", "only this project (repeats)", func(s string) error { o.projects = append(o.projects, s); return nil })
	flag.Parse()
	if o.data == "" || o.trees == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "words: %v\n", err)
		os.Exit(1)
	}
}

// A set is the questions of all projects and the guesses of each.
type set struct {
	of       map[string][]question // by project
	projects []string
	guesses  map[string]map[string]string // by question, by kind
}

func readSet(dir string, only []string) (*set, error) {
	s := &set{of: map[string][]question{}, guesses: map[string]map[string]string{}}
	if err := eachLine(filepath.Join(dir, "questions.jsonl"), func(raw []byte) error {
		var q question
		if err := json.Unmarshal(raw, &q); err != nil {
			return err
		}
		if q.URL != "" {
			if err := keptaside.Check(strings.TrimPrefix(q.URL, "https://github.com/")); err != nil {
				return err
			}
		}
		s.of[q.Project] = append(s.of[q.Project], q)
		return nil
	}); err != nil {
		return nil, err
	}
	if err := eachLine(filepath.Join(dir, "words.jsonl"), func(raw []byte) error {
		var w map[string]string
		if err := json.Unmarshal(raw, &w); err != nil {
			return err
		}
		s.guesses[w["id"]] = w
		return nil
	}); err != nil {
		return nil, err
	}
	s.projects = slices.Sorted(maps.Keys(s.of))
	if len(only) > 0 {
		s.projects = only
	}
	return s, nil
}

func eachLine(name string, do func([]byte) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if err := do(lines.Bytes()); err != nil {
			return fmt.Errorf("%s, line %d: %w", name, n, err)
		}
	}
	return lines.Err()
}

// A condition is what a question is asked with.
type condition struct {
	name    string
	guesses []string
}

// conditions returns the ways to ask a question. Wrong guesses are those of a question of another
// project, and of another question of the same project.
func (s *set) conditions(project string, at int, draw *rand.Rand) []condition {
	answered := func(project string) []question {
		return slices.DeleteFunc(slices.Clone(s.of[project]), func(q question) bool { return len(q.Files) == 0 })
	}
	all := slices.Sorted(maps.Keys(s.of))
	next := answered(all[(slices.Index(all, project)+1)%len(all)])
	q, same := s.of[project][at], answered(project)
	right, other := s.guesses[q.ID], s.guesses[next[at%len(next)].ID]
	sibling := s.guesses[same[(at+1)%len(same)].ID]
	if same[(at+1)%len(same)].ID == q.ID {
		sibling = s.guesses[same[(at+2)%len(same)].ID]
	}
	some := func(words string, n int) []string {
		list := strings.Fields(words)
		draw.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list[:min(n, len(list))]
	}
	return []condition{
		{"question alone", nil},
		{"words", []string{right["tech"]}},
		{"identifiers", []string{right["ids"]}},
		{"words and identifiers", []string{right["tech"], right["ids"]}},
		{"8 wrong words, another project", some(other["tech"], 8)},
		{"8 wrong identifiers, another project", some(other["ids"], 8)},
		{"8 wrong words, another question", some(sibling["tech"], 8)},
		{"8 wrong identifiers, another question", some(sibling["ids"], 8)},
		{"3 right words, 5 wrong identifiers", append(some(right["tech"], 3), some(other["ids"], 5)...)},
		{"3 right identifiers, 5 wrong", append(some(right["ids"], 3), some(other["ids"], 5)...)},
	}
}

// Figures are the sums of one condition.
type figures struct {
	n                  int
	ndcg, first, ten   float64
	absent, absentSure int // questions without an answer, and those of them whose best hit is called sure
	sure               int // answered questions whose best hit is called sure
}

func run(ctx context.Context, o options, w io.Writer) error {
	s, err := readSet(o.data, o.projects)
	if err != nil {
		return err
	}
	p, err := embed.Open(embed.Config{Provider: "static"})
	if err != nil {
		return err
	}
	total, byProject := map[string]*figures{}, map[string]map[string]*figures{}
	var order []string
	for _, project := range s.projects {
		byProject[project] = map[string]*figures{}
		ask, end, err := openProject(ctx, o, project, p)
		if err != nil {
			return fmt.Errorf("%s: %w", project, err)
		}
		draw := rand.New(rand.NewPCG(1, uint64(len(project))))
		for at, q := range s.of[project] {
			for _, c := range s.conditions(project, at, draw) {
				paths, sure, err := ask(q.Query, c.guesses)
				if err != nil {
					return err
				}
				for _, of := range []map[string]*figures{total, byProject[project]} {
					if of[c.name] == nil {
						of[c.name] = &figures{}
					}
					of[c.name].add(q, paths, sure)
				}
				if !slices.Contains(order, c.name) {
					order = append(order, c.name)
				}
				if o.verbose {
					at := slices.IndexFunc(paths, func(p string) bool { return slices.Contains(q.Files, p) })
					fmt.Fprintf(w, "%s\t%s\t%d\n", q.ID, c.name, at+1)
				}
			}
		}
		end()
	}
	report(w, order, total, byProject)
	return nil
}

// An asker answers a question with guesses by the files of its hits, each once, and says whether
// the best hit reaches the score that is called sure.
type asker func(query string, guesses []string) (paths []string, sure bool, err error)

// openProject indexes the tree of a project.
func openProject(ctx context.Context, o options, project string, p embed.Provider) (asker, func(), error) {
	root, err := filepath.EvalSymlinks(filepath.Join(o.trees, project))
	if err != nil {
		return nil, nil, err
	}
	e, err := engine.Open(ctx, engine.Config{Root: root, IndexDir: filepath.Join(o.trees, "."+project+".index"), Embedder: p})
	if err != nil {
		return nil, nil, err
	}
	if _, err := e.Sync(ctx, engine.Options{}); err != nil {
		return nil, nil, err
	}
	v, err := e.Frozen(ctx)
	if err != nil {
		return nil, nil, err
	}
	return func(query string, guesses []string) (paths []string, sure bool, err error) {
		plan, err := v.Plan(query, o.mode, guesses...)
		if err != nil {
			return nil, false, err
		}
		a, err := v.Search(ctx, engine.Query{Plan: plan, Most: 100, Exact: true})
		if err != nil {
			return nil, false, err
		}
		for _, h := range a.Hits {
			if !slices.Contains(paths, h.Doc.Path) {
				paths = append(paths, h.Doc.Path)
			}
		}
		return paths, len(a.Hits) > 0 && a.Hits[0].Score >= rank.Sure, nil
	}, func() { e.Close() }, nil
}

// depth is how many files count.
const depth = 10

func (f *figures) add(q question, paths []string, sure bool) {
	if len(q.Files) == 0 {
		f.absent++
		if sure {
			f.absentSure++
		}
		return
	}
	f.n++
	if sure {
		f.sure++
	}
	gain, ideal, found := 0.0, 0.0, false
	for i, path := range paths[:min(len(paths), depth)] {
		if slices.Contains(q.Files, path) {
			gain, found = gain+1/math.Log2(float64(i)+2), true
			if i == 0 {
				f.first++
			}
		}
	}
	for i := range min(depth, len(q.Files)) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	f.ndcg += gain / ideal
	if found {
		f.ten++
	}
}

func report(w io.Writer, order []string, total map[string]*figures, byProject map[string]map[string]*figures) {
	names := slices.SortedFunc(maps.Keys(byProject), cmp.Compare[string])
	fmt.Fprintf(w, "%-40s %9s %6s %6s   sure: right, absent", "", "NDCG@10", "first", "ten")
	for _, name := range names {
		fmt.Fprintf(w, "  %s", name)
	}
	fmt.Fprintln(w)
	for _, c := range order {
		f := total[c]
		n := float64(max(1, f.n))
		fmt.Fprintf(w, "%-40s %9.3f %6.3f %6.3f   %d of %d, %d of %d ", c, f.ndcg/n, f.first/n, f.ten/n, f.sure, f.n, f.absentSure, f.absent)
		for _, name := range names {
			p := byProject[name][c]
			fmt.Fprintf(w, "  %*.3f", len(name), p.ndcg/float64(max(1, p.n)))
		}
		fmt.Fprintln(w)
	}
}
