package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/docs/apidoc"
	"github.com/assay-dev/assay/internal/docs/library"
)

// The questions on symbols were written from the tests and the examples of each library,
// before anything was asked. The answers are titles of declarations.
//
//go:embed testdata/api.jsonl
var apiQuestions []byte

// symbols is what is asked about one library.
type symbols struct {
	Repo    string     `json:"repo"`
	Split   string     `json:"split"` // dev: looked at while ranking is worked on; seen: after it; test: not, or once
	Docs    string     `json:"docs"`  // the folder of its prose
	Ask     []string   `json:"ask"`
	Answers [][]string `json:"answers"`
}

func readSymbols() (all []symbols, err error) {
	for dec := json.NewDecoder(bytes.NewReader(apiQuestions)); dec.More(); {
		var s symbols
		if err := dec.Decode(&s); err != nil {
			return nil, err
		}
		if len(s.Ask) != len(s.Answers) {
			return nil, fmt.Errorf("%s: %d questions, %d answers", s.Repo, len(s.Ask), len(s.Answers))
		}
		all = append(all, s)
	}
	return all, nil
}

// proseOf are libraries with prose and program text, for questions on the prose; those of
// the symbols are among them.
var proseOf = []symbols{
	{Repo: "pytest-dev/pytest", Split: "dev", Docs: "doc/en"}, {Repo: "celery/celery", Split: "dev", Docs: "docs"}, {Repo: "mkdocs/mkdocs", Split: "dev", Docs: "docs"},
	{Repo: "honojs/hono", Split: "dev", Docs: "docs"}, {Repo: "rubocop/rubocop", Split: "dev", Docs: "docs"},
	{Repo: "pallets/flask", Split: "test", Docs: "docs"}, {Repo: "sqlalchemy/sqlalchemy", Split: "test", Docs: "doc/build"}, {Repo: "vitejs/vite", Split: "test", Docs: "docs"},
	{Repo: "eslint/eslint", Split: "test", Docs: "docs"},
}

// checkout returns a folder with the files of a repository: DIR/OWNER+NAME, or what is cloned
// from the bare DIR/OWNER+NAME/repo into temp.
func checkout(ctx context.Context, dir, temp, repo string) (string, error) {
	at := filepath.Join(dir, strings.ReplaceAll(repo, "/", "+"))
	bare := filepath.Join(at, "repo")
	if _, err := os.Stat(filepath.Join(bare, "HEAD")); err != nil {
		_, err := os.Stat(at)
		return at, err
	}
	to := filepath.Join(temp, strings.ReplaceAll(repo, "/", "+"))
	git := func(args ...string) ([]byte, error) {
		out, err := exec.CommandContext(ctx, "git", args...).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("git %s %s: %w: %s", args[0], repo, err, out)
		}
		return out, nil
	}
	if _, err := git("clone", "--quiet", "--shared", "--no-checkout", "--", bare, to); err != nil {
		return "", err
	}
	// Files that are no text are not looked at, and may not be in the clone.
	patterns := "/*\n"
	for _, ext := range strings.Fields("png jpg jpeg gif webp avif ico svg mp4 webm mov pdf zip gz jar otf ttf woff woff2 psd wasm bin snap parquet") {
		patterns += "!*." + ext + "\n"
	}
	if err := os.WriteFile(filepath.Join(to, ".git", "info", "sparse-checkout"), []byte(patterns), 0o644); err != nil {
		return "", err
	}
	_, err := git("-C", to, "-c", "core.sparseCheckout=true", "checkout", "--quiet", "HEAD")
	return to, err
}

// ranksOf asks all questions of a library, and returns where the first answer is, from 1; and where it is
// when a section of prose whose heading is the symbol counts as well; and where among the declarations alone.
// With verbose it prints what came before.
func (s *symbols) ranksOf(ctx context.Context, db *library.DB, id string, verbose bool, w io.Writer) (ranks, wide, alone []int, err error) {
	for i, q := range s.Ask {
		a, err := db.QueryWith(ctx, id, q, library.Options{Tokens: depth, Explain: true})
		if err != nil {
			return nil, nil, nil, err
		}
		ranks = append(ranks, 1+slices.IndexFunc(a.Snippets, func(sn library.Snippet) bool { return s.answers(i, &sn) }))
		wide = append(wide, 1+slices.IndexFunc(a.Snippets, func(sn library.Snippet) bool { return s.answers(i, &sn) || s.heads(i, &sn) }))
		among := 0
		if at := ranks[i]; at > 0 {
			for j := range a.Snippets[:at] {
				if apidoc.Described(a.Snippets[j].Path) {
					among++
				}
			}
		}
		alone = append(alone, among)
		if verbose && ranks[i] != 1 {
			fmt.Printf("%q %v at %d\n", q, s.Answers[i], ranks[i])
			for at := range a.Snippets[:min(len(a.Snippets), max(4, min(ranks[i], 7)))] {
				sn := &a.Snippets[at]
				fmt.Printf("  %d  %.3f  %s  (%s:%d, %s)\n", at+1, sn.Score, sn.Title, sn.Path, sn.Line, sn.Breadcrumb)
			}
		}
		if w == nil {
			continue
		}
		if err := judged.Write(w, judgedOf(path.Base(s.Repo)+" symbols", q, &a, func(sn *library.Snippet) bool { return s.answers(i, sn) })); err != nil {
			return nil, nil, nil, err
		}
	}
	return ranks, wide, alone, nil
}

// heads reports whether a snippet is of prose under a heading that is the symbol, as READMEs and references
// explain it: "`Result.combine` (static method)", ".addAll(fns)".
func (s *symbols) heads(i int, sn *library.Snippet) bool {
	last := func(title string) string {
		name, _, _ := strings.Cut(title, "(")
		name = strings.NewReplacer("::", ".", "#", ".", "->", ".").Replace(strings.Trim(name, "`*_ "))
		return strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "`*_ ")
	}
	return !apidoc.Described(sn.Path) && slices.ContainsFunc(s.Answers[i], func(title string) bool { return last(title) == last(sn.Title) })
}

// answers reports whether a snippet is the declaration that a question is on.
func (s *symbols) answers(i int, sn *library.Snippet) bool {
	return apidoc.Described(sn.Path) && slices.Contains(s.Answers[i], sn.Title)
}

func judgedOf(project, q string, a *library.DocsAnswer, right func(*library.Snippet) bool) *judged.Question {
	out := &judged.Question{Project: project, Query: q, Kind: rank.Question, Meaning: a.Ranking == library.Hybrid}
	for i := range a.Snippets {
		sn := &a.Snippets[i]
		if sn.Breakdown == nil {
			continue
		}
		out.Candidates = append(out.Candidates, judged.Candidate{Groups: []string{sn.Path, sn.Path + "\n" + sn.Breadcrumb}, Relevant: right(sn), Explain: sn.Breakdown})
	}
	return out
}

// makeKeep makes the folder that -keep names.
func (o *options) makeKeep() (err error) {
	if o.keep == "" {
		return nil
	}
	if o.keep, err = filepath.Abs(o.keep); err != nil {
		return err
	}
	return os.MkdirAll(o.keep, 0o755)
}

// emptyDocs opens documentation without a library in a temporary folder; remove closes and removes it.
func emptyDocs(name string) (f *docs.Feature, temp string, remove func() error, err error) {
	if temp, err = os.MkdirTemp("", "assay-eval-"+name+"-"); err != nil {
		return nil, "", nil, err
	}
	f = docs.New(docs.Config{WorkDir: temp, DB: filepath.Join(temp, "docs.db"), Temp: filepath.Join(temp, "fetched"), Now: time.Now})
	return f, temp, func() error { return errors.Join(f.Close(), os.RemoveAll(temp)) }, nil
}

// api asks the questions on symbols, and those on the prose beside the API reference.
// With judge it writes what is found instead, for eval/fit.
func api(ctx context.Context, o options, judge bool, w io.Writer) (err error) {
	all, err := readSymbols()
	if err != nil {
		return err
	}
	if err := o.makeKeep(); err != nil {
		return err
	}
	f, temp, remove, err := emptyDocs("api")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	symbol, prose := map[string]*tallies{}, map[string]*tallies{}
	var before []string
	for _, s := range append(all, proseOf...) {
		if o.split != "all" && s.Split != map[string]string{"dev": "dev", "seen": "seen", "held": "test"}[o.split] || o.sets != "" && !slices.Contains(strings.Split(o.sets, ","), path.Base(s.Repo)) {
			continue
		}
		c := &apiCorpus{symbols: s, options: o, temp: temp, f: f, out: w, judge: judge, foreign: before, id: "/" + s.Repo}
		before = s.Ask
		if err := c.run(ctx, of(symbol, s.Split), of(prose, s.Split)); err != nil {
			return fmt.Errorf("%s: %w", s.Repo, err)
		}
	}
	if judge {
		return nil
	}
	for _, split := range []string{"dev", "seen", "test"} {
		of(symbol, split).print(w, split+": symbols", "first answer: the declaration")
		of(prose, split).print(w, split+": prose", "with the API beside it; without it")
	}
	return nil
}

func of(m map[string]*tallies, split string) *tallies {
	if m[split] == nil {
		m[split] = &tallies{}
	}
	return m[split]
}

// tallies count where the first answers are, and the figures of prose.
type tallies struct {
	n, first, five int
	wide, wideFive int // with sections whose heading is the symbol
	// What another order of what is found could reach: of declarations alone, and of the first 20 and 50.
	alone, aloneFive, twenty, fifty int
	byName, named                   int // questions that are or have a name, and those of them whose first answer is right
	mrr                             float64
	with, without                   []float64
}

// bound counts what bounds the figures: where the answer is, and where among the declarations.
func (t *tallies) bound(at, alone int) {
	count := func(n *int, at, most int) {
		if at > 0 && at <= most {
			*n++
		}
	}
	count(&t.alone, alone, 1)
	count(&t.aloneFive, alone, 5)
	count(&t.twenty, at, 20)
	count(&t.fifty, at, 50)
}

func (t *tallies) print(w io.Writer, name, what string) {
	if t.n > 0 {
		n := float64(t.n)
		fmt.Fprintf(w, "%-14s %3d questions  R@1 %.3f  R@5 %.3f  MRR %.3f   (%s)  R@1 %.3f  R@5 %.3f (that, or the section that is called as the symbol)  R@1 by name %d of %d, in words %d of %d\n",
			name, t.n, float64(t.first)/n, float64(t.five)/n, t.mrr/n, what, float64(t.wide)/n, float64(t.wideFive)/n, t.named, t.byName, t.first-t.named, t.n-t.byName)
		if t.fifty > 0 {
			fmt.Fprintf(w, "%-14s bounds: without prose R@1 %.3f  R@5 %.3f; the first 20 in the best order R@1 %.3f, the first 50 %.3f\n", name, float64(t.alone)/n, float64(t.aloneFive)/n, float64(t.twenty)/n, float64(t.fifty)/n)
		}
	}
	if len(t.with) > 0 {
		fmt.Fprintf(w, "%-14s %3d questions  section NDCG@10 %.3f  %.3f   (%s)\n", name, len(t.with), mean(t.with), mean(t.without), what)
	}
}

func mean(of []float64) (m float64) {
	for _, x := range of {
		m += x / float64(len(of))
	}
	return m
}

var named = regexp.MustCompile(`[A-Za-z][._:]+[A-Za-z]|[a-z][A-Z]|_|--?[a-z]|\(\)|@|[{}<>=\x60]`)

type apiCorpus struct {
	symbols
	options
	files, temp, id string // files: the checkout, or "" as long as none is needed
	f               *docs.Feature
	out             io.Writer
	judge           bool
	foreign         []string // questions on another library
}

// ingested returns the file of the library, with its API reference or without: the one of an earlier run, where
// those are kept.
func (c *apiCorpus) ingested(ctx context.Context, ext string, noAPI bool) (string, error) {
	file := filepath.Join(cmp.Or(c.keep, c.temp), strings.ReplaceAll(c.Repo, "/", "+")+ext)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if err := c.checkOut(ctx); err != nil {
		return "", err
	}
	_, err := c.f.Ingest(ctx, docs.IngestInput{Where: docs.Where{Source: c.files, ID: c.id, NoAPI: noAPI}, Quiet: true, File: docs.File{DB: file}})
	return file, err
}

// checkOut puts the files of the repository where they can be read.
func (c *apiCorpus) checkOut(ctx context.Context) (err error) {
	if c.files == "" {
		c.files, err = checkout(ctx, c.dir, c.temp, c.Repo)
	}
	return err
}

func (c *apiCorpus) run(ctx context.Context, symbol, prose *tallies) error {
	file, err := c.ingested(ctx, ".db", false)
	if err != nil {
		return err
	}
	db, err := library.OpenReadOnly(ctx, file)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	var to io.Writer
	if c.judge {
		to = c.out
	}
	ranks, wide, alone, err := c.ranksOf(ctx, db, c.id, c.verbose && !c.judge, to)
	if err != nil {
		return err
	}
	first, five := 0, 0
	for i, at := range ranks {
		symbol.n++
		if named.MatchString(c.Ask[i]) || !strings.Contains(c.Ask[i], " ") {
			symbol.byName++
			if at == 1 {
				symbol.named++
			}
		}
		symbol.bound(at, alone[i])
		if wide[i] == 1 {
			symbol.wide++
		}
		if wide[i] > 0 && wide[i] <= 5 {
			symbol.wideFive++
		}
		if at > 0 {
			symbol.mrr += 1 / float64(at)
		}
		if at == 1 {
			symbol.first++
			first++
		}
		if at > 0 && at <= 5 {
			symbol.five++
			five++
		}
	}
	if !c.judge && len(ranks) > 0 {
		fmt.Fprintf(c.out, "%-18s %s  R@1 %d/%d  R@5 %d/%d  %v %v\n", path.Base(c.Repo), c.Split, first, len(ranks), five, len(ranks), ranks, wide)
	}
	if c.judge {
		if err := c.strangers(ctx, db); err != nil {
			return err
		}
	}
	return c.prose(ctx, db, prose)
}

// strangers writes what is found for the questions on another library, which nothing here is taken to answer.
func (c *apiCorpus) strangers(ctx context.Context, db *library.DB) error {
	for _, q := range c.foreign {
		a, err := db.QueryWith(ctx, c.id, q, library.Options{Tokens: depth, Explain: true})
		if err != nil {
			return err
		}
		out := judgedOf(path.Base(c.Repo)+" symbols", q, &a, func(*library.Snippet) bool { return false })
		out.Foreign = true
		if err := judged.Write(c.out, out); err != nil {
			return err
		}
	}
	return nil
}

// prose asks the questions that are made of the links and headings of a library's prose, of
// the file with its API and of one without.
func (c *apiCorpus) prose(ctx context.Context, db *library.DB, t *tallies) error {
	if c.Docs == "." {
		return nil
	}
	if err := c.checkOut(ctx); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(c.files, c.Docs)); err != nil {
		return nil // its prose is in another repository
	}
	x, err := load(ctx, c.files, set{name: c.Docs})
	if err != nil {
		return err
	}
	file, err := c.ingested(ctx, ".prose.db", true)
	if err != nil {
		return err
	}
	alone, err := library.OpenReadOnly(ctx, file)
	if err != nil {
		return err
	}
	defer func() { _ = alone.Close() }() // it was only read
	with, without := []float64{}, []float64{}
	for _, q := range x.questions() {
		// One that is or has a name asks for a declaration as much as for prose.
		if named.MatchString(q.ask) || len(strings.Fields(q.ask)) < 2 {
			continue
		}
		right := map[string]bool{}
		for p := range q.sections {
			sn := x.pages[slices.IndexFunc(x.pages, func(pg page) bool { return pg.Path == p.path })].Snippets[p.at]
			right[path.Join(c.Docs, sn.Path)+"\n"+sn.Content] = true
		}
		gone := map[string]bool{}
		for p := range q.without {
			sn := x.pages[slices.IndexFunc(x.pages, func(pg page) bool { return pg.Path == p.path })].Snippets[p.at]
			gone[path.Join(c.Docs, sn.Path)+"\n"+sn.Content] = true
		}
		key := func(sn *library.Snippet) string { return sn.Path + "\n" + sn.Content }
		for i, d := range []*library.DB{db, alone} {
			a, err := d.QueryWith(ctx, c.id, q.ask, library.Options{Tokens: depth, Explain: c.judge})
			if err != nil {
				return err
			}
			a.Snippets = slices.DeleteFunc(a.Snippets, func(sn library.Snippet) bool { return gone[key(&sn)] })
			answers := func(sn *library.Snippet) bool {
				if q.sections == nil {
					return strings.HasPrefix(sn.Path, c.Docs+"/") && q.pages[strings.TrimPrefix(sn.Path, c.Docs+"/")]
				}
				return right[key(sn)]
			}
			if c.judge {
				if i == 0 {
					if err := judged.Write(c.out, judgedOf(path.Base(c.Repo), q.ask, &a, answers)); err != nil {
						return err
					}
				}
				continue
			}
			var relevant []bool
			seen := map[string]bool{}
			for j := range a.Snippets {
				unit := key(&a.Snippets[j])
				if q.sections == nil {
					unit = a.Snippets[j].Path
				}
				if !seen[unit] {
					seen[unit] = true
					relevant = append(relevant, answers(&a.Snippets[j]))
				}
			}
			total := len(right)
			if q.sections == nil {
				total = len(q.pages)
			}
			figure := judge(relevant, total).NDCG
			if i == 0 {
				with = append(with, figure)
			} else {
				without = append(without, figure)
			}
		}
	}
	t.with, t.without = append(t.with, with...), append(t.without, without...)
	if !c.judge && len(with) > 0 {
		fmt.Fprintf(c.out, "%-18s %s  %4d questions on prose  NDCG@10 %.3f with its API, %.3f without\n", path.Base(c.Repo), c.Split, len(with), mean(with), mean(without))
	}
	return nil
}
