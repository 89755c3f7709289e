// Package sigv4 signs requests as the interfaces of AWS want them, and those of others that have taken it over
// ("Signature Version 4 signing process", docs.aws.amazon.com).
package sigv4

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Signer has the keys of a client, and the region and the service that it asks.
type Signer struct {
	AccessKey, SecretKey, SessionToken, Region, Service string // a session token may be empty
}

// Sign sets the headers by which a request proves who sends it, and returns its query in the order that is signed. payload is the
// SHA-256 of the body in hexadecimal, or what the service takes instead of it.
func (s *Signer) Sign(method string, u *url.URL, host string, header textproto.MIMEHeader, payload string, now time.Time) (query string) {
	stamp := now.UTC().Format("20060102T150405Z")
	header.Set("X-Amz-Date", stamp)
	if s.SessionToken != "" {
		header.Set("X-Amz-Security-Token", s.SessionToken)
	}
	path := cmp.Or(u.EscapedPath(), "/")
	if s.Service == "s3" {
		header.Set("X-Amz-Content-Sha256", payload)
	} else {
		path = Escape(path, "/") // every service but S3 escapes it twice
	}
	query = canonicalQuery(u.RawQuery)
	names, headers := signedHeaders(host, header)
	request := strings.Join([]string{method, path, query, headers, names, payload}, "\n")
	scope := []string{stamp[:8], s.Region, s.Service, "aws4_request"}
	sum := sha256.Sum256([]byte(request))
	text := strings.Join([]string{"AWS4-HMAC-SHA256", stamp, strings.Join(scope, "/"), hex.EncodeToString(sum[:])}, "\n")
	key := []byte("AWS4" + s.SecretKey)
	for _, part := range append(scope, text) {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(part))
		key = h.Sum(nil)
	}
	const form = "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%x"
	header.Set("Authorization", fmt.Sprintf(form, s.AccessKey, strings.Join(scope, "/"), names, key))
	return query
}

// signedHeaders returns the names and the lines of the headers that are signed, which no proxy may change: the host, and those that say
// which part of which content is meant.
func signedHeaders(host string, header textproto.MIMEHeader) (names, lines string) {
	values := map[string]string{"host": host}
	list := []string{"host"}
	for name, v := range header {
		name = strings.ToLower(name)
		if name == "content-type" || name == "range" || strings.HasPrefix(name, "x-amz-") {
			values[name] = strings.Join(strings.Fields(strings.Join(v, ",")), " ")
			list = append(list, name)
		}
	}
	slices.Sort(list)
	var b strings.Builder
	for _, name := range list {
		b.WriteString(name + ":" + values[name] + "\n")
	}
	return strings.Join(list, ";"), b.String()
}

// canonicalQuery sorts a query and escapes it as it is signed.
func canonicalQuery(raw string) string {
	if raw == "" {
		return ""
	}
	parts := strings.Split(raw, "&")
	for i, p := range parts {
		name, v, _ := strings.Cut(p, "=")
		plain := func(s string) string {
			if out, err := url.QueryUnescape(s); err == nil {
				return out
			}
			return s
		}
		parts[i] = Escape(plain(name), "") + "=" + Escape(plain(v), "")
	}
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~"

// Escape escapes all bytes but the unreserved ones of RFC 3986 and those in others.
func Escape(s, others string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; strings.IndexByte(unreserved, c) >= 0 || strings.IndexByte(others, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
