package lua

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Wire says what happens to the requests of scripts on their way. It is safe for several VMs at once. What is written, and what is
// kept, is without secrets, as hide.go says: of what a server answers under names of its own it cannot know what is one.
type Wire struct {
	Trace   io.Writer // requests and responses are written here; nil: nowhere
	DryRun  io.Writer // requests that write are written here and not sent; nil: all are sent
	Record  bool      // keep what passes, for Recording
	replies []*exchange
	replay  bool

	mu   sync.Mutex
	kept []*exchange
}

// An exchange is a request that was answered.
type exchange struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Sent   string `json:"sent,omitempty"` // SHA-256 of the body
	Status int    `json:"status"`

	Headers  http.Header `json:"headers,omitempty"`
	Body     string      `json:"body,omitempty"`
	Trailers http.Header `json:"trailers,omitempty"`
	Base64   bool        `json:"base64,omitempty"` // the body is bytes, and written so
	Failed   string      `json:"failed,omitempty"` // why the body ends where it does

	used bool
}

// maxTraced is how much of a body is shown, maxKept how much of one is kept.
const (
	maxTraced = 2 << 10
	maxKept   = 16 << 20
)

// ErrRecording says that a file is not a recording.
var ErrRecording = errors.New("it is not a recording of requests")

// Replay has every request answered by a recording, and none sent.
func (w *Wire) Replay(recording []byte) error {
	d := json.NewDecoder(bytes.NewReader(recording))
	for {
		e := &exchange{}
		err := d.Decode(e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || e.Method == "" || e.URL == "" {
			return fmt.Errorf("%w: entry %d", ErrRecording, len(w.replies)+1)
		}
		e.URL = (&VM{}).hidden(e.URL) // it may have been made when less was hidden
		w.replies = append(w.replies, e)
	}
	w.replay = true
	return nil
}

// Recording returns what was kept, an exchange a line.
func (w *Wire) Recording() ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, e := range w.kept {
		if err := enc.Encode(e); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

type wired struct {
	*Wire
	next http.RoundTripper
	vm   *VM
}

func (w *wired) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	w.vm.secrets.learn(r.Header)
	w.vm.secrets.learnFields(string(body), 8)
	w.vm.secrets.learnFields(r.URL.RawQuery, 8)
	reading := reads(r.Method) || asksTypes(r.Method, r.URL, r.Header)
	w.show(w.Trace, ">", r, body)
	var resp *http.Response
	switch {
	case w.replay:
		resp, err = w.answer(r, body)
	case w.DryRun != nil && !reading:
		w.show(w.DryRun, "not sent:", r, body)
		resp = reply(r, http.StatusOK, http.Header{"Content-Type": {"application/json"}, "X-Dry-Run": {"true"}}, []byte("{}"))
	default:
		resp, err = w.next.RoundTrip(r)
	}
	if err != nil {
		w.say(w.Trace, "< failed: "+err.Error()+"\n")
		return nil, err
	}
	if (w.Trace != nil || w.Record) && resp.StatusCode != http.StatusSwitchingProtocols {
		resp.Body = &watched{ReadCloser: resp.Body, done: func(b []byte, failed error) { w.passed(r, body, resp, b, failed) }}
	}
	return resp, nil
}

// readBody returns the body of a request, which has it still. One that is a file is not read.
func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.GetBody == nil {
		return nil, nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(body)
}

// A watched body remembers what was read of it.
type watched struct {
	io.ReadCloser
	read bytes.Buffer
	once sync.Once
	done func(read []byte, failed error)
}

var errNotKept = fmt.Errorf("longer than the %d bytes that a recording keeps", maxKept)

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	room := maxKept - b.read.Len()
	b.read.Write(p[:min(n, room)])
	switch {
	case n > room:
		b.once.Do(func() { b.done(b.read.Bytes(), errNotKept) })
	case errors.Is(err, io.EOF):
		b.once.Do(func() { b.done(b.read.Bytes(), nil) })
	case err != nil:
		b.once.Do(func() { b.done(b.read.Bytes(), err) })
	}
	return n, err
}

func (b *watched) Close() error {
	b.once.Do(func() { b.done(b.read.Bytes(), nil) })
	return b.ReadCloser.Close()
}

// passed shows and keeps a response that was read.
func (w *wired) passed(r *http.Request, sent []byte, resp *http.Response, body []byte, failed error) {
	w.vm.secrets.learnFields(string(body), 16)
	if w.Trace != nil {
		var b strings.Builder
		fmt.Fprintf(&b, "< %s %s\n", resp.Proto, resp.Status)
		headers(&b, "<", resp.Header)
		w.traced(&b, resp.Header, body)
		headers(&b, "<", resp.Trailer)
		if failed != nil {
			fmt.Fprintf(&b, "< failed: %v\n", failed)
		}
		w.say(w.Trace, b.String())
	}
	if !w.Record || w.replay {
		return
	}
	e := &exchange{Method: r.Method, URL: w.vm.hidden(r.URL.String()), Sent: w.sum(sent, w.vm.hidden), Status: resp.StatusCode, Headers: w.recordable(resp.Header), Trailers: w.recordable(resp.Trailer)}
	e.Body = w.vm.hidden(string(body))
	if e.Base64 = !utf8.ValidString(e.Body); e.Base64 {
		e.Body = base64.StdEncoding.EncodeToString([]byte(e.Body))
	}
	if failed != nil {
		e.Failed = failed.Error()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kept = append(w.kept, e)
}

// recordable returns headers as a recording has them.
func (w *wired) recordable(h http.Header) http.Header {
	h = h.Clone()
	maps.DeleteFunc(h, func(name string, _ []string) bool { return secretHeader(name) || name == "Date" })
	for _, values := range h {
		for i := range values {
			values[i] = w.vm.hidden(values[i])
		}
	}
	return h
}

// answer returns the first reply of the recording to such a request that was not given yet.
func (w *wired) answer(r *http.Request, body []byte) (*http.Response, error) {
	url, sum, before := w.vm.hidden(r.URL.String()), w.sum(body, w.vm.hidden), w.sum(body, w.vm.Redact)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.replies {
		if e.used || e.Method != r.Method || e.URL != url || e.Sent != sum && e.Sent != before {
			continue
		}
		e.used = true
		b := []byte(e.Body)
		if e.Base64 {
			var err error
			if b, err = base64.StdEncoding.DecodeString(e.Body); err != nil {
				return nil, fmt.Errorf("%w: %v", ErrRecording, err)
			}
		}
		resp := reply(r, e.Status, e.Headers.Clone(), b)
		resp.Trailer = e.Trailers
		if e.Failed != "" {
			resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(b), failing(e.Failed)))
		}
		return resp, nil
	}
	return nil, errors.New("the recording has no further reply to this request: record it again")
}

// A failing reader ends as the body of a recording did.
type failing string

func (f failing) Read([]byte) (int, error) { return 0, errors.New(string(f)) }

// sum returns the SHA-256 of what was sent, secrets aside, so that a recording can be replayed by who has others.
func (w *wired) sum(body []byte, without func(string) string) string {
	if len(body) == 0 {
		return ""
	}
	d := sha256.Sum256([]byte(without(string(body))))
	return hex.EncodeToString(d[:])
}

func reply(r *http.Request, status int, h http.Header, body []byte) *http.Response {
	if h == nil {
		h = http.Header{}
	}
	return &http.Response{Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r}
}

// show writes a request.
func (w *wired) show(to io.Writer, mark string, r *http.Request, body []byte) {
	if to == nil {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s\n", mark, r.Method, r.URL.Redacted())
	headers(&b, mark, r.Header)
	w.traced(&b, r.Header, body)
	w.say(to, b.String())
}

func (w *wired) say(to io.Writer, s string) {
	if to == nil {
		return
	}
	_, _ = io.WriteString(to, w.vm.hidden(s)) // who does not listen misses it
}

// headers writes them by name.
func headers(b *strings.Builder, mark string, h http.Header) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		v := strings.Join(h[name], ", ")
		if secretHeader(name) {
			v = "[redacted]"
		}
		fmt.Fprintf(b, "%s %s: %s\n", mark, name, v)
	}
}

// secretHeader reports whether a header says who somebody is.
func secretHeader(name string) bool {
	return secretName(strings.ReplaceAll(name, "-", "_")) || strings.EqualFold(name, "Authorization")
}

// traced writes the beginning of a body that is text, and of another its size. What is to be
// hidden is looked for before the body is cut.
func (w *wired) traced(b *strings.Builder, h http.Header, body []byte) {
	body = []byte(cmp.Or(messageText(h, body), string(body)))
	switch text := string(body); {
	case len(body) == 0:
	case !utf8.Valid(body):
		fmt.Fprintf(b, "(%d bytes)\n", len(body))
	case len(body) > maxTraced:
		text = w.vm.hidden(text)
		fmt.Fprintf(b, "%s\n(%d bytes in all)\n", strings.ToValidUTF8(text[:min(len(text), maxTraced)], ""), len(body))
	default:
		fmt.Fprintf(b, "%s\n", text)
	}
}
