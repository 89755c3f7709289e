package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	audit "github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/audit/cite"
	"github.com/assay-dev/assay/internal/audit/claims"
)

// The sorts of citation that are planted.
const (
	quotedTrue = iota
	quotedShifted
	quotedAltered
	quotedInvented
	sorts
)

// perSort is how many citations of each sort all projects together get.
const perSort = 50

// A cited is a citation and what is to be said of it.
type cited struct {
	sort  int
	quote string
	path  string
	line  int
	last  int // of a range
	found int // where it stands, the place nearest to line
	form  int // how the document writes it
}

// citations counts how citations were judged.
type citations struct {
	total    [sorts]int
	accepted int // and not true
	rejected int // and true
	found    int // of those that are shifted, where they stand
	moved    int // of those, true after --fix
}

func (c *citations) String() string {
	return fmt.Sprintf("%d true, %d shifted, %d altered, %d invented: %d falsely accepted, %d falsely rejected, %d shifted found, %d mended",
		c.total[quotedTrue], c.total[quotedShifted], c.total[quotedAltered], c.total[quotedInvented], c.accepted, c.rejected, c.found, c.moved)
}

// citeAll plants citations of the code of some projects, and looks what is said of
// them. What stands where is known from a search of its own, slow and plain.
func citeAll(ctx context.Context, o options, roots []string, w io.Writer) (*citations, error) {
	sum := &citations{}
	trees := make([]*claims.Tree, len(roots))
	for i, root := range roots {
		real, err := filepath.EvalSymlinks(root)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil {
			return nil, err
		}
		if trees[i], err = claims.Read(ctx, real, nil); err != nil {
			return nil, err
		}
	}
	for i, tree := range trees {
		r := rand.New(rand.NewPCG(o.seed, uint64(i)))
		var all []cited
		for sort := range sorts {
			n := perSort / len(trees)
			if i < perSort%len(trees) {
				n++
			}
			for tries := 0; n > 0; tries++ {
				if tries > 10000 {
					return nil, fmt.Errorf("%s has no lines to cite", tree.Root)
				}
				if c, ok := makeCitation(r, tree, trees[(i+1)%len(trees)], sort); ok {
					c.form = len(all) % forms
					all = append(all, c)
					n--
				}
			}
		}
		if err := sum.judge(ctx, tree.Root, all, i%2 == 1, o.verbose, w); err != nil {
			return nil, err
		}
	}
	_, err := fmt.Fprintln(w, "citations:", sum)
	return sum, err
}

// makeCitation makes one citation of a sort; where that does not work out, another is asked.
func makeCitation(r *rand.Rand, tree, other *claims.Tree, sort int) (c cited, ok bool) {
	if len(tree.Code) == 0 || len(other.Code) == 0 {
		return c, false
	}
	src := &tree.Code[r.IntN(len(tree.Code))]
	lines := linesOf(src)
	i := r.IntN(len(lines))
	if !quotable(lines[i]) {
		return c, false
	}
	c = cited{sort: sort, path: filepath.Join(tree.Root, filepath.FromSlash(src.Path)), line: i + 1, found: i + 1, quote: strings.TrimSpace(lines[i])}
	switch sort {
	case quotedTrue, quotedShifted:
		switch r.IntN(4) {
		case 0: // several lines
			n := min(i+2+r.IntN(3), len(lines))
			if c.quote = strings.TrimSpace(strings.Join(lines[i:n], "\n")); c.quote == "" || strings.ContainsAny(c.quote, "`~") {
				return c, false
			}
		case 1: // what an editor makes of tabs
			c.quote = strings.ReplaceAll(c.quote, "\t", "    ")
		case 2: // some words of the line
			words := strings.Fields(c.quote)
			from := r.IntN(len(words))
			if part := strings.Join(words[from:from+1+r.IntN(len(words)-from)], " "); quotable(part) {
				c.quote = part
			}
		}
		if sort == quotedTrue {
			if r.IntN(3) == 0 {
				c.line = max(1, c.line-r.IntN(4))
				c.last = min(len(lines), i+1+r.IntN(4))
			}
			break
		}
		c.line = 1 + r.IntN(len(lines)+20) // also beyond the end of the file
		if r.IntN(4) == 0 {
			c.last = c.line + r.IntN(3)
		}
		c.found = nearestTo(lines, c.quote, c.line)
		within := c.line <= len(lines) && max(c.last, c.line) <= len(lines)
		if c.found == 0 || within && c.found >= c.line && c.found <= max(c.last, c.line) {
			return c, false
		}
	case quotedAltered:
		c.quote = altered(r, c.quote)
		if nearestTo(lines, c.quote, c.line) > 0 {
			return c, false
		}
	case quotedInvented:
		theirs := linesOf(&other.Code[r.IntN(len(other.Code))])
		c.quote = strings.TrimSpace(theirs[r.IntN(len(theirs))])
		if !quotable(c.quote) || nearestTo(lines, c.quote, c.line) > 0 {
			return c, false
		}
	}
	return c, true
}

func linesOf(s *claims.Source) []string {
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(s.Text), "\r\n", "\n"), "\n"), "\n")
}

var letters = regexp.MustCompile(`\w{3,}`)

// quotable reports whether a line is one that somebody would quote, and can.
func quotable(line string) bool {
	t := strings.TrimSpace(line)
	return len(t) > 8 && len(t) < 200 && letters.MatchString(t) && !strings.ContainsAny(t, "`~")
}

// nearestTo looks for a quote line by line, and returns the place nearest to at.
func nearestTo(lines []string, quote string, at int) int {
	want := strings.Join(strings.Fields(quote), " ")
	if want == "" {
		return 0
	}
	best := 0
	for i := range lines {
		own := strings.Join(strings.Fields(lines[i]), " ")
		if own == "" || !stands(own, strings.Join(strings.Fields(strings.Join(lines[i:min(i+8, len(lines))], " ")), " "), want) {
			continue
		}
		if best == 0 || max(i+1-at, at-i-1) < max(best-at, at-best) {
			best = i + 1
		}
	}
	return best
}

// stands reports whether a quote begins in a line and goes on in what follows it, and
// begins and ends as words do.
func stands(line, text, quote string) bool {
	word := func(b byte) bool {
		return b == '_' || b >= 0x80 || unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b))
	}
	for i := range line {
		if !strings.HasPrefix(text[i:], quote) {
			continue
		}
		end := i + len(quote)
		if (i == 0 || !word(text[i-1]) || !word(text[i])) && (end == len(text) || !word(text[end-1]) || !word(text[end])) {
			return true
		}
	}
	return false
}

// altered changes a quote as one does who writes it from memory.
func altered(r *rand.Rand, quote string) string {
	spots := letters.FindAllStringIndex(quote, -1)
	at := spots[r.IntN(len(spots))]
	word := quote[at[0]:at[1]]
	put := func(s string) string { return quote[:at[0]] + s + quote[at[1]:] }
	switch r.IntN(7) {
	case 0: // a letter
		return put(word[:1] + "x" + word[2:])
	case 1: // the end of a word
		return put(word[:len(word)-1])
	case 2: // one word more
		return put(word + " not")
	case 3: // one word less
		return put("")
	case 4: // the case
		if up := strings.ToUpper(word[:1]) + word[1:]; up != word {
			return put(up)
		}
		return put(strings.ToLower(word))
	case 5: // what is left out
		return put("…")
	}
	for _, swap := range [][2]string{{"==", "!="}, {"!=", "=="}, {"<", ">"}, {":=", "="}, {"true", "false"}, {"nil", "null"}, {"+", "-"}} {
		if strings.Contains(quote, swap[0]) {
			return strings.Replace(quote, swap[0], swap[1], 1)
		}
	}
	return put(word + "s")
}

// wrap finds where an editor may break a line; what begins the next is no mark.
var wrap = regexp.MustCompile(`^(.*?) ([A-Za-z].*)$`)

// forms is in how many ways a document writes a citation.
const forms = 6

// write appends a citation to a document.
func (c *cited) write(b *strings.Builder, root string) {
	path, last := c.path, ""
	if c.last > 0 {
		last = fmt.Sprintf("-%d", c.last)
	}
	inline := strings.Join(strings.Fields(c.quote), " ")
	switch c.form {
	case 0:
		fmt.Fprintf(b, "- It does so: `%s` [%s:%d%s]\n\n", inline, path, c.line, last)
	case 1:
		fmt.Fprintf(b, "It does so.\n\n```go\n%s\n```\n\n[%s:%d%s]\n\n", c.quote, path, c.line, last)
	case 2:
		fmt.Fprintf(b, "| what | where |\n|---|---|\n| does so | `%s` [%s:%d%s] |\n\n", strings.ReplaceAll(inline, "|", `\|`), path, c.line, last)
	case 3:
		path = "${PROJECT_ROOT}/" + filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		fmt.Fprintf(b, "It does so: ``%s``\n  [%s:%d%s].\n\n", inline, path, c.line, last)
	case 4:
		fmt.Fprintf(b, "- It does so: `%s` [%s:%d%s]\n\n", wrap.ReplaceAllString(inline, "$1\n  $2"), path, c.line, last)
	case 5:
		fmt.Fprintf(b, "- It does so:\n\n    ```\n    %s\n    ```\n\n  [%s:%d%s]\n\n", strings.ReplaceAll(c.quote, "\n", "\n    "), path, c.line, last)
	}
}

// judge writes a document with citations of a project, and compares what is said of
// them with what is known.
func (c *citations) judge(ctx context.Context, root string, all []cited, crlf, verbose bool, w io.Writer) error {
	tmp, err := os.MkdirTemp("", "cite")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // it was only ours
	var b strings.Builder
	for i := range all {
		all[i].write(&b, root)
	}
	doc := filepath.Join(tmp, "review.md")
	text := b.String()
	if crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if err := os.WriteFile(doc, []byte(text), 0o600); err != nil {
		return err
	}
	feature := audit.New(audit.Config{WorkDir: tmp, Project: func(p string) (string, error) { return p, nil }})
	in := audit.CiteInput{Files: []string{doc}, Project: audit.Project{Root: root}}
	got, err := feature.Cite(ctx, in)
	if err != nil {
		return err
	}
	if len(got.Citations) != len(all) {
		return fmt.Errorf("%d citations were read of %d", len(got.Citations), len(all))
	}
	in.Fix = true
	if _, err := feature.Cite(ctx, in); err != nil {
		return err
	}
	in.Fix = false
	after, err := feature.Cite(ctx, in)
	if err != nil {
		return err
	}
	for i := range all {
		want, said := &all[i], &got.Citations[i]
		c.total[want.sort]++
		right := true
		switch {
		case want.sort == quotedTrue:
			if said.State != cite.True {
				c.rejected, right = c.rejected+1, false
			}
		case said.State == cite.True:
			c.accepted, right = c.accepted+1, false
		case want.sort == quotedShifted:
			if right = said.State == cite.Shifted && said.Found == want.found; right {
				c.found++
			}
			if after.Citations[i].State == cite.True {
				c.moved++
			}
		}
		// What does not stand anywhere is not to be moved anywhere.
		if want.sort >= quotedAltered && after.Citations[i].State == cite.True {
			c.accepted, right = c.accepted+1, false
		}
		if verbose && !right {
			fmt.Fprintf(w, "    sort %d, said %s at %d, not %d: %s:%d-%d %q\n", want.sort, said.State, said.Found, want.found, want.path, want.line, cmp.Or(want.last, want.line), want.quote)
		}
	}
	return nil
}
