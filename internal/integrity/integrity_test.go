package integrity

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func digest(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

func TestCheck(t *testing.T) {
	sums := func(files ...string) string {
		var parts []string
		for i := 0; i < len(files); i += 2 {
			parts = append(parts, `"`+files[i]+`":"`+files[i+1]+`"`)
		}
		return `{"generated":"x","algorithm":"sha256","files":{` + strings.Join(parts, ",") + `}}`
	}
	for _, tc := range []struct {
		name  string
		files map[string]string
		mode  Mode
		want  string // what was found
		stops bool
		fails bool
	}{
		{name: "nothing there", mode: Disabled},
		{name: "sound", files: map[string]string{".claude/a": "x", sumsFile: sums(".claude/a", digest("x"))}, mode: Warn},
		{name: "changed", files: map[string]string{".claude/a": "y", sumsFile: sums(".claude/a", digest("x"))}, mode: Warn, want: "changed"},
		{name: "changed, strict", files: map[string]string{".claude/a": "y", sumsFile: sums(".claude/a", digest("x")), configFile: "integrity_enforcement: strict\n"}, mode: Strict, want: "changed", stops: true},
		{name: "changed, disabled", files: map[string]string{".claude/a": "y", sumsFile: sums(".claude/a", digest("x")), configFile: "integrity_enforcement: disabled\n"}, mode: Disabled},
		{name: "missing", files: map[string]string{sumsFile: sums(".claude/a", digest("x"))}, mode: Warn, want: "missing"},
		{name: "out of the project", files: map[string]string{sumsFile: sums("../../etc/passwd", digest("x"))}, mode: Warn, want: "malformed"},
		{name: "a broken manifest", files: map[string]string{sumsFile: "{\n\n!"}, mode: Warn, want: "malformed"},
		{name: "a broken configuration", files: map[string]string{configFile: "a: [\n"}, fails: true},
		{name: "an unknown mode", files: map[string]string{configFile: "integrity_enforcement: maybe\n"}, fails: true},
		{name: "an old version", files: map[string]string{configFile: "integrity_enforcement: warn\n", versionFile: `{"dependencies":{"assay":">=9.0.0"}}`}, mode: Warn, want: "version"},
		{name: "a version that will do", files: map[string]string{configFile: "integrity_enforcement: warn\n", versionFile: `{"dependencies":{"assay":{"version":"^1.2.0"},"ck":">=0.7.0"}}`}, mode: Warn},
		{name: "another program", files: map[string]string{configFile: "integrity_enforcement: warn\n", versionFile: `{"binary_fingerprints":{"ck":"` + digest("x") + `"}}`}, mode: Warn, want: "fingerprint"},
	} {
		root := t.TempDir()
		for name, text := range tc.files {
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		binary := filepath.Join(root, "bin")
		if err := os.WriteFile(binary, []byte("program"), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Check(root, Options{Version: "1.4.0", Binary: binary})
		if (err != nil) != tc.fails {
			t.Errorf("%s: %v", tc.name, err)
		}
		if err != nil {
			continue
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, f.What)
		}
		if strings.Join(got, " ") != tc.want || r.Mode != tc.mode || r.Stops() != tc.stops {
			t.Errorf("%s: %+v, want %q, %s", tc.name, r, tc.want, tc.mode)
		}
		if tc.want == "malformed" && strings.Contains(tc.name, "broken") && !strings.Contains(r.Findings[0].Why, "line 3") {
			t.Errorf("%s: %s", tc.name, r.Findings[0].Why)
		}
	}
}

// What is known of a file is good until its size or its time changes.
func TestSums(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string, at time.Time) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	then := time.Unix(1e9, 0)
	write("a", "one", then)
	write(sumsFile, `{"files":{"a":"`+digest("one")+`"}}`, then)
	known := &Sums{}
	for _, tc := range []struct {
		text  string
		at    time.Time
		found int
	}{
		{"one", then, 0},
		{"two", then, 0}, // which is what it costs to hash nothing twice
		{"two", then.Add(time.Second), 1},
		{"longer", then.Add(time.Second), 1},
		{"one", then.Add(2 * time.Second), 0},
	} {
		write("a", tc.text, tc.at)
		r, err := Check(root, Options{Known: known})
		if err != nil || len(r.Findings) != tc.found {
			t.Errorf("%q at %v: %+v, %v", tc.text, tc.at, r, err)
		}
	}
	if err := os.Remove(filepath.Join(root, "a")); err != nil {
		t.Fatal(err)
	}
	if r, err := Check(root, Options{Known: known}); err != nil || len(r.Findings) != 1 || r.Findings[0].What != "missing" {
		t.Errorf("a file that is gone: %+v, %v", r, err)
	}
}
