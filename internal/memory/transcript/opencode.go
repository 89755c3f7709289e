package transcript

import (
	"context"
	"encoding/json"
)

// OpenCode keeps its sessions in a SQLite database since version 1.2, and before
// in a folder of JSON files, which it leaves where it is. A session that is in both
// is read from the database, where it goes on.
type openCode struct {
	db      string // the file
	storage string // the folder
}

func (o *openCode) Agent() string { return "opencode" }

func (o *openCode) List(ctx context.Context) (refs []Ref, skipped int, err error) {
	all := map[string]bool{} // in the database, those of sub-agents too
	if refs, skipped, err = o.database(all).List(ctx); err != nil {
		return nil, skipped, err
	}
	more, n, err := o.listStorage(ctx, all)
	if err != nil {
		return nil, skipped + n, err
	}
	refs = append(refs, more...)
	newestFirst(refs)
	return refs, skipped + n, nil
}

func (o *openCode) Read(ctx context.Context, ref Ref) (*Session, error) {
	s, broken := o.database(nil).Read(ctx, ref)
	if broken == nil || ctx.Err() != nil || !valid(ref.ID) {
		return s, broken
	}
	s, err := o.readStorage(ctx, ref.ID)
	if isMissing(err) {
		err = broken
	}
	return s, err
}

func (o *openCode) Watch() []string {
	out := o.database(nil).Watch()
	if o.storage != "" {
		out = append(out, o.sessions().Watch()...)
	}
	return out
}

// What the database and the files have in common.
type (
	openCodeMessage struct {
		Role    string          `json:"role"`
		Summary json.RawMessage `json:"summary"` // true: the message is a summary. Of the user's it is an object
		Mode    string          `json:"mode"`
		Time    struct {
			Created int64 `json:"created"`
		} `json:"time"`
	}
	openCodePart struct {
		Type      string `json:"type"`
		Text      string `json:"text"`
		Synthetic bool   `json:"synthetic"` // written by the program in the user's name
		Ignored   bool   `json:"ignored"`   // shown, and not part of the conversation
		State     struct {
			Output string `json:"output"`
		} `json:"state"` // of a tool
	}
)

// counts reports whether a message is one of the two that are read.
func (m *openCodeMessage) counts() bool {
	return (m.Role == User || m.Role == Assistant) && string(m.Summary) != "true" && !(m.Role == Assistant && m.Mode == "compaction")
}

// text returns the text of a part, "" where it has none that counts.
func (p *openCodePart) text() string {
	if p.Type != "text" || p.Synthetic || p.Ignored {
		return ""
	}
	return p.Text
}

// takenBack reports whether a message is one of those that the user took back,
// from a message or a part of it on. IDs grow with time.
func takenBack(id, message, part string) bool {
	return message != "" && (id > message || id == message && part == "")
}
