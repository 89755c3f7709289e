package toml

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
	tests := []struct{ name, src, want string }{
		{"no value", "a = 1\nb = ", "line 2: "},
		{"a key twice", "a = 1\na = 2", "line 2: key a is already defined"},
		{"a table twice", "[a]\n[a]", "line 2: table a already exists"},
		{"a table of braces that grows", "a = {b = 1}\n[a.c]", "line 2: "},
		{"a list that becomes a table", "[[a]]\n[a]", "line 2: "},
		{"zeroes before a number", "a = 01", "line 1: "},
		{"a number that is too large", "a = 9223372036854775808", "line 1: "},
		{"a day that is none", "a = 2024-02-30", "line 1: "},
		{"half a character", "a = \"\\ud800\"", "line 1: "},
		{"no end of a string", "a = 'x", "line 1: "},
		{"not UTF-8", "a = \xff", "line 1: "},
		{"brackets that nest too deep", "a = " + strings.Repeat("[", 600) + strings.Repeat("]", 600), "nested more than 512 deep"},
		{"a key that nests too deep", strings.Repeat("a.", 600) + "a = 1", "nested more than 512 deep"},
		{"brackets without end", "a = " + strings.Repeat("[", 1_000_000), "line 1: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Parse(tt.src); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v, want %q", got, err, tt.want)
			}
		})
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

// Brackets and dots in strings and comments do not nest.
func TestDepth(t *testing.T) {
	deep := strings.Repeat("[", maxDepth+1)
	for _, src := range []string{"a = '" + deep + "'", "a = \"\\\"" + deep + "\"", "# " + deep + "\na = 1", "a = \"\"\"\n" + deep + "\n\"\"\"", "a = '" + strings.Repeat("x.", 2000) + "'"} {
		if _, err := Parse(src); err != nil {
			t.Errorf("%.40q: %v", src, err)
		}
	}
}

// Parse reads the text of Encode as the same value.
func FuzzParse(f *testing.F) {
	for _, src := range []string{"a = 1\n[b.c]\nd = [1, 'x', {e = 2.5}]\n[[f]]\ng = \"\"\"\nx\"\"\"\n", "a.b = 1979-05-27 07:32:00Z\na.c = 07:32:00\n", "[a]\nb.c = inf\n[a.b.d]\n", "a = {b.c = -0x1}\n", "'' = 0b1\n\"\\u0000\" = nan"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		got, err := Parse(src)
		if err != nil {
			return
		}
		text, err := Encode(got)
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		again, err := Parse(string(text))
		if d := cmp.Diff(got, again, cmpopts.EquateNaNs()); err != nil || d != "" {
			t.Errorf("%q became\n%s: %v (-first +again):\n%s", src, text, err, d)
		}
	})
}
