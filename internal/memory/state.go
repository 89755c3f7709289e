package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/memory/vault"
)

const (
	maxPayload = 16 << 20
	maxPrompt  = 2000     // bytes of a prompt that are looked at
	maxState   = 64 << 10 // bytes of what is kept of a session
)

// A payload is what an agent says of an event.
type payload struct{ session, dir, prompt string }

// parsePayload reads what the agents send, each in its own words. What is missing or
// of another kind is left empty.
func parsePayload(s string) (p payload, err error) {
	s = strings.TrimSpace(s)
	if s == "" || s == "-" {
		return p, nil
	}
	if len(s) > maxPayload {
		return p, fmt.Errorf("the payload has %d bytes", len(s))
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		return p, fmt.Errorf("the payload is not a JSON object: %v", err)
	}
	str := func(keys ...string) string {
		for _, k := range keys {
			if v, ok := m[k].(string); ok && v != "" {
				return v
			}
		}
		return ""
	}
	p.session = str("session_id", "sessionID", "sessionId", "conversation_id", "thread_id")
	if p.dir = str("cwd", "directory", "worktree"); p.dir == "" {
		if roots, _ := m["workspace_roots"].([]any); len(roots) > 0 {
			p.dir, _ = roots[0].(string)
		}
	}
	p.prompt = str("prompt", "message", "text", "title")
	if strings.ContainsAny(p.session, "\x00\n\r") || len(p.session) > 500 {
		p.session = ""
	}
	return p, nil
}

// firstOf returns the beginning of a prompt, without what is private in it.
func firstOf(prompt string) string {
	if len(prompt) > 4*maxPrompt {
		prompt = prompt[:4*maxPrompt]
	}
	clean, _ := vault.Clean([]byte(prompt))
	if len(clean) > maxPrompt {
		clean = clean[:maxPrompt]
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(clean)), "")
}

// A state is what is kept of a session between its hooks, which are processes of
// their own.
type state struct {
	Prompt string   `json:"prompt,omitempty"` // the first one
	Told   []string `json:"told,omitempty"`   // places
}

func stateName(agent, session string) string {
	sum := sha256.Sum256([]byte(session))
	return agent + "-" + hex.EncodeToString(sum[:8]) + ".json"
}

// kept reports whether a name is of the form that stateName gives.
func kept(name string) bool {
	_, sum, found := strings.Cut(name, "-")
	sum, json := strings.CutSuffix(sum, ".json")
	return found && json && len(sum) == 16 && strings.Trim(sum, "0123456789abcdef") == ""
}

// session returns what is kept of a session: nothing, where that cannot be read.
func (f *Feature) session(agent, session string) (s state) {
	if session == "" {
		return s
	}
	dir, err := safe.OpenRoot(f.cfg.StateDir)
	if err != nil {
		return s
	}
	defer dir.Close()
	b, err := dir.ReadFile(stateName(agent, session), maxState)
	if err != nil || json.Unmarshal(b, &s) != nil {
		return state{}
	}
	return s
}

func (f *Feature) keep(agent, session string, s state) error {
	if session == "" {
		return nil
	}
	if err := os.MkdirAll(f.cfg.StateDir, 0o700); err != nil {
		return err
	}
	if len(s.Told) > 100 {
		s.Told = s.Told[len(s.Told)-100:]
	}
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	dir, err := safe.OpenRoot(f.cfg.StateDir)
	if err != nil {
		return err
	}
	defer dir.Close()
	// It need not outlive a crash, and a session would wait for the disk.
	return dir.WriteLazily(stateName(agent, session), b, 0o600)
}

// prune removes what is kept of sessions that ended long ago.
func (f *Feature) prune() {
	dir, err := safe.OpenRoot(f.cfg.StateDir)
	if err != nil {
		return
	}
	defer dir.Close()
	old := func(st fs.FileInfo) bool { return f.cfg.Now().Sub(st.ModTime()) > 60*24*time.Hour }
	_ = dir.RemoveIfOld(".", old) // next time, then
	entries, err := dir.ReadDir(".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if st, err := dir.Lstat(e.Name()); err == nil && kept(e.Name()) && st.Mode().IsRegular() && old(st) {
			_ = dir.Remove(e.Name()) // next time, then
		}
	}
}

// log writes down what went wrong in a hook.
func (f *Feature) log(in HookInput, err error) {
	HookLog{f.cfg.StateDir, f.cfg.Now}.Add(in.Agent, in.Event, err)
}
