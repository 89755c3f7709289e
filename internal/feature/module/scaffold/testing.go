package scaffold

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// escaped returns what the module's escape makes of a text.
func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// asked returns the path that the test's call asks for.
func (f *function) asked() string {
	var b strings.Builder
	for _, p := range f.path {
		b.WriteString(p.text + escaped(p.sample))
	}
	return b.String()
}

type (
	reply struct {
		Status int             `json:"status"`
		JSON   json.RawMessage `json:"json,omitempty"`
		Body   string          `json:"body,omitempty"`
	}
	route struct {
		Method string            `json:"method"`
		Path   string            `json:"path"`
		Query  map[string]string `json:"query,omitempty"`
		Reply  reply             `json:"reply"`

		open int // parts of the path that are any
	}
)

// fixture returns the routes of a mock server for the module.
func (m *module) fixture() string {
	routes := []route{}
	for i := range m.functions {
		f := &m.functions[i]
		one := route{Method: strings.ToUpper(f.verb), Path: f.mocked(), Reply: reply{Status: f.status}}
		for _, p := range f.path {
			if p.param != "" {
				one.open++
			}
		}
		switch {
		case f.paging != nil:
			first, rest := f.pages()
			last := one
			last.Query, last.Reply.JSON, last.open = map[string]string{f.paging.param.name: first.second}, rest, one.open-1
			one.Reply.JSON = first.json
			routes = append(routes, last)
		case f.answer != "" && f.status != 204:
			one.Reply.JSON = json.RawMessage(f.answer)
		case f.returns == "string":
			one.Reply.Body = "text"
		}
		routes = append(routes, one)
	}
	// The first that fits answers: those that fit less come first.
	slices.SortStableFunc(routes, func(a, b route) int { return a.open - b.open })
	b, err := json.MarshalIndent(map[string]any{"routes": routes}, "", "  ")
	if err != nil {
		return "{}" // what is not JSON was never put in
	}
	return string(b) + "\n"
}

// mocked returns the path as a route has it: a part that is a parameter alone is any.
func (f *function) mocked() string {
	var b strings.Builder
	for i, p := range f.path {
		alone := (i > 0 && strings.HasSuffix(f.path[i-1].text, "/")) && (i+1 == len(f.path) || strings.HasPrefix(f.path[i+1].text, "/"))
		if p.param != "" && alone {
			b.WriteString("{" + p.param + "}")
		} else {
			b.WriteString(p.text + p.sample)
		}
	}
	return b.String()
}

// A firstPage is the answer that a listing begins with.
type firstPage struct {
	json   json.RawMessage
	second string // what the option is that asks for the next
	items  int
}

// pages returns two answers of a listing: one with items, and one without.
func (f *function) pages() (first firstPage, rest json.RawMessage) {
	p := f.paging
	item := json.RawMessage(`{}`)
	var list []json.RawMessage
	whole := map[string]json.RawMessage{}
	if p.items == "" {
		_ = json.Unmarshal([]byte(f.answer), &list) // an example of something else has no items
	} else if json.Unmarshal([]byte(f.answer), &whole) != nil || whole == nil {
		whole = map[string]json.RawMessage{}
	}
	_ = json.Unmarshal(whole[p.items], &list) // the same
	if len(list) == 0 || string(list[0]) == "null" {
		list = []json.RawMessage{item}
	}
	list = list[:1]
	first.items = 1
	answer := func(items []json.RawMessage, next string) json.RawMessage {
		var v any = items
		if p.items != "" {
			whole[p.items], _ = json.Marshal(items) // it was JSON
			if p.next != "" {
				whole[p.next], _ = json.Marshal(next)
			}
			v = whole
		}
		b, _ := json.Marshal(v) // the same
		return b
	}
	first.json, rest = answer(list, "more"), answer([]json.RawMessage{}, "")
	switch p.by {
	case "cursor":
		first.second = "more"
	case "offset":
		first.second = "1"
	default:
		first.second = "2"
		if p.param.first == "0" {
			first.second = "1"
		}
	}
	return first, rest
}

// call returns the arguments of a call with all that is required, and the query that it sends.
func (f *function) call() (args []string, query string) {
	seen := map[string]bool{}
	for _, p := range f.path {
		if p.param != "" && !seen[p.param] {
			seen[p.param] = true
			args = append(args, Quoted(p.sample))
		}
	}
	if f.body {
		args = append(args, f.bodyArgument())
	}
	var options, sent []string
	for _, p := range f.query {
		if p.required {
			options = append(options, fmt.Sprintf("%s = %s", p.lua, Quoted(p.sample)))
			sent = append(sent, escaped(p.name)+"="+escaped(p.sample))
		}
	}
	for _, p := range f.headers {
		if p.required {
			options = append(options, fmt.Sprintf("%s = %s", p.lua, Quoted(p.sample)))
		}
	}
	if len(options) > 0 {
		args = append(args, "{ "+strings.Join(options, ", ")+" }")
	}
	return args, strings.Join(sent, "&")
}

func (f *function) bodyArgument() string {
	switch {
	case f.as == "form":
		return `{ a = "b" }`
	case f.as == "multipart":
		return `{ { name = "a", content = "b" } }`
	case f.bodySample != "":
		return "json.parse(" + Quoted(f.bodySample) + ")"
	}
	return `"text"`
}

// test returns a script that calls each function once as it should be, once without what it
// needs, and looks at what the server was asked.
func (m *module) test() string {
	var b strings.Builder
	opts := ""
	if keys := m.auth.keys(); len(keys) > 0 {
		var fields []string
		for _, k := range keys {
			fields = append(fields, k+` = "secret"`)
		}
		opts = ", { " + strings.Join(fields, ", ") + " }"
	}
	fmt.Fprintf(&b, testHead, m.name, m.name, m.variable("URL"), m.name, Quoted(m.variable("URL")), m.name, opts)
	for i := range m.functions {
		f := &m.functions[i]
		args, query := f.call()
		if m.auth.query {
			key := escaped(m.auth.key) + "=secret"
			query = strings.TrimPrefix(query+"&"+key, "&")
		}
		fmt.Fprintf(&b, "\nc:%s(%s)\nasked(%s, %s, %s)\n", f.name, strings.Join(args, ", "), Quoted(strings.ToUpper(f.verb)), Quoted(f.asked()), Quoted(query))
		if len(args) > 0 && f.needs() {
			fmt.Fprintf(&b, "refused(c.%s, c)\n", f.name)
		}
		if f.paging != nil {
			first, _ := f.pages()
			fmt.Fprintf(&b, "count = 0\nfor _ in c:%s(%s) do count = count + 1 end\nassert.eq(count, %d)\n", f.paging.name, strings.Join(args, ", "), first.items)
		}
	}
	b.WriteString("\nprint(\"all functions ask as they should\")\n")
	return b.String()
}

const testHead = `-- The test of assay.%s, against a mock server:
--   assay mock modules/tests/%s.json --port 8377
--   %s=http://127.0.0.1:8377 assay modules/tests/%s.lua
local url = env.get(%s)
local c = require("assay.%s").client(url%s)
local count

-- asked looks at the last request that the server had.
local function asked(method, path, query)
  local all = json.parse(http.get(url .. "/__requests").body)
  local last = all[#all]
  assert.eq(last.method .. " " .. last.path .. " " .. (last.query or ""), method .. " " .. path .. " " .. query)
end

-- refused wants an error before anything is sent.
local function refused(f, ...)
  local ok, err = pcall(f, ...)
  assert.eq(ok, false)
  assert.contains(tostring(err), " is required")
end
`
