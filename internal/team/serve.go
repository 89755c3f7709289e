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
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/guard"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// A Space is all that a team's operations may touch.
type Space struct {
	Workspace string   // the file that lists repositories
	Repos     []string // names of those in it; none: no code is served
	Docs      []string // files of library documentation; none: none is served
	Dir       string   // a folder of the team's own, which exists
	Memory    bool     // it remembers, there
}

// An Opened is what a space was opened as.
type Opened struct {
	Ops     []op.Op
	Refresh func(context.Context) error // fetches its repositories again
	Close   func() error
}

// A Service is what a team server needs to know of the program.
type Service struct {
	Open         func(ctx context.Context, s Space) (Opened, error)
	Version      string
	Instructions string
	Now          func() time.Time
	Again        <-chan struct{} // tells it to fetch the repositories again; may be nil
}

// sweepEvery is how soon a stream ends whose token was revoked.
const sweepEvery = time.Second

// Serve serves the teams of a file at the address of opt until ctx ends.
func Serve(ctx context.Context, svc Service, file string, opt mcp.HTTPOptions, errOut io.Writer) (err error) {
	cfg, err := Load(file)
	if err != nil {
		return err
	}
	tell := teller(errOut)
	d, shut, err := open(ctx, svc, cfg, opt, errOut, tell)
	defer func() { err = errors.Join(err, shut()) }()
	if err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(opt.Addr)
	if err != nil {
		return fault.New(fault.Usage, "address %q", opt.Addr).Because(err)
	}
	switch {
	case cfg.TLS != nil:
		keys, err := openKeys(*cfg.TLS, svc.Now, tell)
		if err != nil {
			return err
		}
		opt.Wrap = func(l net.Listener) net.Listener { return tls.NewListener(l, keys.config()) }
	case !guard.Local(host) && !cfg.Plain:
		return fault.New(fault.Usage, "tokens would pass over the network in the clear").
			Or("give tls a cert and a key, or say plain: true where something before this server has TLS")
	}
	opt.Errors = log.New(&faults{d.meter, errOut}, "assay: ", 0)
	opt.Stop = 30 * time.Second
	opt.Token = "-" // the door asks for one, whatever the address
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
		t := time.NewTicker(sweepEvery)
		defer t.Stop()
		for {
			select {
			case <-sweeping.Done():
				return
			case <-t.C:
				d.sweep()
			}
		}
	})
	behind.Go(func() { d.again(sweeping, svc.Again, tell) })
	defer behind.Wait()
	defer stop()
	return mcp.Listen(ctx, withAddress(d), opt)
}

// faults are what goes wrong with connections. Handshakes that fail are counted: who has no token would
// otherwise write as many lines as they like.
type faults struct {
	meter *meter
	to    io.Writer
}

func (f *faults) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("TLS handshake error")) {
		f.meter.refuse("handshake")
		return len(p), nil
	}
	return f.to.Write(p)
}

// teller writes what the server has to say of itself, a line each.
func teller(errOut io.Writer) func(string, ...any) {
	var mu sync.Mutex
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(errOut, "assay: %s\n", text.Log(fmt.Sprintf(format, args...)))
	}
}

// open opens all that a server of teams has; shut closes it, also where open failed.
func open(ctx context.Context, svc Service, cfg *Config, opt mcp.HTTPOptions, errOut io.Writer, tell func(string, ...any)) (d *door, shut func() error, err error) {
	var closing []func() error
	shut = func() error {
		var errs []error
		for _, c := range slices.Backward(closing) {
			errs = append(errs, c())
		}
		return errors.Join(errs...)
	}
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, shut, fault.New(fault.Unavailable, "make the folder %s", cfg.Data).Because(err)
	}
	d = &door{cfg: cfg, limit: newLimiter(svc.Now), turns: newTurns(cfg.Parallel, runtime.GOMAXPROCS(0), cfg.Teams), heavy: map[string]func(json.RawMessage) bool{}, meter: newMeter(svc.Now()), now: svc.Now, rooms: map[string]room{}, inside: map[*visit]bool{}}
	if d.guard, err = guard.New(opt.AllowHosts, opt.AllowOrigins, ""); err != nil {
		return nil, shut, err
	}
	if d.tokens, err = OpenTokens(cfg.Tokens, tell); err != nil {
		return nil, shut, err
	}
	if cfg.OIDC != nil {
		if d.provider, err = openProvider(*cfg.OIDC, svc.Now, tell); err != nil {
			return nil, shut, fault.New(fault.Unavailable, "the certificates of oidc").Because(err)
		}
	}
	if d.audit, err = openJournal(cfg.AuditLog, errOut, tell); err != nil {
		return nil, shut, fault.New(fault.Unavailable, "the audit log").Because(err)
	}
	closing = append(closing, d.audit.close)
	if d.access, err = openJournal(cfg.AccessLog, errOut, tell); err != nil {
		return nil, shut, fault.New(fault.Unavailable, "the access log").Because(err)
	}
	closing = append(closing, d.access.close)
	var refresh []func(context.Context) error
	for name, t := range cfg.Teams {
		dir := cfg.Dir(name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, shut, fault.New(fault.Unavailable, "make the folder %s", dir).Because(err)
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
		if d.rooms[name], err = d.room(ctx, svc, o.Ops, opt, errOut); err != nil {
			return nil, shut, err
		}
	}
	d.refresh = func(ctx context.Context) error {
		var errs []error
		for _, r := range refresh {
			errs = append(errs, r(ctx))
		}
		return errors.Join(errs...)
	}
	return d, shut, nil
}

// room returns the servers of a team: of what reads alone, and of all.
func (d *door) room(ctx context.Context, svc Service, ops []op.Op, opt mcp.HTTPOptions, errOut io.Writer) (r room, err error) {
	reads := slices.DeleteFunc(slices.Clone(ops), func(o op.Op) bool { return o.Effect != op.Reads })
	if r.read, err = d.server(ctx, svc, reads, opt, errOut); err != nil {
		return r, err
	}
	r.write, err = d.server(ctx, svc, ops, opt, errOut)
	return r, err
}

// server returns what answers clients with some operations.
func (d *door) server(ctx context.Context, svc Service, ops []op.Op, opt mcp.HTTPOptions, errOut io.Writer) (http.Handler, error) {
	s, err := mcp.Server(ops, svc.Version, mcp.Options{Instructions: svc.Instructions, Turn: d.turn, Log: errOut, Done: d.observe})
	if err != nil {
		return nil, err
	}
	opt.Token = ""
	return mcp.Handler(ctx, s, opt)
}
