package vault

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/memory/transcript"
)

// seenFiles is where it is kept which files of the agents hold sessions. It has another name
// whenever another rule says so.
const seenFiles = "session files 1"

// listSessions lists the sessions of all agents.
func (s *syncer) listSessions(ctx context.Context, f *found) {
	forgot, err := s.m.forgotten(ctx)
	if err != nil { // nobody knows which ones may be indexed
		s.r.Skipped["unreadable "+forgottenFile]++
		for _, src := range s.m.cfg.Sources {
			f.blind[src.Agent()] = true
		}
		return
	}
	f.forgot = forgot
	// What cannot be read is not known: then all files are opened.
	known, _ := meta(ctx, s.h, seenFiles)
	old := transcript.ParseSeen(known)
	f.seen = transcript.Seen{}
	h := sha256.New()
	for _, src := range s.m.cfg.Sources {
		refs, skipped, err := transcript.ListSeen(ctx, src, old, f.seen)
		if err != nil || skipped > 0 {
			f.blind[src.Agent()] = true
			s.r.Skipped["unreadable session folder"] += skipped
		}
		for _, ref := range refs {
			if f.forgot[ref.Agent+"/"+ref.ID] {
				continue
			}
			f.refs = append(f.refs, ref)
			fmt.Fprintf(h, "%s\x00%s\x00%s\x00", ref.Agent, ref.ID, ref.Stamp)
		}
	}
	s.r.Sessions = len(f.refs)
	if len(f.blind) == 0 { // else what is missing may come back without a sign
		f.refsSum = hex.EncodeToString(h.Sum(nil)[:16])
	}
}

// sessions brings the agents' sessions up to date, the newest first.
func (s *syncer) sessions(ctx context.Context, f *found) error {
	if s.opt.NotesOnly {
		return nil
	}
	have, err := s.h.manifest(ctx, sessions)
	if err != nil {
		return err
	}
	here := map[string]bool{}
	var differ []transcript.Ref
	for _, ref := range f.refs {
		path := sessionPath(ref.Agent, ref.ID)
		if here[path] {
			continue
		}
		here[path] = true
		if x, ok := have[path]; !ok || x.stamp != ref.Stamp || len(x.hash) == 0 {
			differ = append(differ, ref)
		}
	}
	err = s.h.file(ctx, s.m.embedder(), func(w *filer) error {
		for path := range have {
			agent, id, _ := strings.Cut(strings.TrimPrefix(path, sessionPrefix), "/")
			if here[path] || f.blind[agent] && !f.forgot[agent+"/"+id] {
				continue
			}
			if err := w.drop(path, sessions); err != nil {
				return err
			}
			s.r.Removed++
		}
		return nil
	})
	if err != nil {
		return err
	}
	stale := s.r.Stale
	if err := s.each(ctx, "sessions", len(differ), func(i int) (*filed, error) {
		return s.readSession(ctx, differ[i], have[sessionPath(differ[i].Agent, differ[i].ID)])
	}); err != nil {
		return err
	}
	if s.r.Stale > stale {
		return nil
	}
	return s.h.write(ctx, func(tx *sql.Tx, _ int64) error {
		if err := setMeta(ctx, tx, seenFiles, f.seen.String()); err != nil {
			return err
		}
		return setMeta(ctx, tx, "sessions", f.refsSum)
	})
}

func (s *syncer) readSession(ctx context.Context, ref transcript.Ref, have manifest) (*filed, error) {
	for _, src := range s.m.cfg.Sources {
		if src.Agent() != ref.Agent {
			continue
		}
		session, err := src.Read(ctx, ref)
		if err == nil {
			return s.m.filedSession(session, have.hash), nil
		}
		s.skip("unreadable session")
	}
	return nil, ctx.Err() // as a note that cannot be read
}

// filedSession takes a transcript apart.
func (m *Memory) filedSession(session *transcript.Session, hash []byte) *filed {
	clean, _ := Clean([]byte(session.Text()))
	f := &filed{kind: sessions, path: sessionPath(session.Agent, session.ID), stamp: session.Stamp}
	sum := sha256.Sum256(clean)
	if bytes.Equal(sum[:16], hash) {
		return f
	}
	at := session.Updated
	if at.IsZero() {
		at = session.Created
	}
	title, _ := Clean([]byte(session.Title))
	p := page{title: string(title), category: sessionsDir, project: m.Project(session.Dir), created: at, day: dayOf(at), hash: sum[:16]}
	if len(session.Turns) > 0 {
		lines := strings.Split(strings.TrimSuffix(string(clean), "\n"), "\n")
		for i, l := range lines { // a heading in an answer is none of the session
			if strings.HasPrefix(l, "#") {
				lines[i] = " " + l
			}
		}
		p.windows = sessionWindows(lines, m.cfg.ChunkTokens, max(m.cfg.OverlapTokens, 0))
	}
	f.page = p
	m.embedLocal(f)
	return f
}
