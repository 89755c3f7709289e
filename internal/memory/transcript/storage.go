package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// The files of OpenCode before version 1.2: session/PROJECT/SESSION.json,
// message/SESSION/MESSAGE.json and part/MESSAGE/PART.json.

type storedSession struct {
	Title     string `json:"title"`
	Directory string `json:"directory"`
	ParentID  string `json:"parentID"`
	Time      struct {
		Created int64 `json:"created"`
		Updated int64 `json:"updated"`
	} `json:"time"`
	Revert struct {
		Message string `json:"messageID"`
		Part    string `json:"partID"`
	} `json:"revert"`
}

// jsonNames returns the names of the files of JSON in a folder, without their
// ending, in order.
func jsonNames(dir *os.Root) (names []string, skipped int) {
	list, err := entries(dir)
	if err != nil {
		skipped++
	}
	for _, e := range list {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		switch {
		case !ok:
		case valid(name):
			names = append(names, name)
		default:
			skipped++
		}
	}
	slices.Sort(names)
	return names, skipped
}

// load reads a file of JSON.
func load(dir *os.Root, name string, into any) (fs.FileInfo, error) {
	f, info, err := regular(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > maxLine {
		return nil, fmt.Errorf("%s is too long", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxLine))
	if err != nil {
		return nil, err
	}
	return info, json.Unmarshal(data, into)
}

// sub opens a folder, nil where there is none.
func sub(dir *os.Root, name string) (*os.Root, error) {
	d, err := dir.OpenRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return d, err
}

// sessions are the files of sessions, in a folder for each project.
func (o *openCode) sessions() *files {
	if o.storage == "" {
		return &files{}
	}
	return &files{format: format{roots: []top{{filepath.Join(o.storage, "session"), 1}},
		id: func(_, name string) (string, bool) { return strings.CutSuffix(name, ".json") }}}
}

func (o *openCode) listStorage(ctx context.Context, known map[string]bool) (refs []Ref, skipped int, err error) {
	skipped, err = o.sessions().walk(ctx, func(project *os.Root, at place, id string) error {
		if known[id] {
			return ctx.Err()
		}
		if !valid(id) {
			return fs.ErrInvalid
		}
		var s storedSession
		info, err := load(project, at.name, &s)
		if err != nil {
			return err
		}
		known[id] = true
		if s.ParentID == "" {
			refs = append(refs, storedRef(id, &s, info))
		}
		return ctx.Err()
	})
	return refs, skipped, err
}

func storedRef(id string, s *storedSession, info fs.FileInfo) Ref {
	r := openCodeRef(id, s.Title, s.Directory, s.Time.Updated)
	if r.Updated.IsZero() {
		r.Updated = info.ModTime().UTC()
	}
	r.Stamp += fmt.Sprintf("-%d", info.ModTime().UnixNano())
	return r
}

func (o *openCode) readStorage(ctx context.Context, id string) (*Session, error) {
	var stored storedSession
	var info fs.FileInfo
	var broken error
	if _, err := o.sessions().walk(ctx, func(project *os.Root, at place, name string) error {
		if name != id || info != nil {
			return ctx.Err()
		}
		i, err := load(project, at.name, &stored)
		if err == nil {
			info = i
		} else {
			broken = err
		}
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	if info == nil {
		if broken != nil {
			return nil, unreadable(o.Agent(), id, broken)
		}
		return nil, missing(o.Agent(), id)
	}
	s := &Session{Ref: storedRef(id, &stored, info)}
	b := builder{s: s}
	root, err := openRoot(o.storage)
	if err != nil {
		return nil, unreadable(o.Agent(), id, err)
	}
	defer root.Close()
	if err := storedMessages(ctx, root, &b, &stored); err != nil {
		return nil, err
	}
	return b.finish(stored.Title, milli(stored.Time.Created)), nil
}

// storedMessages adds the messages of a session. The error is ctx's.
func storedMessages(ctx context.Context, root *os.Root, b *builder, stored *storedSession) error {
	s := b.s
	dir, err := sub(root, "message/"+s.ID)
	if err != nil {
		s.Skipped++
	}
	if dir == nil {
		return nil
	}
	defer dir.Close()
	names, bad := jsonNames(dir)
	s.Skipped += bad
	type message struct {
		id string
		heard
	}
	var messages []message
	for _, id := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		var m openCodeMessage
		if _, err := load(dir, id+".json", &m); err != nil {
			s.Skipped++
			continue
		}
		from := stored.Revert
		if m.counts() && !takenBack(id, from.Message, from.Part) {
			messages = append(messages, message{id, heard{m.Role, milli(m.Time.Created)}})
		}
	}
	sorting.Stable(messages, func(a, b message) int { return a.at.Compare(b.at) })
	for _, m := range messages {
		if err := storedParts(ctx, root, b, m.id, m.heard); err != nil {
			return err
		}
	}
	return nil
}

func storedParts(ctx context.Context, root *os.Root, b *builder, message string, of heard) error {
	dir, err := sub(root, "part/"+message)
	if err != nil {
		b.s.Skipped++
	}
	if dir == nil {
		return nil
	}
	defer dir.Close()
	names, bad := jsonNames(dir)
	b.s.Skipped += bad
	g := gatherer{b: b}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		var part json.RawMessage
		if _, err := load(dir, name+".json", &part); err != nil {
			b.s.Skipped++
			continue
		}
		g.part(message, of, part)
	}
	g.flush()
	return nil
}
