package code

import (
	"fmt"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/discover"
)

// fewFiles is how many files make a root that yields little, if rules ignore more.
const fewFiles = 20

// thin says why a tree yields nothing or little: which rules ignore how much of it; and
// once which files of rules do not count.
func thin(t *discover.Tree) (notes []string) {
	if t == nil {
		return nil
	}
	files, ignored := 0, 0
	for _, d := range t.Dirs {
		files += len(d.Files)
	}
	for _, r := range t.Rules {
		ignored += r.Count
	}
	if files < fewFiles && ignored > files {
		for _, r := range t.Rules[:min(len(t.Rules), 3)] {
			notes = append(notes, text.Counted("%s, line %d ignores %d {file or folder|files and folders}; --no-ignore reads them", r.File, r.Line, r.Count))
		}
	}
	if len(t.Unheeded) > 0 {
		more := ""
		if n := len(t.Unheeded) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		notes = append(notes, fmt.Sprintf("%s%s has no effect, because this is not a git work tree; use an .assayignore instead", t.Unheeded[0], more))
	}
	return notes
}
