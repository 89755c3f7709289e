package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// redacted is a document as a client gets it.
func redacted(data []byte) ([]byte, int) { return cursorsOf(data).json(data) }

func TestRedacted(t *testing.T) {
	token := "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
	for in, want := range map[string]string{
		`{"a":"x < \u003c","b":[1,"two"]}`:                  `{"a":"x < \u003c","b":[1,"two"]}`,
		`{"a":"` + token + `","b":["k ` + token + `\n",2]}`: `{"a":"[redacted:github-token]","b":["k [redacted:github-token]\n",2]}`,
		`{"` + token + `":"q\"uote"}`:                       `{"` + token + `":"q\"uote"}`,
		`[]`:                                                `[]`,
		`"\\"`:                                              `"\\"`,
		`{"cursor": "", "s": "` + token + `"}`:              `{"cursor": "", "s": "[redacted:github-token]"}`,
		`{"cursor": "` + token + `", "s": "at ` + token + `."}`: `{"cursor": "[redacted:github-token]", "s": "at [redacted:github-token]."}`,
	} {
		got, n := redacted([]byte(in))
		if string(got) != want || !json.Valid(got) || (n > 0) != (in != want) {
			t.Errorf("redacted(%s) = %s, %d, want %s", in, got, n, want)
		}
	}
}

// A cursor that looks like a token stays wherever the answer names it, and what stands
// around it does not.
func TestRedactedCursor(t *testing.T) {
	ofSearch := ""
	for i := range 100_000 { // few look like a token
		id := [16]byte{byte(i), byte(i >> 8), byte(i >> 16)}
		c, err := workspace.Cursor{ID: id, State: index.State{Epoch: int64(i)}, Offset: 300}.Encode(map[string]any{"query": "used for longest"})
		if err != nil {
			t.Fatal(err)
		}
		if _, n := redact.Text([]byte("more with cursor " + c)); n > 0 {
			ofSearch = c
			break
		}
	}
	note := "more with cursor " + ofSearch
	if clean, n := redact.Text([]byte(note)); n == 0 {
		t.Fatalf("%s is left as it is without being known, so this shows nothing", clean)
	}
	token := "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
	data := []byte(`{"pagination":{"cursor":"` + ofSearch + `"},"notes":["` + note + `","` + token + `"]}`)
	want := strings.Replace(string(data), token, "[redacted:github-token]", 1)
	if got, n := redacted(data); string(got) != want || n != 1 {
		t.Errorf("got %s, %d, want %s", got, n, want)
	}
	text := "# " + note + "\n# " + token + " and " + ofSearch + "\n"
	want = strings.Replace(text, token, "[redacted:github-token]", 1)
	if got, n := cursorsOf(data).text([]byte(text)); string(got) != want || n != 1 {
		t.Errorf("got %s, %d, want %s", got, n, want)
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
