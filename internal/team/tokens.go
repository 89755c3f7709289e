package team

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
)

// A Role says what a token may do. Each may do what those before it may.
type Role uint8

// The roles.
const (
	Read       Role = iota // ask
	Write                  // also store what a team remembers
	Administer             // also read metrics and have repositories fetched
)

var roles = []string{"read", "write", "administer"}

func (r Role) String() string { return roles[r] }

// parseRole reads the name of a role.
func parseRole(s string) (Role, error) {
	i := slices.Index(roles, s)
	if i < 0 {
		return 0, fault.New(fault.Usage, "%q is not a role", s).Or("roles are: %s", strings.Join(roles, ", "))
	}
	return Role(i), nil
}

// A Holder is who presents a token.
type Holder struct {
	ID   string // of the token; no secret
	Team string
	Role Role
	Name string // the user or group that it was given to
	Made time.Time

	sum   [sha256.Size]byte
	until time.Time // of a token of a provider: when it ends
}

const (
	tokenPrefix  = "assay_"
	maxTokens    = 4 << 20 // bytes of the file
	tokenColumns = 6
)

// teamName is what a team or a user may be called: a word in a file, a label and a folder.
var teamName = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9@._-]{0,63}$`)

// parseTokens reads a file of tokens: a line each of ID, team, role, SHA-256 of the token,
// day and holder. A token is 256 random bits, so that its hash needs neither salt nor
// stretching: nobody can guess what was hashed.
func parseTokens(text []byte) ([]Holder, error) {
	var out []Holder
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Fields(line)
		if len(f) != tokenColumns {
			return nil, fmt.Errorf("line %d has %d columns, not %d", n, len(f), tokenColumns)
		}
		role, err := parseRole(f[2])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		sum, err := hex.DecodeString(f[3])
		if err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("line %d: the hash is no SHA-256", n)
		}
		made, err := time.Parse(time.DateOnly, f[4])
		if err != nil || !teamName.MatchString(f[0]) || !teamName.MatchString(f[1]) || !teamName.MatchString(f[5]) || seen[f[0]] {
			return nil, fmt.Errorf("line %d is none that assay team token writes", n)
		}
		seen[f[0]] = true
		out = append(out, Holder{ID: f[0], Team: f[1], Role: role, Name: f[5], Made: made, sum: [sha256.Size]byte(sum)})
	}
	return out, lines.Err()
}

func writeTokens(all []Holder) []byte {
	b := bytes.NewBufferString("# tokens of assay serve --team: ID TEAM ROLE SHA256 DAY HOLDER; assay team token add, list, revoke\n")
	for _, h := range all {
		fmt.Fprintf(b, "%s %s %s %x %s %s\n", h.ID, h.Team, h.Role, h.sum, h.Made.UTC().Format(time.DateOnly), h.Name)
	}
	return b.Bytes()
}

// edit changes a file of tokens, one process at a time.
func edit(name string, change func([]Holder) ([]Holder, error)) error {
	if err := safe.CheckOutput(name); err != nil {
		return fault.New(fault.Usage, "%s cannot be written", name).Because(err).Or("name another file with --tokens")
	}
	unlock, err := file.TryLock(name + ".lock")
	if err != nil {
		return fault.New(fault.Unavailable, "the file of tokens is being changed").Because(err).Or("try again")
	}
	defer unlock()
	text, err := readOwn(name, maxTokens)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Unavailable, "read the file of tokens").Because(err)
	}
	all, err := parseTokens(text)
	if err != nil {
		return fault.New(fault.Usage, "%s", name).Because(err).Or("repair that line; the file was left as it is")
	}
	if all, err = change(all); err != nil {
		return err
	}
	return safe.Replace(name, writeTokens(all), 0o600)
}

// AddToken makes a token and adds it to a file. The token cannot be shown again.
func AddToken(name, team, holder string, role Role, now time.Time) (token, id string, err error) {
	if !teamName.MatchString(team) || !teamName.MatchString(holder) {
		return "", "", fault.New(fault.Usage, "%q and %q must be words of letters, digits and @._-", team, holder)
	}
	raw := make([]byte, 36)
	if _, err := rand.Read(raw); err != nil {
		return "", "", err
	}
	id = hex.EncodeToString(raw[:4])
	token = tokenPrefix + id + "_" + base64.RawURLEncoding.EncodeToString(raw[4:])
	err = edit(name, func(all []Holder) ([]Holder, error) {
		return append(all, Holder{ID: id, Team: team, Role: role, Name: holder, Made: now, sum: sha256.Sum256([]byte(token))}), nil
	})
	return token, id, err
}

// RevokeToken removes a token from a file by its ID.
func RevokeToken(name, id string) error {
	return edit(name, func(all []Holder) ([]Holder, error) {
		left := slices.DeleteFunc(slices.Clone(all), func(h Holder) bool { return h.ID == id })
		if len(left) == len(all) {
			return nil, fault.New(fault.NotFound, "no token %s", id).Or("assay team token list shows them")
		}
		return left, nil
	})
}

// Tokens are those of a file, read again whenever it changes. A file that is gone admits
// nobody. A changed file with an error changes nothing: the tokens read before stay valid
// until the file can be read again.
type Tokens struct {
	name string
	tell func(format string, args ...any)

	mu    sync.Mutex
	of    map[[sha256.Size]byte]Holder
	state fileState
}

// A fileState tells whether a file has changed.
type fileState struct {
	size  int64
	mtime time.Time
	mode  fs.FileMode
	gone  bool
	sum   [sha256.Size]byte
}

// OpenTokens reads a file of tokens, which must be valid when the server starts.
func OpenTokens(name string, tell func(format string, args ...any)) (*Tokens, error) {
	t := &Tokens{name: name, tell: tell}
	text, err := readOwn(name, maxTokens)
	if err != nil {
		return nil, fault.New(fault.NotFound, "the file of tokens").Because(err).Or("assay team token add makes it, for its user alone")
	}
	if _, err := parseTokens(text); err != nil {
		return nil, fault.New(fault.Usage, "%s", name).Because(err).Or("repair that line")
	}
	t.reload()
	return t, nil
}

// reload reads the file again where it changed.
func (t *Tokens) reload() {
	st, err := os.Stat(t.name)
	if err != nil {
		if !t.state.gone {
			t.tell("the file of tokens is gone: nobody is admitted (%v)", err)
		}
		t.state, t.of = fileState{gone: true}, nil
		return
	}
	text, err := readOwn(t.name, maxTokens)
	now := fileState{size: st.Size(), mtime: st.ModTime(), mode: st.Mode(), sum: sha256.Sum256(text)}
	if now == t.state {
		return
	}
	t.state = now
	var all []Holder
	if err == nil {
		all, err = parseTokens(text)
	}
	if err != nil {
		t.tell("the file of tokens was changed and is wrong, so the one before counts: %v", err)
		return
	}
	t.of = map[[sha256.Size]byte]Holder{}
	for _, h := range all {
		t.of[h.sum] = h
	}
}

// Find returns the holder of a token. It checks the file at each call, so that a token that was
// revoked is refused at once.
func (t *Tokens) Find(token string) (Holder, bool) {
	sum := sha256.Sum256([]byte(token))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reload()
	// How long a look-up takes tells something of a hash, which tells nothing of a token.
	h, ok := t.of[sum]
	return h, ok
}

// Valid reports whether a holder's token still counts as it did.
func (t *Tokens) Valid(h Holder) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reload()
	return t.of[h.sum] == h
}

// List returns the holders in a file.
func List(name string) ([]Holder, error) {
	text, err := readOwn(name, maxTokens)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "no file of tokens %s", name).Or("assay team token add makes it")
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "read the file of tokens").Because(err)
	}
	all, err := parseTokens(text)
	if err != nil {
		return nil, fault.New(fault.Usage, "%s", name).Because(err).Or("repair that line")
	}
	return all, nil
}
