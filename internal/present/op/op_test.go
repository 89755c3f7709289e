package op

import (
	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/graph"
	"github.com/assay-dev/assay/internal/script"
)

// Features are below this package and cannot name its interfaces. What presenters look for
// in their answers is held here: a method that is renamed there does not compile here.
var (
	_ = []Judged{(*audit.Preflight)(nil), (*audit.Cites)(nil), (*audit.LogChecked)(nil), (*audit.Checked)(nil), (*code.SearchAnswer)(nil), (*code.Damage)(nil),
		(*graph.Callers)(nil), (*graph.Callees)(nil), (*graph.Functions)(nil), (*graph.Imports)(nil), (*graph.Importers)(nil), (*graph.Impact)(nil), (*graph.Inventory)(nil),
		(*script.LintReport)(nil), (*script.RunResult)(nil), (*script.ExecResult)(nil)}
	_ = []Drawn{(*graph.Callers)(nil), (*graph.Callees)(nil), (*graph.Imports)(nil), (*graph.Importers)(nil), (*graph.Impact)(nil), (*graph.Inventory)(nil)}
	_ = []Noted{(*code.SearchAnswer)(nil)}
	_ = []Exact{(*code.SearchAnswer)(nil), (*script.RunResult)(nil), (*script.ExecResult)(nil)}
)
