package cli

import (
	"reflect"
	"testing"

	"github.com/assay-dev/assay/internal/present/op"
)

// The value of a flag is called by its name, of a list one of it: no word loses a letter
// that is its own.
func TestValueName(t *testing.T) {
	list := reflect.TypeFor[[]string]()
	for _, tc := range []struct {
		arg  op.Arg
		want string
	}{
		{op.Arg{Name: "glob", Type: list}, "GLOB"},
		{op.Arg{Name: "repos", Type: list}, "REPO"},
		{op.Arg{Name: "libraries", Type: list}, "LIBRARY"},
		{op.Arg{Name: "focus", Type: list}, "FOCUS"},
		{op.Arg{Name: "analysis", Type: list}, "ANALYSIS"},
		{op.Arg{Name: "class", Type: list}, "CLASS"},
		{op.Arg{Name: "hypothesis", Type: reflect.TypeFor[string]()}, "HYPOTHESIS"},
		{op.Arg{Name: "settings", Type: reflect.TypeFor[string]()}, "SETTINGS"},
		{op.Arg{Name: "goos", Value: "OS", Type: reflect.TypeFor[string]()}, "OS"},
		{op.Arg{Name: "threshold", Type: reflect.TypeFor[*float64]()}, "SCORE"},
		{op.Arg{Name: "timeout", Value: "SECONDS", Type: reflect.TypeFor[float64]()}, "SECONDS"},
		{op.Arg{Name: "tokens", Type: reflect.TypeFor[int]()}, "N"},
		{op.Arg{Name: "color", Enum: []string{"on", "off"}, Type: reflect.TypeFor[string]()}, "on|off"},
		{op.Arg{Name: "json", Type: reflect.TypeFor[bool]()}, ""},
	} {
		if got := valueName(tc.arg); got != tc.want {
			t.Errorf("%s is called %q, want %q", tc.arg.Name, got, tc.want)
		}
	}
}
