package check

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/script/lua"
)

// mostBody bounds an answer, in bytes.
const mostBody = 32 << 20

// http runs a check of type http: why it failed, or "".
func (r *Runner) http(ctx context.Context, c *Check) (failed string, err error) {
	if err := c.incomplete(); err != nil {
		return "", Lasting(err)
	}
	began := r.Now()
	a, err := r.ask(ctx, c, c.URL)
	if err != nil {
		return "", err
	}
	took := r.Now().Sub(began)
	if failed, err = r.failed(c.Expect, a, took); failed != "" || err != nil {
		return failed, err
	}
	if c.Type == GraphQL {
		if failed, err = graphQL(c.Expect, a); failed != "" || err != nil {
			return failed, err
		}
	}
	return r.captures.take(c.Capture, a)
}

// quoted is what an error quotes, as Go does.
var quoted = lazy.Regexp(`"(?:[^"\\]|\\.)*"`)

// ask sends a check's request.
func (r *Runner) ask(ctx context.Context, c *Check, target string) (*answer, error) {
	method := cmp.Or(c.Method, http.MethodGet)
	shown := target // without the values of variables, which may be secret
	target, err := r.expand(target, inURL)
	if err != nil {
		return nil, err
	}
	u, err := address(target)
	switch {
	case err != nil && target != shown: // it may quote a part of a value
		return nil, Lasting(fmt.Errorf("HTTP %s %s: %s", method, shown, quoted.ReplaceAllString(err.Error(), "…")))
	case err != nil:
		return nil, Lasting(fmt.Errorf("HTTP %s %s: %w", method, shown, err))
	}
	if target == shown {
		shown = u.Redacted()
	}
	as := texts
	if c.JSON {
		as = inJSON
	}
	text, err := r.expand(c.Body, as)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("HTTP %s %s: %w", method, shown, err)
	}
	if text == "" {
		req.Body, req.GetBody, req.ContentLength = nil, nil, 0
	}
	req.Header.Set("Accept", "*/*")
	req.Header.Set("User-Agent", "assay")
	if c.JSON {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c.Headers {
		if value, err = r.expand(value, texts); err != nil {
			return nil, err
		}
		if strings.EqualFold(name, "Host") {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	client, done, err := r.client(c)
	if err != nil {
		return nil, Lasting(fmt.Errorf("HTTP %s %s: %w", method, shown, err))
	}
	defer done()
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("HTTP %s %s: %w", method, shown, cause(err))
	}
	defer resp.Body.Close()
	b, err := file.ReadUpTo(resp.Body, mostBody)
	if err != nil {
		return nil, fmt.Errorf("HTTP %s %s: reading body: %w", method, shown, err)
	}
	return &answer{resp.StatusCode, resp.Header, string(bytes.ToValidUTF8(b, []byte("\uFFFD")))}, nil
}

// address reads a URL as browsers do: what cannot be in one is escaped.
func address(s string) (*url.URL, error) {
	u, err := lua.ParseURL(s)
	if err == nil && u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("not an http or https URL")
	}
	return u, err
}

// client returns the client for a check, and what to do when it has answered.
func (r *Runner) client(c *Check) (*http.Client, func(), error) {
	client, done := *r.Client, func() {}
	if !c.FollowRedirects {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	if c.CA == "" && c.Cert == "" && !c.Insecure {
		return &client, done, nil
	}
	t, ok := cmp.Or(client.Transport, http.DefaultTransport).(*http.Transport)
	if !ok {
		return nil, nil, errors.New("this client takes no certificates")
	}
	t = t.Clone()
	config := lua.Secured(t)
	config.InsecureSkipVerify = c.Insecure
	if c.CA != "" {
		pem, err := r.File(c.CA)
		if err != nil {
			return nil, nil, fmt.Errorf("failed to read the certificates in %q: %w", c.CA, err)
		}
		if !lua.TrustAlso(config, pem) {
			return nil, nil, fmt.Errorf("no certificate in %q: it must be PEM", c.CA)
		}
	}
	if c.Cert != "" {
		cert, err := r.Own(c.Cert)
		key, failed := r.Own(c.Key)
		var pair tls.Certificate
		if err = cmp.Or(err, failed); err == nil {
			pair, err = tls.X509KeyPair(cert, key)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("the certificate %q and its key %q: %w", c.Cert, c.Key, err)
		}
		config.Certificates = []tls.Certificate{pair}
		if c.FollowRedirects {
			client.CheckRedirect = sameServer
		}
	}
	client.Transport = t
	return &client, t.CloseIdleConnections, nil
}

// sameServer refuses redirects to other servers, which would be shown the certificate of the client too.
func sameServer(r *http.Request, via []*http.Request) error {
	first := via[0].URL
	switch {
	case r.URL.Scheme != first.Scheme || r.URL.Host != first.Host:
		return fmt.Errorf("a redirect to another server, %s, which the client certificate is not for", r.URL.Host)
	case len(via) >= 10:
		return errors.New("more than 10 redirects")
	}
	return nil
}

// cause returns an error of a client without the method and the address, which the reader has been told.
func cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// prometheus runs a check of type prometheus: why it failed or, without an expectation, what it got.
func (r *Runner) prometheus(ctx context.Context, c *Check) (failed, told string, err error) {
	if err := c.incomplete(); err != nil {
		return "", "", Lasting(err)
	}
	query, err := r.expand(c.Query, plain)
	if err != nil {
		return "", "", err
	}
	a, err := r.ask(ctx, c, strings.TrimRight(c.URL, "/")+"/api/v1/query?query="+url.QueryEscape(query))
	if err != nil {
		return "", "", err
	}
	v, err := sample(a.body)
	if err != nil {
		return "", "", err
	}
	e := c.Expect
	switch {
	case e == nil:
		return "", "query returned: " + number(v), nil
	case e.Min != nil && v < *e.Min:
		return fmt.Sprintf("expected min %s, got %s", number(*e.Min), number(v)), "", nil
	case e.Max != nil && v > *e.Max:
		return fmt.Sprintf("expected max %s, got %s", number(*e.Max), number(v)), "", nil
	}
	return "", "", nil
}

// A told error is one whose text is a check's message as it stands.
type told string

func (t told) Error() string { return string(t) }

// sample returns the value of the first result of an answer of Prometheus.
func sample(body string) (float64, error) {
	var answer struct {
		Status string `json:"status"`
		Error  string `json:"error"`
		Data   *struct {
			Result *[]struct {
				Value []any `json:"value"`
			} `json:"result"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil && answer.Status == "" {
		return 0, fmt.Errorf("unexpected Prometheus response format: %w", err)
	}
	switch {
	case answer.Status != "success" && answer.Error == "":
		return 0, told("Prometheus query failed: unknown error")
	case answer.Status != "success":
		return 0, told("Prometheus query failed: " + answer.Error)
	case answer.Data == nil || answer.Data.Result == nil:
		return 0, errors.New("unexpected Prometheus response format: missing data.result")
	case len(*answer.Data.Result) == 0:
		return 0, told("Prometheus query returned no results")
	}
	value := (*answer.Data.Result)[0].Value
	if len(value) < 2 {
		return 0, errors.New("unexpected Prometheus response format: missing value")
	}
	text, ok := value[1].(string)
	v, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil {
		return 0, fmt.Errorf("unexpected Prometheus response format: %v is not a value", value[1])
	}
	return v, nil
}

// number writes a number without exponent and without ".0".
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
