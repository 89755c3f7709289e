package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/assay-dev/assay/internal/memory/transcript"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// unanswered are the ways in which an agent does not answer, each with the split that it
// belongs to. The rules were written with both of the first two in view; the third, written when
// they were done, led to question.echo of package vault, and the fourth was written after that.
var unanswered = map[string][]string{
	"dev": {
		"I don't know, I could not find anything about that.",
		"Let me look into the repository first.",
		"There is no record of this. Do you want me to search elsewhere?",
		"I'm not sure. Could you tell me more?",
	},
	"test": {
		"Hmm, nothing in the notes I have access to covers that topic.",
		"Good question! I would need more context before I can say.",
		"",
		"Sorry, I wasn't able to locate any documentation for it; perhaps a colleague knows?",
		"Searching the codebase now…",
		"No idea. Which project do you mean?",
		"I have no information on that at the moment.",
		"Dazu habe ich leider nichts gefunden.",
	},
	"blind": {
		"That hasn't come up in any of our earlier conversations as far as I can see.",
		"I checked the wiki and the README, and neither says anything on this.",
		"Hmm, could you point me at the right repository?",
		"Unfortunately this is outside what I was told about the project.",
		"Give me a second, I'm going through the logs.",
		"As an assistant without access to your systems, I have no way to verify that.",
		"I'd rather not guess here; someone on the team should confirm.",
		"Nope, no hits.",
		"That depends on which environment you mean.",
		"Das müsste ich erst nachsehen.",
		"Which of the two services are you asking about?",
		"There might be something in the archive, but I couldn't open it.",
	},
	"proof": {
		"Good point, that is worth writing down once it has been settled.",
		"The search came back empty.",
		"Could be in one of the older tickets; they were never exported.",
		"I can't answer this from what is in front of me.",
		"Do you remember roughly when that was discussed?",
		"Let's park this until the others are back.",
		"Not that I am aware of.",
		"No mention of it anywhere, as it seems.",
		"Still indexing, ask again in a minute.",
		"That is above my pay grade.",
		"Keine Treffer.",
		"Hard to tell without the logs.",
	},
}

// echo measures whether a question that was asked in a session, without an answer, stands
// before the answer: 64 questions, each asked so in a session of its own.
func echo(ctx context.Context, w io.Writer, verbose bool) error {
	for _, half := range []string{"dev", "test", "blind", "proof"} {
		if err := echoed(ctx, w, half, verbose); err != nil {
			return err
		}
	}
	return nil
}

func echoed(ctx context.Context, w io.Writer, half string, verbose bool) error {
	c, err := own()
	if err != nil {
		return err
	}
	var qs []question
	others := 0
	for i, q := range c.questions {
		of := "dev"
		if len(q.In) > 0 && i%3 != 0 {
			of = "test"
			if others++; others > 64 {
				of = "blind"
			}
		}
		if len(q.In) > 0 && (of == half || of == "blind" && half == "proof") && len(qs) < 64 {
			qs = append(qs, q)
		}
	}
	at := time.Date(2025, 11, 10, 10, 0, 0, 0, time.UTC)
	sources, err := c.sources()
	if err != nil {
		return err
	}
	ways := unanswered[half]
	asker := &agent{name: "asker"}
	for i, q := range qs {
		s := &transcript.Session{Ref: transcript.Ref{Agent: "asker", ID: fmt.Sprintf("q%d", i), Stamp: "1", Title: q.Ask, Updated: at}, Created: at}
		s.Turns = append(s.Turns, transcript.Turn{Role: transcript.User, Text: q.Ask, Time: at})
		if no := ways[i%len(ways)]; no != "" {
			s.Turns = append(s.Turns, transcript.Turn{Role: transcript.Assistant, Text: no, Time: at})
		}
		asker.sessions = append(asker.sessions, s)
	}
	dir, err := os.MkdirTemp("", "assay-memory-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m, err := openWith(ctx, c, append(sources, asker), dir)
	if err != nil {
		return err
	}
	defer m.Close()
	first, five, echoes := 0, 0, 0
	for _, q := range qs {
		a, err := m.Search(ctx, vault.Query{Text: q.Ask, Max: depth})
		if err != nil {
			return err
		}
		at := slices.IndexFunc(a.Hits, func(h vault.Piece) bool { return slices.Contains(q.In, h.Path) })
		if at == 0 {
			first++
		}
		if at >= 0 && at < 5 {
			five++
		}
		if len(a.Hits) > 0 && len(a.Hits[0].Path) > 13 && a.Hits[0].Path[:13] == "session:asker" {
			echoes++
			if verbose {
				fmt.Fprintf(w, "  the question itself is first: %q\n    %q\n", q.Ask, a.Hits[0].Text)
			}
		}
	}
	n := float64(len(qs))
	fmt.Fprintf(w, "echo %s: %d questions, each asked in a session without an answer: any@1 %.3f, any@5 %.3f; the question itself is first for %d\n", half, len(qs), float64(first)/n, float64(five)/n, echoes)
	return nil
}
