// Package bucket reads and writes objects of a bucket of S3, or of what speaks its protocol.
//
// Whatever a server answers, a call reads no more than it was told to, follows no redirection
// and sends its credentials to nobody but the address that was configured. A download that breaks
// off goes on where it stopped, in the same version of the object, or fails.
package bucket

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/work"
)

// Config says which bucket, where, and who asks.
type Config struct {
	URL      string // s3://BUCKET/PREFIX
	Endpoint string // of a server that is not Amazon's, such as http://127.0.0.1:9000; empty: Amazon's
	Region   string // empty: us-east-1
	Keys     Keys
	Client   *http.Client // nil: one of its own
	Now      func() time.Time
	Sleep    func(context.Context, time.Duration) error
}

// A Bucket is the objects below a prefix. It is safe for concurrent use.
type Bucket struct {
	cfg    Config
	name   string
	prefix string // ends with a slash unless it is empty
	base   *url.URL
	client http.Client
}

// ErrChanged says that an object is not any more what the caller took it for.
var ErrChanged = errors.New("somebody else has replaced it")

// ErrTooLarge says that an object has more bytes than were to be read.
var ErrTooLarge = errors.New("it is larger than it may be")

const (
	tries      = 4 // the first and three more, after 1, 2 and 4 seconds
	maxMessage = 64 << 10
	headerTime = time.Minute
)

var (
	bucketName = lazy.Regexp(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	regionName = lazy.Regexp(`^[a-z0-9-]{1,64}$`)
)

// Open returns the bucket of a configuration. It asks no server.
func Open(cfg Config) (*Bucket, error) {
	b := &Bucket{cfg: cfg}
	rest, ok := strings.CutPrefix(cfg.URL, "s3://")
	if !ok {
		return nil, errors.New("the address does not begin with s3://")
	}
	b.name, b.prefix, _ = strings.Cut(rest, "/")
	if !bucketName.MatchString(b.name) || strings.Contains(b.name, "..") {
		return nil, fmt.Errorf("%.80q is not the name of a bucket", b.name)
	}
	if b.prefix = strings.Trim(b.prefix, "/"); b.prefix != "" {
		if len(b.prefix) > 512 || !fs.ValidPath(b.prefix) || !utf8.ValidString(b.prefix) || strings.ContainsAny(b.prefix, "?#\\") {
			return nil, fmt.Errorf("%.80q is not a prefix: names with / between them, . and .. not among them", b.prefix)
		}
		b.prefix += "/"
	}
	b.cfg.Region = cmp.Or(b.cfg.Region, "us-east-1")
	if !regionName.MatchString(b.cfg.Region) {
		return nil, fmt.Errorf("%.80q is not the name of a region", b.cfg.Region)
	}
	if (cfg.Keys.Access == "") != (cfg.Keys.Secret == "") {
		return nil, errors.New("of the access key and the secret key one is missing")
	}
	if err := b.place(); err != nil {
		return nil, err
	}
	if cfg.Client != nil {
		b.client = *cfg.Client
	} else {
		b.client.Transport = &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			ResponseHeaderTimeout: headerTime, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute, DisableCompression: true}
	}
	// A signature is of one address, and the keys are for nobody else.
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if b.cfg.Now == nil {
		b.cfg.Now = time.Now
	}
	if b.cfg.Sleep == nil {
		b.cfg.Sleep = work.Sleep
	}
	return b, nil
}

// place finds the address of the bucket: its own host at Amazon's, and a path elsewhere, where
// nobody has set up names for it.
func (b *Bucket) place() error {
	if b.cfg.Endpoint == "" {
		host, path := b.name+".s3."+b.cfg.Region+".amazonaws.com", "/"
		if strings.Contains(b.name, ".") { // no certificate is of such a name
			host, path = "s3."+b.cfg.Region+".amazonaws.com", "/"+b.name+"/"
		}
		b.base = &url.URL{Scheme: "https", Host: host, Path: path}
		return nil
	}
	u, err := url.Parse(b.cfg.Endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return errors.New("the endpoint is not a URL that begins with https:// or http:// and a host, without a password")
	}
	b.base = &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(u.Path, "/") + "/" + b.name + "/"}
	return nil
}

// URL returns the address of the bucket and its prefix, without what the objects are called.
func (b *Bucket) URL() string { return "s3://" + b.name + "/" + strings.TrimSuffix(b.prefix, "/") }

// emptySum is the SHA-256 of nothing.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// An ask is a request that may be sent again.
type ask struct {
	method, key string
	head        map[string]string
	body        io.ReaderAt
	size        int64
	sum         string
}

// send sends a request, again where the server is busy or the connection breaks.
func (b *Bucket) send(ctx context.Context, a ask) (*http.Response, error) {
	for n := 0; ; n++ {
		res, err := b.once(ctx, a)
		passing := err != nil || res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= 500 && res.StatusCode != http.StatusNotImplemented
		if !passing || n == tries-1 || ctx.Err() != nil {
			if err != nil {
				return nil, b.unreached(err)
			}
			return res, nil
		}
		if res != nil {
			res.Body.Close()
		}
		if err := b.cfg.Sleep(ctx, time.Second<<n); err != nil {
			return nil, err
		}
	}
}

func (b *Bucket) once(ctx context.Context, a ask) (*http.Response, error) {
	path := escaped(b.prefix + a.key)
	u := *b.base
	u.RawPath = escaped(u.Path) + path
	u.Path += b.prefix + a.key
	var body io.Reader
	if a.body != nil {
		body = io.NewSectionReader(a.body, 0, a.size)
	}
	req, err := http.NewRequestWithContext(ctx, a.method, u.String(), body)
	if err != nil {
		return nil, err
	}
	req.URL = &u
	if a.body != nil {
		req.ContentLength = a.size
	}
	for name, value := range a.head {
		req.Header.Set(name, value)
	}
	a.sum = cmp.Or(a.sum, emptySum)
	sign(req, b.cfg.Keys, b.cfg.Region, a.sum, b.cfg.Now())
	return b.client.Do(req)
}

// unreached is an error of the connection without the address, which may be long and is not the
// reader's.
func (b *Bucket) unreached(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return fmt.Errorf("%s: %w", b.base.Host, err)
}

// Has reports whether there is an object of a name and size.
func (b *Bucket) Has(ctx context.Context, key string, size int64) (bool, error) {
	res, err := b.send(ctx, ask{method: http.MethodHead, key: key})
	if err != nil {
		return false, err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK:
		return res.ContentLength == size, nil
	case http.StatusNotFound, http.StatusForbidden: // as S3 answers who may not list what there is; if it is more than that, Put says so
		return false, nil
	}
	return false, b.refused(res)
}

// Get writes an object of at most limit bytes to w and returns its version. fs.ErrNotExist
// says that there is none, and so may ErrDenied to who may not list what there is.
func (b *Bucket) Get(ctx context.Context, key string, limit int64, w io.Writer) (version string, err error) {
	var done int64
	for n := 0; ; n++ {
		head := map[string]string{}
		if done > 0 {
			head["Range"], head["If-Match"] = fmt.Sprintf("bytes=%d-", done), version
		}
		res, err := b.send(ctx, ask{method: http.MethodGet, key: key, head: head})
		if err != nil {
			return "", err
		}
		more, err := b.receive(res, limit, &done, &version, w)
		if err == nil || !more || n == tries-1 || ctx.Err() != nil {
			return version, err
		}
		if err := b.cfg.Sleep(ctx, time.Second<<n); err != nil {
			return "", err
		}
	}
}

// receive copies what a response has; again says that the rest may be asked for.
func (b *Bucket) receive(res *http.Response, limit int64, done *int64, version *string, w io.Writer) (again bool, err error) {
	defer res.Body.Close()
	etag := res.Header.Get("ETag")
	switch {
	case res.StatusCode == http.StatusOK && *done == 0:
		*version = etag
	case res.StatusCode == http.StatusPartialContent && *done > 0 && etag == *version &&
		strings.HasPrefix(res.Header.Get("Content-Range"), "bytes "+strconv.FormatInt(*done, 10)+"-"):
	case res.StatusCode == http.StatusNotFound:
		return false, fs.ErrNotExist
	case res.StatusCode == http.StatusPreconditionFailed, res.StatusCode == http.StatusOK, res.StatusCode == http.StatusPartialContent:
		return false, ErrChanged
	default:
		return false, b.refused(res)
	}
	if res.ContentLength > limit-*done {
		return false, ErrTooLarge
	}
	to := &sink{w: w}
	n, err := io.Copy(to, io.LimitReader(res.Body, limit-*done+1))
	*done += n
	switch {
	case to.err != nil:
		return false, to.err
	case *done > limit:
		return false, ErrTooLarge
	case err != nil:
		// Without a version nobody can tell whether the rest is of the same object.
		return *version != "" && *done > 0, b.unreached(err)
	}
	return false, nil
}

// A sink remembers that it was not the network that failed.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

// Put writes an object whose content has the given SHA-256; the server refuses what arrives as
// something else.
func (b *Bucket) Put(ctx context.Context, key string, body io.ReaderAt, size int64, sum [32]byte) error {
	_, err := b.put(ctx, ask{method: http.MethodPut, key: key, body: body, size: size, sum: hex.EncodeToString(sum[:])})
	return err
}

// Replace writes an object in the place of the version that Get returned, "" for none. ErrChanged
// says that another is there by now. held is false where the server cannot tell, and so another's
// write may have been undone; with must nothing is written then, and ErrDenied says so.
func (b *Bucket) Replace(ctx context.Context, key string, body []byte, sum [32]byte, version string, must bool) (held bool, err error) {
	a := ask{method: http.MethodPut, key: key, body: bytes.NewReader(body), size: int64(len(body)), sum: hex.EncodeToString(sum[:])}
	if version == "" {
		a.head = map[string]string{"If-None-Match": "*"}
	} else {
		a.head = map[string]string{"If-Match": version}
	}
	status, err := b.put(ctx, a)
	if status == http.StatusNotImplemented && must {
		return false, fmt.Errorf("the server cannot tell whether %s is there: %w", key, ErrDenied)
	}
	if status == http.StatusNotImplemented {
		a.head = nil
		_, err = b.put(ctx, a)
		return false, err
	}
	return true, err
}

func (b *Bucket) put(ctx context.Context, a ask) (status int, err error) {
	res, err := b.send(ctx, a)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
		return res.StatusCode, nil
	case http.StatusPreconditionFailed, http.StatusConflict:
		return res.StatusCode, ErrChanged
	case http.StatusNotFound:
		if a.head["If-Match"] != "" { // the object that was to be replaced is gone
			return res.StatusCode, ErrChanged
		}
	}
	return res.StatusCode, b.refused(res)
}

// ErrDenied says that the server lets these credentials, or their absence, not do that.
var ErrDenied error = denied{}

type denied struct{}

func (denied) Error() string { return "access is denied" }

func (denied) Is(err error) bool { return err == fs.ErrPermission }

func (b *Bucket) refused(res *http.Response) error {
	why := res.Status
	if code, message := said(io.LimitReader(res.Body, maxMessage)); code != "" {
		why = fmt.Sprintf("%d %.60q: %.200q", res.StatusCode, code, message)
	}
	switch {
	case res.StatusCode == http.StatusForbidden || res.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%s: %w: %s", b.base.Host, ErrDenied, why)
	case res.StatusCode >= 300 && res.StatusCode < 400 && res.Header.Get("X-Amz-Bucket-Region") != "":
		return fmt.Errorf("%s: the bucket is in the region %.40q", b.base.Host, res.Header.Get("X-Amz-Bucket-Region"))
	}
	return fmt.Errorf("%s: %s", b.base.Host, why)
}

// said returns the code and the message of an error as S3 writes it, or nothing if it is
// something else: the status counts.
func said(body io.Reader) (code, message string) {
	into := map[string]*string{"Code": &code, "Message": &message}
	var text *string // of the element of the error that is open
	d, depth := xml.NewDecoder(body), 0
	for {
		t, err := d.Token()
		if err != nil {
			return code, message
		}
		switch t := t.(type) {
		case xml.StartElement:
			if depth++; depth == 2 {
				text = into[t.Name.Local]
			}
		case xml.EndElement:
			depth--
			text = nil
		case xml.CharData:
			if text != nil && depth == 2 {
				*text += string(t)
			}
		}
	}
}
