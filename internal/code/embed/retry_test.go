package embed_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/embed"
)

func TestRetry(t *testing.T) {
	date := newClock().now.Add(9 * time.Second).Format(http.TimeFormat)
	tests := []struct {
		name, header string
		code, bad    int
		want         []time.Duration
	}{
		{"busy once", "", 429, 1, []time.Duration{time.Second}},
		{"failing three times", "", 503, 3, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}},
		{"seconds", "7", 429, 2, []time.Duration{7 * time.Second, 7 * time.Second}},
		{"a date", date, 429, 1, []time.Duration{9 * time.Second}},
		{"less than we would wait", "1", 503, 2, []time.Duration{time.Second, 2 * time.Second}},
		{"nonsense", "soon", 429, 1, []time.Duration{time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fail := status(tt.code, tt.header, "")
			s := serve(t, 4, func(n int, w http.ResponseWriter, r *http.Request) bool {
				return n <= tt.bad && fail(n, w, r)
			})
			c := newClock()
			got, err := open(t, s, c, nil).Embed(t.Context(), []string{"a"})
			if err != nil || len(got) != 1 {
				t.Fatalf("Embed = %v, %v", got, err)
			}
			if !slices.Equal(c.slept, tt.want) {
				t.Errorf("waited %v, want %v", c.slept, tt.want)
			}
		})
	}
	t.Run("no time to wait", func(t *testing.T) {
		s := serve(t, 4, status(429, "30", ""))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		c := &clock{now: time.Now()}
		if _, err := open(t, s, c, nil).Embed(ctx, []string{"a"}); err == nil || len(c.slept) != 0 {
			t.Errorf("Embed: %v after waiting %v; the context ends before that", err, c.slept)
		}
	})
	t.Run("ended while waiting", func(t *testing.T) {
		s := serve(t, 4, status(429, "", ""))
		ctx, cancel := context.WithCancel(t.Context())
		p := open(t, s, newClock(), func(c *embed.Config) {
			c.Sleep = func(ctx context.Context, _ time.Duration) error {
				cancel()
				return ctx.Err()
			}
		})
		if _, err := p.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) || len(s.requests()) != 1 {
			t.Errorf("Embed: %v after %d requests", err, len(s.requests()))
		}
	})
	t.Run("by the real clock", func(t *testing.T) {
		s := serve(t, 4, status(429, "", ""))
		ctx, cancel := context.WithCancel(t.Context())
		// It waits for a second and more between attempts, unless the context ends that.
		time.AfterFunc(50*time.Millisecond, cancel)
		p := open(t, s, newClock(), func(c *embed.Config) { c.Now, c.Sleep = nil, nil })
		if _, err := p.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) || len(s.requests()) > 1 {
			t.Errorf("Embed: %v after %d requests", err, len(s.requests()))
		}
	})
}
