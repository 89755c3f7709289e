package audit

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/corpus"
	"github.com/assay-dev/assay/internal/lazy"
)

// An Entry is where a program begins.
type Entry struct {
	Place
	Text string `json:"text"` // the line
}

var entry = lazy.Regexp(`^(func main\(|fn main\(|(async )?def main\(|if __name__ ==|(pub )?async fn main\(|\s*public static void main\(|int main\(|#!/)|^\s*"(bin|main)":|^\s*(app|server)\.listen\(`)

// mostListed is how many entry points or abstractions a ride lists.
const mostListed = 20

// Entries returns where the programs of the tree begin, the shallowest first.
func (a *Auditor) Entries() []Entry {
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
	slices.SortStableFunc(out, func(a, b Entry) int {
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
			if uses := len(a.dependents(d)); uses > 0 {
				out = append(out, Abstraction{d.Place, d.Kind, d.Qualified(), uses})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Abstraction) int { return cmp.Or(cmp.Compare(b.Uses, a.Uses), byPlace(a.Place, b.Place)) })
	return out[:min(len(out), mostListed)], nil
}
