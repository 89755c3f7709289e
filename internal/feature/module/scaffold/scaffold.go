// Package scaffold writes the beginning of a Lua module: a client with one function,
// or with a function for each operation of an OpenAPI file.
//
// Whatever the file says, what is written is Lua that compiles and that the linter of
// modules has nothing against.
package scaffold

import (
	"fmt"
	"slices"
	"strings"
)

// A module is what is written.
type module struct {
	name        string // grafana
	description string
	keywords    []string
	url         string // where no other is given; may be empty
	auth        auth
	functions   []function
}

// auth is what requests are allowed by.
type auth struct {
	bearer bool
	basic  bool
	key    string // the header or the parameter that has a key
	query  bool   // it is a parameter
}

// A function is one operation.
type function struct {
	name    string
	verb    string // get
	said    string // more than text
	summary string
	path    []part
	params  []string // Lua names, of the path
	query   []param
	headers []param
	body    bool
	content string // of a body that is not JSON
	returns string
	text    string

	bodyRequired bool
	bodyTable    bool   // it is a table
	bodySample   string // JSON
	as           string // "form" or "multipart": the option of http that takes the body
	status       int
	answer       string // an example of it, as JSON
	paging       *paging
}

// A part of a path is text, or a parameter by its Lua name and a value of it.
type part struct{ text, param, sample string }

// A param is a parameter by its Lua name and as it is sent.
type param struct {
	lua, name    string
	required     bool
	number       bool // it is an integer
	said, sample string
	first        string // its default
}

// count returns how many functions a module has for those who call it.
func (m *module) count() (n int) {
	for i := range m.functions {
		if n++; m.functions[i].paging != nil {
			n++
		}
	}
	return n
}

// needs reports whether a call without arguments is refused.
func (f *function) needs() bool {
	required := func(p param) bool { return p.required }
	return len(f.params) > 0 || f.bodyRequired || slices.ContainsFunc(f.query, required) || slices.ContainsFunc(f.headers, required)
}

// New returns the beginning of a module.
func New(name string) string {
	m := module{
		name:        name,
		description: name + " service: say here in one line what can be done with it.",
		keywords:    []string{name},
		auth:        auth{bearer: true},
		functions: []function{{name: "status", verb: "get", path: []part{{text: "/status"}}, returns: "{state}",
			text: "Get the status: change this one, and add a line here for each function"}},
	}
	return m.lua()
}

// lua writes the module.
func (m *module) lua() string {
	var b strings.Builder
	m.header(&b)
	b.WriteString("\nlocal M = {}\nlocal c = {}\nc.__index = c\n")
	if slices.ContainsFunc(m.functions, func(f function) bool { return len(f.query) > 0 || len(f.params) > 0 }) || m.auth.query {
		b.WriteString(escapeCode)
	}
	if m.auth.query || slices.ContainsFunc(m.functions, func(f function) bool { return len(f.query) > 0 }) {
		b.WriteString(queryCode)
	}
	if slices.ContainsFunc(m.functions, func(f function) bool { return f.needs() }) {
		fmt.Fprintf(&b, needCode, Quoted(m.name+"."))
	}
	if slices.ContainsFunc(m.functions, func(f function) bool { return f.paging != nil }) {
		b.WriteString(pagesCode)
	}
	m.call(&b)
	m.client(&b)
	for i := range m.functions {
		m.functions[i].write(&b)
		m.functions[i].each(&b)
	}
	b.WriteString("\nreturn M\n")
	return b.String()
}

func (m *module) header(b *strings.Builder) {
	fmt.Fprintf(b, "--- @module assay.%s\n--- @description %s\n--- @keywords %s\n--- @env %s\n", m.name, m.description, strings.Join(m.keywords, ", "), strings.Join(m.env(), ", "))
	if tables := m.auth.tables(); tables != "" {
		fmt.Fprintf(b, "--- @auth %s\n", tables)
	}
	for i := range m.functions {
		f := &m.functions[i]
		fmt.Fprintf(b, "--- @quickref c:%s(%s) -> %s | %s\n", f.name, strings.Join(f.arguments(), ", "), f.returns, f.text)
		if f.paging != nil {
			fmt.Fprintf(b, "--- @quickref c:%s(%s) -> iterator | Items of %s, part after part\n", f.paging.name, strings.Join(f.arguments(), ", "), f.name)
		}
	}
}

// variable returns the environment variable for something of the module.
func (m *module) variable(what string) string { return strings.ToUpper(m.name) + "_" + what }

func (m *module) env() []string {
	names := []string{m.variable("URL")}
	for _, k := range m.auth.keys() {
		names = append(names, m.variable(strings.ToUpper(k)))
	}
	return names
}

// keys returns the keys of the client's options.
func (a auth) keys() (out []string) {
	if a.bearer {
		out = append(out, "token")
	}
	if a.key != "" {
		out = append(out, "api_key")
	}
	if a.basic {
		out = append(out, "username", "password")
	}
	return out
}

func (a auth) tables() string {
	var out []string
	if a.bearer {
		out = append(out, `{ token = "..." }`)
	}
	if a.key != "" {
		out = append(out, `{ api_key = "..." }`)
	}
	if a.basic {
		out = append(out, `{ username = "...", password = "..." }`)
	}
	return strings.Join(out, " or ")
}

const escapeCode = `
local function escape(v)
  return (tostring(v):gsub("[^A-Za-z0-9%-._~]", function(byte) return string.format("%%%02X", byte:byte()) end))
end
`

const queryCode = `
-- query("a", 1, "b", nil, "c", { 2, 3 }) is "?a=1&c=2&c=3".
local function query(...)
  local args, out = { ... }, {}
  for i = 1, select("#", ...), 2 do
    local values = args[i + 1]
    if type(values) ~= "table" then values = { values } end
    for _, v in ipairs(values) do out[#out + 1] = escape(args[i]) .. "=" .. escape(v) end
  end
  return out[1] and "?" .. table.concat(out, "&") or ""
end
`

// An empty element of a path, and one that is "." or "..", would be another path.
const needCode = `
-- need refuses a call that lacks something, before anything is sent.
local function need(fn, name, v, kind)
  if v == nil or kind == "element" and (v == "" or v == "." or v == "..") then
    error(%s .. fn .. ": " .. name .. " is required", 0)
  end
  if kind == "table" and type(v) ~= "table" then
    error(%[1]s .. fn .. ": " .. name .. " must be a table, not " .. type(v), 0)
  end
end
`

const pagesCode = `
-- pages yields the items of a listing that comes in parts. more changes the options to
-- those of the next part, and says whether there is one.
local function pages(opts, fetch, items, more)
  local o, list, i, on = {}, {}, 0, true
  for k, v in pairs(opts or {}) do o[k] = v end
  return function()
    while i >= #list do
      if not on then return nil end
      local answer = fetch(o)
      list, i = items(answer) or {}, 0
      on = more(o, answer, #list)
    end
    i = i + 1
    return list[i]
  end
end
`

// call writes the function that sends requests.
func (m *module) call(b *strings.Builder) {
	b.WriteString("\nlocal function call(client, verb, path, body, headers, as)\n  headers = headers or {}\n")
	if m.auth.basic {
		b.WriteString("  if client.username then headers[\"Authorization\"] = \"Basic \" .. base64.encode(client.username .. \":\" .. (client.password or \"\")) end\n")
	}
	if m.auth.bearer {
		b.WriteString("  if client.token then headers[\"Authorization\"] = \"Bearer \" .. client.token end\n")
	}
	switch {
	case m.auth.key != "" && m.auth.query:
		fmt.Fprintf(b, "  if client.api_key then path = path .. (path:find(\"?\", 1, true) and \"&\" or \"?\") .. query(%s, client.api_key):sub(2) end\n", Quoted(m.auth.key))
	case m.auth.key != "":
		fmt.Fprintf(b, "  if client.api_key then headers[%s] = client.api_key end\n", Quoted(m.auth.key))
	}
	fmt.Fprintf(b, `  local r, opts = nil, { headers = headers }
  if as and body then opts[as], body = body, nil end
  if verb == "get" or verb == "delete" then
    r = http[verb](client.url .. path, opts)
  else
    r = http[verb](client.url .. path, body, opts)
  end
  if r.status < 200 or r.status > 299 then
    error(%s .. verb:upper() .. " " .. path .. " HTTP " .. r.status .. ": " .. r.body, 0)
  end
  if r.body == "" then return nil end
  local ok, value = pcall(json.parse, r.body)
  if ok then return value end
  return r.body
end
`, Quoted(m.name+": "))
}

// client writes the function that makes a client.
func (m *module) client(b *strings.Builder) {
	keys := m.auth.keys()
	fallback := "nil"
	if m.url != "" {
		fallback = Quoted(m.url)
	}
	b.WriteString("\n-- What is not given comes from the environment.\n")
	if len(keys) == 0 {
		b.WriteString("function M.client(url)\n")
	} else {
		b.WriteString("function M.client(url, opts)\n")
		var fields []string
		for _, k := range keys {
			fields = append(fields, fmt.Sprintf("%s = env.get(%s)", k, Quoted(m.variable(strings.ToUpper(k)))))
		}
		fmt.Fprintf(b, "  opts = opts or { %s }\n", strings.Join(fields, ", "))
	}
	fmt.Fprintf(b, "  url = url or env.get(%s) or %s\n  if not url then error(%s, 2) end\n", Quoted(m.variable("URL")), fallback, Quoted(m.name+".client: url is required"))
	fields := []string{`url = (url:gsub("/+$", ""))`}
	for _, k := range keys {
		fields = append(fields, k+" = opts."+k)
	}
	fmt.Fprintf(b, "  return setmetatable({ %s }, c)\nend\n", strings.Join(fields, ", "))
}

// arguments returns the parameters of the Lua function.
func (f *function) arguments() []string {
	out := slices.Clone(f.params)
	if f.body {
		out = append(out, "body")
	}
	if len(f.query) > 0 || len(f.headers) > 0 {
		out = append(out, "opts")
	}
	return out
}

// comment writes what LDoc shows of a function.
func (f *function) comment(b *strings.Builder) {
	if f.summary == "" {
		b.WriteByte('\n')
		return
	}
	fmt.Fprintf(b, "\n--- %s.\n", strings.TrimLeft(f.summary, "@ "))
	if f.said != "" && f.said != f.summary {
		fmt.Fprintf(b, "-- %s\n", strings.TrimLeft(f.said, "@ "))
	}
	for _, p := range f.params {
		fmt.Fprintf(b, "-- @param %s of the path\n", p)
	}
	if f.body {
		how := map[string]string{"": "a table, sent as JSON", "form": "a table, sent as a form", "multipart": "a list of parts, as http takes them"}[f.as]
		if f.content != "" {
			how = "a string, sent as " + sentence(f.content, 60)
		}
		fmt.Fprintf(b, "-- @param body %s\n", how)
	}
	for _, p := range append(slices.Clone(f.query), f.headers...) {
		said := strings.TrimSpace(map[bool]string{true: "(required) "}[p.required] + p.said)
		b.WriteString(strings.TrimSpace("-- @param opts."+p.lua+" "+said) + "\n")
	}
	fmt.Fprintf(b, "-- @return %s\n", f.returns)
}

// checks writes what refuses wrong calls.
func (f *function) checks(b *strings.Builder) {
	for _, p := range f.params {
		fmt.Fprintf(b, "  need(%s, %s, %s, \"element\")\n", Quoted(f.name), Quoted(p), p)
	}
	if f.bodyRequired {
		kind := ""
		if f.bodyTable || f.as != "" {
			kind = `, "table"`
		}
		fmt.Fprintf(b, "  need(%s, \"body\", body%s)\n", Quoted(f.name), kind)
	}
	for _, p := range append(slices.Clone(f.query), f.headers...) {
		if p.required {
			fmt.Fprintf(b, "  need(%s, %s, opts.%s)\n", Quoted(f.name), Quoted("opts."+p.lua), p.lua)
		}
	}
}

// each writes the function that yields all items of a listing.
func (f *function) each(b *strings.Builder) {
	p := f.paging
	if p == nil {
		return
	}
	items := "answer"
	if p.items != "" {
		items += "[" + Quoted(p.items) + "]"
	}
	more := ""
	switch p.by {
	case "page":
		first := "1"
		if p.param.first == "0" {
			first = "0"
		}
		more = fmt.Sprintf("o.%s = (tonumber(o.%[1]s) or %s) + 1\n    return n > 0", p.param.lua, first)
	case "offset":
		more = fmt.Sprintf("o.%s = (tonumber(o.%[1]s) or 0) + n\n    return n > 0", p.param.lua)
	default:
		more = fmt.Sprintf("local before, now = o.%s, answer[%s]\n    o.%[1]s = now\n    return type(now) == \"string\" and now ~= \"\" and now ~= before", p.param.lua, Quoted(p.next))
	}
	args := append(slices.Clone(f.params), "o")
	fmt.Fprintf(b, `
--- Items of %s, part after part.
-- @return an iterator: for item in c:%s(%s) do ... end
function c:%s(%[3]s)
  return pages(opts, function(o) return self:%[1]s(%[5]s) end, function(answer) return %[6]s end, function(o, answer, n)
    %[7]s
  end)
end
`, f.name, p.name, strings.Join(f.arguments(), ", "), p.name, strings.Join(args, ", "), items, more)
}

func (f *function) write(b *strings.Builder) {
	f.comment(b)
	fmt.Fprintf(b, "function c:%s(%s)\n", f.name, strings.Join(f.arguments(), ", "))
	var path []string
	for _, p := range f.path {
		if p.param != "" {
			path = append(path, "escape("+p.param+")")
		} else {
			path = append(path, Quoted(p.text))
		}
	}
	if len(f.query) > 0 || len(f.headers) > 0 {
		b.WriteString("  opts = opts or {}\n")
	}
	f.checks(b)
	if len(f.query) > 0 {
		var args []string
		for _, p := range f.query {
			args = append(args, Quoted(p.name)+", opts."+p.lua)
		}
		path = append(path, "query("+strings.Join(args, ", ")+")")
	}
	args := []string{"self", Quoted(f.verb), strings.Join(path, " .. ")}
	var headers []string
	if f.content != "" {
		headers = append(headers, `["Content-Type"] = `+Quoted(f.content))
	}
	for _, p := range f.headers {
		headers = append(headers, "["+Quoted(p.name)+"] = opts."+p.lua)
	}
	switch {
	case f.body:
		args = append(args, "body")
	case len(headers) > 0:
		args = append(args, "nil")
	}
	switch {
	case len(headers) > 0:
		args = append(args, "{ "+strings.Join(headers, ", ")+" }")
	case f.as != "":
		args = append(args, "nil")
	}
	if f.as != "" {
		args = append(args, Quoted(f.as))
	}
	fmt.Fprintf(b, "  return call(%s)\nend\n", strings.Join(args, ", "))
}

// Quoted returns a string as Lua writes it.
func Quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03d`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
