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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assay-dev/assay/internal/embed"
	"github.com/assay-dev/assay/internal/embed/embedtest"
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
		var rows []string
		for i, text := range q.Input {
			rows = append(rows, row(i, fake(text, dims)))
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

func TestConformance(t *testing.T) {
	for _, dims := range []int{0, 16} {
		t.Run(fmt.Sprintf("%d dimensions configured", dims), func(t *testing.T) {
			s := serve(t, 16, nil)
			embedtest.Run(t, open(t, s, newClock(), func(c *embed.Config) { c.Dims = dims }))
		})
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
		embedtest.Run(t, open(t, s, newClock(), nil))
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
	for name, change := range map[string]func(*embed.Config){
		"unknown provider": func(c *embed.Config) { c.Provider = "oracle" },
		"no model":         func(c *embed.Config) { c.Model = "" },
		"no address":       func(c *embed.Config) { c.URL = "" },
		"no host":          func(c *embed.Config) { c.URL = "http://" },
		"scheme":           func(c *embed.Config) { c.URL = "ftp://u:" + key + "@h" },
		"unreadable":       func(c *embed.Config) { c.URL = "http://u:" + key + "@h:port" },
		"dims":             func(c *embed.Config) { c.Dims = -1 },
		"many dims":        func(c *embed.Config) { c.Dims = 1 << 20 },
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

func status(code int, header, body string) func(int, http.ResponseWriter, *http.Request) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		if header != "" {
			w.Header().Set("Retry-After", header)
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
		return true
	}
}

func answer(body string) func(int, http.ResponseWriter, *http.Request) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		fmt.Fprint(w, body)
		return true
	}
}

func endless(_ int, w http.ResponseWriter, _ *http.Request) bool {
	fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1`)
	for range 1 << 12 {
		if _, err := fmt.Fprint(w, strings.Repeat(",1", 512)); err != nil {
			break
		}
	}
	return true
}

func TestMisbehaviour(t *testing.T) {
	two := func(a, b string) string {
		return fmt.Sprintf(`{"data":[{"index":0,"embedding":%s},{"index":1,"embedding":%s}]}`, a, b)
	}
	tests := []struct {
		name   string
		odd    func(int, http.ResponseWriter, *http.Request) bool
		reason embed.Reason
		says   string
		asked  int
	}{
		{"always busy", status(429, "", ""), embed.Busy, "status 429", 4},
		{"always failing", status(500, "", `{"error":{"message":"out of\nmemory"}}`), embed.Failed, "status 500: out of memory", 4},
		{"busy for an hour", status(429, "3600", ""), embed.Busy, "status 429", 1},
		{"key refused", status(401, "", `{"error":{"message":"bad key `+key+`"}}`), embed.Refused, "status 401: bad key [redacted:key]", 1},
		{"no such model", status(404, "", `{"error":"model \"m\" not found"}`), embed.Rejected, `status 404: model "m" not found`, 1},
		{"not JSON", status(400, "", "<html>"+key), embed.Rejected, "status 400", 1},
		{"talkative", status(400, "", `{"message":"`+strings.Repeat("ä", 500)+`"}`), embed.Rejected, strings.Repeat("ä", 100) + "…", 1},
		{"cut JSON", answer(`{"data":[{"index":0,"embed`), embed.Malformed, "not what the protocol says", 1},
		{"HTML", answer(`<html>` + key), embed.Malformed, "not what the protocol says", 1},
		{"empty", answer(``), embed.Malformed, "not what the protocol says", 1},
		{"another object", answer(`{"ok":true}`), embed.Malformed, "0 vectors for 2 texts", 1},
		{"too few", answer(`{"data":[{"index":0,"embedding":[1,0]}]}`), embed.Malformed, "1 vectors for 2 texts", 1},
		{"one twice", answer(`{"data":[{"index":1,"embedding":[1,0]},{"index":1,"embedding":[1,0]}]}`), embed.Malformed, "no vector, or two", 1},
		{"index too high", answer(`{"data":[{"index":0,"embedding":[1,0]},{"index":2,"embedding":[1,0]}]}`), embed.Malformed, "no vector, or two", 1},
		{"index below zero", answer(`{"data":[{"index":0,"embedding":[1,0]},{"index":-1,"embedding":[1,0]}]}`), embed.Malformed, "no vector, or two", 1},
		{"no numbers", answer(two(`[]`, `[]`)), embed.Malformed, "no vector, or two", 1},
		{"NaN", answer(two(`[1,NaN,0,0]`, `[1,0,0,0]`)), embed.Malformed, "not what the protocol says", 1},
		{"null", answer(two(`[1,null,0,0]`, `[1,0,0,0]`)), embed.Malformed, "not what the protocol says", 1},
		{"too large a number", answer(two(`[1e39,0,0,0]`, `[1,0,0,0]`)), embed.Malformed, "not what the protocol says", 1},
		{"zeros", answer(two(`[0,0,0,0]`, `[1,0,0,0]`)), embed.Malformed, "without direction", 1},
		{"other dimensions", answer(two(`[1,0,0]`, `[1,0,0]`)), embed.Mismatch, "3 dimensions where 4 were expected", 1},
		{"uneven dimensions", answer(two(`[1,0,0,0]`, `[1,0,0]`)), embed.Mismatch, "3 dimensions where 4 were expected", 1},
		{"an endless answer", endless, embed.Malformed, "larger than 2 vectors can be", 1},
		{"hanging up", func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			panic(http.ErrAbortHandler)
		}, embed.Unreachable, "EOF", 1},
		{"hanging up halfway", func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"data":[`)
			return true
		}, embed.Unreachable, "unexpected EOF", 1},
		{"no answer", func(_ int, w http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		}, embed.Unreachable, "no answer in 200ms", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, 4, tt.odd)
			c := newClock()
			p := open(t, s, c, func(c *embed.Config) { c.Dims, c.Timeout = 4, 200*time.Millisecond })
			got, err := p.Embed(t.Context(), []string{"a", "b"})
			var e *embed.Error
			if !errors.As(err, &e) || got != nil {
				t.Fatalf("Embed = %v, %v, want an Error", got, err)
			}
			if e.Reason != tt.reason || !strings.Contains(e.Error(), tt.says) {
				t.Errorf("Embed: reason %d, %q, want reason %d, %q", e.Reason, e, tt.reason, tt.says)
			}
			if e.Temporary() != (tt.reason == embed.Busy || tt.reason == embed.Failed || tt.reason == embed.Unreachable) {
				t.Errorf("Temporary = %v", e.Temporary())
			}
			if strings.Contains(e.Error(), key) {
				t.Errorf("the key is in the error: %v", e)
			}
			if n := len(s.requests()); n != tt.asked {
				t.Errorf("asked %d times, want %d", n, tt.asked)
			}
			if tt.asked == 4 && !slices.Equal(c.slept, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}) {
				t.Errorf("waited %v", c.slept)
			}
		})
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

// TestStays holds that a service cannot send texts and key to another.
func TestStays(t *testing.T) {
	var leaked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { leaked.Add(1) }))
	defer other.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		s := serve(t, 4, func(_ int, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, other.URL, code)
			return true
		})
		_, err := open(t, s, newClock(), nil).Embed(t.Context(), []string{"a"})
		var e *embed.Error
		if !errors.As(err, &e) || e.Reason != embed.Refused || strings.Contains(err.Error(), other.URL) {
			t.Errorf("%d: %v", code, err)
		}
	}
	if n := leaked.Load(); n != 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
	gone := serve(t, 4, func(_ int, w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, "/v1/other", http.StatusFound) // to be fetched, not asked
		return true
	})
	var e *embed.Error
	if _, err := open(t, gone, newClock(), nil).Embed(t.Context(), []string{"a"}); !errors.As(err, &e) || e.Reason != embed.Refused {
		t.Errorf("another method: %v", err)
	}
	s := serve(t, 4, func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n == 1 {
			http.Redirect(w, r, "/new/v1/embeddings", http.StatusPermanentRedirect)
		}
		return n == 1
	})
	if got, err := open(t, s, newClock(), nil).Embed(t.Context(), []string{"a"}); err != nil || len(got) != 1 || s.path != "/new/v1/embeddings" {
		t.Errorf("on the same host: %v, %v at %s", got, err, s.path)
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
