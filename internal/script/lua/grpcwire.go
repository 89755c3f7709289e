package lua

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
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
	if !strings.HasSuffix(strings.ToLower(name), "-bin") {
		return s.redact(v)
	}
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if err != nil {
		return s.redact(v)
	}
	return base64.StdEncoding.EncodeToString([]byte(s.mask(string(b))))
}

// messageText returns the message of a body of gRPC as a person can read it, or "" for another body: its fields by their numbers,
// because their names are not sent.
func messageText(h http.Header, body []byte) string {
	if !ReadsPolicies || !isGRPC(h) || len(body) < 5 || len(body) > maxShownBody {
		return ""
	}
	isOne := body[0] == 0 && int(binary.BigEndian.Uint32(body[1:])) == len(body)-5
	if text, ok := fieldsText(body[5:], 0); ok && isOne {
		return "{" + text + "}"
	}
	return ""
}

func fieldsText(b []byte, depth int) (text string, ok bool) {
	var out []string
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		v, size := binary.Uvarint(b[max(n, 0):])
		switch kind := tag & 7; {
		case n <= 0 || tag>>3 == 0 || depth > maxNesting:
			return "", false
		case kind == 0 && size > 0:
			out = append(out, fmt.Sprintf("%d: %d", tag>>3, v))
			b = b[n+size:]
		case kind == 1 && len(b) >= n+8:
			out = append(out, fmt.Sprintf("%d: %#x", tag>>3, binary.LittleEndian.Uint64(b[n:])))
			b = b[n+8:]
		case kind == 5 && len(b) >= n+4:
			out = append(out, fmt.Sprintf("%d: %#x", tag>>3, binary.LittleEndian.Uint32(b[n:])))
			b = b[n+4:]
		case kind == 2 && size > 0 && v <= uint64(len(b)-n-size):
			value := b[n+size : n+size+int(v)]
			b = b[n+size+int(v):]
			inner, isMessage := fieldsText(value, depth+1)
			isText := utf8.Valid(value) && !strings.ContainsFunc(string(value), control)
			switch {
			case isText:
				inner = fmt.Sprintf("%q", value)
			case isMessage:
				inner = "{" + inner + "}"
			default:
				inner = fmt.Sprintf("bytes %q", value)
			}
			out = append(out, fmt.Sprintf("%d: %s", tag>>3, inner))
		default:
			return "", false
		}
	}
	return strings.Join(out, ", "), true
}
