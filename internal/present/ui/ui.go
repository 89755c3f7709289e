// Package ui presents operations as a page in the user's browser: a server on loopback
// that answers only requests from its own page with the token of its address, and the page
// itself, which contacts no other server.
package ui

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	_ "embed" // usage.txt
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/guard"
	"github.com/assay-dev/assay/internal/present/op"
)

// Usage is the help of the command.
//
//go:embed usage.txt
var Usage string

// A Service connects the page to the program.
type Service struct {
	Ops     []op.Op
	Root    string // the project, for the page's title and its links
	Version string
	Open    func(ctx context.Context, url string) error // starts a browser; nil: there is none
	Reports map[string]Report                           // shown beside the operations, by name
}

// A Report is computed on request, must change nothing, and is sent as JSON. Some are of a file, by its path below the project.
type Report func(ctx context.Context, file string) (any, error)

// packed has the files of the folder page. TestPacked compares it with them, and writes it with -update.
//
//go:embed page.pack
var packed string

var pages = lazy.Files(packed)

const (
	maxBody    = 1 << 20 // bytes of a request
	headerTime = 5 * time.Second
	stopTime   = 2 * time.Second
)

// Run runs the command. It serves until ctx ends, and then returns nil.
func Run(ctx context.Context, svc Service, args []string, out, errOut io.Writer) error {
	flags := flag.NewFlagSet("ui", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	port, quiet := flags.Int("port", 0, ""), flags.Bool("no-open", false, "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return fault.Only(io.WriteString(out, Usage))
	} else if err != nil {
		return fault.New(fault.Usage, "ui: %v", err).Or("assay ui --help lists the flags")
	}
	if flags.NArg() > 0 || *port < 0 || *port > 65535 {
		return fault.New(fault.Usage, "ui: it takes no arguments, and --port must be from 0 to 65535").Or("assay ui --help lists the flags")
	}
	h, token, err := newHandler(svc)
	if err != nil {
		return err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(*port)))
	if err != nil {
		return fault.New(fault.Unavailable, "cannot listen on port %d", *port).Because(err).Or("choose another port with --port; 0 chooses a free one")
	}
	// The token is in the fragment, because browsers do not send that to servers, so that it cannot get into a log.
	url := fmt.Sprintf("http://%s/#token=%s", l.Addr(), token)
	if _, err := fmt.Fprintln(out, url); err != nil {
		_ = l.Close() // nobody knows the address
		return err
	}
	if !*quiet && svc.Open != nil {
		if err := svc.Open(ctx, url); err != nil {
			fmt.Fprintf(errOut, "assay: cannot start a browser (%v); open the address above\n", err)
		}
	}
	calls, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	srv := &http.Server{Handler: h, ReadHeaderTimeout: headerTime, BaseContext: func(net.Listener) context.Context { return calls }}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	select {
	case err := <-served:
		return fault.New(fault.Unavailable, "the web server stopped").Because(err)
	case <-ctx.Done():
	}
	abort()
	wait, done := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer done()
	if srv.Shutdown(wait) != nil {
		_ = srv.Close() // remaining connections end with the process
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fault.New(fault.Unavailable, "the web server stopped").Because(err)
	}
	return nil
}

// A handler answers the requests of the page.
type handler struct {
	*guard.Guard
	svc   Service
	files fs.FS
}

func newHandler(svc Service) (*handler, string, error) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	token := base64.RawURLEncoding.EncodeToString(secret)
	g, err := guard.New(nil, nil, token)
	if err != nil {
		return nil, "", err
	}
	return &handler{g, svc, pages()}, token, nil
}

// policy only allows the page to load its own files and to call its own server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	for name, value := range map[string]string{
		"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		head.Set(name, value)
	}
	switch {
	case !h.AllowsHost(r) || h.CheckOrigin(r) != nil:
		refuse(w, http.StatusForbidden, fault.New(fault.Usage, "this server only answers its own page"))
	case r.URL.Path == "/api/about" || r.URL.Path == "/api/run" || strings.HasPrefix(r.URL.Path, reportPath):
		h.api(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		refuse(w, http.StatusMethodNotAllowed, fault.New(fault.Usage, "%s is not allowed here", r.Method))
	default:
		h.file(w, r)
	}
}

// file answers with a file of the page. The files need no token, because a browser sends none for them and they contain no
// data of the project.
func (h *handler) file(w http.ResponseWriter, r *http.Request) {
	name := cmp.Or(path.Clean(r.URL.Path)[1:], "index.html")
	text, err := fs.ReadFile(h.files, name)
	if err != nil {
		refuse(w, http.StatusNotFound, fault.New(fault.NotFound, "page not found"))
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	_, _ = w.Write(text) // fails only if the client has closed the connection
}

func (h *handler) api(w http.ResponseWriter, r *http.Request) {
	switch {
	case !h.HasToken(r):
		refuse(w, http.StatusUnauthorized, fault.New(fault.Usage, "the token is missing or wrong").Or("open the complete address that assay ui printed"))
	case r.URL.Path == "/api/about" && r.Method == http.MethodGet:
		h.about(w)
	case strings.HasPrefix(r.URL.Path, reportPath) && r.Method == http.MethodGet:
		h.report(w, r)
	case r.URL.Path == "/api/run" && r.Method == http.MethodPost:
		h.run(w, r)
	default:
		refuse(w, http.StatusMethodNotAllowed, fault.New(fault.Usage, "%s is not allowed here", r.Method))
	}
}

// about answers with the project and the operations of the page.
func (h *handler) about(w http.ResponseWriter) {
	type operation struct {
		Name   string `json:"name"`
		Brief  string `json:"brief"`
		Writes bool   `json:"writes"`
	}
	ops := []operation{}
	for _, o := range h.svc.Ops {
		if isAllowed(o) {
			ops = append(ops, operation{o.Name, o.Brief, slices.Contains(writeOps, o.Name)})
		}
	}
	answer(w, http.StatusOK, map[string]any{"root": h.svc.Root, "version": h.svc.Version, "operations": ops})
}

const reportPath = "/api/report/"

// report answers with one of the reports.
func (h *handler) report(w http.ResponseWriter, r *http.Request) {
	read, file := h.svc.Reports[strings.TrimPrefix(r.URL.Path, reportPath)], r.URL.Query().Get("file")
	if read == nil || file != "" && !filepath.IsLocal(filepath.FromSlash(file)) {
		refuse(w, http.StatusNotFound, fault.New(fault.NotFound, "report not found"))
		return
	}
	result, err := read(r.Context(), file)
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	answer(w, http.StatusOK, result)
}

// writeOps are the operations that write and that the page may call if the user has confirmed. Each changes only the user's
// own data, and can be undone or repeated. modules try only runs modules that come with the program.
var writeOps = []string{
	"memory store", "memory edit", "memory forget", "docs refresh", "docs remove", "index", "audit accept", "audit fix", "modules try",
}

// readOps are the operations that the page may call without a confirmation.
var readOps = []string{
	"brief", "show", "search", "similar", "status", "inventory", "imports", "importers", "functions", "callers", "callees", "def", "refs",
	"implementers", "hierarchy", "path", "dead", "map", "impact", "docs query", "docs resolve", "docs list", "audit ghosts", "audit shadows",
	"audit cite", "audit ci", "notes", "trajectory show", "memory search", "memory get", "memory list", "memory timeline", "memory links",
	"memory audit", "memory doctor", "doctor", "context", "modules",
}

// actingArguments are arguments that make a reading operation write or start something, or read a file that they name.
var actingArguments = []string{"track", "html", "out", "fix", "yes", "baseline", "update_baseline", "issue", "trace"}

func isAllowed(o op.Op) bool {
	return slices.Contains(readOps, o.Name) || slices.Contains(writeOps, o.Name)
}

// A question is a request of the page to run an operation.
type question struct {
	Op      string          `json:"op"`
	In      json.RawMessage `json:"in"`
	Confirm bool            `json:"confirm"` // the user has confirmed that it writes
	Text    bool            `json:"text"`    // also answer with the text that a model is given
}

// areLocal reports whether all files are below the project, because a correction may only write there. The operation itself
// refuses links out of the project.
func (h *handler) areLocal(files json.RawMessage) bool {
	var names []string
	return json.Unmarshal(files, &names) == nil && !slices.ContainsFunc(names, func(n string) bool { return !filepath.IsLocal(n) })
}

func (h *handler) run(w http.ResponseWriter, r *http.Request) {
	var q question
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		err = json.Unmarshal(body, &q)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, fault.New(fault.Usage, "the request is not valid JSON, or too long"))
		return
	}
	i := slices.IndexFunc(h.svc.Ops, func(o op.Op) bool { return o.Name == q.Op })
	if i < 0 || !isAllowed(h.svc.Ops[i]) {
		refuse(w, http.StatusNotFound, fault.New(fault.Usage, "the page does not offer the operation %q", q.Op))
		return
	}
	o := h.svc.Ops[i]
	var given map[string]json.RawMessage
	_ = json.Unmarshal(q.In, &given) // op.Decode below reports the error
	mayFix := o.Name == "audit cite" && q.Confirm && h.areLocal(given["files"])
	for _, name := range actingArguments {
		if _, has := given[name]; has && !(name == "fix" && mayFix) {
			refuse(w, http.StatusBadRequest, fault.New(fault.Usage, "the page may not set %s", name).Or("use the command on a terminal"))
			return
		}
	}
	if slices.Contains(writeOps, o.Name) && !q.Confirm {
		refuse(w, http.StatusConflict, fault.New(fault.Usage, "%s writes, so it needs a confirmation", o.Name))
		return
	}
	in, err := op.Decode(o, q.In)
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	notes := []string{}
	command := func(fix fault.Fix) string { return op.CommandLine(h.svc.Ops, fix) }
	if q.Text { // a model runs no commands
		command = func(fault.Fix) string { return "" }
	}
	res, err := o.Run(r.Context(), in, op.Out{
		Data:     !q.Text,
		Emit:     func(any) error { return nil },
		Progress: func(string, int64, int64) {},
		Note:     func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) },
		Client:   "assay ui", Document: true,
		Command: command,
	})
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	result, err := codec.Marshal(res)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	reply := map[string]any{"result": json.RawMessage(bytes.TrimSpace(result)), "notes": notes}
	if q.Text {
		var b bytes.Buffer
		if err := res.WriteText(&b, false); err != nil {
			refuse(w, http.StatusInternalServerError, err)
			return
		}
		withoutSecrets, _ := redact.Text(b.Bytes())
		reply["text"] = text.Visible(strings.TrimSuffix(string(withoutSecrets), "\n"))
	}
	answer(w, http.StatusOK, reply)
}

func statusOf(err error) int {
	switch fault.KindOf(err) {
	case fault.Usage:
		return http.StatusBadRequest
	case fault.NotFound:
		return http.StatusNotFound
	case fault.Unavailable, fault.Stale:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// refuse answers with an error, its hint and its fix.
func refuse(w http.ResponseWriter, status int, err error) {
	body := map[string]any{"error": err.Error(), "hint": fault.HintOf(err)}
	if fix := fault.FixOf(err); fix != nil {
		body["fix"] = fix.Op
	}
	answer(w, status, body)
}

func answer(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"cannot encode the answer"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // fails only if the client has closed the connection
}
