package script

import (
	"cmp"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/script/catalog"
	"github.com/assay-dev/assay/internal/script/lua"
)

// sample is what each parameter of a builtin is given.
var sample = map[string]string{"url": `"http://127.0.0.1:1"`, "claims": "{}", "method": `"PURGE"`, "port": "0", "routes": "{}", "body?": "nil", "alg?": "nil"}

// Every builtin that the catalogue says takes options refuses one that it does not know.
func TestBuiltinsRefuseUnknownOptions(t *testing.T) {
	count := 0
	for _, library := range catalog.Builtins() {
		for _, f := range library.Functions {
			name, rest, _ := strings.Cut(f.Signature, "(")
			parameters := strings.Split(strings.TrimSuffix(rest, ")"), ", ")
			if parameters[len(parameters)-1] != "opts?" {
				continue
			}
			count++
			t.Run(name, func(t *testing.T) {
				var args []string
				for _, p := range parameters[:len(parameters)-1] {
					args = append(args, cmp.Or(sample[p], `"x"`))
				}
				src := "return " + name + "(" + strings.Join(append(args, "{headrs = 1}"), ", ") + ")"
				vm := lua.New(lua.Options{})
				defer vm.Close()
				_, err := vm.Run(t.Context(), "t", []byte(src))
				if want := name + `: unknown option "headrs"`; err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, want %q", src, err, want)
				}
			})
		}
	}
	if count < 17 {
		t.Errorf("%d builtins with options", count)
	}
}
