package brief_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/tools/txtar"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/brief"
	"github.com/assay-dev/assay/internal/code/workspace"
)

const shop = `
-- go.mod --
module example.com/shop

go 1.26
-- main.go --
package main

import "example.com/shop/order"

func main() { serve() }

func serve() { order.Place("book", 2) }
-- order/order.go --
// Package order takes orders.
package order

import "example.com/shop/price"

// Place takes an order of some items and returns what they cost.
func Place(item string, amount int) int {
	total := price.Of(item) * amount
	return total - Discount(amount)
}

// Discount is what large orders save.
func Discount(amount int) int {
	if amount > 10 {
		return 5
	}
	return 0
}
-- order/order_test.go --
package order

import "testing"

func TestDiscount(t *testing.T) {
	if Discount(11) != 5 {
		t.Error("no discount")
	}
}
-- price/price.go --
// Package price knows prices.
package price

// Of is the price of an item.
func Of(item string) int { return len(item) }

var key = "ghp_x7Kq2mVb9Zt4Lw8Rc3Ny6Hd1Jf5Ps0Ga2Eu"
-- docs/orders.md --
# Orders

The discount of an order begins at eleven items.
`

// project is a feature over some files.
func project(t *testing.T, files string, server bool) (*brief.Feature, string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(files)).Files {
		name := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	trees := workspace.New(workspace.Config{WorkDir: root, Home: filepath.Dir(root), Server: server})
	t.Cleanup(func() {
		if err := trees.Close(); err != nil {
			t.Error(err)
		}
	})
	return brief.New(trees, nil, nil), root
}

func ask(t *testing.T, f *brief.Feature, in brief.Input) (*brief.Brief, string) {
	t.Helper()
	ctx := work.With(t.Context(), work.Report{Command: func(fix fault.Fix) string { return fix.Op }})
	b, err := f.Brief(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := b.WriteText(&out, false); err != nil {
		t.Fatal(err)
	}
	return b, out.String()
}

func TestBrief(t *testing.T) {
	f, _ := project(t, shop, false)
	b, text := ask(t, f, brief.Input{Task: "the discount should begin at five items"})
	if len(b.Where) == 0 || b.Where[0].File != "order/order.go" {
		t.Fatalf("where = %+v", b.Where)
	}
	for _, want := range []string{
		"# where\norder/order.go (", "    13  func Discount(amount int) int {\n", "    15  \t\treturn 5\n",
		"# how it hangs together\n", "\norder/order.go:9 (Place calls Discount) return total - Discount(amount)\n",
		"# what would break\n", "order/order_test.go (test: 5 TestDiscount)\n", "main.go:3 (imports order/order.go)", "docs/orders.md:3 (mentions it) The discount of an order begins at eleven items.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the brief lacks %q:\n%s", want, text)
		}
	}
}

// No budget is exceeded, and what one has room for a larger one shows too where it is of
// the first part.
func TestBudget(t *testing.T) {
	f, _ := project(t, shop, false)
	for _, tokens := range []int{200, 250, 300, 400, 700, 1000, 4000} {
		b, said := ask(t, f, brief.Input{Task: "the discount should begin at five items", Tokens: tokens})
		if n := text.Tokens(len(said)); n > tokens || b.Tokens != n {
			t.Errorf("of %d tokens it spends %d, and says %d:\n%s", tokens, n, b.Tokens, said)
		}
		if len(b.Where) == 0 {
			t.Errorf("%d tokens have room for no file", tokens)
		}
	}
}

// Every line of a brief is in the file that it names.
func TestQuotes(t *testing.T) {
	f, root := project(t, shop, false)
	b, _ := ask(t, f, brief.Input{Task: "the discount should begin at five items, what does Place cost"})
	in := func(file string, line int, quote string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		if line < 1 || line > len(lines) {
			t.Errorf("%s has no line %d", file, line)
			return
		}
		rest := strings.Join(strings.Fields(strings.Join(lines[line-1:], "\n")), " ")
		if !strings.HasPrefix(rest, strings.Join(strings.Fields(quote), " ")) {
			t.Errorf("%s:%d is %q, not %q", file, line, lines[line-1], quote)
		}
	}
	quotes := 0
	for _, f := range b.Where {
		for _, d := range f.Declarations {
			in(f.File, d.Line, d.Signature)
			if d.Body != "" {
				in(f.File, d.BodyLine, d.Body)
				quotes++
			}
		}
	}
	for _, list := range [][]brief.Line{b.Hangs, b.Breaks, b.Done} {
		for _, l := range list {
			if l.Line > 0 {
				in(l.File, l.Line, l.Quote)
				quotes++
			}
		}
	}
	if quotes < 5 {
		t.Errorf("only %d quotations: %+v", quotes, b)
	}
}

// A quotation from the middle of a declaration says at which line it begins.
func TestQuotedFrom(t *testing.T) {
	f, _ := project(t, shop+"-- order/long.go --\npackage order\n\n// Settle settles an invoice.\nfunc Settle(n int) int {\n"+strings.Repeat("\tn++\n", 40)+"\tvoucher := redeem(n)\n\tn -= voucher\n"+strings.Repeat("\tn--\n", 20)+"\treturn n\n}\n", false)
	b, text := ask(t, f, brief.Input{Task: "Settle must redeem a voucher once", Tokens: 300})
	for _, file := range b.Where {
		for _, d := range file.Declarations {
			if d.Name != "Settle" || d.Body == "" {
				continue
			}
			if first := strings.SplitN(d.Body, "\n", 2)[0]; d.BodyLine <= d.Line+1 || !strings.Contains(text, fmt.Sprintf("\n%6d  %s\n", d.BodyLine, first)) {
				t.Errorf("from line %d:\n%s", d.BodyLine, text)
			}
			return
		}
	}
	t.Errorf("nothing of Settle is quoted:\n%s", text)
}

// The same tree gives the same brief, whatever was asked before and in whatever order it
// was indexed.
func TestStable(t *testing.T) {
	f, root := project(t, shop, false)
	in := brief.Input{Task: "the discount should begin at five items", Explain: true}
	_, first := ask(t, f, in)
	ask(t, f, brief.Input{Task: "prices of books"})
	// A file is written twice: its segment of the index comes last.
	name := filepath.Join(root, "order", "order.go")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, now := range [][]byte{append([]byte("// changed\n"), text...), text} {
		if err := os.WriteFile(name, now, 0o644); err != nil {
			t.Fatal(err)
		}
		ask(t, f, brief.Input{Task: "prices of books"})
	}
	other, _ := project(t, shop, false)
	if _, again := ask(t, f, in); again != first {
		t.Errorf("the brief is\n%s\nand was\n%s", again, first)
	}
	if _, fresh := ask(t, other, in); fresh != first {
		t.Errorf("over a new index the brief is\n%s\nand was\n%s", fresh, first)
	}
}

// Who waits is told what is being looked for, part by part, of the parts that were asked for.
func TestStages(t *testing.T) {
	f, _ := project(t, shop, false)
	for focus, want := range map[string][]string{
		"code":   {"Looking for the places", "Following calls and tests", "Choosing what to show"},
		"memory": {"Asking what was noted", "Choosing what to show"},
	} {
		var got []string
		ctx := work.With(t.Context(), work.Report{Progress: func(stage string, _, _ int64) { got = append(got, stage) }, Note: func(string, ...any) {}})
		if _, err := f.Brief(ctx, brief.Input{Task: "discount", Focus: []string{focus}, NoRefresh: focus == "memory"}); err != nil {
			t.Fatal(err)
		}
		// What is said of indexing comes before.
		if len(got) < len(want) || !slices.Equal(got[len(got)-len(want):], want) {
			t.Errorf("of %s it was said %q, want %q", focus, got, want)
		}
	}
}

// What a server gives a model has no secrets.
func TestSecrets(t *testing.T) {
	const task = "change the key of price"
	f, _ := project(t, shop, false)
	if _, text := ask(t, f, brief.Input{Task: task}); !strings.Contains(text, "ghp_x7Kq2mVb9Zt4Lw8Rc3Ny6Hd1Jf5Ps0Ga2Eu") {
		t.Fatalf("the command line does not show the line:\n%s", text)
	}
	f, _ = project(t, shop, true)
	b, text := ask(t, f, brief.Input{Task: task})
	raw, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "ghp_x7Kq2mVb9Zt4Lw8Rc3Ny6Hd1Jf5Ps0Ga2Eu") || bytes.Contains(raw, []byte("ghp_x7Kq2mVb9Zt4Lw8Rc3Ny6Hd1Jf5Ps0Ga2Eu")) {
		t.Errorf("a secret is shown:\n%s", text)
	}
}

func TestInputs(t *testing.T) {
	f, root := project(t, shop, false)
	if err := os.WriteFile(filepath.Join(root, "issue.txt"), []byte("Discounts begin too late\n\nWith six items there is none.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if b, _ := ask(t, f, brief.Input{Issue: "issue.txt"}); b.Task != "Discounts begin too late …" || len(b.Where) == 0 {
		t.Errorf("of an issue: %+v", b)
	}
	for _, c := range []struct {
		in   brief.Input
		kind fault.Kind
	}{
		{brief.Input{Task: " \n"}, fault.Usage},
		{brief.Input{Issue: "nowhere.txt"}, fault.NotFound},
		{brief.Input{Task: "x", Focus: []string{"code,nothing"}}, fault.Usage},
		{brief.Input{Diff: true}, fault.Unavailable}, // it is no repository
	} {
		if _, err := f.Brief(t.Context(), c.in); err == nil || fault.KindOf(err) != c.kind {
			t.Errorf("%+v: %v, want a fault of kind %v", c.in, err, c.kind)
		}
	}
	// Nothing has a word of it: that is said, with what to ask next.
	_, text := ask(t, f, brief.Input{Task: "zzyzx qwrtp"})
	if !strings.Contains(text, "# what is not known\n") {
		t.Errorf("nothing is said to be unknown:\n%s", text)
	}
}

// A task in UTF-16, as some shells write it, is read; one that is no text is refused with
// its name, and one in an encoding of a byte a letter is neither.
func TestEncodings(t *testing.T) {
	f, root := project(t, shop, false)
	const issue = "Discounts begin too late\n\nWith six items there is none.\n"
	wide := func(mark string, order binary.AppendByteOrder) []byte {
		out := []byte(mark)
		for _, u := range utf16.Encode([]rune(issue)) {
			out = order.AppendUint16(out, u)
		}
		return out
	}
	want, _ := ask(t, f, brief.Input{Task: issue})
	for name, raw := range map[string][]byte{"little": wide("\xff\xfe", binary.LittleEndian), "big": wide("\xfe\xff", binary.BigEndian)} {
		if err := os.WriteFile(filepath.Join(root, name), raw, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, in := range []brief.Input{{Issue: name}, {Trace: name}, {Task: string(raw)}, {Task: strings.TrimSuffix(string(raw), "\n")}} {
			if b, _ := ask(t, f, in); b.Task != want.Task || len(b.Where) == 0 || b.Where[0].File != want.Where[0].File {
				t.Errorf("of %+v: %+v, want that of the text", in, b)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(root, "a.out"), []byte("\x7fELF\x02\x01\x01\x00discount\x00items\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, in := range []brief.Input{{Issue: "a.out"}, {Trace: "a.out"}, {Issue: "a.out", Task: "discount"}, {Task: "discount\x00\x01"}, {Task: strings.Repeat("discount \xff\xfe\xfa\xfb\x9f", 8)}} {
		_, err := f.Brief(t.Context(), in)
		if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "binary") || in.Issue+in.Trace != "" && !strings.Contains(err.Error(), "a.out") {
			t.Errorf("of %+v: %v, want it refused as binary, by its name", in, err)
		}
	}
	if b, _ := ask(t, f, brief.Input{Task: "Gr\xf6\xdfe discount"}); len(b.Where) == 0 {
		t.Errorf("of Latin-1: %+v", b)
	}
}

// A change that is under way is a task: by its files, its lines and its words.
func TestDiff(t *testing.T) {
	f, root := project(t, shop, false)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	name := filepath.Join(root, "price", "price.go")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, bytes.ReplaceAll(text, []byte("len(item)"), []byte("2 * len(item)")), 0o644); err != nil {
		t.Fatal(err)
	}
	b, out := ask(t, f, brief.Input{Diff: true})
	if len(b.Where) == 0 || b.Where[0].File != "price/price.go" || b.Where[0].Why != "in the diff" || !strings.Contains(out, "order/order.go:8 (Place calls Of)") {
		t.Errorf("of the work tree:\n%s", out)
	}
	git("commit", "-q", "-a", "-m", "second")
	if b, out := ask(t, f, brief.Input{Diff: true, Task: "HEAD~1..HEAD"}); len(b.Where) == 0 || b.Where[0].File != "price/price.go" {
		t.Errorf("of two commits:\n%s", out)
	}
	git("checkout", "-q", "-b", "side", "HEAD~1")
	git("commit", "-q", "--allow-empty", "-m", "of the side")
	tests := []struct{ name, task, want string }{
		{"since the branches parted", "side...HEAD~0", "nothing differs"},
		{"between both ends", "side..@{-1}", ""},
		{"of the other side, since they parted", "side...@{-1}", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := f.Brief(t.Context(), brief.Input{Diff: true, Task: tt.task})
			switch {
			case tt.want != "" && (err != nil || len(b.Where) > 0 || !strings.Contains(strings.Join(b.Notes, "\n"), tt.want)):
				t.Errorf("--diff %s: %v, want %q", tt.task, err, tt.want)
			case tt.want == "" && (err != nil || len(b.Where) == 0 || b.Where[0].File != "price/price.go"):
				t.Errorf("--diff %s: %v, %v", tt.task, b, err)
			}
		})
	}
	if b, err := f.Brief(t.Context(), brief.Input{Diff: true, Task: "@{-1}...side"}); err != nil || len(b.Where) > 0 {
		t.Error("the change of the other branch is one of this branch")
	}
	git("checkout", "-q", "-")
	// A brief of nothing is no error, as the reach of nothing is none.
	for _, task := range []string{"", "HEAD", "HEAD..HEAD"} {
		if b, out := ask(t, f, brief.Input{Diff: true, Task: task}); len(b.Where) > 0 || !strings.HasPrefix(out, "# nothing differs between HEAD and ") {
			t.Errorf("of no change, --diff %q:\n%s", task, out)
		}
	}
	for task, kind := range map[string]fault.Kind{"nowhere": fault.NotFound, "--output=x": fault.NotFound} {
		if _, err := f.Brief(t.Context(), brief.Input{Diff: true, Task: task}); err == nil || fault.KindOf(err) != kind {
			t.Errorf("--diff %q: %v, want a fault of kind %v", task, err, kind)
		}
	}
}

// A test that has a word of the task in common is not listed beside one that calls what is
// likely to change.
func TestFaintTests(t *testing.T) {
	tree := shop
	for _, name := range []string{"stock", "customer", "mail", "invoice", "shelf"} {
		tree += "-- " + name + "/" + name + "_test.go --\npackage " + name + "\n\nimport \"testing\"\n\n// Nothing here is wrong.\nfunc TestName(t *testing.T) {\n\tif len(\"" + name + "\") == 0 {\n\t\tt.Error(\"no name\")\n\t}\n}\n"
	}
	f, _ := project(t, tree, false)
	b, _ := ask(t, f, brief.Input{Task: "the discount of large orders of more than ten items is wrong"})
	var tests []string
	for _, l := range b.Breaks {
		if strings.HasSuffix(l.File, "_test.go") {
			tests = append(tests, l.File)
		}
	}
	if len(tests) == 0 || tests[0] != "order/order_test.go" || len(tests) > 4 { // all six without the cut
		t.Errorf("listed %v", tests)
	}
}
