package cli

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-dev/assay/internal/fault"
	"github.com/assay-dev/assay/internal/op"
)

// An input is the input of an operation while its command line is read.
type input struct {
	op   op.Op
	args []op.Arg
	v    reflect.Value // a pointer to the struct
}

func newInput(o op.Op) (*input, error) {
	args, err := op.Args(o.In)
	return &input{o, args, reflect.New(o.In)}, err
}

func (in *input) value() any { return in.v.Elem().Interface() }

func (in *input) field(a op.Arg) reflect.Value { return in.v.Elem().FieldByIndex(a.Index) }

// register makes a flag of each argument that is one; other names of a flag are
// hidden flags that set the same field.
func (in *input) register(c *cobra.Command) error {
	for _, a := range in.args {
		for i, name := range a.Flags {
			short := ""
			if i < len(a.Short) {
				short = a.Short[i]
			}
			f := c.Flags().VarPF(&flagValue{a, in.field(a)}, name, short, a.Help)
			f.Hidden = i > 0
			if a.Type.Kind() == reflect.Bool {
				f.NoOptDefVal = "true"
			}
		}
	}
	return nil
}

// positional fills the arguments that have a place, in order, and those that
// take the rest.
func (in *input) positional(words []string) error {
	for _, a := range in.args {
		switch {
		case a.Place > 0:
			if len(words) == 0 {
				if a.Required && in.field(a).IsZero() && !in.continued() {
					return fault.New(fault.Usage, "%s: %s is missing", in.op.Name, strings.ToUpper(a.Name)).Or("for example: %s", in.op.Example)
				}
				continue
			}
			if err := (&flagValue{a, in.field(a)}).Set(words[0]); err != nil {
				return err
			}
			words = words[1:]
		case a.Rest:
			for _, w := range words {
				if err := (&flagValue{a, in.field(a)}).Set(w); err != nil {
					return err
				}
			}
			words = nil
		}
	}
	if len(words) > 0 {
		return fault.New(fault.Usage, "%s: %q is one argument too many", in.op.Name, words[0]).Or("quote an argument that has spaces; assay %s --help shows the usage", in.op.Name)
	}
	return nil
}

// continued reports whether a cursor stands in for the other arguments.
func (in *input) continued() bool {
	for _, a := range in.args {
		if a.Name == "cursor" {
			return !in.field(a).IsZero()
		}
	}
	return false
}

// check holds the values to their ranges and the flags to their groups.
func (in *input) check(c *cobra.Command) error {
	groups := map[string]string{}
	for _, a := range in.args {
		given := ""
		for _, name := range a.Flags {
			if c.Flags().Changed(name) {
				given = name
			}
		}
		if given == "" {
			continue
		}
		if wrong := a.Check(in.field(a)); wrong != "" {
			return fault.New(fault.Usage, "%s: --%s: %s", in.op.Name, given, wrong)
		}
		if a.Group == "" || a.Type.Kind() == reflect.Bool && !in.field(a).Bool() {
			continue
		}
		if other, ok := groups[a.Group]; ok {
			return fault.New(fault.Usage, "%s: --%s and --%s exclude each other", in.op.Name, other, given).Or("give one of them")
		}
		groups[a.Group] = given
	}
	return nil
}

// A flagValue sets a field from a word of the command line.
type flagValue struct {
	arg   op.Arg
	field reflect.Value
}

func (f *flagValue) String() string { return "" }

func (f *flagValue) Type() string {
	t := f.field.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int:
		return "N"
	case reflect.Float64:
		return "S"
	case reflect.Bool:
		return ""
	}
	return strings.ToUpper(strings.TrimSuffix(f.arg.Name, "s"))
}

func (f *flagValue) Set(s string) error {
	v := f.field
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Int:
		n, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Errorf("%q is no whole number", s)
		}
		v.SetInt(int64(n))
	case reflect.Float64:
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("%q is no number", s)
		}
		v.SetFloat(n)
	case reflect.Bool:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", s)
		}
		v.SetBool(b)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.ValueOf(s)))
	}
	return nil
}

func flagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// nearest returns the name that is at most two edits and a third of its length
// away, or "".
func nearest(word string, names []string) string {
	best, least := "", 3
	for _, n := range names {
		if d := distance(word, n); d < least && 3*d <= max(len(n), 3) {
			best, least = n, d
		}
	}
	return best
}

// distance is the number of letters to add, drop or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			prev, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, prev+cost)
		}
	}
	return row[len(b)]
}
