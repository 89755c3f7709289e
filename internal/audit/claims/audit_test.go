package claims

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/rank"
)

// write puts files into a fresh folder and reads them as a tree.
func write(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	root := t.TempDir()
	put(t, root, files)
	return reread(t, root)
}

func put(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func reread(t *testing.T, root string) *Tree {
	t.Helper()
	tree, err := Read(t.Context(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestFeatures(t *testing.T) {
	tests := []struct{ name, doc, want string }{
		{"a heading with an ID", "## FR-3.1: Token rotation every hour\n", "requirement FR-3.1 Token rotation every hour"},
		{"an item with an ID", "- **REQ-7** Tokens rotate hourly\n", "requirement REQ-7 Tokens rotate hourly"},
		{"a story", "As a reader, I want to mute noisy channels so that I can sleep.\n", "story  mute noisy channels"},
		{"a story as code", "```\nAs a reader\nI want to mute noisy channels\nSo that I can sleep\n```\n", "story  mute noisy channels"},
		{"an item of a checklist", "- [ ] Mutes noisy channels\n", "checklist  Mutes noisy channels"},
		{"an item of features", "# Features\n\n- Mutes noisy channels\n", "bullet  Mutes noisy channels"},
		{"a long item", "# Features\n\n* **Mute**: silences noisy\n  channels at night. More text.\n", "bullet  Mute: silences noisy channels at night"},
		{"a row of features", "# Features\n\n| Command | What |\n|---|---|\n| `mute` | silences channels |\n", "table  `mute` — silences channels"},
		{"a name alone", "# Features\n\n- `mute(channel)`\n", "bullet  `mute(channel)`"},
		{"a section of other times", "# Roadmap\n\n- [ ] Mutes noisy channels\n", ""},
		{"an item that is not there", "# Features\n\n- Muting noisy channels is not supported\n", ""},
		{"code", "# Features\n\n```\n- Mutes noisy channels\n```\n", ""},
		{"a comment", "<!-- - [ ] Mutes noisy channels -->\n", ""},
		{"an item of another section", "# Usage\n\n- Mutes noisy channels\n", ""},
		{"a sentence", "It supports muting noisy channels nightly. Hello.\n", ""},
		{"a cross in a table says that a feature is missing", "# Features\n\n| Feature | Status |\n|---|---|\n| Muting channels | ❌ |\n| Muting rooms | ✅ |\n", "table  Muting rooms — ✅"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s []string
			for _, f := range featuresIn("a.md", tt.doc) {
				s = append(s, string(f.Kind)+" "+f.ID+" "+f.Text)
			}
			if got := strings.Join(s, "\n"); got != tt.want {
				t.Errorf("features of %q are %q, want %q", tt.doc, got, tt.want)
			}
		})
	}
}

func TestPlace(t *testing.T) {
	got := featuresIn("a.md", "# T\n\n<!--\nx\n-->\n\n## Features\n\n- Mutes\n  channels\n- Rotates tokens\n")
	if len(got) != 2 || got[0].Line != 9 || got[1].Line != 11 || got[1].Section != "T › Features" {
		t.Errorf("%+v, want features at lines 9 and 11 under T › Features", got)
	}
}

// featuresIn returns the features of a document, in its order.
func featuresIn(path, text string) []Feature {
	return commitments(&Source{Path: path, Language: "markdown", Text: []byte(text)})
}

func FuzzFeatures(f *testing.F) {
	f.Add("# Features\n\n- [ ] a `b` | c\n\n|a|b|\n|-|-|\n|c|d|\n```\nx")
	f.Add("A\n===\n1. **b**\n  c\r\n> d")
	f.Fuzz(func(t *testing.T, doc string) {
		got := featuresIn("a.md", doc)
		lines := strings.Count(doc, "\n") + 1
		for _, g := range got {
			if g.Line < 1 || g.Line > lines || strings.ContainsAny(g.Text, "\n") || g.Text == "" {
				t.Fatalf("%+v of %d lines", g, lines)
			}
		}
		mentioned([]Source{{Path: "a.md", Text: []byte(doc)}})
	})
}

const goCode = `package mail

// Send delivers a message over SMTP with retries.
func Send(to string, body []byte) error { return deliver(to, body, "smtp") }

// Mailbox keeps messages.
type Mailbox struct{ messages []string }

// Archive moves messages older than days into the archive folder.
func (m *Mailbox) Archive(days int) int { return len(m.messages) }

func deliver(to string, body []byte, by string) error { return nil }
`

func TestGhosts(t *testing.T) {
	tree := write(t, map[string]string{
		"mail.go":      goCode,
		"mail_test.go": "package mail\n\nfunc TestQuarantineSuspicious(t *testing.T) {}\n",
		"todo.go":      "package mail\n\n// TODO: holographic projection of envelopes\n",
		"docs/features.md": `# Mail

## Features

- Sends messages over SMTP with retries
- ` + "`Mailbox.Archive`" + ` moves old messages into the archive folder
- Holographic projection of envelopes
- ` + "`TeleportEnvelope`" + ` moves old messages into the archive folder
- Encrypts messages with lattice ciphers
- Telepathic delivery to penguins

Telepathic delivery to penguins is our pride.

Read of telepathic delivery to penguins elsewhere.
`,
	})
	a := New(tree, nil)
	features := a.Features()
	got := map[string]Class{}
	for _, f := range features {
		v, err := a.Judge(t.Context(), f, "")
		if err != nil {
			t.Fatal(err)
		}
		got[f.Text] = v.Class
		if v.Class == Found && len(v.Evidence) == 0 || v.Class != Found && (v.Queries[0].Results > 0 || v.Queries[1].Results > 0) {
			t.Errorf("%s is %s with %+v and %+v", f.Text, v.Class, v.Queries, v.Evidence)
		}
	}
	want := map[string]Class{
		"Sends messages over SMTP with retries":                         Found,
		"`Mailbox.Archive` moves old messages into the archive folder":  Found,
		"Holographic projection of envelopes":                           Confirmed,
		"`TeleportEnvelope` moves old messages into the archive folder": Confirmed,
		"Encrypts messages with lattice ciphers":                        Confirmed,
		"Telepathic delivery to penguins":                               Ambiguous,
	}
	for text, class := range want {
		if got[text] != class {
			t.Errorf("%s is %q, want %q", text, got[text], class)
		}
	}
}

func TestSynonym(t *testing.T) {
	a := New(write(t, map[string]string{"mail.go": goCode, "README.md": "# x\n"}), nil)
	for _, c := range []struct {
		section, synonym string
		want             Class
		single           bool
	}{
		{"", "", Ambiguous, true}, // one query confirms nothing
		{"", "dispatch by telegraph", Ambiguous, true},
		{"", "wire service", Confirmed, false},
		{"Couriers", "", Confirmed, false},
		{"", "deliver message", Found, false},
	} {
		f := Feature{Kind: Prose, Text: "telegraph dispatch", Section: c.section}
		if v, err := a.Judge(t.Context(), f, c.synonym); err != nil || v.Class != c.want || v.Single != c.single {
			t.Errorf("with %q under %q it is %s, single %v, %v; want %s: %+v", c.synonym, c.section, v.Class, v.Single, err, c.want, v.Queries)
		}
	}
}

// What documents promise gets the same answer when it is asked for, and code that
// signs is no sign-on.
func TestAsked(t *testing.T) {
	const doc = "# Shop\n\n## Features\n\n- Customers sign in with single sign-on through SAML\n- Orders are archived by `Archive`\n"
	with := "package shop\n\n// A Customer buys. Every request is signed once, in a single pass, on its way.\ntype Customer struct{}\n\nfunc Sign(request []byte) {}\n\nfunc Archive(orders int) {}\n"
	for code, want := range map[string]Class{
		with: Confirmed,
		with + "\n// Enter lets customers sign in with single sign-on as SAML has it.\nfunc Enter() {}\n": Found,
	} {
		a := New(write(t, map[string]string{"shop.go": code, "docs/features.md": doc}), nil)
		features := a.Features()
		for _, f := range features {
			v, err := a.Judge(t.Context(), f, "")
			if err != nil {
				t.Fatal(err)
			}
			if asked, err := a.JudgeAsked(t.Context(), f.Text, ""); err != nil || asked.Class != v.Class {
				t.Errorf("%s: %s when asked for, %v; %s as it is promised", f.Text, asked.Class, err, v.Class)
			}
		}
		if v, err := a.JudgeAsked(t.Context(), "single sign-on", ""); err != nil || v.Class != want || v.Mentions != 1 {
			t.Errorf("single sign-on: %+v, %v; want %s, mentioned once", v, err, want)
		}
	}
}

// Of a tree what speaks of the work, and what this program wrote, is no document.
func TestDocuments(t *testing.T) {
	tree := write(t, map[string]string{
		"mail.go": goCode, "README.md": "# x\n", "REVIEW.md": "# x\n", "code-review.md": "# x\n", "CODE_OF_CONDUCT.md": "# x\n", "SECURITY.md": "# x\n", "docs/issues/1.md": "# x\n",
		"docs/05-community/01-x.md": "# x\n", "docs/04-evaluation/030_results/x.md": "# x\n", "docs/01-contributing.md": "# x\n",
		"out.md": "CONFIRMED GHOST: Telepathy [README.md:3]\n", "docs/reality.md": "> Generated: now\n\n# Drift Report\n\n## Drift Score: 3%\n", "docs/reports.md": "# Reports\n", "VERSION_HISTORY.md": "# x\n", "COMPATIBILITY.md": "# x\n",
	})
	var got []string
	for i := range tree.Docs {
		got = append(got, tree.Docs[i].Path)
	}
	if want := "README.md docs/reports.md"; strings.Join(got, " ") != want {
		t.Errorf("the documents are %v, want %s", got, want)
	}
}

// A feature that is described well is found, whatever else a
// document says of it.
func TestFound(t *testing.T) {
	tree := write(t, map[string]string{"mail.go": goCode, "internal/spool/spool.go": "package spool\n\nvar X int\n", "README.md": "# x\n"})
	a := New(tree, nil)
	for text, want := range map[string]Class{
		"`retryPenguins` telepathic walrus choir":          Confirmed,
		"`internal/pool`: telepathic walrus choir":         Confirmed,
		"Crash-free - telepathic walrus choir of penguins": Confirmed,
	} {
		v, err := a.Judge(t.Context(), Feature{Kind: Bullet, Text: text, Section: "Pigeons"}, "")
		if err != nil || v.Class != want {
			t.Errorf("%s: %s, %v; want %s", text, v.Class, err, want)
		}
		// What the scores are made of adds up to them, by the scale of the profile.
		if v.Explain(); v.Class == Found && len(v.Evidence[0].Explain) == 0 {
			t.Errorf("%s: nothing explains %+v", text, v.Evidence[0])
		}
		for _, h := range v.Evidence {
			sum := 0.0
			for _, s := range h.Explain {
				sum += s.Adds
			}
			if want := min(1, rank.Claims().Score(rank.Variant{}, sum)); math.Abs(h.Score-want) > 1e-9 {
				t.Errorf("%s scores %v at %s, and is explained by %v", text, h.Score, h.Place, h.Explain)
			}
		}
	}
}

// A proposer proposes what an index might.
type proposer struct {
	Code
	hits []Match
}

func (p proposer) Search(context.Context, string, int, float64) ([]Match, error) { return p.hits, nil }

// What an index proposes is judged by what stands there, not by its score.
func TestProposal(t *testing.T) {
	tree := write(t, map[string]string{"mail.go": goCode, "README.md": "# x\n"})
	for _, c := range []struct {
		hit  Match
		want Class
	}{
		{Match{Place: Place{"mail.go", 3}, Last: 4, Score: 1}, Confirmed},
		{Match{Place: Place{"mail.go", 3}, Last: 4, Score: 1, Similarity: 1.3}, Found},
		{Match{Place: Place{"gone.go", 3}, Last: 4, Score: 1}, Confirmed},
	} {
		a := New(tree, proposer{hits: []Match{c.hit}})
		v, err := a.Judge(t.Context(), Feature{Kind: Bullet, Text: "telepathic penguins", Section: "Pigeons"}, "")
		if err != nil || v.Class != c.want {
			t.Errorf("%+v makes it %s, %v; want %s", c.hit, v.Class, err, c.want)
		}
		// What is shown of a place is what a scan would show.
		for _, h := range v.Evidence {
			text, err := json.Marshal(h)
			if err != nil || h.Line != 1 || strings.Contains(string(text), "imilar") {
				t.Errorf("%+v is shown as %s, %v", c.hit, text, err)
			}
		}
	}
}

func TestShadows(t *testing.T) {
	tree := write(t, map[string]string{
		"mail.go":   goCode + "\ntype Quarantine struct{}\nfunc (q *Quarantine) Release(id int) {}\nfunc RotateKeys(every int) {}\nfunc MoveOld(days int, dry bool) {}\nfunc unseen() {}\n",
		"go.mod":    "module mail\n",
		"use.go":    "package mail\n\nvar q = Quarantine{}\n",
		"README.md": "# Mail\n\nCall `Send(to, body)` to deliver. A `Mailbox` has an `Archive`.\n\nEvery week the keys rotate by hand.\n\n```go\nfunc MoveOld(days int) int\n```\n",
	})
	all, err := New(tree, nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Shade{}
	for _, s := range all {
		got[s.Qualified()] = bare(&s)
		if s.Name == "Quarantine" && (s.Members != 1 || !slices.Equal(s.Dependents, []string{"use.go"}) || s.Risk != "HIGH") {
			t.Errorf("Quarantine: %+v, want one member, use.go and HIGH", s)
		}
	}
	want := map[string]Shade{"Send": Documented, "Mailbox": Documented, "Mailbox.Archive": Documented, "Quarantine": Orphaned, "RotateKeys": Partial, "MoveOld": Drifted}
	for name, shade := range want {
		if got[name] != shade {
			t.Errorf("%s is %q, want %q", name, got[name], shade)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v, want only %v", got, want)
	}
}

func TestDiffering(t *testing.T) {
	for _, c := range []struct {
		lang, doc string
		params    []string
		differs   bool
	}{
		{"go", "func F(a, b int) error", []string{"a int", "b int"}, false},
		{"go", "func F(x, y int)", []string{"a int", "b int"}, false},
		{"go", "func F(a int)", []string{"a int", "b int"}, true},
		{"go", "func F(a string, b int)", []string{"a int", "b int"}, true},
		{"go", "func F(int, ctx.T)", []string{"a int", "b T"}, false},
		{"go", "F(1, 2, 3)", []string{"a int"}, false},
		{"python", "def F(self, a, b=4)", []string{"self", "a: int", "b=4"}, false},
		{"python", "def F(a, c)", []string{"a", "b"}, true},
		{"python", "F(a, c=1)", []string{"a", "b"}, true},
		{"python", "F(a, c=1)", []string{"a", "**kw"}, false},
		{"python", "F()", []string{"a", "b"}, false},
		{"typescript", "function F(a: string): void", []string{"a: string"}, false},
		{"typescript", "F(a, b, c)", []string{"a", "b"}, true},
		{"typescript", "F(a, ...)", []string{"a", "b"}, false},
	} {
		m := mentioned([]Source{{Path: "a.md", Text: []byte("`" + c.doc + "`\n")}})
		_, why := m.differs(&Declaration{Kind: "function", Name: "F", Language: c.lang, Params: c.params})
		if (why != "") != c.differs {
			t.Errorf("%s %s beside %q: %q, want a difference: %v", c.lang, c.doc, c.params, why, c.differs)
		}
	}
}

var day = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func drift(t *testing.T, root, old, format string) (*Report, string) {
	t.Helper()
	r, err := New(reread(t, root), nil).Drift(t.Context(), ParseReport(old), day, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	return r, r.Markdown(old, format)
}

// A second run moves exactly what was fixed, and keeps what a person wrote.
func TestSecondRun(t *testing.T) {
	for _, format := range []string{"assay", "loa"} {
		root := t.TempDir()
		put(t, root, map[string]string{
			"mail.go":          goCode,
			"docs/features.md": "# Mail\n\n## Features\n\n- `Send` delivers over SMTP\n- Telepathic | delivery to penguins\n- Holographic projection of envelopes\n- Quantum entanglement of postmen\n",
		})
		r, text := drift(t, root, "", format)
		if len(r.Ghosts) != 3 || len(r.Shadows) != 1 || r.New != 0 || r.Shadows[0].Module != "mail" || len(r.Shadows[0].Members) != 1 || r.Shadows[0].Members[0].Name != "Mailbox" {
			t.Fatalf("%s: %+v", format, r)
		}
		if !strings.HasPrefix(text, "> Generated: 2026-01-02T03:04:05Z\n> Target: ") || !strings.Contains(text, "## Drift Score: ") {
			t.Errorf("%s begins %.200s", format, text)
		}
		_, again := drift(t, root, text, format)
		if again != text {
			t.Errorf("%s: nothing was fixed, but\n%s\nbecame\n%s", format, text, again)
		}
		// A person writes before, between and after.
		text = strings.Replace(text, "## Verified Features\n", "The penguins wait for the board.\n\n## Verified Features\n\nAll good.\n", 1) + "\nSigned: M.\n"
		put(t, root, map[string]string{
			"penguin.go":       "package mail\n\n// Telepathic delivery to penguins.\nfunc telepathicDelivery(penguins []string) {}\n",
			"docs/features.md": "# Mail\n\nA `Mailbox` has an `Archive`.\n\n## Features\n\n- `Send` delivers over SMTP\n- Telepathic | delivery to penguins\n- Holographic projection of envelopes\n",
		})
		r, text = drift(t, root, text, format)
		var got []string
		for _, x := range r.Resolved {
			got = append(got, x.Type+" "+x.Item+" "+x.Date)
		}
		slices.Sort(got)
		want := []string{Implemented + " Telepathic | delivery to penguins 2026-01-02", Withdrawn + " Quantum entanglement of postmen 2026-01-02", Described + " Mailbox 2026-01-02"}
		if !slices.Equal(got, want) || len(r.Ghosts) != 1 || len(r.Shadows) != 0 {
			t.Errorf("%s: resolved %q, want %q; ghosts %+v; shadows %+v", format, got, want, r.Ghosts, r.Shadows)
		}
		for _, kept := range []string{"The penguins wait for the board.\n", "## Verified Features\n\nAll good.\n", "\nSigned: M.\n"} {
			if !strings.Contains(text, kept) {
				t.Errorf("%s: %q is gone from\n%s", format, kept, text)
			}
		}
		if _, again := drift(t, root, text, format); again != text {
			t.Errorf("%s: a third run changed\n%s\nto\n%s", format, text, again)
		}
	}
}

// What a file or a claim is called is text in a report, and code in it stays code.
func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		"__init__.py:3":            `\_\_init\_\_.py:3`,
		"a_b.go:1":                 "a_b.go:1",
		"<img src=x>.md":           `\<img src=x>.md`,
		"[x](javascript:y)":        `\[x\](javascript:y)`,
		"`List<T>` of `a_|*` *all": "`List<T>` of `a_\\|*` \\*all",
		"an ` alone":               "an \\` alone",
		"an <U+202E>elif":          "an \\<U+202E>elif",
	} {
		if got := cell(strings.ReplaceAll(in, "<U+202E>", "\u202e")); got != want {
			t.Errorf("cell(%q) = %q, want %q", in, got, want)
		}
		if got := split("| " + cell(in) + " |"); len(got) != 1 || got[0] != in {
			t.Errorf("%q is read as %q", in, got)
		}
	}
}

func FuzzReport(f *testing.F) {
	r := &Report{Ghosts: []GhostRow{{Feature: "a|b", Source: "x:1"}}, Generated: day}
	f.Add(r.Markdown("", "assay"), "a|b\\")
	f.Add("| Item | Type |\n|--|", "\n")
	f.Add("", "a`b``c` \\_ <img> [x](y) __init__.py `a|b\\_`")
	f.Fuzz(func(t *testing.T, old, feature string) {
		ParseReport(old)
		r := &Report{Generated: day, Ghosts: []GhostRow{{Feature: feature, Source: "x:1"}}}
		text := r.Markdown(old, "assay")
		if again := r.Markdown(text, "assay"); again != text {
			t.Fatalf("%q is written again as %q", text, again)
		}
		if got := split("| " + cell(feature) + " |"); feature != "" && cell(feature) != "" && (len(got) != 1 || cell(got[0]) != cell(feature)) {
			t.Fatalf("%q is read as %q", feature, got)
		}
	})
}

// A class that is declared in parts, with constructors of its name, is one thing of that name: a
// document that names it names all of it. Of classes of several namespaces it names none.
func TestShadowsInParts(t *testing.T) {
	code := func(namespace, body string) string {
		return "namespace " + namespace + "\n{\n    public partial class Machine\n    {\n" + body + "    }\n}\n"
	}
	files := map[string]string{
		"README.md":  "# it\n\nA `Machine` is made with its first state.\n",
		"src/a.cs":   code("Works", "        public Machine(int n) { }\n"),
		"src/b.cs":   code("Works", "        public Machine() { }\n"),
		"x.csproj":   "<Project Sdk=\"Microsoft.NET.Sdk\"></Project>\n",
		"docs/a.txt": "x\n",
	}
	of := func() (out []string) {
		shadows, err := New(write(t, files), nil).Shadows(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range shadows {
			if s := &shadows[i]; s.Name == "Machine" && s.Shade != Documented {
				out = append(out, s.Place.String())
			}
		}
		return out
	}
	if got := of(); len(got) > 0 {
		t.Errorf("in parts %q is not documented", got)
	}
	files["src/b.cs"] = code("Plays", "")
	if got := of(); len(got) == 0 {
		t.Error("of two namespaces each is documented")
	}
}
