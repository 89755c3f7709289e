package toml

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	peer "github.com/pelletier/go-toml/v2"
)

type (
	object = map[string]any
	array  = []any
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, src string
		want      object
	}{
		{"values", "i = -1_000\nh = 0xDEAD_beef\no = 0o17\nb = 0b1\nf = 1.5e-1\ng = -0.0\nyes = true\nno = false", object{"i": int64(-1000), "h": int64(0xdeadbeef), "o": int64(15), "b": int64(1), "f": .15, "g": math.Copysign(0, -1), "yes": true, "no": false}},
		{"infinities", "a = inf\nb = -inf", object{"a": math.Inf(1), "b": math.Inf(-1)}},
		{"strings", `a = "x\t\"\\\u00e9\U0001F600"` + "\nb = 'c:\\d'\nc = \"\"\"\nl1\nl2 \\\n   \t\n  l3\"\"\"\nd = '''\n'a'\\\n'''\ne = \"\"\"\"q\"\"\"\"\"", object{"a": "x\t\"\\é😀", "b": `c:\d`, "c": "l1\nl2 l3", "d": "'a'\\\n", "e": `"q""`}},
		{"times", "a = 1979-05-27T07:32:00.5Z\nb = 1979-05-27 07:32:00-07:00\nc = 1979-05-27t07:32:00\nd = 1979-05-27\ne = 07:32:00.25", object{"a": "1979-05-27T07:32:00.5Z", "b": "1979-05-27T07:32:00-07:00", "c": "1979-05-27T07:32:00", "d": "1979-05-27", "e": "07:32:00.25"}},
		{"lists", "a = [1, [2.5, 'x',],\n # c\n {k = []}\n]", object{"a": array{int64(1), array{2.5, "x"}, object{"k": array{}}}}},
		{"keys", "\"a b\".'c.d'. e = 1\n1.2 = 3\n-_ = ''", object{"a b": object{"c.d": object{"e": int64(1)}}, "1": object{"2": int64(3)}, "-_": ""}},
		{"tables", "[a.b]\nc = 1\n[a]\nd = {e.f = 1, e.g = 2}\n[a.b.x]\n[[l]]\nn = 1\n[l.s]\nm = 2\n[[l]]\n[[l.t]]", object{"a": object{"b": object{"c": int64(1), "x": object{}}, "d": object{"e": object{"f": int64(1), "g": int64(2)}}}, "l": array{object{"n": int64(1), "s": object{"m": int64(2)}}, object{"t": array{object{}}}}}},
		{"dots and a header below them", "[f]\na.b = 1\na.c = 2\n[f.a.t]\nx = 1", object{"f": object{"a": object{"b": int64(1), "c": int64(2), "t": object{"x": int64(1)}}}}},
		{"ends of lines", "a = 1\r\n# x\r\n[b]\r\nc = \"\"\"\r\nx\r\n\"\"\"\r\n", object{"a": int64(1), "b": object{"c": "x\r\n"}}},
		{"braces on several lines", "a = {\n b = 1, # c\n c = 2,\n}", object{"a": object{"b": int64(1), "c": int64(2)}}},
		{"nothing", " # only this", object{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse(tt.src)
			if d := cmp.Diff(tt.want, got); err != nil || d != "" {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
		})
	}
}

func TestInvalid(t *testing.T) {
	for src, want := range map[string]string{
		"a = 1\nb = ":                       "line 2: expected a value",
		"a = 1\na = 2":                      "line 2: a is already defined",
		"a = 1 b = 2":                       "line 1: expected the end of the line",
		"[a]\n[a]":                          "line 2: a is already defined",
		"[a.b]\n[a]\nb.c = 1":               "b is already defined",
		"[f]\na.b = 1\n[f.a]":               "a is already defined",
		"a = {b = 1}\n[a.c]":                "a was defined in braces, and nothing can be added to it",
		"a = {b.c = 1}\na.b.d = 2":          "a is already defined",
		"a = []\n[[a]]":                     "a is already defined",
		"[[a]]\n[a]":                        "a is already defined",
		"a = 1\n[a.b]":                      "a is not a table",
		"a = 01":                            `"01" is not a value`,
		"a = 1__0":                          `"1__0" is not a value`,
		"a = 1.":                            `"1." is not a value`,
		"a = 9223372036854775808":           "is not a value",
		"a = 2024-02-30":                    "is not a value",
		"a = 2024-02-01T25:00:00Z":          "is not a value",
		"a = \"\\x\"":                       "invalid escape",
		"a = \"\\ud800\"":                   "invalid escape",
		"a = 'x":                            "a string does not end",
		"a = \"x\ny\"":                      "control character in a string",
		"a = {b = 1 c = 2}":                 "expected , or }",
		"a = {,}":                           "expected a key",
		"a = [1 2]":                         "expected , or ]",
		"= 1":                               "expected a key",
		"a":                                 "expected =",
		"[a":                                "expected ]",
		"a = \xff":                          "the document is not UTF-8",
		"# \x01":                            "control character in a comment",
		"a = " + strings.Repeat("[", 600):   "nested more than 512 deep",
		strings.Repeat("a.", 600) + "a = 1": "nested more than 512 deep",
	} {
		if got, err := Parse(src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, %v, want %q", src, got, err, want)
		}
	}
}

func TestEncode(t *testing.T) {
	got, err := Encode(object{"a": int64(1), "f": 2.0, "g": 1e300, "s": "it's\n\x01", "list": array{int64(1), object{"k": "v"}}, "t": object{"x y": true, "z": object{}}, "u": array{object{"n": int64(1)}, object{}}, "e": array{}})
	const want = "a = 1\ne = []\nf = 2.0\ng = 1e+300\nlist = [1, {k = 'v'}]\ns = \"it's\\n\\u0001\"\n\n[t]\n'x y' = true\n\n[t.z]\n\n[[u]]\nn = 1\n\n[[u]]\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	for _, bad := range []object{{"a": nil}, {"a": array{nil}}, {"a": "\xff"}, {"\xff": "a"}, {"a": 1}} {
		if out, err := Encode(bad); err == nil {
			t.Errorf("%v became %s", bad, out)
		}
	}
}

// A document of TOML that people write is not taken for one that nests.
func TestDepth(t *testing.T) {
	deep := strings.Repeat("[", maxDepth+1)
	for src, ok := range map[string]bool{
		"a = " + deep: false, "a = " + strings.Repeat("{a=", maxDepth+1): false, strings.Repeat("a.", maxDepth+2) + "a = 1": false,
		"a = '" + deep + "'": true, "a = \"" + deep + "\"": true, "a = \"\\\"" + deep + "\"": true, "# " + deep + "\na = 1": true,
		"a = \"\"\"\n" + deep + "\n\"\"\"": true, "a = '" + strings.Repeat("x.", 2000) + "'": true, "a = '''" + strings.Repeat(".", 2000) + "'''": true,
		strings.Repeat("a = [[1], {b.c = 2}] # [\n", 2000): true, "a = \"\"\"x\"\"\"\nb = " + deep: false,
	} {
		_, err := Parse(src)
		if nests := err != nil && strings.Contains(err.Error(), "nested more than"); nests == ok {
			t.Errorf("%.40q: %v", src, err)
		}
	}
}

// Decode reads the text of Encode as the same value, and a document is read as another library
// for TOML reads it, or refused as there.
func FuzzParse(f *testing.F) {
	for _, src := range []string{"a = 1\n[b.c]\nd = [1, 'x', {e = 2.5}]\n[[f]]\ng = \"\"\"\nx\"\"\"\n", "a.b = 1979-05-27 07:32:00Z\na.c = 07:32:00\n", "[a]\nb.c = inf\n[a.b.d]\n", "a = {b.c = -0x1}\n", "'' = 0b1\n\"\\u0000\" = nan"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		got, err := Parse(src)
		compare(t, src, got, err)
		if err != nil {
			return
		}
		text, err := Encode(got)
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		again, err := Parse(string(text))
		if d := cmp.Diff(got, again, nan); err != nil || d != "" {
			t.Errorf("%q, written as %q: %v (-first +again)\n%s", src, text, err, d)
		}
	})
}

var nan = cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })

func compare(t *testing.T, src string, got object, err error) {
	var other object
	otherErr := peer.Unmarshal([]byte(src), &other)
	if (err == nil) != (otherErr == nil) {
		t.Errorf("%q: error %v, the peer's %v", src, err, otherErr)
		return
	}
	if err != nil {
		return
	}
	if d := cmp.Diff(texts(other), any(got), nan); d != "" {
		t.Errorf("%q (-peer +got):\n%s", src, d)
	}
}

// texts makes strings of the peer's times.
func texts(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for k, x := range v {
			out[k] = texts(x)
		}
		return out
	case array:
		for i, x := range v {
			v[i] = texts(x)
		}
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case fmt.Stringer:
		return v.String()
	}
	return v
}
