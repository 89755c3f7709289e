package lua

import (
	"crypto/md5"
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/sigv4"
)

func TestRequestMethods(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s %s %d", r.Method, r.URL.RequestURI(), r.Header.Get("Depth"), r.ContentLength)
	})
	for src, want := range map[string]string{
		`return http.request("OPTIONS", U .. "/x").body`:                                                       "OPTIONS /x  0",
		`return http.request("propfind", U, "<propfind/>", {headers = {Depth = 1}}).body`:                      "PROPFIND / 1 11",
		`return http.client({headers = {Depth = 2}}):request("PURGE", U .. "/a", nil, {query = {b = 1}}).body`: "PURGE /a?b=1 2 0",
		`return http.request("GET", U, {a = 1}).body`:                                                          "GET /  7",
		`return http.request("a b", U)`:                                                                        "t.lua:1: http.request: first argument must be a method, such as OPTIONS",
		`return http.request("CONNECT", U)`:                                                                    "t.lua:1: http.request: first argument must be a method, such as OPTIONS",
		`return http.request("GET")`:                                                                           "t.lua:1: http.request: second argument must be a URL string",
		`return http.client():request("GET", U, nil, 1)`:                                                       "t.lua:1: http.request: fourth argument must be a table or nil",
	} {
		says(t, Options{}, s.URL, src, any(want))
	}
	host := strings.TrimPrefix(s.URL, "http://")
	says(t, Options{Policy: &Policy{Hosts: []string{host}, Methods: []string{"GET", "PROPFIND"}}}, s.URL, `return http.request("PROPFIND", U).status`, any(int64(200)))
	for _, p := range []*Policy{{Hosts: []string{host}}, {Hosts: []string{host}, Methods: []string{"PROPFIND"}, ReadOnly: true}} {
		o := Options{Policy: p, Globals: map[string]any{"U": s.URL}}
		if got, err := eval(t, o, `return http.request("PROPFIND", U)`); err == nil || !strings.Contains(err.Error(), "the policy permits no PROPFIND") {
			t.Errorf("%v: %v, %v", p, got, err)
		}
	}
}

func TestUnixSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "sock") // the path of a socket has room for a short name only
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "d.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://other.test/v1/info", http.StatusFound)
			return
		}
		fmt.Fprintf(w, "%s %s", r.Host, r.URL.Path)
	}))
	s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	const src = `local d = http.client({unix = U}) return `
	says(t, Options{}, path, src+`d:get("http://docker/v1/info").body`, any("docker /v1/info"))
	says(t, Options{}, path, src+`d:get("http://docker/away").body`, any("other.test /v1/info"))
	allowed := &Policy{Hosts: []string{"unix:" + path}, Paths: []string{"/v1/info", "/away"}}
	says(t, Options{Policy: allowed}, path, src+`d:get("http://docker/v1/info").body`, any("docker /v1/info"))
	for call, p := range map[string]*Policy{
		`d:get("http://docker/v1/info")`:    {Hosts: []string{"docker", "unix:/other"}},
		`d:get("http://docker/v2")`:         allowed,
		`d:post("http://docker/v1/info")`:   allowed,
		`http.get("http://docker/v1/info")`: allowed,
	} {
		o := Options{Policy: p, Globals: map[string]any{"U": path}}
		if got, err := eval(t, o, src+call); err == nil || !strings.Contains(err.Error(), "the policy ") {
			t.Errorf("%s: %v, %v", call, got, err)
		}
	}
}

func TestAuth(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("Authorization")) })
	for src, want := range map[string]string{
		`return http.get(U, {auth = {username = "u", password = "p"}}).body`:                     "Basic dTpw",
		`return http.client({auth = {bearer = "t0ken"}}):get(U).body`:                            "Bearer t0ken",
		`return http.client({auth = {bearer = "t0ken"}}):get(U, {auth = {bearer = "new"}}).body`: "Bearer new",
		`return http.get(U, {auth = {}})`:                                                        "t.lua:1: http.get: auth: give either username and password, bearer or sigv4",
		`return http.get(U, {auth = {bearer = "a", username = "b"}})`:                            "t.lua:1: http.get: auth: give either username and password, bearer or sigv4",
		`return http.get(U, {auth = {username = "a", scheme = "ntlm"}})`:                         `t.lua:1: http.get: auth: unknown scheme "ntlm": use basic or digest`,
		`return http.get(U, {auth = {sigv4 = {region = "r"}}})`:                                  "t.lua:1: http.get: auth: sigv4 needs access_key, secret_key, region and service",
	} {
		says(t, Options{}, s.URL, src, any(want))
	}
}

// The example of RFC 7616, section 3.9.1.
func TestDigestVector(t *testing.T) {
	a := &auth{username: "Mufasa", password: "Circle of Life", digest: true}
	ask := `realm="http-auth@example.org", qop="auth, auth-int", algorithm=%s, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
	for algorithm, want := range map[string]string{
		"MD5":     `response="8ca523f5e9506fed4657c9700eebdbec"`,
		"SHA-256": `response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"`,
	} {
		got, ok := a.answer("GET", "/dir/index.html", challenge(fmt.Sprintf(ask, algorithm)), "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
		if !ok || !strings.Contains(got, want) || !strings.Contains(got, `opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`) {
			t.Errorf("%s: %s, want %s", algorithm, got, want)
		}
	}
	if got, ok := a.answer("GET", "/", challenge(`realm="r", nonce="n", algorithm=SHA-512-256`), "c"); ok {
		t.Errorf("an algorithm that is not known: %s", got)
	}
}

func TestDigest(t *testing.T) {
	requests := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		got := challenge(strings.TrimPrefix(r.Header.Get("Authorization"), "Digest "))
		ha1 := fmt.Sprintf("%x", md5.Sum([]byte("u:realm, with a comma:p")))
		ha2 := fmt.Sprintf("%x", md5.Sum([]byte(r.Method+":"+r.URL.RequestURI())))
		want := fmt.Sprintf("%x", md5.Sum([]byte(ha1+":n:"+got["nc"]+":"+got["cnonce"]+":auth:"+ha2)))
		if got["response"] != want || got["uri"] != r.URL.RequestURI() {
			w.Header().Add("WWW-Authenticate", `Basic realm="x"`)
			w.Header().Add("WWW-Authenticate", `Digest realm="realm, with a comma", nonce="n", qop="auth"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		b := make([]byte, 5)
		n, _ := r.Body.Read(b)
		fmt.Fprintf(w, "in %s", b[:n])
	})
	says(t, Options{}, s.URL, `return http.post(U .. "/a?b=c", "body", {auth = {username = "u", password = "p", scheme = "digest"}}).body`, any("in body"))
	if requests != 2 {
		t.Errorf("%d requests, want 2", requests)
	}
	says(t, Options{}, s.URL, `return http.get(U, {auth = {username = "u", password = "wrong", scheme = "digest"}}).status`, any(int64(401)))
	if requests != 4 {
		t.Errorf("%d requests, want 4", requests)
	}
}

// get-vanilla and get-vanilla-query-order-key-case of the test suite of AWS for Signature Version 4.
func TestSigV4Vectors(t *testing.T) {
	s := &sigv4.Signer{AccessKey: "AKIDEXAMPLE", SecretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", Region: "us-east-1", Service: "service"}
	now := time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)
	for address, want := range map[string]string{
		"https://example.amazonaws.com/":                             "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
		"https://example.amazonaws.com/?Param2=value2&Param1=value1": "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		r := &request{method: "GET", url: u, header: http.Header{"Accept": {"*/*"}}, auth: &auth{sigV4: s}}
		r.authorize(now)
		if got := r.header.Get("Authorization"); !strings.HasSuffix(got, "SignedHeaders=host;x-amz-date, Signature="+want) {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// The request that is signed is the one that is sent: the order of the query, the hash of the body, the token.
func TestSigV4Request(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.RawQuery, " ", r.Header.Get("X-Amz-Content-Sha256"), " ", r.Header.Get("X-Amz-Security-Token"), " ", strings.Contains(r.Header.Get("Authorization"), "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"))
	})
	want := fmt.Sprintf("a=x%%20y&b=1 %x tok-en true", sha256.Sum256([]byte("body")))
	says(t, Options{}, s.URL, `return http.put(U .. "/k", "body", {headers = {["content-type"] = "text/plain"}, query = {b = 1, a = "x y"}, auth = {sigv4 = {access_key = "AK", secret_key = "secret-key", session_token = "tok-en", region = "r", service = "s3"}}}).body`, any(want))
}
