package jsonpath

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type testCase struct {
	Name     string
	Selector string
	Document json.RawMessage
	Result   []any
	Results  [][]any
	Invalid  bool `json:"invalid_selector"`
}

func decoded(t *testing.T, text []byte) (v any) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestCompliance runs the suite of github.com/jsonpath-standard (testdata/LICENSE).
func TestCompliance(t *testing.T) {
	text, err := os.ReadFile("testdata/cts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(text) {
		var c testCase
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.UseNumber()
		if err := dec.Decode(&c); err != nil {
			t.Fatal(err)
		}
		n++
		e, rest, err := Parse(c.Selector)
		if c.Invalid {
			if err == nil && rest == "" {
				t.Errorf("%s: %q is accepted", c.Name, c.Selector)
			}
			continue
		}
		if err != nil || rest != "" {
			t.Errorf("%s: %q: %v, rest %q", c.Name, c.Selector, err, rest)
			continue
		}
		got, err := e.Values(decoded(t, c.Document))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		want := c.Results
		if want == nil {
			want = [][]any{c.Result}
		}
		if !slices.ContainsFunc(want, func(w []any) bool { return len(got) == len(w) && (len(w) == 0 || reflect.DeepEqual(got, w)) }) {
			t.Errorf("%s: %q = %v, want %v", c.Name, c.Selector, got, want)
		}
	}
	if n < 700 {
		t.Errorf("%d cases", n)
	}
}

func TestBounds(t *testing.T) {
	deep := decoded(t, []byte(strings.Repeat(`{"a":`, 400)+"[1]"+strings.Repeat("}", 400)))
	e, _, err := Parse("$" + strings.Repeat("..*", 8))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Values(deep); err != errWork {
		t.Errorf("descendants of descendants: %v", err)
	}
	for _, s := range []string{"$[?" + strings.Repeat("(", 1e5), "$" + strings.Repeat("[?@", 1e5), strings.Repeat("length(", 1e5), "$[?" + strings.Repeat("!(", 1e5)} {
		if _, _, err := Parse(s); err == nil {
			t.Errorf("%.20s… is accepted", s)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`$.a[?@.b == 'c' && count(@..*) > 1][1:2]`)
	f.Add(`match($.a, "x.*")`)
	document := []byte(`{"a":[{"b":"c"},1,null,[2,3]],"d":{"e":"xy"}}`)
	f.Fuzz(func(t *testing.T, s string) {
		e, rest, err := Parse(s)
		if err != nil {
			return
		}
		if !strings.HasSuffix(s, rest) {
			t.Errorf("the rest of %q is %q", s, rest)
		}
		got, err := e.Values(decoded(t, document))
		if err == nil && e.One() && len(got) > 1 {
			t.Errorf("%q selects %v", s, got)
		}
	})
}
