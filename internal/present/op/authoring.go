//go:build !slim

package op

import "github.com/assay-dev/assay/internal/script"

// authoring is the operations for those who write modules or learn to. The slim program is for the machines that run them.
func authoring(f *script.Feature) []Op {
	return []Op{
		writes("modules new", "Create a module, from an OpenAPI file if one is given", "assay modules new billing --openapi billing.yaml", f.NewModule),
		executes("modules try", "Run a built-in example against its own mock server", "assay modules try silence", f.Try),
		reads("policy check", "Explain what a script could do under a policy file",
			"assay policy check policy.yaml --request 'POST https://grafana.example.com/api/annotations'", f.CheckPolicy),
		reads("policy schema", "Print the JSON Schema of policy files", "assay policy schema", f.PolicySchema),
	}
}
