package vault

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/safe"
)

// Exchanged says what an exchange with a remote did.
type Exchanged struct {
	Remote      string // without a password
	Branch      string
	Received    int // notes that are new or other here
	Removed     int // notes that were removed here, because they were removed there
	Sent        int // notes that are new or other there
	RemovedAway int // notes that were removed there, because they were removed here
	Conflicts   []Conflict
	Skipped     map[string]int // notes that stay where they are, by reason
}

// A Conflict is a note that was edited in two places since they last exchanged it. Path
// is as the remote has it, and Copy is what was here.
type Conflict struct {
	Path string `json:"path"`
	Copy string `json:"copy"`
}

// An Exchange says with whom.
type Exchange struct {
	Remote string // an address as git knows it; empty: that of the last time
	// Removals allows to remove all notes, or most and more than exchangeRemovals, here or there.
	// A vault on a drive that is not mounted looks as if all were removed.
	Removals bool
}

const (
	mirrorSuffix     = ".mirror" // of the index's name: the repository by which notes are exchanged
	mirrorState      = "assay.json"
	exchangeBranch   = "main"
	exchangeTries    = 5
	exchangeRemovals = 3
	exchangeCopies   = 100 // of one content of one note

	// A note from elsewhere has at most as many bytes as one that is stored here, which make some 2,000 chunks:
	// a larger one would take minutes to index, and the place of other notes in answers.
	maxExchanged = maxContent
	tooLarge     = "is larger than 1 MB"
)

// conflictsWith is the relation of a copy that an exchange kept to the note at its place.
const (
	conflictsKey  = "conflicts_with"
	conflictsWith = "conflicts with"
)

// Of the last exchange. Base is the commit whose notes are all in the vault; Absent are
// those of its notes that could not be written here.
type exchangeState struct {
	Remote string   `json:"remote"`
	Branch string   `json:"branch"`
	Base   string   `json:"base,omitempty"`
	Absent []string `json:"absent,omitempty"`
	// Sending is the commit that was to be pushed. Whoever is killed after that finds it in the remote's
	// history, and knows by it that both had its notes.
	Sending string `json:"sending,omitempty"`
}

var errMeanwhile = errors.New("a note was changed meanwhile")

// Exchange merges the notes with those of a branch of a git remote, and puts what comes of
// it there. A note that only one side has changed since the last time is as that side has
// it; of one that both have changed, both stay: the remote's at its place, the other
// beside it and marked. The vault is the truth all the time: whoever is stopped in between
// begins again, and finds done what was done. What a note may not have, secrets and what
// is private, stays here.
func (m *Memory) Exchange(ctx context.Context, e Exchange) (out Exchanged, err error) {
	root, err := m.root()
	if err != nil {
		return out, err
	}
	defer root.Close()
	if _, err := root.Lstat(".git"); err == nil {
		return out, fault.New(fault.Usage, "the vault %s is a git repository of its own", m.cfg.Vault).Or("exchange it with git there, and run assay memory import to index what came")
	}
	unlock, err := m.lock(ctx, ".exchange", true) // git is slow: nobody waits for it
	if errors.Is(err, file.ErrLocked) {
		return out, fault.New(fault.Unavailable, "another process is exchanging notes").Or("wait until it is done")
	}
	if err != nil {
		return out, err
	}
	defer unlock()
	mirror, err := git.OpenMirror(ctx, m.cfg.DB+mirrorSuffix)
	if err != nil {
		return out, exchangeFault(err, "the repository %s cannot be used", m.cfg.DB+mirrorSuffix)
	}
	defer mirror.Close()
	x := &exchanging{m: m, root: root, mirror: mirror, allowed: e.Removals, out: Exchanged{Skipped: map[string]int{}}}
	if err := x.remember(e.Remote); err != nil {
		return out, err
	}
	for range exchangeTries {
		x.out = Exchanged{Remote: shownRemote(x.state.Remote), Branch: x.state.Branch, Conflicts: x.out.Conflicts, Received: x.out.Received, Removed: x.out.Removed, Skipped: map[string]int{}}
		if err = x.once(ctx); !errors.Is(err, errMeanwhile) && !errors.Is(err, git.ErrMoved) {
			return x.out, err
		}
	}
	return x.out, fault.New(fault.Unavailable, "the notes change faster than they can be exchanged").Or("try it again; nothing is lost")
}

// shownRemote is the address of a remote without a password that it may have.
func shownRemote(url string) string {
	clean, _ := redact.Text([]byte(url))
	return string(clean)
}

func exchangeFault(err error, format string, args ...any) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	f := fault.New(fault.Unavailable, format, args...).Because(err)
	if errors.Is(err, git.ErrNoGit) {
		return f.Or("install git")
	}
	return f.Or("no note is lost, here or there; check the address, the network and the disk, and run it again")
}

// An exchanging is one call of Exchange.
type exchanging struct {
	m       *Memory
	root    *safe.Root
	mirror  *git.Mirror
	state   exchangeState
	allowed bool
	out     Exchanged

	ours    map[string]ours
	base    map[string]git.TreeFile
	theirs  map[string]git.TreeFile
	unknown map[string]bool // of ours: they are there, but cannot be read
}

// ours is a note as the vault has it.
type ours struct {
	raw   string // hash of the file
	hash  string // of what others may see of it
	dirty bool   // the two differ
}

// remember finds with whom to exchange, and what was exchanged with him before.
func (x *exchanging) remember(remote string) error {
	data, err := x.mirror.Root().ReadFile(mirrorState, 64<<20)
	if err == nil && json.Unmarshal(data, &x.state) != nil {
		x.state = exchangeState{} // then nothing is known, and everything is compared
	}
	if remote != "" && remote != x.state.Remote {
		x.state = exchangeState{Remote: remote}
	}
	if x.state.Remote == "" {
		return fault.New(fault.Usage, "no remote is known yet").Or("name a git repository of yours once: assay memory sync git@example.com:me/notes.git")
	}
	x.state.Branch = cmp.Or(x.state.Branch, exchangeBranch)
	return nil
}

func (x *exchanging) save() error {
	data, err := json.Marshal(x.state)
	if err == nil {
		err = x.mirror.Root().Write(mirrorState, data, 0o600)
	}
	if err != nil {
		return exchangeFault(err, "cannot write %s", filepath.Join(x.m.cfg.DB+mirrorSuffix, mirrorState))
	}
	return nil
}

// once fetches, merges and pushes.
func (x *exchanging) once(ctx context.Context) error {
	tip, err := x.mirror.Fetch(ctx, x.state.Remote, x.state.Branch)
	if err != nil {
		return exchangeFault(err, "the remote %s cannot be reached", shownRemote(x.state.Remote))
	}
	if sent := x.state.Sending; sent != "" && x.mirror.Contains(ctx, tip, sent) {
		x.state.Base = sent
	}
	if err := x.compare(ctx, tip); err != nil {
		return err
	}
	if err := x.merge(ctx); err != nil {
		if _, ours := errors.AsType[*fault.Error](err); ours || errors.Is(err, errMeanwhile) {
			return err
		}
		return exchangeFault(err, "the notes of the remote cannot be put into the vault %s", x.m.cfg.Vault)
	}
	// From here on the vault has all of tip.
	x.state.Sending = ""
	if x.state.Base = tip; tip != "" {
		if err := x.save(); err != nil {
			return err
		}
	}
	changed := x.toSend()
	if len(changed) == 0 {
		return x.save()
	}
	commit, err := x.mirror.Commit(ctx, tip, fmt.Sprintf("notes: %d written, %d removed", x.out.Sent, x.out.RemovedAway), x.m.cfg.Now(), changed, x.content)
	if errors.Is(err, errMeanwhile) {
		return err
	}
	if err != nil {
		return exchangeFault(err, "the notes cannot be prepared for the remote")
	}
	x.state.Sending = commit
	if err := x.save(); err != nil {
		return err
	}
	if err := x.mirror.Push(ctx, x.state.Remote, commit, x.state.Branch); err != nil {
		if errors.Is(err, git.ErrMoved) {
			return err
		}
		return exchangeFault(err, "the remote %s takes no notes", shownRemote(x.state.Remote))
	}
	x.state.Base, x.state.Sending = commit, ""
	return x.save()
}

// compare reads what the three sides have: the vault, the remote, and both when they were
// last the same.
func (x *exchanging) compare(ctx context.Context, tip string) (err error) {
	x.ours, x.unknown, x.base = map[string]ours{}, map[string]bool{}, nil
	if x.theirs, err = x.files(ctx, tip, x.unknown); err != nil {
		return exchangeFault(err, "the notes of the remote cannot be read")
	}
	// A remote that has lost its branch has removed nothing.
	if tip != "" && x.state.Base != "" {
		if x.base, err = x.files(ctx, x.state.Base, nil); err != nil {
			x.base = nil // without what was the same, only what differs is known
		}
	}
	for _, p := range x.state.Absent {
		delete(x.base, p)
	}
	l, err := list(x.m.cfg.Vault, x.m.cfg.Now())
	if err != nil {
		return fault.New(fault.Unavailable, "the vault %s cannot be read", x.m.cfg.Vault).Because(err)
	}
	for _, e := range l.entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := readFile(x.root, e.path)
		switch {
		case errors.Is(err, fs.ErrNotExist), x.unknown[e.path]:
		case isCanvas(e.path): // merged line by line it would be none any more
			x.out.Skipped["is a canvas"]++
		case err != nil || !exchangeable(e.path):
			x.unknown[e.path] = true
			x.out.Skipped["cannot be read, or has a name that others cannot use"]++
		case !utf8.Valid(raw): // others would have the sign of what is missing in place of each byte that is none of UTF-8
			x.unknown[e.path] = true
			x.out.Skipped["is not in UTF-8"]++
		case len(raw) > maxExchanged:
			x.unknown[e.path] = true
			x.out.Skipped[tooLarge]++
		case secretName(e.path):
			x.unknown[e.path] = true
			x.out.Skipped["has a secret in its name"]++
		default:
			x.ours[e.path] = seen(raw)
		}
	}
	for p := range x.base {
		if _, here := x.ours[p]; !here && (!l.covers(p) || l.behind(p)) {
			x.unknown[p] = true
		}
	}
	if n := len(l.linked); n > 0 {
		x.out.Skipped["is a symbolic link here, which is not followed"] += n
	}
	return x.enough(len(l.entries))
}

// secretName reports whether the name of a note says what memory does not keep.
func secretName(rel string) bool {
	_, taken := Clean([]byte(rel))
	return taken > 0
}

func seen(raw []byte) ours {
	clean, _ := Clean(raw)
	o := ours{raw: git.Hash(raw), hash: git.Hash(clean)}
	o.dirty = o.raw != o.hash
	return o
}

// files returns the notes of a commit by their paths, and notes in odd what has the name
// of one and is a link, or too large.
func (x *exchanging) files(ctx context.Context, commit string, odd map[string]bool) (map[string]git.TreeFile, error) {
	out := map[string]git.TreeFile{}
	if commit == "" {
		return out, nil
	}
	all, err := x.mirror.Files(ctx, commit)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		switch {
		case !exchangeable(f.Path) && f.Path != forgottenFile: // it stays there, unread
		case f.Plain && (f.Size <= maxExchanged || f.Path == forgottenFile && f.Size <= maxNote):
			out[f.Path] = f
		case odd != nil && f.Plain:
			odd[f.Path] = true
			x.out.Skipped[tooLarge]++
		case odd != nil:
			odd[f.Path] = true
			x.out.Skipped["is a link at the remote"]++
		}
	}
	return out, nil
}

// exchangeable reports whether a path is one of a note on any machine. What a remote has
// beside notes stays there, untouched and unread.
func exchangeable(rel string) bool {
	if isCanvas(rel) {
		return false
	}
	if !isNote(rel) || len(rel) > 1000 || !utf8.ValidString(rel) || strings.ContainsAny(rel, "\\:*?\"<>|") || !filepath.IsLocal(filepath.FromSlash(rel)) || path.Clean(rel) != rel {
		return false
	}
	parts := strings.Split(rel, "/")
	return len(parts) <= maxDepth && !strings.ContainsFunc(rel, unicode.IsControl) &&
		!slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, ".") || p == "node_modules" })
}

// enough refuses to take an empty vault, or an empty remote, for one whose notes were all
// removed.
func (x *exchanging) enough(notes int) error {
	here, there := 0, 0
	for p := range x.base {
		_, o := x.ours[p]
		_, t := x.theirs[p]
		switch {
		case p == forgottenFile || x.unknown[p]:
		case o && !t:
			here++
		case !o && t:
			there++
		}
	}
	for _, c := range []struct {
		n, of int
		where string
	}{{here, notes, "here, because they are gone at the remote"}, {there, len(x.theirs), "at the remote, because they are gone here"}} {
		if (c.n > exchangeRemovals && 2*c.n > c.of || c.n > 1 && c.n == c.of) && !x.allowed {
			return fault.New(fault.Usage, "%d of %d notes would be removed %s", c.n, c.of, c.where).Or("check that the vault %s is mounted; if they are to be removed, add --removals", x.m.cfg.Vault)
		}
	}
	return nil
}
