package embed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assay-dev/assay/internal/base/config"
	"github.com/assay-dev/assay/internal/code/embed"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "k3y-that-nobody-may-see"

type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions *int     `json:"dimensions"`
}

// A service is an embeddings service on loopback.
type service struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []request
	header http.Header
	path   string
}

// serve starts a service. Odd may answer the n-th request, from 1, in place of
// it; it returns false to have it answered well.
func serve(t *testing.T, dims int, odd func(n int, w http.ResponseWriter, r *http.Request) bool) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q request
		body, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(body, &q) != nil {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		s.asked = append(s.asked, q)
		s.header, s.path = r.Header.Clone(), r.URL.RequestURI()
		n := len(s.asked)
		s.mu.Unlock()
		if odd != nil && odd(n, w, r) {
			return
		}
		n = dims
		if q.Dimensions != nil {
			n = *q.Dimensions
		}
		var rows []string
		for i, text := range q.Input {
			rows = append(rows, row(i, fake(text, n)))
		}
		slices.Reverse(rows) // the order is that of the indexes alone
		fmt.Fprintf(w, `{"object":"list","data":[%s],"usage":null}`, strings.Join(rows, ","))
	}))
	t.Cleanup(s.Close)
	return s
}

func row(i int, v []float64) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, b)
}

// fake returns a vector that text alone decides, not of unit length.
func fake(text string, dims int) []float64 {
	v := make([]float64, dims)
	for i := range v {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s", i, text)
		v[i] = float64(h.Sum64()%2000)/100 - 10
	}
	return v
}

func (s *service) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// A clock stands still but for sleeping.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept = append(c.slept, d)
	c.now = c.now.Add(d)
	return ctx.Err()
}

func open(t *testing.T, s *service, c *clock, change func(*embed.Config)) embed.Provider {
	t.Helper()
	cfg := embed.Config{Provider: "openai-compatible", Model: "m", URL: s.URL, Key: key, Client: s.Client(), Now: c.Now, Sleep: c.Sleep}
	if change != nil {
		change(&cfg)
	}
	p, err := embed.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A detour sends what is meant for a service elsewhere, as a network could not.
type detour struct{ to *url.URL }

func (d detour) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" || r.URL.Host != "api.openai.com" {
		return nil, fmt.Errorf("%s was asked", r.URL)
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = d.to.Scheme, d.to.Host, ""
	return http.DefaultTransport.RoundTrip(r)
}

// as makes a Config that of a provider, which asks s.
func (s *service) as(t *testing.T, provider string) func(*embed.Config) {
	return func(c *embed.Config) {
		if c.Provider = provider; provider != "openai" {
			return
		}
		to, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		c.Model, c.URL, c.Client = "", "", &http.Client{Transport: detour{to}}
	}
}

// remotes are the providers that ask a service.
func remotes() []string { return []string{"openai", "openai-compatible"} }

// TestConformance runs the suite on every provider.
func TestConformance(t *testing.T) {
	remote := func(provider string, dims int) embed.Provider {
		s := serve(t, 1536, nil)
		return open(t, s, newClock(), func(c *embed.Config) {
			s.as(t, provider)(c)
			c.Dims = dims
		})
	}
	local := func(c embed.Config) embed.Provider {
		p, err := embed.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	model := filepath.Join("model2vec", "testdata")
	tested := map[string]bool{"none": true} // has no vectors
	for name, p := range map[string]embed.Provider{
		"static":                         local(embed.Config{Provider: "static"}),
		"static, text":                   local(embed.Config{Provider: "static", Text: true}),
		"model2vec":                      local(embed.Config{Provider: "model2vec", Model: filepath.Join(model, "wordpiece")}),
		"model2vec, shortened":           local(embed.Config{Provider: "model2vec", Model: filepath.Join(model, "bpe"), Dims: 5}),
		"openai":                         remote("openai", 0),
		"openai, shortened":              remote("openai", 16),
		"openai-compatible":              remote("openai-compatible", 0),
		"openai-compatible, 1536 wanted": remote("openai-compatible", 1536),
	} {
		t.Run(name, func(t *testing.T) { keepsContract(t, p) })
		kind, _, _ := strings.Cut(name, ",")
		tested[kind] = true
		if !strings.HasPrefix(p.Name(), kind+"/") || !strings.HasSuffix(p.Name(), fmt.Sprint("/", p.Dims())) && name != "openai-compatible" {
			t.Errorf("%s is called %q", name, p.Name())
		}
	}
	for _, name := range config.Providers() {
		if !tested[name] {
			t.Errorf("the suite was not run on %s", name)
		}
	}
	t.Run("a service that is often busy", func(t *testing.T) {
		// Busy for each text the first time: a share of all requests could by chance
		// be every try of one.
		var seen sync.Map
		s := serve(t, 16, func(_ int, w http.ResponseWriter, r *http.Request) bool {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return false
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			if _, again := seen.LoadOrStore(string(body), true); !again {
				w.WriteHeader(http.StatusTooManyRequests)
				return true
			}
			return false
		})
		keepsContract(t, open(t, s, newClock(), nil))
	})
}

func TestOpen(t *testing.T) {
	for _, none := range []string{"", "none"} {
		if p, err := embed.Open(embed.Config{Provider: none}); p != nil || err != nil {
			t.Errorf("Open(%q) = %v, %v, want nothing", none, p, err)
		}
	}
	good := embed.Config{Provider: "openai-compatible", Model: "org/m", URL: "http://localhost:1", Dims: 384}
	p, err := embed.Open(good)
	if err != nil || p.Name() != "openai-compatible/org/m/384" || p.Dims() != 384 {
		t.Errorf("Open = %v, %v", p, err)
	}
	openAI := embed.Config{Provider: "openai", Key: key}
	if p, err := embed.Open(openAI); err != nil || p.Name() != "openai/text-embedding-3-small/1536" || p.Dims() != 1536 {
		t.Errorf("Open = %v, %v", p, err)
	}
	openAI.Model = "text-embedding-3-large"
	if p, err := embed.Open(openAI); err != nil || p.Name() != "openai/text-embedding-3-large/3072" || p.Dims() != 3072 {
		t.Errorf("Open = %v, %v", p, err)
	}
	for name, change := range map[string]func(*embed.Config){
		"OpenAI without a key":  func(c *embed.Config) { *c = embed.Config{Provider: "openai"} },
		"OpenAI elsewhere":      func(c *embed.Config) { c.Provider, c.Model, c.Key = "openai", "", key },
		"another model":         func(c *embed.Config) { c.Provider, c.URL, c.Key = "openai", "", key },
		"OpenAI with many dims": func(c *embed.Config) { *c = embed.Config{Provider: "openai", Key: key, Dims: 1537} },
		"no folder":             func(c *embed.Config) { *c = embed.Config{Provider: "model2vec"} },
		"an empty folder":       func(c *embed.Config) { *c = embed.Config{Provider: "model2vec", Model: t.TempDir()} },
		"a folder and dims":     func(c *embed.Config) { c.Provider, c.Dims = "model2vec", -1 },
		"unknown provider":      func(c *embed.Config) { c.Provider = "oracle" },
		"no model":              func(c *embed.Config) { c.Model = "" },
		"no address":            func(c *embed.Config) { c.URL = "" },
		"no host":               func(c *embed.Config) { c.URL = "http://" },
		"scheme":                func(c *embed.Config) { c.URL = "ftp://u:" + key + "@h" },
		"unreadable":            func(c *embed.Config) { c.URL = "http://u:" + key + "@h:port" },
		"dims":                  func(c *embed.Config) { c.Dims = -1 },
		"many dims":             func(c *embed.Config) { c.Dims = 1 << 20 },
	} {
		cfg := good
		change(&cfg)
		p, err := embed.Open(cfg)
		if err == nil || p != nil {
			t.Errorf("%s: Open = %v, %v, want an error", name, p, err)
		} else if strings.Contains(err.Error(), key) {
			t.Errorf("%s: the error holds the password: %v", name, err)
		}
	}
}

func TestAddress(t *testing.T) {
	for base, want := range map[string]string{
		"":                    "/v1/embeddings",
		"/":                   "/v1/embeddings",
		"/v1":                 "/v1/embeddings",
		"/v1/":                "/v1/embeddings",
		"/v1/embeddings":      "/v1/embeddings",
		"/api":                "/api/v1/embeddings",
		"/api/v3":             "/api/v3/embeddings",
		"/v1beta/openai/":     "/v1beta/openai/embeddings",
		"/v1?api-version=7#x": "/v1/embeddings?api-version=7",
	} {
		s := serve(t, 4, nil)
		p := open(t, s, newClock(), func(c *embed.Config) { c.URL += base })
		if _, err := p.Embed(t.Context(), []string{"a"}); err != nil {
			t.Errorf("%q: %v", base, err)
		}
		if s.path != want {
			t.Errorf("%q: asked at %q, want %q", base, s.path, want)
		}
		if got := s.header.Get("Authorization"); got != "Bearer "+key {
			t.Errorf("Authorization: %q", got)
		}
	}
	s := serve(t, 4, nil)
	if _, err := open(t, s, newClock(), func(c *embed.Config) { c.Key = "" }).Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if got, ok := s.header["Authorization"]; ok {
		t.Errorf("Authorization without a key: %q", got)
	}
}

func TestRequests(t *testing.T) {
	secret := "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
	tests := []struct {
		name  string
		texts []string
		want  []int // texts in each request
	}{
		{"128 at most", make([]string, 300), []int{128, 128, 44}},
		{"200 kB at most", slices.Repeat([]string{strings.Repeat("word ", 4000)}, 25), []int{10, 10, 5}},
		{"a secret", []string{"token " + secret}, []int{1}},
		{"too long", []string{strings.Repeat("ä", 20_000)}, []int{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, 4, nil)
			if _, err := open(t, s, newClock(), nil).Embed(t.Context(), tt.texts); err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, q := range s.requests() {
				got = append(got, len(q.Input))
				if q.Model != "m" || q.Dimensions != nil {
					t.Errorf("model %q, dimensions %v", q.Model, q.Dimensions)
				}
				for _, text := range q.Input {
					if text == "" || len(text) > 24_000 || strings.Contains(text, "\ufffd") {
						t.Errorf("a text of %d bytes was sent", len(text))
					}
					if strings.Contains(text, secret) {
						t.Errorf("a secret was sent: %q", text)
					}
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("requests of %v texts, want %v", got, tt.want)
			}
		})
	}
	s := serve(t, 8, nil)
	p := open(t, s, newClock(), func(c *embed.Config) { c.Model, c.Dims = "text-embedding-3-small", 8 })
	if _, err := p.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if d := s.requests()[0].Dimensions; d == nil || *d != 8 {
		t.Errorf("dimensions %v, want 8: the model can shorten its vectors", d)
	}
}

// TestOpenAI holds what is sent to OpenAI.
func TestOpenAI(t *testing.T) {
	s := serve(t, 1536, nil)
	if _, err := open(t, s, newClock(), s.as(t, "openai")).Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	q := s.requests()[0]
	if q.Model != "text-embedding-3-small" || q.Dimensions != nil || s.path != "/v1/embeddings" || s.header.Get("Authorization") != "Bearer "+key {
		t.Errorf("model %q, dimensions %v, at %s, Authorization %q", q.Model, q.Dimensions, s.path, s.header.Get("Authorization"))
	}
}

// TestLearnsDims holds that the first vectors say what later ones must have.
func TestLearnsDims(t *testing.T) {
	s := serve(t, 4, func(n int, w http.ResponseWriter, r *http.Request) bool {
		return n == 2 && answer(`{"data":[{"embedding":[1,0]}]}`)(n, w, r)
	})
	p := open(t, s, newClock(), nil)
	if p.Dims() != 0 || p.Name() != "openai-compatible/m" {
		t.Errorf("Dims = %d, Name = %q before any vector", p.Dims(), p.Name())
	}
	if _, err := p.Embed(t.Context(), []string{"a"}); err != nil || p.Dims() != 4 {
		t.Errorf("Dims = %d, %v", p.Dims(), err)
	}
	var e *embed.Error
	if _, err := p.Embed(t.Context(), []string{"a"}); !errors.As(err, &e) || e.Reason != embed.Mismatch {
		t.Errorf("other dimensions: %v", err)
	}
}

func TestNobodyThere(t *testing.T) {
	s := serve(t, 4, nil)
	p := open(t, s, newClock(), func(c *embed.Config) {
		c.URL = strings.Replace(c.URL, "http://", "http://user:"+key+"@", 1) + "/v1?key=" + key
	})
	s.Close()
	_, err := p.Embed(t.Context(), []string{"a"})
	var e *embed.Error
	if !errors.As(err, &e) || e.Reason != embed.Unreachable || !e.Temporary() {
		t.Fatalf("Embed: %v", err)
	}
	if want := "embed with m at " + s.URL + "/v1/embeddings: "; !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), key) {
		t.Errorf("Embed: %v, want %s…", err, want)
	}
}

func TestLargeNumbers(t *testing.T) {
	s := serve(t, 4, answer(`{"data":[{"index":0,"embedding":[3e38,-3e38,1e-38,0]}]}`))
	got, err := open(t, s, newClock(), nil).Embed(t.Context(), []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	if v := got[0]; math.Abs(float64(v[0])-math.Sqrt2/2) > 1e-6 || v[3] != 0 {
		t.Errorf("vector %v", v)
	}
}
