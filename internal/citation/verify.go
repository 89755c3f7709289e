package citation

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
	files map[string][]string
	at    *os.Root
}

// NewChecker returns a Checker for the project at root, an absolute folder.
func NewChecker(root string) (*Checker, error) {
	at, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	return &Checker{root: root, files: map[string][]string{}, at: at}, nil
}

// Close lets the project go.
func (c *Checker) Close() error { return c.at.Close() }

// Verify looks for a quote where it is said to stand.
func (c *Checker) Verify(cite Citation) Verdict {
	path := strings.Replace(cite.Path, "${PROJECT_ROOT}", c.root, 1)
	if !filepath.IsAbs(path) {
		return Verdict{State: Relative}
	}
	rel, err := filepath.Rel(c.root, filepath.Clean(path))
	if err != nil || !filepath.IsLocal(rel) {
		return Verdict{State: Outside}
	}
	lines, err := c.read(rel)
	if err != nil {
		return Verdict{State: NoFile}
	}
	quote := trimmed(cite.Quote)
	if !telling(quote) {
		return Verdict{State: Short}
	}
	last := max(cite.Last, cite.Line)
	for i := cite.Line; i <= min(last, len(lines)); i++ {
		if i >= 1 && stands(lines, i-1, quote) {
			return Verdict{State: True, Found: i}
		}
	}
	if at := nearest(lines, quote, cite.Line); at > 0 {
		return Verdict{State: Shifted, Found: at}
	}
	if at, near := similar(lines, quote[0], cite.Line); at > 0 {
		return Verdict{State: Altered, Found: at, Near: near}
	}
	return Verdict{State: Invented}
}

func (c *Checker) read(rel string) ([]string, error) {
	if lines, ok := c.files[rel]; ok {
		if lines == nil {
			return nil, fs.ErrNotExist
		}
		return lines, nil
	}
	c.files[rel] = nil
	f, err := c.at.Open(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() || st.Size() > maxFile {
		return nil, errors.New("it is no file of source")
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	c.files[rel] = lines
	return lines, nil
}

// trimmed returns the lines of a quote, without what surrounds it.
func trimmed(quote string) []string {
	lines := strings.Split(strings.Trim(strings.ReplaceAll(quote, "\r\n", "\n"), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	lines[0] = strings.TrimSpace(lines[0])
	return lines
}

// telling reports whether a quote has a word of two characters or more.
func telling(quote []string) bool {
	run := 0
	for _, r := range strings.Join(quote, "\n") {
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

func wordy(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// stands reports whether a quote begins in line i: as part of it if it is one line,
// and otherwise to its end, with the lines after it, of which the last may go on.
// Indentation does not count, and no word is cut.
func stands(lines []string, i int, quote []string) bool {
	if len(quote) == 1 {
		return whole(lines[i], quote[0])
	}
	if i+len(quote) > len(lines) {
		return false
	}
	first := strings.TrimRight(lines[i], " \t")
	if !strings.HasSuffix(first, quote[0]) || cuts(first, len(first)-len(quote[0])) {
		return false
	}
	for k := 1; k < len(quote); k++ {
		have, want := strings.TrimSpace(lines[i+k]), strings.TrimSpace(quote[k])
		if k == len(quote)-1 {
			return strings.HasPrefix(have, want) && !cuts(have, len(want))
		}
		if have != want {
			return false
		}
	}
	return false
}

// whole reports whether s has part in it between the ends of words.
func whole(s, part string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], part)
		if i < 0 {
			return false
		}
		i += from
		if !cuts(s, i) && !cuts(s, i+len(part)) {
			return true
		}
		from = i + 1
	}
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

// nearest returns the line nearest to at in which a quote stands, or 0.
func nearest(lines, quote []string, at int) int {
	best := 0
	for i := range lines {
		if (best == 0 || apart(i+1, at) < apart(best, at)) && stands(lines, i, quote) {
			best = i + 1
		}
	}
	return best
}

func apart(a, b int) int { return max(a-b, b-a) }

// similar returns the line that has the most words of a quote in it, if it has most
// of them, and of two the one nearer to at.
func similar(lines []string, quote string, at int) (int, string) {
	want := words(quote)
	best, score := 0, 0.0
	low := max(0, min(at, len(lines))-maxTries/2)
	for i := low; i < min(len(lines), low+maxTries); i++ {
		have := words(lines[i])
		both := 0
		for w, n := range want {
			both += min(n, have[w])
		}
		total := sum(want) + sum(have) - both
		if total == 0 {
			continue
		}
		if s := float64(both) / float64(total); s > score || s == score && best > 0 && apart(i+1, at) < apart(best, at) {
			best, score = i+1, s
		}
	}
	if score < alike {
		return 0, ""
	}
	return best, strings.TrimSpace(lines[best-1])
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
			to += "-" + strconv.Itoa(v.Found+c.Last-c.Line)
		}
		lines[c.At-1] = line[:c.from] + to + line[c.upTo:]
		moved++
	}
	return strings.Join(lines, "\n"), moved
}
