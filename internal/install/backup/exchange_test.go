package backup

import (
	"os"
	"path/filepath"
	"testing"
)

// TestKilledAfterExchange holds that the former folder is put aside by the next restore if one was killed
// right after it had exchanged the folders, and that a folder of somebody else's is left alone.
func TestKilledAfterExchange(t *testing.T) {
	for _, tt := range []struct {
		name   string
		marked bool // the folder of notes was staged by a restore
	}{
		{"the former folder under the name of a staged one", true},
		{"somebody's folder of that name", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := populated(t)
			w.backup(t, Input{})
			w.write(t, "data/notes/later.md", "written after the backup\n")
			if tt.marked {
				w.write(t, "data/notes/"+stagedMark, "")
			}
			w.write(t, "data/notes"+stagedSuffix+"/former.md", "former\n")
			w.write(t, "data/notes/a.md", "changed after the backup\n")
			_, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip", Overwrite: true})
			if (err == nil) != tt.marked {
				t.Errorf("it ends with %v", err)
			}
			_, left := os.Lstat(w.at("data/notes" + stagedSuffix + "/former.md"))
			aside, _ := filepath.Glob(w.at("data/notes" + putAside + "*/former.md"))
			if (left == nil) == tt.marked || len(aside) == 1 != tt.marked {
				t.Errorf("under the staged name: %v; put aside: %v", left, aside)
			}
		})
	}
}
