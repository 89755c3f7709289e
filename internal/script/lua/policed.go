package lua

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	sizes "github.com/assay-dev/assay/internal/base/text"
)

// A policed transport holds the requests of a script to the limits of a policy file, has those approved
// that it marks, and takes credentials and redacted values out of responses. Each hop of a redirect passes it.
type policed struct {
	next http.RoundTripper
	file *PolicyFile
	vm   *VM
}

func (p *policed) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	first, began := requestOf(r), time.Now()
	p.vm.noteCredentials()
	e := Event{Event: "request", Method: r.Method, URL: p.vm.hidden(r.URL.Redacted())}
	if first.auth != nil {
		e.Credential = first.auth.name
	}
	defer func() {
		e.Millis = time.Since(began).Milliseconds()
		if err != nil {
			e.Error = p.vm.hidden(err.Error())
		}
		p.vm.event(e)
	}()
	if n := p.file.Limits.Requests; n > 0 && p.vm.o.Requests.Add(1) > int64(n) {
		return nil, &finalError{fmt.Errorf("the policy permits no more than %d requests in a run", n)}
	}
	if name := partial(r.Header); name != "" && p.hides(r.URL, first.socket) {
		return nil, &finalError{fmt.Errorf("the policy hides values in responses of this server, which does not go with the header %s", name)}
	}
	d, err := p.file.Decide(r.Method, r.URL, first.socket)
	if first.name == connectWS { // has been permitted
		d, err = Decision{}, nil
	}
	if err != nil {
		return nil, &finalError{err}
	}
	if resp, err = p.vm.approved(p.next, r, d, &e); err != nil {
		return nil, redactedError(err, p.vm.handles.redact)
	}
	e.Status = resp.StatusCode
	if resp.StatusCode != http.StatusSwitchingProtocols {
		return p.cleaned(resp)
	}
	if first.name == connectWS {
		return resp, nil
	}
	_ = resp.Body.Close()
	return nil, &finalError{errors.New("the server changes to another protocol, which the policy does not permit")}
}

// partial returns the header by which a request asks for a part of a response or for an encoded one, or "".
func partial(h http.Header) string {
	for _, name := range []string{"Range", "Request-Range", "If-Range", "A-IM", "Accept-Encoding"} {
		if v := h.Get(name); v != "" && v != "identity" {
			return name
		}
	}
	return ""
}

// redactedError takes values out of an error, which may quote what a server sent.
func redactedError(err error, redact func(string) string) error {
	if text := redact(err.Error()); text != err.Error() {
		return &finalError{errors.New(text)}
	}
	return err
}

// hides reports whether responses of a server have to be searched: because the policy redacts members, or because
// the server has been sent a secret, in this run or in an earlier one.
func (p *policed) hides(u *url.URL, socket string) bool {
	for _, c := range p.file.Credentials {
		if c.sends() && c.permits(u, socket) {
			return true
		}
	}
	return len(p.file.Redact) > 0
}

// cleaned returns a response within the limits and without the values that are hidden from the script.
func (p *policed) cleaned(resp *http.Response) (*http.Response, error) {
	most := p.file.Limits.response
	if most > 0 {
		if resp.ContentLength > most {
			_ = resp.Body.Close()
			return nil, &finalError{tooLong(most)}
		}
		resp.Body = &readCloser{&limitedReader{resp.Body, most, most}, resp.Body}
	}
	handles, redact := p.vm.handles.all(), p.vm.handles.redact
	if isGRPC(resp.Header) {
		if redact = p.vm.handles.mask; len(p.file.Redact) > 0 {
			_ = resp.Body.Close()
			return nil, &finalError{errors.New("the policy redacts members by name, and messages of gRPC have no names")}
		}
	}
	encoded := resp.Header.Get("Content-Encoding")
	if encoded != "" && encoded != "identity" && len(handles)+len(p.file.Redact) > 0 {
		_ = resp.Body.Close()
		return nil, &finalError{fmt.Errorf("the response is encoded as %s: what the script is not to see could not be taken out of it", encoded)}
	}
	for name, values := range resp.Header {
		for i := range values {
			values[i] = p.vm.handles.redact(values[i])
			if isNamed(name, p.file.Redact) {
				values[i] = redactedMark
			}
		}
	}
	if len(handles) > 0 {
		resp.Body = &readCloser{&redactingReader{src: resp.Body, longest: len(handles[0]), redact: redact}, resp.Body}
		resp.ContentLength = -1
	}
	if len(p.file.Redact) > 0 && resp.Request.Method != http.MethodHead {
		h := p.vm.holding(p.vm.memory / 4)
		defer h.end()
		b, err := io.ReadAll(h.reader(resp.Body))
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			return nil, err
		}
		if b, err = redactMembers(b, p.file.Redact); err != nil {
			return nil, err
		}
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	}
	return resp, nil
}

// atMost returns how much of n bytes that are received at once a policy permits.
func (vm *VM) atMost(n int64) int64 {
	if f := vm.o.Policy.file(); f != nil && f.Limits.response > 0 {
		return min(n, f.Limits.response)
	}
	return n
}

func tooLong(most int64) error {
	return fmt.Errorf("the response is longer than %s, which is the policy's limit", sizes.Size(most))
}

type readCloser struct {
	io.Reader
	io.Closer
}

// A limitedReader fails where a reader goes on after so many bytes.
type limitedReader struct {
	r          io.Reader
	left, most int64
}

func (l *limitedReader) Read(b []byte) (int, error) {
	n, err := l.r.Read(b[:min(int64(len(b)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		return 0, &finalError{tooLong(l.most)}
	}
	return n, err
}

// A redactingReader takes values out of a stream. It holds back an end that may be the beginning of one. No value has a
// line end, so that an event of a server is not late.
type redactingReader struct {
	src     io.Reader
	longest int // of the values
	redact  func(string) string
	raw     []byte // read, and not yet complete
	out     []byte // to be returned
	err     error
}

func (r *redactingReader) Read(b []byte) (int, error) {
	for len(r.out) == 0 && r.err == nil {
		part := make([]byte, 32<<10)
		n, err := r.src.Read(part)
		if r.err = err; err != nil {
			r.err = redactedError(err, r.redact) // of a trailer, say
		}
		text := r.redact(string(r.raw) + string(part[:n]))
		wait := 0
		if err == nil {
			wait = r.incomplete(text)
		}
		r.out, r.raw = []byte(text[:len(text)-wait]), []byte(text[len(text)-wait:])
	}
	n := copy(b, r.out)
	if r.out = r.out[n:]; n > 0 {
		return n, nil
	}
	return 0, r.err
}

// incomplete returns how many bytes at the end of a text may be the beginning of a value. It does not look whether they
// are: a script that has a server send guesses would learn from a delay that one is right.
func (r *redactingReader) incomplete(text string) int {
	return min(len(text)-1-strings.LastIndexByte(text, '\n'), r.longest-1)
}

// An Event is a line of a policy's log. It has no secret: neither a body nor the value of a header.
type Event struct {
	Time       string `json:"time"`
	Run        string `json:"run"`
	Event      string `json:"event"` // start, request, statement, end
	Script     string `json:"script,omitempty"`
	Sum        string `json:"script_sha256,omitempty"`
	Policy     string `json:"policy,omitempty"`
	PolicySum  string `json:"policy_sha256,omitempty"`
	Method     string `json:"method,omitempty"`
	URL        string `json:"url,omitempty"`
	Statement  string `json:"statement,omitempty"`
	Credential string `json:"credential,omitempty"`
	Status     int    `json:"status,omitempty"`
	Millis     int64  `json:"ms,omitempty"`
	Approval   string `json:"approval,omitempty"` // needed, given; before: answered from the run that was resumed
	Digest     string `json:"digest,omitempty"`
	Refused    string `json:"refused,omitempty"`
	Error      string `json:"error,omitempty"`
}

func (vm *VM) event(e Event) {
	if ReadsPolicies && vm.o.Event != nil {
		e.Refused, e.Error, e.Statement = vm.hidden(e.Refused), vm.hidden(e.Error), vm.hidden(e.Statement)
		vm.o.Event(e)
	}
}
