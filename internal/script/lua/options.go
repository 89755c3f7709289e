package lua

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// optionNames are the names of the options of each builtin that takes a table of them. A
// table with any other name is an error, because the option meant something to its author.
var optionNames = map[string][]string{
	"crypto.jwt_sign":   {"kid"},
	"crypto.jwt_verify": {"alg", "audience", "issuer", "leeway", "require_exp"},
	"db.connect":        {"auth"},
	"http.client":       clientOptions,
	"http.delete":       requestOptions,
	"http.get":          requestOptions,
	"http.head":         requestOptions,
	"http.pages":        append([]string{"next", "max", "cross_origin"}, requestOptions...),
	"http.patch":        requestOptions,
	"http.post":         requestOptions,
	"http.put":          requestOptions,
	"http.request":      requestOptions,
	"http.serve":        {"host"},
	"json.parse":        {"null"},
	"redis.connect":     {"auth"},
	"ws.connect":        {"auth", "headers", "subprotocols", "timeout"},
	"ws.recv":           {"kind"},
	"ws.send":           {"binary"},
	"yaml.parse":        {"null"},
	"yaml.parse_all":    {"null"},
}

var (
	requestOptions = []string{
		"headers", "query", "auth", "timeout", "retry", "redirects", "form", "multipart", "body_file", "compress", "to_file",
		"on_chunk", "on_line", "on_event",
	}
	clientOptions = []string{
		"headers", "auth", "timeout", "retry", "redirects", "cookies", "unix", "connect_timeout", "tls_timeout",
		"first_byte_timeout", "compression", "proxy",
		"ca_cert", "ca_cert_file", "client_cert", "client_key", "client_cert_file", "client_key_file", "insecure_skip_verify",
	}
)

// argumentCounts are how many arguments builtins take that people expect to take more:
// options, a mode, flags, a default.
var argumentCounts = map[string]int{
	"base64.decode": 1, "base64.encode": 1, "crypto.hash": 2, "crypto.hmac": 4, "crypto.random": 1, "db.connect": 2,
	"db.execute": 3, "db.query": 3,
	"env.get": 1, "fs.read": 1, "fs.write": 2, "gzip.compress": 1,
	"gzip.decompress": 1, "json.encode": 1, "log.error": 1, "log.info": 1, "log.warn": 1, "redis.connect": 2,
	"regex.find": 2, "regex.find_all": 2, "regex.match": 2, "regex.replace": 3, "template.render": 2, "template.render_string": 2,
	"toml.encode": 1, "toml.parse": 1,
	"yaml.encode": 1,
}

// withoutExtras returns a builtin that raises where it has an argument too many. A number
// may follow, because functions that call others for each element add its index.
func withoutExtras(name string, f builtin) builtin {
	most, ok := argumentCounts[name]
	if !ok {
		return f
	}
	return func(c call) int {
		if extra := c.Arg(most + 1); !extra.IsNil() && !extra.IsNumber() {
			c.Fail("%s: takes %d arguments; the next, a %s, would be ignored", name, most, extra.TypeName())
		}
		return f(c)
	}
}

var ordinals = [...]string{1: "first", 2: "second", 3: "third", 4: "fourth"}

// options returns argument i, a table of options, or an empty one where it is nil.
func (c call) options(i int) *table { return c.optionsAfter(0, i) }

// optionsAfter is options for a method, whose first arguments, self, messages do not count.
func (c call) optionsAfter(self, i int) *table {
	t, ok := c.asTable(i)
	if !ok {
		if !c.absent(i) {
			c.Fail("%s: %s argument must be a table or nil", c.name, ordinals[i-self])
		}
		return c.newRecord(0)
	}
	c.checkNames(c.name, "option", t, optionNames[c.name])
	return t
}

// checkNames raises for a name in t that is not one of names. kind says in the message
// which names these are.
func (c call) checkNames(who, kind string, t *table, names []string) {
	if name, ok := unknownName(t, names); ok {
		c.Fail("%s: unknown %s %q%s", who, kind, name, suggestion(name, names))
	}
}

func unknownName(t *table, names []string) (name string, found bool) {
	for k := range t.All() {
		name, _ := k.Text()
		if !isOneOf(name, names) {
			return name, true
		}
	}
	return "", false
}

func isOneOf(name string, names []string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// suggestion ends a message about a name that is not one of names.
func suggestion(name string, names []string) string {
	if near := text.Nearest(strings.ToLower(name), names); near != "" {
		return ": did you mean " + near + "?"
	}
	if isOneOf(name, clientOptions) {
		return ": it is an option of http.client"
	}
	if len(names) == 0 {
		return ": there are none"
	}
	return "; use " + strings.Join(names, ", ")
}
