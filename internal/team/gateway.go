package team

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	"slices"
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

// A gateway authenticates requests. It answers probes and metadata itself, and passes every other request to the
// handler of the team and role that the request's token has.
type gateway struct {
	cfg      *Config
	guard    *guard.Guard
	tokens   *Tokens
	provider *provider // nil: no identity provider is configured
	limit    *limiter
	turns    *turns
	heavy    map[string]func(json.RawMessage) bool // by tool
	meter    *meter
	access   *journal // nil: requests are not logged
	audit    *journal
	now      func() time.Time
	handlers map[string]teamHandlers // by team
	refresh  func(ctx context.Context) error

	ready, draining atomic.Bool

	mu     sync.Mutex
	active map[*activeRequest]bool
}

// teamHandlers answer the requests of one team: read those of the role read, write those of the higher roles.
type teamHandlers struct{ read, write http.Handler }

// An activeRequest is an authenticated request that has not ended.
type activeRequest struct {
	holder Holder
	cancel context.CancelFunc
	calls  atomic.Int64 // more than one if an old client sends a batch
}

// requestKey finds a call's activeRequest in its context.
type requestKey struct{}

// The paths of the server. Only mcpPath speaks the Model Context Protocol.
const (
	healthPath, readyPath, metricsPath, refreshPath, mcpPath = "/healthz", "/readyz", "/metrics", "/refresh", "/mcp"
	// resourcePath has the metadata that names the identity provider (RFC 9728, 3.1).
	resourcePath = "/.well-known/oauth-protected-resource"
)

// ServeHTTP answers one request.
func (d *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	// Probes are answered before the host is checked, because they call the server by its IP address.
	switch r.URL.Path {
	case healthPath:
		writeText(w, http.StatusOK, "ok")
		return
	case readyPath:
		if !d.ready.Load() || d.draining.Load() {
			writeText(w, http.StatusServiceUnavailable, "not ready")
			return
		}
		writeText(w, http.StatusOK, "ready")
		return
	}
	if !d.guard.AllowsHost(r) {
		d.refuse(w, r, Holder{}, http.StatusForbidden, "host", fmt.Sprintf("Forbidden: the host %.100q is not allowed; add it with --allow-host", r.Host))
		return
	}
	if r.URL.Path == mcpPath && r.Method == http.MethodOptions {
		// A browser sends a preflight request without a token; the answer is the same for every team.
		for _, room := range d.handlers {
			room.read.ServeHTTP(w, r)
			return
		}
	}
	if d.provider != nil && (r.URL.Path == resourcePath || r.URL.Path == resourcePath+mcpPath) {
		d.describe(w, r)
		return
	}
	if err := d.guard.CheckOrigin(r); err != nil {
		d.refuse(w, r, Holder{}, http.StatusForbidden, "origin", "Forbidden: "+err.Error())
		return
	}
	h, ok := d.authenticate(r)
	t := d.cfg.Teams[h.Team]
	if !ok || t == nil {
		w.Header().Set("WWW-Authenticate", d.challenge(r))
		d.refuse(w, r, Holder{}, http.StatusUnauthorized, "token", "Unauthorized: send a valid token as Authorization: Bearer TOKEN")
		return
	}
	switch r.URL.Path {
	case metricsPath, refreshPath:
		d.serveAdmin(w, r, h)
	case mcpPath:
		d.serveTeam(w, r, h, t)
	default:
		d.refuse(w, r, h, http.StatusNotFound, "path", "Not found: MCP clients must use /mcp")
	}
}

// authenticate returns the holder of a request's token.
func (d *gateway) authenticate(r *http.Request) (Holder, bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return Holder{}, false
	}
	if d.provider != nil && isJWT(token) {
		return d.provider.verify(r.Context(), token, r.Header.Get(teamHeader))
	}
	return d.tokens.Find(token)
}

// isValid reports whether a holder's token has neither expired nor been revoked.
func (d *gateway) isValid(h Holder) bool {
	if !h.until.IsZero() {
		return d.now().Before(h.until)
	}
	return d.tokens.IsValid(h)
}

// address returns the URL of this server as the client wrote it.
func (d *gateway) address(r *http.Request) string {
	if d.cfg.TLS == nil && !d.cfg.Plain {
		return "http://" + r.Host
	}
	return "https://" + r.Host
}

// challenge returns the WWW-Authenticate header of a request without a valid token.
func (d *gateway) challenge(r *http.Request) string {
	if d.provider == nil {
		return "Bearer"
	}
	return fmt.Sprintf("Bearer resource_metadata=%q", d.address(r)+resourcePath)
}

// describe writes the metadata of RFC 9728: the identity provider whose tokens this server accepts.
func (d *gateway) describe(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Access-Control-Allow-Origin", "*") // the metadata is public
	_ = json.NewEncoder(w).Encode(map[string]any{"resource": d.address(r) + mcpPath, "authorization_servers": []string{d.provider.cfg.Issuer},
		"bearer_methods_supported": []string{"header"}}) // fails only if the client has closed the connection
}

// serveAdmin answers requests for metrics and for a refresh, which need the role administer.
func (d *gateway) serveAdmin(w http.ResponseWriter, r *http.Request, h Holder) {
	switch {
	case h.Role < Administer:
		d.refuse(w, r, h, http.StatusForbidden, "role", "Forbidden: the token must have the role administer")
	case r.URL.Path == metricsPath && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = d.meter.write(w, d.turns.countWaiting()) // fails only if the client has closed the connection
	case r.URL.Path == refreshPath && r.Method == http.MethodPost:
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // a fetch may take longer than the read deadline, which would cancel it
		err := d.refresh(r.Context())
		d.audit.write(d.newEntry(r.Context(), "refresh", h, err))
		if err != nil {
			writeText(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		writeText(w, http.StatusOK, "refreshed")
	default:
		d.refuse(w, r, h, http.StatusMethodNotAllowed, "method", "Method not allowed")
	}
}

// serveTeam passes a request to its team's handler if the team's limits allow it, and cancels it when its token expires or is revoked.
func (d *gateway) serveTeam(w http.ResponseWriter, r *http.Request, h Holder, t *Team) {
	if r.Method == http.MethodPost {
		if d.turns.isFull(h.Team) { // a refused request must not use up the quota
			w.Header().Set("Retry-After", "1")
			d.refuse(w, r, h, http.StatusServiceUnavailable, "busy", d.turns.busyError().Error())
			return
		}
		if wait, why := d.limit.allow(h, t); why != "" {
			w.Header().Set("Retry-After", formatSeconds(wait))
			d.refuse(w, r, h, http.StatusTooManyRequests, why, "Too many requests: "+limitMessage(why))
			return
		}
	}
	v := &activeRequest{holder: h}
	ctx, leave := context.WithCancel(context.WithValue(r.Context(), requestKey{}, v))
	v.cancel = leave
	defer leave()
	d.mu.Lock()
	d.active[v] = true
	d.mu.Unlock()
	d.meter.addRunning(h.Team, 1)
	defer func() {
		d.meter.addRunning(h.Team, -1)
		d.mu.Lock()
		delete(d.active, v)
		d.mu.Unlock()
	}()
	to := d.handlers[h.Team].read
	if h.Role >= Write {
		to = d.handlers[h.Team].write
	}
	r = r.WithContext(ctx)
	r.Header.Del("Authorization") // handlers do not need the token
	to.ServeHTTP(w, r)
}

func formatSeconds(wait time.Duration) string { return strconv.Itoa(int(math.Ceil(wait.Seconds()))) }

// limitMessage says which limit a request has reached.
func limitMessage(why string) string {
	return map[string]string{"rate": "the token's limit of calls per minute is reached", "quota": "the team's limit of calls per day is reached"}[why]
}

// takeTurn waits until a call may run. It counts every call of a request except the first, because serveTeam has counted
// that one.
func (d *gateway) takeTurn(ctx context.Context, tool string, args json.RawMessage) (end func(), err error) {
	v, ok := ctx.Value(requestKey{}).(*activeRequest)
	if !ok {
		return nil, fault.New(fault.Internal, "a call without an authenticated request")
	}
	h := v.holder
	if v.calls.Add(1) > 1 {
		if wait, why := d.limit.allow(h, d.cfg.Teams[h.Team]); why != "" {
			d.meter.countRefusal(why)
			return nil, fault.New(fault.Unavailable, "%s", limitMessage(why)).Or("call %s again in %s seconds", tool, formatSeconds(wait))
		}
	}
	heavy := d.heavy[tool]
	return d.turns.acquire(ctx, h.Team, heavy != nil && heavy(args))
}

// cancelRevoked cancels the requests and streams whose tokens were revoked or have expired.
func (d *gateway) cancelRevoked() {
	d.mu.Lock()
	all := slices.Collect(maps.Keys(d.active))
	d.mu.Unlock()
	for _, v := range all {
		if !d.isValid(v.holder) {
			d.meter.countRefusal("revoked")
			v.cancel()
		}
	}
}

// An entry is a line of a journal.
type entry struct {
	Time    time.Time       `json:"time"`
	Team    string          `json:"team,omitempty"`
	Token   string          `json:"token,omitempty"` // the ID of the token
	Holder  string          `json:"holder,omitempty"`
	From    string          `json:"from,omitempty"`
	Trace   string          `json:"trace,omitempty"` // the trace ID that the client sent
	Call    string          `json:"call"`
	Outcome string          `json:"outcome"`
	MS      float64         `json:"ms,omitempty"`
	Args    json.RawMessage `json:"args,omitempty"`
}

func (d *gateway) newEntry(ctx context.Context, call string, h Holder, err error) entry {
	from, _ := ctx.Value(originKey{}).(origin)
	return entry{Time: d.now().UTC(), Team: h.Team, Token: h.ID, Holder: h.Name, From: from.address, Trace: from.trace, Call: call, Outcome: outcome(err)}
}

type originKey struct{}

// An origin is the address of a request's client, and the trace that the request belongs to.
type origin struct{ address, trace string }

// traceParent is the header that names a trace (W3C Trace Context), whose identifier is not all zeros.
var traceParent = lazy.Regexp(`^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$`)

func traceID(h http.Header) string {
	if m := traceParent.FindStringSubmatch(h.Get("Traceparent")); m != nil && strings.Trim(m[1], "0") != "" {
		return m[1]
	}
	return ""
}

// withOrigin adds the origin of a request to its context.
func withOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			host = r.RemoteAddr
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), originKey{}, origin{host, traceID(r.Header)})))
	})
}

// outcome returns the word for a call's result in logs and metrics.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	return cmp.Or(outcomes[fault.KindOf(err)], "internal")
}

var outcomes = map[fault.Kind]string{
	fault.Usage:       "usage",
	fault.NotFound:    "not_found",
	fault.Stale:       "stale",
	fault.Unavailable: "unavailable",
	fault.Interrupted: "interrupted",
	fault.Negative:    "negative",
}

// logCall counts and logs a call that has ended. Its arguments are logged only if log_queries is set.
func (d *gateway) logCall(ctx context.Context, c mcp.Done) {
	var h Holder
	if v, ok := ctx.Value(requestKey{}).(*activeRequest); ok {
		h = v.holder
	}
	d.meter.countCall(h.Team, c.Tool, outcome(c.Err), c.Took)
	e := d.newEntry(ctx, c.Tool, h, c.Err)
	e.MS = float64(c.Took.Microseconds()) / 1000
	if c.Effect != op.Reads {
		d.audit.write(e)
	}
	if d.cfg.LogQueries {
		e.Args = loggedArguments(c)
	}
	d.access.write(e)
}

// refuse answers with an error of JSON-RPC, because MCP clients only read that form.
func (d *gateway) refuse(w http.ResponseWriter, r *http.Request, h Holder, status int, why, said string) {
	d.meter.countRefusal(why)
	e := d.newEntry(r.Context(), "refused", h, nil)
	e.Outcome = why
	d.access.write(e)
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32000, "message": said}})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has closed the connection
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}
