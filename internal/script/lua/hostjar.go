package lua

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// A hostJar gives a cookie back to the host that set it and to no other (RFC 6265, section 5.3, as if each
// host were a public suffix). The standard library's jar is 37 kB, which the slim build does not have.
type hostJar struct {
	mu     sync.Mutex
	stored []*http.Cookie // Domain is the host that set it, whatever it asked for
}

// maxCookies bounds those of a jar.
const maxCookies = 3000

func (j *hostJar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	host, now := strings.ToLower(u.Hostname()), time.Now()
	for _, c := range cookies {
		if c.Domain != "" && !strings.EqualFold(strings.TrimPrefix(c.Domain, "."), host) || len(j.stored) >= maxCookies {
			continue
		}
		set := *c
		if set.Domain = host; !strings.HasPrefix(set.Path, "/") {
			set.Path = path.Dir("/" + strings.TrimPrefix(u.Path, "/"))
		}
		if c.MaxAge != 0 {
			set.Expires = now.Add(time.Duration(c.MaxAge) * time.Second)
		}
		others := j.stored[:0]
		for _, o := range j.stored {
			if o.Name != set.Name || o.Domain != host || o.Path != set.Path {
				others = append(others, o)
			}
		}
		if j.stored = others; set.Expires.IsZero() || set.Expires.After(now) {
			j.stored = append(j.stored, &set)
		}
	}
}

func (j *hostJar) Cookies(u *url.URL) (out []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	host, at, now := strings.ToLower(u.Hostname()), "/"+strings.TrimPrefix(u.Path, "/"), time.Now()
	for _, c := range j.stored {
		below := at == c.Path || strings.HasPrefix(at, strings.TrimSuffix(c.Path, "/")+"/")
		expired := !c.Expires.IsZero() && !c.Expires.After(now)
		if c.Domain != host || expired || c.Secure && u.Scheme != "https" {
			continue
		}
		if below {
			out = append(out, &http.Cookie{Name: c.Name, Value: c.Value, Path: c.Path})
		}
	}
	sorting.Stable(out, func(a, b *http.Cookie) int { return len(b.Path) - len(a.Path) })
	return out
}
