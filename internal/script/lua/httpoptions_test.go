package lua

import (
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// says evaluates a script about the server U and compares what it returns.
func says(t *testing.T, o Options, url, src string, want any) {
	t.Helper()
	o.Globals = map[string]any{"U": url}
	got, err := eval(t, o, src)
	if err != nil {
		got = strings.TrimSpace(strings.ReplaceAll(err.Error(), url, "U"))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", src, d)
	}
}

func TestRequestBodies(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body := r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			body, _ = gzip.NewReader(r.Body)
		}
		if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
			if err := r.ParseMultipartForm(1 << 20); err != nil {
				t.Error(err)
			}
			fmt.Fprint(w, r.MultipartForm.Value["note"], " ")
			f, err := r.MultipartForm.File["upload"][0].Open()
			if err != nil {
				t.Error(err)
			}
			b, _ := io.ReadAll(f)
			fmt.Fprintf(w, "%s %s %s", r.MultipartForm.File["upload"][0].Filename, r.MultipartForm.File["upload"][0].Header.Get("Content-Type"), b)
			return
		}
		b, _ := io.ReadAll(body)
		fmt.Fprintf(w, "%s %s %d %s", r.URL.RequestURI(), r.Header.Get("Content-Type"), r.ContentLength, b)
	})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.bin"), []byte("\x00\xffbytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: dir}
	for src, want := range map[string]string{
		`return http.get(U .. "/s?a=1", {query = {q = "x y&", n = {1, 2}, ok = true}}).body`:                                                  "/s?a=1&n=1&n=2&ok=true&q=x+y%26  0 ",
		`return http.post(U, nil, {form = {user = "a b", pin = 7}}).body`:                                                                     "/ application/x-www-form-urlencoded 14 pin=7&user=a+b",
		`return http.put(U, nil, {body_file = "a.bin"}).body`:                                                                                 "/ application/octet-stream 7 \x00\xffbytes",
		`return http.post(U, {a = 1}, {compress = "gzip"}).body:gsub(" %d+ ", " ")`:                                                           `/ application/json {"a":1}`,
		`return http.post(U, nil, {multipart = {{name = "note", content = "hi"}, {name = "upload", file = "a.bin", type = "x/y"}}}).body`:     "[hi] a.bin x/y \x00\xffbytes",
		`return http.post(U, nil, {multipart = {{name = "note", content = 5}, {name = "upload", content = "z", filename = "q\".txt"}}}).body`: `[5] q%22.txt application/octet-stream z`,
		`return http.post(U, "b", {form = {a = 1}})`:                                                                                          "t.lua:1: http.post: form is one body too many",
		`return http.post(U, nil, {form = {a = {{}}}})`:                                                                                       `t.lua:1: http.post: form: "a" must be a string, a number, a boolean or a list of them`,
		`return http.get(U, {form = {a = 1}})`:                                                                                                "t.lua:1: http.get: form: a GET has no body",
		`return http.post(U, nil, {body_file = "none.bin"})`:                                                                                  `t.lua:1: http.post failed: U/: the file to send, "none.bin": no such file or directory`,
		`return http.post(U, nil, {multipart = {{name="a"}}})`:                                                                                "t.lua:1: http.post: multipart: a needs either content or path",
		`return http.post(U, "x", {compress = "br"})`:                                                                                         `t.lua:1: http.post: compress must be "gzip"`,
	} {
		says(t, o, s.URL, src, any(want))
	}
}

func TestRetries(t *testing.T) {
	var count atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := count.Add(1)
		switch {
		case r.URL.Path == "/late":
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/after" && n < 3:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		case r.URL.Path == "/cut" && n < 2:
			w.Header().Set("Content-Length", "10")
			fmt.Fprint(w, "half")
			panic(http.ErrAbortHandler)
		case r.URL.Path == "/bad" && n < 4:
			w.WriteHeader(http.StatusBadGateway)
		default:
			b, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, "%s%d", b, n)
		}
	})
	s.Config.ErrorLog = nil
	const quick = `local quick = {times = 5, wait = 0.001} `
	for _, c := range []struct {
		src   string
		want  any
		count int32
	}{
		{`return http.get(U .. "/bad", {retry = quick}).body`, "4", 4},
		{`return http.put(U .. "/bad", "again ", {retry = quick}).body`, "again 4", 4},
		{`return http.get(U .. "/bad").status`, int64(502), 1},
		{`return http.get(U .. "/bad", {retry = {times = 2, wait = 0.001}}).status`, int64(502), 3},
		{`return http.get(U .. "/bad", {retry = {times = 5, wait = 0.001, statuses = {500}}}).status`, int64(502), 1},
		{`return http.post(U .. "/bad", "x", {retry = quick}).status`, int64(502), 1},
		{`quick.unsafe = true return http.post(U .. "/bad", "x", {retry = quick}).body`, "x4", 4},
		{`return http.post(U .. "/after", "x", {retry = 5}).body`, "x3", 3},
		{`return http.get(U .. "/late", {retry = 5}).status`, int64(503), 1},
		{`return http.get(U .. "/cut", {retry = quick}).body`, "2", 2},
		{`return http.client({retry = quick}):get(U .. "/bad").body`, "4", 4},
		{`return http.get(U, {retry = -1})`, "t.lua:1: http.get: retry must be an integer from 0 to 100", 0},
		{`return http.get(U, {retry = {wait = 0}})`, "t.lua:1: http.get: retry.wait must be a positive number of seconds", 0},
	} {
		count.Store(0)
		says(t, Options{}, s.URL, quick+c.src, c.want)
		if n := count.Load(); n != c.count {
			t.Errorf("%s: %d requests, want %d", c.src, n, c.count)
		}
	}
}

func TestStreams(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/events":
			fmt.Fprint(w, ": hello\nevent: add\ndata: one\ndata:two\nid: 7\n\n\ndata: last\r\n\r\ndata: no end")
		case "/lines":
			fmt.Fprint(w, "a\r\nb\n\nc")
		case "/wrong":
			http.Error(w, "no such thing", http.StatusNotFound)
		default:
			w.Write([]byte("\x00\xff" + strings.Repeat("x", 200_000)))
		}
	})
	dir := t.TempDir()
	o := Options{Dir: dir}
	says(t, o, s.URL, `local out = {} http.get(U .. "/events", {on_event = function(e) out[#out + 1] = e.event .. "|" .. e.data .. "|" .. tostring(e.id) end}) return out`,
		array{"add|one\ntwo|7", "message|last|7"})
	says(t, o, s.URL, `local out = {} http.get(U .. "/lines", {on_line = function(l) out[#out + 1] = l end}) return out`, array{"a", "b", "", "c"})
	says(t, o, s.URL, `local out = {} http.get(U .. "/lines", {on_line = function(l) out[#out + 1] = l return #out < 2 end}) return out`, array{"a", "b"})
	says(t, o, s.URL, `local n = 0 http.get(U, {on_chunk = function(b) n = n + #b end}) return n`, int64(200_002))
	says(t, o, s.URL, `http.get(U .. "/lines", {on_line = function(l) error("stop here") end})`, "t.lua:1: stop here")
	says(t, o, s.URL, `return http.get(U .. "/wrong", {on_line = print}).body`, "no such thing\n")
	says(t, o, s.URL, `return http.get(U, {on_line = 5})`, "t.lua:1: http.get: on_line must be a function")
	says(t, o, s.URL, `return http.get(U, {on_line = print, to_file = "x"})`, "t.lua:1: http.get: to_file, on_chunk, on_line and on_event exclude each other")
	says(t, o, s.URL, `local r = http.get(U, {to_file = "got.bin"}) return {r.status, r.body, r.file, r.bytes, #fs.read("got.bin")}`, array{int64(200), "", "got.bin", int64(200_002), int64(200_002)})
	says(t, o, s.URL, `local r = http.get(U .. "/wrong", {to_file = "none.bin"}) return {r.status, r.body, r.file == nil}`, array{int64(404), "no such thing\n", true})
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("the folder has %v, want got.bin alone", left)
	}
	// Where files are not permitted, none is written.
	says(t, Options{Dir: dir, Policy: &Policy{Hosts: []string{strings.TrimPrefix(s.URL, "http://")}}}, s.URL, `return http.get(U, {to_file = "other.bin"})`,
		"t.lua:1: http.get: reading body failed: the policy permits no files")
}

func TestPages(t *testing.T) {
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "other") })
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := r.URL.Query().Get("page")
		switch {
		case r.URL.Path == "/away":
			w.Header().Set("Link", "<"+other.URL+`/x>; rel="next"`)
		case r.URL.Path == "/round":
			w.Header().Set("Link", `</round>; rel=next`)
		case r.URL.Path == "/cursor":
			fmt.Fprintf(w, `{"next": %q}`, map[string]string{"": "b", "b": "c"}[r.URL.Query().Get("after")])
			return
		case n == "" || n == "1":
			w.Header().Set("Link", `<?page=1&q=a%20b>; rel="prev last", <?page=2&q=a%20b>; rel="next"; title="x"`)
		case n == "2":
			w.Header().Add("Link", `</>; rel=first`)
			w.Header().Add("Link", `</?page=3>; rel="next"`)
		}
		fmt.Fprint(w, r.URL.RequestURI(), " ", r.Header.Get("X-A"))
	})
	const all = ` local out = {} for p in list do out[#out + 1] = p.body end return out`
	says(t, Options{}, s.URL, `local list = http.pages(U, {headers = {["X-A"] = "h"}, query = {q = "a"}})`+all, array{"/?q=a h", "/?page=2&q=a%20b h", "/?page=3 h"})
	says(t, Options{}, s.URL, `local list = http.client({headers = {["X-A"] = "c"}}):pages(U)`+all, array{"/ c", "/?page=2&q=a%20b c", "/?page=3 c"})
	says(t, Options{}, s.URL, `local list = http.pages(U .. "/cursor", {next = function(p) local n = json.parse(p.body).next if n ~= "" then return "?after=" .. n end end})`+all,
		array{`{"next": "b"}`, `{"next": "c"}`, `{"next": ""}`})
	says(t, Options{}, s.URL, `local list = http.pages(U, {max = 2})`+all, "t.lua:1: http.pages: more than 2 pages: set max to read more of them")
	says(t, Options{}, s.URL, `local list = http.pages(U .. "/round")`+all, "t.lua:1: http.pages: the page U/round comes again")
	says(t, Options{}, s.URL, `local list = http.pages(U .. "/away")`+all, "t.lua:1: http.pages: the next page is on another server, "+other.URL+": set cross_origin = true to send your headers there")
	says(t, Options{}, s.URL, `local list = http.pages(U .. "/away", {cross_origin = true})`+all, array{"/away ", "other"})
}

func TestClientOptions(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/login":
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "abc", Path: "/"})
		case "/me":
			fmt.Fprint(w, r.Header.Get("Cookie"))
		case "/old":
			http.Redirect(w, r, "/new", http.StatusFound)
		case "/big":
			if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				fmt.Fprint(z, "unpacked")
				z.Close()
				return
			}
			fmt.Fprint(w, "plain")
		default:
			fmt.Fprint(w, r.URL.Path, " ", r.Header.Get("Authorization"))
		}
	})
	for src, want := range map[string]any{
		`local c = http.client({cookies = true}) c:get(U .. "/login") return c:get(U .. "/me").body`:           "session=abc",
		`local c = http.client() c:get(U .. "/login") return c:get(U .. "/me").body`:                           "",
		`return http.get(U .. "/old").body`:                                                                    "/new ",
		`return http.get(U .. "/old", {redirects = false}).status`:                                             int64(302),
		`return http.client({redirects = 0}):get(U .. "/old").headers.location`:                                "/new",
		`return http.client({redirects = 0}):get(U .. "/old", {redirects = 1}).body`:                           "/new ",
		`return http.client({compression = true}):get(U .. "/big").body`:                                       "unpacked",
		`return http.get(U .. "/big").body`:                                                                    "plain",
		`return http.client({headers = {Authorization = "Bearer t"}}):get(U .. "/a").body`:                     "/a Bearer t",
		`return http.client({headers = {Authorization = "t"}}):get(U, {headers = {authorization = "u"}}).body`: "/ u",
		`return http.client({proxy = U}):get("http://example.invalid/through").body`:                           "/through ",
		`return http.client({proxy = "ftp://x"})`:                                                              "t.lua:1: http.client: proxy must be false or an http, https or socks5 URL",
		`return http.client({client_cert = "x"})`:                                                              "t.lua:1: http.client: client_cert and client_key: tls: failed to find any PEM data in certificate input",
	} {
		says(t, Options{}, s.URL, src, want)
	}
	// A proxy sees all that is sent: the policy is asked about it.
	says(t, Options{Policy: &Policy{Hosts: []string{"example.invalid"}}}, s.URL, `return http.client({proxy = U}):get("http://example.invalid/")`,
		"t.lua:1: http.client: proxy: the policy does not permit the host "+strings.TrimPrefix(s.URL, "http://"))
}

// A server that asks for a certificate gets the one that the client was given.
func TestClientCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.TLS.PeerCertificates[0].Subject.CommonName)
	}))
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS12}
	s.StartTLS()
	t.Cleanup(s.Close)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mutual"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	both := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})...)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	for name, b := range map[string][]byte{"me.pem": both, "ca.pem": ca} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	says(t, Options{Dir: dir}, s.URL, `return http.client({ca_cert_file = "ca.pem", client_cert_file = "me.pem"}):get(U).body`, "mutual")
	got, err := eval(t, Options{Dir: dir, Globals: map[string]any{"U": s.URL}}, `return http.client({ca_cert_file = "ca.pem"}):get(U).body`)
	if err == nil {
		t.Errorf("without a certificate: %v", got)
	}
}

// A redirect to another port of the host does not carry the cookies that a server gave, and one to the
// same server does.
func TestCookiesKeepToTheirPort(t *testing.T) {
	var got string
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Get("Cookie") })
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/login":
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "abc", Path: "/"})
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/here":
			http.Redirect(w, r, "/me", http.StatusFound)
		default:
			fmt.Fprint(w, r.Header.Get("Cookie"))
		}
	})
	says(t, Options{}, s.URL, `local c = http.client({cookies = true}) c:get(U .. "/login") c:get(U .. "/away") return c:get(U .. "/here").body`, "session=abc")
	if got != "" {
		t.Errorf("the other port was sent the cookie %q", got)
	}
}
