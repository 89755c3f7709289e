package lua

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"crypto"

	"github.com/google/go-cmp/cmp"
)

// echo answers with what it was asked, as JSON.
func echo(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	h := map[string]string{}
	for k, v := range r.Header {
		h[k] = strings.Join(v, ",")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Add("X-Two", "a")
	w.Header().Add("X-Two", "b")
	json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "uri": r.RequestURI, "host": r.Host, "headers": h, "body": string(b)})
}

func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func TestRequests(t *testing.T) {
	s := serve(t, echo)
	base := object{"Accept": "*/*", "User-Agent": "assay"}
	with := func(more ...string) object {
		h := object{}
		for k, v := range base {
			h[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			h[more[i]] = more[i+1]
		}
		return h
	}
	host := strings.TrimPrefix(s.URL, "http://")
	for _, c := range []struct {
		call string
		want object
	}{
		{`http.get(U .. "/a?b=c")`, object{"method": "GET", "uri": "/a?b=c", "headers": base, "body": ""}},
		{`http.delete(U .. "/a")`, object{"method": "DELETE", "uri": "/a", "headers": base, "body": ""}},
		{`http.post(U, "raw \0 body")`, object{"method": "POST", "uri": "/", "headers": with("Content-Length", "10"), "body": "raw \x00 body"}},
		{`http.post(U, {b = 1, a = {2}})`, object{"method": "POST", "uri": "/", "headers": with("Content-Length", "15", "Content-Type", "application/json"), "body": `{"a":[2],"b":1}`}},
		{`http.put(U, {})`, object{"method": "PUT", "uri": "/", "headers": with("Content-Length", "2", "Content-Type", "application/json"), "body": "[]"}},
		{`http.patch(U, {1}, {headers = {["content-type"] = "application/merge-patch+json", ["X-N"] = 5, authorization = "Bearer t"}})`, object{"method": "PATCH", "uri": "/", "headers": with("Content-Length", "3", "Content-Type", "application/merge-patch+json", "X-N", "5", "Authorization", "Bearer t"), "body": "[1]"}},
		{`http.post(U)`, object{"method": "POST", "uri": "/", "headers": with("Content-Length", "0"), "body": ""}},
		{`http.post(U, nil, {headers = {Accept = "text/plain", ["User-Agent"] = "mine"}})`, object{"method": "POST", "uri": "/", "headers": object{"Accept": "text/plain", "User-Agent": "mine", "Content-Length": "0"}, "body": ""}},
		{`http.get(U, {headers = {Host = "other.example"}})`, object{"method": "GET", "uri": "/", "host": "other.example", "headers": base, "body": ""}},
		{`http.client():get(U .. "/c", {headers = {["X-A"] = "b"}})`, object{"method": "GET", "uri": "/c", "headers": with("X-A", "b"), "body": ""}},
		{`http.client({timeout = 5}):post(U, "x")`, object{"method": "POST", "uri": "/", "headers": with("Content-Length", "1"), "body": "x"}},
		// as browsers write URLs
		{`http.get(U .. '/q?query=up{job="a b"} <1>é[5m]|\'x\'%zz')`, object{"method": "GET", "uri": "/q?query=up{job=%22a%20b%22}%20%3C1%3E%C3%A9[5m]|%27x%27%25zz", "headers": base, "body": ""}},
		{"http.get(U .. '/a b/{c}`é/%2F/../d/./e%2e?x#frag')", object{"method": "GET", "uri": "/a%20b/%7Bc%7D%60%C3%A9/d/e%2e?x", "headers": base, "body": ""}},
		{`http.get("  " .. U .. "\\a\n/b ")`, object{"method": "GET", "uri": "/a/b", "headers": base, "body": ""}},
		{`http.get(U .. "/a%2Fb%20c//d/..")`, object{"method": "GET", "uri": "/a%2Fb%20c//", "headers": base, "body": ""}},
	} {
		got, err := eval(t, Options{Globals: map[string]any{"U": s.URL}}, "local r = "+c.call+" return {r.status, json.parse(r.body), r.headers}")
		if err != nil {
			t.Errorf("%s: %v", c.call, err)
			continue
		}
		if c.want["host"] == nil {
			c.want["host"] = host
		}
		r, _ := got.(array)
		h, _ := r[2].(object)
		if r[0] != int64(200) || h["content-type"] != "application/json" || h["x-two"] != "b" {
			t.Errorf("%s: %v %v", c.call, r[0], h)
		}
		if d := cmp.Diff(c.want, r[1]); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.call, d)
		}
	}
}

func TestHead(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusMovedPermanently)
			return
		}
		w.Header().Set("Asked", strings.TrimSpace(r.Method+" "+r.RequestURI+" "+r.Header.Get("X-A")))
		w.Header().Set("Content-Length", "5")
		w.WriteHeader(http.StatusAccepted)
	})
	for call, asked := range map[string]string{
		`http.head(U .. "/a?b=c", {headers = {["X-A"] = "1"}})`:      "HEAD /a?b=c 1",
		`http.client():head(U .. "/a", {headers = {["X-A"] = "2"}})`: "HEAD /a 2",
		`http.head(U .. "/old")`:                                     "HEAD /new",
	} {
		got, err := eval(t, Options{Globals: map[string]any{"U": s.URL}}, "local r = "+call+" return {r.status, r.body, r.headers.asked, r.headers['content-length']}")
		if d := cmp.Diff(any(array{int64(202), "", asked, "5"}), got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", call, err, d)
		}
	}
}

func TestResponses(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/latin1":
			w.Header().Set("Content-Type", "text/plain; charset=iso-8859-1")
			w.Write([]byte("caf\xe9"))
		case "/broken":
			w.Header().Set("Bad", "\xff")
			w.Write([]byte("a\xffb"))
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/to":
			http.Redirect(w, r, "/latin1", http.StatusMovedPermanently)
		case "/post":
			http.Redirect(w, r, "/echo", http.StatusTemporaryRedirect)
		case "/echo":
			echo(w, r)
		case "/cut":
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("short"))
		case "/slow":
			time.Sleep(200 * time.Millisecond)
		case "/cookie":
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			fmt.Fprint(w, r.Header.Get("Cookie"))
		default:
			w.WriteHeader(http.StatusTeapot)
			fmt.Fprint(w, "no")
		}
	})
	o := Options{Globals: map[string]any{"U": s.URL}}
	for src, want := range map[string]any{
		`return http.get(U .. "/latin1").body`:                                                      "café",
		`return http.get(U .. "/broken").body`:                                                      "a\xffb",
		`return http.get(U .. "/broken").headers.bad`:                                               "\xff",
		`return http.get(U .. "/other").status`:                                                     int64(418),
		`return http.get(U .. "/to").body`:                                                          "café",
		`return json.parse(http.post(U .. "/post", "kept").body).body`:                              "kept",
		`http.get(U .. "/cookie") return http.get(U .. "/cookie").body`:                             "",
		`return select(2, pcall(http.get, U .. "/loop")):match("too many redirects")`:               "too many redirects",
		`return select(2, pcall(http.get, U .. "/cut")):match("http.get: reading body failed: .*")`: "http.get: reading body failed: unexpected EOF",
		`local c = http.client({timeout = 0.05}) return select(2, pcall(c.get, c, U .. "/slow")):match("http.get failed: .*Timeout") ~= nil`: true,
	} {
		if got, err := eval(t, o, src); err != nil || got != want {
			t.Errorf("%s = %v, %v, want %v", src, got, err, want)
		}
	}
	if _, err := eval(t, Options{Memory: 1 << 20, Client: s.Client()}, `http.get("`+s.URL+`/latin1")`); err != nil {
		t.Error(err)
	}
}

// authority makes a CA and a certificate of it for 127.0.0.1.
func authority(t testing.TB) (caPEM []byte, cert tls.Certificate) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test CA"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, ca, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: caDER}), tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestTLS(t *testing.T) {
	caPEM, cert := authority(t)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secure") }))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	var logged bytes.Buffer
	o := Options{Dir: t.TempDir(), Log: &logged, Globals: map[string]any{"U": s.URL, "CA": string(caPEM)}}
	for src, want := range map[string]any{
		`return select(2, pcall(http.get, U)):match("certificate signed by unknown authority") ~= nil`: true,
		`return http.client({ca_cert = CA}):get(U).body`:                                               "secure",
		`fs.write("ca.pem", CA) return http.client({ca_cert_file = "ca.pem"}):get(U).body`:             "secure",
		`local c = http.client({}) return pcall(c.get, c, U)`:                                          false,
		`http.client({ca_cert = CA}):get(U) return pcall(http.get, U)`:                                 false,
	} {
		if got, err := eval(t, o, src); err != nil || got != want {
			t.Errorf("%s = %v, %v, want %v", src, got, err, want)
		}
	}
	if logged.Len() > 0 {
		t.Errorf("logged %s", logged.String())
	}
	if got, err := eval(t, o, `return http.client({insecure_skip_verify = true}):get(U).body`); err != nil || got != "secure" {
		t.Error(got, err)
	}
	if !strings.Contains(logged.String(), "WARN  http.client: insecure_skip_verify is set") {
		t.Errorf("logged %q", logged.String())
	}
}

// free returns a port that nobody listens on.
func free(t testing.TB) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func TestServe(t *testing.T) {
	src := `
local seen
async.spawn(function()
  http.serve(PORT, {
    get = {
      ["/text"] = function(req) return {body = "hello"} end,
      ["/json"] = function(req) return {json = {q = req.query, m = req.method, p = req.path, h = req.headers["x-a"]}} end,
      ["/status"] = function() return {status = 201, headers = {["X-B"] = "c", ["content-type"] = "text/css"}, body = 5} end,
      ["/none"] = function() end,
      ["/fails"] = function() error("boom") end,
      ["/slow"] = function() sleep(0.05) return {body = "slow"} end,
      ["/bad"] = function() return "text" end,
    },
    POST = {["/echo"] = function(req) seen = req.body return {body = req.body .. "!"} end},
  })
end)
sleep(0.05)
local U = "http://127.0.0.1:" .. PORT
local function get(p, o) local r = http.get(U .. p, o) return {r.status, r.headers["content-type"], r.body} end
local a = async.spawn(function() return get("/slow") end)
local b = async.spawn(function() return get("/slow") end)
return {
  get("/text"), get("/json?x=1&y", {headers = {["X-A"] = "v"}}), get("/status"), http.get(U .. "/status").headers["x-b"], get("/none"),
  get("/nowhere"), get("/fails"), get("/bad"), http.post(U .. "/echo", "body").body .. seen, http.post(U .. "/text").status, a.await()[1][3] .. b.await()[1][3],
}`
	got, err := eval(t, Options{Globals: map[string]any{"PORT": free(t)}}, src)
	if err != nil {
		t.Fatal(err)
	}
	want := array{
		array{int64(200), "text/plain", "hello"}, array{int64(200), "application/json", `{"h":"v","m":"GET","p":"/json","q":"x=1&y"}`},
		array{int64(201), "text/css", "5"}, "c", array{int64(200), "text/plain", ""}, array{int64(404), "text/plain", "not found"},
		array{int64(500), "text/plain", "handler error: t.lua:10: boom"}, array{int64(500), "text/plain", "handler error: a handler must return a table, not a string"}, "body!body", int64(404), "slowslow",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A token is what its parts say, signed.
func TestJWT(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for kind, der := range map[string][]byte{"RSA PRIVATE KEY": x509.MarshalPKCS1PrivateKey(key), "PRIVATE KEY": pkcs8} {
		text := string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
		got, err := eval(t, Options{Globals: map[string]any{"KEY": text}}, `return crypto.jwt_sign({iss = "joe", exp = 1300819380, ["http://example.com/is_root"] = true}, KEY, nil, {kid = "k1"})`)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(got.(string), ".")
		head, _ := base64.RawURLEncoding.DecodeString(parts[0])
		body, _ := base64.RawURLEncoding.DecodeString(parts[1])
		sig, _ := base64.RawURLEncoding.DecodeString(parts[2])
		if string(head) != `{"alg":"RS256","kid":"k1","typ":"JWT"}` || string(body) != `{"exp":1300819380,"http://example.com/is_root":true,"iss":"joe"}` {
			t.Errorf("%s %s", head, body)
		}
		sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, sum[:], sig); err != nil {
			t.Error(err)
		}
	}
	if _, err := eval(t, Options{}, `crypto.jwt_sign({}, "-----BEGIN X-----\nAA==\n-----END X-----")`); err == nil || !strings.Contains(err.Error(), "neither PKCS#1 nor PKCS#8") {
		t.Error(err)
	}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))
	for src, want := range map[string]string{`crypto.jwt_sign({}, KEY, "HS256")`: "HS256 wants a secret, and this is a key in PEM", `crypto.jwt_sign({}, KEY, "ES256")`: "invalid PEM key: not an EC key, which ES256 wants", `crypto.jwt_sign({}, "", "HS256")`: "the secret is empty", `crypto.jwt_sign({}, KEY, "none")`: "unsupported algorithm: none (supported: RS256, ", `crypto.jwt_sign({f = print}, KEY)`: "unsupported Lua type"} {
		if _, err := eval(t, Options{Globals: map[string]any{"KEY": text}}, src); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
}

// The key and signature of RFC 7515, appendix A.2: RSASSA-PKCS1-v1_5 is
// deterministic, so that a signature over its input must be the published one.
func TestRS256Vector(t *testing.T) {
	b64 := func(s string) *big.Int {
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return new(big.Int).SetBytes(b)
	}
	key := &rsa.PrivateKey{
		PublicKey: rsa.PublicKey{N: b64("ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"), E: 65537},
		D:         b64("Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46sui395IW_GO-pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQlBjudU2QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjnczT0QU91p1DhOVRuOopznQ"),
		Primes:    []*big.Int{b64("4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw_Py5PJdTJNPY8cQn7ouZ2KKDcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc"), b64("uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7C6ul7TjeLQeZD_YwD66t62wDmpe_HlB-TnBA-njbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdc")},
	}
	key.Precompute()
	got, err := eval(t, Options{Globals: map[string]any{"KEY": string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))}},
		`return crypto.jwt_sign({iss = "joe"}, KEY)`)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(got.(string), ".")
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	want, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	if err != nil || parts[2] != base64.RawURLEncoding.EncodeToString(want) {
		t.Error(err, got)
	}
	// And the published signature is what this key gives for the published input.
	input := "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
	sum = sha256.Sum256([]byte(input))
	sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	if err != nil || !strings.HasPrefix(base64.RawURLEncoding.EncodeToString(sig), "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7") {
		t.Error(err, base64.RawURLEncoding.EncodeToString(sig))
	}
}
