package lua

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A sigV4 signs requests as the interfaces of AWS want them, and those of others that have
// taken it over ("Signature Version 4 signing process", docs.aws.amazon.com).
type sigV4 struct {
	accessKey, secretKey, sessionToken, region, service string
}

const amzTime = "20060102T150405Z"

// sign sets the headers of a request, and writes its query in the order that is signed.
func (s *sigV4) sign(r *request, now time.Time) {
	stamp := now.UTC().Format(amzTime)
	r.header.Set("X-Amz-Date", stamp)
	if s.sessionToken != "" {
		r.header.Set("X-Amz-Security-Token", s.sessionToken)
	}
	payload := hexSum(string(r.body))
	if r.upload != "" {
		payload = "UNSIGNED-PAYLOAD"
	}
	path := cmp.Or(r.url.EscapedPath(), "/")
	if s.service == "s3" {
		r.header.Set("X-Amz-Content-Sha256", payload)
	} else {
		path = escapeAMZ(path, "/") // every service but S3 escapes it twice
	}
	u := *r.url
	u.RawQuery = canonicalQuery(u.RawQuery)
	r.url = &u
	names, headers := s.signedHeaders(r)
	request := strings.Join([]string{r.method, path, u.RawQuery, headers, names, payload}, "\n")
	scope := strings.Join([]string{stamp[:8], s.region, s.service, "aws4_request"}, "/")
	text := strings.Join([]string{"AWS4-HMAC-SHA256", stamp, scope, hexSum(request)}, "\n")
	key := []byte("AWS4" + s.secretKey)
	for _, part := range []string{stamp[:8], s.region, s.service, "aws4_request", text} {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(part))
		key = h.Sum(nil)
	}
	const form = "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%x"
	r.header.Set("Authorization", fmt.Sprintf(form, s.accessKey, scope, names, key))
}

// signedHeaders returns the names and the lines of the headers that are signed: the host, the
// type of the content and those that begin with x-amz.
func (s *sigV4) signedHeaders(r *request) (names, lines string) {
	host := cmp.Or(r.host, r.url.Host)
	values := map[string]string{"host": host}
	list := []string{"host"}
	for name, v := range r.header {
		name = strings.ToLower(name)
		if name == "content-type" || strings.HasPrefix(name, "x-amz-") {
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
		parts[i] = escapeAMZ(plain(name), "") + "=" + escapeAMZ(plain(v), "")
	}
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

const unreserved = "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ-_.~" // besides the digits of hexadecimal numbers

// escapeAMZ escapes all bytes but the unreserved ones of RFC 3986 and those in others.
func escapeAMZ(s, others string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if isHex(c) || strings.IndexByte(unreserved, c) >= 0 || strings.IndexByte(others, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func hexSum(s string) string {
	d := sha256.Sum256([]byte(s))
	return hex.EncodeToString(d[:])
}
