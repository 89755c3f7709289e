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

// A Role is the permission of a token. Each role includes those before it.
type Role uint8

// The roles.
const (
	Read       Role = iota // call operations that read
	Write                  // also store notes
	Administer             // also read metrics and fetch repositories
)

var roles = []string{"read", "write", "administer"}

func (r Role) String() string { return roles[r] }

// parseRole reads the name of a role.
func parseRole(s string) (Role, error) {
	i := slices.Index(roles, s)
	if i < 0 {
		return 0, fault.New(fault.Usage, "unknown role %q", s).Or("use one of %s", strings.Join(roles, ", "))
	}
	return Role(i), nil
}

// A Holder is the user or group that a token was issued to.
type Holder struct {
	ID   string // of the token; it is not secret
	Team string
	Role Role
	Name string // of the user or group
	Made time.Time

	sum   [sha256.Size]byte
	until time.Time // when a token of an identity provider expires; zero: never
}

const (
	tokenPrefix  = "assay_"
	maxTokens    = 4 << 20 // bytes of the file
	tokenColumns = 6
)

// teamName matches valid names of teams and users. A name must be safe as a word in a file, as a label and as a folder.
var teamName = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9@._-]{0,63}$`)

// parseTokens reads a token file. Each line has ID, team, role, SHA-256 of the token, day and holder. The hash needs neither
// salt nor stretching, because a token is 256 random bits and cannot be guessed.
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
			return nil, fmt.Errorf("line %d has %d columns instead of %d", n, len(f), tokenColumns)
		}
		role, err := parseRole(f[2])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		sum, err := hex.DecodeString(f[3])
		if err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("line %d: the fourth column is not a SHA-256 in hexadecimal", n)
		}
		made, err := time.Parse(time.DateOnly, f[4])
		validNames := teamName.MatchString(f[0]) && teamName.MatchString(f[1]) && teamName.MatchString(f[5])
		if err != nil || !validNames || seen[f[0]] {
			return nil, fmt.Errorf("line %d has an invalid ID, team, day or holder, or an ID that is already used", n)
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

// editTokens changes a token file; only one process at a time may do so.
func editTokens(name string, change func([]Holder) ([]Holder, error)) error {
	if err := safe.CheckOutput(name); err != nil {
		return fault.New(fault.Usage, "cannot write the token file %s", name).Because(err).Or("name another file with --tokens")
	}
	unlock, err := file.TryLock(name + ".lock")
	if err != nil {
		return fault.New(fault.Unavailable, "another process is changing the token file").Because(err).Or("run the command again")
	}
	defer unlock()
	text, err := readProtected(name, maxTokens)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Unavailable, "cannot read the token file").Because(err)
	}
	all, err := parseTokens(text)
	if err != nil {
		return fault.New(fault.Usage, "%s", name).Because(err).Or("repair that line; the file was not changed")
	}
	if all, err = change(all); err != nil {
		return err
	}
	return safe.Replace(name, writeTokens(all), 0o600)
}

// AddToken creates a token and adds its hash to a file. The token is returned only here.
func AddToken(name, team, holder string, role Role, now time.Time) (token, id string, err error) {
	if !teamName.MatchString(team) || !teamName.MatchString(holder) {
		return "", "", fault.New(fault.Usage, "--team %q and --holder %q must each be one word of letters, digits and @._-", team, holder)
	}
	raw := make([]byte, 36)
	if _, err := rand.Read(raw); err != nil {
		return "", "", err
	}
	id = hex.EncodeToString(raw[:4])
	token = tokenPrefix + id + "_" + base64.RawURLEncoding.EncodeToString(raw[4:])
	err = editTokens(name, func(all []Holder) ([]Holder, error) {
		return append(all, Holder{ID: id, Team: team, Role: role, Name: holder, Made: now, sum: sha256.Sum256([]byte(token))}), nil
	})
	return token, id, err
}

// RevokeToken removes a token from a file by its ID.
func RevokeToken(name, id string) error {
	return editTokens(name, func(all []Holder) ([]Holder, error) {
		left := slices.DeleteFunc(slices.Clone(all), func(h Holder) bool { return h.ID == id })
		if len(left) == len(all) {
			return nil, fault.New(fault.NotFound, "no token has the ID %s", id).Or("assay team token list shows them")
		}
		return left, nil
	})
}

// Tokens are the tokens of a file, read again whenever it changes. If the file is missing, all requests are rejected. If a
// changed file has an error, the tokens read before stay valid until it is repaired.
type Tokens struct {
	name string
	warn func(format string, args ...any)

	mu      sync.Mutex
	holders map[[sha256.Size]byte]Holder
	state   fileState
}

// A fileState tells whether a file has changed.
type fileState struct {
	size    int64
	mtime   time.Time
	mode    fs.FileMode
	missing bool
	sum     [sha256.Size]byte
}

// OpenTokens reads a file of tokens, which must be valid when the server starts.
func OpenTokens(name string, warn func(format string, args ...any)) (*Tokens, error) {
	t := &Tokens{name: name, warn: warn}
	text, err := readProtected(name, maxTokens)
	if err != nil {
		return nil, fault.New(fault.NotFound, "cannot read the token file").Because(err).Or("assay team token add creates it, readable only by you")
	}
	if _, err := parseTokens(text); err != nil {
		return nil, fault.New(fault.Usage, "%s", name).Because(err).Or("repair that line")
	}
	t.reload()
	return t, nil
}

// reload reads the file if it has changed.
func (t *Tokens) reload() {
	st, err := os.Stat(t.name)
	if err != nil {
		if !t.state.missing {
			t.warn("token file not found: all requests are rejected (%v)", err)
		}
		t.state, t.holders = fileState{missing: true}, nil
		return
	}
	text, err := readProtected(t.name, maxTokens)
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
		t.warn("the changed token file is invalid: %v; the tokens read before stay valid", err)
		return
	}
	t.holders = map[[sha256.Size]byte]Holder{}
	for _, h := range all {
		t.holders[h.sum] = h
	}
}

// Find returns the holder of a token. It checks the file at each call, because a revoked token must be refused at once.
func (t *Tokens) Find(token string) (Holder, bool) {
	sum := sha256.Sum256([]byte(token))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reload()
	// The time of the look-up may reveal bits of a hash, but a hash does not reveal the token.
	h, ok := t.holders[sum]
	return h, ok
}

// IsValid reports whether a holder's token is still in the file, unchanged.
func (t *Tokens) IsValid(h Holder) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reload()
	return t.holders[h.sum] == h
}

// ListTokens returns the holders in a token file.
func ListTokens(name string) ([]Holder, error) {
	text, err := readProtected(name, maxTokens)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "token file %s not found", name).Or("assay team token add creates it")
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "cannot read the token file").Because(err)
	}
	all, err := parseTokens(text)
	if err != nil {
		return nil, fault.New(fault.Usage, "%s", name).Because(err).Or("repair that line")
	}
	return all, nil
}
