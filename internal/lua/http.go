package lua

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/net/http/httpguts"
)

const (
	requestTimeout = 30 * time.Second
	maxRedirects   = 10
)

// verbs are the methods that requests have, as functions are called.
var verbs = [...]string{"get", "head", "post", "put", "patch", "delete"}

func (vm *VM) openHTTP() {
	fs := map[string]builtin{"client": httpClient, "serve": httpServe}
	for _, verb := range verbs {
		fs[verb] = func(c call) int { return c.request(c.vm.client(), verb, 1) }
	}
	vm.lib("http", fs)
}

// client returns what the requests of a VM go through.
func (vm *VM) client() *http.Client {
	if vm.http == nil {
		base := vm.o.Client
		if base == nil {
			base = &http.Client{Timeout: requestTimeout}
		}
		vm.http = vm.guarded(base)
	}
	return vm.http
}

// guarded returns a copy of c with a transport that belongs to the VM. Every hop
// of a redirect asks the policy anew.
func (vm *VM) guarded(c *http.Client) *http.Client {
	g := *c
	t, ok := c.Transport.(*http.Transport)
	if c.Transport == nil {
		t, ok = http.DefaultTransport.(*http.Transport)
	}
	if ok {
		t = t.Clone()
		t.DisableCompression = true
		g.Transport = t
		vm.closers = append(vm.closers, closeFunc(func() error {
			t.CloseIdleConnections()
			return nil
		}))
	}
	g.Jar = nil
	g.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("too many redirects (more than %d)", maxRedirects)
		}
		return vm.o.Policy.permit(r.Method, r.URL)
	}
	return &g
}

// request sends what the arguments from the i-th on say: a URL, for the verbs
// with one a body, and options.
func (c call) request(client *http.Client, verb string, i int) int {
	name := "http." + verb
	raw, ok := c.Arg(i).AsString()
	if !ok {
		c.Fail("%s: first argument must be a URL string", name)
	}
	header := http.Header{"Accept": {"*/*"}, "User-Agent": {"assay"}}
	var body []byte
	place, opts := "second", i+1
	if verb != "get" && verb != "head" && verb != "delete" {
		body = c.body(name, i+1, header)
		place, opts = "third", i+2
	}
	host := ""
	if t, ok := c.asTable(opts); ok {
		host = c.headers(name, t, header)
	} else if !c.absent(opts) {
		c.Fail("%s: %s argument must be a table or nil", name, place)
	}
	u, err := parseURL(raw)
	policy := c.vm.o.Policy
	if err == nil {
		err = policy.permit(strings.ToUpper(verb), u)
	}
	if err == nil && host != "" { // else one permitted server would speak for another
		err = policy.permitHost(&url.URL{Scheme: u.Scheme, Host: host})
	}
	if err != nil {
		c.Fail("%s failed: %v", name, err)
	}
	var resp response
	h := c.vm.holding(c.vm.memory / 4)
	defer h.end()
	began := time.Now()
	c.wait(func(ctx context.Context) {
		resp, err = send(ctx, client, strings.ToUpper(verb), u, host, header, body, h)
	})
	if c.vm.o.Verbose {
		// Without its query, where tokens may be.
		what := fmt.Sprintf("%s %s://%s%s", strings.ToUpper(verb), u.Scheme, u.Host, u.EscapedPath())
		if err != nil {
			c.vm.record("DEBUG", fmt.Sprintf("%s failed after %v: %v", what, time.Since(began).Round(time.Millisecond), err))
		} else {
			c.vm.record("DEBUG", fmt.Sprintf("%s: status %d, %d bytes, %v", what, resp.status, len(resp.body), time.Since(began).Round(time.Millisecond)))
		}
	}
	var broken *bodyError
	switch {
	case errors.As(err, &broken):
		c.Fail("%s: reading body failed: %v", name, broken.err)
	case err != nil:
		c.Fail("%s failed: %s://%s%s: %v", name, u.Scheme, u.Host, u.EscapedPath(), err)
	}
	t := c.newRecord(3)
	t.SetField("status", count(resp.status))
	t.SetField("body", c.NewString(resp.body))
	t.SetField("headers", c.vm.fromGo(resp.headers))
	return c.Return(t.Of())
}

// body returns what argument i says is sent.
func (c call) body(name string, i int, header http.Header) []byte {
	v := c.Arg(i)
	if v.IsNil() {
		return nil
	}
	if s, ok := v.AsString(); ok {
		return []byte(s)
	}
	if v.AsTable() == nil {
		c.Fail("%s: second argument must be a string, table, or nil", name)
	}
	b, err := c.appendJSON(nil, v)
	if err != nil {
		c.Fail("%s: encoding the body as JSON failed: %v", name, err)
	}
	header.Set("Content-Type", "application/json")
	return b
}

// headers sets those of the options and returns the host they name.
func (c call) headers(name string, opts *table, header http.Header) (host string) {
	v := opts.GetField("headers")
	if v.IsNil() {
		return ""
	}
	t := v.AsTable()
	if t == nil {
		c.Fail("%s: headers must be a table", name)
	}
	list, err := members(t)
	if err != nil {
		c.Fail("%s: headers: %v", name, err)
	}
	for _, m := range list {
		s, ok := m.value.Text()
		if !ok || !httpguts.ValidHeaderFieldName(m.name) || !httpguts.ValidHeaderFieldValue(s) {
			c.Fail("%s: invalid header %q", name, m.name)
		}
		if strings.EqualFold(m.name, "host") {
			host = s
			continue
		}
		header.Set(m.name, s)
	}
	return host
}

type response struct {
	status  int
	body    string
	headers map[string]string
}

// A bodyError is what went wrong after the headers of a response.
type bodyError struct{ err error }

func (e *bodyError) Error() string { return e.err.Error() }

func send(ctx context.Context, client *http.Client, method string, u *url.URL, host string, header http.Header, body []byte, h *holding) (r response, err error) {
	var reader io.Reader
	if len(body) > 0 {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), reader)
	if err != nil {
		return r, err
	}
	req.URL = u
	req.Header = header
	if req.Host = u.Host; host != "" {
		req.Host = host
	}
	resp, err := client.Do(req)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err
		}
		return r, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(h.reader(resp.Body))
	if err != nil {
		return r, &bodyError{err}
	}
	r.status = resp.StatusCode
	r.body = decoded(b, resp.Header.Get("Content-Type"))
	r.headers = map[string]string{}
	for name, values := range resp.Header {
		r.headers[strings.ToLower(name)] = values[len(values)-1]
	}
	return r, nil
}

// decoded returns a body: the bytes that came, or as UTF-8 what says that it is text in
// another charset.
func decoded(b []byte, contentType string) string {
	_, params, err := mime.ParseMediaType(contentType)
	if cs := params["charset"]; err == nil && cs != "" {
		if e := encodingOf(cs); e != nil {
			if out, err := e.NewDecoder().Bytes(b); err == nil {
				return string(out)
			}
		}
	}
	return unsafe.String(unsafe.SliceData(b), len(b)) // nobody else has it
}
