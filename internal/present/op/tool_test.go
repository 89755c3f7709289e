//go:build !slim

package op

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs"
)

func searchTools(t testing.TB) map[string]Tool {
	t.Helper()
	tools := map[string]Tool{}
	for _, o := range All(Features{Code: code.New(workspace.New(workspace.Config{}), code.Config{}), Docs: docs.New(docs.Config{})}) {
		for _, tool := range o.Tools {
			tools[tool.Name] = tool
		}
	}
	return tools
}

func TestDecode(t *testing.T) {
	f := func(v float64) *float64 { return &v }
	for _, tc := range []struct {
		tool, raw string
		want      code.SearchInput
	}{
		{"semantic_search", `{"query":"abc"}`, code.SearchInput{Query: "abc", Semantic: true, TopK: 20, PageSize: 10, Budget: new(2000), References: true, Least: .4}},
		{"hybrid_search", `{"query":"abc"}`, code.SearchInput{Query: "abc", TopK: 20, PageSize: 10, Budget: new(2000), References: true, Least: .5}},
		{"regex_search", `{"query":"abc"}`, code.SearchInput{Query: "abc", Regex: true, TopK: 20, PageSize: 10, Budget: new(2000), References: true}},
		{"hybrid_search", ` {"query":"abc","threshold":0,"top_k":1,"page_size":2,"budget":50,"path":"x y","full_section":true} `,
			code.SearchInput{Query: "abc", Paths: []string{"x y"}, TopK: 1, PageSize: 2, Budget: new(50), References: true, Threshold: f(0), Least: .5, FullSection: true}},
		{"hybrid_search", `{"query":"abc","intent":"a","rationale":"b","expect":"c","agent":"d"}`,
			code.SearchInput{Query: "abc", Intent: "a", Rationale: "b", Expect: "c", Agent: "d", TopK: 20, PageSize: 10, Budget: new(2000), References: true, Least: .5}},
		{"hybrid_search", `{"query":"abc","top_k":20.0,"page_size":1e1}`, code.SearchInput{Query: "abc", TopK: 20, PageSize: 10, Budget: new(2000), References: true, Least: .5}},
		{"regex_search", `{"query":"abc","query":"abd","ignore_case":true}`, code.SearchInput{Query: "abd", Regex: true, IgnoreCase: true, TopK: 20, PageSize: 10, Budget: new(2000), References: true}},
		{"hybrid_search", `{"query":"abc","text":"d\ne"}`, code.SearchInput{Query: "abc\n\nd\ne", TopK: 20, PageSize: 10, Budget: new(2000), References: true, Least: .5}},
		// As agents send them, whatever the schema says.
		{"hybrid_search", `{"query":"abc","top_k":"3","threshold":"0.5","full_section":"true","path":["a","b"],"words":"retry maxAttempts"}`,
			code.SearchInput{Query: "abc", Words: []string{"retry maxAttempts"}, Paths: []string{"a", "b"}, TopK: 3, PageSize: 10, Budget: new(2000), References: true, Threshold: f(.5), Least: .5, FullSection: true}},
		{"hybrid_search", `{"query":"abc","words":["retry","maxAttempts"],"path":""}`,
			code.SearchInput{Query: "abc", Words: []string{"retry", "maxAttempts"}, TopK: 20, PageSize: 10, Budget: new(2000), References: true, Least: .5}},
		{"regex_search", `{"pattern":"a.c"}`, code.SearchInput{Query: "a.c", Regex: true, TopK: 20, PageSize: 10, Budget: new(2000), References: true}},
		{"hybrid_search", `{"query":"abc","cursor":"C"}`, code.SearchInput{Query: "abc", Cursor: "C", TopK: 20, PageSize: 10, Budget: new(2000), References: true, Least: .5}},
	} {
		got, err := searchTools(t)[tc.tool].Decode(json.RawMessage(tc.raw))
		if diff := cmp.Diff(any(tc.want), got); err != nil || diff != "" {
			t.Errorf("%s %s: %v (-want +got)\n%s", tc.tool, tc.raw, err, diff)
		}
	}
}

func TestDecodeRefused(t *testing.T) {
	for _, tc := range []struct {
		tool, raw, want, fix string // fix: name=value of its arguments
	}{
		{"hybrid_search", ``, "hybrid_search needs query", ""},
		{"hybrid_search", `null`, "hybrid_search needs query", ""},
		{"hybrid_search", `7`, "hybrid_search: the arguments are not a JSON object", ""},
		{"hybrid_search", `{"query":"abc"} x`, "the arguments are not a JSON object", ""},
		{"hybrid_search", `{"Query":"abc"}`, `hybrid_search has no argument "Query"`, ""},
		{"hybrid_search", `{"query":"abc","paths":[]}`, `hybrid_search has no argument "paths"`, ""},
		{"regex_search", `{"query":"abc","threshold":1}`, `regex_search has no argument "threshold"`, ""},
		{"hybrid_search", `{"query":7}`, "query: it has to be a string, not 7", ""},
		{"hybrid_search", `{"query":null}`, "query: it has to be a string, not null", ""},
		{"hybrid_search", `{"query":"ab"}`, "query: 2 characters is below the minimum, 3", ""},
		{"regex_search", `{"query":"éà"}`, "query: 2 characters is below the minimum, 3", ""},
		{"hybrid_search", `{"query":"関"}`, "query: 1 characters is below the minimum, 2 of Chinese, Japanese or Korean", ""},
		{"regex_search", `{"query":"` + strings.Repeat("ü", 501) + `"}`, "query: 501 characters is above the maximum, 500", ""},
		{"hybrid_search", `{"query":"abc","top_k":2.5}`, "top_k: it has to be an integer, not 2.5", ""},
		{"hybrid_search", `{"query":"abc","top_k":null}`, "top_k: it has to be an integer, not null", ""},
		{"hybrid_search", `{"query":"abc","top_k":1e999}`, "top_k: it is out of all bounds", ""},
		{"hybrid_search", `{"query":"abc","top_k":1e30}`, "top_k: it has to be an integer, not 1e30", ""},
		{"hybrid_search", `{"query":"abc","threshold":"x"}`, `threshold: it has to be a number, not "x"`, ""},
		{"hybrid_search", `{"query":"abc","full_section":1}`, "full_section: it has to be true or false, not 1", ""},
		{"hybrid_search", `{"query":"abc","path":["a",7]}`, `path: it has to be a list of strings, not ["a",7]`, ""},
		{"hybrid_search", `{"query":"abc","top_k":"three"}`, `top_k: it has to be an integer, not "three"`, ""},
		{"hybrid_search", `{"query":"abc","pattern":"x"}`, `hybrid_search has no argument "pattern"`, ""},
		{"hybrid_search", `{"query":"abc","path":"a\u0000b"}`, `path: "a\x00b" does not match ^[^\x00-\x1f]*$`, ""},
		// A number out of its range: the fix is the same call with the nearest one.
		{"hybrid_search", `{"query":"abc","top_k":500}`, "top_k: 500 is above the maximum, 100", "query=abc top_k=100"},
		{"semantic_search", `{"query":"abc","top_k":0,"threshold":2,"path":"a b","full_section":true}`, "top_k: 0 is below the minimum, 1",
			"query=abc paths=[a b] top_k=1 threshold=1 full_section=true"},
		{"regex_search", `{"query":"abc","budget":49}`, "budget: 49 is below the minimum, 50", "query=abc budget=50"},
		{"regex_search", `{"query":"ab","budget":49}`, "query: 2 characters is below the minimum, 3", ""},
	} {
		_, err := searchTools(t)[tc.tool].Decode(json.RawMessage(tc.raw))
		if err == nil || !strings.Contains(err.Error(), tc.want) || fault.KindOf(err) != fault.Usage {
			t.Errorf("%s %s: %v, want %q", tc.tool, tc.raw, err, tc.want)
			continue
		}
		if !strings.HasPrefix(strings.Replace(fault.HintOf(err), " words, text,", "", 1), "its arguments are query (required), path,") {
			t.Errorf("%s %s: hint %q", tc.tool, tc.raw, fault.HintOf(err))
		}
		fix := ""
		if f := fault.FixOf(err); f != nil {
			for _, a := range f.Args {
				fix += fmt.Sprintf(" %s=%v", a.Name, a.Value)
			}
			if f.Op != "search" {
				t.Errorf("%s %s: the fix is %s", tc.tool, tc.raw, f.Op)
			}
		}
		if strings.TrimSpace(fix) != tc.fix {
			t.Errorf("%s %s: fix %q, want %q", tc.tool, tc.raw, fix, tc.fix)
		}
	}
}

// unquoted is arguments as a schema has them, of those that agents write as strings.
func unquoted(doc any) any {
	given, ok := doc.(map[string]any)
	if !ok {
		return doc
	}
	out := maps.Clone(given)
	for name, v := range given {
		s, ok := v.(string)
		if !ok {
			continue
		}
		switch name {
		case "paths":
			out[name] = []any{s}
		case "top_k", "least", "rate":
			if n, err := strconv.ParseFloat(s, 64); err == nil {
				out[name] = n
			}
		case "all":
			if b, err := strconv.ParseBool(s); err == nil {
				out[name] = b
			}
		}
	}
	return out
}

// A model is told the schema, so Decode must take what the schema takes and
// refuse what it refuses, but for values that are only quoted.
func TestDecodeAgreesWithSchema(t *testing.T) {
	type args struct {
		Query string   `json:"query" min:"1" max:"3"`
		Mode  string   `json:"mode,omitempty" enum:"a|b"`
		Top   int      `json:"top_k,omitempty" min:"-1" max:"5" default:"2"`
		Least *float64 `json:"least,omitempty" min:"0" max:"1"`
		Rate  float64  `json:"rate,omitempty" max:"2" default:"1.5"`
		All   bool     `json:"all,omitempty" default:"true"`
		Paths []string `json:"paths,omitempty"`
		place
	}
	tl := tool("x", "t", "T", func(a args) args { return a })
	if err := tl.wrong(); err != nil {
		t.Fatal(err)
	}
	schema, err := tl.Schema().Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	value := rapid.SampledFrom([]string{`""`, `"a"`, `"äöü"`, `"long"`, `"b"`, `0`, `-1`, `-2`, `1`, `2.0`, `1e0`, `2.5`, `5`, `6`, `0.5`, `-0.1`, `1e17`,
		`true`, `false`, `null`, `[]`, `["x"]`, `["x",1]`, `{}`, `"3"`, `"0.5"`, `"true"`})
	name := rapid.SampledFrom([]string{"query", "query", "mode", "top_k", "least", "rate", "all", "paths", "root", "other"})
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		var members []string
		sound := rapid.Bool().Draw(t, "sound query") // else next to nothing would be accepted
		if sound {
			members = append(members, `"query":"a"`)
		}
		for _, n := range rapid.SliceOfNDistinct(name, 0, 4, rapid.ID).Draw(t, "names") {
			if sound && n == "query" {
				continue
			}
			members = append(members, fmt.Sprintf("%q:%s", n, value.Draw(t, "value")))
		}
		raw := "{" + strings.Join(members, ",") + "}"
		var doc any
		if err := json.Unmarshal([]byte(raw), &doc); err != nil {
			t.Fatal(err)
		}
		want := schema.Validate(unquoted(doc))
		in, got := tl.Decode(json.RawMessage(raw))
		if (want == nil) != (got == nil) {
			t.Fatalf("%s: the schema says %v, Decode %v", raw, want, got)
		}
		if e, ok := errors.AsType[*fault.Error](got); got != nil && (!ok || e.Hint == "") {
			t.Fatalf("%s: %v has no hint", raw, got)
		}
		if got == nil {
			accepted++
			if reflect.TypeOf(in) != reflect.TypeFor[args]() {
				t.Fatalf("%s gives a %T", raw, in)
			}
		}
	})
	if accepted == 0 {
		t.Error("nothing was accepted: the test tests nothing")
	}
}

type askArgs struct {
	Library string `json:"libraryId"`
	Query   string `json:"query"`
	Tokens  int    `json:"tokens,omitempty" min:"1" default:"3"`
}

func ask() Tool {
	return lenientTool("docs query", "query-docs", "Ask", map[string]string{
		"question": "query", "userQuery": "query", "libraryID": "libraryId", "libraryName": "libraryId",
	}, docs.NotStrings, func(a askArgs) askArgs { return a })
}

func TestLenientTool(t *testing.T) {
	tl := ask()
	if raw, err := json.Marshal(tl.Schema()); err != nil || strings.Contains(string(raw), "additionalProperties") || tl.wrong() != nil {
		t.Errorf("schema %s, %v, %v", raw, err, tl.wrong())
	}
	for _, tc := range []struct {
		raw  string
		want askArgs
	}{
		{`{"libraryId":"/a/b","query":"q"}`, askArgs{"/a/b", "q", 3}},
		{`{"libraryId":"/a/b","query":""}`, askArgs{"/a/b", "", 3}},
		{`{"libraryId":"/a/b","query":"q","topic":"x","tokens":7}`, askArgs{"/a/b", "q", 7}},
		{`{"libraryName":"/a/b","question":"q"}`, askArgs{"/a/b", "q", 3}},
		{`{"libraryID":"/a/b","libraryName":"/c/d","userQuery":"q"}`, askArgs{"/a/b", "q", 3}},
		{`{"libraryId":"/a/b","libraryID":7,"query":"q","userQuery":null}`, askArgs{"/a/b", "q", 3}},
	} {
		if got, err := tl.Decode(json.RawMessage(tc.raw)); err != nil || got != any(tc.want) {
			t.Errorf("%s: %+v, %v, want %+v", tc.raw, got, err, tc.want)
		}
	}
}

// The words are those of the server whose clients call the tool: see
// docs.NotStrings.
func TestLenientToolRefused(t *testing.T) {
	const prefix = "Input validation error: Invalid arguments for tool query-docs: "
	for raw, want := range map[string]string{
		`{"query":"q"}`:                                     prefix + "libraryId: Invalid input: expected string, received undefined",
		`{"libraryId":"/a/b","query":7}`:                    prefix + "query: Invalid input: expected string, received number",
		`{"libraryId":"/a/b","query":-7.5}`:                 prefix + "query: Invalid input: expected string, received number",
		`{"libraryId":"/a/b","query":null}`:                 prefix + "query: Invalid input: expected string, received null",
		`{"libraryId":"/a/b","userQuery":["q"]}`:            prefix + "query: Invalid input: expected string, received array",
		`{"libraryId":"/a/b","query":null,"userQuery":"q"}`: prefix + "query: Invalid input: expected string, received null",
		`{"libraryID":{},"query":true}`:                     prefix + "libraryId: Invalid input: expected string, received object, query: Invalid input: expected string, received boolean",
		`{}`:                                                prefix + "libraryId: Invalid input: expected string, received undefined, query: Invalid input: expected string, received undefined",
		`null`:                                              prefix + "libraryId: Invalid input: expected string, received undefined, query: Invalid input: expected string, received undefined",
		`[]`:                                                "query-docs: the arguments are not a JSON object",
		`{"libraryId":"/a/b","query":"q","tokens":0}`:           "query-docs: tokens: 0 is below the minimum, 1",
		`{"LibraryId":"/a/b","query":"q","libraryId ":"/a/b/"}`: prefix + "libraryId: Invalid input: expected string, received undefined",
	} {
		if _, err := ask().Decode(json.RawMessage(raw)); err == nil || err.Error() != want || fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
}

// A word of two characters is a query where that is how words are written.
func TestShortQueries(t *testing.T) {
	for name, tool := range searchTools(t) {
		for _, q := range []string{"関数", "検索", "搜索", "함수", "バグ", "ログ", "C関", "abc"} {
			if !strings.HasSuffix(name, "_search") {
				continue
			}
			if _, err := tool.Decode(json.RawMessage(`{"query":"` + q + `"}`)); err != nil {
				t.Errorf("%s %s: %v", name, q, err)
			}
			if least := *tool.Schema().Properties["query"].MinLength; len([]rune(q)) < least {
				t.Errorf("%s: the schema refuses %s: at least %d characters", name, q, least)
			}
		}
	}
}

func TestSchema(t *testing.T) {
	for name, tool := range searchTools(t) {
		if !strings.HasSuffix(name, "_search") {
			continue
		}
		if tool.Schema().AdditionalProperties == nil || !reflect.DeepEqual(tool.Schema().Required, []string{"query"}) {
			t.Errorf("%s: %+v", name, tool.Schema())
		}
		q := tool.Schema().Properties["query"]
		if *q.MinLength != 2 || *q.MaxLength != 500 {
			t.Errorf("%s: a query has %d to %d characters", name, *q.MinLength, *q.MaxLength)
		}
		if _, has := tool.Schema().Properties["threshold"]; has == (name == "regex_search") {
			t.Errorf("%s has a threshold: %v", name, has)
		}
		if top := tool.Schema().Properties["top_k"]; *top.Minimum != 1 || *top.Maximum != 100 || string(top.Default) != "20" || top.Type != "integer" {
			t.Errorf("%s: top_k is %+v", name, top)
		}
	}
}

func FuzzDecode(f *testing.F) {
	tools := searchTools(f)
	tools["query-docs"] = ask()
	for _, seed := range []string{`{"query":"abc"}`, `{"query":"abc","top_k":500}`, `{"a":{}}`, `[]`, `{"query":"a\ud800bc"}`, "{\"query\":\"\xff\xff\xff\"}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for name, tool := range tools {
			if _, err := tool.Decode(json.RawMessage(raw)); err != nil && fault.KindOf(err) != fault.Usage {
				t.Errorf("%s %s: %v", name, raw, err)
			}
		}
	})
}
