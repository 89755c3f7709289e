package testaid

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// TestWrite holds that a program runs as soon as it is written, whatever else starts
// processes meanwhile.
func TestWrite(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ran := func(path string) error {
		cmd := exec.Command(path, "-test.run=^$")
		return cmd.Run()
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 16 {
				path := filepath.Join(dir, strconv.Itoa(i*16+j)+filepath.Ext(self))
				WriteProgram(t, path, text)
				if err := ran(path); err != nil {
					t.Error(err)
				}
				_ = os.Remove(path) // the folder is removed with the test
			}
		})
	}
	all.Wait()
	path := filepath.Join(dir, "linked"+filepath.Ext(self))
	CopyProgram(t, self, path)
	if err := ran(path); err != nil {
		t.Error(err)
	}
}
