package lua

import (
	"fmt"
	"net/http"
	"net/url"
)

// requestOptions reads those of a request besides its headers.
func (c call) requestOptions(r *request, t *table) {
	if v := t.GetField("query"); !v.IsNil() {
		sep := ""
		if r.url.RawQuery != "" {
			sep = "&"
		}
		u := *r.url
		u.RawQuery += sep + c.encoded(r.name, "query", v)
		r.url = &u
	}
	if a := c.readAuth(r.name, t.GetField("auth")); a != nil {
		r.auth = a
	}
	r.limit = c.seconds(r.name, "timeout", t.GetField("timeout"), 0)
	if v := t.GetField("retry"); !v.IsNil() {
		r.retry = c.readRetry(r.name, v)
	}
	if v := t.GetField("redirects"); !v.IsNil() {
		r.follow = c.readFollow(r.name, v)
	}
	c.bodyOptions(r, t)
	r.sink = c.readSink(r.name, t)
}

// bodyOptions reads the options that make the body: at most one of them, and no other body.
func (c call) bodyOptions(r *request, t *table) {
	given := 0
	set := func(option string, v value) bool {
		if v.IsNil() {
			return false
		}
		if given++; given > 1 || r.body != nil {
			c.Fail("%s: %s is one body too many", r.name, option)
		}
		if r.method == http.MethodGet || r.method == http.MethodHead {
			c.Fail("%s: %s: a %s has no body", r.name, option, r.method)
		}
		return true
	}
	kind := func(k string) {
		if r.header.Get("Content-Type") == "" {
			r.header.Set("Content-Type", k)
		}
	}
	if v := t.GetField("form"); set("form", v) {
		r.body = []byte(c.encoded(r.name, "form", v))
		kind("application/x-www-form-urlencoded")
	}
	if v := t.GetField("multipart"); set("multipart", v) {
		parts := v.AsTable()
		if parts == nil {
			c.Fail("%s: multipart must be a table of parts", r.name)
		}
		body, boundary := c.multipart(r.name, parts)
		r.body = body
		r.header.Set("Content-Type", boundary)
	}
	if v := t.GetField("body_file"); set("body_file", v) {
		p, ok := v.AsString()
		if !ok || p == "" {
			c.Fail("%s: body_file must be a path", r.name)
		}
		r.upload = p
		kind("application/octet-stream")
	}
	switch v, _ := t.GetField("compress").AsString(); {
	case t.GetField("compress").IsNil():
	case v != "gzip":
		c.Fail(`%s: compress must be "gzip"`, r.name)
	case r.upload != "":
		c.Fail("%s: compress does not go with body_file", r.name)
	default:
		b, err := compressed(r.body)
		if err != nil {
			c.Fail("%s: compress: %v", r.name, err)
		}
		r.body = b
		r.header.Set("Content-Encoding", "gzip")
	}
}

// encoded writes a table of names and values as forms and queries have them, by name. A list is the name once for each value.
func (c call) encoded(name, option string, v value) string {
	t := v.AsTable()
	if t == nil {
		c.Fail("%s: %s must be a table", name, option)
	}
	list, err := members(t)
	if err != nil {
		c.Fail("%s: %s: %v", name, option, err)
	}
	out := url.Values{}
	for _, m := range list {
		values := []value{m.value}
		if l := m.value.AsTable(); l != nil {
			values = nil
			for i := int64(1); i <= l.Len(); i++ {
				values = append(values, l.GetInt(i))
			}
		}
		for _, v := range values {
			s, ok := v.Text()
			if !ok && v.TypeName() != "boolean" {
				c.Fail("%s: %s: %q must be a string, a number, a boolean or a list of them", name, option, m.name)
			}
			if !ok {
				s = fmt.Sprint(v.Truth())
			}
			out.Add(m.name, s)
		}
	}
	return out.Encode()
}

// readFollow reads the option redirects: how many are followed, false being none.
func (c call) readFollow(name string, v value) *int {
	n := maxRedirects
	switch {
	case v.TypeName() == "boolean" && !v.Truth():
		n = 0
	case v.TypeName() != "boolean":
		n = c.times(name, "redirects", v, 100)
	}
	return &n
}
