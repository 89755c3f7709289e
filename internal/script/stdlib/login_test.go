package stdlib_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMachineKey logs in to Zitadel with a key, given as a table and as a file.
func TestMachineKey(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	file, err := json.Marshal(map[string]string{"userId": "u1", "keyId": "k1", "key": string(text)})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "key.json")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	status := http.StatusOK
	token := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.RequestURI != "/oauth/v2/token" || r.Host != "auth.example.com" ||
			r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" || r.Header.Get("Authorization") != "" {
			t.Errorf("%s %s of %s with %v", r.Method, r.RequestURI, r.Host, r.Header)
		}
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		header, claims := verify(t, &key.PublicKey, r.PostForm.Get("assertion"))
		r.PostForm.Del("assertion")
		want := url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "scope": {"openid urn:zitadel:iam:org:project:id:zitadel:aud"}}
		if diff := cmp.Diff(want, r.PostForm); diff != "" {
			t.Errorf("form differs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(`{"alg":"RS256","kid":"k1","typ":"JWT"}`, header); diff != "" {
			t.Errorf("header differs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(`{"aud":"https://auth.example.com","exp":1769904300,"iat":1769904000,"iss":"u1","sub":"u1"}`, claims); diff != "" {
			t.Errorf("claims differ (-want +got):\n%s", diff)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, `{"access_token": "at"}`)
	}))
	defer token.Close()
	s := newServer(t)
	for name, c := range map[string]struct {
		status     int
		lua, wants string
	}{
		"table":   {200, `M.client({url = TOKEN .. "/", domain = "example.com", machine_key = json.parse(fs.read(KEY))}).access_token`, "at"},
		"file":    {200, `M.client({url = TOKEN, domain = "example.com", machine_key_file = KEY}).access_token`, "at"},
		"refused": {401, `select(2, pcall(M.client, {url = TOKEN, domain = "example.com", machine_key_file = KEY}))`, `zitadel: token exchange failed (HTTP 401): {"access_token": "at"}`},
	} {
		t.Run(name, func(t *testing.T) {
			status = c.status
			out, _ := runLua(t, s, nil, prelude+fmt.Sprintf("local M, TOKEN, KEY = require('assay.zitadel'), %q, %q\nreturn (%s)", token.URL, path, c.lua))
			if out[0] != c.wants {
				t.Errorf("%s = %v, want %s", c.lua, out[0], c.wants)
			}
		})
	}
}

// verify returns header and claims of a JWT as JSON with sorted keys.
func verify(t *testing.T, key *rsa.PublicKey, token string) (header, claims string) {
	t.Helper()
	signed, signature, _ := lastCut(token)
	sum := sha256.Sum256([]byte(signed))
	raw, err := base64.RawURLEncoding.DecodeString(signature)
	if err == nil {
		err = rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], raw)
	}
	if err != nil {
		t.Errorf("signature: %v", err)
	}
	parts := make([]string, 0, 2)
	for part := range strings.SplitSeq(signed, ".") {
		text, err := base64.RawURLEncoding.DecodeString(part)
		if err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		d := json.NewDecoder(strings.NewReader(string(text)))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		sorted, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, string(sorted))
	}
	if len(parts) != 2 {
		t.Fatalf("%d parts in %s", len(parts), token)
	}
	return parts[0], parts[1]
}

func lastCut(token string) (signed, signature string, ok bool) {
	i := strings.LastIndexByte(token, '.')
	if i < 0 {
		return token, "", false
	}
	return token[:i], token[i+1:], true
}
