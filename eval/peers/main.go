// Command peers asks other programs what assay is asked, in turns, and says what each took.
//
//	go build ./cmd/assay
//	go run ./eval/peers -tree DIR -assay ./assay [-semble semble] [-rg rg] [-ast-grep ast-grep] [-repomix repomix] -out FILE
//
// A program that is not given, and not found by its name, is left out, and the table says so. Where to
// get them: semble, mempalace and basic-memory from PyPI, ast-grep (@ast-grep/cli) and repomix from npm,
// ripgrep from any distribution. semble needs a Model2Vec model: SEMBLE_MODEL_NAME may name a folder
// with one. mempalace needs MiniLM as ONNX: -minilm names a folder with its model.onnx and
// tokenizer.json. The last two are asked where -notes names a folder of Markdown notes.
//
// The tree is copied without its .git, and has been read whole before the first run, so that no program
// finds a colder disk than the others. In each of -n rounds every program does a task once, in an order
// that is drawn anew; a ratio is taken within a round, and the median of the rounds is shown with the
// least and the most. A program that takes longer than -limit for one run is stopped, and left out of
// that task: the others go on. What is compared is time and memory: what the answers are worth is measured by
// eval/codesearch and eval/structure.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/timed"
)

// others are the programs beside assay.
var others = []string{"semble", "rg", "ast-grep", "repomix", "mempalace", "basic-memory"}

// A task is what several programs are asked; each is a way of asking one.
type task struct {
	name string
	ways []way
}

// A way is a command line. Where fresh is set it begins without what it kept before.
type way struct {
	program string
	args    []string
	env     []string
	fresh   string
	status  int // beside 0, that is no failure
	note    string
}

type bench struct {
	tree, work string
	programs   map[string]string
	runs       int
	limit      time.Duration // of one run of a program
	question   string
	notes      string // a folder of notes; empty: none
	minilm     string
	name       string
	out        bytes.Buffer
}

func main() {
	tree := flag.String("tree", "", "the source tree")
	runs := flag.Int("n", 5, "rounds")
	limit := flag.Duration("limit", 10*time.Minute, "the longest that one run of a program may take; what is slower is left out of its task")
	out := flag.String("out", "", "write the tables to this file too")
	question := flag.String("question", "where is a connection closed after it timed out", "what is searched for")
	name := flag.String("function", "Close", "a function of the tree, whose calls are looked for")
	programs := map[string]*string{}
	notes := flag.String("notes", "", "a folder of Markdown notes, for the programs that keep some")
	minilm := flag.String("minilm", "", "a folder with model.onnx and tokenizer.json of all-MiniLM-L6-v2, for mempalace")
	for _, p := range append([]string{"assay"}, others...) {
		programs[p] = flag.String(p, p, "the program, or where it is")
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := &bench{runs: *runs, limit: *limit, question: *question, name: *name, notes: *notes, minilm: *minilm, programs: map[string]string{}}
	err := func() error {
		if *tree == "" {
			return fmt.Errorf("give a source tree with -tree")
		}
		for p, where := range programs {
			if found, err := exec.LookPath(*where); err == nil {
				if b.programs[p], err = filepath.Abs(found); err != nil {
					return err
				}
			}
		}
		if b.programs["assay"] == "" {
			return fmt.Errorf("there is no assay: go build ./cmd/assay, and give it with -assay")
		}
		return b.all(ctx, *tree)
	}()
	if err == nil && *out != "" {
		err = os.WriteFile(*out, b.out.Bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func (b *bench) print(format string, args ...any) {
	fmt.Fprintf(io.MultiWriter(os.Stdout, &b.out), format, args...)
}

func (b *bench) all(ctx context.Context, tree string) error {
	var err error
	if b.work, err = os.MkdirTemp("", "peers"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	b.tree = filepath.Join(b.work, "tree")
	files, lines, err := copyTree(tree, b.tree)
	if err != nil {
		return err
	}
	b.print("%s\n%d files with %d lines; %d rounds\n", timed.Machine(), files, lines, b.runs)
	tasks := b.tasks()
	if b.notes != "" {
		more, err := b.noteTasks(ctx)
		if err != nil {
			return err
		}
		tasks = append(tasks, more...)
	}
	for _, t := range tasks {
		if err := b.measure(ctx, t); err != nil {
			return err
		}
	}
	for _, p := range others {
		if b.programs[p] == "" {
			b.print("\n%s was not found and is left out\n", p)
		}
	}
	return b.sizes()
}

func (b *bench) tasks() []task {
	index, cold, kept, keptCold := b.in("index"), b.in("cold"), b.in("semble"), b.in("semble-cold")
	search := func(index string) []string {
		return []string{"search", b.question, "--files", "--root", b.tree, "--index-dir", index}
	}
	semble := func(cache, fresh string) way {
		return way{program: "semble", args: []string{"search", b.question, b.tree, "--max-snippet-lines", "0"}, env: []string{"SEMBLE_CACHE_LOCATION=" + cache}, fresh: fresh}
	}
	return []task{
		{"the first answer to a question, index included", []way{
			{program: "assay", args: search(cold), fresh: cold}, semble(keptCold, keptCold)}},
		{"the answer to a question, later", []way{
			{program: "assay", args: search(index)}, semble(kept, "")}},
		{"every file with a word", []way{
			{program: "assay", args: []string{"search", "--regex", `\b` + b.name + `\b`, "--files", "--top-k", "1000", "--root", b.tree, "--index-dir", index}},
			{program: "rg", args: []string{"-l", `\b` + b.name + `\b`, "."}, status: 1}}},
		{"who calls a function", []way{
			{program: "assay", args: []string{"callers", b.name, "--root", b.tree, "--index-dir", index}, status: 3},
			{program: "ast-grep", args: []string{"run", "--json=stream", "-p", "$X." + b.name + "($$$)", "-l", "go", "."}, status: 1, note: "calls by the shape $X.NAME(…) in Go, not resolved"}}},
		{"the project on some pages", []way{
			{program: "assay", args: []string{"map", "--tokens", "8000", "--root", b.tree, "--index-dir", index}, note: "8,000 tokens"},
			{program: "repomix", args: []string{"--compress", "--quiet", "--no-security-check", "-o", b.in("repomix.xml"), b.tree}, note: "signatures of every file"}}},
	}
}

func (b *bench) in(name string) string { return filepath.Join(b.work, name) }

// measure runs a task in rounds and prints what each way took.
func (b *bench) measure(ctx context.Context, t task) error {
	ways := slices.DeleteFunc(t.ways, func(w way) bool { return b.programs[w.program] == "" })
	took := make([][]timed.Usage, len(ways))
	slow := make([]bool, len(ways))
	rng := rand.New(rand.NewPCG(1, uint64(len(t.name))))
	for round := range b.runs + 1 { // the first is for nothing: caches fill
		if round == 0 && ways[0].fresh != "" {
			continue
		}
		for _, i := range rng.Perm(len(ways)) {
			if slow[i] {
				continue
			}
			u, err := b.run(ctx, ways[i])
			if errors.Is(err, errSlow) && i > 0 {
				slow[i] = true
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			if round > 0 {
				took[i] = append(took[i], u)
			}
		}
	}
	b.print("\n%s\n  %-10s %8s %22s %8s %22s %10s\n", t.name, "", "wall s", "times assay", "CPU s", "times assay", "memory MB")
	for i, w := range ways {
		if slow[i] {
			b.print("  %-10s more than %v for one run: stopped, and left out\n", w.program, b.limit)
			continue
		}
		wall := func(i int) func(int) float64 { return func(k int) float64 { return took[i][k].Wall.Seconds() } }
		cpu := func(i int) func(int) float64 { return func(k int) float64 { return took[i][k].CPU.Seconds() } }
		b.print("  %-10s %8.3f %22s %8.3f %22s %10.0f  %s\n", w.program, middle(b.runs, wall(i)), spread(b.runs, wall(i), wall(0)),
			middle(b.runs, cpu(i)), spread(b.runs, cpu(i), cpu(0)), middle(b.runs, func(k int) float64 { return float64(took[i][k].Peak) / 1e6 }), w.note)
	}
	return nil
}

func (b *bench) run(ctx context.Context, w way) (timed.Usage, error) {
	if w.fresh != "" {
		if err := os.RemoveAll(w.fresh); err != nil {
			return timed.Usage{}, err
		}
	}
	if err := os.MkdirAll(b.in("home"), 0o755); err != nil {
		return timed.Usage{}, err
	}
	env := append(append(os.Environ(), "HOME="+b.in("home"), "HF_HUB_OFFLINE=1"), w.env...)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer time.AfterFunc(b.limit, func() { stop(errSlow) }).Stop()
	u, err := timed.Program{Dir: b.tree, Env: env, Out: io.Discard, Group: true}.Run(ctx, b.programs[w.program], w.args...)
	if cause := context.Cause(ctx); cause != nil {
		return u, cause
	}
	if exit, ok := failed(err); ok && exit == w.status {
		err = nil
	}
	return u, err
}

var errSlow = errors.New("it took longer than -limit allows")

// sizes prints what the two that keep an index have kept.
func (b *bench) sizes() error {
	sources, err := size(b.tree)
	if err != nil {
		return err
	}
	b.print("\nkept on the disk, times the sources (%.0f MB)\n", float64(sources)/1e6)
	for program, folder := range map[string]string{"assay": b.in("index"), "semble": b.in("semble")} {
		if n, err := size(folder); err == nil {
			b.print("  %-10s %6.2f\n", program, float64(n)/float64(sources))
		}
	}
	return nil
}

// spread is the median of n ratios, with the least and the most.
func spread(n int, of, to func(int) float64) string {
	all := make([]float64, n)
	for k := range n {
		all[k] = of(k) / to(k)
	}
	slices.Sort(all)
	return fmt.Sprintf("%.2f (%.2f-%.2f)", middle(n, func(k int) float64 { return all[k] }), all[0], all[n-1])
}

// middle is the median of n values.
func middle(n int, of func(int) float64) float64 {
	all := make([]float64, n)
	for k := range n {
		all[k] = of(k)
	}
	slices.Sort(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}

func failed(err error) (int, bool) {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), true
	}
	return 0, false
}

// size is that of a file, or of all files of a folder, in bytes.
func size(path string) (n int64, err error) {
	err = filepath.WalkDir(path, func(_ string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}

// copyTree copies the files of a tree but those of git, and counts them and their lines.
func copyTree(from, to string) (files, lines int, err error) {
	err = filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case e.IsDir() && (e.Name() == ".git" || strings.HasPrefix(e.Name(), ".assay")):
			return filepath.SkipDir
		case e.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !e.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		lines += bytes.Count(text, []byte("\n"))
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
	return files, lines, err
}
