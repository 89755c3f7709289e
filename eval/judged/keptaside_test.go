package judged_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/eval/judged"
)

// What is read for fitting is of no project that is kept aside, nor of its site.
func TestReadRefuses(t *testing.T) {
	read := func(project string) map[string]error {
		errs := map[string]error{}
		var b bytes.Buffer
		if err := judged.Write(&b, &judged.Question{Project: project}); err != nil {
			t.Fatal(err)
		}
		_, errs["questions"] = judged.Read(&b)
		b.Reset()
		if err := judged.WritePools(&b, []judged.Pool{{Project: project}}); err != nil {
			t.Fatal(err)
		}
		_, errs["pools"] = judged.ReadPools(&b)
		file := filepath.Join(t.TempDir(), "changes.jsonl")
		if err := os.WriteFile(file, []byte(`{"repo": "`+project+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs["changes"] = judged.ReadChanges(file)
		return errs
	}
	for what, err := range read("laravel+docs") {
		if err == nil || !strings.Contains(err.Error(), "kept aside") {
			t.Errorf("%s of a site: %v", what, err)
		}
	}
	for what, err := range read("a+b") {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}
