package mcp

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A guard decides who may talk to the server. A web page in the user's browser
// can reach loopback too; it cannot choose its Host and Origin headers.
type guard struct {
	hosts  []string
	token  []byte // the SHA-256 of the token; nil when none is asked for
	origin func(*http.Request) error
}

func newGuard(opt HTTPOptions) (guard, error) {
	g := guard{}
	for _, h := range opt.AllowHosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	cross := http.NewCrossOriginProtection()
	for _, o := range opt.AllowOrigins {
		if err := cross.AddTrustedOrigin(o); err != nil {
			return g, fault.New(fault.Usage, "--allow-origin %s", o).Because(err).Or("give it as https://HOST or https://HOST:PORT")
		}
	}
	g.origin = func(r *http.Request) error {
		if cross.Check(r) != nil { // its own words speak of browsers, not of pages
			return errors.New("a page of another site may not call this server")
		}
		return nil
	}
	if opt.Token != "" {
		sum := sha256.Sum256([]byte(opt.Token))
		g.token = sum[:]
	}
	return g, nil
}

// host says whether r was sent to a name or address of this server. Any other
// name may have been pointed here by a page that wants to pass for us.
func (g *guard) host(r *http.Request) bool {
	name := strings.ToLower(r.Host)
	if h, _, err := net.SplitHostPort(name); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	if slices.Contains(g.hosts, name) || slices.Contains(g.hosts, strings.ToLower(r.Host)) {
		return true
	}
	if loopback(name) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	at, err := netip.ParseAddrPort(local.String())
	return err == nil && at.Addr().Unmap().WithZone("") == addr.Unmap().WithZone("")
}

// bearer says whether r carries the token, in a time that tells nothing of it.
func (g *guard) bearer(r *http.Request) bool {
	if g.token == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(sum[:], g.token) == 1 && strings.EqualFold(scheme, "Bearer")
}

// loopback says whether only this machine can use the host: a name or an
// address, without a port.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && addr.Unmap().IsLoopback()
}

// A timed gives each write its time. A deadline for all of them would be one for
// the call as well.
type timed struct {
	http.ResponseWriter
	rc   *http.ResponseController
	wait time.Duration
}

func (t *timed) WriteHeader(status int) {
	_ = t.rc.SetWriteDeadline(time.Now().Add(t.wait))
	t.ResponseWriter.WriteHeader(status)
}

func (t *timed) Write(b []byte) (int, error) {
	_ = t.rc.SetWriteDeadline(time.Now().Add(t.wait))
	return t.ResponseWriter.Write(b)
}

func (t *timed) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// A plain turns the SDK's refusals, which are plain text, into the protocol's form.
type plain struct {
	http.ResponseWriter
	rc     *http.ResponseController
	id     json.RawMessage // of the request, or null
	status int             // not 0 while a refusal is held back
	text   bytes.Buffer
}

func (p *plain) WriteHeader(status int) {
	if status >= 400 && strings.HasPrefix(p.Header().Get("Content-Type"), "text/plain") {
		p.status = status
		return
	}
	p.ResponseWriter.WriteHeader(status)
}

func (p *plain) Write(b []byte) (int, error) {
	if p.status != 0 {
		return p.text.Write(b)
	}
	if _, err := p.ResponseWriter.Write(restoreIDs(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Flush and Unwrap let the SDK stream through p.
func (p *plain) Flush() { _ = p.rc.Flush() }

func (p *plain) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// finish writes the refusal that was held back, if any.
func (p *plain) finish() {
	if p.status == 0 {
		return
	}
	e := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: strings.TrimSpace(p.text.String())}
	switch {
	case strings.HasPrefix(e.Message, "JSON RPC not handled"):
		e.Code = jsonrpc.CodeMethodNotFound
	case p.status != http.StatusBadRequest:
		e.Code = codeRefused
	}
	p.Header().Del("Content-Length")
	answer(p.ResponseWriter, p.status, answerTo(p.id, e))
}

// idOf returns the id of the request in body, or null.
func idOf(body []byte) json.RawMessage {
	var req struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(body, &req) != nil || req.Method == "" || len(req.ID) == 0 || req.ID[0] == '{' || req.ID[0] == '[' {
		return json.RawMessage("null")
	}
	return req.ID
}
