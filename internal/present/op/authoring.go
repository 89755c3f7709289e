//go:build !slim

package op

import "github.com/assay-dev/assay/internal/script"

// authoring is the operations for those who write modules or learn to. The slim program is for the
// machines that run them.
func authoring(f *script.Feature) []Op {
	return []Op{define(Op{
		Name:    "modules new",
		Brief:   "Create a module, from an OpenAPI file if one is given",
		Example: "assay modules new billing --openapi billing.yaml",
		Effect:  Writes,
	}, f.NewModule), define(Op{
		Name:    "modules try",
		Brief:   "Run a built-in example against its own mock server",
		Example: "assay modules try silence",
		Effect:  Executes,
	}, f.Try), define(Op{
		Name:    "policy check",
		Brief:   "Explain what a script could do under a policy file",
		Example: "assay policy check policy.yaml --request 'POST https://grafana.example.com/api/annotations'",
	}, f.CheckPolicy), define(Op{
		Name:    "policy schema",
		Brief:   "Print the JSON Schema of policy files",
		Example: "assay policy schema",
	}, f.PolicySchema)}
}
