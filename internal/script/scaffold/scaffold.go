// Package scaffold writes the beginning of a Lua module: a client with one function,
// or with a function for each operation of an OpenAPI file.
//
// Whatever the file says, what is written is Lua that compiles and that the linter of modules has nothing against.
package scaffold

import (
	_ "embed" // escape.lua, query.lua
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/script/lua"
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
	path    []part
	params  []string // Lua names, of the path
	query   []param
	headers []param
	body    bool
	content string // of a body that is not JSON
	returns string
	text    string
}

// A part of a path is text, or a parameter by its Lua name.
type part struct{ text, param string }

// A param is a parameter by its Lua name and as it is sent.
type param struct{ lua, name string }

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
	m.call(&b)
	m.client(&b)
	for i := range m.functions {
		m.functions[i].write(&b)
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

//go:embed escape.lua
var escapeCode string

//go:embed query.lua
var queryCode string

// call writes the function that sends requests.
func (m *module) call(b *strings.Builder) {
	b.WriteString("\nlocal function call(client, verb, path, body, headers)\n  headers = headers or {}\n")
	if m.auth.basic {
		b.WriteString("  if client.username then headers[\"Authorization\"] = \"Basic \" .. base64.encode(client.username .. \":\" .. (client.password or \"\")) end\n")
	}
	if m.auth.bearer {
		b.WriteString("  if client.token then headers[\"Authorization\"] = \"Bearer \" .. client.token end\n")
	}
	switch {
	case m.auth.key != "" && m.auth.query:
		fmt.Fprintf(b, "  if client.api_key then path = path .. (path:find(\"?\", 1, true) and \"&\" or \"?\") .. query(%s, client.api_key):sub(2) end\n", lua.Quoted(m.auth.key))
	case m.auth.key != "":
		fmt.Fprintf(b, "  if client.api_key then headers[%s] = client.api_key end\n", lua.Quoted(m.auth.key))
	}
	fmt.Fprintf(b, `  local r
  if verb == "get" or verb == "delete" then
    r = http[verb](client.url .. path, { headers = headers })
  else
    r = http[verb](client.url .. path, body, { headers = headers })
  end
  if r.status < 200 or r.status > 299 then
    error(%s .. verb:upper() .. " " .. path .. " HTTP " .. r.status .. ": " .. r.body, 0)
  end
  if r.body == "" then return nil end
  local ok, value = pcall(json.parse, r.body)
  if ok then return value end
  return r.body
end
`, lua.Quoted(m.name+": "))
}

// client writes the function that makes a client.
func (m *module) client(b *strings.Builder) {
	keys := m.auth.keys()
	fallback := "nil"
	if m.url != "" {
		fallback = lua.Quoted(m.url)
	}
	b.WriteString("\n-- What is not given comes from the environment.\n")
	if len(keys) == 0 {
		b.WriteString("function M.client(url)\n")
	} else {
		b.WriteString("function M.client(url, opts)\n")
		var fields []string
		for _, k := range keys {
			fields = append(fields, fmt.Sprintf("%s = env.get(%s)", k, lua.Quoted(m.variable(strings.ToUpper(k)))))
		}
		fmt.Fprintf(b, "  opts = opts or { %s }\n", strings.Join(fields, ", "))
	}
	fmt.Fprintf(b, "  url = url or env.get(%s) or %s\n  if not url then error(%s, 2) end\n", lua.Quoted(m.variable("URL")), fallback, lua.Quoted(m.name+".client: url is required"))
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

func (f *function) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nfunction c:%s(%s)\n", f.name, strings.Join(f.arguments(), ", "))
	var path []string
	for _, p := range f.path {
		if p.param != "" {
			path = append(path, "escape("+p.param+")")
		} else {
			path = append(path, lua.Quoted(p.text))
		}
	}
	if len(f.query) > 0 || len(f.headers) > 0 {
		b.WriteString("  opts = opts or {}\n")
	}
	if len(f.query) > 0 {
		args := slice.Map(f.query, func(p param) string { return lua.Quoted(p.name) + ", opts." + p.lua })
		path = append(path, "query("+strings.Join(args, ", ")+")")
	}
	args := []string{"self", lua.Quoted(f.verb), strings.Join(path, " .. ")}
	var headers []string
	if f.content != "" {
		headers = append(headers, `["Content-Type"] = `+lua.Quoted(f.content))
	}
	for _, p := range f.headers {
		headers = append(headers, "["+lua.Quoted(p.name)+"] = opts."+p.lua)
	}
	switch {
	case f.body:
		args = append(args, "body")
	case len(headers) > 0:
		args = append(args, "nil")
	}
	if len(headers) > 0 {
		args = append(args, "{ "+strings.Join(headers, ", ")+" }")
	}
	fmt.Fprintf(b, "  return call(%s)\nend\n", strings.Join(args, ", "))
}
