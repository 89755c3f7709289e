package pattern

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/script/luatest"
)

// answer is what a match gives, as the reference writes it: the place, then the
// captures, or nil.
func answer(m *Matcher, s string, init int) string {
	from, to, ok := m.Find(init)
	if !ok {
		return "nil"
	}
	return found(m, s, from, to)
}

func found(m *Matcher, s string, from, to int) string {
	out := fmt.Sprintf("%d %d", from+1, to)
	for _, c := range m.Captures() {
		if c.Position {
			out += fmt.Sprintf(" @%d", c.Start+1)
		} else {
			out += fmt.Sprintf(" %q", s[c.Start:c.End])
		}
	}
	return out
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ s, p, want string }{
		{"hello world", "o w", "5 7"},
		{"hello", "l+", "3 4"},
		{"hello", "l-", "1 0"},
		{"hello", "xl?", "nil"},
		{"hello", "^h(.)l", `1 3 "e"`},
		{"hello", "^e", "nil"},
		{"hello", "o$", "5 5"},
		{"a$b", "a$b", "1 3"},
		{"key = value", "^(%w+)%s*=%s*(%w+)$", `1 11 "key" "value"`},
		{"THE (quick) fox", "%((%a+)%)", `5 11 "quick"`},
		{"f(a(b)c)d", "%b()", "2 8"},
		{"aaa", "%baa", "1 2"},
		{"THE (quick) fox", "%f[%a]%a+%f[%A]", "1 3"},
		{"hello hello", "(h%w+) %1", `1 11 "hello"`},
		{"hello", "()ll()", "3 4 @3 @5"},
		{"", "", "1 0"},
		{"", ".", "nil"},
		{"abc", "[^a]", "2 2"},
		{"a]c", "[]]", "2 2"},
		{"a-c", "[a-]+", "1 2"},
		{"x^y", "[x^]+", "1 2"},
		{"\x00\x01", "%z", "1 1"},
		{"a\x00b", "\x00", "2 2"},
		{"äb", "[\x80-\xff]+", "1 2"},
		{"2024-01-02", "(%d+)-(%d+)-(%d+)", `1 10 "2024" "01" "02"`},
		{"a.b", "%.", "2 2"},
		{"abc", "(a)(b)(c)", `1 3 "a" "b" "c"`},
		{"abcabc", "((a)(b))", `1 2 "ab" "a" "b"`},
		{"xxab", ".-(a?b)", `1 4 "ab"`},
	} {
		p, err := Compile(c.p, true)
		if err != nil {
			t.Errorf("Compile(%q): %v", c.p, err)
			continue
		}
		if got := answer(p.Match(c.s, nil), c.s, 0); got != c.want {
			t.Errorf("%q in %q = %s, want %s", c.p, c.s, got, c.want)
		}
	}
}

func TestMalformed(t *testing.T) {
	for p, want := range map[string]string{
		"(":                       "unfinished capture",
		")":                       "invalid pattern capture",
		"[a":                      "malformed pattern (missing ']')",
		"[]":                      "malformed pattern (missing ']')",
		"[a%":                     "malformed pattern (missing ']')",
		"%":                       "malformed pattern (ends with '%')",
		"%b":                      "malformed pattern (missing arguments to '%b')",
		"%bx":                     "malformed pattern (missing arguments to '%b')",
		"%f":                      "missing '[' after '%f' in pattern",
		"%1":                      "invalid capture index %1",
		"(%1)":                    "invalid capture index %1",
		strings.Repeat("()", 33):  "too many captures",
		strings.Repeat("a?", 201): "pattern too complex",
	} {
		if _, err := Compile(p, true); err == nil || err.Error() != want {
			t.Errorf("Compile(%q) = %v, want %s", p, err, want)
		}
	}
}

// A pattern that takes C Lua exponential time takes as many steps as the subject
// has bytes, times a few.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ p, unit string }{
		{strings.Repeat("a?", 30) + strings.Repeat("a", 31) + "b", "a"},
		{strings.Repeat("a*", 20) + "b", "a"},
		{".-.-.-.-b", "a"},
		{"(.-)%s*(.-)%s*$x", "a "},
		{"a+b", "a"},
		{"(a+)(a+)(a+)b", "a"},
		{"[ab]-c", "ab"},
		{"%f[%w]%w+%f[%W]x", "ab "},
	} {
		p, err := Compile(c.p, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{10_000, 40_000} {
			s := strings.Repeat(c.unit, n/len(c.unit))
			m := p.Match(s, nil)
			if _, _, ok := m.Find(0); ok {
				t.Fatalf("%q matches", c.p)
			}
			if per := m.Steps() / n; per > 4*len(p.items)*len(p.items)+200 {
				t.Errorf("%q over %d bytes takes %d steps a byte", c.p, n, per)
			}
		}
	}
}

// What a matcher remembers changes no answer.
func TestRemembers(t *testing.T) {
	for _, src := range []string{"a*b?c", "(a-)b*$", "a+a?b", "[ab]*c[ab]-d", "(a*)(b+)x?"} {
		p, err := Compile(src, true)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 1 << 10 {
			var b strings.Builder
			for i := range 10 {
				b.WriteByte("abcd"[n>>i&1+2*(n>>(i+3)&1)])
			}
			s := b.String()
			eager := p.Match(s, nil)
			eager.limit = 0
			if got, want := answer(eager, s, 0), answer(p.Match(s, nil), s, 0); got != want {
				t.Fatalf("%q in %q = %s when it remembers, %s when not", src, s, got, want)
			}
		}
	}
}

const script = `
while true do
  local s, p = receive(), receive()
  local r = table.pack(pcall(string.find, s, p))
  local out
  if not r[1] then out = "error" elseif not r[2] then out = "nil" else
    out = r[2] .. " " .. r[3]
    for i = 4, r.n do out = out .. " " .. (type(r[i]) == "number" and "@" .. r[i] or #r[i] .. ":" .. r[i]) end
  end
  local g = table.pack(pcall(string.gsub, s, p, "<%0>"))
  out = out .. "\n" .. (g[1] and g[2] .. "|" .. g[3] or "error")
  reply(out)
end`

// substitute is gsub with "<%0>", in terms of a Matcher.
func substitute(m *Matcher, s string) string {
	var b strings.Builder
	copied, at, last, n := 0, 0, -1, 0
	for {
		from, to, ok := m.Find(at)
		if !ok {
			break
		}
		if to == last {
			if at = from + 1; at > len(s) || m.p.anchored {
				break
			}
			continue
		}
		n++
		b.WriteString(s[copied:from] + "<" + s[from:to] + ">")
		copied, at, last = to, to, to
		if m.p.anchored {
			break
		}
	}
	return fmt.Sprintf("%s|%d", b.String()+s[copied:], n)
}

// What is found is what C Lua finds. A pattern that is malformed where C Lua does
// not get is refused all the same.
func FuzzFind(f *testing.F) {
	for _, c := range [][2]string{
		{"hello world", "(o)%s*(%w)"}, {"key = value", "^(%w+)%s*=%s*(%w+)$"}, {"f(a(b)c)d", "%b()"}, {"aXbXc", "[^X]-X"},
		{"THE (quick) fox", "%f[%a]%a+"}, {"hello hello", "(h%w+) %1"}, {"abc", "()"}, {"a]-^c", "[]^-]+"}, {"aaab", "a-b$"}, {"\x00\xff", "%c"},
	} {
		f.Add(c[0], c[1])
	}
	ref := luatest.Start(f, script)
	f.Fuzz(func(t *testing.T, s, p string) {
		if len(s) > 40 || len(p) > 24 || strings.Count(p, "*")+strings.Count(p, "-")+strings.Count(p, "?")+strings.Count(p, "+") > 6 {
			return
		}
		wantFind, wantSub, _ := strings.Cut(ref.Ask(t, s, p), "\n")
		c, err := Compile(p, true)
		if err != nil {
			return // C Lua may not have got so far
		}
		if wantFind == "error" || strings.HasPrefix(wantSub, "error") {
			t.Fatalf("%q is malformed and compiles", p)
		}
		for _, limit := range []int{1 << 30, 0} {
			m := c.Match(s, nil)
			m.limit = limit
			got := "nil"
			if from, to, ok := m.Find(0); ok {
				got = fmt.Sprintf("%d %d", from+1, to)
				for _, c := range m.Captures() {
					if c.Position {
						got += fmt.Sprintf(" @%d", c.Start+1)
					} else {
						got += fmt.Sprintf(" %d:%s", c.End-c.Start, s[c.Start:c.End])
					}
				}
			}
			if got != wantFind && !strings.Contains(s, "\n") {
				t.Fatalf("%q in %q = %s, want %s", p, s, got, wantFind)
			}
			if got := substitute(m, s); got != wantSub && !strings.Contains(s, "\n") {
				t.Fatalf("gsub(%q, %q) = %s, want %s", s, p, got, wantSub)
			}
		}
	})
}
