package lua

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// Matches that are looked for one after another, on a text or through a reader that
// polls, are those that package regexp finds.
func TestExpression(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	pieces := []string{"a", "b", "^", "$", `\b`, `\B`, ".", "a*", "(a)?", "b+?", "(?m:^)", "(?m:$)", "(?i:A)", "|", "[^a]", `\s`, `\z`, `\A`, "(?P<n>a|b)"}
	letters := []string{"a", "b", "A", " ", "\n", "é", "\xff"}
	vm := New(Options{})
	defer vm.Close()
	compared := 0
	vm.setGlobal("compare", vm.fn("compare", func(c call) int {
		for range 20_000 {
			p, text := pick(pieces, 1+r.IntN(4)), pick(letters, r.IntN(8))
			want, err := regexp.Compile(p)
			if err != nil {
				continue
			}
			e, err := newExpression(p)
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(2) == 0 {
				e.size = 2 * maxUnpolled // through the reader
			}
			var got [][]int
			e.all(c, text, func(m []int) { got = append(got, m) })
			if all := want.FindAllStringSubmatchIndex(text, -1); !reflect.DeepEqual(got, all) {
				t.Fatalf("%q in %q: %v, want %v", p, text, got, all)
			}
			compared++
		}
		return 0
	}))
	if _, err := vm.Run(t.Context(), "t", []byte("compare()")); err != nil || compared < 10_000 {
		t.Errorf("%d compared, %v", compared, err)
	}
}

// What C Lua 5.4 does with what nobody should do.
func TestBuiltinsMisused(t *testing.T) {
	for src, want := range map[string]any{
		`local co = coroutine.create(error) coroutine.resume(co, "x") local a, e = coroutine.close(co) return tostring(a) .. e .. tostring(coroutine.close(co))`: "falsextrue",
		`local co = coroutine.create(function() coroutine.yield() end) coroutine.resume(co) return tostring(coroutine.close(co)) .. coroutine.status(co)`:        "truedead",
		`return tostring(select(2, pcall(next, {}, "x")))`:                                            "invalid key to 'next'",
		`return tostring(select(2, pcall(next, {1, 2}, 1.5)))`:                                        "invalid key to 'next'",
		`return tostring(select(2, pcall(next, {a = 1}, 0)))`:                                         "invalid key to 'next'",
		`local t, n = {1, 2, a = 1, b = 2}, 0 for k in pairs(t) do t[k] = nil n = n + 1 end return n`: int64(4),
		`local t = {1, 2, 3} t[3] = nil return tostring((next(t, 3)))`:                                "nil",
		`local f = utf8.codes("abc") return select("#", f("abc", -1))`:                                int64(0),
		`local f = utf8.codes("abc") local i, x = f("xyz", 0) return i + x`:                           int64(121),
		`return tostring((pcall((utf8.codes("abc")))))`:                                               "false",
	} {
		if got, err := eval(t, Options{}, src); err != nil || got != want {
			s, _ := got.(string)
			if w, ok := want.(string); err != nil || !ok || !strings.HasSuffix(s, w) {
				t.Errorf("%s: %v, %v, want %v", src, got, err, want)
			}
		}
	}
}
