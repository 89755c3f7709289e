package stdlib_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/script/stdlib"
)

var (
	clientOf = regexp.MustCompile(`(?m)^function M\.client\(([^)]*)\)`)
	fieldOf  = regexp.MustCompile(`(?m)^return rest.module\(.*table: (\w+)`)
)

// Every client says which of its arguments is of another type than it takes, and who wants it.
func TestClientArguments(t *testing.T) {
	clients := 0
	for _, name := range stdlib.Names() {
		src, ok := stdlib.Source(name)
		if !ok {
			t.Fatalf("no source of %s", name)
		}
		m := clientOf.FindSubmatch(src)
		if m == nil {
			continue
		}
		clients++
		for i, parameter := range strings.Split(string(m[1]), ", ") {
			call := "client(" + strings.Repeat("nil, ", i) + "print)"
			if got := raisedBy(t, name, call); !strings.HasPrefix(got, name+".client: "+parameter+" must be a ") || !strings.HasSuffix(got, ", got function") {
				t.Errorf("%s.%s raised %q", name, call, got)
			}
			if parameter != "opts" && parameter != "token" {
				continue
			}
			field := string(fieldOf.FindSubmatch(src)[1])
			call = "client(" + strings.Repeat("nil, ", i) + "{" + field + " = {}})"
			if got, want := raisedBy(t, name, call), name+".client: "+parameter+"."+field+" must be a string, got table"; got != want {
				t.Errorf("%s.%s raised %q, want %q", name, call, got, want)
			}
		}
	}
	if clients < 25 {
		t.Errorf("%d clients", clients)
	}
}

// A table in the place of a name must not reach a server as its address in memory.
func TestTableAsText(t *testing.T) {
	for call, want := range map[string]string{
		`client("http://localhost:1"):dashboard({})`: "a table cannot be sent as text",
		`client({})`: "grafana.client: url must be a string, got table",
	} {
		if got := raisedBy(t, "grafana", call); !strings.Contains(got, want) {
			t.Errorf("grafana.%s raised %q, want %q", call, got, want)
		}
	}
}

// raisedBy is the error of a call of a function of a module.
func raisedBy(t *testing.T, name, call string) string {
	t.Helper()
	out, _ := runLua(t, newServer(t), nil, `local ok, e = pcall(function() return require("assay.`+name+`").`+call+` end) return ok, tostring(e)`)
	if len(out) != 2 || out[0] != false {
		t.Errorf("%s.%s returned %v", name, call, out)
		return ""
	}
	return out[1].(string)
}
