package lua

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Approvals are the state of a run under a policy that has a person approve requests. A run that
// needs an approval ends; a later one repeats it. So that it comes to the same request, it is told the same times
// and the same chance, and earlier writes are answered as they were and not sent again.
type Approvals struct {
	Seed     []byte    `json:"seed"`     // of chance, and of digests, which nobody can guess without it
	Approved string    `json:"approved"` // the digest of the request that may be sent, once; "": none
	Times    []float64 `json:"times"`    // that time() returned
	Effects  []Effect  `json:"effects"`  // of the writes

	mu      sync.Mutex
	order   chan struct{} // full while a write is on its way: a run must not end for an approval before its effect is known
	chance  *rand.ChaCha8
	times   int // of Times that were returned
	sent    bool
	used    []bool // of Effects
	pending *Pending
	repeats []string
}

// An Effect is the response to a request that wrote.
type Effect struct {
	Digest  string      `json:"digest"`
	Status  int         `json:"status,omitempty"`
	Header  http.Header `json:"header,omitempty"`
	Body    []byte      `json:"body,omitempty"`
	Trailer http.Header `json:"trailer,omitempty"`
	Failed  string      `json:"failed,omitempty"`
}

// Pending is a request that needs an approval, as it would be sent but for secrets.
type Pending struct {
	Method     string            `json:"method,omitempty"`
	URL        string            `json:"url,omitempty"`
	Headers    map[string]string `json:"headers,omitempty"`
	Credential string            `json:"credential,omitempty"`
	// OwnAuthority says that the script chose the certificates by which the server is known.
	OwnAuthority bool `json:"own_authority,omitempty"`
	// Call is a function that is called with Arguments, where it is no request that needs the approval.
	Call       string   `json:"call,omitempty"`
	Arguments  []string `json:"arguments,omitempty"`
	Body       string   `json:"body,omitempty"`
	Base64     bool     `json:"base64,omitempty"`      // the body is bytes, and written so
	BodySHA256 string   `json:"body_sha256,omitempty"` // of one that is not shown whole
	Digest     string   `json:"digest"`
	// Repeats are functions that wrote before it and cannot be answered from the first run: a resumed run calls them again.
	Repeats []string `json:"repeats,omitempty"`
}

const (
	maxShownBody = 64 << 10
	maxEffects   = 16 << 20 // bytes of the answers that a resumed run gets
	maxTimes     = 100_000
)

var (
	errNeedsApproval = errors.New("it needs an approval")
	errCannotApprove = errors.New("the policy has this approved, which is not possible here: use assay exec or the tool exec")
	// ErrChanged ends a run that was resumed and came to another request.
	ErrChanged = errors.New("the script came to another request than the one that was approved: nothing was sent")
)

// Pending returns the request that ended a run, or nil.
func (a *Approvals) Pending() *Pending {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pending
}

// Unsent reports whether the approved request has not been sent.
func (a *Approvals) Unsent() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Approved != "" && !a.sent
}

// Next returns the state of a run that repeats this one and may send the request that ended it.
func (a *Approvals) Next() *Approvals {
	a.mu.Lock()
	defer a.mu.Unlock()
	return &Approvals{Seed: a.Seed, Approved: a.pending.Digest, Times: a.Times, Effects: a.Effects}
}

// approvals returns the state of approvals, nil if nothing can be approved.
func (vm *VM) approvals() *Approvals {
	if !ReadsPolicies {
		return nil
	}
	return vm.o.Approvals
}

// now returns the time for a script.
func (vm *VM) now() float64 {
	t, a := float64(time.Now().UnixMicro())/1e6, vm.approvals()
	if a == nil {
		return t
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.times++; a.times <= len(a.Times) {
		return a.Times[a.times-1]
	}
	if len(a.Times) < maxTimes {
		a.Times = append(a.Times, t)
	}
	return t
}

// chance returns where a script's chance comes from where runs have to repeat themselves, else nil.
func (vm *VM) chance() io.Reader {
	a := vm.approvals()
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.chance == nil {
		a.chance = rand.NewChaCha8(sha256.Sum256(a.Seed))
	}
	return a.chance
}

// seed returns that of math.random; 0: one by chance.
func (o *Options) seed() uint64 {
	if !ReadsPolicies || o.Approvals == nil {
		return 0
	}
	sum := sha256.Sum256(append([]byte("math"), o.Approvals.Seed...))
	return binary.LittleEndian.Uint64(sum[:]) | 1
}

// digest identifies a request by its parts.
func (a *Approvals) digest(parts ...[]byte) string {
	h := hmac.New(sha256.New, a.Seed)
	for _, p := range parts {
		_ = binary.Write(h, binary.LittleEndian, uint64(len(p))) // a hash takes everything
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// take returns the response to a write in the run that this one repeats, or nil.
func (a *Approvals) take(digest string) *Effect {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.used == nil {
		a.used = make([]bool, len(a.Effects), len(a.Effects)+1)
	}
	for i := range a.used {
		if !a.used[i] && a.Effects[i].Digest == digest {
			a.used[i] = true
			return &a.Effects[i]
		}
	}
	return nil
}

// enterOrder waits until no other write is on its way, or ctx ends. leave lets the next one follow.
func (a *Approvals) enterOrder(ctx context.Context) (leave func(), err error) {
	a.mu.Lock()
	if a.order == nil {
		a.order = make(chan struct{}, 1)
	}
	a.mu.Unlock()
	select {
	case a.order <- struct{}{}:
		leave = func() { <-a.order }
		if err := ctx.Err(); err != nil {
			leave()
			return nil, err
		}
		return leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// keep remembers the response to a write.
func (a *Approvals) keep(e Effect) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.Effects = append(a.Effects, e)
	// used is shorter: an effect of this run answers nothing in it.
}

// decide returns nil if the request with a digest may be sent, and else ends the run.
func (vm *VM) decide(digest string, e *Event, describe func() *Pending) error {
	a := vm.approvals()
	a.mu.Lock()
	defer a.mu.Unlock()
	e.Digest = digest
	err := errNeedsApproval
	switch {
	case a.pending != nil: // of another task
	case a.Approved == digest && !a.sent:
		a.sent, e.Approval = true, "given"
		return nil
	case a.Approved != "" && !a.sent:
		err = ErrChanged
	default:
		e.Approval = "needed"
		a.pending = describe()
		a.pending.Digest, a.pending.Repeats = digest, slices.Compact(a.repeats)
	}
	vm.run.stop(err)
	return err
}

// repeated notes a function whose effect a resumed run would have again.
func (vm *VM) repeated(name string) {
	if a := vm.approvals(); a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.repeats = append(a.repeats, name)
	}
}

// approved sends a request, or has it approved first, or answers it as it was answered before.
func (vm *VM) approved(next http.RoundTripper, r *http.Request, d Decision, e *Event) (*http.Response, error) {
	a := vm.approvals()
	if d.Approve && a == nil {
		return nil, &finalError{errCannotApprove}
	}
	if a == nil || !d.Write && !d.Approve {
		return next.RoundTrip(r)
	}
	body, err := vm.wholeBody(r)
	if err != nil {
		return nil, err
	}
	leave, err := a.enterOrder(r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	first := requestOf(r)
	shown, exact := vm.shownHeaders(r, first)
	digest := a.digest([]byte(r.Method), []byte(r.URL.String()), []byte(r.Host), []byte(first.socket), exact, body, fmt.Append(nil, first.own))
	if was := a.take(digest); was != nil {
		e.Approval, e.Digest = "before", digest
		return was.reply(r)
	}
	if d.Approve {
		if err := vm.decide(digest, e, func() *Pending {
			p := &Pending{Method: r.Method, URL: vm.hidden(r.URL.String()), Headers: shown, Credential: e.Credential, OwnAuthority: first.own}
			if first.socket != "" {
				p.URL += " at unix:" + first.socket
			}
			p.show(vm.Redact(plainBody(r, body)))
			return p
		}); err != nil {
			return nil, &finalError{err}
		}
	}
	was := Effect{Digest: digest}
	resp, err := next.RoundTrip(r)
	if err == nil {
		was.Status, was.Header = resp.StatusCode, resp.Header
		h := vm.holding(maxEffects)
		was.Body, err = io.ReadAll(h.reader(resp.Body))
		h.end()
		was.Trailer = resp.Trailer
		if err = errors.Join(err, resp.Body.Close()); err != nil {
			err = fmt.Errorf("the request was sent and answered with status %d, and then the answer could not be read: %w", was.Status, err)
		}
	}
	if err != nil {
		was.Failed = vm.Redact(err.Error())
	}
	a.keep(was)
	return was.reply(r)
}

// plainBody returns a body as a person can read it: unpacked where that takes no more room than is shown.
func plainBody(r *http.Request, body []byte) string {
	if r.Header.Get("Content-Encoding") == "gzip" {
		if z, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
			if plain, err := io.ReadAll(io.LimitReader(z, maxShownBody)); err == nil && len(plain) < maxShownBody {
				return string(plain)
			}
		}
	}
	return cmp.Or(messageText(r.Header, body), string(body))
}

func (e *Effect) reply(r *http.Request) (*http.Response, error) {
	if e.Failed != "" {
		return nil, errors.New(e.Failed)
	}
	resp := reply(r, e.Status, e.Header.Clone(), e.Body)
	resp.Trailer = e.Trailer.Clone()
	return resp, nil
}

// wholeBody reads the body of a request, which has it still: nothing can change it after it is approved.
func (vm *VM) wholeBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	h := vm.holding(vm.memory / 4)
	defer h.end()
	b, err := io.ReadAll(h.reader(r.Body))
	if err := errors.Join(err, r.Body.Close()); err != nil {
		return nil, &finalError{fmt.Errorf("the body has to be read before it is sent: %w", err)}
	}
	r.Body = io.NopCloser(bytes.NewReader(b))
	return b, nil
}

// shownHeaders returns the headers of a request for a person, and for its digest. Those by which a credential or the
// option auth says who sends it can change with each request: the digest has where they come from.
func (vm *VM) shownHeaders(r *http.Request, first *request) (shown map[string]string, exact []byte) {
	shown = map[string]string{}
	var b bytes.Buffer
	by := ""
	if a := first.auth; a != nil {
		by = "auth " + a.username + " " + a.password + " " + a.bearer
		if a.sigV4 != nil {
			by += fmt.Sprint(*a.sigV4)
		}
		if a.cred != nil {
			by = "credential " + a.name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		v := strings.Join(r.Header[name], ", ")
		shown[name] = vm.Redact(v)
		switch signed := name == "Authorization" || strings.HasPrefix(name, "X-Amz-") && first.auth != nil && first.auth.sigV4 != nil; {
		case first.auth != nil && (signed || first.auth.sets(name)):
			v, shown[name] = by, "["+strings.Fields(by)[0]+"]"
		case secretHeader(name):
			shown[name] = redactedMark
		}
		fmt.Fprintf(&b, "%s: %q\n", name, v)
	}
	return shown, b.Bytes()
}

// show sets the body for a person.
func (p *Pending) show(body string) {
	if len(body) > maxShownBody {
		p.BodySHA256 = hexSum(body)
		body = body[:maxShownBody]
	}
	if p.Body = body; !utf8.ValidString(body) {
		p.Body, p.Base64 = base64.StdEncoding.EncodeToString([]byte(body)), true
	}
}
