//go:build !team

package team

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/mcp"
)

// A build that cannot verify a provider's tokens says so and serves nobody.
func TestOIDCNotBuilt(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "team.yaml")
	for name, text := range map[string]string{"tokens": "", "team.yaml": "data: d\ntokens: tokens\nteams: {red: {memory: true}}\n" +
		"oidc: {issuer: \"https://id.example.org\", audience: assay, map: [{group: g, team: red, role: read}]}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := Serve(t.Context(), Service{Now: time.Now, Open: func(context.Context, Space) (Opened, error) { return Opened{}, nil }}, file, mcp.HTTPOptions{Addr: "127.0.0.1:0"}, io.Discard)
	if fault.KindOf(err) != fault.Unavailable || fault.HintOf(err) == "" {
		t.Error(err)
	}
}
