package setup

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

var command = []string{"/opt/assay/bin/assay", "serve", "--tools", "code,docs"}

func openCode() jsonServer {
	return jsonServer{key: "mcp", name: "assay", exe: "assay", form: local}
}

// canon is what a JSON text says, without how it is written and without what is
// empty: that goes with our part.
func canon(d *jsonDoc, n node) any {
	switch n.kind {
	case '{':
		out := map[string]any{}
		for _, it := range n.items {
			delete(out, it.key)
			if v := canon(d, it.val); v != nil {
				out[it.key] = v
			}
		}
		if len(out) > 0 {
			return out
		}
		return nil
	case '[':
		var out []any
		for _, it := range n.items {
			if v := canon(d, it.val); v != nil {
				out = append(out, v)
			}
		}
		if len(out) > 0 {
			return out
		}
		return nil
	}
	return string(d.text[n.start:n.end])
}

func comments(d *jsonDoc) (out []string) {
	for _, c := range d.comments {
		out = append(out, string(d.text[c.start:c.end]))
	}
	return out
}

func TestParseJSON(t *testing.T) {
	for _, tc := range []struct {
		in, strict, loose string // what is wrong with it; "" for nothing
	}{
		{``, "", ""},
		{"\xef\xbb\xbf{}", "", ""},
		{`{"a": [1, -2.5e3, true, false, null, "x\n\u00e9", {}, []]}`, "", ""},
		{`[]`, "f:1:1: the document is not an object", "f:1:1: the document is not an object"},
		{"{\n  // c\n}", "f:2:3: a comment, which this client does not accept", ""},
		{"{\"a\": 1,\n}", "f:1:8: a comma before '}', which this client does not accept", ""},
		{`{/* c`, "f:1:2: a comment, which this client does not accept", "f:1:2: unterminated comment"},
		{"{\n\t\"é\": x}", "f:2:7: expected a value", "f:2:7: expected a value"},
		{`{"a": 01}`, "f:1:7: expected a value", "f:1:7: expected a value"},
		{`{"a" 1}`, "f:1:6: expected a colon after the key", "f:1:6: expected a colon after the key"},
		{`{"a": 1 "b": 2}`, "f:1:9: expected a comma or '}'", "f:1:9: expected a comma or '}'"},
		{`{a: 1}`, "f:1:2: expected a key in double quotes", "f:1:2: expected a key in double quotes"},
		{`{"a": "x`, "f:1:7: unterminated string", "f:1:7: unterminated string"},
		{`{"a": "\q"}`, "f:1:7: invalid character or escape in a string", "f:1:7: invalid character or escape in a string"},
		{`{"a": {"b": 1}`, "f:1:1: '{' without a matching '}'", "f:1:1: '{' without a matching '}'"},
		{`{"a":`, "f:1:6: expected a value, but the file ends", "f:1:6: expected a value, but the file ends"},
		{`{} {}`, "f:1:4: text after the end of the document", "f:1:4: text after the end of the document"},
		{`{,}`, "f:1:2: expected a key in double quotes", "f:1:2: expected a key in double quotes"},
		{`{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, "f:1:206: nested deeper than 200 levels", "f:1:206: nested deeper than 200 levels"},
	} {
		for strict, want := range map[bool]string{true: tc.strict, false: tc.loose} {
			_, err := parseJSON([]byte(tc.in), strict)
			got := ""
			if err != nil {
				got = fmt.Sprintf("%s: %s", position("f", []byte(tc.in), err.(*flaw).at), err)
			}
			if got != want {
				t.Errorf("parseJSON(%q, %v) = %q, want %q", tc.in, strict, got, want)
			}
		}
	}
}

func TestJSONServer(t *testing.T) {
	entry := `{"type": "local", "command": ["/opt/assay/bin/assay", "serve", "--tools", "code,docs"], "enabled": true}`
	lines := func(indent string) string {
		in := "\n" + indent
		return `{` + in + `  "type": "local",` + in + `  "command": ["/opt/assay/bin/assay", "serve", "--tools", "code,docs"],` + in + `  "enabled": true` + in + `}`
	}
	for name, tc := range map[string]struct {
		in, want string
		back     string // after cut, where it is not in
	}{
		"empty":         {"", "{\n  \"mcp\": {\n    \"assay\": " + lines("    ") + "\n  }\n}\n", "{}\n"},
		"comment only":  {"// c\n", "// c\n{\n  \"mcp\": {\n    \"assay\": " + lines("    ") + "\n  }\n}\n", "// c\n{}\n"},
		"no members":    {"{}", "{\n  \"mcp\": {\n    \"assay\": " + lines("    ") + "\n  }\n}", ""},
		"one line":      {`{"a": 1}`, `{"a": 1, "mcp": {"assay": ` + entry + `}}`, ""},
		"one line, ,":   {`{"a": 1, }`, `{"a": 1, "mcp": {"assay": ` + entry + `}, }`, ""},
		"minified":      {`{"a":1}`, `{"a":1,"mcp":{"assay":` + strings.ReplaceAll(strings.ReplaceAll(entry, ", ", ","), ": ", ":") + `}}`, ""},
		"others":        {"{\n  \"mcp\": {\n    \"x\": 1\n  }\n}\n", "{\n  \"mcp\": {\n    \"x\": 1,\n    \"assay\": " + lines("    ") + "\n  }\n}\n", ""},
		"trailing":      {"{\n  \"mcp\": {\n    \"x\": 1, // why\n    // end\n  },\n}\n", "{\n  \"mcp\": {\n    \"x\": 1, // why\n    \"assay\": " + lines("    ") + ",\n    // end\n  },\n}\n", ""},
		"comment after": {"{\n  \"a\": 1 /* x */ // why\n}\n", "{\n  \"a\": 1, /* x */ // why\n  \"mcp\": {\n    \"assay\": " + lines("    ") + "\n  }\n}\n", ""},
		"crlf": {"{\r\n\t\"a\": 1\r\n}\r\n", "{\r\n\t\"a\": 1,\r\n\t\"mcp\": {\r\n\t\t\"assay\": " +
			strings.ReplaceAll(strings.ReplaceAll(lines("\t\t"), "\n", "\r\n"), "\t\t  ", "\t\t\t") + "\r\n\t}\r\n}\r\n", ""},
		"brace on the line": {"{\n  \"a\": 1 }", "{\n  \"a\": 1,\n  \"mcp\": {\n    \"assay\": " + lines("    ") + "\n  } }", ""},
		"empty object":      {"{\n  \"mcp\": {}\n}", "{\n  \"mcp\": {\n    \"assay\": " + lines("    ") + "\n  }\n}", "{}"},
		"comment inside":    {"{\n  \"mcp\": { // mine\n  }\n}", "{\n  \"mcp\": { // mine\n    \"assay\": " + lines("    ") + "\n  }\n}", ""},
		"twice":             {`{"mcp": 1, "mcp": {"x": 1}}`, `{"mcp": 1, "mcp": {"x": 1, "assay": ` + entry + `}}`, ""},
	} {
		s := openCode()
		got, err := s.put([]byte(tc.in), command)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: put = %v\n%s\nwant\n%s", name, err, got, tc.want)
			continue
		}
		if again, err := s.put(got, command); err != nil || string(again) != string(got) {
			t.Errorf("%s: put twice = %v\n%s", name, err, again)
		}
		want := tc.back
		if want == "" {
			want = tc.in
		}
		if back, err := s.cut(got); err != nil || string(back) != want {
			t.Errorf("%s: cut = %v\n%q\nwant\n%q", name, err, back, want)
		}
	}
}

// TestCutAmongOthers holds that what somebody wrote around our entry stays.
func TestCutAmongOthers(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"{\n  \"mcp\": {\n    // before\n    \"assay\": OURS, // ours\n    \"x\": 1\n  }\n}", "{\n  \"mcp\": {\n    // before // ours\n    \"x\": 1\n  }\n}"},
		{`{"mcp": {"assay": OURS, "x": 1}}`, `{"mcp": {"x": 1}}`},
		{`{"mcp": {"w": 1, "assay": OURS, "x": 1}}`, `{"mcp": {"w": 1, "x": 1}}`},
		{`{"mcp": { "w": 1, "assay": OURS }}`, `{"mcp": { "w": 1 }}`},
		{"{\"mcp\": {\n  \"w\": 1, // c\n  \"assay\": OURS }}", "{\"mcp\": {\n  \"w\": 1 // c\n   }}"},
		{"{\"mcp\": {\n  \"assay\": OURS, \"x\": 1\n}}", "{\"mcp\": {\n  \"x\": 1\n}}"},
		{"{\"mcp\": {\n  // mine\n  \"assay\": OURS\n}}", "{\"mcp\": {\n  // mine\n}}"},
		{"{\"mcp\": {\n\n  \"w\": 1,\n\n  \"assay\": OURS,\n\n  \"x\": 1\n}}", "{\"mcp\": {\n\n  \"w\": 1,\n\n\n  \"x\": 1\n}}"},
		{"{\"a\": 1, \"mcp\": {\"assay\": OURS}}", `{"a": 1}`},
	} {
		ours := `{"command": ["assay", "serve"], "note": "added by hand"}`
		got, err := openCode().cut([]byte(strings.Replace(tc.in, "OURS", ours, 1)))
		if err != nil || string(got) != tc.want {
			t.Errorf("cut(%q) = %q, %v, want %q", tc.in, got, err, tc.want)
		}
	}
}

// TestPutOverOurs holds that what somebody added to our entry stays.
func TestPutOverOurs(t *testing.T) {
	in := `{"mcp": {"assay": {"command": ["/old/assay", "serve"], "environment": {"A": "b"}, "enabled": false}}}`
	want := `{"mcp": {"assay": {"command": ["/opt/assay/bin/assay", "serve", "--tools", "code,docs"], "environment": {"A": "b"}, "enabled": true, "type": "local"}}}`
	if got, err := openCode().put([]byte(in), command); err != nil || string(got) != want {
		t.Errorf("put = %s, %v", got, err)
	}
	toml := "[mcp_servers.assay] # mine\ncommand = '/old/assay'\nstartup_timeout_sec = 20\nargs = [\n  \"serve\", # x\n]\n\n[mcp_servers.assay.env]\nA = \"b\"\n"
	want = "[mcp_servers.assay] # mine\ncommand = \"/opt/assay/bin/assay\"\nstartup_timeout_sec = 20\nargs = [\"serve\", \"--tools\", \"code,docs\"]\n\n[mcp_servers.assay.env]\nA = \"b\"\n"
	if got, err := (tomlServer{"assay", "assay"}).put([]byte(toml), command); err != nil || string(got) != want {
		t.Errorf("put = %s, %v", got, err)
	}
}

func TestLook(t *testing.T) {
	stdio := jsonServer{key: "mcpServers", name: "assay", exe: "renamed", form: typed, strict: true}
	for _, tc := range []struct {
		p    part
		in   string
		want state
	}{
		{openCode(), `{"mcp": {"x": {}}}`, none},
		{openCode(), `{"mcp": {"assay": {"type": "remote", "url": "http://x/mcp"}}}`, foreign},
		{openCode(), `{"mcp": {"assay": {"command": ["assay"]}}}`, foreign},
		{openCode(), `{"mcp": {"assay": {"command": ["node", "serve"]}}}`, foreign},
		{openCode(), `{"mcp": {"assay": {"command": "assay serve"}}}`, foreign},
		{openCode(), `{"mcp": {"assay": null}}`, foreign},
		{openCode(), `{"mcp": {"assay": {"command": ["C:\\x\\assay.exe", "serve"]}}}`, ours},
		{stdio, `{"mcpServers": {"assay": {"command": "assay", "args": ["serve"]}}}`, ours},
		{stdio, `{"mcpServers": {"assay": {"command": "/x/renamed", "args": ["serve"]}}}`, ours},
		{stdio, `{"mcpServers": {"assay": {"command": "assay"}}}`, foreign},
		{stdio, `{"mcpServers": {"assay": {"command": "assay", "args": [1]}}}`, foreign},
		{tomlServer{"assay", "assay"}, "mcp_servers.assay.command = 'assay'\nmcp_servers.assay.args = ['serve']", ours},
		{tomlServer{"assay", "assay"}, "[mcp_servers]\nassay = {command = 'assay', args = ['serve']}", ours},
		{tomlServer{"assay", "assay"}, "[mcp_servers.assay]\nurl = 'http://x'", foreign},
		{tomlServer{"assay", "assay"}, "[[mcp_servers.assay]]\ncommand = 'assay'", foreign},
		{tomlServer{"assay", "assay"}, "[mcp_servers]\nassay = 1", foreign},
		{tomlServer{"assay", "assay"}, "[mcp_servers.other]\ncommand = 'x'", none},
		{plugin{}, "", none},
		{plugin{}, "export const x = 1", foreign},
		{plugin{}, "// assay memory for OpenCode\nconst ASSAY = \"/x\"\n", ours},
	} {
		if got, err := tc.p.look([]byte(tc.in)); err != nil || got.state != tc.want {
			t.Errorf("look(%q) = %v, %v, want %v", tc.in, got.state, err, tc.want)
		}
	}
	for _, in := range []string{"mcp_servers = {x = {command = 'y'}}", "[a]\nb = 1\n[a]\n", "a = ", "a = 1 b = 2", "[mcp_servers.assay]\ncommand = 1\ncommand = 2"} {
		if _, err := (tomlServer{"assay", "assay"}).look([]byte(in)); err == nil {
			t.Errorf("look(%q) has no error", in)
		}
	}
}

func TestTOMLServer(t *testing.T) {
	ours := "[mcp_servers.assay]\ncommand = \"/opt/assay/bin/assay\"\nargs = [\"serve\", \"--tools\", \"code,docs\"]\n"
	s := tomlServer{"assay", "assay"}
	for name, tc := range map[string]struct{ in, want, back string }{
		"empty":       {"", ours, ""},
		"table":       {"a = 1\n", "a = 1\n\n" + ours, ""},
		"no line end": {"# c", "# c\n\n" + ours, "# c\n"},
		"blank end":   {"a = 1\n\n", "a = 1\n\n\n" + ours, ""},
		"crlf":        {"a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(ours, "\n", "\r\n"), ""},
		"others":      {"[mcp_servers.x]\ncommand = '''\n[mcp_servers.assay]\n'''\n", "[mcp_servers.x]\ncommand = '''\n[mcp_servers.assay]\n'''\n\n" + ours, ""},
		"dotted":      {"mcp_servers.x.command = 'y'\n", "mcp_servers.x.command = 'y'\n\n" + ours, ""},
	} {
		got, err := s.put([]byte(tc.in), command)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: put = %v\n%q\nwant\n%q", name, err, got, tc.want)
			continue
		}
		if again, err := s.put(got, command); err != nil || string(again) != string(got) {
			t.Errorf("%s: put twice = %v\n%s", name, err, again)
		}
		want := tc.back
		if want == "" {
			want = tc.in
		}
		if back, err := s.cut(got); err != nil || string(back) != want {
			t.Errorf("%s: cut = %q, %v, want %q", name, back, err, want)
		}
	}
	for _, tc := range []struct{ in, want string }{
		{"# top\n\n# about it\n[mcp_servers.assay] # h\ncommand = 'assay' # c\n\nargs = ['serve']\nenv = {A = '1'}\n\n[mcp_servers.assay.tools.x]\n\n# about b\n[b]\nc = 1\n", "# top\n\n# about it\n\n# about b\n[b]\nc = 1\n"},
		{"[mcp_servers.assay]\ncommand = 'assay'\nargs = ['serve']\n\n[b]\n", "[b]\n"},
		{"mcp_servers.assay.command = 'assay'\nmcp_servers.assay.args = ['serve']\nb = 1\n", "b = 1\n"},
		{"[mcp_servers]\nassay = {command = 'assay', args = ['serve']}\nx = {command = 'y'}\n", "[mcp_servers]\nx = {command = 'y'}\n"},
		{"[a]\n[mcp_servers.assay]\ncommand = 'assay'\nargs = ['serve']", "[a]\n"},
	} {
		if got, err := s.cut([]byte(tc.in)); err != nil || string(got) != tc.want {
			t.Errorf("cut(%q) = %q, %v, want %q", tc.in, got, err, tc.want)
		}
	}
}

// A turn waits a second at most, also where a version before let it wait for five; a limit
// that a person chose stays.
func TestHookTimeouts(t *testing.T) {
	h := jsonHooks{client: "claude", exe: "assay", shell: shellWord, memory: true}
	before, err := h.put([]byte("{}\n"), []string{"/bin/assay"})
	if err != nil {
		t.Fatal(err)
	}
	old := strings.ReplaceAll(string(before), `"timeout": 1`, `"timeout": 5`)
	if got, err := h.put([]byte(old), []string{"/bin/assay"}); err != nil || string(got) != string(before) {
		t.Errorf("%v:\n%s", err, got)
	}
	chosen := strings.ReplaceAll(string(before), `"timeout": 1`, `"timeout": 3`)
	if got, err := h.put([]byte(chosen), []string{"/bin/assay"}); err != nil || string(got) != chosen {
		t.Errorf("%v:\n%s", err, got)
	}
	if n := strings.Count(string(before), `"timeout": 1`); n != 3 {
		t.Errorf("a turn waits at %d events:\n%s", n, before)
	}
}

func TestHooks(t *testing.T) {
	h := jsonHooks{client: "claude", exe: "assay", shell: shellWord, memory: true}
	theirs := "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"say done\"}\n        ]\n      }\n    ],\n    \"PreToolUse\": []\n  },\n  \"model\": \"x\"\n}\n"
	for _, in := range []string{"{}\n", "{\n  \"model\": \"x\"\n}\n", theirs, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}`, `{"hooks": {"SessionEnd": [{"matcher": "x", "hooks": []}]}}`} {
		got, err := h.put([]byte(in), []string{"/opt/with space/assay"})
		if err != nil {
			t.Fatalf("put(%q): %v", in, err)
		}
		var v struct {
			Hooks map[string][]struct {
				Matcher string
				Hooks   []struct {
					Type, Command string
					Timeout       int
				}
			}
		}
		if err := json.Unmarshal(got, &v); err != nil {
			t.Fatalf("put(%q) = %s: %v", in, got, err)
		}
		for _, e := range hookEvents("claude") {
			groups := v.Hooks[e.event]
			last := groups[len(groups)-1]
			if len(last.Hooks) != 1 || last.Hooks[0].Command != "'/opt/with space/assay' hook claude "+e.verb+" || exit 0" || last.Hooks[0].Type != "command" || last.Hooks[0].Timeout != e.timeout() || last.Matcher != e.matcher {
				t.Errorf("put(%q): %s is %+v", in, e.event, last)
			}
		}
		if again, err := h.put(got, []string{"/opt/with space/assay"}); err != nil || string(again) != string(got) {
			t.Errorf("put twice: %v\n%s", err, again)
		}
		other, err := h.put(got, []string{"/new/assay"})
		if f, _ := h.look(other); err != nil || f.command[0] != "/new/assay" || strings.Contains(string(other), "with space") {
			t.Errorf("put over: %v\n%s", err, other)
		}
		if back, err := h.cut(other); err != nil || string(back) != in {
			t.Errorf("cut = %q, %v, want %q", back, err, in)
		}
	}
	for _, ours := range []string{"assay hook claude idle", "assay hook claude idle || exit 0", "'/a b/assay' hook claude idle"} {
		mixed := `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "` + ours + `"}]}]}}`
		if got, err := h.cut([]byte(mixed)); err != nil || string(got) != `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}` {
			t.Errorf("cut = %s, %v", got, err)
		}
	}
	for _, in := range []string{`{"hooks": []}`, `{"hooks": {"Stop": {}}}`} {
		if _, err := h.look([]byte(in)); err == nil {
			t.Errorf("look(%s) has no error", in)
		}
	}
	for _, other := range []string{"assay hook codex idle", "notassay hook claude idle", "echo; assay hook claude idle", "assay hook claude idle; x", "assay hook claude idle || x", "assay hook claude idle || exit 0; x", "notassay hook claude idle || exit 0"} {
		if p := h.program(other, "idle"); p != "" {
			t.Errorf("%q is held to be ours, of %q", other, p)
		}
	}
}

// FuzzJSON holds that what is put into a text reads back, that all else in it and
// every comment stays, and that to cut it out again restores the text.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{"", "{}", "{\n}", "// c\n{\"a\": [1, {\"b\": 2,},], // d\n}", "{\"mcp\": {\"x\": {}}}", "{\"mcp\": {\n\"x\": {} // c\n}}", "{\"hooks\": {\"Stop\": [{}]}}",
		"{\"mcp\":{\"assay\":{\"command\":[\"assay\",\"serve\"]}}}", "{\"a\": 1 /* x */, /* y */ \"mcp\": {\"x\": 1, /* z */ }}", "{\"hooks\": {\"Stop\": [{\"hooks\": [] } , ], \"SessionEnd\" : [ ] }\r\n}", "\xef\xbb\xbf{ }"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		d, err := parseJSON(in, false)
		strict, strictErr := parseJSON(in, true)
		if trimmed := strings.TrimPrefix(string(in), "\xef\xbb\xbf"); strict != nil && strings.TrimSpace(trimmed) != "" && !json.Valid([]byte(trimmed)) {
			t.Fatalf("read %q, which is not JSON", in)
		}
		if err != nil {
			if strictErr == nil {
				t.Fatalf("%q is JSON, but not with comments: %v", in, err)
			}
			return
		}
		parts := []part{openCode()}
		if strictErr == nil {
			parts = append(parts, jsonHooks{client: "codex", exe: "assay", shell: shellWord, memory: true, brief: true}, jsonServer{key: "mcpServers", name: "x y", exe: "assay", form: typed, strict: true})
		}
		for _, p := range parts {
			was, err := p.look(in)
			if err != nil || was.state != none {
				continue
			}
			text, err := p.put(in, command)
			if err != nil {
				t.Fatalf("put into %q: %v", in, err)
			}
			is, err := p.look(text)
			if err != nil || is.state != ours {
				t.Fatalf("put into %q reads back as %v, %v:\n%s", in, is.state, err, text)
			}
			n, _ := parseJSON(text, false)
			if !slices.Equal(comments(n), comments(d)) {
				t.Fatalf("put into %q changed the comments:\n%s", in, text)
			}
			back, err := p.cut(text)
			if err != nil {
				t.Fatalf("cut from %q: %v", text, err)
			}
			b, err := parseJSON(back, false)
			if err != nil || !slices.Equal(comments(b), comments(d)) {
				t.Fatalf("%q became %q and then %q: %v", in, text, back, err)
			}
			if diff := cmp.Diff(canon(d, d.root), canon(b, b.root)); diff != "" {
				t.Fatalf("%q became %q and then %q: %s", in, text, back, diff)
			}
		}
	})
}

// FuzzTOML is the same for TOML.
func FuzzTOML(f *testing.F) {
	for _, s := range []string{"", "a = 1", "# c\n[b]\nc = '''\n[x]\n'''\n", "[mcp_servers.x]\ncommand = \"y\"\n\n# z\n[[q]]\n", "mcp_servers.y.z = 1\r\n", "[mcp_servers]\n\n\n", "[ mcp_servers . \"x\" ] # c\na=[1,\n# d\n2]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		s := tomlServer{"assay", "assay"}
		was, err := s.look(in)
		if err != nil || was.state != none {
			return
		}
		text, err := s.put(in, command)
		if err != nil {
			t.Fatalf("put into %q: %v", in, err)
		}
		if is, err := s.look(text); err != nil || is.state != ours || !slices.Equal(is.command, command) {
			t.Fatalf("put into %q reads back as %v, %v:\n%s", in, is, err, text)
		}
		if !strings.HasPrefix(string(text), string(in)) {
			t.Fatalf("put into %q changed it: %q", in, text)
		}
		if _, err := s.private(text); err != nil {
			t.Fatal(err)
		}
		back, err := s.cut(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(back), string(in); got != want && got != want+"\n" && got != want+"\r\n" {
			t.Fatalf("%q became %q and then %q", in, text, back)
		}
		var v map[string]any
		if err := toml.Unmarshal(back, &v); err != nil {
			t.Fatalf("%q: %v", back, err)
		}
	})
}

// The hook of briefs is put beside those of memory, each without the other, and taken out
// with them.
func TestBriefHook(t *testing.T) {
	h := jsonHooks{client: "claude", exe: "assay", shell: shellWord}
	verbs := func(text []byte) string {
		t.Helper()
		_, _, all, err := h.open(text)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, o := range all {
			out = append(out, o.verb)
		}
		return strings.Join(out, " ")
	}
	memory := strings.Join([]string{"session-start", "prompt", "pre-compact", "idle", "session-end"}, " ")
	text := []byte("{\"model\": \"x\"}\n")
	for _, c := range []struct {
		memory, brief bool
		want          string
	}{{false, true, "brief"}, {true, false, memory + " brief"}, {true, true, memory + " brief"}} {
		h.memory, h.brief = c.memory, c.brief
		now, err := h.put(text, []string{"/bin/assay"})
		if err != nil {
			t.Fatal(err)
		}
		if got := verbs(now); got != c.want {
			t.Errorf("with memory %v and brief %v there are the hooks %q, want %q", c.memory, c.brief, got, c.want)
		}
		text = now
	}
	if again, err := h.put(text, []string{"/bin/assay"}); err != nil || string(again) != string(text) {
		t.Errorf("put twice it is\n%s\n%v", again, err)
	}
	if left, err := h.cut(text); err != nil || string(left) != "{\"model\": \"x\"}\n" {
		t.Errorf("taken out, %q is left, %v", left, err)
	}
}
