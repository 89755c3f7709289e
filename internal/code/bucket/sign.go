package bucket

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Keys are the credentials of a client. The zero Keys sign nothing: what a bucket lets anybody read
// is read without them.
type Keys struct {
	Access, Secret string
	Session        string // of keys that are lent for a while; may be empty
}

const stamp = "20060102T150405Z"

// sign adds the headers of AWS Signature Version 4 ("Authenticating Requests: Using the
// Authorization Header", Amazon S3 API Reference) for a payload with the given SHA-256, in hexadecimal.
func sign(r *http.Request, k Keys, region, payload string, now time.Time) {
	r.Header.Set("X-Amz-Content-Sha256", payload)
	if k.Access == "" {
		return
	}
	at := now.UTC().Format(stamp)
	r.Header.Set("X-Amz-Date", at)
	if k.Session != "" {
		r.Header.Set("X-Amz-Security-Token", k.Session)
	}
	// Only what no proxy on the way may change: the host and the headers of the protocol.
	names := []string{"host"}
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-amz-") || name == "range" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var head strings.Builder
	for _, name := range names {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.URL.Host
		}
		fmt.Fprintf(&head, "%s:%s\n", name, strings.Join(strings.Fields(value), " "))
	}
	signed := strings.Join(names, ";")
	canonical := strings.Join([]string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, head.String(), signed, payload}, "\n")
	scope := at[:8] + "/" + region + "/s3/aws4_request"
	sum := sha256.Sum256([]byte(canonical))
	text := "AWS4-HMAC-SHA256\n" + at + "\n" + scope + "\n" + hex.EncodeToString(sum[:])
	key := []byte("AWS4" + k.Secret)
	for _, part := range strings.Split(scope, "/") {
		key = mac(key, part)
	}
	r.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s",
		k.Access, scope, signed, hex.EncodeToString(mac(key, text))))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// escaped is a key as the path of a request has it: S3 takes no other form than the one that
// is signed.
func escaped(key string) string {
	var b strings.Builder
	for _, c := range []byte(key) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
