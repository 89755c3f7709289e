package docs

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/docs/library"
)

// presetsJSON is presets.json.
var presetsJSON = lazy.Deflated(presetsPack)

//go:embed presets.pack
var presetsPack string

// A Preset is a library whose documentation is known to lie in a place.
type Preset struct {
	Name        string         `json:"name"`
	Repo        string         `json:"repo"`
	ID          string         `json:"id"`
	Aliases     []string       `json:"aliases,omitempty"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Include     []string       `json:"include"`
	Exclude     []string       `json:"exclude,omitempty"`
	Format      library.Format `json:"format,omitempty"` // of all its .md pages, where that is not Markdown
	// Tag is what the tag or branch of a version is called: {version} stands for it
	// without a "v" before it, {version_} for the same with underscores for dots, {major}
	// for its first number. Without one, there is nothing but the state of today.
	Tag string `json:"tag_pattern,omitempty"`
	// Paths takes the place of Include where versions are folders of one branch, with
	// the same stand-ins; Current is the version that is read where none is asked for.
	Paths   []string `json:"path_pattern,omitempty"`
	Current string   `json:"current,omitempty"`
	Trust   float64  `json:"trust,omitempty"` // 0 < Trust ≤ 10
}

// presets returns all presets by name.
var presets = sync.OnceValues(func() ([]Preset, error) {
	var all []Preset
	if err := json.Unmarshal([]byte(presetsJSON()), &all); err != nil {
		return nil, fmt.Errorf("read the presets: %w", err)
	}
	sorting.Stable(all, func(a, b Preset) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
})

func presetOf(name string) (*Preset, error) {
	all, err := presets()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(all))
	for i := range all {
		if strings.EqualFold(all[i].Name, name) || slices.Contains(all[i].Aliases, strings.ToLower(name)) {
			return &all[i], nil
		}
		names[i] = all[i].Name
	}
	return nil, fault.New(fault.NotFound, "no preset %q", name).Or("presets are %s; anything else can be read by its address", strings.Join(names, ", "))
}

// fill puts the version into a pattern.
func fill(pattern, version string) string {
	bare := strings.TrimPrefix(version, "v")
	major, _, _ := strings.Cut(bare, ".")
	return strings.NewReplacer("{version}", bare, "{version_}", strings.ReplaceAll(bare, ".", "_"), "{major}", major).Replace(pattern)
}

// apply turns a preset into where to read, and says what is odd about it. A source that is
// named already is a copy of the preset's repository.
func (p *Preset) apply(in *Where) (notes []string) {
	in.Source = cmp.Or(in.Source, p.Repo)
	in.ID = cmp.Or(in.ID, p.ID)
	version := in.Version
	if len(p.Paths) > 0 {
		version = cmp.Or(version, p.Current)
		for _, g := range p.Paths {
			in.Include = append(in.Include, fill(g, version))
		}
	} else if len(in.Include) == 0 {
		in.Include = p.Include
	}
	in.Exclude = append(slices.Clip(in.Exclude), p.Exclude...)
	switch {
	case in.Ref != "" || in.Version == "" || len(p.Paths) > 0:
	case p.Tag != "":
		in.Ref = fill(p.Tag, in.Version)
	default:
		notes = append(notes, fmt.Sprintf("%s keeps no tags for versions: what it says today is labelled %s", p.Name, in.Version))
	}
	return notes
}

// presetFor returns the preset of a library, or nil: what it says of the library holds
// wherever the library's documentation was read from.
func presetFor(id string) *Preset {
	all, err := presets()
	if err != nil {
		return nil
	}
	i := slices.IndexFunc(all, func(p Preset) bool {
		return strings.EqualFold(p.ID, id) || slices.Contains(p.Aliases, strings.ToLower(id))
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}
