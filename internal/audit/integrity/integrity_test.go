package integrity

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
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
	}{
		{name: "nothing there", mode: Disabled},
		{name: "sound", files: map[string]string{".claude/a": "x", sumsFile: sums(".claude/a", digest("x"))}, mode: Warn},
		{name: "changed", files: map[string]string{".claude/a": "y", sumsFile: sums(".claude/a", digest("x"))}, mode: Warn, want: "changed"},
		{name: "changed, strict", files: map[string]string{".claude/a": "y", sumsFile: sums(".claude/a", digest("x")), configFile: "integrity_enforcement: strict\n"}, mode: Strict, want: "changed", stops: true},
		{name: "changed, disabled", files: map[string]string{".claude/a": "y", sumsFile: sums(".claude/a", digest("x")), configFile: "integrity_enforcement: disabled\n"}, mode: Disabled},
		{name: "missing", files: map[string]string{sumsFile: sums(".claude/a", digest("x"))}, mode: Warn, want: "missing"},
		{name: "out of the project", files: map[string]string{sumsFile: sums("../../etc/passwd", digest("x"))}, mode: Warn, want: "malformed"},
		{name: "a broken manifest", files: map[string]string{sumsFile: "{\n\n!"}, mode: Warn, want: "malformed"},
		{name: "a broken configuration", files: map[string]string{configFile: "a: [\n"}, mode: Warn, want: "malformed"},
		{name: "an unknown mode", files: map[string]string{configFile: "integrity_enforcement: maybe\n"}, mode: Warn, want: "malformed"},
		{name: "an old version", files: map[string]string{configFile: "integrity_enforcement: warn\n", versionFile: `{"dependencies":{"assay":">=9.0.0"}}`}, mode: Warn, want: "version"},
		{name: "a version that will do", files: map[string]string{configFile: "integrity_enforcement: warn\n", versionFile: `{"dependencies":{"assay":{"version":"^1.2.0"},"ck":">=0.7.0"}}`}, mode: Warn},
		{name: "an old ck", files: map[string]string{configFile: "integrity_enforcement: warn\n", versionFile: `{"dependencies":{"ck":">=0.8.0"}}`}, mode: Warn, want: "version"},
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
		r, err := Check(root, Options{Version: "1.4.0", CK: "0.7.11", Binary: binary})
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, f.What)
		}
		if strings.Join(got, " ") != tc.want || r.Mode != tc.mode || r.Stops() != tc.stops {
			t.Errorf("%s: %+v, want %q, %s", tc.name, r, tc.want, tc.mode)
		}
		if tc.name == "a broken manifest" && !strings.Contains(r.Findings[0].Why, "line 3") {
			t.Errorf("%s: %s", tc.name, r.Findings[0].Why)
		}
	}
}

// Whatever is malformed is named with its line, and the rest is looked at.
func TestMalformed(t *testing.T) {
	good := map[string]string{
		configFile:  "integrity_enforcement: warn\n",
		sumsFile:    `{"files":{".claude/a":"` + digest("other") + `"}}`,
		versionFile: `{"dependencies":{"assay":">=9.0.0"}}`,
		".claude/a": "x",
	}
	for _, tc := range []struct{ file, text, line string }{
		{configFile, "a: 1\nb: [\n", "line 2"},
		{configFile, "a: 1\n\tb: 2\n", "line 2"},
		{configFile, "- a\n- b\n", "line 1"},
		{configFile, "a: 1\na: 2\n", "line 2"},
		{configFile, "a: 1\n\nintegrity_enforcement: maybe\n", "line 3"},
		{configFile, "a: 1\nintegrity_enforcement: [strict]\n", "line 2"},
		{configFile, "\x00\xff\xfe", ""},
		{sumsFile, "", "line 1"},
		{sumsFile, "{\n\"files\": {\n\"a\": \"b\",\n}\n}", "line 4"},
		{sumsFile, "{\n\"files\": [\"a\"]\n}", "line 2"},
		{sumsFile, "{\n\"files\": {\"a\":\n1}}", "line 3"},
		{sumsFile, "{\"files\": {}}\nrest", "line 2"},
		{sumsFile, `{"algorithm": "md5", "files": {}}`, "md5"},
		{sumsFile, "{\"files\": {\n\".claude/a\": \"xyz\"}}", "line 2"},
		{sumsFile, "{\"files\":\n{\n\"../../x\": \"" + digest("x") + "\"}}", "line 3"},
		{versionFile, "{\n\"dependencies\": 1}", "line 2"},
		{versionFile, "{\n\n\"dependencies\": {", "line 3"},
		{versionFile, "\n\nno", "line 3"},
	} {
		root := t.TempDir()
		for name, text := range good {
			if name == tc.file {
				text = tc.text
			}
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Check(root, Options{Version: "1.4.0"})
		if err != nil {
			t.Errorf("%s %q: %v", tc.file, tc.text, err)
			continue
		}
		var bad, others int
		for _, f := range r.Findings {
			switch {
			case f.What == "malformed" && strings.Contains(f.Why, tc.line):
				bad++
			case f.What == "changed" || f.What == "version":
				others++
			}
		}
		want := 1
		if tc.file == configFile {
			want = 2
		}
		if bad != 1 || others != want {
			t.Errorf("%s %q: %+v, want it malformed at %s and %d others", tc.file, tc.text, r.Findings, tc.line, want)
		}
	}
}

func TestSatisfies(t *testing.T) {
	for _, tc := range []struct {
		version, want string
		ok            bool
	}{
		{"1.2.3", "1.2.3", true}, {"1.2.3", "=1.2.3", true}, {"1.2.3", "== 1.2.3", true}, {"v1.2.3-rc.1", "1.2.3", true}, {"1.2.3", "1.2.4", false},
		{"1.2.3", ">1.2.2", true}, {"1.2.3", ">1.2.3", false}, {"1.2.3", ">=1.2.3", true}, {"1.2.3", ">=1.3", false},
		{"1.2.3", "<1.2.4", true}, {"1.2.3", "<1.2.3", false}, {"1.2.3", "<=1.2.3", true}, {"1.2.3", "<=1.2.2", false},
		{"1.9.0", "^1.2.3", true}, {"2.0.0", "^1.2.3", false}, {"1.2.2", "^1.2.3", false},
		{"1.2.9", "~1.2.3", true}, {"1.3.0", "~1.2.3", false}, {"2.2.4", "~1.2.3", false},
		{"(devel)", ">=9", true}, {"1.2.3", "newest", true}, {"1.2.3", "1.2.3.4", true},
	} {
		if got := satisfies(tc.version, tc.want); got != tc.ok {
			t.Errorf("%s of %s: %v", tc.version, tc.want, got)
		}
	}
}

// Hashes that are kept are those of files that did not change since: a change of size or of
// time is read again, and what cannot be read is not kept.
func TestSums(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	at, err := safe.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	var none *Sums
	kept := &Sums{}
	if _, err := kept.sum(at, "a"); err == nil {
		t.Error("a file that is not there has a hash")
	}
	for i, text := range []string{"x", "xy", "zz", "zy"} { // the last is of another time alone
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		day := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(name, day, day); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for _, s := range []*Sums{none, kept} {
				if got, err := s.sum(at, "a"); err != nil || got != digest(text) {
					t.Errorf("%q: %s, %v", text, got, err)
				}
			}
		}
		// What has the same size and time is not read again.
		if err := os.WriteFile(name, []byte(strings.Repeat("?", len(text))), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, day, day); err != nil {
			t.Fatal(err)
		}
		if got, err := kept.sum(at, "a"); err != nil || got != digest(text) {
			t.Errorf("%q is read again: %s, %v", text, got, err)
		}
	}
}

func TestModeOf(t *testing.T) {
	dir := t.TempDir()
	if mode, set, err := ModeOf(dir); mode != Disabled || set || err != nil {
		t.Errorf("nothing set: %v %v %v", mode, set, err)
	}
	if err := os.WriteFile(filepath.Join(dir, configFile), []byte("integrity_enforcement: strict\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if mode, set, err := ModeOf(dir); mode != Strict || !set || err != nil {
		t.Errorf("strict: %v %v %v", mode, set, err)
	}
	if _, _, err := ModeOf(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there has a mode")
	}
}
