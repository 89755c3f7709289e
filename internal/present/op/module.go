package op

import (
	"context"
	"fmt"
	"reflect"

	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/script"
)

// runtime is the operations of feature module. The tool that runs code is among them only where that was allowed.
func runtime(f *script.Feature, allowExec bool) []Op {
	exec := executes("exec", "Run Lua, from a file or from the command line",
		`assay exec -e 'return http.get("http://localhost:8080/health").status'`, f.Exec)
	if allowExec {
		exec.Tools = []Tool{tool("exec", "exec", "Run Lua with API modules (see context), under the server's policy. Return what you need.", script.ExecArgs.Input)}
	}
	ops := []Op{
		executes("run", "Run a script or a file of checks", "assay run checks.yaml --junit report.xml", f.Run),
		exec,
		reads("context", "Find the API modules for a task, and how to call them", `assay context "silence an alert"`, f.Context).
			with(tool("context", "context", "Find the Lua API modules for a task: their functions, variables and auth.", script.ContextArgs.Input)),
		reads("modules", "List the API modules", "assay modules", f.Modules),
		reads("modules lint", "Check the headers of modules", "assay modules lint modules/billing.lua", f.Lint),
		{
			Name:    "mock",
			Brief:   "Serve a fixture of API responses on loopback until interrupted",
			Example: "assay mock fixture.json --port 8080",
			Records: true,
			In:      reflect.TypeFor[script.MockInput](),
			Run: func(ctx context.Context, in any, out Out) (Result, error) {
				arg, ok := in.(script.MockInput)
				if !ok {
					return nil, fmt.Errorf("mock was given a %T", in)
				}
				ctx = work.With(ctx, work.Report{Progress: out.Progress, Note: out.Note})
				return nil, f.Mock(ctx, arg, func(e *script.MockEvent) error { return out.Emit(e) })
			},
		},
	}
	last := len(ops) - 1 // mock, which comes after the operations that write modules
	return append(append(ops[:last:last], authoring(f)...), ops[last])
}
