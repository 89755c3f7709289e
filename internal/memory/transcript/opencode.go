package transcript

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/work"
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
	err = o.database(ctx, func(d *database) error {
		refs, skipped, err = d.list(ctx, all)
		return err
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil, skipped, ctx.Err()
		}
		skipped++
		refs = nil
		work.FromContext(ctx).Note("OpenCode's database cannot be read: %v", err)
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
	if !valid(ref.ID) {
		return nil, missing(o.Agent(), ref.ID)
	}
	var s *Session
	broken := o.database(ctx, func(d *database) (err error) {
		s, err = d.read(ctx, ref.ID)
		return err
	})
	if broken == nil && s != nil {
		return s, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s, err := o.readStorage(ctx, ref.ID)
	if isMissing(err) && broken != nil {
		return nil, unreadable(o.Agent(), ref.ID, broken)
	}
	return s, err
}

func (o *openCode) Watch() []string {
	out := (&stored{path: o.db}).watched()
	if o.storage != "" {
		top := filepath.Join(o.storage, "session")
		out = append(out, top)
		list, err := safe.ReadDir(top)
		for _, e := range list[:min(len(list), maxWatched)] {
			if err == nil && e.IsDir() {
				out = append(out, filepath.Join(top, e.Name()))
			}
		}
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
