package lua

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
)

// httpClient makes a client of its own: with other time limits, with further certificates
// to trust or to show, with cookies, a proxy, another count of redirects and tries.
func httpClient(c call) int {
	opts := c.options(1)
	base := *c.vm.client()
	cl := &client{Client: &base, limited: !opts.GetField("timeout").IsNil()}
	base.Timeout = c.seconds("http.client", "timeout", opts.GetField("timeout"), base.Timeout)
	if v := opts.GetField("retry"); !v.IsNil() {
		cl.retry = c.readRetry("http.client", v)
	}
	if v := opts.GetField("redirects"); !v.IsNil() {
		cl.follow = c.readFollow("http.client", v)
	}
	if !opts.GetField("headers").IsNil() {
		cl.header = http.Header{}
		cl.host = c.headers("http.client", opts, cl.header)
	}
	cl.auth = c.readAuth("http.client", opts.GetField("auth"))
	if opts.GetField("cookies").Truth() {
		base.Jar = &portJars{}
	}
	socket := c.socketPath(opts.GetField("unix"))
	cl.socket = socket
	for _, own := range [...]string{"proxy", "ca_cert", "ca_cert_file"} {
		cl.own = cl.own || opts.GetField(own).Truth()
	}
	c.transport(&base, opts, socket)
	t := c.newRecord(len(verbs) + 2)
	for _, verb := range verbs {
		t.SetField(verb, c.vm.fn("http."+verb, func(c call) int { return c.request(cl, verb, 1) }))
	}
	t.SetField("request", c.vm.fn("http.request", func(c call) int { return c.anyRequest(cl, 1) }))
	t.SetField("pages", c.vm.fn("http.pages", func(c call) int { return c.pages(cl, 2) }))
	return c.Return(t.Of())
}

// socketPath reads the option unix: the path of a socket that all requests go to.
func (c call) socketPath(v value) string {
	path := c.textOption("http.client", "unix", v)
	if path == "" {
		return ""
	}
	path = c.vm.path(path)
	c.Check("http.client", c.vm.o.Policy.permitSocket(path))
	return path
}

// transport gives a client a transport of its own where the options ask for one.
func (c call) transport(client *http.Client, opts *table, socket string) {
	var set []func(t *http.Transport)
	limit := func(option string, to func(t *http.Transport, d time.Duration)) {
		if d := c.seconds("http.client", option, opts.GetField(option), 0); d > 0 {
			set = append(set, func(t *http.Transport) { to(t, d) })
		}
	}
	limit("connect_timeout", func(t *http.Transport, d time.Duration) { t.DialContext = c.vm.o.Policy.dialer(d) })
	if socket != "" {
		set = append(set, func(t *http.Transport) {
			t.Proxy = nil
			t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "unix", socket)
			}
		})
	}
	limit("tls_timeout", func(t *http.Transport, d time.Duration) { t.TLSHandshakeTimeout = d })
	limit("first_byte_timeout", func(t *http.Transport, d time.Duration) { t.ResponseHeaderTimeout = d })
	if opts.GetField("compression").Truth() {
		set = append(set, func(t *http.Transport) { t.DisableCompression = false })
	}
	if opts.GetField("http2").Truth() {
		set = append(set, func(t *http.Transport) {
			t.Protocols = new(http.Protocols)
			t.Protocols.SetHTTP2(true)
			t.Protocols.SetUnencryptedHTTP2(true)
		})
	}
	if v := opts.GetField("proxy"); !v.IsNil() {
		proxy := c.proxy(v)
		set = append(set, func(t *http.Transport) { t.Proxy = proxy })
	}
	if trust := c.trust(c.authorities(opts), opts.GetField("insecure_skip_verify").Truth()); trust != nil {
		set = append(set, trust)
	}
	if pair := c.keyPair(opts); pair != nil {
		set = append(set, func(t *http.Transport) { Secured(t).Certificates = []tls.Certificate{*pair} })
	}
	if len(set) == 0 {
		return
	}
	c.FailIf(c.vm.transport == nil, "http.client: this client takes no certificates")
	t := c.vm.transport.Clone()
	for _, f := range set {
		f(t)
	}
	c.vm.carry(client, t)
}

// proxy reads the option of that name: a URL, or false for none.
func (c call) proxy(v value) func(*http.Request) (*url.URL, error) {
	if v.TypeName() == "boolean" && !v.Truth() {
		return nil
	}
	raw, _ := v.AsString()
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" {
		c.Fail("http.client: proxy must be false or an http, https or socks5 URL")
	}
	c.Check("http.client: proxy", c.vm.o.Policy.permitProxy(u))
	if p, ok := u.User.Password(); ok {
		c.vm.hide("the password of the proxy", p)
	}
	return http.ProxyURL(u)
}

// authorities reads the certificates to trust besides those of the system.
func (c call) authorities(opts *table) (roots [][]byte) {
	for _, name := range []string{"ca_cert_file", "ca_cert"} {
		b, from := c.pemOption(opts, name)
		if b == nil {
			continue
		}
		if err := checkPEM(b); err != nil && from != "" {
			c.Fail("http.client: invalid PEM in %q: %v", from, err)
		} else if err != nil {
			c.Fail("http.client: invalid CA cert PEM: %v", err)
		}
		roots = append(roots, b)
	}
	return roots
}

// pemOption returns an option that is PEM or, where its name says so, a file of it.
func (c call) pemOption(opts *table, name string) (b []byte, from string) {
	v := opts.GetField(name)
	if v.IsNil() {
		return nil, ""
	}
	s, ok := v.AsString()
	if !ok {
		c.Fail("http.client: %s must be a string", name)
	}
	if !strings.HasSuffix(name, "_file") {
		return []byte(s), ""
	}
	text, err := c.readFile(s)
	if err != nil && name == "ca_cert_file" {
		c.Fail("http.client: failed to read CA cert file %q: %v", s, file.Bare(err))
	} else if err != nil {
		c.Fail("http.client: failed to read %s %q: %v", name, s, file.Bare(err))
	}
	return []byte(text), s
}

// keyPair reads the certificate that the client shows, with its key.
func (c call) keyPair(opts *table) *tls.Certificate {
	either := func(name string) []byte {
		b, _ := c.pemOption(opts, name)
		if b == nil {
			b, _ = c.pemOption(opts, name+"_file")
		}
		return b
	}
	cert, key := either("client_cert"), either("client_key")
	if cert == nil && key == nil {
		return nil
	}
	if key == nil {
		key = cert // one file may have both
	}
	pair, err := tls.X509KeyPair(cert, key)
	c.Check("http.client: client_cert and client_key", err)
	return &pair
}

// checkPEM reports whether b has certificates and nothing that should be one.
func checkPEM(b []byte) error {
	n := 0
	for {
		var block *pem.Block
		if block, b = pem.Decode(b); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return errors.New("no certificate in it")
	}
	return nil
}

// Secured returns the settings of TLS of a transport, which has them afterwards.
func Secured(t *http.Transport) *tls.Config {
	if t.TLSClientConfig == nil {
		t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return t.TLSClientConfig
}

// trust returns what adds roots to those of the system, or nil.
func (c call) trust(roots [][]byte, insecure bool) func(t *http.Transport) {
	if len(roots) == 0 && !insecure {
		return nil
	}
	vm := c.vm
	if insecure {
		c.FailIf(vm.o.Policy.confines(), "http.client: the policy does not permit insecure_skip_verify")
		vm.record("WARN", "http.client: insecure_skip_verify is set: anybody on the way can read and change what this client sends")
	}
	return func(t *http.Transport) {
		config := Secured(t)
		TrustAlso(config, bytes.Join(roots, []byte("\n")))
		config.InsecureSkipVerify = insecure
	}
}

// TrustAlso adds authorities, in PEM, to those that are trusted: at first those of the system. It reports whether it found one.
func TrustAlso(config *tls.Config, roots []byte) bool {
	pool := config.RootCAs
	if pool != nil {
		pool = pool.Clone()
	} else if sys, err := x509.SystemCertPool(); err == nil {
		pool = sys
	} else {
		pool = x509.NewCertPool()
	}
	config.RootCAs = pool
	return pool.AppendCertsFromPEM(roots)
}

// A closeFunc closes something.
type closeFunc func() error
