package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/code/embed/static"
)

// How the model that assay ships was made of its pairs, and how one is made of a
// handful of packages in a minute: to see that all the steps work.
var (
	shipped = []string{"-words", "32500", "-buckets", "11900", "-epochs", "2", "-rate", "6e-3", "-share", "gloss=0.35", "-share", "synonym=0.7"}
	smaller = []string{"-words", "4000", "-buckets", "1000", "-epochs", "4", "-rate", "2e-2", "-least", "3", "-dims", "64", "-batch", "128", "-run", "8"}
)

// least is the heldOut of a model that has learned something: chance is a hundredth.
const least = .2

// runMake does everything: it fetches the packages, makes pairs of them, learns from
// these, and writes the model, and a card that says what it was made of beside it.
func runMake(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("make", flag.ContinueOnError)
	dir := flags.String("dir", "", "the directory of the corpora and the pairs")
	out := flags.String("out", "", "the model to write; its card is written to the same name with .md")
	only := flags.String("only", "", "the kinds of packages to fetch, joined by commas: "+strings.Join(kinds, ","))
	small := flags.Bool("small", false, "a handful of packages and a small model")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" || *out == "" || flags.NArg() > 0 {
		return errors.New("-dir and -out are needed")
	}
	recipe := shipped
	common := []string{"-dir", *dir}
	if *small {
		recipe, common = smaller, append(common, "-small")
	}
	if err := runFetch(append(common[:len(common):len(common)], "-only", *only), w); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	pairs := filepath.Join(*dir, "pairs.tsv.gz")
	var counts, learned bytes.Buffer
	if err := runPairs(append(common[:len(common):len(common)], "-out", pairs), io.MultiWriter(w, &counts)); err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	held, err := train(append([]string{"-pairs", pairs, "-out", *out}, recipe...), io.MultiWriter(w, &learned))
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if held < least {
		return fmt.Errorf("train: the model finds its own texts at %.2f, and nothing was learned under %.2f", held, least)
	}
	model, err := os.ReadFile(*out)
	if err != nil {
		return err
	}
	m, err := static.Open(string(model))
	if err != nil {
		return err
	}
	if err := m.Check(); err != nil {
		return err
	}
	all, err := store{*dir}.records()
	if err != nil {
		return err
	}
	return os.WriteFile(*out+".md", card(len(model), m.Dims, recipe, all, counts.String(), learned.String()), 0o644)
}

// card says what a model was made of.
func card(size, dims int, recipe []string, all []record, counts, learned string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Model card\n\n%d bytes, %d dimensions; train %s\n\n## Pairs\n\n", size, dims, strings.Join(recipe, " "))
	indented := func(s string) {
		for line := range strings.Lines(s) {
			b.WriteString("    " + line)
		}
	}
	indented(counts)
	b.WriteString("\n## Learning\n\nHeld out: the mean reciprocal rank of the own text of pairs that were not learned from, among a thousand.\n\n")
	indented(learned)
	b.WriteString("\n## Packages\n\n| kind | package | version | licence |\n|---|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.Kind, r.Name, r.Version, r.Licence)
	}
	b.WriteString("\nIt knows words and not their order, and only those that these packages have. eval/codesearch and eval/memory measure it.\n")
	return b.Bytes()
}
