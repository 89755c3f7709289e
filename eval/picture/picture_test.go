package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/render/pagetest"
)

// The pictures of the documents are what is drawn today: of the latest run, and of a session with
// the program as it is. go run ./eval/picture writes them.
func TestPictures(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the session needs sh")
	}
	assay := filepath.Join(t.TempDir(), "assay")
	if out, err := exec.Command("go", "build", "-o", assay, "github.com/assay-dev/assay/cmd/assay").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := draw(assay, "../runs", "../../docs", true); err != nil {
		t.Error(err)
	}
}

const ran = `# a tree
machine
4 files with 1234567 lines; 5 rounds

the first answer
               wall s            times assay    CPU s            times assay  memory MB
  assay         0.200       1.00 (1.00-1.00)    0.504       1.00 (1.00-1.00)         87  
  <b>other      0.100       0.50 (0.40-0.75)    5.216     10.44 (8.74-11.87)        234  

kept on the disk, times the sources (4 MB)
  assay        1.17
`

// A chart has each figure of the run at its length, and names the run; what is no figure is an error.
func TestChart(t *testing.T) {
	got, err := peers("eval/runs/x-peers.txt", ran)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the first answer (1,234,567 lines, 5 rounds)", "0.1 s, 0.5 times (0.4 to 0.75)", `class="bar ours" x="110" y="32" width="420"`, `width="210"`, `x1="278" y1="57" x2="425"`, "eval/runs/x-peers.txt", "prefers-color-scheme:dark"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if err := pagetest.Inert(got); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "nothing\n", strings.Replace(ran, "  assay         0.200", "  other         0.200", 1)} {
		if got, err := peers("x", bad); err == nil {
			t.Errorf("%q gives %s", bad, got)
		}
	}
}

// A session shows what was printed, in its colours and no wider than its terminal; nothing in it is markup.
func TestSession(t *testing.T) {
	for _, evil := range pagetest.Payloads() {
		got := session([]step{{evil, "\x1b[1m\x1b[36m" + strings.Join(strings.Fields(evil), " ") + "\x1b[0m\n"}})
		if err := pagetest.Inert(got); err != nil {
			t.Errorf("%q: %v", evil, err)
		}
	}
	got := session([]step{{"a", "\x1b[1m\x1b[36mx\x1b[0m " + strings.Repeat("y", 200) + "\n"}, {"b", "c\nd\n"}})
	for _, want := range []string{`<tspan class="b c">x</tspan>`, "yy…"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, strings.Repeat("y", columns)) || strings.Contains(got, "<script") {
		t.Error("too wide, or a script")
	}
	if _, err := record(filepath.Join(t.TempDir(), "assay")); err == nil {
		t.Error("a program that is not there was recorded")
	}
}

const grew = `# go run ./eval/speed -tree small
index
  cold index, process: wall                                         0.100          -      0.100      0.100      3  s
    wall per million lines                                           2.00          -       1.73       1.88      3  s/MLOC
    peak memory with mapped files (ru_maxrss)                         100          -        228        234      3  MB
  index size                                                          104          -        104        104      1  MB
    as a part of the sources                                         1.20          -      0.957      0.957      1
process
  cold query: 3 words, process, refreshed                            10.0       46.2       37.8       46.3     20  ms
  cold query: 3 words, process, --no-refresh                         8.00       27.7       18.3       27.8     20  ms

# index: 12 files, 10 of them documents with 50000 lines and 99 chunks
`

// A chart of sizes has each cost of each tree at its length; a tree that lacks one, or is alone, is an error.
func TestSizes(t *testing.T) {
	large := strings.NewReplacer("2.00", "1.00", "with 50000 lines", "with 1234567 lines").Replace(grew)
	got, err := sizes("eval/runs/x-sizes.txt", grew+large)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">50,000 lines<", ">1,234,567 lines<", `width="420"`, `width="210"`, ">2 s<", ">1 s<", ">10 ms<", ">100 MB<", ">1.2<", "eval/runs/x-sizes.txt"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if err := pagetest.Inert(got); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", grew, grew + strings.Replace(large, "as a part", "as part", 1)} {
		if got, err := sizes("x", bad); err == nil {
			t.Errorf("%q gives %s", bad, got)
		}
	}
}
