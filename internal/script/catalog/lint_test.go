package catalog

import (
	"errors"
	"strings"
	"testing"
)

const sound = `--- @module assay.thing
--- @description Thing service. Things.
--- @keywords thing, things
--- @env THING_URL
--- @quickref c:get(id) -> thing | Get a thing
--- @quickref M.version() -> string | Get the version

local M, c = {}, {}
function M.client(url) return url or env.get("THING_URL") end
function M.version() return "1" end
function M._helper() end
function c:get(id) return id end
return M
`

func TestLint(t *testing.T) {
	for name, c := range map[string]struct {
		edit string // "old => new", or the whole module
		want string // parts of the faults, in order, separated by " & "; "" for none
	}{
		"sound":                       {"", ""},
		"no header":                   {"return {}", "1: module & no @module & no @description & no @keywords"},
		"another name":                {"assay.thing => assay.other", `1: module: the first line is not "--- @module assay.thing"`},
		"not the first line":          {"--- @module => --- @author me\n--- @module", "1: module & 1: tag: @author is not known"},
		"written differently":         {"--- @env => ---@env", "4: tag: a tag is written: --- @env ..."},
		"two descriptions":            {"--- @keywords => --- @description Thing.\n--- @keywords", "2 lines of @description"},
		"a long description":          {"Things. => " + strings.Repeat("Things. ", 20), "2: description: 174 characters, at most 120"},
		"another beginning":           {"Thing service => The service", "2: description: it begins neither"},
		"a keyword as the beginning":  {"--- @module assay.thing\n--- @description External-Thing Operator.\n--- @keywords thing, external-thing\n", ""},
		"upper case":                  {"@keywords thing => @keywords thing, Thing", `3: keywords: "Thing" is not in lower case`},
		"twice":                       {"@keywords thing => @keywords thing, things", `"things" is listed twice`},
		"a synonym that is a keyword": {"@keywords thing, things => @keywords thing, things\n--- @synonyms stuff, things", `4: synonyms: "things" is listed twice`},
		"two lists of synonyms":       {"@keywords thing, things => @keywords thing, things\n--- @synonyms stuff\n--- @synonyms matter", "2 lines of @synonyms"},
		"not among them":              {"@keywords thing, => @keywords", `"thing", is not among them`},
		"no variable":                 {"@env THING_URL => @env THING_URL, thing", `4: env: "thing" is not a valid variable name`},
		"a variable that is not read": {"@env THING_URL => @env THING_URL, THING_TOKEN", "THING_TOKEN is not read anywhere"},
		"a variable by way of a name": {"env.get(\"THING_URL\") => get('THING_URL')", ""},
		"a variable that is not told": {"\"1\" => env.get('THING_VERSION')", "10: env: THING_VERSION is read, and is not in @env"},
		"a variable in a comment":     {"local M => -- env.get(\"NO\")\nlocal M", ""},
		"an empty tag":                {"@env THING_URL => @env", "4: env: nothing after & 9: env: THING_URL is read"},
		"a line without a tag":        {"--- @env => --- hello\n--- @env", "4: tag: a line of the header without a tag"},
		"a tag below the header":      {"local M => --- @auth { x }\nlocal M", "8: tag: below the header"},
		"malformed":                   {"-> thing | => ->", "5: quickref: it is written & 12: quickref: c:get(id) has none"},
		"no signature":                {"c:get(id) -> => get -> ", "5: quickref: \"get\" is not a signature: write c:name(a, b) or M.name(a, b) & has none"},
		"no function":                 {"M.version() -> => M.versions() ->", "6: quickref: there is no function M.versions() & M.version() has none"},
		"a method or not":             {"c:get(id) -> => c.get(id) ->", "5: quickref: there is no function c.get(id) & c:get(id) has none"},
		"other parameters":            {"c:get(id) -> => c:get(name) ->", "5: quickref: the function is c:get(id)"},
		"two quickrefs":               {"--- @quickref M => --- @quickref c:get(id) -> x | y\n--- @quickref M", "6: quickref: get has one in line 5"},
		"a helper":                    {"M.version() -> => M._helper() ->", "6: quickref: _helper is a helper & has none"},
		"a function without":          {"return M => function M.more(a, b) end\nreturn M", "13: quickref: M.more(a, b) has none"},
		"does not compile":            {"return M => broken", "0: syntax: no"},
		"an alias":                    {"--- @module assay.thing\n--- @description Thing.\n--- @keywords thing\n\nreturn require(\"assay.other\")", ""},
		"an alias of nothing":         {"--- @module assay.thing\n--- @description Thing.\n--- @keywords thing\n\nreturn require(\"assay.gone\")", "0: alias: there is no module assay.gone"},
		"an alias with a wrong quickref": {"--- @module assay.thing\n--- @description Thing.\n--- @keywords thing\n--- @quickref M.gone() -> x | y\n\nreturn require(\"assay.other\")",
			"0: quickref: M.f() has none & 4: quickref: there is no function M.gone()"},
	} {
		src := sound
		if old, now, ok := strings.Cut(c.edit, " => "); ok {
			if src = strings.Replace(sound, old, now, 1); src == sound {
				t.Fatalf("%s: nothing to replace", name)
			}
		} else if c.edit != "" {
			src = c.edit
		}
		other := "function M.f() end"
		cat := Catalog{Modules: []Module{
			made("other", other),
			made("thing", src),
		}}
		var got []string
		for _, f := range cat.Lint(&cat.Modules[1], src, func(chunk string, src []byte) error {
			if strings.Contains(string(src), "broken") {
				return errors.New("no")
			}
			return nil
		}) {
			got = append(got, strings.TrimPrefix(f.String(), "thing.lua:"))
		}
		want := strings.Split(c.want, " & ")
		if c.want == "" {
			want = nil
		}
		ok := len(got) == len(want)
		for i := range want {
			ok = ok && strings.Contains(got[i], want[i])
		}
		if !ok {
			t.Errorf("%s: %q\nwant %q", name, got, want)
		}
	}
}

func TestLintTestdata(t *testing.T) {
	p := embedded(t)
	c := discovered(t, p)
	for i := range c.Modules {
		src, err := p.Code(&c.Modules[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range c.Lint(&c.Modules[i], src, nil) {
			t.Error(f)
		}
	}
}
