package lua

import (
	"crypto/x509"
	"errors"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// A retry says when a request is sent again. The zero value says never.
type retry struct {
	times    int // at most so many times more
	wait     time.Duration
	most     time.Duration // of one wait; a server that asks for more is not asked again
	statuses []int         // that are worth another try
	unsafe   bool          // also requests that the server may have carried out
}

const (
	retryWait = 500 * time.Millisecond
	retryMost = 30 * time.Second
	mostTries = 100
)

// repeatable are the methods that do no more when they are sent twice (RFC 9110, section 9.2.2; RFC 4918, section 9).
var repeatable = []string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "PROPPATCH", "REPORT", "SEARCH", "PURGE"}

var retryOptions = []string{"times", "wait", "max_wait", "statuses", "unsafe"}

// busy are the statuses with which servers and those before them say: not now.
var busy = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// refused are those of them that say that nothing was done.
var refused = []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}

// after returns whether a request is sent again after a number of tries more than one, and how long to wait before. A request that is
// sent twice must do no more than once: a POST, a PATCH or a method that is not known is sent again only where the server said that it
// did nothing.
func (r *retry) after(try int, method string, resp *response, err error, now time.Time) (time.Duration, bool) {
	if try >= r.times {
		return 0, false
	}
	if err != nil && final(err) {
		return 0, false
	}
	again := slices.Contains(repeatable, method) || r.unsafe
	wait := min(r.wait<<min(try, 20), r.most)
	if err == nil {
		if !slices.Contains(r.statuses, resp.status) || !again && !slices.Contains(refused, resp.status) {
			return 0, false
		}
		if asked, ok := retryAfter(resp.header.Get("Retry-After"), now); ok {
			return asked, asked <= r.most
		}
		again = true
	}
	// Clients that failed together should not come back together.
	return wait/2 + rand.N(wait/2+1), again
}

// final reports whether another try would fail as this one did: by where it was redirected to, by a
// file of ours, by a certificate, by our own limits, or because the script has seen a part of it.
func final(err error) bool {
	var ended *finalError
	var file *fs.PathError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var certificate x509.CertificateInvalidError
	return errors.As(err, &ended) || errors.As(err, &file) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &certificate)
}

// retryAfter reads the header of that name: seconds or a date (RFC 9110, section 10.2.3).
func retryAfter(v string, now time.Time) (time.Duration, bool) {
	if n, err := strconv.ParseUint(v, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(n, 1<<31)) * time.Second, true // no one waits longer
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// readRetry reads the option retry: a number of times, or a table.
func (c call) readRetry(name string, v value) retry {
	r := retry{wait: retryWait, most: retryMost, statuses: busy}
	if t := v.AsTable(); t != nil {
		c.checkNames(name+": retry", "option", t, retryOptions)
		r.times = 3
		if n := t.GetField("times"); !n.IsNil() {
			r.times = c.times(name, "retry.times", n, mostTries)
		}
		r.wait = c.seconds(name, "retry.wait", t.GetField("wait"), r.wait)
		r.most = c.seconds(name, "retry.max_wait", t.GetField("max_wait"), r.most)
		r.unsafe = t.GetField("unsafe").Truth()
		if list := t.GetField("statuses").AsTable(); list != nil {
			r.statuses = nil
			for i := int64(1); ; i++ {
				v := list.GetInt(i)
				if v.IsNil() {
					break
				}
				r.statuses = append(r.statuses, c.times(name, "retry.statuses", v, 599))
			}
		}
		return r
	}
	r.times = c.times(name, "retry", v, mostTries)
	return r
}

// times reads an option that is an integer from 0 to most.
func (c call) times(name, option string, v value, most int) int {
	n, ok := v.Integer()
	if !ok || n < 0 || n > int64(most) {
		c.Fail("%s: %s must be an integer from 0 to %d", name, option, most)
	}
	return int(n)
}

// seconds reads an option that is a number of seconds.
func (c call) seconds(name, option string, v value, otherwise time.Duration) time.Duration {
	if v.IsNil() {
		return otherwise
	}
	f, ok := v.Number()
	if !ok || !(f > 0) {
		c.Fail("%s: %s must be a positive number of seconds", name, option)
	}
	return duration(f)
}
