package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A source is a file of the truth with its text.
type source struct {
	truth truth
	text  []byte
	lines []int // where each line begins
}

// line returns the number of the line of an offset.
func (s *source) line(at int) int {
	i, ok := slices.BinarySearch(s.lines, at)
	if ok {
		return i + 1
	}
	return i
}

// quote returns a line.
func (s *source) quote(line int) string {
	if line < 1 || line > len(s.lines) {
		return ""
	}
	b, _, _ := bytes.Cut(s.text[s.lines[line-1]:], []byte("\n"))
	return string(bytes.TrimSpace(b[:min(len(b), 200)]))
}

// found returns what assay reads from a source, in the terms of a truth.
func (s *source) found(language string) [kinds][]fact {
	f := syntax.Facts(s.truth.File, language, s.text)
	var out [kinds][]fact
	for _, d := range f.Decls {
		if language == "elixir" && bytes.HasSuffix(bytes.TrimRight(s.text[:d.NameAt], " ("), []byte("callback")) {
			continue // what a behaviour asks for: the parser reads functions alone
		}
		switch d.Kind {
		case corpus.Function, corpus.Method, corpus.TestCase:
			out[functions] = append(out[functions], fact{d.Name, s.line(d.NameAt)})
		}
	}
	for _, m := range f.Imports {
		out[imports] = append(out[imports], fact{m.Path, s.line(m.At)})
	}
	for _, c := range f.Calls {
		if c.Callee == corpus.Unnamed {
			continue // a truth has names
		}
		if language == "haskell" && facts.Signs(c.Callee) {
			continue // the parser's calls have names in front, or between backquotes
		}
		if c.Args < 0 && language == "python" {
			continue // a decorator without parentheses, which the parser does not call a call
		}
		out[calls] = append(out[calls], fact{c.Callee, s.line(c.At)})
	}
	return out
}

func runFacts(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("facts", flag.ExitOnError)
	root := flags.String("root", "", "the folder that the paths of the truth are below (required)")
	path := flags.String("truth", "", "the truth, in JSON lines (required)")
	verbose := flags.Int("v", 0, "show the first N differences of each kind")
	only := flags.String("lang", "", "only files of this language")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *root == "" || *path == "" || flags.NArg() > 0 {
		return fmt.Errorf("-root and -truth are required, and nothing else; go doc ./eval/structure says more")
	}
	all, err := readTruth(*path)
	if err != nil {
		return err
	}
	sources, unread := grouped(*root, all, *only)
	fmt.Fprintf(w, "%-12s %6s %7s %6s   %-9s %8s %7s %7s %7s\n", "language", "files", "MB", "MB/s", "kind", "n", "P", "R", "F1")
	for _, language := range slices.Sorted(maps.Keys(sources)) {
		report(w, language, sources[language], *verbose)
	}
	if unread > 0 {
		fmt.Fprintf(w, "%d files of the truth are not there or of no known language\n", unread)
	}
	return nil
}

// grouped reads the files of a truth, those of one language or all, by language. It
// counts those that are not there or of no known language.
func grouped(root string, all []truth, only string) (sources map[string][]source, unread int) {
	sources = map[string][]source{}
	for _, t := range all {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(t.File)))
		language := syntax.Language(t.File, text[:min(len(text), 4096)])
		if err != nil || language == "" {
			unread++
		} else if only == "" || only == language {
			sources[language] = append(sources[language], load(t, text))
		}
	}
	return sources, unread
}

func load(t truth, text []byte) source {
	s := source{truth: t, text: text, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// tally compares the files of one language, in the kinds that any of them has.
func tally(language string, sources []source) (sums [kinds]score, judged [kinds]bool) {
	for _, s := range sources {
		for k := range kinds {
			judged[k] = judged[k] || s.truth.Facts[k] != nil
		}
	}
	for i := range sources {
		s := &sources[i]
		found := s.found(language)
		for k := range kinds {
			if judged[k] {
				sums[k].add(s, found[k], s.truth.Facts[k], k == calls)
			}
		}
	}
	return sums, judged
}

// report compares the files of one language and prints its lines.
func report(w io.Writer, language string, sources []source, verbose int) {
	size := 0
	for _, s := range sources {
		size += len(s.text)
	}
	sums, judged := tally(language, sources)
	fmt.Fprintf(w, "%-12s %6d %7.1f %6.0f", language, len(sources), float64(size)/1e6, speed(language, sources))
	indent := 3
	for k := range kinds {
		if judged[k] {
			fmt.Fprintf(w, "%*s%-9s %8d %7.4f %7.4f %7.4f\n", indent, "", kindNames[k], sums[k].truth, sums[k].precision(), sums[k].recall(), sums[k].f1())
			indent = 37
		}
	}
	for k := range kinds {
		sums[k].show(w, kindNames[k], verbose)
	}
}

// speed returns how many MB a second one core scans, in the best of some rounds.
func speed(language string, sources []source) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	best := 0.0
	for start, round := time.Now(), 0; round < 3 || round < 20 && time.Since(start) < time.Second; round++ {
		from, size := time.Now(), 0
		for _, s := range sources {
			syntax.Facts(s.truth.File, language, s.text)
			size += len(s.text)
		}
		best = max(best, float64(size)/1e6/time.Since(from).Seconds())
	}
	return best
}
