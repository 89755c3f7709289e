package claims

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// An Entry is where a program begins.
type Entry struct {
	Place
	Text string `json:"text"` // the line
}

var entry = lazy.Regexp(`^(func main\(|fn main\(|(async )?def main\(|if __name__ ==|(pub )?async fn main\(|\s*public static void main\(|int main\(|#!/)|^\s*"(bin|main)":|^\s*(app|server)\.listen\(`)

// A ride lists mostListed entry points or abstractions, and where fewer than
// fewListed abstractions are used anywhere also those that are not.
const (
	mostListed = 20
	fewListed  = 5
)

// Entries returns where the programs of the tree begin, the shallowest first. A tree
// without a program is a library: it begins where its callers do, with the functions
// that its shallowest folder exports, those that make something first.
func (a *Auditor) Entries(ctx context.Context) ([]Entry, error) {
	out := a.programs()
	if len(out) > 0 {
		return out, nil
	}
	decls, err := a.declarations(ctx)
	if err != nil {
		return nil, err
	}
	lines := map[string][]byte{}
	for i := range a.Tree.Code {
		lines[a.Tree.Code[i].Path] = a.Tree.Code[i].Text
	}
	depth, first := -1, []Entry{}
	for i := range decls {
		d := &decls[i]
		if d.Kind != "function" || d.Scope != "" && d.Language != "python" && d.Language != "rust" {
			continue
		}
		n := strings.Count(d.Path, "/")
		if depth >= 0 && n > depth {
			continue
		}
		if n < depth || depth < 0 {
			depth, out, first = n, nil, first[:0]
		}
		e := Entry{d.Place, short(strings.TrimSpace(lineOf(lines[d.Path], d.Line)))}
		if slices.ContainsFunc(makers, func(begin string) bool { return strings.HasPrefix(strings.ToLower(d.Name), begin) }) {
			first = append(first, e)
			continue
		}
		out = append(out, e)
	}
	out = append(first, out...)
	return out[:min(len(out), mostListed)], nil
}

// lineOf returns a line of a text, from 1.
func lineOf(text []byte, n int) string {
	for line := range bytes.Lines(text) {
		if n--; n == 0 {
			return string(line)
		}
	}
	return ""
}

// programs returns where the programs of the tree begin.
func (a *Auditor) programs() []Entry {
	out := []Entry{}
	for i := range a.Tree.Code {
		f := &a.Tree.Code[i]
		if f.Flags&(corpus.Test|corpus.Example|corpus.Vendored|corpus.Generated) != 0 {
			continue
		}
		if f.Language == "json" && path.Base(f.Path) != "package.json" {
			continue
		}
		n := 0
		for line := range bytes.Lines(f.Text) {
			if n++; entry.Match(line) {
				out = append(out, Entry{Place{f.Path, n}, short(strings.TrimSpace(string(line)))})
				break
			}
		}
	}
	sorting.Stable(out, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), byPlace(a.Place, b.Place))
	})
	return out[:min(len(out), mostListed)]
}

// An Abstraction is a type that others stand on.
type Abstraction struct {
	Place
	Kind string `json:"kind"`
	Name string `json:"name"`
	Uses int    `json:"uses"` // files that name it
}

// Abstractions returns the types that most files use.
func (a *Auditor) Abstractions(ctx context.Context) ([]Abstraction, error) {
	decls, err := a.declarations(ctx)
	if err != nil {
		return nil, err
	}
	out := []Abstraction{}
	for i := range decls {
		d := &decls[i]
		switch d.Kind {
		case "interface", "class", "trait", "struct", "type":
			out = append(out, Abstraction{d.Place, d.Kind, d.Qualified(), len(a.dependents(d))})
		}
	}
	sorting.Stable(out, func(a, b Abstraction) int { return cmp.Or(cmp.Compare(b.Uses, a.Uses), byPlace(a.Place, b.Place)) })
	// In a small library no file needs the type of another: then all that it has is shown.
	if n := slices.IndexFunc(out, func(x Abstraction) bool { return x.Uses == 0 }); n > fewListed {
		out = out[:n]
	}
	return out[:min(len(out), mostListed)], nil
}

// makers begin the names of functions that make something.
var makers = strings.Fields("new open create make connect dial start init load default build")
