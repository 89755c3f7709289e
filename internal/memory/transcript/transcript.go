// Package transcript reads the sessions of coding agents as plain text: what the
// user said and what the agent answered, nothing of the machinery between them.
//
// It never writes to an agent's files, never reads what they hold of accounts, and
// gives out no secret that package redact knows. What is corrupt, too long or of an
// unknown form is omitted and counted; no content of a file is an error or a
// crash, and none takes more than a bounded amount of memory.
package transcript

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/redact"
)

// What a memory tool gives to an agent it puts between these two, the first at the
// start of a line, and what a brief is between those. Neither is ever read back.
const (
	RecallOpen  = "<assay-memory>"
	RecallClose = "</assay-memory>"
	BriefOpen   = "<assay-brief>"
	BriefClose  = "</assay-brief>"
)

// The roles of a Turn.
const (
	User      = "user"
	Assistant = "assistant"
	Tool      = "tool" // what an answer repeats of a tool's output
)

// A Ref names a session.
type Ref struct {
	Agent   string    // of its Source: opencode, claude, codex, gemini, copilot, cline, goose or cursor
	ID      string    // unique among those of its agent: letters, digits and ._-
	Title   string    // redacted, one line; empty where only reading the session tells it
	Dir     string    // the working directory of the session; may be empty
	Updated time.Time // when its last turn was, where it was read and says so; in a list, when it changed
	Stamp   string    // another one whenever the text may be another
}

// A Turn is what one of them said at a time, redacted.
type Turn struct {
	Role string // User, Assistant or Tool
	Text string // not empty; lines end in \n
	Time time.Time
}

// A Session is a conversation in order.
type Session struct {
	Ref
	Created time.Time
	Turns   []Turn
	Skipped int // pieces that could not be read, or were cut
}

// Text returns the session as it is searched and shown, redacted: the line
// "[Session: TITLE] [YYYY-MM-DD]" (UTC; no day where none is known), then an empty line before each turn and
// "User: " or "Assistant: " in front of it, or ToolMark on a line above it.
func (s *Session) Text() string {
	var b strings.Builder
	b.WriteString("[Session: ")
	if s.Title != "" {
		b.WriteString(s.Title)
	} else {
		b.WriteString(s.ID)
	}
	if b.WriteByte(']'); !s.Created.IsZero() {
		b.WriteString(" [" + s.Created.UTC().Format(time.DateOnly) + "]")
	}
	b.WriteByte('\n')
	for _, t := range s.Turns {
		who := "User: "
		switch t.Role {
		case Assistant:
			who = "Assistant: "
		case Tool: // it may begin with a fence
			who = ToolMark + "\n"
		}
		b.WriteString("\n" + who + spokenBy.ReplaceAllString(t.Text, "\n\n $1") + "\n")
	}
	clean, _ := redact.Text([]byte(b.String()))
	return string(clean)
}

// spokenBy is what would begin a turn within another: a quotation may not put words into the
// user's mouth.
var spokenBy = lazy.Regexp(`\n\n(User: |Assistant: |Tool:(?:\n|$))`)

// ToolMark is the line above what an answer repeats of a tool's output.
const ToolMark = "Tool:"

// A Source is where an agent keeps its sessions. It may be used concurrently.
type Source interface {
	Agent() string
	// List returns the sessions, newest first, and how many places it could not look
	// at: a session that is missing while skipped is not 0 may still exist. Sessions of
	// sub-agents are omitted. An error is ctx's.
	List(ctx context.Context) (refs []Ref, skipped int, err error)
	// Read returns the session of a Ref with that ID, as it is now. The error is a
	// fault: NotFound where there is none, Unavailable where it cannot be read; or
	// ctx's.
	Read(ctx context.Context, ref Ref) (*Session, error)
	// Watch returns the files and folders, some of which may not exist, whose change
	// means that List may have another answer. New folders make for more of them.
	Watch() []string
}

// A Config says where agents keep their sessions; a place that is empty is not
// looked at.
type Config struct {
	OpenCodeDB      string // the database, since version 1.2
	OpenCodeStorage string // the folder of JSON files, before it
	ClaudeDir       string // the folder that holds projects/
	CodexDir        string // the folder that holds sessions/
	GeminiDir       string // the folder that holds tmp/
	CopilotDir      string // the folder that holds session-state/
	ClineSessions   string // the folder of its sessions
	GooseDB         string // the database
	CursorDB        string // the database of all workspaces
}

// Defaults returns where the agents keep their sessions unless told otherwise,
// given the home folder and what env says of OPENCODE_DB, XDG_DATA_HOME,
// CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME, COPILOT_HOME, CLINE_DIR,
// CLINE_DATA_DIR, CLINE_SESSION_DATA_DIR, GOOSE_PATH_ROOT, XDG_CONFIG_HOME and APPDATA. DataHome is where the folders of OpenCode and Goose lie when XDG_DATA_HOME is not set;
// empty is HOME/.local/share, OpenCode's own choice on every system.
func Defaults(home, dataHome string, env func(string) (string, bool)) Config {
	get := func(name, otherwise string) string {
		if v, ok := env(name); ok && v != "" {
			return v
		}
		return otherwise
	}
	below := func(parts ...string) string {
		if home == "" {
			return ""
		}
		return filepath.Join(append([]string{home}, parts...)...)
	}
	dataHome = cmp.Or(dataHome, below(".local", "share"))
	c := Config{ClaudeDir: get("CLAUDE_CONFIG_DIR", below(".claude")), CodexDir: get("CODEX_HOME", below(".codex")),
		GeminiDir: below(".gemini"), CopilotDir: get("COPILOT_HOME", below(".copilot"))}
	c.ClineSessions = get("CLINE_DATA_DIR", "")
	if at := get("CLINE_DIR", below(".cline")); at != "" && c.ClineSessions == "" {
		c.ClineSessions = filepath.Join(at, "data")
	}
	if c.ClineSessions != "" {
		c.ClineSessions = filepath.Join(c.ClineSessions, "sessions")
	}
	c.ClineSessions = get("CLINE_SESSION_DATA_DIR", c.ClineSessions)
	if at := get("GEMINI_CLI_HOME", ""); at != "" {
		c.GeminiDir = filepath.Join(at, ".gemini")
	}
	if dataHome = get("XDG_DATA_HOME", dataHome); dataHome != "" {
		data := filepath.Join(dataHome, "opencode")
		c.OpenCodeStorage = filepath.Join(data, "storage")
		switch db := get("OPENCODE_DB", "opencode.db"); {
		case db == ":memory:":
		case filepath.IsAbs(db):
			c.OpenCodeDB = db
		default:
			c.OpenCodeDB = filepath.Join(data, db)
		}
		c.GooseDB = filepath.Join(dataHome, "goose", "sessions", "sessions.db")
	}
	config := get("XDG_CONFIG_HOME", below(".config"))
	if runtime.GOOS == "darwin" {
		config = below("Library", "Application Support")
	}
	if config = get("APPDATA", config); config != "" {
		c.CursorDB = filepath.Join(config, "Cursor", "User", "globalStorage", "state.vscdb")
	}
	if at := get("APPDATA", ""); at != "" { // Windows
		c.GooseDB = filepath.Join(at, "Block", "goose", "data", "sessions", "sessions.db")
	}
	if at := get("GOOSE_PATH_ROOT", ""); at != "" {
		c.GooseDB = filepath.Join(at, "data", "sessions", "sessions.db")
	}
	return c
}

// Open returns the sources of a Config. One whose place does not exist is empty,
// and stays so until it does.
func Open(c Config) []Source {
	var out []Source
	if c.OpenCodeDB != "" || c.OpenCodeStorage != "" {
		out = append(out, &openCode{db: c.OpenCodeDB, storage: c.OpenCodeStorage})
	}
	for _, agent := range []struct {
		place string
		open  func(place string) Source
	}{{c.ClaudeDir, newClaude}, {c.CodexDir, newCodex}, {c.GeminiDir, newGemini}, {c.CopilotDir, newCopilot}, {c.ClineSessions, newCline}, {c.GooseDB, newGoose}, {c.CursorDB, newCursor}} {
		if agent.place != "" {
			out = append(out, agent.open(agent.place))
		}
	}
	return out
}

// The bounds of what is held at once.
const (
	maxLine    = 8 << 20   // of a line of JSONL, a row or a JSON file
	maxRaw     = 1 << 20   // of a turn's text with what programs added; the rest is cut
	maxTurn    = 256 << 10 // of a turn's text; the rest is cut
	maxSession = 32 << 20  // of a session's text; the rest is omitted
)

// A builder puts a session together.
type builder struct {
	s     *Session
	size  int
	heard returned // nil: no tool returned anything
}

// add adds a turn, cleaned; one without text is none.
func (b *builder) add(role, text string, at time.Time) {
	whole := len(text) <= maxRaw
	text = clean(role, text[:min(len(text), maxRaw)])
	if text == "" {
		return
	}
	if len(text) > maxTurn {
		text, whole = strings.ToValidUTF8(text[:maxTurn], ""), false
	}
	if !whole {
		b.s.Skipped++
	}
	safe, _ := redact.Text([]byte(text))
	if b.size += len(safe); b.size > maxSession {
		b.s.Skipped++
		return
	}
	if role != Assistant || b.heard == nil {
		b.s.Turns = append(b.s.Turns, Turn{role, string(safe), at})
		return
	}
	for _, p := range b.heard.pieces(string(safe)) {
		if said := strings.Trim(p.text, "\n"); strings.TrimSpace(said) != "" {
			b.s.Turns = append(b.s.Turns, Turn{p.role, said, at})
		}
	}
}

// extend adds to the last turn what belongs to the same message.
func (b *builder) extend(text string) {
	s := b.s
	n := len(s.Turns)
	last := s.Turns[n-1]
	if last.Role == Tool {
		b.add(Assistant, text, last.Time)
		return
	}
	b.size -= len(last.Text)
	s.Turns = s.Turns[:n-1]
	b.add(last.Role, last.Text+"\n\n"+text, last.Time)
}

// finish gives the session what its turns say of it.
func (b *builder) finish(titleText string, created time.Time) *Session {
	s := b.s
	s.Title = title(titleText)
	for _, t := range s.Turns {
		if s.Title == "" && t.Role == User {
			s.Title = title(t.Text)
		}
		if created.IsZero() {
			created = t.Time
		}
	}
	if s.Created = created; created.IsZero() {
		s.Created = s.Updated
	}
	return s
}
