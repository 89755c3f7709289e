package setup

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	for _, tc := range []struct{ a, b, want string }{
		{"", "", ""},
		{"a b c", "a b c", ""},
		{"", "a b", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"a b", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"a b c d e f g", "a b c X e f g", "@@ -3,3 +3,3 @@\n c\n-d\n+X\n e\n"},
		{"a b c d e f g", "Y b c d e f g Z", "@@ -1,2 +1,2 @@\n-a\n+Y\n b\n@@ -7,1 +7,2 @@\n g\n+Z\n"},
		{"a b c", "a X b Y c", "@@ -1,3 +1,5 @@\n a\n+X\n b\n+Y\n c\n"},
	} {
		a, b := split(tc.a), split(tc.b)
		if got := unified(a, b, a, b); got != tc.want {
			t.Errorf("unified(%q, %q) =\n%swant\n%s", tc.a, tc.b, got, tc.want)
		}
	}
}

func split(s string) (out []string) {
	for w := range strings.FieldsSeq(s) {
		out = append(out, w+"\n")
	}
	return out
}

// TestChanges holds that the runs of changes turn one text into the other, and
// that there are no more of them than the slow way finds.
func TestChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var a, b []string
		for range r.IntN(12) {
			a = append(a, fmt.Sprint(r.IntN(4)))
		}
		for range r.IntN(12) {
			b = append(b, fmt.Sprint(r.IntN(4)))
		}
		var got []string
		at, cost := 0, 0
		for _, c := range changes(a, b) {
			got = append(append(got, a[at:c.a0]...), b[c.b0:c.b1]...)
			at = c.a1
			cost += c.a1 - c.a0 + c.b1 - c.b0
		}
		if got = append(got, a[at:]...); !slices.Equal(got, b) {
			t.Fatalf("changes(%q, %q) = %v, which gives %q", a, b, changes(a, b), got)
		}
		if least := distance(a, b); cost != least {
			t.Fatalf("changes(%q, %q) = %v: %d lines, want %d", a, b, changes(a, b), cost, least)
		}
	}
	// Two long texts without a line in common are one change, and soon compared.
	var a, b []string
	for i := range 5000 {
		a, b = append(a, fmt.Sprint("a", i)), append(b, fmt.Sprint("b", i))
	}
	if got := changes(a, b); len(got) != 1 || got[0] != (run{0, len(a), 0, len(b)}) {
		t.Errorf("changes of two long texts: %v", got)
	}
}

func distance(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := row[0]
		row[0] = i + 1
		for j := range b {
			next := min(row[j], row[j+1]) + 1
			if a[i] == b[j] {
				next = before
			}
			before, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

func TestLongLine(t *testing.T) {
	long := strings.Repeat("é", 500)
	a, b := []string{long + "|" + long}, []string{long + "|new|" + long}
	if got := unified(a, b, a, b); len(got) > 300 || !strings.Contains(got, "|new|") || !strings.HasPrefix(got, "@@ -1,1 +1,1 @@\n-…é") || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("got\n%s", got)
	}
	if got := unified(nil, []string{long}, nil, []string{long}); len(got) > 600 {
		t.Errorf("%d bytes of a long line", len(got))
	}
}

// TestMasked holds that a diff shows structure and what is ours, and no more.
func TestMasked(t *testing.T) {
	for _, tc := range []struct {
		p        part
		in, want string
	}{
		{openCode(), `{"k": "v", "n": [1, true, null], /* c */ "mcp": {"assay": {"command": ["assay", "serve"], "env": {"A": "b"}}}} // d`,
			`{"k": "…", "n": […, true, null], … "mcp": {"assay": {"command": ["assay", "serve"], "env": {"A": "…"}}}} …`},
		{openCode(), `{"mcp": {"assay": {"command": ["x"]}}}`, `{"mcp": {"assay": {"command": ["…"]}}}`},
		{tomlServer{"assay", "assay"}, "a = \"\"\"\nx # y\n\"\"\" # z\n# w\n[mcp_servers.assay]\ncommand = 'assay'\nargs = ['serve']\nenv = {A = 'b'}\n",
			"a = \"…\"\n\n #…\n#…\n[mcp_servers.assay]\ncommand = 'assay'\nargs = ['serve']\nenv = …\n"},
		{jsonHooks{client: "codex", exe: "assay"}, `{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"type": "command", "command": "a"}]}, {"hooks": [{"type": "command", "command": "assay hook codex idle", "env": "e"}]}]}}`,
			`{"hooks": {"Stop": [{"matcher": "…", "hooks": [{"type": "…", "command": "…"}]}, {"hooks": [{"type": "command", "command": "assay hook codex idle", "env": "…"}]}]}}`},
		{plugin{}, "const key = 1\nx\n", "…\n\n"},
	} {
		got, err := masked(tc.p, []byte(tc.in))
		if joined := strings.Join(got, ""); err != nil || joined != tc.want || len(got) != len(lines([]byte(tc.in))) {
			t.Errorf("masked(%q) = %q, %v, want %q", tc.in, joined, err, tc.want)
		}
	}
}
