package lua

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/http"
)

// httpClient makes a client of its own: with another time limit, with further
// certificates to trust.
func httpClient(c call) int {
	opts, ok := c.asTable(1)
	if !ok {
		if !c.absent(1) {
			c.Fail("http.client: first argument must be a table or nil")
		}
		opts = c.newRecord(0)
	}
	client := *c.vm.client()
	if v := opts.GetField("timeout"); !v.IsNil() {
		f, ok := v.Number()
		if !ok || !(f > 0) {
			c.Fail("http.client: timeout must be a positive number of seconds")
		}
		client.Timeout = duration(f)
	}
	var roots [][]byte
	if v := opts.GetField("ca_cert_file"); !v.IsNil() {
		roots = append(roots, c.certificateFile(v))
	}
	if v := opts.GetField("ca_cert"); !v.IsNil() {
		s, ok := v.AsString()
		if !ok {
			c.Fail("http.client: ca_cert must be a string")
		}
		if err := checkPEM([]byte(s)); err != nil {
			c.Fail("http.client: invalid CA cert PEM: %v", err)
		}
		roots = append(roots, []byte(s))
	}
	c.trust(&client, roots, opts.GetField("insecure_skip_verify").Truth())
	t := c.newRecord(len(verbs))
	for _, verb := range verbs {
		t.SetField(verb, c.vm.fn("http."+verb, func(c call) int { return c.request(&client, verb, 2) }))
	}
	return c.Return(t.Of())
}

func (c call) certificateFile(v value) []byte {
	p, ok := v.AsString()
	if !ok {
		c.Fail("http.client: ca_cert_file must be a string")
	}
	s, err := c.readFile(p)
	if err != nil {
		c.Fail("http.client: failed to read CA cert file %q: %v", p, reason(err))
	}
	if err := checkPEM([]byte(s)); err != nil {
		c.Fail("http.client: invalid PEM in %q: %v", p, err)
	}
	return []byte(s)
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

// trust gives a client a transport that adds roots to those of the system.
func (c call) trust(client *http.Client, roots [][]byte, insecure bool) {
	if len(roots) == 0 && !insecure {
		return
	}
	t, ok := client.Transport.(*http.Transport)
	if !ok {
		c.Fail("http.client: this client takes no certificates")
	}
	vm := c.vm
	if insecure {
		if vm.o.Policy != nil {
			c.Fail("http.client: the policy does not permit insecure_skip_verify")
		}
		vm.record("WARN", "http.client: insecure_skip_verify is set: anybody on the way can read and change what this client sends")
	}
	t = t.Clone()
	if t.TLSClientConfig == nil {
		t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	pool := t.TLSClientConfig.RootCAs
	if pool != nil {
		pool = pool.Clone()
	} else if sys, err := x509.SystemCertPool(); err == nil {
		pool = sys
	} else {
		pool = x509.NewCertPool()
	}
	for _, r := range roots {
		pool.AppendCertsFromPEM(r)
	}
	t.TLSClientConfig.RootCAs = pool
	t.TLSClientConfig.InsecureSkipVerify = insecure //nolint:gosec // the script says so, and the log that it did
	client.Transport = t
	vm.closers = append(vm.closers, closeFunc(func() error {
		t.CloseIdleConnections()
		return nil
	}))
}

// A closeFunc closes something.
type closeFunc func() error
