package script

import (
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
	"unicode"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/script/lua"
)

// tokenLife is how long a request can be approved.
const tokenLife = 24 * time.Hour

// A Needed approval is the request before which a run ended, and the token by which a person has it sent.
type Needed struct {
	*lua.Pending
	Token   string    `json:"resume"` // a name that no filter of secrets takes for one
	Expires time.Time `json:"expires"`
}

// A suspension is a run that waits for an approval. It is kept under a name and a key that only its token gives.
type suspension struct {
	Expires time.Time      `json:"expires"`
	Chunk   string         `json:"chunk"`
	Source  []byte         `json:"source"`
	Args    []string       `json:"args"`
	Dir     string         `json:"dir"` // the base of relative paths
	Policy  string         `json:"policy"`
	Sum     string         `json:"sum"`
	Flags   *lua.Policy    `json:"flags"` // of the server beside the file
	Memory  int64          `json:"memory"`
	Limit   time.Duration  `json:"limit"`
	State   *lua.Approvals `json:"state"`
}

// waiting keeps the runs that wait for an approval.
type waiting struct {
	dir string
	now func() time.Time
}

// sealing returns the name and the cipher of the suspension of a token.
func sealing(token string) (name string, seal cipher.AEAD, err error) {
	n, key := sha256.Sum256([]byte("name "+token)), sha256.Sum256([]byte("key "+token))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return "", nil, err
	}
	seal, err = cipher.NewGCM(block)
	return hex.EncodeToString(n[:16]), seal, err
}

// suspend keeps a run so that it can be repeated with an approval, and returns the request that needs it.
func (w waiting) suspend(s *suspension, a *lua.Approvals) (*Needed, error) {
	var b [24]byte
	_, _ = rand.Read(b[:]) // it never fails
	token := base64.RawURLEncoding.EncodeToString(b[:])
	s.Expires, s.State = w.now().Add(tokenLife).UTC().Truncate(time.Second), a.Next()
	plain, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("keep what is to be approved: %w", err)
	}
	name, seal, err := sealing(token)
	if err != nil {
		return nil, err
	}
	dir, err := safe.OutputFolder(w.dir, 0o700)
	if err == nil {
		w.forgetExpired(dir)
		err = errors.Join(dir.WriteNew(name, seal.Seal(nil, make([]byte, seal.NonceSize()), plain, nil), 0o600), dir.Close())
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "what is to be approved cannot be kept").Because(file.Bare(err))
	}
	return &Needed{a.Pending(), token, s.Expires}, nil
}

// forgetExpired removes the runs that nobody approved in time.
func (w waiting) forgetExpired(dir *safe.Root) {
	entries, _ := dir.ReadDir(".") // those that cannot be listed stay
	for _, e := range entries {
		if info, err := e.Info(); err == nil && w.now().Sub(info.ModTime()) > tokenLife {
			_ = dir.Remove(e.Name())
		}
	}
}

// claim returns the suspension of a token, once.
func (w waiting) claim(token string) (*suspension, error) {
	unknown := fault.New(fault.NotFound, "no request waits for this approval: a token is used once, and within %v", tokenLife)
	name, seal, err := sealing(token)
	if err != nil {
		return nil, err
	}
	dir, err := safe.OpenRoot(w.dir)
	if err != nil {
		return nil, unknown
	}
	defer dir.Close()
	sealed, err := dir.ReadFile(name, 1<<30)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknown
	}
	if err == nil {
		err = dir.Remove(name) // of two that have the token, one removes it
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the approval cannot be used").Because(file.Bare(err))
	}
	plain, err := seal.Open(nil, make([]byte, seal.NonceSize()), sealed, nil)
	s := &suspension{}
	if err == nil {
		err = json.Unmarshal(plain, s)
	}
	switch {
	case err != nil:
		return nil, fault.New(fault.Unavailable, "what was kept for the approval is damaged")
	case w.now().After(s.Expires):
		return nil, unknown
	}
	return s, nil
}

// resume runs a script again with the request that a token approves.
func (f *Feature) resume(ctx context.Context, in ExecInput) (*ExecResult, error) {
	if !lua.ReadsPolicies {
		_, err := ReadPolicy("")
		return nil, err
	}
	if in.Confined {
		return nil, fault.New(fault.Usage, "an approval is given on the command line: assay exec --resume TOKEN")
	}
	if in.File != "" || in.Eval != "" || len(in.Args) > 0 || in.Policy != "" {
		return nil, fault.New(fault.Usage, "--resume runs the script that the approval is for, under its policy: give neither")
	}
	s, err := waiting{f.cfg.Approvals, f.cfg.Now}.claim(in.Resume)
	if err != nil {
		return nil, err
	}
	p, err := ReadPolicy(s.Policy)
	if err != nil {
		return nil, err
	}
	if p.File.Sum != s.Sum {
		return nil, fault.New(fault.Usage, "the policy %s was changed after the approval was asked for: nothing was sent", s.Policy).Or("run the script again")
	}
	flags := s.Flags
	flags.File, flags.Scratch = p.File, p.Scratch
	flags.ReadOnly = flags.ReadOnly || p.ReadOnly || in.ReadOnly
	c := f.cfg
	c.Policy, c.WorkDir, c.Memory = flags, s.Dir, s.Memory
	again := New(c)
	in.Resume, in.Args, in.resumed, in.Timeout = "", s.Args, s, s.Limit.Seconds()
	return again.Exec(ctx, in)
}

// settle ends a run: it asks for the approval that the run came to, logs its end, and fails if the approved request was not sent.
func (f *Feature) settle(r *ExecResult, err error, o *lua.Options, end func(error), s *suspension) (*ExecResult, error) {
	if a := o.Approvals; lua.ReadsPolicies && a != nil {
		switch {
		case a.Pending() != nil:
			if r, err = suspended(f.cfg, r, o, s); err == nil {
				end(r.Verdict())
				return r, nil
			}
		case errors.Is(err, lua.ErrChanged):
			err = fault.New(fault.Negative, "%v", err)
		case err == nil && r.Verdict() == nil && a.Unsent():
			err = fault.New(fault.Negative, "the script ended before it came to the request that was approved: it was not sent")
		}
	}
	end(cmp.Or(err, r.Verdict()))
	if err != nil {
		return nil, err
	}
	return r, nil
}

// suspended is the result of a run that came to a request which has to be approved.
func suspended(c Config, r *ExecResult, o *lua.Options, s *suspension) (*ExecResult, error) {
	if r == nil {
		r = &ExecResult{Logs: []string{}}
	}
	flags := *o.Policy
	s.Dir, s.Policy, s.Sum, s.Flags, s.Memory = c.WorkDir, flags.File.Path, flags.File.Sum, &flags, o.Memory
	flags.File = nil
	need, err := waiting{c.Approvals, c.Now}.suspend(s, o.Approvals)
	r.Result, r.Error, r.NeedsApproval = nil, nil, need
	return r, err
}

// writeText shows the request, and how to approve it.
func (n *Needed) writeText(w io.Writer) error {
	if !lua.ReadsPolicies {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "needs approval: %s\n", text.Line(cmp.Or(n.Call, n.Method+" "+n.URL)))
	shown, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	for _, r := range string(shown) {
		if r != '\n' && !unicode.IsGraphic(r) { // such as the sign that turns the direction of writing
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	fmt.Fprintf(&b, "\napprove with: assay exec --resume %s\n", n.Token)
	return fault.Only(io.WriteString(w, b.String()))
}
