package op

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// An Arg is one field of an operation's input, as its tags describe it:
//
//	json      its name
//	arg       its place on a command line: "1", "2", … or "rest"
//	flag      its names as a flag; one letter is a shorthand
//	group     at most one flag of a group may be given
//	min, max  the range of a number, the length of a string
//	enum      the values a string may have, separated by |
//	default   what a tool takes it to be when it is left out
//	help      what it is for
type Arg struct {
	Name     string
	Index    []int // of the field
	Type     reflect.Type
	Place    int // on the command line from 1; 0: a flag only
	Rest     bool
	Flags    []string
	Short    []string
	Group    string
	Min, Max *float64
	Enum     []string
	Default  string
	Help     string
	Required bool
}

// Args returns the arguments that a struct describes, those of embedded structs
// among them. A field that no presenter could fill is an error.
func Args(t reflect.Type) ([]Arg, error) {
	var out []Arg
	seen := map[string]string{}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			return nil, fmt.Errorf("%s.%s has no json name", t, f.Name)
		}
		a := Arg{Name: name, Index: f.Index, Type: f.Type, Group: f.Tag.Get("group"), Default: f.Tag.Get("default"),
			Help: f.Tag.Get("help"), Required: !strings.Contains(opts, "omitempty")}
		if err := a.read(f); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		for _, flag := range append(slices.Clone(a.Flags), a.Short...) {
			if other, ok := seen[flag]; ok {
				return nil, fmt.Errorf("%s.%s: the flag %s is taken by %s", t, f.Name, flag, other)
			}
			seen[flag] = f.Name
		}
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b Arg) int { return cmp.Compare(a.order(), b.order()) })
	return out, nil
}

// order puts positional arguments first, the rest of them last.
func (a Arg) order() int {
	switch {
	case a.Place > 0:
		return a.Place
	case a.Rest:
		return 100
	}
	return 101
}

func (a *Arg) read(f reflect.StructField) error {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Float64:
	case reflect.Slice:
		if t.Elem().Kind() != reflect.String {
			return fmt.Errorf("a list of %s cannot be given", t.Elem())
		}
	default:
		return fmt.Errorf("a %s cannot be given", f.Type)
	}
	switch place := f.Tag.Get("arg"); place {
	case "":
	case "rest":
		a.Rest = true
	default:
		n, err := strconv.Atoi(place)
		if err != nil || n < 1 {
			return fmt.Errorf("arg:%q is no place", place)
		}
		a.Place = n
	}
	for _, bound := range []struct {
		tag string
		to  **float64
	}{{"min", &a.Min}, {"max", &a.Max}} {
		if s := f.Tag.Get(bound.tag); s != "" {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return fmt.Errorf("%s:%q is no number", bound.tag, s)
			}
			*bound.to = &v
		}
	}
	if s := f.Tag.Get("enum"); s != "" {
		a.Enum = strings.Split(s, "|")
	}
	for name := range strings.SplitSeq(f.Tag.Get("flag"), ",") {
		switch {
		case name == "":
		case len(name) == 1:
			a.Short = append(a.Short, name)
		default:
			a.Flags = append(a.Flags, name)
		}
	}
	if len(a.Flags) == 0 && len(a.Short) > 0 {
		return fmt.Errorf("a shorthand without a flag")
	}
	return nil
}

// Check returns what is wrong with a value of the argument, or "".
func (a Arg) Check(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	var n float64
	unit := ""
	switch v.Kind() {
	case reflect.Int:
		n = float64(v.Int())
	case reflect.Float64:
		n = v.Float()
	case reflect.String:
		n, unit = float64(len([]rune(v.String()))), " characters"
		if len(a.Enum) > 0 && !slices.Contains(a.Enum, v.String()) {
			return fmt.Sprintf("%q is not one of %s", v.String(), strings.Join(a.Enum, ", "))
		}
	default:
		return ""
	}
	switch {
	case n != n:
		return "not a number"
	case a.Min != nil && n < *a.Min:
		return fmt.Sprintf("%v%s is less than the least, %v", n, unit, *a.Min)
	case a.Max != nil && n > *a.Max:
		return fmt.Sprintf("%v%s is more than the most, %v", n, unit, *a.Max)
	}
	return ""
}
