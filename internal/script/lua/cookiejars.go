package lua

import (
	"net/http"
	"net/url"
	"sync"
)

// portJars keep the cookies of each port apart. Cookies themselves know of no ports (RFC 6265,
// section 8.5), so that a redirect would carry those of one server to another one on the host.
// The ports of http and https are one, because servers lead from the first to the second.
type portJars struct {
	mu     sync.Mutex
	byPort map[string]http.CookieJar
}

func (j *portJars) jar(u *url.URL) http.CookieJar {
	port := u.Port()
	if port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
		port = ""
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if jar, ok := j.byPort[port]; ok {
		return jar
	}
	jar := newJar()
	if j.byPort == nil {
		j.byPort = map[string]http.CookieJar{}
	}
	j.byPort[port] = jar
	return jar
}

func (j *portJars) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.jar(u).SetCookies(u, cookies)
}

func (j *portJars) Cookies(u *url.URL) []*http.Cookie {
	return j.jar(u).Cookies(u)
}
