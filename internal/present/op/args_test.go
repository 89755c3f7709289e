//go:build !slim

package op

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/install/backup"
	"github.com/assay-dev/assay/internal/install/bundle"
	"github.com/assay-dev/assay/internal/install/setup"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/script"
)

type place struct {
	Root string `json:"root,omitempty" flag:"root"`
}

func TestArgs(t *testing.T) {
	type in struct {
		Top   int      `json:"top_k,omitempty" flag:"top-k,topk,k" min:"1" max:"9" default:"3" help:"most"`
		Paths []string `json:"paths,omitempty" arg:"rest" flag:"path"`
		Query string   `json:"query" arg:"1" min:"2" stdin:"true"`
		Least *float64 `json:"least,omitempty" flag:"least" min:"0" max:"1"`
		Mode  string   `json:"mode,omitempty" flag:"mode,m" group:"g" enum:"a|b"`
		place
	}
	args, err := Args(reflect.TypeFor[in]())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range args {
		got = append(got, a.Name)
	}
	if want := "query paths top_k least mode root"; strings.Join(got, " ") != want {
		t.Errorf("the arguments are %q, want %q: positional first, then as declared", got, want)
	}
	q, top, mode := args[0], args[2], args[4]
	if !q.Required || !q.Stdin || q.Place != 1 || *q.Min != 2 || q.Max != nil {
		t.Errorf("query is %+v", q)
	}
	if top.Required || !reflect.DeepEqual(top.Flags, []string{"top-k", "topk"}) || !reflect.DeepEqual(top.Short, []string{"k"}) || top.Default != "3" {
		t.Errorf("top_k is %+v", top)
	}
	if mode.Group != "g" || !reflect.DeepEqual(mode.Enum, []string{"a", "b"}) {
		t.Errorf("mode is %+v", mode)
	}
	v := reflect.ValueOf(&in{}).Elem()
	if v.FieldByIndex(args[5].Index).SetString("x"); v.Interface().(in).Root != "x" {
		t.Error("a field of an embedded struct cannot be set")
	}
}

func TestArgsRefused(t *testing.T) {
	for want, in := range map[string]any{
		"not a struct":     "",
		"has no json name": struct{ A string }{},
		"a int64 cannot be given": struct {
			A int64 `json:"a"`
		}{},
		"a []int cannot be given": struct {
			A []int `json:"a"`
		}{},
		"a *string cannot be given": struct {
			A *string `json:"a"`
		}{},
		"a map[string]int cannot be given": struct {
			A map[string]int `json:"a"`
		}{},
		"the name a is taken by A": reflect.New(reflect.StructOf([]reflect.StructField{ // vet would see it in a literal
			{Name: "A", Type: reflect.TypeFor[string](), Tag: `json:"a"`},
			{Name: "B", Type: reflect.TypeFor[string](), Tag: `json:"a"`},
		})).Elem().Interface(),
		"the flag x is taken by A": struct {
			A string `json:"a" flag:"aa,x"`
			B string `json:"b" flag:"bb,x"`
		}{},
		"the flag root is taken": struct {
			A string `json:"a" flag:"root"`
			place
		}{},
		"the flag json is taken by every command": struct {
			A bool `json:"a" flag:"json"`
		}{},
		"the flag h is taken by every command": struct {
			A bool `json:"a" flag:"aa,h"`
		}{},
		`"a b" is not a valid flag name`: struct {
			A bool `json:"a" flag:"a b"`
		}{},
		`"-a" is not a valid flag name`: struct {
			A bool `json:"a" flag:"-a"`
		}{},
		`"" is not a valid flag name`: struct {
			A bool `json:"a" flag:"aa,"`
		}{},
		"a shorthand without a flag": struct {
			A bool `json:"a" flag:"a"`
		}{},
		`arg:"0" is not a position`: struct {
			A string `json:"a" arg:"0"`
		}{},
		"a string cannot take the rest": struct {
			A string `json:"a" arg:"rest"`
		}{},
		"its place is 2, the next that is free is 1": struct {
			A string `json:"a" arg:"2"`
		}{},
		"its place is 1, the next that is free is 2": struct {
			A string `json:"a" arg:"1"`
			B string `json:"b" arg:"1"`
		}{},
		"takes the rest already": struct {
			A []string `json:"a" arg:"rest"`
			B []string `json:"b" arg:"rest"`
		}{},
		"a required argument after one that is not": struct {
			A string `json:"a,omitempty" arg:"1"`
			B string `json:"b" arg:"2"`
		}{},
		`min:"x" is not a number`: struct {
			A int `json:"a" min:"x"`
		}{},
		"a bool has no min": struct {
			A bool `json:"a" min:"1"`
		}{},
		"no value is between 2 and 1": struct {
			A int `json:"a" min:"2" max:"1"`
		}{},
		"a int can be no enum": struct {
			A int `json:"a" enum:"1|2"`
		}{},
		"a bool can be no enum and does not": struct {
			A bool `json:"a" stdin:"true"`
		}{},
		"a default for what has to be given": struct {
			A int `json:"a" default:"1"`
		}{},
		`default: "x" is not an integer`: struct {
			A int `json:"a,omitempty" default:"x"`
		}{},
		"default: 0 is below the minimum, 1": struct {
			A int `json:"a,omitempty" min:"1" default:"0"`
		}{},
		`default: "c" is not one of a, b`: struct {
			A string `json:"a,omitempty" enum:"a|b" default:"c"`
		}{},
		`default: "yes!" is neither true nor`: struct {
			A bool `json:"a,omitempty" default:"yes!"`
		}{},
		"default: not a number": struct {
			A float64 `json:"a,omitempty" default:"NaN"`
		}{},
	} {
		_, err := Args(reflect.TypeOf(in))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Args(%T) = %v, want %q", in, err, want)
		}
	}
}

func TestCheckArg(t *testing.T) {
	one, three, nan := 1.0, 3.0, 0.0
	nan /= nan
	for _, tc := range []struct {
		arg  Arg
		v    any
		want string
	}{
		{Arg{Min: &one}, 1, ""},
		{Arg{Min: &one}, 0, "0 is below the minimum, 1"},
		{Arg{Max: &three}, 3.5, "3.5 is above the maximum, 3"},
		{Arg{Max: &three}, &three, ""},
		{Arg{Max: &one}, &three, "3 is above the maximum, 1"},
		{Arg{Min: &one}, (*float64)(nil), ""},
		{Arg{}, nan, "not a number"},
		{Arg{Max: &three}, "äöü", ""},
		{Arg{Max: &three}, "äöüß", "4 characters is above the maximum, 3"},
		{Arg{Enum: []string{"a", "b"}}, "b", ""},
		{Arg{Enum: []string{"a", "b"}}, "c", `"c" is not one of a, b`},
		{Arg{}, true, ""},
		{Arg{}, []string{"x"}, ""},
	} {
		if got := tc.arg.Check(reflect.ValueOf(tc.v)); got != tc.want {
			t.Errorf("Check(%v) = %q, want %q", tc.v, got, tc.want)
		}
	}
}

func TestCatalogue(t *testing.T) {
	search := code.New(workspace.New(workspace.Config{}), code.Config{})
	if err := Check(All(Features{Code: search, Docs: docs.New(docs.Config{}), Audit: audit.New(audit.Config{}), Setup: setup.New(setup.Config{}), Backup: backup.New(backup.Config{}), Bundle: bundle.New(bundle.Config{}),
		Memory: memory.New(memory.Config{}), Module: script.New(script.Config{}), AllowExec: true})); err != nil {
		t.Error(err)
	}
	for _, o := range All(Features{Code: search}) {
		if want := map[string]bool{"search": true, "similar": true, "watch": true, "repos": true}[o.Name]; o.Records != want {
			t.Errorf("%s has records: %v, want %v", o.Name, o.Records, want)
		}
		if want := map[string]Effect{"index push": Writes, "index pull": Writes}[o.Name]; o.Effect != want {
			t.Errorf("%s has effect %d, want %d", o.Name, o.Effect, want)
		}
		if _, err := o.Run(t.Context(), 7, Out{}); err == nil || !strings.Contains(err.Error(), "was given a int") {
			t.Errorf("%s of a number: %v", o.Name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	type in struct {
		A chan int `json:"a"`
	}
	run := func(context.Context, any, Out) (Result, error) { return nil, nil }
	good := Op{Name: "x", Brief: "X", Example: "assay x", In: reflect.TypeFor[place](), Run: run}
	for want, change := range map[string]func(o *Op){
		`operation "x": the name "x" is empty or taken`: func(o *Op) { o.Aliases = []string{"x"} },
		`operation "": the name "" is empty or taken`:   func(o *Op) { o.Name = "" },
		"it has no brief, no example or nothing to run": func(o *Op) { o.Run = nil },
		"a chan int cannot be given":                    func(o *Op) { o.In = reflect.TypeFor[in]() },
		"the input is a <nil>, not a struct":            func(o *Op) { o.In = nil },
		"tool t has no brief, no schema or no decoder":  func(o *Op) { o.Tools = []Tool{{Name: "t"}} },
		`the tool name "t" is empty or taken`:           func(o *Op) { o.Tools = []Tool{{Name: "t"}, {Name: "t"}} },
		"tool t: op.in.A: a chan int cannot be given":   func(o *Op) { o.Tools = []Tool{tool("x", "t", "T", func(in) place { return place{} })} },
	} {
		o := good
		change(&o)
		if err := Check([]Op{o}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check = %v, want %q", err, want)
		}
	}
	if err := Check([]Op{good}); err != nil {
		t.Error(err)
	}
}
