// Package code is the feature that answers "where is it?": search, similar, index,
// status and watch over source trees.
//
// Every answer agrees with the tree as it is when it is asked for, or says how far
// it does not. No hit is shown that is not in its file.
package code

import (
	"github.com/assay-dev/assay/internal/code/bucket"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// Config is how questions are answered where they do not say.
type Config struct {
	TopK       int                     // hits where a call does not say; 0: 10
	Budget     int                     // tokens where a call does not say; 0: no limit
	Piped      bool                    // nobody reads the answer on a terminal: without a limit, DefaultBudget is one
	Semantic   *float64                // threshold of the tools where a call has none; nil: .4
	Hybrid     *float64                // the same; nil: .5
	Trajectory string                  // "strict": no search without what it expects; "lenient": all are logged; "off": only those that say why; empty: "lenient" where an agent framework keeps its state
	Gate       func(root string) error // stops a search of a project that may not be trusted; nil: none
	Shared     bucket.Config           // where indexes are shared, and as whom; without a URL only where a call says
	Agent      string                  // who searches, where a call does not say
}

// NoTrajectory is the mode that writes no log, whatever a call says: where several share a
// tree, what one asked would be found by another.
const NoTrajectory = "none"

// A Feature answers questions about code. It is safe for concurrent use.
type Feature struct {
	cfg    Config
	trees  *workspace.Workspace
	around workspace.Config // of trees
}

// New returns a feature over the trees of a workspace, which it closes.
func New(trees *workspace.Workspace, cfg Config) *Feature {
	return &Feature{cfg: cfg, trees: trees, around: trees.Config()}
}

// Workspace returns the trees that the feature searches, for features that ask the same.
func (f *Feature) Workspace() *workspace.Workspace { return f.trees }

// Thresholds returns what hits have to score in the tools, where a call does not say.
func (f *Feature) Thresholds() (semantic, hybrid float64) {
	semantic, hybrid = .4, .5
	if f.cfg.Semantic != nil {
		semantic = *f.cfg.Semantic
	}
	if f.cfg.Hybrid != nil {
		hybrid = *f.cfg.Hybrid
	}
	return semantic, hybrid
}

// Close releases every tree that was opened.
func (f *Feature) Close() error { return f.trees.Close() }

// resolve finds the tree that an input means.
func (f *Feature) resolve(p Place, paths []string) (workspace.Target, error) {
	return f.trees.Resolve(workspace.Place(p), paths)
}
