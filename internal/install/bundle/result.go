package bundle

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"time"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
)

// A Report lists the files of a bundle and, after it was applied, the state of each.
type Report struct {
	File   string    `json:"file"`
	Signer string    `json:"signer"` // the public key
	Made   time.Time `json:"made"`
	Bytes  int64     `json:"bytes"` // of the archive
	Items  []Item    `json:"items"`
	Notes  []string  `json:"notes,omitempty"`

	verb string
	dry  bool
}

// An Item is a file of a bundle.
type Item struct {
	Part  string `json:"part"` // docs, modules, models or program
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"` // a file, or the libraries that were imported
	State string `json:"state,omitempty"`
}

// addNotes adds the steps that the user has to take next.
func (r *Report) addNotes(models string) {
	noted := map[string]bool{}
	for _, x := range r.Items {
		if name := path.Dir(x.Name); x.Part == partModels && !noted[name] {
			noted[name] = true
			r.Notes = append(r.Notes, fmt.Sprintf("to search with the model: assay config set embed.provider model2vec, and assay config set embed.model %s", filepath.Join(models, name)))
		}
		if x.Part == partProgram && x.State == stateLeft {
			r.Notes = append(r.Notes, "the executable "+x.Name+" stays in the bundle: --program-to DIR installs the one of this platform")
		}
	}
}

// WriteText writes the report, a line for each file.
func (r *Report) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	verb := r.verb
	if r.dry {
		verb = "would be " + verb
	}
	fmt.Fprintf(&b, "%s %s %s, %s, signed by %s\n", text.Count(len(r.Items), "file", "files"), verb, r.File, text.Size(r.Bytes), r.Signer)
	for _, x := range r.Items {
		fmt.Fprintf(&b, "  %-8s %s, %s", x.Part, text.Line(x.Name), text.Size(x.Bytes))
		if x.State != "" {
			fmt.Fprintf(&b, ", %s", x.State)
		}
		if x.To != "" {
			fmt.Fprintf(&b, ": %s", text.Line(x.To))
		}
		b.WriteByte('\n')
	}
	b.Notes(r.Notes)
	return b.End()
}
