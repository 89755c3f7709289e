//go:build !slim

package script

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"
	"github.com/coder/websocket"

	"github.com/assay-dev/assay/internal/script/lua"
	"github.com/assay-dev/assay/internal/script/stdlib"
)

var recipe = regexp.MustCompile(`(?m)^### (.+)\n\n((?:    .*\n|\n)+)`)

// recipes are what each recipe of docs/modules.md prints, and then returns.
var recipes = map[string]string{
	"Read JSON, with a token and a query":     "1\tfirst\tnobody\n2\tsecond\tann\n",
	"Send JSON":                               "7",
	"Read all pages of a listing":             "1 2 3 4 5 6",
	"Try again while a server is busy":        "at last",
	"Upload a form with a file":               "report report.csv id,ok\n1,true\n",
	"Download into a file":                    "hello.txt\t5\ntrue",
	"Follow a stream of events":               "3",
	"Get a token of OAuth and use it":         "ann",
	"Log in, and stay who one is by a cookie": "ann",
	"Ask GraphQL":                             "Ann",
	"Ask many at once":                        "5",
	"Show a client certificate, and trust an authority of your own": "client",
	"Talk over a WebSocket":          "42",
	"Call a service of gRPC":         "grpc.health.v1.Health\nSERVING, NOT_FOUND: unknown service bank",
	"Query a database":               "1\tbolt\n2\tno name\n",
	"Make CSV of XML":                "title,link\nOne,http://a\n\"Two, too\",http://b\n",
	"Take something from a web page": "One\t/item/1\n[[a b]]",
	"Wait until something is so":     "done",
	"Write a path, and read a date":  "60 days before 31.01.2026",
	"Tell errors apart":              "timeout",
}

// The recipes at the beginning of docs/modules.md do as they say, as they stand there.
func TestRecipes(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "modules.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(doc), "\n## Modules\n")
	found := recipe.FindAllStringSubmatch(text, -1)
	if len(found) != len(recipes) {
		t.Errorf("%d recipes, want %d", len(found), len(recipes))
	}
	for _, m := range found {
		t.Run(m[1], func(t *testing.T) {
			want, ok := recipes[m[1]]
			if !ok {
				t.Fatal("nothing is known of it")
			}
			dir := t.TempDir()
			env := recipeServer(t, dir)
			var out bytes.Buffer
			vm := lua.New(lua.Options{Stdout: &out, Dir: dir, Require: packed, Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
			defer vm.Close()
			results, err := vm.Run(t.Context(), "recipe", []byte(m[2]))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				fmt.Fprint(&out, r)
			}
			if out.String() != want {
				t.Errorf("it gives %q, want %q", out.String(), want)
			}
		})
	}
}

// packed finds the modules that come with the program, and no others.
func packed(name string) ([]byte, string, error) {
	src, ok := stdlib.Source(strings.TrimPrefix(name, "assay."))
	if !ok {
		return nil, "", fs.ErrNotExist
	}
	return src, "@" + name, nil
}

// recipeServer answers the requests of the recipes, and returns the variables that they read.
func recipeServer(t *testing.T, dir string) map[string]string {
	t.Helper()
	var busy, polls atomic.Int32
	reply := func(pattern string, mux *http.ServeMux, f func(r *http.Request) string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, f(r)) })
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t0ken" || r.URL.RawQuery != "label=bug&label=ui&state=open" {
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = io.WriteString(w, `[{"id":1,"title":"first","owner":null},{"id":2,"title":"second","owner":"ann"}]`)
	})
	mux.HandleFunc("POST /session", func(w http.ResponseWriter, r *http.Request) {
		if b, _ := io.ReadAll(r.Body); string(b) != `{"password":"t0ken","user":"ann"}` {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "of-ann", Path: "/session", HttpOnly: true})
		w.WriteHeader(http.StatusNoContent)
	})
	reply("GET /session", mux, func(r *http.Request) string {
		if c, err := r.Cookie("sid"); err != nil || c.Value != "of-ann" {
			return "nobody"
		}
		return "ann"
	})
	mux.HandleFunc("POST /items", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if string(b) == `{"labels":["bug"],"owner":null,"title":"new"}` {
			w.WriteHeader(http.StatusCreated)
		}
		_, _ = io.WriteString(w, `{"id":7}`)
	})
	reply("GET /items/{id}", mux, func(*http.Request) string { return "" })
	mux.HandleFunc("GET /pages", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "" {
			w.Header().Set("Link", `</pages?page=2>; rel="next"`)
			_, _ = io.WriteString(w, `[{"id":1},{"id":2}]`)
			return
		}
		_, _ = io.WriteString(w, `[{"id":3}]`)
	})
	reply("GET /cursor", mux, func(r *http.Request) string {
		if r.URL.Query().Get("after") == "" {
			return `{"items":[{"id":4},{"id":5}],"next":"c5"}`
		}
		return `{"items":[{"id":6}],"next":null}`
	})
	mux.HandleFunc("GET /busy", func(w http.ResponseWriter, _ *http.Request) {
		if busy.Add(1) < 3 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "at last")
	})
	reply("POST /upload", mux, func(r *http.Request) string {
		f, head, err := r.FormFile("file")
		if err != nil {
			return err.Error()
		}
		b, _ := io.ReadAll(f)
		return r.FormValue("title") + " " + head.Filename + " " + string(b)
	})
	reply("GET /archive", mux, func(*http.Request) string { return archive(t) })
	reply("GET /events", mux, func(*http.Request) string { return "data: {\"n\":1}\n\ndata: {\"n\":2}\n\ndata: {\"n\":4}\n\n" })
	reply("POST /token", mux, func(r *http.Request) string {
		if id, secret, _ := r.BasicAuth(); id != "id" || secret != "secret" || r.FormValue("grant_type") != "client_credentials" {
			return "{}"
		}
		return `{"access_token":"fresh"}`
	})
	reply("GET /me", mux, func(r *http.Request) string {
		return strings.Replace(r.Header.Get("Authorization"), "Bearer fresh", "ann", 1)
	})
	reply("POST /graphql", mux, func(r *http.Request) string {
		var q struct{ Variables struct{ Login string } }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Variables.Login != "ann" {
			return `{"errors":[{"message":"no such user"}]}`
		}
		return `{"data":{"user":{"name":"Ann"}}}`
	})
	reply("GET /feed.xml", mux, func(*http.Request) string {
		return `<rss><channel><item href="http://a"><title>One</title></item><item href="http://b"><title>Two, too</title></item></channel></rss>`
	})
	reply("GET /shop.html", mux, func(*http.Request) string {
		return `<ul class="items"><li><a href="/item/1">One</a><li><a href="/other">No</a></ul><table><tr><td>a<td>b</table>`
	})
	mux.HandleFunc("HEAD /files/{name}", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("name") == "a report/1.txt" {
			w.Header().Set("Last-Modified", "Tue, 02 Dec 2025 11:00:00 GMT")
		}
	})
	mux.HandleFunc("GET /slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	reply("GET /job", mux, func(*http.Request) string {
		if polls.Add(1) < 3 {
			return `{"state":"running","reason":null}`
		}
		return `{"state":"done"}`
	})
	mux.HandleFunc("GET /ws", func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		if _, b, err := c.Read(r.Context()); err == nil && string(b) == `{"subscribe":"ticks"}` && r.Header.Get("Authorization") == "Bearer t0ken" {
			_ = c.Write(r.Context(), websocket.MessageText, []byte(`{"tick":42}`))
		}
		_, _, _ = c.Read(r.Context())
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return map[string]string{
		"API": s.URL, "API_TOKEN": "t0ken", "OAUTH_CLIENT_ID": "id", "OAUTH_CLIENT_SECRET": "secret",
		"WS_API": "ws" + strings.TrimPrefix(s.URL, "http") + "/ws", "TLS_API": certified(t, dir), "GRPC_API": healthServer(t),
	}
}

// healthServer starts a server of gRPC in plain text, which has reflection.
func healthServer(t *testing.T) string {
	mux := http.NewServeMux()
	mux.Handle(grpchealth.NewHandler(grpchealth.NewStaticChecker("shop")))
	mux.Handle(grpcreflect.NewHandlerV1(grpcreflect.NewStaticReflector(grpchealth.HealthV1ServiceName)))
	s := httptest.NewUnstartedServer(mux)
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// archive is a small one, as a script makes it.
func archive(t *testing.T) string {
	vm := lua.New(lua.Options{Require: packed})
	defer vm.Close()
	out, err := vm.Run(t.Context(), "archive", []byte(`return gzip.compress(require("assay.tar").write({{name = "hello.txt", content = "hello"}}))`))
	if err != nil {
		t.Error(err)
		return ""
	}
	return out[0].(string)
}

// certified starts a server that wants a client's certificate, and writes the files that a
// client of it needs into a folder.
func certified(t *testing.T, dir string) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
		}
		_, _ = io.WriteString(w, r.TLS.PeerCertificates[0].Subject.CommonName)
	}))
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "client"}, NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true, IsCA: true}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	known.AddCert(cert)
	s.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: known, MinVersion: tls.VersionTLS12}
	s.StartTLS()
	t.Cleanup(s.Close)
	for name, block := range map[string]*pem.Block{
		"client.pem": {Type: "CERTIFICATE", Bytes: der},
		"client.key": {Type: "PRIVATE KEY", Bytes: private},
		"ca.pem":     {Type: "CERTIFICATE", Bytes: s.Certificate().Raw},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s.URL
}
