package op

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// An Arg is one field of an operation's input, as its tags describe it:
//
//	json      its name; omitempty: it may be omitted
//	arg       its place on a command line: "1", "2", … or "rest"
//	flag      its names as a flag; one letter is a shorthand
//	group     at most one flag of a group may be given
//	min, max  the range of a number, the length of a string
//	enum      the values a string may have, separated by |
//	default   what it is taken to be when it is omitted
//	stdin     "true": a command takes - to mean its standard input
//	single    "true": a list whose schema is that of one string; a list is accepted all the same
//	value     what help calls its value, where its name and its type do not say that
//	help      what it is for
//	out       what it names that is written, see Output
//
// A field is a string, a bool, an int, a float64, a pointer to a number where nothing differs from zero, or a list of strings.
type Arg struct {
	Name     string
	Index    []int // of the field
	Type     reflect.Type
	Place    int // on the command line from 1; 0: a flag only
	Rest     bool
	Join     string // that is between further words, which are alternatives
	Flags    []string
	Short    []string // of the first flags, one each
	Group    string
	Min, Max *float64
	Enum     []string
	Pattern  *regexp.Regexp // of a string; nil: any
	Default  string
	Stdin    bool
	Single   bool
	Value    string
	Help     string
	Required bool
	Output   Output
}

// Args returns the arguments that a struct describes, those of embedded structs among them: positional ones first. A field that no
// presenter could fill is an error.
func Args(t reflect.Type) ([]Arg, error) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("the input is a %v, not a struct", t)
	}
	var out []Arg
	names := map[string]string{}
	// Every command has these.
	flags := map[string]string{"json": "every command", "jsonl": "every command", "table": "every command", "help": "every command", "h": "every command"}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		a, err := newArg(f)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		if other, ok := names[a.Name]; ok {
			return nil, fmt.Errorf("%s.%s: the name %s is taken by %s", t, f.Name, a.Name, other)
		}
		names[a.Name] = f.Name
		for _, flag := range slices.Concat(a.Flags, a.Short) {
			if other, ok := flags[flag]; ok {
				return nil, fmt.Errorf("%s.%s: the flag %s is taken by %s", t, f.Name, flag, other)
			}
			flags[flag] = f.Name
		}
		out = append(out, a)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].order() < out[j].order() })
	if err := inPlace(out); err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
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

// inPlace reports what is wrong with the places of sorted arguments.
func inPlace(args []Arg) error {
	optional, rest := false, false
	for i, a := range args {
		switch {
		case a.Rest && rest:
			return fmt.Errorf("%s: another argument takes the rest already", a.Name)
		case a.Rest:
			rest = true
		case a.Place == 0:
			continue
		case a.Place != i+1:
			return fmt.Errorf("%s: its place is %d, the next that is free is %d", a.Name, a.Place, i+1)
		case a.Required && optional:
			return fmt.Errorf("%s: a required argument after one that is not", a.Name)
		}
		optional = optional || !a.Required
	}
	return nil
}

func newArg(f reflect.StructField) (Arg, error) {
	name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
	a := Arg{Name: name, Index: f.Index, Type: f.Type, Group: f.Tag.Get("group"), Default: f.Tag.Get("default"),
		Stdin: f.Tag.Get("stdin") != "", Single: f.Tag.Get("single") != "", Join: f.Tag.Get("join"),
		Value: f.Tag.Get("value"), Help: f.Tag.Get("help"), Required: !strings.Contains(opts, "omitempty")}
	if name == "" || name == "-" {
		return a, errors.New("it has no json name")
	}
	switch f.Type {
	case reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[float64](),
		reflect.TypeFor[*float64](), reflect.TypeFor[*int](), reflect.TypeFor[[]string]():
	default:
		return a, fmt.Errorf("a %s cannot be given", f.Type)
	}
	var err error
	if a.Output, err = readOutput(f.Tag.Get("out")); err != nil {
		return a, err
	}
	if k := a.kind(); a.Output.Kind != "" && k != reflect.String && (k != reflect.Slice || a.Output.Kind != "edit") {
		return a, fmt.Errorf("a %s names no output", f.Type)
	}
	for _, read := range []func(reflect.StructTag) error{a.readPlace, a.readRange, a.readFlags} {
		if err := read(f.Tag); err != nil {
			return a, err
		}
	}
	return a, a.readDefault()
}

func (a *Arg) readPlace(tag reflect.StructTag) error {
	switch place := tag.Get("arg"); {
	case place == "rest":
		if a.Rest = true; a.Type.Kind() != reflect.Slice {
			return fmt.Errorf("a %s cannot take the rest", a.Type)
		}
	case place != "":
		n, err := strconv.Atoi(place)
		if err != nil || n < 1 {
			return fmt.Errorf("arg:%q is not a position", place)
		}
		a.Place = n
	}
	return nil
}

func (a *Arg) readRange(tag reflect.StructTag) error {
	for _, bound := range []struct {
		name string
		to   **float64
	}{{"min", &a.Min}, {"max", &a.Max}} {
		s := tag.Get(bound.name)
		if s == "" {
			continue
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("%s:%q is not a number", bound.name, s)
		}
		if k := a.kind(); k == reflect.Bool || k == reflect.Slice {
			return fmt.Errorf("a %s has no %s", a.Type, bound.name)
		}
		*bound.to = &v
	}
	if a.Min != nil && a.Max != nil && *a.Min > *a.Max {
		return fmt.Errorf("no value is between %v and %v", *a.Min, *a.Max)
	}
	if s := tag.Get("pattern"); s != "" {
		var err error
		if a.Pattern, err = regexp.Compile(s); err != nil || a.kind() != reflect.String && !a.Single {
			return fmt.Errorf("pattern:%q is none of a %s: %v", s, a.Type, err)
		}
	}
	if s := tag.Get("enum"); s != "" {
		a.Enum = strings.Split(s, "|")
	}
	if (a.Enum != nil || a.Stdin) && a.kind() != reflect.String {
		return fmt.Errorf("a %s can be no enum and does not come from standard input", a.Type)
	}
	return nil
}

func (a *Arg) readFlags(tag reflect.StructTag) error {
	if tag.Get("flag") == "" {
		return nil
	}
	for name := range strings.SplitSeq(tag.Get("flag"), ",") {
		switch {
		case !flagName(name):
			return fmt.Errorf("%q is not a valid flag name", name)
		case len(name) == 1:
			a.Short = append(a.Short, name)
		default:
			a.Flags = append(a.Flags, name)
		}
	}
	if len(a.Short) > len(a.Flags) {
		return errors.New("a shorthand without a flag")
	}
	return nil
}

// flagName reports whether a name can be typed after a dash or two.
func flagName(s string) bool {
	for i, r := range s {
		lower := r >= 'a' && r <= 'z'
		if !lower && (len(s) > 1 || r < 'A' || r > 'Z') && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != ""
}

func (a *Arg) readDefault() error {
	if a.Default == "" {
		return nil
	}
	v := reflect.New(a.Type).Elem()
	if a.Required {
		return errors.New("a default for what has to be given")
	}
	if wrong := a.Parse(a.Default, v); wrong != "" {
		return fmt.Errorf("default: %s", wrong)
	}
	if wrong := a.Check(v); wrong != "" {
		return fmt.Errorf("default: %s", wrong)
	}
	return nil
}

// kind is the kind of value that the argument has.
func (a Arg) kind() reflect.Kind {
	if a.Type.Kind() == reflect.Pointer {
		return a.Type.Elem().Kind()
	}
	return a.Type.Kind()
}

// Parse sets a field of the argument's type from a word, or adds the word to it
// if it is a list. It returns what is wrong with the word, or "".
func (a Arg) Parse(s string, field reflect.Value) string {
	switch a.kind() {
	case reflect.String:
		field.SetString(s)
	case reflect.Int:
		n, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Sprintf("%q is not an integer", s)
		}
		setNumber(field, n)
	case reflect.Float64:
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Sprintf("%q is not a number", s)
		}
		setNumber(field, n)
	case reflect.Bool:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return fmt.Sprintf("%q is neither true nor false", s)
		}
		field.SetBool(b)
	case reflect.Slice:
		field.Set(reflect.Append(field, reflect.ValueOf(s)))
	}
	return ""
}

// setNumber sets a field that is a number, or a pointer to one.
func setNumber[N int | float64](field reflect.Value, n N) {
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.ValueOf(&n))
		return
	}
	field.Set(reflect.ValueOf(n))
}

// Check returns what is wrong with a value of the argument, or "".
func (a Arg) Check(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	var n, dense float64
	unit := ""
	switch v.Kind() {
	case reflect.Int:
		n = float64(v.Int())
	case reflect.Float64:
		n = v.Float()
	case reflect.String:
		n, unit = float64(len([]rune(v.String()))), " characters"
		dense = float64(text.Dense(v.String()))
		if len(a.Enum) > 0 && !slices.Contains(a.Enum, v.String()) {
			return fmt.Sprintf("%q is not one of %s", v.String(), strings.Join(a.Enum, ", "))
		}
		if a.Pattern != nil && !a.Pattern.MatchString(v.String()) {
			return fmt.Sprintf("%q does not match %s", v.String(), a.Pattern)
		}
	case reflect.Slice:
		for i := range v.Len() {
			if s := v.Index(i).String(); a.Pattern != nil && !a.Pattern.MatchString(s) {
				return fmt.Sprintf("%q does not match %s", s, a.Pattern)
			}
		}
		return ""
	default:
		return ""
	}
	switch {
	case n != n:
		return "not a number"
	case a.Min != nil && dense > 0 && n+dense < *a.Min:
		return fmt.Sprintf("%v%s is below the minimum, %d of Chinese, Japanese or Korean", n, unit, *fewest(a.Min))
	case a.Min != nil && n+dense < *a.Min: // a dense character counts twice
		return fmt.Sprintf("%v%s is below the minimum, %v", n, unit, *a.Min)
	case a.Max != nil && n > *a.Max:
		return fmt.Sprintf("%v%s is above the maximum, %v", n, unit, *a.Max)
	}
	return ""
}

// Nearest returns the value that is nearest to one of the argument's that Check refuses: the end of its range, or the word of its
// enum that is most like it. There is none for a string of the wrong length.
func (a Arg) Nearest(v reflect.Value) (reflect.Value, bool) {
	out := reflect.New(a.Type).Elem()
	v = reflect.Indirect(v)
	switch a.kind() {
	case reflect.String:
		word := text.Nearest(v.String(), a.Enum)
		out.SetString(word)
		return out, word != ""
	case reflect.Int, reflect.Float64:
		n := v.Convert(reflect.TypeFor[float64]()).Float()
		for _, end := range []*float64{a.Min, a.Max} {
			if end == nil || !(end == a.Min && n < *end || end == a.Max && n > *end) {
				continue
			}
			if a.kind() == reflect.Int {
				setNumber(out, int(*end))
			} else {
				setNumber(out, *end)
			}
			return out, true
		}
	}
	return out, false
}
