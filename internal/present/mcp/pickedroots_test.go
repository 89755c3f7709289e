//go:build !slim

package mcp_test

import (
	"context"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPickedRoots holds that a prompt and a resource ask for the client's folders as a tool does, and a completion never: it
// offers nothing until they are known.
func TestPickedRoots(t *testing.T) {
	ask := &sdk.CompleteReference{Type: "ref/prompt", Name: "ask"}
	picks := map[string]func(*testing.T, *sdk.ClientSession) string{
		"prompt": func(t *testing.T, c *sdk.ClientSession) string {
			said, err := get(t, c, "ask", map[string]string{"it": "x"})
			if err != nil {
				t.Fatal(err)
			}
			return said
		},
		"resource": func(t *testing.T, c *sdk.ClientSession) string {
			res, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "assay://where/x"})
			if err != nil {
				t.Fatal(err)
			}
			return res.Contents[0].Text
		},
	}
	for name, pick := range picks {
		for _, version := range []string{"2025-06-18", "2026-07-28"} {
			t.Run(name+" "+version, func(t *testing.T) {
				dir, opens := t.TempDir(), 0
				uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()
				c, stop := started(t, openWhere(&opens), io.Discard, version, []string{uri})
				if got, err := completed(t, c, ask, "it", ""); err != nil || len(got) > 0 {
					t.Errorf("before the folders are known: %q, %v", got, err)
				}
				if said := pick(t, c); !strings.Contains(said, "over "+dir) {
					t.Errorf("%q, want over %s", said, dir)
				}
				if got, err := completed(t, c, ask, "it", ""); err != nil || !slices.Equal(got, []string{dir}) {
					t.Errorf("when the folders are known: %q, %v", got, err)
				}
				stop()
				if opens != 2 {
					t.Errorf("opened %d times, want 2", opens)
				}
			})
		}
	}
	t.Run("completion", func(t *testing.T) {
		opens := 0
		client := sdk.NewClient(&sdk.Implementation{Name: "t"}, nil)
		client.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
			return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
				t.Errorf("a completion asks the client: %s", method)
				return next(ctx, method, req)
			}
		})
		c, stop := startedBy(t, client, openWhere(&opens), io.Discard, "2025-06-18")
		if got, err := completed(t, c, ask, "it", ""); err != nil || len(got) > 0 {
			t.Errorf("%q, %v", got, err)
		}
		stop()
	})
	t.Run("a client without roots", func(t *testing.T) {
		opens := 0
		c, stop := started(t, openWhere(&opens), io.Discard, "2025-06-18", nil)
		if got, err := completed(t, c, ask, "it", ""); err != nil || !slices.Equal(got, []string{"nothing"}) {
			t.Errorf("%q, %v", got, err)
		}
		stop()
	})
}
