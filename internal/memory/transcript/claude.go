package transcript

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// Claude Code keeps a session in projects/FOLDER/SESSION.jsonl, a line for each
// piece of a message and for much else. What sub-agents say is in lines marked as
// side chains, or in files of theirs.

func newClaude(dir string) Source {
	return &files{format: format{
		agent: "claude", roots: []top{{filepath.Join(dir, "projects"), 1}},
		id: func(_, name string) (string, bool) {
			id, ok := strings.CutSuffix(name, ".jsonl")
			return id, ok && valid(id) && !strings.HasPrefix(id, "agent-")
		},
		head: claudeHead, read: readClaude,
	}}
}

type claudeLine struct {
	Type        string `json:"type"`
	UUID        string `json:"uuid"`
	Timestamp   string `json:"timestamp"`
	CWD         string `json:"cwd"`
	Sidechain   bool   `json:"isSidechain"`
	Meta        bool   `json:"isMeta"`
	Compacted   bool   `json:"isCompactSummary"`
	Shown       bool   `json:"isVisibleInTranscriptOnly"`
	Failed      bool   `json:"isApiErrorMessage"`
	Summary     string `json:"summary"`
	AITitle     string `json:"aiTitle"`
	CustomTitle string `json:"customTitle"`
	Message     struct {
		ID      string          `json:"id"`
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Attachment struct {
		Type   string          `json:"type"`
		Mode   string          `json:"commandMode"`
		Meta   bool            `json:"isMeta"`
		Prompt json.RawMessage `json:"prompt"`
	} `json:"attachment"`
}

// said returns whose words a line holds and the words; none where it is of
// another kind.
func (l *claudeLine) said() (role, text string, err error) {
	if l.Sidechain || l.Meta || l.Compacted || l.Shown || l.Failed || l.Message.Model == "<synthetic>" {
		return "", "", nil
	}
	switch {
	case l.Type == User || l.Type == Assistant:
		text, err = content(l.Message.Content, "text")
		return l.Type, text, err
	// What the user wrote while the agent was at work.
	case l.Type == "attachment" && l.Attachment.Type == "queued_command" && !l.Attachment.Meta && (l.Attachment.Mode == "" || l.Attachment.Mode == "prompt"):
		text, err = content(l.Attachment.Prompt, "text")
		return User, text, err
	}
	return "", "", nil
}

// claudeKinds are parts that a line has if it is one that is read. Most of a file
// are others, and long.
var claudeKinds = [][]byte{[]byte(`"user"`), []byte(`"assistant"`), []byte(`"queued_command"`), []byte(`-title"`), []byte(`"summary"`)}

func claudeHead(ref *Ref, head []byte, whole bool) (bool, error) {
	said, side, sound := false, false, len(head) == 0
	for len(head) > 0 && (ref.Title == "" || ref.Dir == "") {
		line, rest, ended := bytes.Cut(head, []byte("\n"))
		head = rest
		sound = sound || len(line) > 0 && line[0] == '{'
		if !ended && !whole {
			break
		}
		if !hasAny(line, claudeKinds) {
			continue
		}
		var l claudeLine
		if json.Unmarshal(line, &l) != nil {
			said = true // it may have been: who reads it is told
			continue
		}
		ref.Dir = cmp.Or(ref.Dir, l.CWD)
		ref.Title = title(l.CustomTitle + l.AITitle + l.Summary)
		side = side || l.Sidechain
		role, text, err := l.said()
		said = said || role != "" && err == nil
		if role == User && ref.Title == "" {
			ref.Title = title(text)
		}
	}
	if !sound {
		return false, errNotJSON
	}
	// A file without a word is one of notes about sessions, or of a sub-agent.
	return said || !whole && !side, nil
}

func readClaude(ctx context.Context, s *Session, r io.Reader) error {
	b := builder{s: s}
	var titles struct{ custom, ai, summary string }
	var created time.Time
	seen := map[string]bool{} // lines that are kept, for a session that is resumed repeats them
	last := ""                // message of the assistant
	long, err := eachLine(ctx, r, func(line []byte) {
		if line[0] != '{' || line[len(line)-1] != '}' {
			s.Skipped++
			return
		}
		if !hasAny(line, claudeKinds) {
			return
		}
		var l claudeLine
		if json.Unmarshal(line, &l) != nil {
			s.Skipped++
			return
		}
		s.Dir = cmp.Or(s.Dir, l.CWD)
		switch l.Type {
		case "custom-title":
			titles.custom = l.CustomTitle
		case "ai-title":
			titles.ai = l.AITitle
		case "summary":
			titles.summary = l.Summary
		}
		if l.Type == User && !l.Sidechain {
			b.hearPieces(l.Message.Content)
		}
		role, text, err := l.said()
		if err != nil {
			s.Skipped++
		}
		if role == "" || err != nil || text == "" || l.UUID != "" && seen[l.UUID] {
			return
		}
		seen[l.UUID] = true
		at := stamp(l.Timestamp)
		if created.IsZero() {
			created = at
		}
		if role == Assistant && l.Message.ID != "" && l.Message.ID == last {
			b.extend(text)
			return
		}
		n := len(s.Turns)
		if b.add(role, text, at); len(s.Turns) > n {
			last = ""
			if role == Assistant {
				last = l.Message.ID
			}
		}
	})
	s.Skipped += long
	name := titles.custom
	for _, t := range []string{titles.ai, titles.summary} {
		name = cmp.Or(name, t)
	}
	b.finish(name, created)
	return err
}
