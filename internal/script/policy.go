package script

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/script/lua"
	"github.com/assay-dev/assay/internal/script/stdlib"
)

// mostPolicy bounds a policy file, in bytes.
const mostPolicy = 1 << 20

// requires finds the modules that a module loads.
var requires = lazy.Regexp(`require\("assay\.(\w+)"\)`)

// ReadPolicy reads a policy file. Paths in it are relative to its folder.
func ReadPolicy(path string) (*lua.Policy, error) {
	if !lua.ReadsPolicies {
		return nil, fault.New(fault.Usage, "this build reads no policy file: it was made with -tags slim").Or("use the full build")
	}
	src, err := safe.ReadNamed(path, mostPolicy)
	if err != nil {
		return nil, refused(err, "reading the policy %s: %v", path, file.Bare(err))
	}
	f, err := lua.ReadPolicy(src)
	if err != nil {
		return nil, fault.New(fault.Usage, "the policy %s: %v", path, err).Or("assay policy schema prints the format")
	}
	sum := sha256.Sum256(src)
	f.Path, f.Sum = path, hex.EncodeToString(sum[:])
	dir := filepath.Dir(path)
	p := &lua.Policy{File: f, ReadOnly: f.ReadOnly}
	if f.Files.Folder != "" {
		p.Scratch = file.From(dir, f.Files.Folder)
	}
	if f.Log != "" {
		f.Log = file.From(dir, f.Log)
	}
	if err := f.Locate(dir, p.Scratch); err != nil {
		return nil, fault.New(fault.Usage, "the policy %s: %v", path, err)
	}
	f.Modules = withRequired(f.Modules)
	return p, nil
}

// withRequired adds to modules those that the built-in ones among them require.
func withRequired(names []string) []string {
	for i := 0; i < len(names); i++ {
		names[i] = strings.TrimPrefix(names[i], "assay.")
		src, _ := stdlib.Source(names[i]) // one that is not built in names its own
		for _, m := range requires.Get().FindAllStringSubmatch(string(src), -1) {
			if !slices.Contains(names, m[1]) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// policy returns the limits of a script, nil if only those of its user hold. A policy file and the flags of a server both hold.
func (f *Feature) policy(in *Requests) (*lua.Policy, error) {
	p := f.cfg.Policy
	if in.Policy != "" {
		read, err := ReadPolicy(f.path(in.Policy))
		if err != nil {
			return nil, err
		}
		p = read
	}
	if in.ReadOnly {
		narrowed := lua.Policy{Own: p == nil}
		if p != nil {
			narrowed = *p
		}
		narrowed.ReadOnly = true
		p = &narrowed
	}
	if lua.ReadsPolicies && p != nil && p.File != nil {
		in.NoProject = true // a project's module comes with the tree that the policy protects against
	}
	return p, nil
}

// bounds returns the limits of time and memory of a run under its policy.
func bounds(p *lua.Policy, limit time.Duration, memory int64) (time.Duration, int64) {
	if !lua.ReadsPolicies || p == nil || p.File == nil {
		return limit, memory
	}
	most, room := p.File.Limits.Bounds()
	if most > 0 && (limit <= 0 || limit > most) {
		limit = most
	}
	if room > 0 && memory > room {
		memory = room
	}
	return limit, memory
}

// prepare opens the log of a policy and gives a run the state of its approvals. done ends the log.
func (f *Feature) prepare(o *lua.Options, resumed *suspension, chunk string, src []byte) (done func(error), err error) {
	done = func(error) {}
	p := o.Policy
	if !lua.ReadsPolicies || p == nil || p.File == nil {
		return done, nil
	}
	switch {
	case resumed != nil:
		o.Approvals = resumed.State
	case p.File.Approves():
		o.Approvals = &lua.Approvals{Seed: make([]byte, 32)}
		_, _ = rand.Read(o.Approvals.Seed) // it never fails
	}
	if p.File.Log == "" {
		return done, nil
	}
	// A run that cannot be logged does not begin.
	dir, base, err := safe.Output(p.File.Log)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the log of the policy cannot be written").Because(file.Bare(err))
	}
	out, err := dir.Append(base, 0o600)
	if err = errors.Join(err, dir.Close()); err != nil {
		return nil, fault.New(fault.Unavailable, "the log of the policy cannot be written").Because(file.Bare(err))
	}
	run, sum := rand.Text()[:12], sha256.Sum256(src)
	write := func(e lua.Event) {
		e.Time, e.Run = f.cfg.Now().UTC().Format("2006-01-02T15:04:05.000Z"), run
		if b, err := codec.MarshalPlain(e); err == nil {
			_, _ = out.Write(append(b, '\n')) // one write a line: runs share the file
		}
	}
	start := lua.Event{Event: "start", Script: chunk, Sum: hex.EncodeToString(sum[:]), Policy: p.File.Path, PolicySum: p.File.Sum}
	if resumed != nil {
		start.Digest = resumed.State.Approved
	}
	write(start)
	o.Event = write
	return func(err error) {
		e := lua.Event{Event: "end"}
		if err != nil {
			e.Error = strings.SplitN(err.Error(), "\n", 2)[0]
		}
		write(e)
		_ = out.Close()
	}, nil
}
