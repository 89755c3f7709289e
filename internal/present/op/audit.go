//go:build !slim

package op

import "github.com/assay-dev/assay/internal/audit"

// truth is the operations of feature audit.
func truth(f *audit.Feature) []Op {
	return []Op{
		define(Op{
			Name:    "audit cite",
			Brief:   "Verify the code that documents quote, word for word",
			Example: "assay audit cite docs/review.md --fix",
			Effect:  Writes,
		}, f.Cite),
		define(Op{
			Name:    "audit check",
			Brief:   "Decide whether documents are grounded enough to hand over",
			Example: "assay audit check docs/review.md",
		}, f.CheckAs),
		define(Op{
			Name:    "audit drift",
			Brief:   "Compare documents with code and write the report",
			Example: "assay audit drift --html",
			Effect:  Writes,
		}, f.Drift),
		define(Op{
			Name:    "audit ride",
			Brief:   "Survey the code, and report how documents describe it",
			Example: "assay audit ride",
			Effect:  Writes,
		}, f.Ride),
		define(Op{
			Name:    "audit ci",
			Brief:   "Report ghosts, shadows and drift in CI",
			Example: "assay audit ci --fail-on ghost,drift,shadow:high --format github",
			Effect:  Writes,
		}, f.CI),
		define(Op{
			Name:    "audit accept",
			Brief:   "Accept findings of audit ci, with a reason",
			Example: `assay audit accept README.md:5 --reason "planned for 3.0"`,
			Effect:  Writes,
		}, f.Accept),
		define(Op{
			Name:    "audit fix",
			Brief:   "Correct names and links of documents, where it is sure what was meant",
			Example: "assay audit fix --dry-run",
			Effect:  Writes,
		}, f.Fix),
		define(Op{
			Name:    "audit ghosts",
			Brief:   "List what documents claim and the code lacks",
			Example: "assay audit ghosts --docs 'docs/**/*.md' --explain",
		}, f.Ghosts),
		define(Op{
			Name:    "audit ghost",
			Brief:   "Check whether the code has a feature",
			Example: `assay audit ghost "single sign-on" --synonym "OAuth2 login"`,
		}, f.Ghost),
		define(Op{
			Name:    "audit shadows",
			Brief:   "List what the code exports and documents omit",
			Example: "assay audit shadows",
		}, f.Shadows),
		define(Op{
			Name:    "preflight",
			Brief:   "Compare an agent framework's files with their checksums",
			Example: "assay preflight",
		}, f.Preflight),
		define(Op{
			Name:    "trajectory show",
			Brief:   "Show past searches and the reasons for them",
			Example: "assay trajectory show --limit 20",
		}, f.Show),
		define(Op{
			Name:    "trajectory check",
			Brief:   "Check the search log for gaps",
			Example: "assay trajectory check",
		}, f.CheckLog),
		define(Op{
			Name:    "trajectory pivot",
			Brief:   "Record why the next search is narrower",
			Example: `assay trajectory pivot --hypothesis-failure "too wide" --refined-hypothesis "it is in auth" --new-query "token refresh"`,
			Effect:  Writes,
		}, f.Pivot),
		define(Op{
			Name:    "trajectory prune",
			Brief:   "Remove old search logs",
			Example: "assay trajectory prune --days 30",
			Effect:  Writes,
		}, f.Prune),
		define(Op{
			Name:    "notes",
			Brief:   "Show the findings, their age and how much was read for them",
			Example: "assay notes",
		}, f.Notes),
		define(Op{
			Name:    "notes add",
			Brief:   "Write findings into NOTES.md, each with its code",
			Example: "assay notes add 'auth/jwt.go:45 checks the signature' --summary 'Auth analysed'",
			Effect:  Writes,
		}, f.Add),
		define(Op{
			Name:    "notes decay",
			Brief:   "Age the findings: reduced to locations after 5 minutes, removed after 30",
			Example: "assay notes decay",
			Effect:  Writes,
		}, f.Decay),
		define(Op{
			Name:    "notes rehydrate",
			Brief:   "Read the code of a finding again from its file",
			Example: "assay notes rehydrate auth/jwt.go:45",
		}, f.Rehydrate),
	}
}
