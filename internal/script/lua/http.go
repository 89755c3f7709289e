package lua

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unsafe"
)

const (
	requestTimeout = 30 * time.Second
	maxRedirects   = 10
)

// verbs are the methods that requests have, as functions are called.
var verbs = [...]string{"get", "head", "post", "put", "patch", "delete"}

func (vm *VM) openHTTP() {
	fs := map[string]builtin{"client": httpClient, "serve": httpServe}
	own := func() *client { return &client{Client: vm.client()} }
	for _, verb := range verbs {
		fs[verb] = func(c call) int { return c.request(own(), verb, 0) }
	}
	fs["request"] = func(c call) int { return c.anyRequest(own(), 0) }
	fs["pages"] = func(c call) int { return c.pages(own(), 1) }
	vm.lib("http", fs)
}

// A client is what requests go through, and what holds for all of them.
type client struct {
	*http.Client
	retry  retry
	follow *int        // redirects; nil: maxRedirects
	header http.Header // of every request that has no other
	auth   *auth       // of every request that has none
	socket string      // of the machine, that it connects to whatever host a URL names; "": none
	own    bool        // the script chose its proxy or whom it trusts
	host   string

	limited bool // a script gave it a time limit
}

// request begins a request.
func (cl *client) request(name, method string) *request {
	r := &request{name: name, method: method, host: cl.host, retry: cl.retry, follow: cl.follow, auth: cl.auth, socket: cl.socket, own: cl.own}
	r.header = http.Header{"Accept": {"*/*"}, "User-Agent": {"assay"}}
	maps.Copy(r.header, cl.header)
	return r
}

// client returns what the requests of a VM go through.
func (vm *VM) client() *http.Client {
	if vm.http == nil {
		vm.http = vm.guarded(cmp.Or(vm.o.Client, &http.Client{Timeout: requestTimeout}))
	}
	return vm.http
}

// guarded returns a copy of c with a transport that belongs to the VM. Every hop of a redirect asks the policy again.
func (vm *VM) guarded(c *http.Client) *http.Client {
	g := *c
	t, ok := c.Transport.(*http.Transport)
	if c.Transport == nil {
		t, ok = http.DefaultTransport.(*http.Transport)
	}
	if ok {
		t = t.Clone()
		t.DisableCompression = true
		if p := vm.o.Policy; p.file() != nil {
			t.DialContext = p.dialer(requestTimeout)
		}
		vm.transport = t
		vm.carry(&g, t)
	} else {
		g.Transport = vm.way(c.Transport)
	}
	g.Jar = nil
	g.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		first := requestOf(r)
		most := maxRedirects
		if first.follow != nil {
			most = *first.follow
		}
		if first.follow != nil && most == 0 {
			return http.ErrUseLastResponse
		}
		if len(via) > most {
			return &finalError{fmt.Errorf("too many redirects (more than %d)", most)}
		}
		// A header that identifies somebody is for the server that it was given for. Every hop starts with the headers of the first request.
		if !sameServer(via[0].URL, r.URL) {
			maps.DeleteFunc(r.Header, func(name string, _ []string) bool { return secretHeader(name) || first.auth.sets(name) })
		}
		return vm.o.Policy.permit(r.Method, r.URL, first.socket)
	}
	return &g
}

// Guard returns a client whose requests are held to the policy as those of scripts are: each hop is asked, and a file of
// certificates of the client's own choice is none that it can take.
func (vm *VM) Guard(c *http.Client) *http.Client {
	g := vm.guarded(c)
	g.Transport = &guard{g.Transport, vm}
	return g
}

type guard struct {
	http.RoundTripper
	vm *VM
}

func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	policy := g.vm.o.Policy
	err := policy.permit(r.Method, r.URL, "")
	if other := *r.URL; err == nil && r.Host != "" && r.Host != r.URL.Host {
		other.Host = r.Host
		err = policy.permit(r.Method, &other, "")
	}
	for name := range r.Header {
		err = cmp.Or(err, policy.permitHeader(name))
	}
	if err != nil {
		g.vm.event(Event{Event: "request", Method: r.Method, URL: g.vm.hidden(r.URL.Redacted()), Refused: err.Error()})
		return nil, err
	}
	return g.RoundTripper.RoundTrip(r)
}

// sameServer reports whether two URLs have one scheme, host and port.
func sameServer(a, b *url.URL) bool {
	port := func(u *url.URL) string { return cmp.Or(u.Port(), defaultPort(u.Scheme)) }
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

// carry gives a client a transport, which ends with the VM.
func (vm *VM) carry(c *http.Client, t *http.Transport) {
	c.Transport = vm.way(t)
	vm.closers = append(vm.closers, closeFunc(func() error {
		t.CloseIdleConnections()
		return nil
	}))
}

// way returns a transport with the checks that requests of scripts pass before it.
func (vm *VM) way(t http.RoundTripper) http.RoundTripper {
	if f := vm.o.Policy.file(); f != nil {
		t = &policed{t, f, vm}
	}
	if vm.o.Wire != nil {
		t = &wired{vm.o.Wire, t, vm}
	}
	return t
}

// request reads a URL, for the verbs with one a body, and options, from the arguments that follow the first self ones, and sends it.
func (c call) request(cl *client, verb string, self int) int {
	hasBody := verb != "get" && verb != "head" && verb != "delete"
	r := c.asked(cl, strings.ToUpper(verb), hasBody, self, self+1)
	return c.Return(c.answered(c.exchange(cl, r)).Of())
}

// anyRequest is request for a method that is the first argument: OPTIONS, PROPFIND, PURGE.
func (c call) anyRequest(cl *client, self int) int {
	method, ok := c.Arg(self + 1).AsString()
	method = strings.ToUpper(method)
	if !ok || !token(method) || method == http.MethodConnect {
		c.Fail("http.request: first argument must be a method, such as OPTIONS")
	}
	r := c.asked(cl, method, true, self, self+2)
	return c.Return(c.answered(c.exchange(cl, r)).Of())
}

// asked reads a request from the arguments: its URL is argument i, and messages do not count the first self ones.
func (c call) asked(cl *client, method string, hasBody bool, self, i int) *request {
	name := c.name
	raw, ok := c.Arg(i).AsString()
	if !ok {
		c.Fail("%s: %s argument must be a URL string", name, ordinals[i-self])
	}
	r := cl.request(name, method)
	last := i + 1
	if hasBody {
		r.body = c.body(name, i+1, r.header)
		last = i + 2
	}
	t := c.optionsAfter(self, last)
	var err error
	if r.url, err = ParseURL(raw); err != nil {
		c.Fail("%s failed: %v", name, err)
	}
	if host := c.headers(name, t, r.header); host != "" {
		r.host = host
	}
	c.requestOptions(r, t)
	c.permitted(r)
	return r
}

// permitted fails where the policy forbids a request.
func (c call) permitted(r *request) {
	policy := c.vm.o.Policy
	if policy.limits() && asksTypes(r.method, r.url, r.header) {
		asking := *policy
		asking.ReadOnly, policy = false, &asking
	}
	err := policy.permit(r.method, r.url, r.socket)
	if err == nil && r.host != "" && r.socket == "" { // else one permitted server would speak for another
		other := *r.url
		other.Host = r.host
		if err = policy.permit(r.method, &other, ""); err == nil {
			err = r.auth.bound(&other, r)
		}
	}
	if err == nil {
		err = r.auth.bound(r.url, r)
	}
	if err != nil {
		c.vm.event(Event{Event: "request", Method: r.method, URL: r.shown(), Refused: err.Error()})
		c.Fail("%s failed: %v", r.name, err)
	}
}

// exchange sends a request, again where that is asked for, and returns the response.
func (c call) exchange(cl *client, r *request) response {
	for try := 0; ; try++ {
		began := time.Now()
		r.authorize(began)
		resp, err := c.once(cl, r)
		if err == nil && r.answersChallenge(resp) {
			resp, err = c.once(cl, r)
		}
		c.noted(r, resp, err, began)
		wait, again := r.retry.after(try, r.method, &resp, err, time.Now())
		if again {
			if c.vm.o.Verbose {
				c.vm.record("DEBUG", fmt.Sprintf("%s %s: again in %v", r.method, r.shown(), wait.Round(time.Millisecond)))
			}
			c.sleep(wait.Seconds())
			continue
		}
		var broken *bodyError
		switch {
		case errors.As(err, &broken):
			c.Fail("%s: reading body failed: %v", r.name, broken.err)
		case err != nil:
			c.Fail("%s failed: %s: %v", r.name, r.shown(), err)
		}
		return resp
	}
}

// noted logs a request where that is asked for.
func (c call) noted(r *request, resp response, err error, began time.Time) {
	if !c.vm.o.Verbose {
		return
	}
	took := time.Since(began).Round(time.Millisecond)
	if err != nil {
		c.vm.record("DEBUG", fmt.Sprintf("%s %s failed after %v: %v", r.method, r.shown(), took, err))
		return
	}
	c.vm.record("DEBUG", fmt.Sprintf("%s %s: status %d, %d bytes, %v", r.method, r.shown(), resp.status, resp.bytes, took))
}

func (c call) answered(resp response) *table {
	t := c.newRecord(5)
	t.SetField("status", count(resp.status))
	t.SetField("body", c.NewString(resp.body))
	t.SetField("headers", c.vm.fromGo(resp.headers))
	all := c.newRecord(len(resp.header))
	for name, values := range resp.header {
		all.SetField(strings.ToLower(name), c.vm.fromGo(values))
	}
	t.SetField("header_values", all.Of())
	if len(resp.trailer) > 0 {
		trailers := c.newRecord(len(resp.trailer))
		for name, values := range resp.trailer {
			trailers.SetField(strings.ToLower(name), c.NewString(c.vm.handles.redactTrailer(name, strings.Join(values, ", "))))
		}
		t.SetField("trailers", trailers.Of())
	}
	if resp.file != "" {
		t.SetField("file", c.NewString(resp.file))
		t.SetField("bytes", whole(resp.bytes))
	}
	return t
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
		if !ok || !token(m.name) || strings.ContainsFunc(s, control) {
			c.Fail("%s: invalid header %q", name, m.name)
		}
		c.Check(name, c.vm.o.Policy.permitHeader(m.name))
		if strings.EqualFold(m.name, "host") {
			host = s
			continue
		}
		header.Set(m.name, s)
	}
	return host
}

// A finalError is what another try would not change.
type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }

// A bodyError is what went wrong after the headers of a response.
type bodyError struct{ err error }

func (e *bodyError) Error() string { return e.err.Error() }
func (e *bodyError) Unwrap() error { return e.err }

// decoded returns a body: the bytes that came, or as UTF-8 what says that it is text in another charset.
func decoded(b []byte, contentType string) string {
	kind, params, err := mime.ParseMediaType(contentType)
	text := strings.HasPrefix(kind, "text/") || slices.ContainsFunc([]string{"json", "xml", "javascript", "yaml", "x-www-form-urlencoded"}, func(end string) bool { return strings.HasSuffix(kind, end) })
	if cs := params["charset"]; err == nil && cs != "" && text {
		if text, ok := recoded(b, cs); ok {
			return text
		}
	}
	return unsafe.String(unsafe.SliceData(b), len(b)) // nobody else has it
}

// token reports whether a name can be one of a header (RFC 9110, section 5.6.2).
func token(name string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z' && r < 0x80
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune(marks, r)
	})
}

// control reports whether a character ends a header or is not shown; a tab is neither.
func control(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
