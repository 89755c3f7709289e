package graph

import (
	"slices"
	"strings"
	"testing"
)

const patch = `diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -1,2 +1,3 @@
 one
+new
 two
@@ -4 +5,0 @@ func f() {
-four
\ No newline at end of file
diff --git a/gone.go b/gone.go
--- a/gone.go
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git "a/\303\244.go" b/there.go
similarity index 100%
rename from "\303\244.go"
rename to there.go
`

func TestPatch(t *testing.T) {
	files, err := parsePatch(patch)
	if err != nil || len(files) != 3 {
		t.Fatalf("%+v, %v", files, err)
	}
	if got := []string{files[0].path, files[1].was, files[1].path, files[2].was, files[2].path}; !slices.Equal(got, []string{"a.go", "gone.go", "", "ä.go", "there.go"}) {
		t.Errorf("files %q", got)
	}
	const before, after = "one\ntwo\nthree\nfour\nfive\n", "one\nnew\ntwo\nthree\nfive\n"
	if got, ok := apply([]byte(before), files[0].hunks, false); !ok || string(got) != after {
		t.Errorf("applied %q, %v", got, ok)
	}
	if got, ok := apply([]byte(after), files[0].hunks, true); !ok || string(got) != before {
		t.Errorf("taken back %q, %v", got, ok)
	}
	if _, ok := apply([]byte(before), files[0].hunks, true); ok {
		t.Error("taken back from where it was not made")
	}
	for _, bad := range []string{"", "@@ -1 +1 @@\n-a\n+b\n", "--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a\n", "--- a/x\n+++ b/x\n@@ -1 +x @@\n", "--- a/x\n+++ b//etc/passwd\n", "--- a/x\n+++ b/../y\n"} {
		if files, err := parsePatch(bad); err == nil {
			t.Errorf("parsePatch(%q) = %+v", bad, files)
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add(patch, "one\ntwo\nthree\nfour\nfive\n")
	f.Fuzz(func(t *testing.T, patch, text string) {
		files, err := parsePatch(patch)
		if err != nil {
			return
		}
		text = strings.ReplaceAll(text, "\r", "")
		for _, file := range files {
			now, ok := apply([]byte(text), file.hunks, false)
			if !ok || !strings.HasSuffix(text, "\n") || !strings.HasSuffix(string(now), "\n") {
				continue
			}
			if back, ok := apply(now, file.hunks, true); ok && string(back) != text {
				t.Fatalf("%q became %q and then %q", text, now, back)
			}
		}
	})
}
