package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/docs/apidoc"
)

// signatures reads the API reference of each library that -sets names, and prints the share of symbols whose signature is whole:
// its brackets are closed, it does not end where a type or a value has to follow, and nothing of it was left out.
func signatures(ctx context.Context, o options, w io.Writer) (err error) {
	f, temp, remove, err := emptyDocs("signatures")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	for repo := range strings.SplitSeq(o.sets, ",") {
		dir := repo
		if isSource := strings.HasPrefix(repo, "npm:") || filepath.IsAbs(repo); isSource {
			fmt.Fprintln(w, repo, "as it is") // a package, a folder
		} else if err := keptaside.Check(repo); err != nil {
			return err
		} else if dir, err = checkout(ctx, o.dir, temp, repo); err != nil {
			return err
		}
		p, err := f.Preview(ctx, docs.PreviewInput{Where: docs.Where{Source: dir}, Limit: 100_000, Quiet: true})
		if err != nil {
			return fmt.Errorf("%s: %w", repo, err)
		}
		t := signatureTally{name: repo, titles: map[string]int{}}
		for i := range p.Shown {
			if s := &p.Shown[i]; apidoc.Described(s.Path) {
				t.add(s, o.verbose, w)
			}
		}
		if t.declared, t.found, err = declaredInHeaders(dir, t.titles); err != nil {
			return err
		}
		t.print(w)
	}
	return nil
}

// A signatureTally counts the signatures of a library.
type signatureTally struct {
	name                    string
	symbols, whole, cut     int
	titles                  map[string]int // how many symbols have each name
	declared, found, doubly int            // of C and C++
}

func (t *signatureTally) add(s *docs.Snippet, verbose bool, w io.Writer) {
	t.symbols++
	if t.titles[s.Title]++; t.titles[s.Title] > 1 {
		t.doubly++
	}
	_, code, ok := strings.Cut(s.Content, "```")
	_, code, _ = strings.Cut(code, "\n")
	code, _, _ = strings.Cut(code, "\n```")
	switch why := brokenSignature(code, s.Language); {
	case !ok || why == "":
		t.whole++
	default:
		if why == "left out" {
			t.cut++
		}
		if verbose {
			fmt.Fprintf(w, "  %s:%d %s: %s: %.300q\n", s.Path, s.Line, s.Title, why, code)
		}
	}
}

func (t *signatureTally) print(w io.Writer) {
	fmt.Fprintf(w, "%-32s %6d symbols  whole %.3f  with something left out %.3f  names again %.3f", t.name, t.symbols,
		share(t.whole, t.symbols), share(t.cut, t.symbols), share(t.doubly, t.symbols))
	if t.declared > 0 {
		fmt.Fprintf(w, "  of %d declared in headers %.3f", t.declared, share(t.found, t.declared))
	}
	fmt.Fprintln(w)
}

func share(n, of int) float64 { return float64(n) / float64(cmp.Or(of, 1)) }

// brokenSignature says why a signature is not whole, "" of one that is.
func brokenSignature(s, lang string) string {
	var open []byte
	quotes := "\"`'"
	if lang == "rust" || lang == "cpp" {
		quotes = quotes[:2] // an apostrophe is a lifetime or divides digits
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case strings.IndexByte(quotes, c) >= 0:
			end := closingQuote(s[i+1:], c)
			if end >= 0 {
				i += 1 + end
			}
		case strings.HasPrefix(s[i:], "//") || strings.HasPrefix(s[i:], "# "):
			if end := strings.IndexByte(s[i:], '\n'); end >= 0 {
				i += end
			} else {
				i = len(s)
			}
		case strings.HasPrefix(s[i:], "/*"):
			if end := strings.Index(s[i+2:], "*/"); end >= 0 {
				i += end + 3
			}
		case strings.IndexByte("([{", c) >= 0:
			open = append(open, c)
		case strings.IndexByte(")]}", c) >= 0:
			if len(open) == 0 {
				return "a bracket that nothing opens"
			}
			open = open[:len(open)-1]
		}
	}
	end := strings.TrimRight(s, " \t\n")
	if isPythonHead(end) {
		end = strings.TrimSuffix(end, ":")
	}
	switch {
	case len(open) > 0:
		return "a bracket that nothing closes"
	case strings.Contains(s, "…"):
		return "left out"
	case end == "":
		return "nothing"
	case lang == "cpp" && (strings.HasSuffix(end, "&") || strings.Contains(end, "operator")), lang == "rust" && strings.HasSuffix(end, ","):
		return "" // a reference, an operator, a bound
	case strings.IndexByte(":=,|&<(+", end[len(end)-1]) >= 0 || strings.HasSuffix(end, "=>") || strings.HasSuffix(end, "->"):
		return "an end where something has to follow"
	}
	return ""
}

// isPythonHead reports whether a signature is the line that a function or a class of Python begins with.
func isPythonHead(s string) bool {
	last := s[strings.LastIndexByte(s, '\n')+1:]
	return strings.HasSuffix(s, "):") || strings.HasSuffix(s, "]:") || strings.HasPrefix(strings.TrimSpace(last), "class ") || strings.Contains(last, ") -> ")
}

// closingQuote returns where a text between quotation marks ends: on the same line, -1 for nowhere.
func closingQuote(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == quote:
			return i
		case s[i] == '\n' && quote != '`':
			return -1
		}
	}
	return -1
}
