package vault

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

// meant is a vault with the model that comes with the program, asked in June 2025.
func meant(t *testing.T, change func(*Config)) *Memory {
	p, err := embed.Open(embed.Config{Provider: "static", Text: true})
	if err != nil {
		t.Fatal(err)
	}
	return fresh(t, func(c *Config) {
		c.Embedder, c.Now = p, func() time.Time { return asOf }
		if change != nil {
			change(c)
		}
	})
}

func dated(day, category, text string) string {
	return "---\ntype: memory\ncategory: " + category + "\ncreated_at: " + day + "T09:00:00Z\n---\n\n" + text + "\n"
}

// hitsOf returns what a query finds, by path.
func hitsOf(t *testing.T, m *Memory, q Query) (order []string, by map[string]Piece) {
	t.Helper()
	q.Wait = true
	a, err := m.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	by = map[string]Piece{}
	for _, h := range a.Hits {
		order, by[h.Path] = append(order, h.Path), h
	}
	return order, by
}

// What is said to be in the place of a note is found with it, though it has none of the words
// of the question, and many others have.
func TestHeirWithoutWords(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "decisions/old.md", dated("2025-01-10", "decisions", "RabbitMQ carries the invoices between the services."))
	write(t, m, "decisions/new.md", strings.Replace(dated("2025-03-12", "decisions", "Everything goes over NATS."), "---\n\n", "supersedes: decisions/old.md\n---\n\n", 1))
	for i := range 60 {
		write(t, m, fmt.Sprintf("facts/%d.md", i), dated("2025-02-01", "facts", fmt.Sprintf("Invoices of branch %d are printed on floor %d.", i, i)))
	}
	order, hits := hitsOf(t, m, Query{Text: "does RabbitMQ carry the invoices between services"})
	if len(order) < 2 || order[0] != "decisions/new.md" || order[1] != "decisions/old.md" || hits["decisions/old.md"].Superseded != "decisions/new.md" {
		t.Errorf("found %v", order)
	}
}

// If somebody said that a note replaces an older one, the later one is first, and the older
// names it and its day. Likeness says nothing.
func TestNewestFirst(t *testing.T) {
	const said, says = "The staging API of the shop listens on port 8085, the port of the API is fixed.", "The staging API of the shop listens on port 9085."
	for name, c := range map[string]struct {
		old, later, text string
		replaced         bool
	}{
		"alike":                     {"", "", says, false},
		"supersedes":                {"", "supersedes: facts/old.md", says, true},
		"supersedes by name":        {"", "supersedes: \"[[old]]\"", says, true},
		"same topic":                {"topic: Staging API port", "topic: staging-api-port", says, true},
		"other topic":               {"topic: staging-api-port", "topic: production-api-port", says, false},
		"same title":                {"title: Staging port", "title: \"Staging port:\"", says, true},
		"other title":               {"title: Staging port", "title: Staging ports", says, false},
		"title and topic":           {"title: Staging port", "topic: staging-port", says, true},
		"same title, own topic":     {"title: Ports\ntopic: staging-port", "title: Ports\ntopic: shop-port", says, false},
		"same topic, other project": {"topic: port\nproject: a", "topic: port\nproject: b", says, false},
		"same title, imported":      {"title: Summary\nimported: \"engram:1\"", "title: Summary\nimported: \"engram:2\"", says, false},
		"said":                      {"", "", "The staging API of the shop listens on port 9085 instead of port 8085.", true},
		"said of another":           {"", "", "The billing API of the shop listens on port 9085 instead of port 8085.", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := meant(t, nil)
			note := func(day, front, text string) string {
				return strings.Replace(dated(day, "facts", text), "---\n\n", strings.TrimLeft(front+"\n", "\n")+"---\n\n", 1)
			}
			write(t, m, "facts/old.md", note("2025-01-10", c.old, said))
			write(t, m, "facts/new.md", note("2025-03-12", c.later, c.text))
			write(t, m, "facts/other.md", dated("2025-05-01", "facts", "The cellar has three shelves."))
			order, hits := hitsOf(t, m, Query{Text: "is it fixed on which port the staging API of the shop listens"})
			if len(order) < 2 || order[0] != map[bool]string{true: "facts/new.md", false: "facts/old.md"}[c.replaced] {
				t.Fatalf("found %v", order)
			}
			old, by, on := hits["facts/old.md"], "", "0001-01-01"
			if c.replaced {
				by, on = "facts/new.md", "2025-03-12"
			}
			if old.Superseded != by || old.SupersededOn.Format(time.DateOnly) != on {
				t.Errorf("the older one says %q %s", old.Superseded, old.SupersededOn)
			}
			if by := hits["facts/new.md"].Superseded; by != "" {
				t.Errorf("the later one is superseded by %s", by)
			}
		})
	}
}

// A topic that a person gives to many notes of a vault replaces none of them.
func TestTopicOfAPerson(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "one.md", "---\ntopic: wombats\ncreated: 2025-01-10\n---\n\nA wombat digs.\n")
	write(t, m, "two.md", "---\ntopic: wombats\ncreated: 2025-02-10\n---\n\nA wombat eats grass.\n")
	_, hits := hitsOf(t, m, Query{Text: "wombat", Mode: Words})
	if len(hits) != 2 || hits["one.md"].Superseded != "" {
		t.Errorf("%+v", hits)
	}
}

// A part of a note that a later one says to be over is told beside it; the note keeps its place.
func TestSeeAlso(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "facts/old.md", dated("2025-01-10", "facts", "The status page is hosted by Statuspage. It is written by the person on call."))
	write(t, m, "facts/new.md", dated("2025-03-12", "facts", "The status page is no longer hosted by Statuspage but by Instatus."))
	order, hits := hitsOf(t, m, Query{Text: "who writes the status page, the person on call?"})
	if len(order) != 2 || order[0] != "facts/old.md" {
		t.Errorf("found %v, want facts/old.md first of two", order)
	}
	old := hits["facts/old.md"]
	if old.Superseded != "" {
		t.Errorf("the old note as a whole is over: %+v", old)
	}
	if old.SeeAlso != "facts/new.md" || hits["facts/new.md"].SeeAlso != "" {
		t.Errorf("see also %q beside the old note, %q beside the new one", old.SeeAlso, hits["facts/new.md"].SeeAlso)
	}
}

// Only the same text is shown once, and only within a project. A mark of any copy is shown.
func TestCopies(t *testing.T) {
	const text = "The wombat eats grass at night, by the river."
	for name, c := range map[string]struct {
		other    string
		front    string
		hits     int
		validity string
	}{
		"same text":     {text, "expires: 2025-05-01", 1, "expired on 2025-05-01"},
		"another":       {"The wombat eats grass at night, by the lake.", "expires: 2025-05-01", 2, ""},
		"another title": {"# Wombat two\n\n" + text, "expires: 2025-05-01", 2, ""},
		"other project": {text, "expires: 2025-05-01\nproject: b", 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := meant(t, nil)
			write(t, m, "one.md", text+"\n")
			write(t, m, "two.md", "---\n"+c.front+"\n---\n\n"+c.other+"\n")
			order, hits := hitsOf(t, m, Query{Text: "does the wombat eat grass by the river at night", Mode: Words})
			if len(order) != c.hits || order[0] != "one.md" || hits["one.md"].Validity != c.validity || len(hits["one.md"].Also) != 2-c.hits {
				t.Errorf("found %v, %+v", order, hits["one.md"])
			}
		})
	}
}

// Notes about two things stay as they are.
func TestTwoMatters(t *testing.T) {
	m := meant(t, nil)
	write(t, m, "facts/a.md", dated("2025-01-10", "facts", "The production API listens on port 8443."))
	write(t, m, "facts/b.md", dated("2025-03-12", "facts", "The invoice printer has address 10.0.0.7."))
	order, hits := hitsOf(t, m, Query{Text: "which port does the production API listen on"})
	if len(order) == 0 || order[0] != "facts/a.md" || hits["facts/a.md"].Superseded != "" {
		t.Errorf("found %v, %+v", order, hits["facts/a.md"])
	}
}

// Of several that replaced each other, the last is named; a ring of them ends.
func TestReplacedInTurn(t *testing.T) {
	m := meant(t, nil)
	link := func(to string) string {
		return "---\nsupersedes: " + to + "\ncreated_at: 2025-02-01T00:00:00Z\n---\n\nNumbats in burrow "
	}
	write(t, m, "a.md", "Numbats in burrow one.")
	write(t, m, "b.md", link("a.md")+"two.")
	write(t, m, "c.md", link("b.md")+"three.")
	write(t, m, "x.md", link("y.md")+"four.")
	write(t, m, "y.md", link("x.md")+"five.")
	_, hits := hitsOf(t, m, Query{Text: "numbats burrow", Mode: Words})
	if hits["a.md"].Superseded != "c.md" || hits["b.md"].Superseded != "c.md" || hits["c.md"].Superseded != "" || hits["x.md"].Superseded != "y.md" {
		t.Errorf("a %q b %q c %q x %q", hits["a.md"].Superseded, hits["b.md"].Superseded, hits["c.md"].Superseded, hits["x.md"].Superseded)
	}
}

// An agent that stores a note is told of those about the same subject; storing it again with the one that it replaces makes
// the link.
func TestStoreTellsOfSimilar(t *testing.T) {
	m := meant(t, nil)
	write(t, m, "decisions/old.md", dated("2025-01-10", "decisions", "Calls to the payment provider time out after 30 seconds."))
	sync1(t, m)
	n := Note{Content: "Calls to the payment provider time out after 8 seconds now.", Category: "decisions"}
	s, err := m.Store(context.Background(), n)
	if err != nil || len(s.Similar) != 1 {
		t.Fatalf("%+v %v", s, err)
	}
	if like := s.Similar[0]; like.Path != "decisions/old.md" || like.Title != "old" {
		t.Errorf("similar %+v", like)
	}
	if len(s.Replaces) != 0 {
		t.Errorf("it replaces %v", s.Replaces)
	}
	if by := supersededNotes(t, m); len(by) != 0 {
		t.Errorf("nobody said that it replaces one: %v", by)
	}
	n.Supersedes = "decisions/old.md"
	again, err := m.Store(context.Background(), n)
	if err != nil || !again.Exists || !again.Linked || again.Path != s.Path {
		t.Fatalf("%+v %v", again, err)
	}
	if by := supersededNotes(t, m); by["decisions/old.md"] != s.Path {
		t.Errorf("after the link: %v", by)
	}
	if again, err = m.Store(context.Background(), n); err != nil || again.Linked {
		t.Errorf("linked twice: %+v %v", again, err)
	}
	b, err := os.ReadFile(filepath.Join(m.cfg.Vault, s.Path))
	if err != nil || strings.Count(string(b), "supersedes: decisions/old.md\n") != 1 || !strings.Contains(string(b), "8 seconds now.") {
		t.Errorf("the note is\n%s\n%v", b, err)
	}
	for _, far := range []Note{
		{Content: "Marta plays the tuba on Sundays.", Category: "decisions"},
		{Content: "Calls to the payment provider time out after 9 seconds.", Project: "github.com/a/b"},
	} {
		if s, err := m.Store(context.Background(), far); err != nil || len(s.Similar) != 0 {
			t.Errorf("%+v %v", s, err)
		}
	}
}

// supersededNotes returns what the list says to be in the place of notes.
func supersededNotes(t *testing.T, m *Memory) map[string]string {
	t.Helper()
	items, err := m.List(context.Background(), Listing{})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]string{}
	for _, i := range items {
		if i.Superseded != "" {
			by[i.Path] = i.Superseded
		}
	}
	return by
}

// A note replaces those of its topic; the topic can be given later; a note that was replaced can be stored again.
func TestStoreTopic(t *testing.T) {
	now := asOf
	m := fresh(t, func(c *Config) { c.Now = func() time.Time { return now } })
	store := func(n Note) Stored {
		now = now.Add(time.Minute)
		return keep(t, m, n)
	}
	first := store(Note{Content: "We deploy to Heroku.", Topic: "Deploy target"})
	second := store(Note{Content: "We deploy to Fly.", Topic: "deploy-target"})
	if !slices.Equal(second.Replaces, []string{first.Path}) || len(second.Similar) != 0 {
		t.Errorf("%+v", second)
	}
	third := store(Note{Content: "We deploy to Heroku.", Topic: "deploy target"})
	if third.Exists || !slices.Equal(third.Replaces, []string{second.Path}) {
		t.Errorf("%+v", third)
	}
	if by := supersededNotes(t, m); by[first.Path] != third.Path || by[second.Path] != third.Path || by[third.Path] != "" {
		t.Errorf("%v", by)
	}
	bare := store(Note{Content: "The queue is RabbitMQ."})
	if s := store(Note{Content: "The queue is RabbitMQ.", Topic: "queue"}); !s.Exists || !s.Linked || s.Path != bare.Path {
		t.Errorf("%+v", s)
	}
	if s := store(Note{Content: "---\ntopic: queue\n---\nThe queue is NATS."}); !slices.Equal(s.Replaces, []string{bare.Path}) {
		t.Errorf("%+v", s)
	}
	if _, err := m.Store(context.Background(), Note{Content: "x y", Topic: "--"}); kind(err) != fault.Usage {
		t.Errorf("a topic without a word: %v", err)
	}
}

// A second thing that a note supersedes is added to the first.
func TestSupersedeTwice(t *testing.T) {
	m := meant(t, nil)
	write(t, m, "a.md", "A wombat digs.")
	write(t, m, "b.md", "A wombat digs at night.")
	write(t, m, "bare.md", "No wombat digs any more.\n")
	root, err := m.root()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	sync1(t, m)
	for _, old := range []string{"a.md", "b.md"} {
		if linked, err := m.link(context.Background(), root, "bare.md", &Note{Supersedes: old}); err != nil || !linked {
			t.Fatalf("%s: %v %v", old, linked, err)
		}
	}
	b, _ := os.ReadFile(filepath.Join(m.cfg.Vault, "bare.md"))
	if want := "---\nsupersedes: [a.md, b.md]\n---\n\nNo wombat digs any more.\n"; string(b) != want {
		t.Errorf("%q, want %q", b, want)
	}
	_, hits := hitsOf(t, m, Query{Text: "wombat digs", Mode: Words})
	if hits["a.md"].Superseded != "bare.md" || hits["b.md"].Superseded != "bare.md" {
		t.Errorf("%+v", hits)
	}
}

// What a note says of itself is honoured and shown.
func TestStanding(t *testing.T) {
	m := meant(t, nil)
	front := func(s string) string { return "---\n" + s + "\n---\n\nThe wombat eats grass.\n" }
	for name, f := range map[string]string{"over": "valid_to: 2025-05-31", "lasts": "valid_to: 2025-06-01", "expired": "expires: 2025-06-01", "later": "valid_from: 2025-06-02", "pinned": "pinned: true", "low": "importance: low", "five": "importance: 5"} {
		write(t, m, name+".md", front(f)+"Of "+name+" "+strings.Repeat(name+" ", 3)+"\n")
	}
	order, hits := hitsOf(t, m, Query{Text: "wombat grass", Max: 10, Mode: Words})
	if len(order) != 7 || !slices.Contains(order[:2], "pinned.md") || !slices.Contains(order[:2], "five.md") {
		t.Errorf("found %v", order)
	}
	for name, want := range map[string]string{"over": "expired on 2025-06-01", "lasts": "", "expired": "expired on 2025-06-01", "later": "valid from 2025-06-02", "pinned": ""} {
		if got := hits[name+".md"].Validity; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !hits["pinned.md"].Pinned || hits["five.md"].Importance != 2 || hits["low.md"].Importance != -1 {
		t.Errorf("%+v", hits)
	}
}

// A time, a tag and a speaker leave out what is not of them, however well it matches.
func TestFilters(t *testing.T) {
	s := talk("claude", "s1", "Burrows", "Where does the wombat dig, by the river?", "The wombat digs in clay.")
	m := meant(t, func(c *Config) {
		c.Sources = []transcript.Source{&fake{agent: "claude", sessions: []*transcript.Session{s}}}
	})
	write(t, m, "jan.md", dated("2025-01-10", "facts", "The wombat digs. #infra/dns"))
	write(t, m, "mar.md", "---\ncreated_at: 2025-03-10T09:00:00Z\ntags: [Infra, \"#zoo\"]\n---\nThe wombat digs again, no.7 #42 `#code`.\n")
	write(t, m, "may.md", dated("2025-05-10", "facts", "The wombat sleeps.\n\n```\n#fenced\n```"))
	for name, c := range map[string]struct {
		q    Query
		want string
	}{
		"since":           {Query{Text: "wombat", Since: "2025-03-01", Source: "memory"}, "mar.md may.md"},
		"before":          {Query{Text: "wombat", Before: "March 2025", Source: "memory"}, "jan.md"},
		"before a month":  {Query{Text: "wombat", Before: "march", Source: "memory"}, "jan.md"},
		"between":         {Query{Text: "wombat", Between: "2025-02 and 2025-03", Source: "memory"}, "mar.md"},
		"days":            {Query{Text: "wombat", Since: "30 days", Source: "memory"}, "may.md"},
		"last month":      {Query{Text: "wombat", Since: "last month", Source: "memory"}, "may.md"},
		"tag":             {Query{Text: "wombat", Tags: []string{"#infra"}}, "jan.md mar.md"},
		"tag in text":     {Query{Text: "wombat tag:zoo"}, "mar.md"},
		"tag alone":       {Query{Text: "tag:infra"}, "jan.md mar.md"},
		"tag below":       {Query{Text: "tag:infra/dns"}, "jan.md"},
		"not the number":  {Query{Text: "wombat", Tags: []string{"code"}}, ""},
		"not in a fence":  {Query{Text: "wombat", Tags: []string{"fenced"}}, ""},
		"user":            {Query{Text: "wombat", Speaker: "user"}, "session:claude/s1"},
		"newest":          {Query{Text: "wombat digs", Newest: true, Source: "memory", Max: 2}, "mar.md jan.md"},
		"time and a tag":  {Query{Text: "wombat tag:infra", Since: "2025-02-01"}, "mar.md"},
		"newest in words": {Query{Text: "the latest digging of wombats in 2025", Source: "memory", Max: 1}, "may.md"},
	} {
		order, hits := hitsOf(t, m, c.q)
		if !strings.HasPrefix(name, "newest") {
			slices.Sort(order)
		}
		if got := strings.Join(order, " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if h := hits["session:claude/s1"]; name == "user" && (strings.Contains(h.Text, "clay") || !strings.Contains(h.Text, "river")) {
			t.Errorf("the user is to have said %q", h.Text)
		}
	}
	for name, q := range map[string]Query{"no time": {Text: "x", Since: "soonish"}, "backwards": {Text: "x", Since: "2025-04-01", Before: "2025-03-01"},
		"two spans": {Text: "x", Since: "2025-04-01", Between: "2025-01 and 2025-02"}, "half": {Text: "x", Between: "2025-01"}, "no tag": {Text: "x", Tags: []string{"42"}}} {
		if _, err := m.Search(context.Background(), q); kind(err) != fault.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A question that was asked without an answer stands behind its answer, is no digest, and
// is told as what it is.
func TestOnlyAsked(t *testing.T) {
	at := time.Date(2025, 5, 20, 9, 0, 0, 0, time.UTC)
	session := func(id string, turns ...string) *transcript.Session {
		s := talk("claude", id, "", turns...)
		s.Title, s.Created, s.Updated = turns[0], at, at
		return s
	}
	src := &fake{agent: "claude", sessions: []*transcript.Session{
		session("asked", "which port does the billing API listen on?", "I could not find anything about that. Should I look elsewhere?"),
		session("nobody", "which port does the billing API listen on"),
		session("depends", "which port does the billing API listen on?", "That depends on which environment you mean."),
		session("told", "The billing API listens on 8085.", "Noted."),
		session("both", "which port does the wiki listen on?", "I don't know.", "and the mail relay?", "The mail relay listens on 587."),
	}}
	m := meant(t, func(c *Config) { c.Sources = []transcript.Source{src} })
	write(t, m, "facts/billing.md", dated("2025-01-10", "facts", "billing listens at port 8085"))
	order, _ := hitsOf(t, m, Query{Text: "which port does the billing API listen on?", Max: 4})
	for i, p := range order[:min(2, len(order))] {
		if p != "facts/billing.md" && p != "session:claude/told" {
			t.Errorf("at %d is %s", i+1, p)
		}
	}
	for id, want := range map[string]string{"asked": "empty", "nobody": "empty", "told": "new", "both": "new"} {
		if c, err := m.Capture(context.Background(), "claude", id); err != nil || c.State != want {
			t.Errorf("%s: %+v %v, want %s", id, c, err, want)
		}
	}
	for _, name := range []string{"both"} {
		files, _ := filepath.Glob(filepath.Join(m.cfg.Vault, "sessions", "*wiki*"))
		if len(files) != 1 {
			t.Fatalf("%s: %v", name, files)
		}
		b, _ := os.ReadFile(files[0])
		if _, body, _ := cutFront(b); !strings.Contains(string(body), "and the mail relay? → The mail relay listens on 587.") || strings.Contains(string(body), "→ I don't") {
			t.Errorf("%s", body)
		}
	}
}

// An answer that goes on in a further chunk is found by its question.
func TestAnswerWithItsQuestion(t *testing.T) {
	s := talk("claude", "s1", "Long", "How is the zeppelin moored?", strings.Repeat("First one reads the wind and waits for calm.\n", 120)+"At last the rope is tied to the mast.")
	m := meant(t, func(c *Config) {
		c.Sources = []transcript.Source{&fake{agent: "claude", sessions: []*transcript.Session{s}}}
	})
	sync1(t, m)
	_, hits := hitsOf(t, m, Query{Text: "rope tied to the mast", Max: 1})
	if h := hits["session:claude/s1"]; !strings.Contains(h.Heading, "How is the zeppelin moored?") {
		t.Errorf("its heading is %q, its text %.80q", h.Heading, h.Text)
	}
}

// Files that are no text, what killed writers left, and the permissions of notes.
func TestSafeKeeping(t *testing.T) {
	m := meant(t, nil)
	write(t, m, "photo.md", "PNG\x00\x01\x02 wombat")
	write(t, m, "fine.md", "A wombat.")
	r := sync1(t, m)
	if r.Skipped["not text"] != 1 {
		t.Errorf("%+v", r)
	}
	if order, _ := hitsOf(t, m, Query{Text: "wombat", Mode: Words}); !slices.Equal(order, []string{"fine.md"}) {
		t.Errorf("found %v", order)
	}
	if items, err := m.List(context.Background(), Listing{}); err != nil || len(items) != 1 {
		t.Errorf("%+v %v", items, err)
	}
	if found, _, err := m.Audit(context.Background()); err != nil || len(found) != 1 || found[0].Kind != "binary" {
		t.Errorf("%+v %v", found, err)
	}
	s := keep(t, m, Note{Content: "Wombats are private."})
	st, err := os.Stat(filepath.Join(m.cfg.Vault, s.Path))
	if err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st, err)
	}
}

// A vault that is not there does not bring back what was forgotten; one whose list was
// emptied does.
func TestForgottenUnmounted(t *testing.T) {
	src := &fake{agent: "claude", sessions: []*transcript.Session{talk("claude", "s1", "Wombats", "Tell me of wombats.", "They dig tunnels.")}}
	m := fresh(t, func(c *Config) { c.Sources = []transcript.Source{src} })
	write(t, m, "a.md", "Nothing.")
	sync1(t, m)
	if _, err := m.Forget(context.Background(), Forgetting{Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	if r := sync1(t, m); r.Sessions != 0 {
		t.Fatalf("%+v", r)
	}
	away := m.cfg.Vault + ".away"
	if err := os.Rename(m.cfg.Vault, away); err != nil {
		t.Fatal(err)
	}
	for _, empty := range []bool{false, true} { // a mount point is an empty folder
		if empty {
			if err := os.Mkdir(m.cfg.Vault, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if r := sync1(t, m); r.Sessions != 0 {
			t.Errorf("empty %v: %+v", empty, r)
		}
		if got := paths(t, m, Query{Text: "wombats tunnels", Mode: Words}); len(got) != 0 {
			t.Errorf("empty %v: %v came back", empty, got)
		}
	}
	if err := os.Remove(m.cfg.Vault); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away, m.cfg.Vault); err != nil {
		t.Fatal(err)
	}
	write(t, m, forgottenFile, "# none\n")
	if r := sync1(t, m); r.Sessions != 1 {
		t.Errorf("it was taken from the list: %+v", r)
	}
}

// Links lead by path, by name and by alias, forwards and backwards, as far as asked.
func TestLinks(t *testing.T) {
	m := meant(t, nil)
	write(t, m, "a.md", "---\naliases: [Alpha]\ndepends_on: \"[[sub/b]]\"\n---\n\nSee [[B|the b]], [c](sub/c.md) and [[nowhere]]. `[[code]]`\n")
	write(t, m, "sub/b.md", "# B\n\n- part of [[C]]\n")
	write(t, m, "sub/c.md", "# C\n\nBack to [[alpha]]. tag #zoo\n")
	sync1(t, m)
	got := func(path string, depth int) string {
		r, err := m.Links(context.Background(), path, depth)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, l := range r.Links {
			s := l.From + " " + l.Kind + " " + l.To
			if l.Broken {
				s += "!"
			}
			out = append(out, s)
		}
		return strings.Join(out, "; ")
	}
	if want := "a.md depends on sub/b.md; a.md links to sub/b.md; a.md links to nowhere!; a.md links to sub/c.md; sub/c.md links to a.md"; got("a.md", 1) != want {
		t.Errorf("%s, want %s", got("a.md", 1), want)
	}
	if want := "sub/b.md part of sub/c.md; a.md depends on sub/b.md; a.md links to sub/b.md; sub/c.md links to a.md; a.md links to sub/c.md; a.md links to nowhere!"; got("sub/b.md", 2) != want {
		a := strings.Split(got("sub/b.md", 2), "; ")
		b := strings.Split(want, "; ")
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("%s, want %s", got("sub/b.md", 2), want)
		}
	}
	links, titles, err := m.Web(context.Background())
	if err != nil || len(links) != 6 || len(titles) != 3 || titles["sub/b.md"] != "B" {
		t.Errorf("all links: %+v of %v, %v", links, titles, err)
	}
	if _, err := m.Links(context.Background(), "none.md", 1); kind(err) != fault.NotFound {
		t.Errorf("%v", err)
	}
	items, err := m.Timeline(context.Background(), Listing{}, "", "")
	if err != nil || len(items) != 0 {
		t.Errorf("without days: %+v %v", items, err)
	}
}

// Some programs link notes by their titles, whatever their files are called.
func TestLinksByTitle(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "coffee.md", "# Coffee\n\n- requires [[Proper Grinding Technique]]\n- see [[Coffee]]\n- see [[grind-2]]\n")
	write(t, m, "grind-1.md", "---\ntitle: Proper Grinding Technique\n---\n\nBurr grinder.\n")
	write(t, m, "grind-2.md", "---\ntitle: Coffee\n---\n\nA name of a file comes before a title.\n")
	sync1(t, m)
	r, err := m.Links(context.Background(), "coffee.md", 1)
	if err != nil {
		t.Fatal(err)
	}
	var to []string
	for _, l := range r.Links {
		to = append(to, l.To)
	}
	if want := []string{"grind-1.md", "coffee.md", "grind-2.md"}; !slices.Equal(to, want) {
		t.Errorf("links to %v, want %v", to, want)
	}
}

// Records of decisions say in their text what took their place.
func TestStatusLines(t *testing.T) {
	for _, tt := range []struct{ line, kind, target string }{
		{"Superseded by [ADR 12](0012-use-nats.md)", succeeded, "./0012-use-nats.md"},
		{"**Status:** Superseded by [12. Use NATS](0012-use-nats.md) on 2024-02-03", succeeded, "./0012-use-nats.md"},
		{"* Status: superceded by [[Use NATS]]", succeeded, "use nats"},
		{"Supersedes [ADR 3](../old/0003-use-redis.md).", supersedes, "./../old/0003-use-redis.md"},
		{"We replaced Redis, see [the plan](plan.md)", "", ""},
		{"The queue replaces [cron](cron.md) in tests", "", ""},
		{"Accepted", "", ""},
	} {
		kind, target := "", ""
		for _, l := range linksIn([]string{tt.line}, 1) {
			if l.kind != linkTo {
				kind, target = l.kind, l.target
			}
		}
		if kind != tt.kind || target != tt.target {
			t.Errorf("%q: %q %q, want %q %q", tt.line, kind, target, tt.kind, tt.target)
		}
	}
	m := fresh(t, nil)
	write(t, m, "adr/0003-use-redis.md", "# 3. Use Redis for the queue\n\nDate: 2023-01-02\n\n## Status\n\nSuperseded by [12. Use NATS](0012-use-nats.md)\n\n## Decision\n\nRedis streams carry the queue.\n")
	write(t, m, "adr/0012-use-nats.md", "# 12. Use NATS\n\nDate: 2024-02-03\n\n## Status\n\nAccepted\n\n## Decision\n\nNATS carries the queue.\n")
	sync1(t, m)
	a, err := m.Search(context.Background(), Query{Text: "what carries the queue, redis streams?"})
	if err != nil || len(a.Hits) != 2 || a.Hits[0].Path != "adr/0012-use-nats.md" || a.Hits[1].Superseded != "adr/0012-use-nats.md" {
		t.Errorf("%+v, %v", a.Hits, err)
	}
	write(t, m, "mail.md", "---\nsuperseded_by: post.md\n---\nMail is sent by exim.\n")
	write(t, m, "post.md", "Mail is sent by postfix.\n")
	write(t, m, "one.md", "---\nsupersedes: two.md\n---\nThe first of a pair.\n")
	write(t, m, "two.md", "---\nsupersedes: one.md\n---\nThe second of a pair.\n")
	write(t, m, "self.md", "---\nsupersedes: self.md\n---\nThe only one.\n")
	write(t, m, "lost.md", "---\nsuperseded_by: [[nowhere]]\n---\nIt led somewhere.\n")
	sync1(t, m)
	found, _, err := m.Audit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range found {
		got[f.Path] += f.Kind + ": " + f.What
	}
	for path, want := range map[string]string{
		"adr/0003-use-redis.md": "superseded: adr/0012-use-nats.md is in its place", "adr/0012-use-nats.md": "",
		"mail.md": "superseded: post.md is in its place", "post.md": "",
		"one.md":  "conflicts: it and two.md are each said to be in the place of the other: take one of the links out",
		"two.md":  "conflicts: it and one.md are each said to be in the place of the other: take one of the links out",
		"self.md": "missing: its supersedes names itself", "lost.md": "missing: its superseded by names nowhere, which is not there",
	} {
		if got[path] != want {
			t.Errorf("audit of %s: %q, want %q", path, got[path], want)
		}
	}
}
