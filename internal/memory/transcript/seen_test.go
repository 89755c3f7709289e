package transcript

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A file that was listed is not opened again until its size or its time is another; what could
// not be understood is looked at each time.
func TestListSeen(t *testing.T) {
	for agent, place := range map[string]string{"claude": ".claude/projects/p/%.jsonl", "codex": ".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-%.jsonl"} {
		home := t.TempDir()
		at := time.Unix(1_700_000_000, 7)
		put := func(id, body string, at time.Time) {
			t.Helper()
			name := filepath.Join(home, filepath.FromSlash(strings.Replace(place, "%", id, 1)))
			write(t, name, body)
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
		}
		said, aside := claudeSays("user", "ask"), `{"type":"user","isSidechain":true,"message":{"content":"b"}}`+"\n"
		if agent == "codex" {
			said = `{"timestamp":"2026-01-02T03:04:05Z","type":"event_msg","payload":{"type":"user_message","message":"ask"}}` + "\n"
			aside = `{"type":"session_meta","payload":{"id":"x","source":{"subagent":"review"}}}` + "\n"
		}
		put("a0000001", said, at)
		put("a0000002", aside, at)
		put("a0000003", "nothing of the agent's", at)
		s := source(t, home, agent)
		want, skipped := list(t, s)
		check := func(what string, old Seen, refs, bad int) Seen {
			t.Helper()
			now := Seen{}
			got, n, err := ListSeen(ctx, s, old, now)
			if err != nil || len(got) != refs || n != bad {
				t.Errorf("%s, %s: %d listed, %d skipped, %v; want %d and %d", agent, what, len(got), n, err, refs, bad)
			}
			return now
		}
		if len(want) != 1 || skipped != 1 {
			t.Fatalf("%s: %+v, %d skipped", agent, want, skipped)
		}
		seen := check("first", nil, 1, 1)
		if len(seen) != 2 || !maps.Equal(ParseSeen(seen.String()), seen) {
			t.Errorf("%s: seen are %v, read as %v", agent, seen, ParseSeen(seen.String()))
		}
		put("a0000001", strings.Repeat("x", len(said)), at) // nobody sees it, and nobody looks
		if again := check("closed", ParseSeen(seen.String()), 1, 1); !maps.Equal(again, seen) {
			t.Errorf("%s: then seen are %v, before %v", agent, again, seen)
		}
		check("opened", nil, 0, 2)
		put("a0000001", said, at.Add(time.Second))
		put("a0000002", said, at.Add(time.Second))
		check("changed", seen, 2, 1)
	}
	for _, s := range []string{"", "x", "AAAA", "!"} {
		if got := ParseSeen(s); len(got) != 0 {
			t.Errorf("ParseSeen(%q) = %v", s, got)
		}
	}
}
