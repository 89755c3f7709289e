package script

import (
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/script/lua"
)

// Requests say what happens to the HTTP requests of a script.
type Requests struct {
	Verbose  bool   `json:"verbose,omitempty" flag:"verbose,v" help:"log each request of a script on one line"`
	Trace    bool   `json:"trace,omitempty" flag:"trace" help:"scripts: show requests and responses, without secrets, on stderr"`
	DryRun   bool   `json:"dry_run,omitempty" flag:"dry-run" help:"scripts: show requests other than GET, HEAD and OPTIONS, unsent; each gets 200 {}"`
	Record   string `json:"record,omitempty" flag:"record" out:"report" help:"scripts: record requests and responses here, without secrets"`
	Replay   string `json:"replay,omitempty" flag:"replay" help:"scripts: answer requests from a recording and send none"`
	Policy   string `json:"policy,omitempty" flag:"policy" value:"FILE" help:"permit only what this policy file names"`
	ReadOnly bool   `json:"readonly,omitempty" flag:"readonly" help:"refuse requests, statements and files that write"`
	// NoProject leaves the project's own modules out.
	NoProject bool `json:"no_project_modules,omitempty" flag:"no-project-modules" help:"load no module from this project's ./modules"`
}

// wire returns what does that, nil where nothing is asked for, and what is to be done after the script.
func (f *Feature) wire(in Requests) (*lua.Wire, func() error, error) {
	done := func() error { return nil }
	if !in.Trace && !in.DryRun && in.Record == "" && in.Replay == "" {
		return nil, done, nil
	}
	if in.Replay != "" && (in.Record != "" || in.DryRun) {
		return nil, done, fault.New(fault.Usage, "--replay sends nothing: --record and --dry-run do not go with it")
	}
	w := &lua.Wire{Record: in.Record != ""}
	if in.Trace {
		w.Trace = f.stderr
	}
	if in.DryRun {
		w.DryRun = f.stderr
	}
	if in.Replay != "" {
		text, err := f.readUpTo(in.Replay, mostRecording)
		if err != nil {
			return nil, done, f.unread("reading", in.Replay, err, "a recording of requests (--record makes one)")
		}
		if err := w.Replay(text); err != nil {
			return nil, done, fault.New(fault.Usage, "%s: %v", filepath.ToSlash(in.Replay), err).Or("make one with --record FILE")
		}
	}
	if in.Record != "" {
		done = func() error {
			text, err := w.Recording()
			if err == nil {
				err = safe.Deliver(f.path(in.Record), text, 0o600)
			}
			if err != nil {
				return fault.New(fault.Unavailable, "the recording cannot be written").Because(err)
			}
			return nil
		}
	}
	return w, done, nil
}
