package lua

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormats(t *testing.T) {
	tests := []struct {
		name, src string
		want      any
	}{
		{"all documents of YAML", `return yaml.parse_all("a: 1\n---\n- 2\n---\n---\nx\n")`, array{object{"a": int64(1)}, array{int64(2)}, nil, "x"}},
		{"no document of YAML", `return #yaml.parse_all("")`, int64(0)},
		{"yaml.parse of several", `return select(2, pcall(yaml.parse, "a\n---\nb"))`, "yaml.parse: more than one document: yaml.parse_all reads all of them"},
		{"gzip", `local z = gzip.compress(("ab"):rep(1000)) return {#z < 100, #gzip.decompress(z)}`, array{true, int64(2000)}},
		{"not gzip", `return select(2, pcall(gzip.decompress, "hello, world"))`, "gzip.decompress: gzip: invalid header"},
		{"a token signed with a secret", `local t = crypto.jwt_sign({sub = "x"}, "s3cret-s3cret", "HS256") return {crypto.jwt_verify(t, "s3cret-s3cret", {alg = "HS256"}).sub, crypto.jwt_verify(t, "another", {alg = "HS256"}) == nil}`, array{"x", true}},
		{"a token signed with an EC key", `local t = crypto.jwt_sign({sub = "y"}, KEY, "ES256", {kid = "k"}) return crypto.jwt_verify(t, PUBLIC).sub`, "y"},
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, b []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}))
	}
	o := Options{Globals: map[string]any{"KEY": text("EC PRIVATE KEY", private), "PUBLIC": text("PUBLIC KEY", public)}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := eval(t, o, tt.src)
			if d := cmp.Diff(tt.want, got); err != nil || d != "" {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
		})
	}
}

// A packed text that grows a thousandfold when it is read stays within the memory of a script.
func TestCompressedBombs(t *testing.T) {
	for _, src := range []string{
		`gzip.decompress(gzip.compress(("\0"):rep(6e6)))`,
	} {
		if _, err := eval(t, Options{}, "local all = "+src); err != nil {
			t.Errorf("%s: %v", src, err)
		}
		if _, err := eval(t, Options{Memory: 10 << 20}, "local all = "+src); err == nil {
			t.Errorf("%s fits in 10 MiB", src)
		}
	}
}
