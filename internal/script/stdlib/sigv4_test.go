package stdlib_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSigV4 signs the requests that AWS has published with their signatures: "Signature
// Calculations for the Authorization Header: Transferring Payload in a Single Chunk" of
// the S3 API Reference, and two of the test suite.
func TestSigV4(t *testing.T) {
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for _, c := range []struct {
		name, credentials, request, want string
	}{
		{"GET Object", "S3", `verb = "GET", path = "/test.txt", query = "", payload_hash = "` + empty + `", headers = {
			host = "examplebucket.s3.amazonaws.com", range = "bytes=0-9", ["x-amz-content-sha256"] = "` + empty + `", ["x-amz-date"] = "20130524T000000Z"}`,
			"SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
		{"PUT Object", "S3", `verb = "PUT", path = "/test%24file.text", query = "", payload_hash = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072", headers = {
			date = "Fri, 24 May 2013 00:00:00 GMT", host = "examplebucket.s3.amazonaws.com", ["x-amz-storage-class"] = "REDUCED_REDUNDANCY",
			["x-amz-content-sha256"] = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072", ["x-amz-date"] = "20130524T000000Z"}`,
			"SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"},
		{"GET Bucket Lifecycle", "S3", `verb = "GET", path = "/", query = "lifecycle=", payload_hash = "` + empty + `", headers = {
			host = "examplebucket.s3.amazonaws.com", ["x-amz-content-sha256"] = "` + empty + `", ["x-amz-date"] = "20130524T000000Z"}`,
			"SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
		{"GET Bucket (List Objects)", "S3", `verb = "GET", path = "/", query = "max-keys=2&prefix=J", payload_hash = "` + empty + `", headers = {
			host = "examplebucket.s3.amazonaws.com", ["x-amz-content-sha256"] = "` + empty + `", ["x-amz-date"] = "20130524T000000Z"}`,
			"SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
		{"get-header-value-trim", "SUITE", `verb = "GET", path = "/", query = "", payload_hash = "` + empty + `", headers = {
			host = "example.amazonaws.com", ["my-header1"] = " value1", ["my-header2"] = ' "a   b   c" ', ["x-amz-date"] = "20150830T123600Z"}`,
			"SignedHeaders=host;my-header1;my-header2;x-amz-date, Signature=acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
		{"get-vanilla-query-order-key-case", "SUITE", `verb = "GET", path = "/", query = "Param1=value1&Param2=value2", payload_hash = "` + empty + `", headers = {
			host = "example.amazonaws.com", ["x-amz-date"] = "20150830T123600Z"}`,
			"SignedHeaders=host;x-amz-date, Signature=b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
	} {
		t.Run(c.name, func(t *testing.T) {
			chunk := `
local S3 = {access_key = "AKIAIOSFODNN7EXAMPLE", secret_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region = "us-east-1"}
local SUITE = {access_key = "AKIDEXAMPLE", secret_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region = "us-east-1", service = "service"}
local request = {` + c.request + `}
request.stamp = request.headers["x-amz-date"]
return require("assay.s3")._sign(` + c.credentials + `, request)`
			out, _ := runLua(t, newServer(t), nil, chunk)
			if got, _ := out[0].(string); !strings.HasPrefix(got, "AWS4-HMAC-SHA256 Credential=AKI") || !strings.HasSuffix(got, ", "+c.want) {
				t.Errorf("_sign = %s\nwant … %s", got, c.want)
			}
		})
	}
}

var authorization = regexp.MustCompile(`^AWS4-HMAC-SHA256 Credential=AK/(\d{8})/((?:eu-west|us-east)-1)/(s3|sts|ec2|secretsmanager|sqs|eks|ecr)/aws4_request, ` +
	`SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$`)

// checkSignature signs a request as it arrived and compares.
func checkSignature(t *testing.T, r *http.Request, body []byte, secret string) {
	t.Helper()
	got := r.Header.Get("Authorization")
	m := authorization.FindStringSubmatch(got)
	if m == nil {
		t.Errorf("Authorization = %q", got)
		return
	}
	day, region, service, names, signature := m[1], m[2], m[3], strings.Split(m[4], ";"), m[5]
	stamp := r.Header.Get("X-Amz-Date")
	if !slices.Contains([]string{"eks", "ecr"}, service) && stamp != "20260201T000000Z" { // those are signed outside Lua, by the clock of the machine
		t.Errorf("X-Amz-Date = %q", stamp)
	}
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-amz-") && !slices.Contains(names, name) {
			t.Errorf("%s is not signed", name)
		}
	}
	path, query, _ := strings.Cut(r.RequestURI, "?")
	if service != "s3" {
		path = strings.ReplaceAll(path, "%", "%25")
	}
	hash := sha256.Sum256(body)
	var b bytes.Buffer
	b.WriteString(r.Method + "\n" + path + "\n" + query + "\n")
	for _, name := range names {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		b.WriteString(name + ":" + strings.Join(strings.Fields(value), " ") + "\n")
	}
	b.WriteString("\n" + strings.Join(names, ";") + "\n" + hex.EncodeToString(hash[:]))
	canonical := sha256.Sum256(b.Bytes())
	key := []byte("AWS4" + secret)
	for _, part := range []string{day, region, service, "aws4_request"} {
		key = mac(key, part)
	}
	text := "AWS4-HMAC-SHA256\n" + stamp + "\n" + day + "/" + region + "/" + service + "/aws4_request\n" + hex.EncodeToString(canonical[:])
	if want := hex.EncodeToString(mac(key, text)); signature != want {
		t.Errorf("signature = %s, want %s of\n%s", signature, want, b.Bytes())
	}
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// TestDates checks the calendar against Go's over eight hundred years.
func TestDates(t *testing.T) {
	out, _ := runLua(t, newServer(t), nil, `
local rest, out = require("assay._rest"), {}
for day = -146097, 146097, 61 do out[#out + 1] = rest.rfc3339(day * 86400 + 3661 + day % 60) end
return json.encode(out)`)
	var got []string
	if err := json.Unmarshal([]byte(out[0].(string)), &got); err != nil {
		t.Fatal(err)
	}
	for i, day := 0, -146097; day <= 146097; i, day = i+1, day+61 {
		want := unix(int64(day)*86400 + 3661 + int64((day%60+60)%60))
		if got[i] != want {
			t.Fatalf("day %d is %s, want %s", day, got[i], want)
		}
	}
}
