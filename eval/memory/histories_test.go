package main

import (
	"strings"
	"testing"
)

func TestEdits(t *testing.T) {
	const printed = `commit a1 2024-01-02
diff --git a/x.md b/x.md
+++ b/x.md
@@ -0,0 +1,2 @@
+* The server listens on [port](http://a) 80.
+Two lines
commit b2 2024-02-03
diff --git a/x.md b/x.md
--- a/x.md
+++ b/x.md
@@ -1 +1 @@
-* The server listens on [port](http://a) 80.
+* The server listens on port 443 of the gateway.
@@ -2 +2,2 @@
-Two lines
+Three
+lines
`
	var got []revision
	if err := edits(strings.NewReader(printed), func(e revision) { got = append(got, e) }); err != nil {
		t.Fatal(err)
	}
	want := revision{Commit: "b2", Path: "x.md", Hunk: "-1 +1", Written: "2024-01-02", old: "The server listens on port 80.", later: "The server listens on port 443 of the gateway.", day: "2024-02-03"}
	if len(got) != 1 || got[0] != want {
		t.Fatalf("edits = %+v", got)
	}
}
