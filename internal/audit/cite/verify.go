package cite

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
)

// A State is what became of a citation.
type State string

// The states of a citation.
const (
	True     State = "true"     // it stands there
	Shifted  State = "shifted"  // it stands elsewhere in the file: at Found
	Altered  State = "altered"  // Near is much like it, at Found
	Invented State = "invented" // nothing there is like it
	NoFile   State = "no-file"
	Relative State = "relative" // the path is not absolute
	Outside  State = "outside"  // the path leads out of the project
	Short    State = "short"    // the quote holds nothing that could be told apart
)

// A Verdict is what Verify says of a citation.
type Verdict struct {
	State State
	Found int    // the line where the quote, or Near, begins
	Last  int    // of a citation of a range that is Shifted: where the range ends now
	Near  string // what stands there instead
}

const (
	maxFile  = 16 << 20
	maxTries = 4000 // lines that a quote is compared with, for the nearest
	alike    = .6   // of the words of a quote, how many make a line near it
)

// A Checker verifies citations against the files of a project. It keeps what it read,
// and is not safe for concurrent use.
type Checker struct {
	root  string // absolute
	files map[string]*source
	at    *safe.Root
}

// NewChecker returns a Checker for the project at root, an absolute folder.
func NewChecker(root string) (*Checker, error) {
	at, err := safe.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	return &Checker{root: root, files: map[string]*source{}, at: at}, nil
}

// Close lets the project go.
func (c *Checker) Close() error { return c.at.Close() }

// Verify looks for a quote where it is said to stand. Words and signs count, each
// as it is; how much space is between them, and where a line ends, does not.
func (c *Checker) Verify(cite Citation) Verdict {
	path := strings.Replace(cite.Path, "${PROJECT_ROOT}", c.root, 1)
	if !filepath.IsAbs(path) {
		return Verdict{State: Relative}
	}
	rel, ok := c.within(path)
	if !ok {
		return Verdict{State: Outside}
	}
	src, err := c.read(rel)
	if err != nil {
		return Verdict{State: NoFile}
	}
	quote := joined(cite.Quote)
	if !telling(quote) {
		return Verdict{State: Short}
	}
	last := max(cite.Last, cite.Line)
	// What reaches beyond the end of the file names no place.
	there := cite.Line >= 1 && last <= len(src.lines)
	nearest := 0
	for _, at := range src.find(quote) {
		if there && at >= cite.Line && at <= last {
			return Verdict{State: True, Found: at}
		}
		if nearest == 0 || apart(at, cite.Line) < apart(nearest, cite.Line) {
			nearest = at
		}
	}
	if nearest > 0 {
		return Verdict{State: Shifted, Found: nearest, Last: min(nearest+last-cite.Line, len(src.lines))}
	}
	if at := src.elided(quote, cite.Line); at > 0 {
		return Verdict{State: Altered, Found: at, Near: strings.TrimSpace(src.lines[at-1])}
	}
	if at, near := src.similar(cite.Quote, cite.Line); at > 0 {
		return Verdict{State: Altered, Found: at, Near: near}
	}
	return Verdict{State: Invented}
}

// within returns a path relative to the project, also where the project was reached
// by a symbolic link.
func (c *Checker) within(path string) (string, bool) {
	for range 2 {
		if rel, err := filepath.Rel(c.root, filepath.Clean(path)); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return "", false
		}
		path = real
	}
	return "", false
}

// A source is a file as it is looked through.
type source struct {
	lines []string
	text  string // its words, with a blank where any space was
	// Where in text the lines begin that are not blank, and their numbers, from 1.
	starts, numbers []int
}

func newSource(text string) *source {
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	s := &source{lines: lines}
	var b strings.Builder
	for i, line := range lines {
		line = joined(line)
		if line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		s.starts, s.numbers = append(s.starts, b.Len()), append(s.numbers, i+1)
		b.WriteString(line)
	}
	s.text = b.String()
	return s
}

// joined returns a text with one blank for every run of space.
func joined(s string) string { return strings.Join(strings.Fields(s), " ") }

// find returns the lines in which a quote begins, in order. No word is cut.
func (s *source) find(quote string) (at []int) {
	for from := 0; ; {
		i := strings.Index(s.text[from:], quote)
		if i < 0 {
			return at
		}
		i += from
		if !cuts(s.text, i) && !cuts(s.text, i+len(quote)) {
			k := sort.SearchInts(s.starts, i+1) - 1
			if n := s.numbers[k]; len(at) == 0 || at[len(at)-1] != n {
				at = append(at, n)
			}
		}
		from = i + 1
	}
}

func (c *Checker) read(rel string) (*source, error) {
	if s, ok := c.files[rel]; ok {
		if s == nil {
			return nil, fs.ErrNotExist
		}
		return s, nil
	}
	c.files[rel] = nil
	f, err := c.at.OpenLinked(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() || st.Size() > maxFile {
		return nil, errors.New("it is not a source file")
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	text, _ := text.Decode(raw)
	c.files[rel] = newSource(string(text))
	return c.files[rel], nil
}

// telling reports whether a quote has a word of two characters or more.
func telling(quote string) bool {
	run := 0
	for _, r := range quote {
		if !wordy(r) {
			run = 0
			continue
		}
		if run++; run >= 2 {
			return true
		}
	}
	return false
}

// wordy reports whether a rune is part of a word; a mark belongs to the letter that
// it stands on.
func wordy(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// cuts reports whether a cut of s at i is inside of a word.
func cuts(s string, i int) bool {
	if i <= 0 || i >= len(s) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i:])
	return wordy(before) && wordy(after)
}

func apart(a, b int) int { return max(a-b, b-a) }

// maxElided is how many lines may be between the ends of a quote that leaves
// something out.
const maxElided = 100

// elided returns the line nearest to at where a quote begins that has everything but
// what it omits, or 0. Such a quote is none word for word: what is omitted may
// turn its sense around.
func (s *source) elided(quote string, at int) int {
	parts := strings.Split(strings.ReplaceAll(quote, "…", "..."), "...")
	if len(parts) < 2 || !telling(parts[0]) {
		return 0
	}
	best := 0
	for _, first := range s.find(strings.TrimSpace(parts[0])) {
		last := first
		for _, part := range parts[1:] {
			if part = strings.TrimSpace(part); part == "" || last == 0 {
				continue
			}
			found := s.find(part)
			k := sort.SearchInts(found, last)
			if last = 0; k < len(found) && found[k] <= first+maxElided {
				last = found[k]
			}
		}
		if last > 0 && (best == 0 || apart(first, at) < apart(best, at)) {
			best = first
		}
	}
	return best
}

// similar returns the line that has the most words of a quote's first line in it, if
// it has most of them, and of two the one nearer to at. Of a quote of several lines
// it is the first that differs.
func (s *source) similar(quote string, at int) (int, string) {
	quoted := strings.Split(strings.TrimSpace(strings.ReplaceAll(quote, "\r\n", "\n")), "\n")
	want := words(quoted[0])
	best, score := 0, 0.0
	low := max(0, min(at, len(s.lines))-maxTries/2)
	for i := low; i < min(len(s.lines), low+maxTries); i++ {
		have := words(s.lines[i])
		both := 0
		for w, n := range want {
			both += min(n, have[w])
		}
		total := sum(want) + sum(have) - both
		if total == 0 {
			continue
		}
		if l := float64(both) / float64(total); l > score || l == score && best > 0 && apart(i+1, at) < apart(best, at) {
			best, score = i+1, l
		}
	}
	if score < alike {
		return 0, ""
	}
	for _, q := range quoted[:len(quoted)-1] {
		if best == len(s.lines) || joined(s.lines[best-1]) != joined(q) {
			break
		}
		best++
	}
	return best, strings.TrimSpace(s.lines[best-1])
}

func words(s string) map[string]int {
	out := map[string]int{}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !wordy(r) }) {
		out[w]++
	}
	return out
}

func sum(m map[string]int) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}

// Moved returns a document with the citations that are Shifted at the lines where
// they stand, and how many those are. verdicts belong to cites by place.
func Moved(doc string, cites []Citation, verdicts []Verdict) (string, int) {
	lines := strings.Split(doc, "\n")
	moved := 0
	// From the end, so that the places before keep theirs.
	for i := len(cites) - 1; i >= 0; i-- {
		c, v := cites[i], verdicts[i]
		if v.State != Shifted || c.At < 1 || c.At > len(lines) {
			continue
		}
		line := lines[c.At-1]
		to := strconv.Itoa(v.Found)
		if c.Last > c.Line {
			to += "-" + strconv.Itoa(v.Last)
		}
		lines[c.At-1] = line[:c.from] + to + line[c.upTo:]
		moved++
	}
	return strings.Join(lines, "\n"), moved
}
