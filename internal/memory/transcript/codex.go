package transcript

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// Codex keeps a session in sessions/YYYY/MM/DD/rollout-TIME-SESSION.jsonl, or in
// archived_sessions/, and may compress it there. A message is there twice: as the item that went to or came
// from the model, and as the event that was shown to the user. The items hold more
// than was said, such as instructions, surroundings and summaries, so the events
// count where there are any.

func newCodex(dir string) Source {
	return &files{format: format{agent: "codex", id: codexID, head: codexHead, read: readCodex,
		roots: []top{{filepath.Join(dir, "sessions"), 3}, {filepath.Join(dir, "archived_sessions"), 0}}}}
}

var rollout = lazy.Regexp(`^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([0-9A-Za-z-]{8,64})\.jsonl(?:\.zst)?$`)

func codexID(_, name string) (id string, ok bool) {
	m := rollout.FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	return m[1], true
}

type codexLine struct {
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
	// Before lines had payloads, an item was a line of its own.
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type codexPayload struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Kind    string          `json:"kind"`
	Message string          `json:"message"`
	Content json.RawMessage `json:"content"`
	Turns   int             `json:"num_turns"`
	Item    struct {
		Type    string          `json:"type"`
		Content json.RawMessage `json:"content"`
	} `json:"item"`
}

// A word is a message as a line has it.
type spoken struct {
	role, text string
	event      string    // the type of the event; empty for an item
	undo       int       // it is none, but takes back so many of the user's
	at         time.Time // when
}

// wordSize is about what a word takes beside its text: a file that was compressed may
// hold millions of empty ones.
const wordSize = 96

// parseCodex returns what a line says, if it says something.
func parseCodex(line []byte) (w spoken, ok bool, err error) {
	var l codexLine
	if err := json.Unmarshal(line, &l); err != nil {
		return w, false, err
	}
	w.at = stamp(l.Timestamp)
	var p codexPayload
	switch l.Type {
	case "message":
		p = codexPayload{Type: l.Type, Role: l.Role, Content: l.Content}
	case "response_item", "event_msg":
		if err := json.Unmarshal(l.Payload, &p); err != nil {
			return w, false, err
		}
	default:
		return w, false, nil
	}
	switch {
	case p.Type == "message" && l.Type != "event_msg" && (p.Role == User || p.Role == Assistant):
		w.role = p.Role
		w.text, err = content(p.Content, "input_text", "output_text", "text")
	case l.Type != "event_msg":
		return w, false, nil
	case p.Type == "user_message" && (p.Kind == "" || p.Kind == "plain"):
		w.role, w.text, w.event = User, p.Message, p.Type
	case p.Type == "agent_message":
		w.role, w.text, w.event = Assistant, p.Message, p.Type
	case p.Type == "item_completed" && (p.Item.Type == "UserMessage" || p.Item.Type == "AgentMessage"):
		w.role, w.event = User, p.Type
		if p.Item.Type == "AgentMessage" {
			w.role = Assistant
		}
		w.text, err = content(p.Item.Content, "text", "Text")
	case p.Type == "thread_rolled_back" && p.Turns > 0:
		w.undo = p.Turns
	default:
		return w, false, nil
	}
	return w, err == nil, err
}

// codexKinds are parts that a line has if it may say something.
var codexKinds = [][]byte{[]byte(`"message"`), []byte(`_message"`), []byte(`Message"`), []byte(`"thread_rolled_back"`)}

// A meta is the first line of a session.
type meta struct {
	cwd, created string
	helper       bool // it is a sub-agent's
}

// readMeta reads the first line as far as it is there; its instructions are long.
func readMeta(line []byte) (m meta) {
	dec := json.NewDecoder(bytes.NewReader(line))
	kind := ""
	var fields func(key string) error
	fields = func(key string) error {
		var value json.RawMessage
		if key == "payload" {
			m = meta{}
			return cmp.Or(members(dec, fields), io.EOF)
		}
		if err := dec.Decode(&value); err != nil {
			return err
		}
		switch key {
		case "type":
			kind = word(value)
		case "cwd":
			m.cwd = word(value)
		case "timestamp":
			m.created = word(value)
		case "source": // the name of a program, or an object with one key
			var of map[string]json.RawMessage
			_ = json.Unmarshal(value, &of) // a name has no keys
			for name := range of {
				value = json.RawMessage(strconv.Quote(name))
			}
			fallthrough
		case "thread_source":
			m.helper = m.helper || word(value) == "subagent"
		}
		return nil
	}
	_ = members(dec, fields)                  // what is cut off says nothing more
	if kind != "" && kind != "session_meta" { // before lines had types there was none
		return meta{}
	}
	return m
}

func codexHead(ref *Ref, head []byte, whole bool) (bool, error) {
	if len(head) > 0 && head[0] != '{' {
		return false, errNotJSON
	}
	first := true
	fallback := ""
	for len(head) > 0 && ref.Title == "" {
		line, rest, ended := bytes.Cut(head, []byte("\n"))
		head = rest
		if first {
			m := readMeta(line)
			if m.helper {
				return false, nil
			}
			ref.Dir = m.cwd
			first = false
			continue
		}
		if !ended && !whole {
			break
		}
		if !hasAny(line, codexKinds) {
			continue
		}
		switch w, ok, _ := parseCodex(line); {
		case !ok || w.role != User:
		case w.event != "":
			ref.Title = title(w.text)
		case fallback == "":
			fallback = title(w.text)
		}
	}
	ref.Title = cmp.Or(ref.Title, fallback)
	return true, nil
}

func readCodex(ctx context.Context, s *Session, r io.Reader) error {
	b := builder{s: s}
	var words []spoken
	events := map[string]bool{} // roles that are in events
	size := 0
	created := time.Time{}
	first := true
	long, err := eachLine(ctx, r, func(line []byte) {
		if line[0] != '{' || line[len(line)-1] != '}' {
			s.Skipped++
			return
		}
		if first {
			m := readMeta(line)
			s.Dir, created = m.cwd, stamp(m.created)
			if first = false; m != (meta{}) {
				return
			}
		}
		if bytes.Contains(line, []byte(`_call_output"`)) {
			var l struct {
				Payload struct {
					Output json.RawMessage `json:"output"`
				} `json:"payload"`
			}
			if json.Unmarshal(line, &l) == nil {
				b.hearValue(l.Payload.Output)
			}
		}
		if !hasAny(line, codexKinds) {
			return
		}
		w, ok, err := parseCodex(line)
		if err != nil {
			s.Skipped++
		}
		if !ok || w.text == "" && w.undo == 0 {
			return
		}
		if size += len(w.text) + wordSize; size > 2*maxSession {
			s.Skipped++
			return
		}
		events[w.role] = events[w.role] || w.event != ""
		words = append(words, w)
	})
	s.Skipped += long
	for _, w := range choose(words, events) {
		b.add(w.role, w.text, w.at)
	}
	b.finish("", created)
	return err
}

// choose returns each message once, and none that was taken back.
func choose(words []spoken, events map[string]bool) (out []spoken) {
	var users []int // where in out the user speaks
	for _, w := range words {
		switch {
		case w.undo > 0:
			if n := max(0, len(users)-w.undo); n < len(users) {
				out, users = out[:users[n]], users[:n]
			}
		case (w.event != "") != events[w.role]:
		// Versions differ in their events, and some wrote both.
		case len(out) > 0 && out[len(out)-1].role == w.role && out[len(out)-1].text == w.text && out[len(out)-1].event != w.event:
		default:
			if w.role == User {
				users = append(users, len(out))
			}
			out = append(out, w)
		}
	}
	return out
}
