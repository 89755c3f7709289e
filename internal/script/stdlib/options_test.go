package stdlib_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/script/stdlib"
)

var (
	publicFunction = regexp.MustCompile(`(?m)^--- @quickref ([Mc][.:](\w+))\(([^)]*)\)`)
	clientFunction = regexp.MustCompile(`(?m)^function (M\.(client))\(([^)]*)\)`)
	optionsName    = regexp.MustCompile(`^(\w+_)?opts(_\w+)?$`)
)

// Every function of a module that takes options refuses one that it does not know, before
// it sends anything.
func TestModulesRefuseUnknownOptions(t *testing.T) {
	count := 0
	for _, name := range stdlib.Names() {
		src, _ := stdlib.Source(name)
		f, s := readFixture(t, name), newServer(t)
		functions := append(publicFunction.FindAllStringSubmatch(string(src), -1), clientFunction.FindAllStringSubmatch(string(src), -1)...)
		for _, m := range functions {
			parameters := strings.Split(m[3], ", ")
			if !optionsName.MatchString(parameters[len(parameters)-1]) {
				continue
			}
			count++
			t.Run(name+"/"+m[2], func(t *testing.T) {
				args := make([]string, len(parameters))
				for i := range args {
					args[i] = "'x'"
				}
				args[len(args)-1] = "{qqq_unknown = 1}"
				c := test{Lua: m[1] + "(" + strings.Join(args, ", ") + ")", Env: map[string]string{}}
				s.expect(t, "", nil, false)
				s.lenient, s.noted = true, nil
				got := f.call(t, s, name, c)
				want := name + "." + m[2] + `: unknown option "qqq_unknown"`
				if name == "openbao" {
					want = strings.Replace(want, "openbao", "vault", 1)
				}
				if !strings.HasPrefix(got.err, want) {
					t.Errorf("%s: %s %s, want %q", c.Lua, got.err, got.json, want)
				}
				if sent, _ := s.seen(); sent > 0 {
					t.Errorf("%s: sent %d requests", c.Lua, sent)
				}
			})
		}
	}
	if count < 130 {
		t.Errorf("%d functions with options", count)
	}
}
