//go:build !slim

package op

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// TestReasonsAskedWhereLogged holds that the search tools ask for the reasons of a search only where they are logged, and
// take them anywhere.
func TestReasonsAskedWhereLogged(t *testing.T) {
	tests := []struct {
		name, folder, mode string
		want               bool
	}{
		{"a plain project", "src", "", false},
		{"an agent framework keeps its state", "loa-grimoire", "", true},
		{"it does, and the log is off", "loa-grimoire", "off", false},
		{"a strict log", "src", "strict", true},
		{"a lenient log", "src", "lenient", true},
		{"several share the tree", "loa-grimoire", code.NoTrajectory, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.Mkdir(filepath.Join(root, tt.folder), 0o755); err != nil {
				t.Fatal(err)
			}
			f := code.New(workspace.New(workspace.Config{WorkDir: root, Roots: []string{root}, Server: true}), code.Config{Trajectory: tt.mode})
			defer f.Close()
			for _, tool := range search(f)[0].Tools {
				for _, name := range []string{"intent", "rationale", "expect", "agent"} {
					if got := tool.Schema().Properties[name] != nil; got != tt.want {
						t.Errorf("%s asks for %s: %t, want %t", tool.Name, name, got, tt.want)
					}
				}
				in, err := tool.Decode([]byte(`{"query":"anything","expect":"one function"}`))
				if err != nil || in.(code.SearchInput).Expect != "one function" {
					t.Errorf("%s: %+v, %v", tool.Name, in, err)
				}
			}
		})
	}
}
