package stdlib_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/assay-dev/assay/internal/script/lua"
)

// Objects of S3, secrets of Kubernetes and what Vault decrypts are bytes.
func TestBytes(t *testing.T) {
	all := make([]byte, 768)
	for i := range all {
		all[i] = byte(i)
	}
	stored := []byte(nil)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		coded := base64.StdEncoding.EncodeToString(all)
		switch {
		case r.Method == http.MethodPut:
			stored, _ = io.ReadAll(r.Body)
		case r.URL.Path == "/b/k":
			w.Write(stored)
		case r.URL.Path == "/v1/transit/decrypt/k":
			_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{"plaintext": coded}})
		default:
			_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{"f": coded}})
		}
	}))
	defer s.Close()
	vm := lua.New(lua.Options{Require: require, Env: func(string) (string, bool) { return "", false }})
	defer vm.Close()
	for name, src := range map[string]string{
		"s3":    `local c = require("assay.s3").client({endpoint = URL, region = "us-east-1", access_key = "AK", secret_key = "SK"}) c:put_object("b", "k", all) return c:get_object("b", "k")`,
		"k8s":   `return require("assay.k8s").get_secret("ns", "name", {base_url = URL, token = "t"}).f`,
		"vault": `return require("assay.vault").client(URL, {token = "t"}):transit_decrypt("k", "vault:v1:x")`,
	} {
		out, err := vm.Run(t.Context(), "@"+name, []byte("local URL, all = ... "+src), s.URL, string(all))
		if err != nil || len(out) != 1 || out[0] != string(all) {
			t.Errorf("%s: %v, %.80q", name, err, out)
		}
	}
	if string(stored) != string(all) {
		t.Errorf("%d bytes were stored", len(stored))
	}
}
