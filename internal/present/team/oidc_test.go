package team

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server whose file would let in whom nobody meant does not start.
func TestOIDCFile(t *testing.T) {
	const right = `{issuer: "https://id.example.org", audience: assay, map: [{group: g, team: red, role: read}]}`
	for name, c := range map[string]struct{ oidc, says string }{
		"right":        {right, ""},
		"here":         {strings.Replace(right, "https://id.example.org", "http://127.0.0.1:9", 1), ""},
		"no TLS":       {strings.Replace(right, "https", "http", 1), "https://"},
		"a password":   {strings.Replace(right, "id.", "u:p@id.", 1), "https://"},
		"no issuer":    {strings.Replace(right, "https://id.example.org", "", 1), "https://"},
		"no audience":  {strings.Replace(right, "audience: assay", `audience: ""`, 1), "audience"},
		"no map":       {`{issuer: "https://id.example.org", audience: assay}`, "map"},
		"other team":   {strings.Replace(right, "team: red", "team: green", 1), "a team of this file"},
		"other role":   {strings.Replace(right, "role: read", "role: root", 1), "role"},
		"no group":     {strings.Replace(right, "group: g", `group: ""`, 1), "group"},
		"a large skew": {strings.Replace(right, "audience", "skew: 6m, audience", 1), "skew"},
		"unknown":      {strings.Replace(right, "audience", "insecure: true, audience", 1), "insecure"},
	} {
		file := filepath.Join(t.TempDir(), "team.yaml")
		if err := os.WriteFile(file, []byte("data: d\ntokens: t\nteams: {red: {memory: true}}\noidc: "+c.oidc+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(file)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}
