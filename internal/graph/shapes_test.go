package graph_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/assay-dev/assay/internal/graph"
)

// Marks at the ends of lines of testdata/shapes: the answer must have the line as a use of the symbol, or must not.
const (
	mustHave    = " ✓"
	mustNotHave = " ✗"
)

// The results of a cell of the table of shapes.
const (
	cellRight   = "ok"      // all lines that must be there resolve, and no other
	cellListed  = "listed"  // the lines are there, some of them among those of which it is not known whether they mean the symbol
	cellHidden  = "hidden"  // a line that uses the symbol without its name is not there: a search for the name does not find it either
	cellWrong   = "WRONG"   // a line that means something else is among the uses
	cellRefused = "refused" // the symbol is not known, which the answer says
	cellLacks   = "-"       // the language lacks the shape
)

// A shape is a question about a small project in one language.
type shape struct {
	query, symbol string
	files         string            // without marks
	must, mustNot map[string]string // lines by FILE:LINE
}

// readShapes reads the shapes of a language: the head of the archive has a line "SHAPE QUERY SYMBOL" for each, and the files of a
// shape are in a folder of its name.
func readShapes(t *testing.T, path string) map[string]*shape {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(raw)
	shapes := map[string]*shape{}
	for line := range strings.Lines(string(archive.Comment)) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(words) != 3 {
			t.Fatalf("%s: %q is not SHAPE QUERY SYMBOL", path, line)
		}
		shapes[words[0]] = &shape{query: words[1], symbol: words[2], must: map[string]string{}, mustNot: map[string]string{}}
	}
	for _, f := range archive.Files {
		name, file, _ := strings.Cut(f.Name, "/")
		s := shapes[name]
		if s == nil {
			t.Fatalf("%s: no question for %s", path, f.Name)
		}
		for i, line := range strings.Split(string(f.Data), "\n") {
			place := fmt.Sprintf("%s:%d", file, i+1)
			if text, ok := strings.CutSuffix(line, mustHave); ok {
				s.must[place] = text
			} else if text, ok := strings.CutSuffix(line, mustNotHave); ok {
				s.mustNot[place] = text
			}
		}
		text := strings.NewReplacer(mustHave+"\n", "\n", mustNotHave+"\n", "\n").Replace(string(f.Data))
		s.files += fmt.Sprintf("-- %s --\n%s", file, text)
	}
	return shapes
}

// shapeAnswer is the lines of an answer by FILE:LINE.
type shapeAnswer struct {
	uses, mentions map[string]bool // those that use the symbol, and those that may
	name           string          // of the symbol, without its scope
	complete       bool
}

// ask asks the question of a shape; nil if its symbol is not known.
func (s *shape) ask(t *testing.T) *shapeAnswer {
	t.Helper()
	_, f := project(t, s.files)
	out := &shapeAnswer{uses: map[string]bool{}, mentions: map[string]bool{}}
	var rest graph.Mentions
	var of []graph.Definition
	switch s.query {
	case "callers":
		a, err := f.Callers(t.Context(), graph.CallsInput{Function: s.symbol})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range a.Callers {
			lines := out.uses
			if c.Confidence == "name-only" {
				lines = out.mentions
			}
			lines[fmt.Sprintf("%s:%d", c.File, c.Line)] = true
		}
		rest, of, out.complete = a.Mentions, a.Definitions, a.Complete
	case "refs":
		a, err := f.Refs(t.Context(), graph.RefsInput{Symbol: s.symbol})
		if err != nil || len(a.Definitions) == 0 { // nothing declares it, though lines may have it
			t.Log(err)
			return nil
		}
		for _, r := range a.References {
			out.uses[fmt.Sprintf("%s:%d", r.File, r.Line)] = true
		}
		rest, of, out.complete = a.Mentions, a.Definitions, a.Complete
	default:
		t.Fatalf("unknown query %s", s.query)
	}
	for _, m := range rest.Mentions {
		out.mentions[fmt.Sprintf("%s:%d", m.File, m.Line)] = true
	}
	if len(of) == 0 {
		t.Fatalf("%s is declared nowhere", s.symbol)
	}
	out.name = strings.Trim(of[0].Name[1+strings.LastIndexByte(of[0].Name, '.'):], "=$")
	return out
}

// judge returns the result of a cell. A line that has the name, must be there and is in no part of the answer fails the test.
func (s *shape) judge(t *testing.T) (result string) {
	t.Helper()
	answer := s.ask(t)
	if answer == nil {
		return cellRefused
	}
	var unresolved, lost, hidden, wrong []string
	for _, place := range slices.Sorted(maps.Keys(s.must)) {
		switch {
		case answer.uses[place]:
		case answer.mentions[place]:
			unresolved = append(unresolved, place)
		case strings.Contains(s.must[place], answer.name):
			lost = append(lost, place)
		default:
			hidden = append(hidden, place)
		}
	}
	for place := range s.mustNot {
		if answer.uses[place] {
			wrong = append(wrong, place)
		}
	}
	if len(lost) > 0 {
		t.Errorf("%s %s lacks %q (complete: %v)", s.query, s.symbol, lost, answer.complete)
	}
	t.Logf("unresolved %q, hidden %q, wrong %q", unresolved, hidden, wrong)
	switch {
	case len(wrong) > 0:
		return cellWrong
	case len(hidden) > 0:
		return cellHidden
	case len(unresolved)+len(lost) > 0:
		return cellListed
	}
	return cellRight
}

// TestShapes holds the ways of the languages to use a symbol to a table. No line that uses the symbol is missing in an answer.
func TestShapes(t *testing.T) {
	paths, err := filepath.Glob("testdata/shapes/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	results := map[string]map[string]string{} // by language and shape
	names := map[string]bool{}
	for _, path := range paths {
		language := strings.TrimSuffix(filepath.Base(path), ".txtar")
		results[language] = map[string]string{}
		shapes := readShapes(t, path)
		for _, name := range slices.Sorted(maps.Keys(shapes)) {
			names[name] = true
			t.Run(language+"/"+name, func(t *testing.T) {
				results[language][name] = shapes[name].judge(t)
			})
		}
	}
	table := shapeTable(results, slices.Sorted(maps.Keys(names)))
	t.Logf("\n%s", table)
	golden := filepath.Join("testdata", "shapes", "table.txt")
	if *update {
		if err := os.WriteFile(golden, table, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(table, want) {
		t.Errorf("the table is not the one of %s (%v):\n%s", golden, err, want)
	}
}

// shapeTable writes a row for each language and, as the last line, how many cells are right.
func shapeTable(results map[string]map[string]string, names []string) []byte {
	var out bytes.Buffer
	right, all := 0, 0
	fmt.Fprintf(&out, "%-12s", "")
	for _, name := range names {
		fmt.Fprintf(&out, " %s", name)
	}
	out.WriteByte('\n')
	for _, language := range slices.Sorted(maps.Keys(results)) {
		fmt.Fprintf(&out, "%-12s", language)
		for _, name := range names {
			result, has := results[language][name]
			switch {
			case !has:
				result = cellLacks
			case result == cellRight:
				right++
				all++
			default:
				all++
			}
			fmt.Fprintf(&out, " %-*s", len(name), result)
		}
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "right: %d of %d\n", right, all)
	return out.Bytes()
}
