package vault

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

// Captured says what became of a session.
type Captured struct {
	Path  string // of its digest; empty: there is nothing to keep
	State string // "new", "updated", "unchanged", "edited" (by somebody: it stays so), "exists" (another digest says the same), "empty", "absent" (the agent has written nothing down) or "forgotten"
}

// Capture writes down what a session came to: one note, rewritten as the session goes on, with what was asked, decided and preferred,
// and how it ended. It uses no model: cues in the words decide.
func (m *Memory) Capture(ctx context.Context, agent, id string) (c Captured, err error) {
	if forgot, err := m.forgotten(ctx); err != nil || forgot[agent+"/"+id] {
		return Captured{State: "forgotten"}, err
	}
	s, err := m.read(ctx, agent, id)
	if errors.Is(err, errNoTranscript) { // as after a command that only lists something, or that keeps none
		return Captured{State: "absent"}, nil
	}
	if err != nil {
		return c, err
	}
	s = cleanSession(s)
	d := digest(s)
	if d == "" {
		return Captured{State: "empty"}, nil
	}
	root, err := m.root()
	if err != nil {
		return c, err
	}
	defer root.Close()
	unlock, err := m.lockStore(ctx)
	if err != nil {
		return c, err
	}
	defer unlock()
	// It may have been forgotten while it was read.
	if forgot, err := m.forgotten(ctx); err != nil || forgot[agent+"/"+id] {
		return Captured{State: "forgotten"}, err
	}
	title := cmp.Or(strings.Join(strings.Fields(s.Title), " "), firstWords(d))
	clean, _ := Clean([]byte(d))
	d = string(clean)
	have, old := m.digestOf(ctx, root, agent+"/"+id)
	started := s.Created
	for _, at := range []time.Time{s.Updated, m.cfg.Now()} {
		if started.IsZero() {
			started = at
		}
	}
	if have != "" {
		if _, body, _ := cutFront(old); bytes.Equal(bytes.TrimSpace(body), []byte(strings.TrimSpace("# "+title+"\n\n"+d))) {
			return Captured{have, "unchanged"}, nil
		}
		if edited(old) {
			return Captured{have, "edited"}, nil
		}
		err = replace(root, have, old, m.digestNote(s, title, d, started))
		if errors.Is(err, errMeanwhile) {
			return Captured{have, "edited"}, nil
		}
		c = Captured{have, "updated"}
	} else {
		if same, e := m.sameDigest(ctx, d, m.Project(s.Dir)); e == nil && same != "" {
			return Captured{same, "exists"}, nil
		}
		c.State = "new"
		c.Path, err = createAs(root, path.Join(sessionsDir, started.UTC().Format(time.DateOnly)+"-"+cmp.Or(slug(title), "session")), m.digestNote(s, title, d, started))
	}
	if err != nil {
		return c, m.unwritten(err)
	}
	return c, m.index(ctx, root, c.Path)
}

// cleanSession removes from a session what may not be kept, while it is whole: a
// sentence of it does not show any more where something private began.
func cleanSession(s *transcript.Session) *transcript.Session {
	text := func(t string) string {
		clean, _ := Clean([]byte(t))
		return string(clean)
	}
	out := *s
	out.Title, out.Turns = text(s.Title), slices.Clone(s.Turns)
	for i := range out.Turns {
		out.Turns[i].Text = text(out.Turns[i].Text)
	}
	return &out
}

var errNoTranscript = errors.New("the agent has no transcript of the session")

// read finds a session by the name that its agent gives it.
func (m *Memory) read(ctx context.Context, agent, id string) (*transcript.Session, error) {
	for _, src := range m.cfg.Sources {
		if src.Agent() != agent {
			continue
		}
		refs, _, err := src.List(ctx)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			if ref.ID == id {
				return src.Read(ctx, ref)
			}
		}
		s, err := src.Read(ctx, transcript.Ref{Agent: agent, ID: id})
		if fault.KindOf(err) == fault.NotFound {
			err = errNoTranscript
		}
		return s, err
	}
	return nil, fault.New(fault.NotFound, "no sessions of %s are known", agent).Or("the agents are opencode, claude, codex, gemini, copilot, cline, goose and cursor")
}

// digestOf returns the digest of a session and its text, "" where there is none.
func (m *Memory) digestOf(ctx context.Context, root *safe.Root, session string) (rel string, text []byte) {
	err := m.readIndex(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, "SELECT path FROM files WHERE session = ? AND kind = ?", session, notes).Scan(&rel)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err == nil && rel != "" {
		// Another file may have its name by now.
		if raw, e := readFile(root, rel); e == nil && isDigest(raw, session) {
			return rel, raw
		}
	}
	// The index may have been deleted, or be behind: the notes themselves know.
	entries, err := list(path.Join(m.cfg.Vault, sessionsDir), m.cfg.Now())
	if err != nil {
		return "", nil
	}
	for _, e := range slices.Backward(entries.entries) {
		rel := path.Join(sessionsDir, e.path)
		raw, err := readFile(root, rel)
		if err == nil && bytes.Contains(raw[:min(len(raw), maxFront)], []byte(session)) && isDigest(raw, session) {
			return rel, raw
		}
	}
	return "", nil
}

// isDigest reports whether a note says that it is the digest of a session.
func isDigest(raw []byte, session string) bool {
	head, _, _ := cutFront(raw)
	return readFront(head).session == session
}

// sameDigest returns a digest that says the same.
func (m *Memory) sameDigest(ctx context.Context, d, project string) (rel string, err error) {
	err = m.with(ctx, func(h *handle) (err error) {
		rel, err = h.duplicate(ctx, bodyHash(d), project, "")
		return err
	})
	return rel, err
}

func (m *Memory) digestNote(s *transcript.Session, title, body string, started time.Time) []byte {
	safe, _ := Clean([]byte(title))
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntype: session\ntitle: %s\ncategory: %s\ndate: %s\ncreated_at: %s\n", yamlString(string(safe)), sessionsDir,
		started.UTC().Format(time.DateOnly), started.UTC().Format(time.RFC3339))
	if !s.Updated.IsZero() {
		fmt.Fprintf(&b, "updated_at: %s\n", s.Updated.UTC().Format(time.RFC3339))
	}
	fmt.Fprintf(&b, "source: capture\nsession: %s\n", yamlString(s.Agent+"/"+s.ID))
	if p := m.Project(s.Dir); p != "" {
		fmt.Fprintf(&b, "project: %s\n", yamlString(p))
	}
	rest := fmt.Sprintf("---\n\n# %s\n\n%s", safe, body)
	fmt.Fprintf(&b, "%s%q\n", sumKey, sumOf([]byte(b.String()+rest)))
	return []byte(b.String() + rest)
}

// sumKey begins the line of a digest that says what the others were when it was written.
const sumKey = "digest: "

// edited reports whether somebody has changed a digest since it was written. One that does not say
// what it was may be a person's by now.
func edited(note []byte) bool {
	head, _, _ := cutFront(note)
	return readFront(head).digest != sumOf(note)
}

func sumOf(note []byte) string {
	_, _, body := cutFront(note)
	h, n := sha256.New(), 0
	for line := range bytes.Lines(note) {
		if n++; n >= body || !bytes.HasPrefix(line, []byte(sumKey)) {
			h.Write(bytes.TrimRight(line, "\r\n"))
			h.Write([]byte{'\n'})
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// The bounds of a digest.
const (
	maxAsked = 12
	maxCues  = 15
	maxFiles = 20
	maxSaid  = 240 // bytes of one item
)

// digest returns what a session came to, in Markdown; "" where nothing came of it: what was
// asked and not answered is not worth remembering.
func digest(s *transcript.Session) string {
	var answered, decided, preferred, failed []string
	outcome := ""
	for _, turns := range exchanged(s) {
		user, agent := saidBy(turns, transcript.User), saidBy(turns, transcript.Assistant)
		isAnswered := !evasive(agent)
		if q, a := shorten(firstParagraph(user), maxSaid), shorten(firstParagraph(agent), maxSaid); a != "" && isAnswered {
			if outcome = agent; q != "" {
				answered = append(answered, q+" → "+a)
			}
		}
		for _, t := range turns {
			for _, said := range sentences(t.Text) {
				switch {
				case isQuestion(said), !isAnswered && (t.Role == transcript.Assistant || asks(said)):
				case t.Role == transcript.User && prefers.MatchString(said):
					preferred = addOnce(preferred, shorten(said, maxSaid))
				case t.Role == transcript.User && decides.MatchString(said), t.Role == transcript.Assistant && agrees.MatchString(said):
					decided = addOnce(decided, shorten(said, maxSaid))
				case t.Role == transcript.Assistant && fixes.MatchString(said):
					failed = addOnce(failed, shorten(said, maxSaid))
				}
			}
		}
	}
	decided = withAntecedents(s, decided)
	if len(answered)+len(decided)+len(preferred)+len(failed) == 0 {
		return ""
	}
	if n := len(answered); n > maxAsked {
		answered = append(append(answered[:maxAsked-4:maxAsked-4], fmt.Sprintf("… %d more …", n-maxAsked)), answered[n-4:]...)
	}
	var b strings.Builder
	list := func(name string, items []string, most int) {
		if len(items) == 0 {
			return
		}
		fmt.Fprintf(&b, "## %s\n\n", name)
		for _, i := range items[max(0, len(items)-most):] {
			fmt.Fprintf(&b, "- %s\n", i)
		}
		b.WriteByte('\n')
	}
	list("Asked and answered", answered, maxAsked+1)
	list(DecidedSection, decided, maxCues)
	list("Preferred", preferred, maxCues)
	list("Errors and fixes", failed, maxCues)
	list(OpenSection, openPoints(outcome), maxCues)
	list("Files", files(s), maxFiles)
	if out := shorten(firstParagraph(outcome), 400); out != "" {
		fmt.Fprintf(&b, "## Outcome\n\n%s\n", out)
	}
	return b.String()
}

// saidBy returns all that one of them said in an exchange.
func saidBy(turns []transcript.Turn, role string) (said string) {
	for _, t := range turns {
		if t.Role == role {
			said += t.Text + "\n"
		}
	}
	return strings.TrimSpace(said)
}

func addOnce(items []string, s string) []string {
	if s == "" || slices.Contains(items, s) {
		return items
	}
	return append(items, s)
}

// firstParagraph returns the first words of a text that are prose: what is before a blank line or code.
func firstParagraph(s string) string {
	var out []string
	var code fence
	for l := range strings.SplitSeq(s, "\n") {
		l = strings.TrimSpace(l)
		switch prose := !code.has(l) && l != ""; {
		case prose:
			out = append(out, strings.TrimLeft(l, "#>*- "))
		case len(out) > 0:
			return strings.Join(out, " ")
		}
	}
	return strings.Join(out, " ")
}

// sentences cuts prose, outside fenced code, after its full stops.
func sentences(s string) (out []string) {
	var code fence
	for l := range strings.SplitSeq(s, "\n") {
		l = strings.TrimSpace(l)
		if code.has(l) || len(l) > 4000 {
			continue
		}
		from := 0
		for i, r := range l {
			next := i + utf8.RuneLen(r)
			wide := strings.ContainsRune("。！？", r)
			if wide || strings.ContainsRune(".!?", r) && (next >= len(l) || l[next] == ' ') {
				out = append(out, strings.TrimSpace(l[from:next]))
				from = next
			}
		}
		if rest := strings.TrimSpace(l[from:]); rest != "" {
			out = append(out, strings.TrimLeft(rest, "-*> "))
		}
	}
	return out
}

// The cues. What a user says is taken at its word; what an agent says only where it speaks of agreement.
var (
	decides = lazy.Regexp(`(?i)\b(we (have )?(decided|agreed|chose)|(i|we)('ve| have)? decided|let'?s (go with|use|keep|drop|make|not)|we('ll| will) (use|go|keep|drop|stay)|go with|instead of|from now on|the decision|agreed|settled on|stick (with|to)|` +
		`wir (nehmen|haben (uns )?entschieden|bleiben|machen|verwenden)|ab jetzt|ab sofort|entscheidung|abgemacht)\b|決定|に決め|にしましょう|にします|今後は|採用`)
	agrees  = lazy.Regexp(`(?i)\b(decided|agreed|decision|settled on|as you (asked|decided)|entschieden|vereinbart)\b|決定|決め`)
	fixes   = lazy.Regexp(`(?i)\b(fixed|the fix|root cause|the (cause|problem|bug|error|issue|culprit) (was|is|were)|was caused by|because of a bug|solved|resolved|worked around|workaround|failed (with|because)|behoben|ursache|gelöst|lag an)\b|原因|修正し|直しました`)
	prefers = lazy.Regexp(`(?i)\b(i('d)? (prefer|rather|like|love|hate|want you to)|my (preference|favou?rite)|always|never|please (don'?t|do not|use|avoid|always|never)|don'?t (ever|use|add|write)|remember (that|this|to)|keep in mind|` +
		`ich (bevorzuge|mag|hasse|möchte)|lieber|immer|niemals|nie wieder|bitte (keine?n?|nicht|immer)|merk dir)\b|好き|嫌い|いつも|必ず|絶対|覚えて|ほうがいい`)
	filePath = lazy.Regexp(`(?:[\w@.~-]+/)+[\w@.-]+\.[A-Za-z]\w{0,7}\b|\b[\w-]+\.(?:go|ts|tsx|js|jsx|py|rs|c|h|cpp|java|kt|swift|rb|php|sql|sh|lua|md|toml|yaml|yml|json|html|css|proto|tf|nix)\b`)
)

// files returns the paths that a session speaks of, in the order in which it does.
func files(s *transcript.Session) (out []string) {
	for _, t := range s.Turns {
		if t.Role == transcript.Tool {
			continue
		}
		for _, p := range filePath.FindAllString(t.Text, 200) {
			if p = strings.Trim(p, "./"); len(p) > 3 && len(p) < 200 && !strings.HasPrefix(p, "www.") {
				out = addOnce(out, p)
			}
			if len(out) == maxFiles {
				return out
			}
		}
	}
	return out
}
