package embed_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/embed"
)

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

// typed answers with a text of some type.
func typed(code int, kind, body string) func(int, http.ResponseWriter, *http.Request) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		fmt.Fprint(w, body)
		return true
	}
}

// hang sends the beginning of an answer, if there is one, and no more until the
// other side gives up.
func hang(begin string) func(int, http.ResponseWriter, *http.Request) bool {
	return func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if begin != "" {
			fmt.Fprint(w, begin)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
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

// A misbehaviour is a way to answer that is none, and what comes of it.
type misbehaviour struct {
	name   string
	odd    func(int, http.ResponseWriter, *http.Request) bool
	reason embed.Reason
	says   string
	asked  int // times
}

func misbehaviours() []misbehaviour {
	two := func(a, b string) string {
		return fmt.Sprintf(`{"data":[{"index":0,"embedding":%s},{"index":1,"embedding":%s}]}`, a, b)
	}
	return []misbehaviour{
		{"busy again and again", status(429, "7", ""), embed.Busy, "try again later", 4},
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
		{"no such page", typed(404, "text/html", `<html>`), embed.Rejected, "status 404; check ", 1},
		{"a page", typed(200, "text/html; charset=utf-8", `<html>`), embed.Malformed, "not what the protocol says, but text/html", 1},
		{"a type that is none", typed(200, strings.Repeat("x/", 200), `<html>`), embed.Malformed, "not what the protocol says", 1},
		{"slow headers", hang(""), embed.Unreachable, "no answer in 100ms", 1},
		{"a slow answer", hang(`{"data":[{"index":0,`), embed.Unreachable, "no answer in 100ms", 1},
	}
}

// TestMisbehaviour holds that no answer, whatever it is, is taken for vectors, and
// that the error says what is wrong without the key.
func TestMisbehaviour(t *testing.T) {
	tests := misbehaviours()
	for i := range len(tests) * len(remotes()) {
		tt, provider := tests[i/len(remotes())], remotes()[i%len(remotes())]
		t.Run(tt.name+"/"+provider, func(t *testing.T) {
			s := serve(t, 4, tt.odd)
			c := newClock()
			p := open(t, s, c, func(c *embed.Config) {
				s.as(t, provider)(c)
				c.Dims = 4
				if strings.Contains(tt.says, "100ms") {
					c.Timeout = 100 * time.Millisecond // it will end, however slow the machine
				}
			})
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
			waits := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}
			if tt.name == "busy again and again" {
				waits = []time.Duration{7 * time.Second, 7 * time.Second, 7 * time.Second}
			}
			if tt.asked == 4 && !slices.Equal(c.slept, waits) {
				t.Errorf("waited %v, want %v", c.slept, waits)
			}
		})
	}
}

// A service whose vectors are called something else than JSON is understood.
func TestOtherType(t *testing.T) {
	s := serve(t, 2, typed(200, "text/plain", `{"data":[{"index":0,"embedding":[0,2]}]}`))
	if got, err := open(t, s, newClock(), nil).Embed(t.Context(), []string{"a"}); err != nil || !slices.Equal(got[0], []float32{0, 1}) {
		t.Errorf("Embed = %v, %v", got, err)
	}
}

// TestStays holds that a service cannot send texts and key to another.
func TestStays(t *testing.T) {
	var leaked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { leaked.Add(1) }))
	defer other.Close()
	for i, code := range []int{301, 302, 303, 307, 308, 301, 302, 303, 307, 308} {
		s := serve(t, 4, func(_ int, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, other.URL, code)
			return true
		})
		_, err := open(t, s, newClock(), s.as(t, remotes()[i%2])).Embed(t.Context(), []string{"a"})
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
