package team

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/guard"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// A Space lists the only data that a team's operations may touch.
type Space struct {
	Workspace string   // the file that lists repositories
	Repos     []string // names of repositories in the workspace; none: no code is served
	Docs      []string // files of library documentation; none: no documentation is served
	Dir       string   // a folder of the team's own, which exists
	Memory    bool     // notes are served, from Dir
}

// An OpenedSpace has the operations over a space, until it is closed.
type OpenedSpace struct {
	Ops     []op.Op
	Refresh func(context.Context) error // fetches its repositories
	Close   func() error
}

// A Service connects a team server to the program: how to open a space, and the texts and clock it serves with.
type Service struct {
	Open         func(ctx context.Context, s Space) (OpenedSpace, error)
	Version      string
	Instructions string
	Now          func() time.Time
	Refetch      <-chan struct{} // each value makes the server fetch the repositories; may be nil
}

// revokeInterval is the longest time that a stream stays open after its token was revoked.
const revokeInterval = time.Second

// Serve serves the teams of a file at the address of opt until ctx ends.
func Serve(ctx context.Context, svc Service, file string, opt mcp.HTTPOptions, errOut io.Writer) (err error) {
	cfg, err := Load(file)
	if err != nil {
		return err
	}
	warn := newWarner(errOut)
	d, shut, err := openGateway(ctx, svc, cfg, opt, errOut, warn)
	defer func() { err = errors.Join(err, shut()) }()
	if err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(opt.Addr)
	if err != nil {
		return fault.New(fault.Usage, "invalid address %q: use HOST:PORT", opt.Addr).Because(err)
	}
	switch {
	case cfg.TLS != nil:
		keys, err := openKeys(*cfg.TLS, svc.Now, warn)
		if err != nil {
			return err
		}
		opt.Wrap = func(l net.Listener) net.Listener { return tls.NewListener(l, keys.tlsConfig()) }
	case !guard.IsLoopback(host) && !cfg.Plain:
		return fault.New(fault.Usage, "without TLS, tokens would cross the network unencrypted").
			Or("set tls to a cert and a key, or plain: true if a proxy in front of this server has TLS")
	}
	opt.Errors = log.New(&connectionErrors{d.meter, errOut}, "assay: ", 0)
	opt.Stop = 30 * time.Second
	opt.Token = "-" // the gateway checks the token of every request, so that mcp must not
	opt.Drain = func() {
		d.draining.Store(true)
		time.Sleep(time.Duration(cfg.Drain))
	}
	ready := opt.Ready
	opt.Ready = func(at net.Addr) {
		d.ready.Store(true)
		if ready != nil {
			ready(at)
		}
	}
	sweeping, stop := context.WithCancel(ctx)
	var behind sync.WaitGroup
	behind.Go(func() {
		t := time.NewTicker(revokeInterval)
		defer t.Stop()
		for {
			select {
			case <-sweeping.Done():
				return
			case <-t.C:
				d.cancelRevoked()
			}
		}
	})
	behind.Go(func() { d.refetchOnSignal(sweeping, svc.Refetch, warn) })
	defer behind.Wait()
	defer stop()
	return mcp.Listen(ctx, withOrigin(d), opt)
}

// connectionErrors receives the errors of connections. It counts failed handshakes instead of logging them, because anybody
// without a token could otherwise fill the log.
type connectionErrors struct {
	meter *meter
	to    io.Writer
}

func (f *connectionErrors) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("TLS handshake error")) {
		f.meter.countRefusal("handshake")
		return len(p), nil
	}
	return f.to.Write(p)
}

// newWarner returns a function that writes a warning of the server as one line.
func newWarner(errOut io.Writer) func(string, ...any) {
	var mu sync.Mutex
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(errOut, "assay: %s\n", text.Log(fmt.Sprintf(format, args...)))
	}
}

// openGateway opens the tokens, logs and spaces of a server; shut closes them and must be called even if openGateway fails.
func openGateway(ctx context.Context, svc Service, cfg *Config, opt mcp.HTTPOptions, errOut io.Writer, warn func(string, ...any)) (d *gateway, shut func() error, err error) {
	var closing []func() error
	shut = func() error {
		var errs []error
		for _, c := range slices.Backward(closing) {
			errs = append(errs, c())
		}
		return errors.Join(errs...)
	}
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, shut, fault.New(fault.Unavailable, "cannot create the folder %s", cfg.Data).Because(err)
	}
	d = &gateway{cfg: cfg, limit: newLimiter(svc.Now), turns: newTurns(cfg.Parallel, runtime.GOMAXPROCS(0), cfg.Teams), heavy: map[string]func(json.RawMessage) bool{}, meter: newMeter(svc.Now()), now: svc.Now, handlers: map[string]teamHandlers{}, active: map[*activeRequest]bool{}}
	if d.guard, err = guard.New(opt.AllowHosts, opt.AllowOrigins, ""); err != nil {
		return nil, shut, err
	}
	if d.tokens, err = OpenTokens(cfg.Tokens, warn); err != nil {
		return nil, shut, err
	}
	if cfg.OIDC != nil {
		if d.provider, err = openProvider(*cfg.OIDC, svc.Now, warn); err != nil {
			return nil, shut, fault.New(fault.Unavailable, "cannot read the certificates of oidc.ca").Because(err)
		}
	}
	if d.audit, err = openJournal(cfg.AuditLog, errOut, warn); err != nil {
		return nil, shut, fault.New(fault.Unavailable, "cannot open the audit log").Because(err)
	}
	closing = append(closing, d.audit.close)
	if d.access, err = openJournal(cfg.AccessLog, errOut, warn); err != nil {
		return nil, shut, fault.New(fault.Unavailable, "cannot open the access log").Because(err)
	}
	closing = append(closing, d.access.close)
	var refresh []func(context.Context) error
	for name, t := range cfg.Teams {
		dir := cfg.Dir(name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, shut, fault.New(fault.Unavailable, "cannot create the folder %s", dir).Because(err)
		}
		o, err := svc.Open(ctx, Space{Workspace: cfg.Workspace, Repos: t.Repos, Docs: t.Docs, Dir: dir, Memory: t.Memory})
		if err != nil {
			return nil, shut, fmt.Errorf("team %s: %w", name, err)
		}
		closing = append(closing, o.Close)
		refresh = append(refresh, o.Refresh)
		for _, x := range o.Ops {
			for _, t := range x.Tools {
				d.heavy[t.Name] = t.Heavy
			}
		}
		if d.handlers[name], err = d.newTeamHandlers(ctx, svc, o.Ops, opt, errOut); err != nil {
			return nil, shut, err
		}
	}
	d.refresh = func(ctx context.Context) error {
		return errors.Join(slice.Map(refresh, func(r func(context.Context) error) error { return r(ctx) })...)
	}
	return d, shut, nil
}

// newTeamHandlers returns the handlers of a team: read has only the operations that read, write has all.
func (d *gateway) newTeamHandlers(ctx context.Context, svc Service, ops []op.Op, opt mcp.HTTPOptions, errOut io.Writer) (r teamHandlers, err error) {
	reads := slices.DeleteFunc(slices.Clone(ops), func(o op.Op) bool { return o.Effect != op.Reads })
	if r.read, err = d.newHandler(ctx, svc, reads, opt, errOut); err != nil {
		return r, err
	}
	r.write, err = d.newHandler(ctx, svc, ops, opt, errOut)
	return r, err
}

// newHandler returns a handler that serves ops over MCP.
func (d *gateway) newHandler(ctx context.Context, svc Service, ops []op.Op, opt mcp.HTTPOptions, errOut io.Writer) (http.Handler, error) {
	s, err := mcp.Server(ops, svc.Version, mcp.Options{Instructions: svc.Instructions, Turn: d.takeTurn, Log: errOut, Done: d.logCall})
	if err != nil {
		return nil, err
	}
	opt.Token = ""
	return mcp.Handler(ctx, s, opt)
}
