package bucket

import (
	"net/http"
	"net/textproto"
	"time"

	"github.com/assay-dev/assay/internal/base/sigv4"
)

// Keys are the credentials of a client. The zero Keys sign nothing: what a bucket lets anybody read
// is read without them.
type Keys struct {
	Access, Secret string
	Session        string // of keys that are lent for a while; may be empty
}

// sign adds the headers of a request for a payload with the given SHA-256, in hexadecimal.
func sign(r *http.Request, k Keys, region, payload string, now time.Time) {
	r.Header.Set("X-Amz-Content-Sha256", payload)
	if k.Access != "" {
		s := sigv4.Signer{AccessKey: k.Access, SecretKey: k.Secret, SessionToken: k.Session, Region: region, Service: "s3"}
		r.URL.RawQuery = s.Sign(r.Method, r.URL, r.URL.Host, textproto.MIMEHeader(r.Header), payload, now)
	}
}

// escaped is a key as the path of a request has it: S3 takes no other form than the one that
// is signed.
func escaped(key string) string { return sigv4.Escape(key, "/") }
