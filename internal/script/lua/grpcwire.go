package lua

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// isGRPC reports whether headers are those of a call of gRPC, whose body is messages in binary form.
func isGRPC(h http.Header) bool { return strings.HasPrefix(h.Get("Content-Type"), "application/grpc") }

// asksTypes reports whether a request asks a server of gRPC about its types: a POST that only reads. The slim build, which reads no policies, has no module that asks.
func asksTypes(method string, u *url.URL, h http.Header) bool {
	return ReadsPolicies && method == http.MethodPost && isGRPC(h) &&
		(u.Path == "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo" || u.Path == "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
}

// mask takes values out of binary text, whose length must stay as it is because the text says it.
func (s *secrets) mask(text string) string {
	for _, v := range s.all() {
		text = strings.ReplaceAll(text, v, strings.Repeat("*", len(v)))
	}
	return text
}

// redactTrailer takes values out of a trailer, also out of one that is binary and written as base64.
func (s *secrets) redactTrailer(name, v string) string {
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if !ReadsPolicies || err != nil || !strings.HasSuffix(strings.ToLower(name), "-bin") {
		return s.redact(v)
	}
	return base64.StdEncoding.EncodeToString([]byte(s.mask(string(b))))
}

// messageText returns a body of gRPC in quotation marks, so that its texts can be read and every other byte seen; "" for another body.
func messageText(h http.Header, body []byte) string {
	if !ReadsPolicies || !isGRPC(h) || len(body) == 0 || len(body) > maxShownBody {
		return ""
	}
	return strconv.Quote(string(body))
}
