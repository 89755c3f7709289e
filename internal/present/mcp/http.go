package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/heap"
	"github.com/assay-dev/assay/internal/present/guard"
)

// HTTPOptions say where a server listens and whom it answers.
type HTTPOptions struct {
	Errors       *log.Logger    // what goes wrong with connections; nil: standard error
	Addr         string         // host:port; port 0 takes a free one
	Token        string         // what clients must bear; none is asked for when empty
	AllowHosts   []string       // names the server is reached by, beside loopback ones
	AllowOrigins []string       // web origins that may call it: "https://host[:port]"
	PerAddress   int            // requests of one address that are served at once; 0: no limit
	Ready        func(net.Addr) // called once it listens; may be nil
	// Wrap returns what connections are accepted from, as with TLS; nil: as they come. A
	// build that speaks none has no use for all that TLS is.
	Wrap  func(net.Listener) net.Listener
	Drain func()        // called when it is to stop and still answers; may be nil
	Stop  time.Duration // what calls that run get then; 0: 5 s

	limits *limits // other than usual; for tests
}

const (
	maxHeader   = 64 << 10
	maxBatch    = 64       // messages in one request, which only old clients send
	smallBody   = 64 << 10 // no call of a tool needs more, but for a few
	codeRefused = -32000   // as the protocol's other servers answer what HTTP forbids
)

// Limits keep clients that send slowly, read slowly, send much or are many from
// taking the server's memory or its place for others.
type limits struct {
	header, body, idle time.Duration // for a request's header, its body, and between requests
	write              time.Duration // for each write; more than body, as the server reads a refused body before it writes why
	stop               time.Duration // what running calls get when the server stops
	pulse              time.Duration // of an idle stream
	conns              int           // one more takes the place of one that waits for its request
	streams            int           // idle ones
	large              int           // bodies above smallBody at once
}

func usualLimits() limits {
	return limits{
		header: 5 * time.Second, body: 30 * time.Second, idle: 2 * time.Minute, write: 45 * time.Second, stop: 5 * time.Second, pulse: 25 * time.Second,
		conns: 2048, streams: 1024, large: 4,
	}
}

// HTTP serves clients at /mcp, each request by itself, until ctx ends; it lets
// the calls that run then end, and returns nil.
func HTTP(ctx context.Context, s *mcp.Server, opt HTTPOptions) error {
	h, err := Handler(ctx, s, opt)
	if err != nil {
		return err
	}
	return Listen(ctx, h, opt)
}

// Handler returns what answers clients of s at /mcp, and at /ping, until ctx ends.
func Handler(ctx context.Context, s *mcp.Server, opt HTTPOptions) (http.Handler, error) {
	return newHandler(ctx, s, opt, opt.lim())
}

func (opt *HTTPOptions) lim() limits {
	lim := usualLimits()
	if opt.limits != nil {
		lim = *opt.limits
	}
	if opt.Stop > 0 {
		lim.stop = opt.Stop
	}
	return lim
}

// bounded gives the body of every request its time: one that is refused has a body too, which net/http
// reads before it says so.
func bounded(h http.Handler, body time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(body)) // every connection of net/http has deadlines
		h.ServeHTTP(w, r)
	})
}

// Listen serves h at the address of opt until ctx ends, as HTTP does.
func Listen(ctx context.Context, h http.Handler, opt HTTPOptions) error {
	host, _, err := net.SplitHostPort(opt.Addr)
	if err != nil {
		return fault.New(fault.Usage, "address %q", opt.Addr).Because(err).Or("give it as HOST:PORT")
	}
	if !guard.IsLoopback(host) && opt.Token == "" && len(opt.AllowHosts) == 0 {
		return fault.New(fault.Usage, "to listen on %s would let anyone on the network in", opt.Addr).
			Or("say that you mean it with --allow-host NAME, the name by which clients reach this machine, or require a token with --token-file FILE; else keep to --host 127.0.0.1")
	}
	defer heap.Shared()()
	lim := opt.lim()
	calls, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	l, err := listen(ctx, opt.Addr)
	if err != nil {
		return err
	}
	held := newPlaces(l, lim.conns)
	srv := &http.Server{
		Handler:   bounded(h, lim.body),
		ConnState: held.state,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, worksKey{}, func() { held.works(bare(c)) })
		},
		ReadHeaderTimeout: lim.header,
		IdleTimeout:       lim.idle,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return calls },
		ErrorLog:          opt.Errors,
	}
	served := make(chan error, 1)
	on := net.Listener(held)
	if opt.Wrap != nil {
		on = opt.Wrap(held)
	}
	go func() { served <- srv.Serve(on) }()
	if opt.Ready != nil {
		opt.Ready(l.Addr())
	}
	select {
	case err := <-served:
		return fault.New(fault.Unavailable, "the server on %s stopped", l.Addr()).Because(err)
	case <-ctx.Done():
	}
	if opt.Drain != nil {
		opt.Drain()
	}
	wait, done := context.WithTimeout(calls, lim.stop)
	defer done()
	if srv.Shutdown(wait) != nil {
		abort() // the calls that still run answer that they were cancelled
		wait, done := context.WithTimeout(context.WithoutCancel(ctx), 2*grace)
		defer done()
		if srv.Shutdown(wait) != nil {
			_ = srv.Close() // what it leaves open ends with the process
		}
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fault.New(fault.Unavailable, "the server on %s stopped", l.Addr()).Because(err)
	}
	return nil
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	network := "tcp"
	if at, err := netip.ParseAddrPort(addr); err == nil && at.Addr().Is4() {
		network = "tcp4" // else 0.0.0.0 would be [::] too
	}
	l, err := lc.Listen(ctx, network, addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fault.New(fault.Unavailable, "%s is in use by another program", addr).
			Or("stop that program, or choose another port with --port (0 takes a free one)")
	case errors.Is(err, syscall.EACCES):
		return nil, fault.New(fault.Unavailable, "not allowed to listen on %s", addr).Or("choose a port above 1023 with --port")
	}
	return nil, fault.New(fault.Unavailable, "cannot listen on %s", addr).Because(err).
		Or("choose another address with --host and --port")
}

// worksKey is where a request's context keeps how to say that the request has come whole.
type worksKey struct{}

// works says that all of a request is here: its connection keeps its place.
func works(r *http.Request) {
	if say, ok := r.Context().Value(worksKey{}).(func()); ok {
		say()
	}
}

// A handler answers the requests of one HTTP server.
type handler struct {
	*guard.Guard
	lim      limits
	stop     <-chan struct{} // closed when the server stops
	json, ev http.Handler    // answer as JSON, and as a stream of events
	idling   chan struct{}   // holds an element for each idle stream
	loaded   chan struct{}   // holds an element for each large body
	shares   *shares
}

func newHandler(ctx context.Context, s *mcp.Server, opt HTTPOptions, lim limits) (*handler, error) {
	g, err := guard.New(opt.AllowHosts, opt.AllowOrigins, opt.Token)
	if err != nil {
		return nil, err
	}
	serve := func(asJSON bool) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
			Stateless:                    true,
			JSONResponse:                 asJSON,
			MaxRequestBodyBytes:          maxMessage,
			PropagateRequestCancellation: true,
			// The SDK knows no name but localhost; the guard knows them all.
			DisableLocalhostProtection: len(opt.AllowHosts) > 0,
		})
	}
	return &handler{Guard: g, lim: lim, stop: ctx.Done(), json: serve(true), ev: serve(false),
		idling: make(chan struct{}, lim.streams), loaded: make(chan struct{}, lim.large), shares: &shares{most: opt.PerAddress}}, nil
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rc := http.NewResponseController(w)
	w = &timed{ResponseWriter: w, rc: rc, wait: h.lim.write}
	if !h.AllowsHost(r) {
		refuse(w, http.StatusForbidden, codeRefused, fmt.Sprintf("Forbidden: this server is not called %q; --allow-host adds a name", r.Host))
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch r.URL.Path {
	case "/ping":
		h.ping(w, r)
	case "/mcp":
		h.mcp(w, r)
	default:
		answer(w, http.StatusNotFound, []byte(`{"error":"not_found","message":"Endpoint not found. Use /mcp for MCP protocol communication."}`))
	}
}

func (h *handler) ping(w http.ResponseWriter, r *http.Request) {
	share(w)
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		answer(w, http.StatusOK, []byte(`{"status":"ok","message":"pong"}`))
	case http.MethodOptions:
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", "GET, OPTIONS")
		refuse(w, http.StatusMethodNotAllowed, codeRefused, "Method not allowed.")
	}
}

func (h *handler) mcp(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodOptions { // a browser asks without its token
		share(w)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err := h.CheckOrigin(r); err != nil {
		refuse(w, http.StatusForbidden, codeRefused, "Forbidden: "+err.Error())
		return
	}
	share(w)
	if !h.HasToken(r) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, codeRefused, "Unauthorized: this server wants its token as Authorization: Bearer TOKEN")
		return
	}
	_, events := accepts(r)
	leave, ok := h.shares.enter(r, r.Method == http.MethodGet)
	if !ok {
		w.Header().Set("Retry-After", "1")
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusTooManyRequests, codeRefused, fmt.Sprintf("Too many requests: %d of this address are being answered; --limit-per-address sets how many may be.", h.shares.most))
		return
	}
	defer leave()
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case r.Method == http.MethodGet && events:
		h.idle(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, OPTIONS")
		refuse(w, http.StatusMethodNotAllowed, codeRefused, "Method not allowed.")
	}
}

// share lets a web page read the answer, as far as the other checks let it ask.
func share(w http.ResponseWriter) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Methods", "GET,POST,OPTIONS,DELETE")
	w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name")
	w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id")
}

// post checks a message before the SDK sees it, because the SDK answers a bad
// one in plain text, which no client of the protocol reads.
func (h *handler) post(w http.ResponseWriter, r *http.Request) {
	body, done, ok := h.read(w, r)
	defer done()
	if !ok {
		return
	}
	works(r)
	rc := http.NewResponseController(w)
	// A deadline that passes while the call runs would end the call.
	_ = rc.SetReadDeadline(time.Time{})
	if !json.Valid(body) {
		refuse(w, http.StatusBadRequest, jsonrpc.CodeParseError, "Parse error")
		return
	}
	if crowded(body) {
		refuse(w, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, fmt.Sprintf("Invalid Request: more than %d messages in one", maxBatch))
		return
	}
	id := idOf(body)
	body, wrong := keepIDs(body)
	if wrong != nil {
		refuse(w, http.StatusBadRequest, wrong.Code, wrong.Message)
		return
	}
	asJSON, events := accepts(r)
	next := h.json
	if events && !asJSON {
		next = h.ev
	}
	texts := &heldTexts{}
	r = r.WithContext(context.WithValue(r.Context(), carrierKey{}, &carrier{r.Context(), texts}))
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Set("Accept", "application/json, text/event-stream")
	out := &plain{ResponseWriter: w, rc: rc, id: id, texts: texts}
	next.ServeHTTP(out, r)
	out.finish()
}

// read returns the body of r, or refuses it. Of large ones only so many are held
// at a time, until done is called.
func (h *handler) read(w http.ResponseWriter, r *http.Request) (body []byte, done func(), ok bool) {
	done = func() {}
	from := http.MaxBytesReader(w, r.Body, maxMessage)
	var err error
	if r.ContentLength > maxMessage {
		_, err = io.Copy(io.Discard, from)
	} else {
		body, err = io.ReadAll(io.LimitReader(from, smallBody))
	}
	if err == nil && len(body) == smallBody {
		full := !h.load()
		// It is not the client that let this time pass.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(h.lim.body))
		if full {
			_, _ = io.Copy(io.Discard, from) // most clients read no answer before they have sent all
			refuse(w, http.StatusServiceUnavailable, codeRefused, "Busy with other large requests; try again in a moment.")
			return nil, done, false
		}
		usual := heap.Tight() // large messages are garbage at once, and few of them fill the memory
		done = func() {
			usual()
			<-h.loaded
		}
		// All at once, because a buffer that grows leaves several times the message as garbage.
		whole := bytes.NewBuffer(make([]byte, 0, min(max(r.ContentLength, 0), maxMessage)+bytes.MinRead))
		whole.Write(body)
		_, err = whole.ReadFrom(from)
		body = whole.Bytes()
	}
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, "Invalid Request: "+errTooLong.Error())
	} else if err != nil {
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "Invalid Request: the body ends early")
	}
	return body, done, err == nil
}

// load waits for a place for a large body.
func (h *handler) load() bool {
	select {
	case h.loaded <- struct{}{}:
		return true
	case <-time.After(h.lim.body):
		return false
	}
}

// crowded says whether body is a batch of too many messages: each would be a call
// of its own at once.
func crowded(body []byte) bool {
	if body = bytes.TrimLeft(body, " \t\r\n"); body[0] != '[' {
		return false
	}
	var batch []json.RawMessage
	return json.Unmarshal(body, &batch) == nil && len(batch) > maxBatch
}

// accepts says what r's client reads. One that names nothing, or something that
// this server does not have, gets JSON.
func accepts(r *http.Request) (asJSON, events bool) {
	values := r.Header.Values("Accept")
	if len(values) == 0 {
		return true, true
	}
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			kind, _, _ := strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(kind)) {
			case "*/*":
				return true, true
			case "application/json", "application/*":
				asJSON = true
			case "text/event-stream", "text/*":
				events = true
			}
		}
	}
	return asJSON, events
}

// idle keeps an empty stream open: there is nothing to send between requests,
// but some clients take the refusal of this stream for the end of the server.
func (h *handler) idle(w http.ResponseWriter, r *http.Request) {
	select {
	case h.idling <- struct{}{}:
		defer func() { <-h.idling }()
	default:
		refuse(w, http.StatusServiceUnavailable, codeRefused, "Too many idle streams.")
		return
	}
	works(r)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Time{})
	tick := time.NewTicker(h.lim.pulse)
	defer tick.Stop()
	for {
		if _, err := io.WriteString(w, ": idle\n\n"); err != nil {
			return
		}
		if err := rc.Flush(); err != nil {
			return
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-h.stop:
			return
		}
	}
}

// refuse answers a request that gets no further, in the protocol's own form.
func refuse(w http.ResponseWriter, status int, code int64, message string) {
	answer(w, status, answerTo(noID, &jsonrpc.Error{Code: code, Message: message}))
}

func answer(w http.ResponseWriter, status int, data []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data) // a client that is gone misses nothing
}
