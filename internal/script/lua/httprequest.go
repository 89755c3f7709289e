package lua

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
)

// A request is what a script asked for.
type request struct {
	name   string // of the function, for messages
	method string
	url    *url.URL
	host   string // in place of the URL's
	header http.Header
	body   []byte
	upload string        // a file that is sent in place of the body
	limit  time.Duration // of the whole; 0: the client's
	retry  retry
	follow *int // redirects; nil: maxRedirects
	auth   *auth
	socket string // of the machine, that the client connects to; "": none
	own    bool   // the script chose the client's proxy or whom it trusts
	sink   sink
}

// shown is the address of a request without its query, where tokens may be.
func (r *request) shown() string {
	return fmt.Sprintf("%s://%s%s", r.url.Scheme, r.url.Host, r.url.EscapedPath())
}

type response struct {
	status  int
	body    string
	headers map[string]string
	header  http.Header
	trailer http.Header
	url     *url.URL // after redirects
	bytes   int64
	file    string // where the body is; "" where it is in body
}

type requestKey struct{}

// requestOf returns the request of a script that one of its hops belongs to.
func requestOf(r *http.Request) *request {
	if first, ok := r.Context().Value(requestKey{}).(*request); ok {
		return first
	}
	return &request{}
}

// once sends a request and reads the response.
func (c call) once(cl *client, r *request) (resp response, err error) {
	h := c.vm.holding(c.vm.memory / 4)
	defer h.end()
	own := *cl.Client
	if r.limit > 0 {
		own.Timeout = r.limit
	} else if r.sink.streams() && !cl.limited {
		own.Timeout = 0 // a stream may go on; a client that was given a limit keeps it
	}
	ctx, cancel := context.WithCancel(context.WithValue(c.vm.run.ctx, requestKey{}, r))
	defer cancel()
	var got *http.Response
	c.wait(func(context.Context) { got, err = c.send(ctx, &own, r) }) //nolint:bodyclose // it is, below
	if err != nil {
		return resp, err
	}
	defer got.Body.Close()
	resp = response{status: got.StatusCode, header: got.Header, url: got.Request.URL, headers: map[string]string{}}
	for name, values := range got.Header {
		resp.headers[strings.ToLower(name)] = values[len(values)-1]
	}
	// What went wrong is told in a body like any other.
	if ok := got.StatusCode/100 == 2; ok && r.sink.streams() {
		if err = c.stream(r, got.Body, h, &resp); err != nil && resp.bytes > 0 {
			err = &finalError{err} // the script would see the beginning again
		}
	} else if ok && r.sink.file != "" {
		c.wait(func(context.Context) { resp.bytes, err = c.vm.save(r.sink.file, got.Body) })
		resp.file = r.sink.file
	} else {
		var b []byte
		c.wait(func(context.Context) { b, err = io.ReadAll(h.reader(got.Body)) })
		resp.body, resp.bytes = decoded(b, got.Header.Get("Content-Type")), int64(len(b))
	}
	resp.trailer = got.Trailer
	if err != nil {
		err = &bodyError{err}
	}
	return resp, err
}

func (c call) send(ctx context.Context, cl *http.Client, r *request) (*http.Response, error) {
	var body io.Reader
	var size int64
	if r.upload != "" {
		f, err := c.vm.open(r.upload)
		if err != nil {
			return nil, &finalError{fmt.Errorf("the file to send, %q: %w", r.upload, file.Bare(err))}
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		body, size = io.NopCloser(f), info.Size()
	} else if len(r.body) > 0 {
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), body)
	if err != nil {
		return nil, err
	}
	if size > 0 {
		req.ContentLength = size
	}
	req.URL = r.url
	req.Header = r.header.Clone()
	if req.Host = r.url.Host; r.host != "" {
		req.Host = r.host
	}
	resp, err := cl.Do(req)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err
		}
		return nil, err
	}
	return resp, nil
}

// save writes a body to a file, whole or not at all. What a link leads to is written, not the
// link; what is no regular file, a pipe or a terminal, is written to as it comes.
func (vm *VM) save(path string, body io.Reader) (n int64, err error) {
	err = vm.o.Policy.permitFileWrite()
	if vm.o.Policy.approves("fs.write") {
		err = errors.New("the policy has files approved: write the body with fs.write")
	}
	if err != nil {
		return 0, &finalError{err}
	}
	if !vm.o.Policy.confines() {
		if to, err := filepath.EvalSymlinks(vm.path(path)); err == nil {
			path = to
		}
	}
	root, name, err := vm.folder(path)
	if err != nil {
		return 0, &finalError{file.Bare(err)}
	}
	defer root.Close()
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		if vm.o.Policy.confines() || info.IsDir() {
			return 0, &finalError{fmt.Errorf("%q is not a regular file", path)}
		}
		return copied(root, name, os.O_WRONLY|syscall.O_NONBLOCK, body) // who nobody reads from would hold the script
	}
	part := name + "." + rand.Text() + ".part"
	n, err = copied(root, part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, body)
	if err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		var final *finalError
		if errors.As(err, &final) {
			return n, err // it was not there
		}
		return n, errors.Join(err, root.Remove(part))
	}
	return n, nil
}

// copied writes a body to a file of a folder. That the file cannot be opened is final.
func copied(root *os.Root, name string, how int, body io.Reader) (int64, error) {
	f, err := root.OpenFile(name, how, 0o666)
	if err != nil {
		return 0, &finalError{file.Bare(err)}
	}
	n, err := io.Copy(f, body)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return n, err
}

// compressed returns b as gzip.
func compressed(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}
