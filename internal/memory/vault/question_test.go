package vault

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/rank"
)

func TestAsk(t *testing.T) {
	for query, want := range map[string]string{
		"What did Caroline decide about the parseHTTPRequest function?": "carolin* decid parsehttprequest! pars http request function",
		"wie haben wir die Datenbank gesichert":                         "datenbank gesichert",
		"where is my son":                                               "son",
		"to be or not":                                                  "to be or not",
		"認証の設定":                                                         "認証 証の の設 設定",
		"Überprüfung":                                                   "uberprufung",
		"":                                                              "",
		"...":                                                           "",
	} {
		q := ask(query, time.Now(), newStemmer())
		var got []string
		for _, x := range q.terms {
			s := x.stem
			switch {
			case x.code:
				s += "!"
			case x.proper:
				s += "*"
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("ask(%q) = %q, want %q", query, strings.Join(got, " "), want)
		}
	}
	q := ask("the \"exact words\" and `a_name`", time.Now(), newStemmer())
	if !slices.Equal(q.quoted, []string{"exact words", "a_name"}) {
		t.Errorf("%q", q.quoted)
	}
}

// The stems that the index has and those that ranking sees agree: a word that one finds,
// the other finds.
func TestStems(t *testing.T) {
	m := fresh(t, func(c *Config) { c.Embedder = nil })
	words := strings.Fields("running runs adoption adopt happiness happy relational conditional valenci digitizer conformabli radicalli differentli vileli analogousli operator feudalism decisiveness hopefulness callousness formaliti sensitiviti sensibiliti triplicate formative formalize electriciti electrical hopeful goodness revival allowance inference airliner gyroscopic adjustable defensible irritant replacement adjustment dependent homologou communism activate angulariti homologous effective bowdlerize ponies caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned falling hissing fizzed failing filing sky getUserName snake_case HTTPServer2 naïve Größe")
	for i, w := range words {
		write(t, m, fmt.Sprintf("n%03d.md", i), "---\ntitle: \"1\"\n---\n"+w+"\n")
	}
	sync1(t, m)
	for i, w := range words {
		a, err := m.Search(context.Background(), Query{Text: w, Max: 50})
		if err != nil {
			t.Fatal(err)
		}
		if k := slices.IndexFunc(a.Hits, func(h Piece) bool { return h.Path == fmt.Sprintf("n%03d.md", i) }); k < 0 || a.Hits[k].Matched < .99 {
			t.Errorf("%q does not find itself: %d", w, k)
		}
		for _, h := range a.Hits {
			if h.Matched == 0 {
				t.Errorf("%q: the index finds %q, and ranking sees nothing in it", w, h.Text)
			}
		}
	}
}

// What is new comes before what is the same and old; what does not age stays.
func TestAge(t *testing.T) {
	m := fresh(t, nil)
	now := m.cfg.Now().AddDate(0, 0, -3).Format(time.DateOnly) + "-b.md"
	write(t, m, "2020-01-05-a.md", "The ibex climbs the rock in the morning.")
	write(t, m, now, "The ibex climbs the rock in the evening.")
	if got := paths(t, m, Query{Text: "where does the ibex climb", Wait: true}); !slices.Equal(got, []string{now, "2020-01-05-a.md"}) {
		t.Errorf("%v", got)
	}
	if got := paths(t, m, Query{Text: "what did the ibex do in January 2020", Wait: true}); len(got) == 0 || got[0] != "2020-01-05-a.md" {
		t.Errorf("%v", got)
	}
}

// Sessions do not crowd out notes, nor does one file the others, and what says the
// same is shown once.
func TestPick(t *testing.T) {
	src := &fake{agent: "codex"}
	for i := range 12 {
		src.sessions = append(src.sessions, talk("codex", fmt.Sprint("s", i), fmt.Sprintf("Tapir %d", i), fmt.Sprintf("Where does tapir number %d sleep, and why the tapir?", i), "The tapir sleeps in the shade, tapir after tapir."))
	}
	m := fresh(t, nil)
	m.cfg.Sources = append(m.cfg.Sources, src)
	for i := range 4 {
		write(t, m, fmt.Sprintf("n%d.md", i), fmt.Sprintf("# Enclosure %d\n\nOne tapir of the herd of paddock %d sleeps near the gate, others elsewhere.", i, i))
	}
	write(t, m, "long.md", "# Tapirs\n\n"+strings.Repeat("The tapir sleeps a lot, as tapirs do in their sleep.\n", 200))
	write(t, m, "twin-a.md", "The okapi eats leaves from the tall acacia tree every single day.")
	write(t, m, "twin-b.md", "The okapi eats leaves from the tall acacia tree every single day!")
	a, err := m.Search(context.Background(), Query{Text: "where does the tapir sleep", Wait: true, Max: 6})
	if err != nil {
		t.Fatal(err)
	}
	fromNotes, long := 0, 0
	for _, h := range a.Hits {
		if h.Source == "memory" {
			fromNotes++
		}
		if h.Path == "long.md" {
			long++
		}
	}
	if len(a.Hits) != 6 || fromNotes < 3 || long != 1 {
		t.Errorf("%d hits, %d of notes, %d of one file", len(a.Hits), fromNotes, long)
	}
	a, err = m.Search(context.Background(), Query{Text: "what does the okapi eat", Max: 6})
	if err != nil || len(a.Hits) == 0 || len(a.Hits[0].Also) != 1 || len(a.Hits) > 1 && strings.HasPrefix(a.Hits[1].Path, "twin") {
		t.Errorf("%+v %v", a.Hits, err)
	}
}

// One file that has much to say leaves room for others.
func TestOneFile(t *testing.T) {
	m := fresh(t, nil)
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, "# Part %d\n\nThe kakapo booms at night, part %d.\n\n", i, i)
		for k := range 60 {
			fmt.Fprintf(&b, "Filler line %d of part %d has nothing to say of that bird.\n", k, i)
		}
	}
	write(t, m, "all.md", b.String())
	for i := range 4 {
		write(t, m, fmt.Sprintf("n%d.md", i), fmt.Sprintf("# Bird %d\n\nSome say that in valley %d one kakapo lives alone among ferns and beeches.", i, i))
	}
	if got := paths(t, m, Query{Text: "when does the kakapo boom", Wait: true, Max: 5}); len(got) != 5 || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 5 {
		t.Errorf("%v", got)
	}
}

// Neighbouring chunks of a file are shown as one, each line once.
func TestJoined(t *testing.T) {
	m := fresh(t, nil)
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "Line %d: the numbat eats termites in the morning and at noon.\n", i)
	}
	write(t, m, "a.md", b.String())
	a, err := m.Search(context.Background(), Query{Text: "numbat termites", Wait: true})
	if err != nil || len(a.Hits) != 1 {
		t.Fatalf("%+v %v", a, err)
	}
	h := a.Hits[0]
	lines := strings.Split(b.String(), "\n")
	if want := strings.Join(lines[h.First-1:h.Last], "\n"); h.Text != want || h.Last-h.First < 30 {
		t.Errorf("lines %d-%d are shown as\n%s", h.First, h.Last, h.Text)
	}
}

// addsUp holds that the signals of each hit come to its score.
func addsUp(t *testing.T, hits []Piece) {
	t.Helper()
	for _, h := range hits {
		sum := 0.0
		for _, s := range h.Explain {
			sum += s.Adds
		}
		if d := rank.Memory().Score(rank.Variant{}, sum) - h.Score; d > 1e-9 || d < -1e-9 {
			t.Errorf("the score of %s is %v, its parts come to %v: %+v", h.Path, h.Score, sum, h.Explain)
		}
	}
}

func TestExplain(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "The axolotl regrows its legs.")
	a, err := m.Search(context.Background(), Query{Text: "axolotl legs", Wait: true, Explain: true})
	if err != nil || len(a.Hits) != 1 {
		t.Fatalf("%+v %v", a, err)
	}
	addsUp(t, a.Hits)

	// What is held back adds up too: further chunks of a file, what a later note is in the place of, what is old.
	m = meant(t, nil)
	long := strings.Repeat("It is a long story, and not about that. ", 60)
	write(t, m, "a.md", "# Axolotl\n\nThe axolotl regrows its legs.\n\n## Legs\n\n"+long+"\n\n## More\n\nLegs of the axolotl, again, in four weeks.\n")
	topic := func(note string) string { return strings.Replace(note, "---\n", "---\ntopic: staging port\n", 1) }
	write(t, m, "facts/old.md", topic(dated("2025-01-10", "facts", "The staging API of the shop listens on port 8085, the port of the API is fixed.")))
	write(t, m, "facts/new.md", topic(dated("2025-03-12", "facts", "The staging API of the shop now listens on port 9090.")))
	write(t, m, "2025-01-02.md", "The staging API of the shop was slow.")
	held := map[string]bool{}
	for _, q := range []string{"axolotl legs", "which port does the staging API of the shop listen on"} {
		if a, err = m.Search(context.Background(), Query{Text: q, Wait: true, Explain: true}); err != nil || len(a.Hits) == 0 {
			t.Fatalf("%+v %v", a, err)
		}
		addsUp(t, a.Hits)
		for _, h := range a.Hits {
			for _, s := range h.Explain {
				held[s.Name] = held[s.Name] || s.Adds < 0
			}
		}
	}
	for _, name := range []string{"age", "further chunk of its file", "superseded"} {
		if !held[name] {
			t.Errorf("nothing was held back by %q: %v", name, held)
		}
	}
}

// No query is an error, whatever is in it, and a score is between 0 and 1.
func FuzzSearch(f *testing.F) {
	m := fresh(f, nil)
	write(f, m, "a.md", "# Title\n\nThe axolotl regrows its legs. 認証の設定。 parseHTTPRequest AND OR NOT NEAR(a b)")
	write(f, m, "b.md", "Die Größe der Datenbank, 2025-03-02.")
	if _, err := m.Sync(context.Background(), SyncOptions{}); err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"axolotl", "\"quoted\" 'x' `y`", "a* OR (", "認証", "NEAR(a b, 3)", "title:x", "^a", "-x", "\x00\xff", "what 2025年3月", strings.Repeat("a b ", 100)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := m.Search(context.Background(), Query{Text: s})
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		for _, h := range a.Hits {
			if h.Score < 0 || h.Score > 1 || h.Matched < 0 || h.Matched > 1 {
				t.Errorf("%q: %+v", s, h)
			}
		}
	})
}
