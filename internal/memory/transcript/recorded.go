package transcript

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
)

// Gemini CLI keeps a session in tmp/PROJECT/chats/session-TIME-ID.jsonl, and before 2026 in
// one object of that name with .json: messages of which each may be written again, marks
// that take some back, and patches of what is said of the whole. PROJECT has a file that
// says which folder it is.
//
// Copilot CLI keeps the events of a session in session-state/SESSION/events.jsonl.
//
// Cline, since version 4, keeps a session in data/sessions/SESSION/SESSION.messages.json,
// of which it says that others may read it (messages-contract-v1), and beside it in
// SESSION.json where it was. What its extension kept before is no such contract and is not read.

func newGemini(dir string) Source {
	return &files{format: format{agent: "gemini", roots: []top{{filepath.Join(dir, "tmp"), 2}}, id: geminiID, head: geminiHead, read: readGemini, project: geminiProject}}
}

func newCopilot(dir string) Source {
	return &files{format: format{agent: "copilot", roots: []top{{filepath.Join(dir, "session-state"), 1}},
		id: func(dir, name string) (string, bool) {
			id := filepath.Base(dir)
			return id, name == "events.jsonl" && valid(id)
		},
		head: copilotHead, read: readCopilot}}
}

func newCline(dir string) Source {
	return &files{format: format{agent: "cline", roots: []top{{dir, 1}},
		id: func(dir, name string) (string, bool) {
			id, ok := strings.CutSuffix(name, ".messages.json")
			return id, ok && valid(id) && id == filepath.Base(dir)
		},
		head: clineHead, read: readCline, project: clineProject}}
}

// A thread is a conversation of which messages may be written again or taken back.
type thread struct {
	b    builder
	all  []threadTurn
	at   map[string]int // by ID
	size int
}

type threadTurn struct {
	id, role, text string
	at             time.Time
}

func newThread(s *Session) *thread { return &thread{b: builder{s: s}, at: map[string]int{}} }

// put adds a message, or writes the one of its ID again.
func (t *thread) put(x threadTurn) {
	x.text = x.text[:min(len(x.text), maxRaw+1)]
	i, known := t.at[x.id]
	known = known && x.id != ""
	if known {
		t.size -= len(t.all[i].text)
	}
	if t.size+len(x.text) > maxSession {
		t.b.s.Skipped++
		return
	}
	t.size += len(x.text)
	if known {
		t.all[i] = x
		return
	}
	t.at[x.id] = len(t.all)
	t.all = append(t.all, x)
}

// rewind takes a message back, and those after it.
func (t *thread) rewind(id string) {
	i, known := t.at[id]
	if !known {
		i = 0 // as its agent does
	}
	for _, x := range t.all[i:] {
		t.size -= len(x.text)
		delete(t.at, x.id)
	}
	t.all = t.all[:i]
}

func (t *thread) finish(name string, created time.Time) {
	for _, x := range t.all {
		if x.role == User || x.role == Assistant {
			t.b.add(x.role, x.text, x.at)
		}
	}
	t.b.finish(name, created)
}

func geminiID(dir, name string) (string, bool) {
	id, ok := strings.CutPrefix(name, "session-")
	if id, found := strings.CutSuffix(id, ".jsonl"); found {
		return id, ok && valid(id) && filepath.Base(dir) == "chats"
	}
	id, found := strings.CutSuffix(id, ".json")
	return id, ok && found && valid(id) && filepath.Base(dir) == "chats"
}

// geminiProject reads which folder the sessions of a project are of.
func geminiProject(root *os.Root, dir string) string {
	f, err := safe.OpenIn(root, path.Join(filepath.ToSlash(filepath.Dir(dir)), ".project_root"))
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 4<<10))
	if at := strings.TrimSpace(string(b)); err == nil && filepath.IsAbs(at) && !strings.ContainsAny(at, "\x00\n") {
		return at
	}
	return ""
}

// clineProject reads where a session was.
func clineProject(root *os.Root, dir string) string {
	id := filepath.Base(dir)
	f, err := safe.OpenIn(root, path.Join(filepath.ToSlash(dir), id+".json"))
	if err != nil {
		return ""
	}
	defer f.Close()
	var about struct {
		Version   int    `json:"version"`
		CWD       string `json:"cwd"`
		Workspace string `json:"workspace_root"`
	}
	b, err := io.ReadAll(io.LimitReader(f, maxAbout))
	if err != nil || json.Unmarshal(b, &about) != nil || about.Version != 1 {
		return ""
	}
	for _, at := range [...]string{about.CWD, about.Workspace} {
		if filepath.IsAbs(at) && !strings.ContainsAny(at, "\x00\n") {
			return at
		}
	}
	return ""
}

// maxAbout is the size of what is read of a file about a session: its prompt is in it.
const maxAbout = 1 << 20

// A geminiRecord is a line of a session: what is said of the whole, a message, a patch, or
// what is taken back.
type geminiRecord struct {
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	Shown     json.RawMessage `json:"displayContent"` // what the user wrote, where Content is more
	Rewind    string          `json:"$rewindTo"`
	ToolCalls []struct {
		Result json.RawMessage `json:"result"`
	} `json:"toolCalls"`
	Set *geminiWhole `json:"$set"`
	geminiWhole
}

type geminiWhole struct {
	Kind        string         `json:"kind"`
	Start       string         `json:"startTime"`
	Summary     string         `json:"summary"`
	Directories []string       `json:"directories"`
	Messages    []geminiRecord `json:"messages"`
}

func geminiHead(_ *Ref, head []byte, whole bool) (bool, error) {
	if len(head) > 0 && head[0] != '{' {
		return false, errNotJSON
	}
	kind := ""
	dec := json.NewDecoder(bytes.NewReader(head))
	_ = members(dec, func(key string) error {
		switch key {
		case "kind":
			return cmp.Or(dec.Decode(&kind), io.EOF)
		case "messages": // what follows those may be far away
			return io.EOF
		}
		return dec.Decode(&json.RawMessage{})
	})
	return kind != "subagent" && (!whole || bytes.Contains(head, []byte(`"user"`))), nil
}

func readGemini(ctx context.Context, s *Session, r io.Reader) error {
	t := newThread(s)
	var about geminiWhole
	message := func(m *geminiRecord, again bool) {
		role := map[string]string{"user": User, "gemini": Assistant}[m.Type]
		if _, known := t.at[m.ID]; again && known {
			return // the model is told it again; it was said before
		}
		for _, c := range m.ToolCalls {
			t.b.hearValue(c.Result)
		}
		text, err := content(m.Content)
		if shown, e := content(m.Shown); e == nil && shown != "" && role == User {
			text, err = shown, nil
		}
		if err != nil {
			s.Skipped++
			return
		}
		if role == User {
			text = without(text, "--- Content from referenced files ---", "--- End of content ---")
		}
		t.put(threadTurn{m.ID, role, text, stamp(m.Timestamp)}) // what is no turn may be where one rewinds to
	}
	add := func(w *geminiWhole) {
		if w.Start != "" {
			about.Start = w.Start
		}
		if w.Summary != "" {
			about.Summary = w.Summary
		}
		if s.Dir == "" && len(w.Directories) > 0 && filepath.IsAbs(w.Directories[0]) {
			s.Dir = w.Directories[0]
		}
		for i := range w.Messages {
			message(&w.Messages[i], true)
		}
	}
	one := func(line []byte) {
		var m geminiRecord
		switch {
		case json.Unmarshal(line, &m) != nil:
			s.Skipped++
		case m.Rewind != "":
			t.rewind(m.Rewind)
		case m.Set != nil:
			add(m.Set)
		case m.Type != "":
			message(&m, false)
		default:
			add(&m.geminiWhole)
		}
	}
	in := &peeked{r: r}
	var err error
	if in.document() {
		var all []byte
		if all, err = file.ReadUpTo(in, maxSession); err == nil {
			one(all)
		}
	} else {
		var long int
		long, err = eachLine(ctx, in, one)
		s.Skipped += long
	}
	t.finish(about.Summary, stamp(about.Start))
	return err
}

// peeked looks at the beginning of a stream before it is read.
type peeked struct {
	head []byte
	r    io.Reader
}

func (p *peeked) Read(b []byte) (int, error) {
	if len(p.head) > 0 {
		n := copy(b, p.head)
		p.head = p.head[n:]
		return n, nil
	}
	return p.r.Read(b)
}

// document reports whether the stream is one object on lines of its own, and not an object
// on each line.
func (p *peeked) document() bool {
	p.head = make([]byte, 64)
	n, _ := io.ReadFull(p.r, p.head) // what is short is read all the same
	p.head = p.head[:n]
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(p.head), []byte("{"))
	return ok && len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r')
}

type copilotEvent struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	Timestamp string `json:"timestamp"`
	Agent     string `json:"agentId"`
	Ephemeral bool   `json:"ephemeral"`
	Data      struct {
		Content   json.RawMessage `json:"content"`
		Result    json.RawMessage `json:"result"`
		MessageID string          `json:"messageId"`
		Source    string          `json:"source"`
		Autopilot bool            `json:"isAutopilotContinuation"`
		Start     string          `json:"startTime"`
		Context   struct {
			CWD string `json:"cwd"`
		} `json:"context"`
	} `json:"data"`
}

var copilotKinds = [][]byte{[]byte(`"user.message"`), []byte(`"assistant.message"`), []byte(`"session.start"`), []byte(`"tool.execution_complete"`)}

func copilotHead(ref *Ref, head []byte, whole bool) (bool, error) {
	if len(head) > 0 && head[0] != '{' {
		return false, errNotJSON
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	var e copilotEvent
	if json.Unmarshal(first, &e) == nil {
		ref.Dir = e.Data.Context.CWD
	}
	return !whole || bytes.Contains(head, copilotKinds[0]), nil
}

func readCopilot(ctx context.Context, s *Session, r io.Reader) error {
	t := newThread(s)
	var created time.Time
	long, err := eachLine(ctx, r, func(line []byte) {
		if !hasAny(line, copilotKinds) {
			return // most lines are what tools do
		}
		var e copilotEvent
		if json.Unmarshal(line, &e) != nil {
			s.Skipped++
			return
		}
		role := map[string]string{"user.message": User, "assistant.message": Assistant}[e.Type]
		switch {
		case e.Type == "session.start":
			created = stamp(e.Data.Start)
			s.Dir = cmp.Or(s.Dir, e.Data.Context.CWD)
		case e.Type == "tool.execution_complete":
			t.b.hearValue(e.Data.Result)
		case role == "" || e.Agent != "" || e.Ephemeral:
		case role == User && (e.Data.Autopilot || strings.HasPrefix(e.Data.Source, "skill-")): // nobody said it
		default:
			id := cmp.Or(e.Data.MessageID, e.ID)
			t.put(threadTurn{id, role, word(bytes.TrimSpace(e.Data.Content)), stamp(e.Timestamp)})
		}
	})
	s.Skipped += long
	t.finish("", created)
	return err
}

func clineHead(_ *Ref, head []byte, whole bool) (bool, error) {
	if len(head) > 0 && head[0] != '{' {
		return false, errNotJSON
	}
	return !whole || bytes.Contains(head, []byte(`"user"`)), nil
}

// clineWrap is what Cline puts around what the user wrote.
var clineWrap = lazy.Regexp(`</?user_(?:input|command)(?: [^>\n]{0,200})?>`)

func readCline(ctx context.Context, s *Session, r io.Reader) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := file.ReadUpTo(r, 4*maxSession)
	if err != nil {
		return err
	}
	var all struct {
		Version  int `json:"version"`
		Messages []struct {
			ID      string          `json:"id"`
			Role    string          `json:"role"`
			TS      int64           `json:"ts"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	_ = json.Unmarshal(data, &all) // what is cut off has no version
	if all.Version != 1 {
		s.Skipped++ // its rules are others
		return nil
	}
	t := newThread(s)
	for _, m := range all.Messages {
		t.b.hearPieces(m.Content)
		text, err := content(m.Content, "text")
		if err != nil {
			s.Skipped++
			continue
		}
		if m.Role == User {
			text = clineWrap.ReplaceAllString(text, "\n")
		}
		t.put(threadTurn{m.ID, m.Role, text, milli(m.TS)})
	}
	t.finish("", time.Time{})
	return nil
}
