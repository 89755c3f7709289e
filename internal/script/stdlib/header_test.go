package stdlib_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/script/stdlib"
)

func unix(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.RFC3339) }

// A header is the tags of a module, each with its values in order.
type header map[string][]string

var tag = regexp.MustCompile(`^--- @(\w+) (.+)$`)

func readHeader(t *testing.T, name string) (h header, rest string) {
	t.Helper()
	src, _ := stdlib.Source(name)
	h, rest = header{}, string(src)
	for strings.HasPrefix(rest, "---") {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		m := tag.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("%s: %q is not a tag", name, line)
		}
		h[m[1]] = append(h[m[1]], m[2])
	}
	return h, rest
}

func TestNames(t *testing.T) {
	want := strings.Fields("alertmanager argocd aws azure bigquery certmanager cloudflare consul crossplane csv datadog date dex ecr eks elasticsearch eso flux gcal gcp github " +
		"gitlab gmail grafana grpc harbor healthcheck html jira k8s kafka kargo linear loki nomad notion oauth openbao openstack opsgenie pagerduty postgres " +
		"prometheus rabbitmq redis s3 sentry servicenow slack snowflake sonarqube tailscale tar temporal traefik unleash url vault velero xml zitadel")
	if got := stdlib.Names(); !slices.Equal(got, want) {
		t.Errorf("Names() = %v, want %v", got, want)
	}
	for _, name := range append(want, "_rest", "_kube", "_paged", "_aws") {
		if src, ok := stdlib.Source(name); !ok || len(src) == 0 {
			t.Errorf("no source of %s", name)
		}
	}
	for _, name := range []string{"", "assay.grafana", "grafana.lua", "../stdlib", "none"} {
		if _, ok := stdlib.Source(name); ok {
			t.Errorf("Source(%q) is there", name)
		}
	}
}

func TestHeaders(t *testing.T) {
	word := regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)
	variable := regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	for _, name := range stdlib.Names() {
		h, rest := readHeader(t, name)
		for _, once := range []string{"module", "description", "keywords"} {
			if len(h[once]) != 1 {
				t.Fatalf("%s has %d of @%s", name, len(h[once]), once)
			}
		}
		for tag := range h {
			if !slices.Contains([]string{"module", "description", "keywords", "synonyms", "asked", "env", "auth", "quickref"}, tag) {
				t.Errorf("%s has @%s", name, tag)
			}
		}
		src, _ := stdlib.Source(name)
		if !strings.HasPrefix(string(src), "--- @module assay."+name+"\n") {
			t.Errorf("%s does not start with its name", name)
		}
		if n := len([]rune(h["description"][0])); n > 120 {
			t.Errorf("%s: description of %d characters", name, n)
		}
		keywords := strings.Split(h["keywords"][0], ", ")
		if !slices.Contains(keywords, name) {
			t.Errorf("%s is not among its keywords", name)
		}
		for i, k := range keywords {
			if !word.MatchString(k) || slices.Contains(keywords[:i], k) {
				t.Errorf("%s: keyword %q", name, k)
			}
		}
		for _, v := range h.list("env") {
			if !variable.MatchString(v) || !strings.Contains(rest, `env.get("`+v+`")`) {
				t.Errorf("%s: @env %s is not read", name, v)
			}
		}
		for _, m := range regexp.MustCompile(`env\.get\("(\w+)"\)`).FindAllStringSubmatch(rest, -1) {
			if !slices.Contains(h.list("env"), m[1]) {
				t.Errorf("%s reads %s, which @env lacks", name, m[1])
			}
		}
	}
}

func (h header) list(tag string) []string {
	if len(h[tag]) == 0 {
		return nil
	}
	return strings.Split(h[tag][0], ", ")
}

// The clients that the modules' functions are listed from; those without one have none.
var clients = map[string]string{
	"aws":       `M.client({region = "r", access_key = "a", secret_key = "s"})`,
	"azure":     `M.client("s", {token = "t"})`,
	"ecr":       `M.client({region = "r", access_key = "a", secret_key = "s"})`,
	"eks":       `M.client({region = "r", access_key = "a", secret_key = "s"})`,
	"bigquery":  `M.client("p", {token = "t"})`,
	"openstack": `M.client("http://h", {token = "t"})`,
	"snowflake": `M.client("a", {token = "t"})`,
	"gcal":      `M.client({token = "t"})`,
	"gcp":       `M.client("p", {token = "t"})`,
	"gmail":     `M.client({token = "t"})`,
	"grpc":      `M.connect("http://h")`,
	"s3":        `M.client({endpoint = "http://h", region = "r", access_key = "a", secret_key = "s"})`,
	"redis":     `(function() redis = {connect = function() end} return M.client("redis://h") end)()`,
	"sentry":    `M.client("http://h", {token = "t", organization = "o"})`,
	"postgres":  `(function() db = {connect = function() end} return M.client("h", 1, "u", "p") end)()`,
	"zitadel":   `M.client({url = "http://h", domain = "d", token = "t"})`,
}

// TestQuickrefs compares what the headers describe with the functions that are there, by
// running the modules, and with the parameters in their source.
func TestQuickrefs(t *testing.T) {
	signature := regexp.MustCompile(`^([Mc][.:]\w+)\([\w, ]*\)$`)
	s := newServer(t)
	for _, name := range stdlib.Names() {
		if name == "openbao" {
			continue // it is vault
		}
		h, rest := readHeader(t, name)
		var described []string
		for _, q := range h["quickref"] {
			sig, after, ok := strings.Cut(q, " -> ")
			m := signature.FindStringSubmatch(sig)
			returns, text, ok2 := strings.Cut(after, " | ")
			if !ok || !ok2 || m == nil || returns == "" || text == "" {
				t.Errorf("%s: quickref %q", name, q)
				continue
			}
			described = append(described, m[1])
			if !strings.Contains(rest, "\nfunction "+sig+"\n") {
				t.Errorf("%s: the source has no function %s", name, sig)
			}
		}
		client, ok := clients[name]
		if !ok {
			client = `M.client and M.client("http://h", "t")`
			src, _ := stdlib.Source(name)
			if strings.Contains(string(src), "function M.client(url, opts)") {
				client = `M.client("http://h", {})`
			}
			if strings.Contains(string(src), "rest.secret(") {
				client = `M.client("http://h", {auth = {bearer = "t"}})`
			}
		}
		out, _ := runLua(t, s, nil, `
local M, out = require("assay.`+name+`"), {}
for name, value in pairs(M) do
  if type(value) == "function" and name ~= "client" and name:sub(1, 1) ~= "_" then out[#out + 1] = "M." .. name end
end
local c = `+client+`
for _, methods in ipairs(c and {c, getmetatable(c).__index} or {}) do
  for name, value in pairs(methods) do
    if type(value) == "function" then out[#out + 1] = "c:" .. name end
  end
end
return json.encode(out)`)
		var there []string
		if err := json.Unmarshal([]byte(out[0].(string)), &there); err != nil {
			t.Fatal(err)
		}
		slices.Sort(there)
		slices.Sort(described)
		if !slices.Equal(there, described) {
			t.Errorf("%s\n    has %v\ndescribes %v", name, there, described)
		}
	}
}

// TestEveryFunctionIsTested holds the fixtures to the headers.
func TestEveryFunctionIsTested(t *testing.T) {
	for _, name := range stdlib.Names() {
		f := readFixture(t, name)
		h, _ := readHeader(t, name)
		for _, q := range h["quickref"] {
			call, _, _ := strings.Cut(q, "(")
			sends := slices.ContainsFunc(f.Tests, func(c test) bool { return strings.Contains(c.Lua, call+"(") })
			if !sends {
				t.Errorf("%s.json has no test of %s", name, call)
			}
		}
		for _, v := range h.list("env") {
			used := slices.ContainsFunc(f.Tests, func(c test) bool { _, ok := c.Env[v]; return ok })
			if !used {
				t.Errorf("%s.json has no test of %s", name, v)
			}
		}
	}
	files, err := os.ReadDir("testdata")
	if err != nil || len(files) != len(stdlib.Names()) {
		t.Errorf("%d fixtures for %d modules (%v)", len(files), len(stdlib.Names()), err)
	}
}
