package team

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/present/guard"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// A door lets requests in: it knows who presents a token, answers what is nobody's secret
// itself and gives the rest to the server of that one's team and role.
type door struct {
	cfg      *Config
	guard    *guard.Guard
	tokens   *Tokens
	provider *provider // nil: there is none
	limit    *limiter
	turns    *turns
	heavy    map[string]func(json.RawMessage) bool // by tool
	meter    *meter
	access   *journal // nil: none is kept
	audit    *journal
	now      func() time.Time
	rooms    map[string]room // by team
	refresh  func(ctx context.Context) error

	ready, draining atomic.Bool

	mu     sync.Mutex
	inside map[*visit]bool
}

// A room is what answers one team: those who may store what it remembers, and others.
type room struct{ read, write http.Handler }

// A visit is a request that was let in.
type visit struct {
	holder Holder
	leave  context.CancelFunc
	calls  atomic.Int64 // that it made: an old client sends several in one request
}

// visitKey finds a call's visit in its context.
type visitKey struct{}

// Health, readiness and metrics are asked for without the protocol.
const (
	healthPath, readyPath, metricsPath, refreshPath, mcpPath = "/healthz", "/readyz", "/metrics", "/refresh", "/mcp"
	// resourcePath says where tokens come from (RFC 9728, 3.1).
	resourcePath = "/.well-known/oauth-protected-resource"
)

// ServeHTTP answers one request.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	// A probe asks by whatever address it has, and learns nothing else.
	switch r.URL.Path {
	case healthPath:
		say(w, http.StatusOK, "ok")
		return
	case readyPath:
		if !d.ready.Load() || d.draining.Load() {
			say(w, http.StatusServiceUnavailable, "not ready")
			return
		}
		say(w, http.StatusOK, "ready")
		return
	}
	if !d.guard.Host(r) {
		d.refuse(w, r, Holder{}, http.StatusForbidden, "host", fmt.Sprintf("Forbidden: this server is not called %.100q; --allow-host adds a name", r.Host))
		return
	}
	if r.URL.Path == mcpPath && r.Method == http.MethodOptions {
		// A browser asks without its token; what is allowed is the same for every team.
		for _, room := range d.rooms {
			room.read.ServeHTTP(w, r)
			return
		}
	}
	if d.provider != nil && (r.URL.Path == resourcePath || r.URL.Path == resourcePath+mcpPath) {
		d.describe(w, r)
		return
	}
	if err := d.guard.Origin(r); err != nil {
		d.refuse(w, r, Holder{}, http.StatusForbidden, "origin", "Forbidden: "+err.Error())
		return
	}
	h, ok := d.holder(r)
	t := d.cfg.Teams[h.Team]
	if !ok || t == nil {
		w.Header().Set("WWW-Authenticate", d.challenge(r))
		d.refuse(w, r, Holder{}, http.StatusUnauthorized, "token", "Unauthorized: this server wants a token that counts, as Authorization: Bearer TOKEN")
		return
	}
	switch r.URL.Path {
	case metricsPath, refreshPath:
		d.administer(w, r, h)
	case mcpPath:
		d.enter(w, r, h, t)
	default:
		d.refuse(w, r, h, http.StatusNotFound, "path", "Not found: clients of the protocol speak to /mcp")
	}
}

// holder returns who presents a token.
func (d *door) holder(r *http.Request) (Holder, bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return Holder{}, false
	}
	if d.provider != nil && looksIssued(token) {
		return d.provider.find(r.Context(), token, r.Header.Get(teamHeader))
	}
	return d.tokens.Find(token)
}

// counts reports whether a holder's token still does.
func (d *door) counts(h Holder) bool {
	if !h.until.IsZero() {
		return d.now().Before(h.until)
	}
	return d.tokens.Valid(h)
}

// address is that of this server, as the client calls it.
func (d *door) address(r *http.Request) string {
	if d.cfg.TLS == nil && !d.cfg.Plain {
		return "http://" + r.Host
	}
	return "https://" + r.Host
}

// challenge says which tokens count.
func (d *door) challenge(r *http.Request) string {
	if d.provider == nil {
		return "Bearer"
	}
	return fmt.Sprintf("Bearer resource_metadata=%q", d.address(r)+resourcePath)
}

// describe says where tokens for this server come from.
func (d *door) describe(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Access-Control-Allow-Origin", "*") // nobody's secret
	_ = json.NewEncoder(w).Encode(map[string]any{"resource": d.address(r) + mcpPath, "authorization_servers": []string{d.provider.cfg.Issuer},
		"bearer_methods_supported": []string{"header"}}) // who went away reads no answer
}

// administer answers who may look after the server.
func (d *door) administer(w http.ResponseWriter, r *http.Request, h Holder) {
	switch {
	case h.Role < Administer:
		d.refuse(w, r, h, http.StatusForbidden, "role", "Forbidden: this needs a token of the role administer")
	case r.URL.Path == metricsPath && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = d.meter.write(w, d.turns.waits()) // who went away reads no error
	case r.URL.Path == refreshPath && r.Method == http.MethodPost:
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // fetching takes longer than a body may, and would end with it
		err := d.refresh(r.Context())
		d.audit.write(d.entry(r.Context(), "refresh", h, err))
		if err != nil {
			say(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		say(w, http.StatusOK, "refreshed")
	default:
		d.refuse(w, r, h, http.StatusMethodNotAllowed, "method", "Method not allowed")
	}
}

// enter gives a request to its team, within its limits, until its token counts no more.
func (d *door) enter(w http.ResponseWriter, r *http.Request, h Holder, t *Team) {
	if r.Method == http.MethodPost {
		if d.turns.full(h.Team) { // before it counts
			w.Header().Set("Retry-After", "1")
			d.refuse(w, r, h, http.StatusServiceUnavailable, "busy", d.turns.busy().Error())
			return
		}
		if wait, why := d.limit.take(h, t); why != "" {
			w.Header().Set("Retry-After", seconds(wait))
			d.refuse(w, r, h, http.StatusTooManyRequests, why, "Too many requests: "+usedUp(why))
			return
		}
	}
	v := &visit{holder: h}
	ctx, leave := context.WithCancel(context.WithValue(r.Context(), visitKey{}, v))
	v.leave = leave
	defer leave()
	d.mu.Lock()
	d.inside[v] = true
	d.mu.Unlock()
	d.meter.run(h.Team, 1)
	defer func() {
		d.meter.run(h.Team, -1)
		d.mu.Lock()
		delete(d.inside, v)
		d.mu.Unlock()
	}()
	to := d.rooms[h.Team].read
	if h.Role >= Write {
		to = d.rooms[h.Team].write
	}
	r = r.WithContext(ctx)
	r.Header.Del("Authorization") // nothing behind the door has a use for it
	to.ServeHTTP(w, r)
}

func seconds(wait time.Duration) string { return strconv.Itoa(int(math.Ceil(wait.Seconds()))) }

// usedUp says which limit a request has reached.
func usedUp(why string) string {
	return fmt.Sprintf("the %s of this token's team is used up", map[string]string{"rate": "rate in a minute", "quota": "quota of a day"}[why])
}

// turn waits for that of a call, within the limits of its team: the door has counted the first of a
// request, which may have more.
func (d *door) turn(ctx context.Context, tool string, args json.RawMessage) (end func(), err error) {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return nil, fault.New(fault.Internal, "a call of nobody")
	}
	h := v.holder
	if v.calls.Add(1) > 1 {
		if wait, why := d.limit.take(h, d.cfg.Teams[h.Team]); why != "" {
			d.meter.refuse(why)
			return nil, fault.New(fault.Unavailable, "%s", usedUp(why)).Or("call %s again in %s seconds", tool, seconds(wait))
		}
	}
	heavy := d.heavy[tool]
	return d.turns.take(ctx, h.Team, heavy != nil && heavy(args))
}

// sweep ends the requests and streams of tokens that were revoked meanwhile.
func (d *door) sweep() {
	d.mu.Lock()
	var all []*visit
	for v := range d.inside {
		all = append(all, v)
	}
	d.mu.Unlock()
	for _, v := range all {
		if !d.counts(v.holder) {
			d.meter.refuse("revoked")
			v.leave()
		}
	}
}

// An entry is a line of a journal.
type entry struct {
	Time    time.Time       `json:"time"`
	Team    string          `json:"team,omitempty"`
	Token   string          `json:"token,omitempty"` // its ID
	Holder  string          `json:"holder,omitempty"`
	From    string          `json:"from,omitempty"`
	Trace   string          `json:"trace,omitempty"` // that the client names
	Call    string          `json:"call"`
	Outcome string          `json:"outcome"`
	MS      float64         `json:"ms,omitempty"`
	Args    json.RawMessage `json:"args,omitempty"`
}

func (d *door) entry(ctx context.Context, call string, h Holder, err error) entry {
	from, _ := ctx.Value(fromKey{}).(whence)
	return entry{Time: d.now().UTC(), Team: h.Team, Token: h.ID, Holder: h.Name, From: from.address, Trace: from.trace, Call: call, Outcome: outcome(err)}
}

type fromKey struct{}

// A whence is the address that a request came from, and the trace that it is a part of.
type whence struct{ address, trace string }

// traceParent is the header that names a trace (W3C Trace Context), whose identifier is not all zeros.
var traceParent = lazy.Regexp(`^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$`)

func traceOf(h http.Header) string {
	if m := traceParent.FindStringSubmatch(h.Get("Traceparent")); m != nil && strings.Trim(m[1], "0") != "" {
		return m[1]
	}
	return ""
}

// withAddress puts into the context of a request whence it came.
func withAddress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			host = r.RemoteAddr
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), fromKey{}, whence{host, traceOf(r.Header)})))
	})
}

// outcome is one word for what came of a call.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	switch fault.KindOf(err) {
	case fault.Usage:
		return "usage"
	case fault.NotFound:
		return "not_found"
	case fault.Stale:
		return "stale"
	case fault.Unavailable:
		return "unavailable"
	case fault.Interrupted:
		return "interrupted"
	case fault.Negative:
		return "negative"
	}
	return "internal"
}

// observe counts and writes down a call that has ended. What it asked is written only where
// the configuration says so.
func (d *door) observe(ctx context.Context, c mcp.Done) {
	var h Holder
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		h = v.holder
	}
	d.meter.call(h.Team, c.Tool, outcome(c.Err), c.Took)
	e := d.entry(ctx, c.Tool, h, c.Err)
	e.MS = float64(c.Took.Microseconds()) / 1000
	if c.Effect != op.Reads {
		d.audit.write(e)
	}
	if d.cfg.LogQueries {
		e.Args = asked(c)
	}
	d.access.write(e)
}

// refuse says no, in the form that clients of the protocol read.
func (d *door) refuse(w http.ResponseWriter, r *http.Request, h Holder, status int, why, said string) {
	d.meter.refuse(why)
	e := d.entry(r.Context(), "refused", h, nil)
	e.Outcome = why
	d.access.write(e)
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32000, "message": said}})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // who went away reads no refusal
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}
