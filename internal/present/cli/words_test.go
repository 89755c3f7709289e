//go:build !slim

package cli

import (
	"bytes"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/present/op"
)

type fixInput struct {
	First  string   `json:"first" arg:"1"`
	Second string   `json:"second,omitempty" arg:"2" flag:"second"`
	Third  string   `json:"third,omitempty" arg:"3"`
	Rest   []string `json:"rest,omitempty" arg:"rest" flag:"also"`
	Text   string   `json:"text,omitempty" flag:"text" stdin:"true"`
	N      int      `json:"n,omitempty" flag:"count,n"`
	Least  *float64 `json:"least,omitempty" flag:"least"`
	Yes    bool     `json:"yes,omitempty" flag:"yes"`
	Secret string   `json:"secret,omitempty"`
	Cursor string   `json:"cursor,omitempty" flag:"cursor"`
}

func TestCommandLine(t *testing.T) {
	ops := []op.Op{{Name: "do it", In: reflect.TypeFor[fixInput]()}}
	first := fault.Arg{Name: "first", Value: "f"}
	for _, tc := range []struct {
		op   string
		args []fault.Arg
		want string // "": no command
	}{
		{"do it", []fault.Arg{first}, "assay do it f"},
		{"do that", []fault.Arg{first}, ""},
		{"do it", nil, ""}, // first has to be given
		{"do it", []fault.Arg{{Name: "cursor", Value: "c"}}, "assay do it --cursor c"},
		{"do it", []fault.Arg{{Name: "second", Value: "s"}, first}, "assay do it f s"},
		{"do it", []fault.Arg{first, {Name: "rest", Value: []string{"a", "b c"}}}, "assay do it --also a --also 'b c' f"},
		{"do it", []fault.Arg{first, {Name: "second", Value: "s"}, {Name: "third", Value: "t"}, {Name: "rest", Value: []string{"r"}}}, "assay do it f s t r"},
		{"do it", []fault.Arg{first, {Name: "third", Value: "t"}}, ""}, // which would become the second
		{"do it", []fault.Arg{{Name: "first", Value: "-x y"}}, "assay do it -- '-x y'"},
		{"do it", []fault.Arg{first, {Name: "second", Value: "-s"}}, "assay do it -- f -s"},
		{"do it", []fault.Arg{first, {Name: "yes", Value: true}, {Name: "n", Value: -3}, {Name: "least", Value: .25}}, "assay do it --count -3 --least 0.25 --yes f"},
		{"do it", []fault.Arg{first, {Name: "yes", Value: false}}, "assay do it --yes=false f"},
		{"do it", []fault.Arg{{Name: "first", Value: ""}}, "assay do it ''"},
		{"do it", []fault.Arg{{Name: "first", Value: "it's $HOME"}}, `assay do it 'it'\''s $HOME'`},
		{"do it", []fault.Arg{{Name: "first", Value: "=cmd"}}, "assay do it '=cmd'"},
		{"do it", []fault.Arg{{Name: "first", Value: "a\x1b[2J"}}, ""},
		{"do it", []fault.Arg{{Name: "first", Value: "a\nb"}}, ""},
		{"do it", []fault.Arg{first, {Name: "secret", Value: "s"}}, ""}, // no flag
		{"do it", []fault.Arg{first, {Name: "other", Value: "s"}}, ""},  // no such argument
		{"do it", []fault.Arg{first, {Name: "text", Value: "-"}}, ""},   // would be read from standard input
		{"do it", []fault.Arg{first, {Name: "n", Value: int64(3)}}, ""},
	} {
		if got := op.CommandLine(ops, fault.Fix{Op: tc.op, Args: tc.args}); got != tc.want {
			t.Errorf("%s %v: %q; want %q", tc.op, tc.args, got, tc.want)
		}
	}
}

// Whatever a fix says, a shell and the reader of the command line make of it what
// was meant.
func TestFixRoundTrip(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	o := op.Op{Name: "search", In: reflect.TypeFor[code.SearchInput]()}
	word := rapid.StringMatching(`[-a-z $'"\\*?~#=;|&<>(){}\[\]!äß0-9]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		want := code.SearchInput{Query: word.Draw(t, "query"), NoTests: rapid.Bool().Draw(t, "no tests"), TopK: rapid.IntRange(1, 9).Draw(t, "top"),
			Paths: rapid.SliceOfN(word, 1, 3).Draw(t, "paths"), Cursor: "-" + word.Draw(t, "cursor")}
		line := op.CommandLine([]op.Op{o}, fault.Fix{Op: "search", Args: []fault.Arg{{Name: "paths", Value: want.Paths}, {Name: "top_k", Value: want.TopK},
			{Name: "query", Value: want.Query}, {Name: "no_tests", Value: want.NoTests}, {Name: "cursor", Value: want.Cursor}}})
		if (line != "") == (want.Query == "-") { // which is standard input
			t.Fatalf("%+v has the command %q", want, line)
		}
		if line == "" {
			return
		}
		out, err := exec.Command(sh, "-c", "assay() { printf '%s\\n' \"$@\"; }; "+line).Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		in, err := newInput(o)
		if err != nil {
			t.Fatal(err)
		}
		c := &cobra.Command{}
		in.register(c)
		flags := c.Flags()
		if err := flags.Parse(strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")[1:]); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if err := in.fill(flags.Args(), strings.NewReader("")); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if got := in.value(); !reflect.DeepEqual(got, any(want)) {
			t.Fatalf("%s gives %+v, want %+v", line, got, want)
		}
	})
}

func TestCKOnATerminal(t *testing.T) {
	a := &code.SearchAnswer{Hits: []code.SearchHit{{Snippet: "a\x1b[2Jb\r\nc\n"}}}
	for terminal, want := range map[bool]string{true: "a<U+001B>[2Jb\nc\n", false: "a\x1b[2Jb\r\nc\n"} {
		var b bytes.Buffer
		(&ckRequest{noNames: true}).text(&b, a, Env{Terminal: terminal})
		if b.String() != want {
			t.Errorf("on a terminal %v: %q, want %q", terminal, b.String(), want)
		}
	}
}
