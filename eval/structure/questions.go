package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiktoken-go/tokenizer"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

//go:embed testdata/questions.txt
var questionList string

// A question is asked of assay, of a language server, and of ripgrep with reading.
type question struct {
	project string
	assay   []string // arguments
	asked   string   // references, callers, implementation or definition
	name    string
	file    string
	text    string // on the line of the name
	words   string
}

// questions reads the list: one on each line that is no comment.
func questions(list string) (out []question, err error) {
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		part := strings.Split(line, " | ")
		if len(part) != 4 || len(strings.SplitN(part[2], " ", 4)) != 4 {
			return nil, fmt.Errorf("no question: %s", line)
		}
		at := strings.SplitN(part[2], " ", 4)
		out = append(out, question{part[0], strings.Fields(part[1]), at[0], at[1], at[2], at[3], part[3]})
	}
	return out, nil
}

// window is how many lines before and behind each hit of ripgrep are read.
const window = 10

// runQuestions asks the questions about projects whose folders lie below one, and compares answers and tokens.
func runQuestions(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("questions", flag.ExitOnError)
	dir := flags.String("dir", "", "the folder that the projects are in, each under its name (required)")
	program := flags.String("assay", "assay", "the program")
	servers := map[string]*string{
		"go":         flags.String("go", "gopls serve", "the language server for Go"),
		"python":     flags.String("python", "pyright-langserver --stdio", "for Python"),
		"typescript": flags.String("typescript", "typescript-language-server --stdio", "for TypeScript"),
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" || flags.NArg() > 0 {
		flags.Usage()
		return fmt.Errorf("-dir is needed, and nothing else")
	}
	all, err := questions(questionList)
	if err != nil {
		return err
	}
	encoding, err := tokenizer.Get(tokenizer.Cl100kBase)
	if err != nil {
		return err
	}
	x := &exam{program: *program, encoding: encoding, servers: map[string]*server{}}
	defer x.stop()
	var sum [3]int
	right := 0
	for _, q := range all {
		root, err := filepath.Abs(filepath.Join(*dir, q.project))
		if err != nil {
			return err
		}
		lang := syntax.Language(q.file, nil)
		if x.servers[q.project] == nil {
			if x.servers[q.project], err = serve(*servers[lang], root, lang); err != nil {
				return err
			}
		}
		got, cost, err := x.asked(q, root)
		if err != nil {
			return err
		}
		want, err := x.truth(q, root)
		if err != nil {
			return fmt.Errorf("%s: %w", q.words, err)
		}
		hits, read, err := x.searched(q, root, lang)
		if err != nil {
			return err
		}
		verdict := "right"
		if slices.Equal(got, want) {
			right++
		} else {
			verdict = fmt.Sprintf("wrong: not asked for %v, missing %v", without(got, want), without(want, got))
		}
		sum[0], sum[1], sum[2] = sum[0]+cost, sum[1]+hits, sum[2]+hits+read
		fmt.Fprintf(w, "%-10s %-36s %3d places  assay %6d tokens  ripgrep %6d, with %d lines around %6d  %s\n", q.project, strings.Join(q.assay, " "), len(want), cost, hits, window, hits+read, verdict)
	}
	fmt.Fprintf(w, "%d of %d right; assay %d tokens, ripgrep %d, with reading %d\n", right, len(all), sum[0], sum[1], sum[2])
	if right < len(all) {
		return errors.New("not all answers are right")
	}
	return nil
}

func without(list, those []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(those, s) {
			out = append(out, s)
		}
	}
	return out
}

// An exam holds what answers.
type exam struct {
	program  string
	encoding tokenizer.Codec
	servers  map[string]*server
}

func (x *exam) stop() {
	for _, s := range x.servers {
		s.stop()
	}
}

// serve starts a language server and tells it of the files of a project.
func serve(command, root, lang string) (*server, error) {
	s, err := startServer(command, root)
	if err != nil {
		return nil, err
	}
	src, err := readTree(root)
	if err != nil {
		return nil, errors.Join(err, s.cmd.Process.Kill())
	}
	for _, d := range src.docs {
		if d.Language == lang || d.Language == "javascript" && lang == "typescript" {
			if err := s.open(root, d.Path, d.Language); err != nil {
				return nil, errors.Join(err, s.cmd.Process.Kill())
			}
		}
	}
	return s, nil
}

// asked returns assay's places, "file:line" in order, and how many tokens its answer is.
func (x *exam) asked(q question, root string) ([]string, int, error) {
	cmd := exec.Command(x.program, q.assay...)
	cmd.Dir = root
	raw, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	type at struct {
		File, Confidence string
		Line             int
	}
	var answer struct{ References, Callers, Symbols []at }
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, 0, err
	}
	var out []string
	for _, p := range slices.Concat(answer.References, answer.Callers, answer.Symbols) {
		if p.Confidence != "name-only" {
			out = append(out, fmt.Sprintf("%s:%d", p.File, p.Line))
		}
	}
	n, err := x.encoding.Count(string(raw))
	slices.Sort(out)
	return slices.Compact(out), n, err
}

// truth returns the places that the language server names, but for the declaration itself.
func (x *exam) truth(q question, root string) ([]string, error) {
	s := x.servers[q.project]
	line, column, err := located(filepath.Join(root, q.file), q.text, q.name)
	if err != nil {
		return nil, err
	}
	at := map[string]any{"textDocument": map[string]any{"uri": fileURI(root, q.file)}, "position": map[string]any{"line": line, "character": column}}
	var found []location
	switch q.asked {
	case "references", "callers":
		found, err = s.references(root, q.file, line, column)
	default:
		var raw json.RawMessage
		if raw, err = s.call("textDocument/"+q.asked, at); err == nil {
			err = json.Unmarshal(raw, &found)
		}
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, l := range found {
		u, err := url.Parse(l.URI)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(root, u.Path)
		place := fmt.Sprintf("%s:%d", rel, l.Range.Start.Line+1)
		uses := q.asked == "references" || q.asked == "callers"
		if err != nil || strings.HasPrefix(rel, "..") || uses && place == fmt.Sprintf("%s:%d", q.file, line+1) || q.asked == "callers" && !called(u.Path, l, q.name) {
			continue
		}
		out = append(out, place)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// called reports whether what has the name at a place is called or handed on there: a parenthesis follows it, or
// it is in one. Call hierarchies of servers leave out files that are not of the project's settings, references do not.
func called(file string, l location, name string) bool {
	raw, err := os.ReadFile(file)
	lines := strings.Split(string(raw), "\n")
	if err != nil || l.Range.Start.Line >= len(lines) {
		return false
	}
	line := lines[l.Range.Start.Line]
	at := min(l.Range.Start.Character, len(line))
	return strings.HasPrefix(strings.TrimPrefix(line[at:], name), "(") || strings.Contains(line[:at], "(") && !strings.Contains(line, "import ")
}

// located returns where a name stands on the first line of a file that has a text, from 0.
func located(file, text, name string) (line, column int, err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return 0, 0, err
	}
	for l := range strings.Lines(string(raw)) {
		if i := strings.Index(l, text); i >= 0 {
			return line, i + strings.Index(l[i:], name), nil
		}
		line++
	}
	return 0, 0, fmt.Errorf("%s has no %q", file, text)
}

// searched returns how many tokens ripgrep's hits of the name are, and the lines around them.
func (x *exam) searched(q question, root, lang string) (hits, read int, err error) {
	run := func(more ...string) (int, error) {
		cmd := exec.Command("rg", append(more, "--sort", "path", "-n", "-w", "-t", map[string]string{"go": "go", "python": "py", "typescript": "ts"}[lang], "-e", q.name, ".")...)
		cmd.Dir = root
		raw, err := cmd.Output()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
		}
		return x.encoding.Count(string(raw))
	}
	if hits, err = run(); err == nil {
		read, err = run("-I", "-C", fmt.Sprint(window))
	}
	return hits, read, err
}
