package vault

import (
	"strings"
	"testing"
)

func TestHasSubject(t *testing.T) {
	for _, tt := range []struct {
		prompt string
		want   bool
	}{
		{"hi", false}, {"Hello!", false}, {"continue", false}, {"yes, go on please", false}, {"/clear", false}, {"ok danke, weiter", false}, {"thanks, perfect", false},
		{"what do you think?", false}, {"ready?", false}, {"deploy", false}, {"when do we deploy?", true}, {"deploy the gateway", true}, {"continue with the gateway deploy", true}, {"parseConfig", true}, {"fix internal/queue/retry.go", true},
	} {
		t.Run(tt.prompt, func(t *testing.T) {
			if got := ask(tt.prompt, asOf, newStemmer()).hasSubject(); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// A session that has said nothing is told the open points and decisions of the last one, pinned notes and preferences,
// and nothing because of the name of its project.
func TestRecallAtStart(t *testing.T) {
	const project = "github.com/a/tickets"
	m := meant(t, nil)
	digest := func(day, session, body string) string {
		return "---\ntype: session\ncategory: sessions\ncreated_at: " + day + "T09:00:00Z\nsession: " + session + "\nproject: " + project + "\n---\n\n# Work\n\n" + body
	}
	note := func(front, text string) string {
		return "---\ntype: memory\ncreated_at: 2025-02-01T09:00:00Z\n" + front + "\n---\n\n" + text + "\n"
	}
	write(t, m, "sessions/one.md", digest("2025-03-01", "claude/1", "## Decided\n\n- Use the old queue.\n"))
	write(t, m, "sessions/two.md", digest("2025-03-02", "claude/2", "## Asked and answered\n\n- How? → So.\n\n## Decided\n\n- Use NATS.\n\n## Open\n\n- Retries lack jitter.\n\n## Files\n\n- a.go\n"))
	write(t, m, "facts/named.md", note("category: facts\nproject: "+project, "All tickets of the tickets project are about tickets."))
	write(t, m, "facts/pinned.md", note("category: facts\npinned: true\nproject: "+project, "Staging is frozen."))
	write(t, m, "facts/over.md", note("category: facts\npinned: true\nexpires: 2025-03-01\nproject: "+project, "Staging was frozen."))
	write(t, m, "preferences/tabs.md", note("category: preferences", "Tabs, never blanks."))
	write(t, m, "preferences/other.md", note("category: preferences\nproject: github.com/b/c", "Blanks, never tabs."))
	sync1(t, m)
	r := recall(t, m, Recollection{Project: project})
	for text, want := range map[string]bool{"Retries lack jitter.": true, "Use NATS.": true, "Staging is frozen.": true, "Tabs, never blanks.": true,
		"old queue": false, "about tickets": false, "was frozen": false, "Blanks, never tabs.": false, "a.go": false, "score": false} {
		if strings.Contains(r.Block, text) != want {
			t.Errorf("%q is told: %v, want %v\n%s", text, !want, want, r.Block)
		}
	}
	if again := recall(t, m, Recollection{Project: project, Told: r.Places}); again.Block != "" {
		t.Errorf("told twice:\n%s", again.Block)
	}
	for prompt, want := range map[string]bool{"what is still open from last time?": true, "What did we do yesterday?": true, "is the harbour open on Sundays?": false} {
		if r := recall(t, m, Recollection{Project: project, Prompt: prompt}); strings.Contains(r.Block, "Retries lack jitter.") != want {
			t.Errorf("%q: %s", prompt, r.Block)
		}
	}
	if r := recall(t, m, Recollection{Project: project, Session: "claude/2"}); strings.Contains(r.Block, "jitter") || !strings.Contains(r.Block, "old queue") {
		t.Errorf("a session is told of itself: %s", r.Block)
	}
}

func TestDigestOpenAndDecided(t *testing.T) {
	for _, tt := range []struct {
		name, asked, answered, said, answer, want, not string
	}{
		{"open list", "Add retries.", "Sure.", "Go on.", "Retries are in.\n\nNext steps:\n- Add jitter to the retries.\n2. Bound them.\n\nAll else is done.", "## Open\n\n- Add jitter to the retries.\n- Bound them.\n", "- All else"},
		{"open sentence", "Add retries.", "Sure.", "Go on.", "Retries are in. The bound is still missing. It works.", "## Open\n\n- The bound is still missing.\n", "- It works"},
		{"nothing open", "Add retries.", "Sure.", "Go on.", "Retries are in. The door stays open at night.", "## Outcome", "## Open"},
		{"option", "Which queue?", "Options:\n1. RabbitMQ, as before\n2. NATS with streams", "Go with 2.", "Done.", "- Go with 2. (NATS with streams)\n", "RabbitMQ)"},
		{"pronoun", "Which queue?", "I would take NATS with streams.", "Let's go with that.", "Done.", "- Let's go with that. (I would take NATS with streams.)\n", ""},
		{"no antecedent needed", "Which queue?", "I would take NATS.", "Let's go with RabbitMQ.", "Done.", "- Let's go with RabbitMQ.\n", "RabbitMQ. ("},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := talk("claude", "1", "T", tt.asked, tt.answered, tt.said, tt.answer)
			d := digest(s)
			if !strings.Contains(d, tt.want) || tt.not != "" && strings.Contains(d, tt.not) {
				t.Errorf("%s", d)
			}
		})
	}
}
