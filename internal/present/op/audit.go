//go:build !slim

package op

import (
	"encoding/json"

	"github.com/assay-dev/assay/internal/audit"
)

// named is the tool that audits documents. Its answer is the text alone, which its budget is of.
func named() Tool {
	t := tool("audit names", "audit", "Links, flags and names in documents that the project lacks, with evidence and fixes.", audit.NamesArgs.Input)
	t.Plain, t.Heavy = true, func(json.RawMessage) bool { return true }
	return t
}

// truth is the operations of feature audit.
func truth(f *audit.Feature) []Op {
	return []Op{
		writes("audit cite", "Verify the code that documents quote, word for word", "assay audit cite docs/review.md --fix", f.Cite),
		reads("audit check", "Decide whether documents are grounded enough to hand over", "assay audit check docs/review.md", f.CheckAs),
		writes("audit drift", "Compare documents with code and write the report", "assay audit drift --html", f.Drift),
		writes("audit ride", "Survey the code, and report how documents describe it", "assay audit ride", f.Ride),
		writes("audit ci", "Report ghosts, shadows and drift in CI", "assay audit ci --fail-on ghost,drift,shadow:high --format github", f.CI),
		writes("audit accept", "Accept findings of audit ci, with a reason",
			`assay audit accept README.md:5 --reason "planned for 3.0"`, f.Accept),
		writes("audit fix", "Correct names and links of documents, where it is sure what was meant", "assay audit fix --dry-run", f.Fix),
		define(Op{
			Name:    "audit names",
			Brief:   "Audit documents",
			Example: "assay audit names --fix preview",
			Effect:  Writes,
			Hidden:  true,
			Tools:   []Tool{named()},
		}, f.Names),
		reads("audit ghosts", "List what documents claim and the code lacks", "assay audit ghosts --docs 'docs/**/*.md' --explain", f.Ghosts),
		reads("audit ghost", "Check whether the code has a feature", `assay audit ghost "single sign-on" --synonym "OAuth2 login"`, f.Ghost),
		reads("audit shadows", "List what the code exports and documents omit", "assay audit shadows", f.Shadows),
		reads("preflight", "Compare an agent framework's files with their checksums", "assay preflight", f.Preflight),
		reads("trajectory show", "Show past searches and the reasons for them", "assay trajectory show --limit 20", f.Show),
		reads("trajectory check", "Check the search log for gaps", "assay trajectory check", f.CheckLog),
		writes("trajectory pivot", "Record why the next search is narrower",
			`assay trajectory pivot --hypothesis-failure "too wide" --refined-hypothesis "it is in auth" --new-query "token refresh"`, f.Pivot),
		writes("trajectory prune", "Remove old search logs", "assay trajectory prune --days 30", f.Prune),
		reads("notes", "Show the findings, their age and how much was read for them", "assay notes", f.Notes),
		writes("notes add", "Write findings into NOTES.md, each with its code",
			"assay notes add 'auth/jwt.go:45 checks the signature' --summary 'Auth analysed'", f.Add),
		writes("notes decay", "Age the findings: reduced to locations after 5 minutes, removed after 30", "assay notes decay", f.Decay),
		reads("notes rehydrate", "Read the code of a finding again from its file", "assay notes rehydrate auth/jwt.go:45", f.Rehydrate),
	}
}
