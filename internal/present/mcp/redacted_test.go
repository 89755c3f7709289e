package mcp

import (
	"encoding/json"
	"testing"
)

func TestRedacted(t *testing.T) {
	token := "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
	for in, want := range map[string]string{
		`{"a":"x < \u003c","b":[1,"two"]}`:                                           `{"a":"x < \u003c","b":[1,"two"]}`,
		`{"a":"` + token + `","cursor":"` + token + `","b":["k ` + token + `\n",2]}`: `{"a":"[redacted:github-token]","cursor":"` + token + `","b":["k [redacted:github-token]\n",2]}`,
		`{"` + token + `":"q\"uote"}`:                                                `{"` + token + `":"q\"uote"}`,
		`[]`:                                                                         `[]`, `"\\"`: `"\\"`, `{"cursor": "", "s": "` + token + `"}`: `{"cursor": "", "s": "[redacted:github-token]"}`,
	} {
		got, n := redacted([]byte(in))
		if string(got) != want || !json.Valid(got) || (n > 0) != (in != want) {
			t.Errorf("redacted(%s) = %s, %d, want %s", in, got, n, want)
		}
	}
}

func FuzzRedacted(f *testing.F) {
	f.Add([]byte(`{"a":"ghp_abcdefghijklmnopqrstuvwxyz0123456789","b":"\\"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		if got, _ := redacted(in); json.Valid(in) && !json.Valid(got) {
			t.Errorf("redacted(%q) = %q", in, got)
		}
	})
}
