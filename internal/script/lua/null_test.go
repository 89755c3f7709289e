package lua

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNull(t *testing.T) {
	tests := []struct {
		name, src string
		want      any
	}{
		{"a list keeps its length", `return json.encode(json.parse('[1,null,3]'))`, `[1,null,3]`},
		{"an object keeps its member", `return json.encode(json.parse('{"a":null}'))`, `{"a":null}`},
		{"of its own", `return json.encode(json.parse("null"))`, `null`},
		{"written by a script", `return json.encode({1, json.null, {a = json.null}})`, `[1,null,{"a":null}]`},
		{"counts as false", `local t = json.parse('{"a":null,"b":0}') return {not t.a, not t.b, t.a and 1 or 2, t.a or "other", t.a == false}`, array{true, false, int64(2), "other", false}},
		{"is neither nil nor absent", `local t = json.parse('{"a":null}') return {t.a == nil, t.a == json.null, t.b == json.null, (next(t))}`, array{false, true, false, "a"}},
		{"in a condition of each kind", `local n, out = json.null, {} if n then out[1] = 1 end while n do break end repeat until not n out[1] = (n and 1) or (not n and 2) return out`, array{int64(2)}},
		{"is a key", `local t = {[json.null] = 1} t[json.null] = t[json.null] + 1 return t[json.null]`, int64(2)},
		{"ipairs goes past it", `local n = 0 for _ in ipairs(json.parse("[null,1,null]")) do n = n + 1 end return n`, int64(3)},
		{"its text and type", `return {tostring(json.null), type(json.null), #json.parse("[null,null]")}`, array{"null", "userdata", int64(2)}},
		{"an error names it", `local t = json.parse('{"spec":null}') return select(2, pcall(function() return t.spec.name end))`, "t.lua:1: attempt to index a null value (field 'spec')"},
		{"nil when asked for", `local t = json.parse('{"a":null,"b":[1,null,3]}', {null = "nil"}) return {t.a == nil, json.encode(t)}`, array{true, `{"b":{"1":1,"3":3}}`}},
		{"in YAML", `local t = yaml.parse("a:\nb: [1, ~, 3]\n") return {json.encode(t), yaml.encode(t), t.a == json.null, yaml.parse("a:", {null = "nil"}).a == nil}`, array{`{"a":null,"b":[1,null,3]}`, "a: null\nb:\n  - 1\n  - null\n  - 3\n", true, true}},
		{"in a template", `return template.render_string("{{ a is none }} {{ b | length }}", json.parse('{"a":null,"b":[1,null]}'))`, "true 2"},
		{"as a parameter", `local d = db.connect("sqlite::memory:") return db.query(d, "SELECT ? IS NULL AS a, ? AS b", {json.null, 2})`, array{object{"a": int64(1), "b": int64(2)}}},
		{"not in TOML", `return select(2, pcall(toml.encode, {a = {json.null}}))`, "toml.encode: TOML has no null: remove the member or set a value"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := eval(t, Options{}, tt.src)
			if d := cmp.Diff(tt.want, got); err != nil || d != "" {
				t.Errorf("%s: %v (-want +got):\n%s", tt.src, err, d)
			}
		})
	}
}
