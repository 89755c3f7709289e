package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/op"
)

// An input is the input of an operation while its command line is read.
type input struct {
	op    op.Op
	args  []op.Arg
	v     reflect.Value     // a pointer to the struct
	given map[string]string // how each argument was given: --top-k or QUERY
	read  map[string]bool   // the arguments that came from standard input
}

func newInput(o op.Op) (*input, error) {
	args, err := op.Args(o.In)
	if err != nil {
		return nil, err
	}
	in := &input{o, args, reflect.New(o.In), map[string]string{}, map[string]bool{}}
	for _, a := range args {
		if a.Default == "" {
			continue
		}
		if wrong := a.Parse(a.Default, in.field(a)); wrong != "" {
			return nil, fmt.Errorf("%s: default: %s", a.Name, wrong)
		}
	}
	return in, nil
}

func (in *input) value() any { return in.v.Elem().Interface() }

func (in *input) field(a op.Arg) reflect.Value { return in.v.Elem().FieldByIndex(a.Index) }

// register makes a flag of each argument that is one; other names of a flag are hidden flags that set the same field.
func (in *input) register(c *cobra.Command) {
	for _, a := range in.args {
		for i, name := range a.Flags {
			short := ""
			if i < len(a.Short) {
				short = a.Short[i]
			}
			f := c.Flags().VarPF(&flagValue{in, a, "--" + name}, name, short, a.Help)
			f.Hidden = i > 0
			if a.Type.Kind() == reflect.Bool {
				f.NoOptDefVal = "true"
			}
		}
	}
}

// complete tells a shell the values of the arguments that have only some.
func (in *input) complete(c *cobra.Command, env Env) {
	offered := func(a op.Arg, begun string) (out []cobra.Completion, _ cobra.ShellCompDirective) {
		all := a.Enum
		for _, name := range []string{a.Name, in.op.Name + " " + a.Name} {
			if known := env.Values[name]; known != nil && a.Enum == nil {
				all = known(c.Context(), begun)
			}
		}
		open := true // each is a folder: more is to follow
		for _, v := range all {
			if strings.HasPrefix(v, begun) && !slices.Contains(out, v) && text.IsLine(v) {
				out, open = append(out, v), open && strings.HasSuffix(v, "/")
			}
		}
		how := cobra.ShellCompDirectiveNoFileComp
		if all == nil { // the shell may know files
			how = cobra.ShellCompDirectiveDefault
		} else if open && len(out) > 0 {
			how |= cobra.ShellCompDirectiveNoSpace
		}
		return out, how
	}
	for _, a := range in.args {
		for _, name := range a.Flags {
			_ = c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return offered(a, begun)
			})
		}
	}
	c.ValidArgsFunction = func(_ *cobra.Command, words []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		for _, a := range in.args {
			if a.Place == len(words)+1 || a.Rest {
				return offered(a, begun)
			}
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// fill reads what is left of a command line when its flags are taken away, and checks the whole.
func (in *input) fill(words []string, stdin io.Reader) error {
	if err := in.positional(words); err != nil {
		return err
	}
	if err := in.fromStdin(stdin); err != nil {
		return err
	}
	return in.check()
}

// positional fills the arguments that have a place, in order, and those that take the rest.
func (in *input) positional(words []string) error {
	for _, a := range in.args {
		n := 0
		switch {
		case a.Join != "" && len(words) > 0:
			words = []string{strings.Join(words, a.Join)}
			n = 1
		case a.Place > 0 && len(words) > 0:
			n = 1
		case a.Rest && len(words) > 0:
			n = len(words)
		case a.Required && in.given[a.Name] == "" && !in.continued():
			return fault.New(fault.Usage, "%s: %s is missing", in.op.Name, shown(a)).Or("for example: %s", in.op.Example)
		}
		for _, w := range words[:n] {
			if err := (&flagValue{in, a, shown(a)}).Set(w); err != nil {
				return fault.New(fault.Usage, "%s: %s: %s", in.op.Name, shown(a), err)
			}
		}
		words = words[n:]
	}
	if len(words) > 0 {
		return fault.New(fault.Usage, "%s: %q is one argument too many", in.op.Name, words[0]).Or("quote an argument that has spaces; assay %s --help shows the usage", in.op.Name)
	}
	return nil
}

// shown is an argument without a flag as people read it.
func shown(a op.Arg) string {
	if a.Place == 0 && !a.Rest && len(a.Flags) > 0 {
		return "--" + a.Flags[0]
	}
	return strings.ToUpper(a.Name)
}

// continued reports whether a cursor stands in for the other arguments.
func (in *input) continued() bool { return in.given["cursor"] != "" }

// mostStdin bounds what is read from standard input, in bytes.
const mostStdin = 64 << 20

// fromStdin reads the argument that was given as a dash.
func (in *input) fromStdin(stdin io.Reader) error {
	taken := ""
	for _, a := range in.args {
		if !a.Stdin || in.given[a.Name] == "" && a.Default != "-" || in.field(a).String() != "-" {
			continue
		}
		if taken != "" {
			return fault.New(fault.Usage, "%s: %s and %s cannot both be standard input", in.op.Name, taken, in.given[a.Name])
		}
		taken = cmp.Or(in.given[a.Name], shown(a))
		b, err := file.ReadUpTo(stdin, mostStdin)
		switch {
		case errors.Is(err, file.ErrTooLarge):
			return fault.New(fault.Usage, "standard input: %v", err)
		case err != nil:
			return fault.New(fault.Unavailable, "standard input cannot be read").Because(err)
		}
		in.read[a.Name] = true
		in.field(a).SetString(strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r"))
	}
	return nil
}

// check holds the values to their ranges and the flags to their groups.
func (in *input) check() error {
	groups := map[string]string{}
	for _, a := range in.args {
		given := in.given[a.Name]
		if given == "" {
			continue
		}
		if wrong := a.Check(in.field(a)); wrong != "" {
			return in.amended(fault.New(fault.Usage, "%s: %s: %s", in.op.Name, given, wrong))
		}
		if a.Group == "" || a.Type.Kind() == reflect.Bool && !in.field(a).Bool() {
			continue
		}
		if other, ok := groups[a.Group]; ok {
			return fault.New(fault.Usage, "%s: %s and %s exclude each other", in.op.Name, other, given).Or("give one of them")
		}
		groups[a.Group] = given
	}
	return nil
}

// amended gives an error about a range the same command with every value moved into its own, or where no such is near, an example.
func (in *input) amended(e *fault.Error) error {
	var args []fault.Arg
	for _, a := range in.args {
		if in.given[a.Name] == "" {
			continue
		}
		if in.read[a.Name] {
			return e.Or("for example: %s", in.op.Example) // standard input cannot be given again
		}
		v := in.field(a)
		if a.Check(v) != "" {
			near, ok := a.Nearest(v)
			if v.Kind() == reflect.String && in.op.Effect == op.Writes && ok {
				return e.Or("did you mean %v?", near) // a guess must not lead to what a person did not ask to have written
			}
			if !ok {
				return e.Or("for example: %s", in.op.Example)
			}
			v = near
		}
		args = append(args, fault.Arg{Name: a.Name, Value: reflect.Indirect(v).Interface()})
	}
	return e.Try(in.op.Name, args...)
}

// A flagValue sets a field from a word of the command line.
type flagValue struct {
	in  *input
	arg op.Arg
	as  string // how the person names it
}

func (f *flagValue) String() string { return "" }

func (f *flagValue) Type() string { return valueName(f.arg) }

func (f *flagValue) Set(s string) error {
	if f.arg.Name == "root" && f.arg.Type.Kind() == reflect.String && f.in.given["root"] != "" {
		return f.another(s)
	}
	f.in.given[f.arg.Name] = f.as
	if wrong := f.arg.Parse(s, f.in.field(f.arg)); wrong != "" {
		return errors.New(wrong)
	}
	return nil
}

// another adds a root to the one that was given before: none takes the place of another unsaid.
func (f *flagValue) another(s string) error {
	i := slices.IndexFunc(f.in.args, func(a op.Arg) bool { return a.Name == "roots" })
	if i < 0 {
		return errors.New("it is given twice, and this is about one folder")
	}
	roots, one := f.in.field(f.in.args[i]), f.in.field(f.arg)
	if one.String() != "" {
		roots.Set(reflect.Append(roots, one))
	}
	one.SetString("")
	roots.Set(reflect.Append(roots, reflect.ValueOf(s)))
	return nil
}

// mostEnum is how long a list of values may be that stands for a value: a longer one is for the argument's help to tell.
const mostEnum = 16

// valueName is what a flag's value is called in help.
func valueName(a op.Arg) string {
	t := a.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case a.Value != "":
		return a.Value
	case len(a.Enum) > 0 && len(strings.Join(a.Enum, "|")) <= mostEnum:
		return strings.Join(a.Enum, "|")
	case t.Kind() == reflect.Int:
		return "N"
	case t.Kind() == reflect.Float64:
		return "SCORE"
	case t.Kind() == reflect.Bool:
		return ""
	}
	name := a.Name
	if one, ok := strings.CutSuffix(name, "ies"); ok {
		name = one + "y"
	} else if one, ok := strings.CutSuffix(name, "s"); ok && t.Kind() == reflect.Slice && !strings.ContainsAny(name[len(one)-1:len(one)], "aius") {
		name = one // of a list, one; focus, hypothesis and class are one
	}
	return strings.ToUpper(name)
}

func flagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
