// Package buckettest is a server for tests that speaks as much of S3's protocol as package bucket
// does, and takes no request whose signature, computed here another way, is not that of its keys.
package buckettest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// What the server's only client has.
const (
	Access = "AKIDEXAMPLE"
	Secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" //nolint:gosec // of AWS's own examples
	Region = "eu-west-1"
	Bucket = "team-indexes"
)

// A Fake is such a server with one bucket.
type Fake struct {
	URL string

	mu      sync.Mutex
	objects map[string][]byte
	calls   []string
	// Fail is asked before each request, with its number from 1: true answers it with 503.
	Fail func(n int, r *http.Request) bool
	// Cut is asked how many bytes of a body of n to send before the connection breaks; n: all.
	Cut func(r *http.Request, n int) int
	// Unconditional has the server know no conditional writes.
	Unconditional bool
	// Hidden has the server refuse what is not there, as to clients that may not list the bucket.
	Hidden bool
	// Unreadable is a key that may be written and not be read.
	Unreadable string
	seen       int
}

// New starts a server that ends with a test, or with whatever else cleans up.
func New(t interface{ Cleanup(end func()) }) *Fake {
	f := &Fake{objects: map[string][]byte{}}
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	f.URL = s.URL
	return f
}

// Objects returns the keys in order.
func (f *Fake) Objects() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.objects))
}

// Object returns the content of a key.
func (f *Fake) Object(key string) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.objects[key])
}

// Set changes an object behind the protocol's back; nil removes it.
func (f *Fake) Set(key string, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.objects[key] = data; data == nil {
		delete(f.objects, key)
	}
}

// Calls returns the requests so far as "METHOD key", and forgets them.
func (f *Fake) Calls() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.calls
	f.calls = nil
	return out
}

func etag(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// ServeHTTP implements http.Handler.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	key, ok := strings.CutPrefix(r.URL.Path, "/"+Bucket+"/")
	f.mu.Lock()
	f.seen++
	f.calls = append(f.calls, r.Method+" "+key)
	n := f.seen
	f.mu.Unlock()
	fails := f.Fail != nil && f.Fail(n, r) // which may change objects
	f.mu.Lock()
	defer f.mu.Unlock()
	say := func(status int, code string) {
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			fmt.Fprintf(w, "<?xml version=\"1.0\"?>\n<Error><Code>%s</Code><Message>%s of %s</Message></Error>", code, code, key)
		}
	}
	sum := sha256.Sum256(body)
	have := hex.EncodeToString(sum[:])
	switch {
	case fails:
		say(http.StatusServiceUnavailable, "SlowDown")
	case !ok:
		say(http.StatusNotFound, "NoSuchBucket")
	case r.Header.Get("X-Amz-Content-Sha256") != have:
		say(http.StatusBadRequest, "XAmzContentSHA256Mismatch")
	case !genuine(r, have):
		say(http.StatusForbidden, "SignatureDoesNotMatch")
	case r.Method == http.MethodPut:
		f.put(w, r, key, body, say)
	case f.objects[key] == nil && f.Hidden, key == f.Unreadable && r.Method == http.MethodGet:
		say(http.StatusForbidden, "AccessDenied")
	case f.objects[key] == nil:
		say(http.StatusNotFound, "NoSuchKey")
	default:
		f.get(w, r, f.objects[key], say)
	}
}

func (f *Fake) put(w http.ResponseWriter, r *http.Request, key string, body []byte, say func(int, string)) {
	match, none := r.Header.Get("If-Match"), r.Header.Get("If-None-Match")
	there := f.objects[key]
	switch {
	case f.Unconditional && match+none != "":
		say(http.StatusNotImplemented, "NotImplemented")
	case none == "*" && there != nil, match != "" && there != nil && match != etag(there):
		say(http.StatusPreconditionFailed, "PreconditionFailed")
	case match != "" && there == nil:
		say(http.StatusNotFound, "NoSuchKey")
	default:
		if body == nil {
			body = []byte{}
		}
		f.objects[key] = body
		w.Header().Set("ETag", etag(body))
	}
}

func (f *Fake) get(w http.ResponseWriter, r *http.Request, data []byte, say func(int, string)) {
	w.Header().Set("ETag", etag(data))
	if match := r.Header.Get("If-Match"); match != "" && match != etag(data) {
		say(http.StatusPreconditionFailed, "PreconditionFailed")
		return
	}
	status := http.StatusOK
	if first, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok {
		at, err := strconv.Atoi(strings.TrimSuffix(first, "-"))
		if err != nil || at >= len(data) {
			say(http.StatusRequestedRangeNotSatisfiable, "InvalidRange")
			return
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", at, len(data)-1, len(data)))
		data, status = data[at:], http.StatusPartialContent
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	n := len(data)
	if f.Cut != nil {
		n = f.Cut(r, n)
	}
	_, _ = w.Write(data[:n])
	if n < len(data) {
		panic(http.ErrAbortHandler)
	}
}

// genuine computes the signature from the request as it arrived.
func genuine(r *http.Request, payload string) bool {
	said := map[string]string{}
	rest, ok := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	for _, part := range strings.Split(rest, ", ") {
		name, value, _ := strings.Cut(part, "=")
		said[name] = value
	}
	date := r.Header.Get("X-Amz-Date")
	if !ok || len(date) != 16 || said["Credential"] != Access+"/"+date[:8]+"/"+Region+"/s3/aws4_request" {
		return false
	}
	target, query, _ := strings.Cut(r.RequestURI, "?")
	canonical := r.Method + "\n" + target + "\n" + query + "\n"
	for _, name := range strings.Split(said["SignedHeaders"], ";") {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		canonical += name + ":" + strings.TrimSpace(value) + "\n"
	}
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-amz-") && !slices.Contains(strings.Split(said["SignedHeaders"], ";"), name) {
			return false
		}
	}
	canonical += "\n" + said["SignedHeaders"] + "\n" + payload
	sum := sha256.Sum256([]byte(canonical))
	hash := func(key []byte, text string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	key := hash(hash(hash(hash([]byte("AWS4"+Secret), date[:8]), Region), "s3"), "aws4_request")
	text := "AWS4-HMAC-SHA256\n" + date + "\n" + date[:8] + "/" + Region + "/s3/aws4_request\n" + hex.EncodeToString(sum[:])
	return hmac.Equal([]byte(hex.EncodeToString(hash(key, text))), []byte(said["Signature"]))
}
