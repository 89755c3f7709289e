package lua

import (
	"net/http"
	"net/url"
	"strings"
)

// maxPages is how many pages are read where the script does not say.
const maxPages = 1000

// pages returns an iterator over the responses of a listing that comes in parts:
//
//	for page in http.pages(url, {next = function(page) … end}) do … end
//
// The next part is where the response says by a Link header (RFC 8288), or where next says: a URL, which may be relative, or nil. It
// has to be of the same server, which the headers are for, unless the option cross_origin is true.
func (c call) pages(cl *client, i int) int {
	first := c.Arg(i)
	opts := c.optionsAfter(i-1, i+1)
	next, most := opts.GetField("next"), maxPages
	c.FailIf(!next.IsNil() && !next.IsFunction(), "http.pages: next must be a function")
	if v := opts.GetField("max"); !v.IsNil() {
		most = c.times("http.pages", "max", v, 1<<30)
	}
	if _, ok := first.AsString(); !ok {
		c.Fail("http.pages: first argument must be a URL string")
	}
	state := &listing{to: first, seen: map[string]bool{}}
	// The closure holds what the iterator goes on needing.
	hold := c.newTable(2)
	hold.SetInt(1, opts.Of())
	hold.SetInt(2, next)
	return c.Return(c.vm.closure("http.pages", hold.Of(), func(c call) int {
		if state.to.IsNil() {
			return c.Return(none)
		}
		if state.count++; state.count > most {
			c.Fail("http.pages: more than %d pages: set max to read more of them", most)
		}
		r := c.page(cl, state, opts)
		resp := c.exchange(cl, r)
		t := c.answered(resp)
		state.to = none
		if !next.IsNil() {
			state.to = c.Call1(next, t.Of())
		} else if to := linked(resp.header); to != "" {
			state.to = c.NewString(to)
		}
		state.base = resp.url
		return c.Return(t.Of())
	}))
}

// A listing is where an iterator over pages is.
type listing struct {
	to    value // the next page; nil: there is none
	base  *url.URL
	seen  map[string]bool
	count int
}

// page reads the request for the next page.
func (c call) page(cl *client, s *listing, opts *table) *request {
	raw, ok := s.to.AsString()
	c.FailIf(!ok, "http.pages: next must return a URL or nil")
	r := cl.request("http.pages", http.MethodGet)
	if host := c.headers(r.name, opts, r.header); host != "" {
		r.host = host
	}
	var err error
	if s.base != nil {
		var to *url.URL
		if to, err = s.base.Parse(raw); err == nil {
			raw = to.String()
			if !sameServer(to, s.base) && !opts.GetField("cross_origin").Truth() {
				c.Fail("http.pages: the next page is on another server, %s://%s: set cross_origin = true to send your headers there", to.Scheme, to.Host)
			}
		}
	}
	if err == nil {
		r.url, err = ParseURL(raw)
	}
	c.Check("http.pages failed", err)
	if s.seen[raw] {
		c.Fail("http.pages: the page %s comes again", r.shown())
	}
	s.seen[raw] = true
	query := opts.GetField("query")
	if s.base != nil { // what the server said is whole
		opts.SetField("query", none)
	}
	c.requestOptions(r, opts)
	opts.SetField("query", query)
	c.permitted(r)
	return r
}

// linked returns the target of the link to the next page, or "" (RFC 8288, section 3).
func linked(h http.Header) string {
	for _, v := range h.Values("Link") {
		for {
			_, rest, ok := strings.Cut(v, "<")
			if !ok {
				break
			}
			target, rest, ok := strings.Cut(rest, ">")
			if !ok {
				break
			}
			var params []string
			params, v = linkParams(rest)
			for _, p := range params {
				name, rel, _ := strings.Cut(p, "=")
				if !strings.EqualFold(strings.TrimSpace(name), "rel") {
					continue
				}
				for word := range strings.FieldsSeq(strings.Trim(strings.TrimSpace(rel), `"`)) {
					if strings.EqualFold(word, "next") {
						return target
					}
				}
			}
		}
	}
	return ""
}

// linkParams splits what is behind the target of a link into its parameters, and returns the
// links after it. Within quotation marks signs separate nothing.
func linkParams(s string) (params []string, rest string) {
	quoted, from := false, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ';':
			params = append(params, s[from:i])
			from = i + 1
		case c == ',':
			return append(params, s[from:i]), s[i+1:]
		}
	}
	return append(params, s[from:]), ""
}
