package claims

import (
	"strings"
	"testing"
)

// A name is a confirmed ghost on a ground that was right in most projects: what only stands where
// the project's names do, or was in the code once, is for a person to look at, with what speaks for it.
func TestGrounds(t *testing.T) {
	files := map[string]string{
		"pom.xml":          "<project/>",
		"WireClient.java":  "package a.wires;\npublic class WireClient {\n  public void openWire() {}\n  public void closeWire() {}\n  public void listWires() {}\n}\n",
		"PeckManager.java": "package a.wires;\npublic class PeckConnectionManager {\n  static final String A = \"PECK_HOME\", B = \"PECK_ROOM\";\n  void run() { option(\"--once\"); option(\"--max-depth\"); option(\"--all-files\"); }\n}\n",
	}
	past := []string{`  option("--dropped-flag").alias('plain')`, "  gh release upload --foreign-flag", "class FormerWire {", "FORMER_HOME=3", "run(SYSTEM_NAME)", "class UntoldWire {"}
	for doc, want := range map[string]string{
		"Call `WireClient.dropWire()`.\n":                                                  "unsure: " + onType.why,
		"Call `WireClient.openWire`, `WireClient.closeWire` or `WireClient.dropWire()`.\n": "unsure: " + onType.why + "; " + onMembers.why,
		"It is a `PeckConnManager`.\n":                                                     "unsure: " + onNear.why,
		"It is an `UntoldWire`.\n":                                                         "unsure: " + onPastCode.why,
		"It is a `FormerWire`.\n":                                                          "unsure: " + onPast.why,
		"Pass `--once`, `--max-depth`, `--all-files` or `--sorted`.\n":                     "unsure: " + onPage.why,
		"Pass `--once`, `--max-depth`, `--all-files` or `--dropped-flag`.\n":               onPastMore.why,
		"Pass `--once`, `--max-depth`, `--all-files` or `--foreign-flag`.\n":               "unsure: " + onPage.why,
		"Pass `--once`, `--max-depth`, `--all-files` or `--plain`.\n":                      "unsure: " + onPage.why,
		"Pass `--once`, `--max-depth`, `--all-files` or `--allfiles`.\n":                   "meant: --all-files",
		"Set `PECK_HOME`, `PECK_ROOM` or `PECK_COLOUR`.\n":                                 "unsure: " + onFamily.why,
		"Set `PECK_HOME` or `PECK_ROOM`, not the variable `SYSTEM_NAME`.\n":                "",
		"Call `listWire()` or `listingWires()`.\n":                                         "unsure: " + onEnding.why,
		"## Features\n\n- `TeleportWire` moves them\n":                                     "unsure: " + onList.why,
	} {
		files["README.md"] = "# wires\n\n" + doc
		a := New(write(t, files), nil, nil)
		a.Past = func(words map[string]bool, has func([]byte, string) bool) (map[string]bool, bool) {
			gone := map[string]bool{}
			for w := range words {
				for _, line := range past {
					if has([]byte(line), w) {
						gone[w] = !strings.Contains(line, "Untold")
					}
				}
			}
			return gone, true
		}
		features, _ := a.Features()
		var got []string
		for _, f := range features {
			v, err := a.Judge(t.Context(), f, "")
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case v.Class == Found:
			case v.Class == Unsure && v.Ground != "":
				t.Errorf("%s is unsure and reported: %q", v.Name, v.Ground)
			case v.Class != Unsure && v.Meant != "":
				got = append(got, "meant: "+v.Meant)
			case v.Class != Unsure:
				got = append(got, strings.Replace(v.Ground+v.Doubt, little+"the name is the project's own", "unsure", 1))
				if (v.Class == Confirmed) != (v.Ground != "") {
					t.Errorf("%s is a %s with the ground %q", v.Name, v.Class, v.Ground)
				}
			}
		}
		if all := strings.Join(got, "; "); (want == "") != (all == "") || !strings.Contains(all, want) {
			t.Errorf("of %q %q is reported, want %q", doc, all, want)
		}
	}
	if (&ground{right: 4, read: 4}).sure() || (&ground{right: 7, read: 9}).sure() || !(&ground{right: 4, read: 5}).sure() || !onSpec.sure() {
		t.Error("a ground is sure that was right too seldom or not often enough, or one is not that was")
	}
	if (grounds{onPrefix, onFamily}).enough() || (grounds{}).enough() || !(grounds{onNear, onMove}).enough() {
		t.Error("grounds are enough that are not, or are not that are")
	}
}

// Code has a flag where it declares it, not where it calls another program with it.
func TestWrites(t *testing.T) {
	for line, want := range map[string]bool{
		`flag("--all-files")`: true, `option('all-files')`: true, "  --all-files) a=1": true, "gh run --all-files": false,
		"all-files: true": true, "x --all-files-too": false, `"x all-files"`: false, "run(all-files)": false,
	} {
		if got := writes([]byte(line), "all-files"); got != want {
			t.Errorf("writes(%q) = %v", line, got)
		}
	}
	if writes([]byte(`flag("files")`), "files") || !writes([]byte(`flag("--files")`), "files") {
		t.Error("a plain word is taken for a flag, or a flag is not")
	}
}
