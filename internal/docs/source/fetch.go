package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

const maxRedirects = 10

// A fetcher asks addresses over HTTP. The servers that a person named may be anywhere.
// What data names (a redirect, the tarball of a package) has to be on the public
// network: a page must not make this program read what only this machine can reach, and
// show it as documentation.
//
// A name is resolved once and all connections go to what it resolved to, so that its
// owner cannot have one address checked and another connected to. Behind a proxy it is
// the proxy that resolves; then only what an address itself says can be checked.
type fetcher struct {
	client *http.Client
	named  map[string]bool // by their sites
	lookUp func(ctx context.Context, host string) ([]netip.Addr, error)

	request time.Duration // of one request, its answer included

	mu    sync.Mutex
	hosts map[string]*resolved
}

// newFetcher returns one for the servers of addresses that a person named.
func newFetcher(named ...string) *fetcher {
	f := &fetcher{
		named:   map[string]bool{},
		hosts:   map[string]*resolved{},
		request: DefaultRequest,
		lookUp: func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		},
	}
	for _, address := range named {
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			f.named[site(server(u))] = true
		}
	}
	proxies := &sync.Map{}
	f.client = &http.Client{
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return fmt.Errorf("more than %d redirects", maxRedirects)
			}
			return f.allowed(r.URL)
		},
		Transport: &http.Transport{
			Proxy: func(r *http.Request) (*url.URL, error) {
				u, err := http.ProxyFromEnvironment(r)
				if u != nil {
					proxies.Store(server(u), true)
				}
				return u, err
			},
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				_, proxy := proxies.Load(address)
				return f.dial(ctx, network, address, proxy)
			},
			ForceAttemptHTTP2:     true,
			MaxIdleConnsPerHost:   fetchers,
			IdleConnTimeout:       30 * time.Second,
			TLSHandshakeTimeout:   10 * time.Second,
			ResponseHeaderTimeout: time.Minute,
		},
	}
	return f
}

// within sets the time of one request; 0 leaves it.
func (f *fetcher) within(request time.Duration) *fetcher {
	f.request = cmp.Or(request, f.request)
	return f
}

// server returns the host and port of an address in one spelling.
func server(u *url.URL) string {
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme])
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// site returns a server by what is the same to a person: http leads to https, and a name
// to the same one with www.
func site(server string) string {
	host, port, err := net.SplitHostPort(server)
	if err != nil {
		return server
	}
	if port == "80" {
		port = "443"
	}
	return net.JoinHostPort(strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(host), "."), "www."), port)
}

// errPrivate is why a server that nobody named is not asked.
type errPrivate struct{ host string }

func (e errPrivate) Error() string {
	return e.host + " is on this machine or in a private network, and was not named by you"
}

// allowed refuses the addresses that say themselves that they lead into a private
// network.
func (f *fetcher) allowed(u *url.URL) error {
	if u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf("an address of the kind %s:// is not followed", u.Scheme)
	}
	if f.named[site(server(u))] {
		return nil
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		if !public(ip) {
			return errPrivate{host}
		}
		return nil
	}
	// 2130706433, 0x7f.1 and 0177.0.0.1 are no names: some resolvers and proxies take
	// them for addresses.
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || last == "localhost" || last == "internal" || last == "local" || '0' <= last[0] && last[0] <= '9' {
		return errPrivate{host}
	}
	return nil
}

// dial connects to what a server resolved to when it was first asked for.
func (f *fetcher) dial(ctx context.Context, network, address string, proxy bool) (net.Conn, error) {
	var d net.Dialer
	if proxy { // it was set up by the person
		return d.DialContext(ctx, network, address)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	found, err := f.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	named := f.named[site(address)]
	for _, ip := range found {
		if !named && !public(ip) {
			return nil, errPrivate{host} // of several too: which one is taken would be chance
		}
	}
	// The last word is what the connection is really made to.
	d.Control = func(_, to string, _ syscall.RawConn) error {
		if at, err := netip.ParseAddrPort(to); err != nil || !named && !public(at.Addr()) {
			return errPrivate{host}
		}
		return nil
	}
	errs := make([]error, 0, len(found))
	for _, ip := range found {
		c, err := d.DialContext(ctx, network, net.JoinHostPort(ip.String(), port))
		if err == nil {
			return c, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// resolved is what is known of a host, asked for once.
type resolved struct {
	find func() ([]netip.Addr, error)
}

// resolve returns the addresses of a host, the same ones each time once it has them: what failed is asked again.
func (f *fetcher) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	f.mu.Lock()
	known, ok := f.hosts[host]
	if !ok {
		known = &resolved{sync.OnceValues(func() ([]netip.Addr, error) {
			found, err := f.lookUp(context.WithoutCancel(ctx), host)
			if err == nil && len(found) == 0 {
				err = fmt.Errorf("%s has no address", host)
			}
			return found, err
		})}
		f.hosts[host] = known
	}
	f.mu.Unlock()
	ips, err := known.find()
	if err != nil {
		f.mu.Lock()
		if f.hosts[host] == known { // and not what was found since by one that asked again
			delete(f.hosts, host)
		}
		f.mu.Unlock()
	}
	return ips, err
}

// closed are the networks beside those that netip knows that are not public, or that
// hold an IPv4 address, which could be any.
var closed = func() (out []netip.Prefix) {
	for _, s := range [...]string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fec0::/10", "5f00::/16",
	} {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}()

// public reports whether an address is one that anybody can reach, by the registries of
// special-purpose addresses (RFC 6890).
func public(ip netip.Addr) bool {
	if ip.Zone() != "" {
		return false
	}
	ip = ip.Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	return !slices.ContainsFunc(closed, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// errLater is why a page may be there another time: its server asks for patience, fails or was not reached. What it
// refuses, or has in a form that is not read, is refused again.
var errLater = errors.New("it may be there later")

// later is an error after which the same may be had another time.
func later(err error) error { return fmt.Errorf("%w; %w", err, errLater) }

// get asks an address and returns what it answers with status 200, and the address that
// the answer came from.
func (f *fetcher) get(ctx context.Context, address, accept string) (io.ReadCloser, *url.URL, error) {
	return f.getWithin(ctx, f.request, address, accept)
}

// A slowError says that an answer was not there in whole when its time was over.
type slowError time.Duration

func (e slowError) Error() string {
	return fmt.Sprintf("it did not answer in whole within %v (--request-timeout, or the setting docs.request_timeout, sets the limit)", time.Duration(e))
}

// A limited body ends with the time of its request.
type limitedBody struct {
	io.ReadCloser
	limit   time.Duration
	charset string // the encoding that the server says its text is in, or ""
}

func (b limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	return n, slow(err, b.limit)
}

// charsetOf returns the encoding that the server of a body named, or "".
func charsetOf(body io.Reader) string {
	limited, _ := body.(limitedBody)
	return limited.charset
}

// slow returns a slowError for the error of a client whose time is over, and any other as it is.
func slow(err error, limit time.Duration) error {
	if timed, ok := errors.AsType[net.Error](err); ok && timed.Timeout() && strings.Contains(err.Error(), "Client.Timeout") {
		return slowError(limit)
	}
	return err
}

// getWithin is get with a limit of its own; 0: none.
func (f *fetcher) getWithin(ctx context.Context, limit time.Duration, address, accept string) (io.ReadCloser, *url.URL, error) {
	client := *f.client
	client.Timeout = limit
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, nil, fault.New(fault.Usage, "%s is not a valid address", address).Because(err)
	}
	if err := f.allowed(req.URL); err != nil {
		return nil, nil, refused(address, err)
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("User-Agent", "assay")
	res, err := client.Do(req)
	err = slow(err, limit)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, nil, fault.New(fault.Interrupted, "stopped before %s was fetched", address)
	case err != nil:
		if _, private := errors.AsType[errPrivate](err); !private {
			err = later(err)
		}
		return nil, nil, refused(address, err)
	case res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone:
		res.Body.Close()
		return nil, nil, fault.New(fault.NotFound, "%s is not there (status %d)", address, res.StatusCode).Or("check the address")
	case res.StatusCode != http.StatusOK:
		res.Body.Close()
		e := fault.New(fault.Unavailable, "%s answers with status %d", address, res.StatusCode).Or("try again later")
		if slices.Contains([]int{http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests}, res.StatusCode) || res.StatusCode >= 500 {
			e = e.Because(errLater)
		}
		return nil, nil, e
	}
	_, params, _ := mime.ParseMediaType(res.Header.Get("Content-Type")) // a broken one names no encoding
	return limitedBody{res.Body, limit, params["charset"]}, res.Request.URL, nil
}

// refused says why an address was not had.
func refused(address string, err error) error {
	if private, ok := errors.AsType[errPrivate](err); ok {
		return fault.New(fault.Unavailable, "%s is not fetched: it leads to %v", address, private).Or("if that server is meant, give its own address as the source")
	}
	return fault.New(fault.Unavailable, "fetch %s", address).Because(err).Or("check the network, or fetch it elsewhere and give the file")
}
