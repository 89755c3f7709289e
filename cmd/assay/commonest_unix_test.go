//go:build unix && !slim

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	wide "github.com/assay-dev/assay/internal/base/render"
)

// commonest are the commands that people type most, in an order in which a newcomer might.
var commonest = []string{
	"assay help", "assay search --help", "assay index", "assay status", "assay search 'pay an order'", "assay search --regex Backoff",
	"assay brief 'an order is paid twice'", "assay show Pay", "assay callers Backoff", "assay callees Pay", "assay refs Limit",
	"assay functions", "assay inventory", "assay map", "assay impact --diff", "assay audit drift", "assay docs list",
	"assay docs query /shop/handbook 'how often is a payment retried'", "assay memory search 'payment retries'", "assay memory list",
	"assay impact Backoff", "assay serch order",
}

// quoting are commands that show lines of files, and places before them, as they are.
var quoting = []string{"search", "brief", "memory"}

// varying is what differs from one run to the next: times, sizes of files that SQLite writes, and the days of notes.
var varying = []struct {
	of *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`\d+\.\d+ (s\b|kB)`), "0.0 $1"},
	{regexp.MustCompile(`(\d+\.\d\d) times`), "0.00 times"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d`), "2026-01-02"},
	{regexp.MustCompile(`-\d{8}-\d{6}\.md`), "-20260102-030405.md"},
}

// onScreen returns what is left on the screen: a line that was written over is gone, and colours and links are not seen.
func onScreen(said, dir string) string {
	said = link.ReplaceAllString(said, "")
	said = regexp.MustCompile("\x1b\\[[0-9;]*[mK]").ReplaceAllString(said, "")
	var b strings.Builder
	for line := range strings.Lines(said) {
		if at := strings.LastIndexByte(line, '\r'); at >= 0 {
			line = line[at+1:]
		}
		b.WriteString(line)
	}
	said = strings.ReplaceAll(b.String(), dir, "/home/ada/shop")
	for _, v := range varying {
		said = v.of.ReplaceAllString(said, v.as)
	}
	return said
}

// The picture of the commonest commands on a terminal of 80 columns is testdata/commonest.golden; -update writes it.
// Its lines fit, but for code, which is shown as it is.
func TestCommonest(t *testing.T) {
	dir := shopOnDisk(t)
	writeAll(t, dir, map[string]string{
		"pay.go":            "package shop\n\n// Limit is how often a payment is tried.\nconst Limit = 3\n\n// Pay pays an order, and again if the bank does not answer.\nfunc Pay(order string) error {\n\tfor n := range Limit {\n\t\tif send(order) {\n\t\t\treturn nil\n\t\t}\n\t\tBackoff(n)\n\t}\n\treturn errUnpaid\n}\n",
		"retry.go":          "package shop\n\nimport \"errors\"\n\nvar errUnpaid = errors.New(\"unpaid\")\n\n// Backoff returns how many seconds to wait, longer each time.\nfunc Backoff(n int) int { return 1 << n }\n\nfunc send(order string) bool { return order != \"\" }\n",
		"pay_test.go":       "package shop\n\nimport \"testing\"\n\nfunc TestPay(t *testing.T) {\n\tif Pay(\"7\") != nil {\n\t\tt.Error(\"unpaid\")\n\t}\n}\n",
		"README.md":         "# Shop\n\nPay retries `Limit` times, see `retry.go`. An order that is paid twice is refunded by `Refund`.\n",
		"handbook/retry.md": "# Retries\n\n## How often\n\nA payment is retried three times, each time after a longer pause.\n",
		".gitignore":        ".assay/\n",
	})
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "Start"}} {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	user := home(t)
	env := []string{"HOME=" + user, "PAGER=cat"}
	for _, args := range [][]string{{"docs", "ingest", "handbook", "--id", "/shop/handbook"},
		{"memory", "store", "--title", "Three payment retries", "--category", "decisions", "We retry a payment three times because the bank drops one in fifty."}} {
		onTerminal(t, dir, 80, 50, env, args...)
	}
	var all strings.Builder
	for _, line := range commonest {
		var args []string
		for i, part := range strings.Split(line, "'") {
			if i%2 == 1 {
				args = append(args, part)
				continue
			}
			args = append(args, strings.Fields(part)...)
		}
		if slices.Contains(args, "--diff") {
			path := filepath.Join(dir, "retry.go")
			text, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, []byte(strings.Replace(string(text), "1 <<", "2 <<", 1)), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		said := onScreen(onTerminal(t, dir, 80, 50, env, args[1:]...), dir)
		said = strings.ReplaceAll(said, user, "/home/ada")
		all.WriteString("$ " + line + "\n" + said + "\n")
		for row := range strings.Lines(said) {
			row = strings.TrimSuffix(row, "\n")
			if n := wide.Width(row); n > 80 && !slices.Contains(quoting, args[1]) {
				t.Errorf("%s: a line of %d columns: %s", line, n, row)
			}
		}
	}
	if *update {
		if err := os.WriteFile("testdata/commonest.golden", []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/commonest.golden")
	if err != nil {
		t.Fatal(err)
	}
	if all.String() != string(want) {
		t.Errorf("the screens differ from testdata/commonest.golden; -update writes it:\n%s", all.String())
	}
}
