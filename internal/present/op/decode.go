package op

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"

	"github.com/assay-dev/assay/internal/base/fault"
)

// members reads the arguments of a call, a JSON object. If a name is given twice, the last value counts. The map is never nil.
func members(tool string, args []Arg, raw json.RawMessage) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return given, nil
	}
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, fault.New(fault.Usage, "%s: the arguments are not a JSON object", tool).Or("%s", known(args))
	}
	return given, nil
}

// object reads arguments with the names that are known and no others.
func object(tool string, args []Arg, raw json.RawMessage) (map[string]json.RawMessage, error) {
	given, err := members(tool, args, raw)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(args, func(a Arg) bool { return a.Name == key }) {
			return nil, fault.New(fault.Usage, "%s has no argument %q", tool, key).Or("%s", known(args))
		}
	}
	return given, nil
}

// fill sets the fields of a struct from the arguments of a call, and where there are none from the defaults.
func fill(tool string, args []Arg, given map[string]json.RawMessage, to reflect.Value) error {
	for _, a := range args {
		field := to.FieldByIndex(a.Index)
		raw, has := given[a.Name]
		wrong := ""
		switch {
		case has:
			if wrong = a.unmarshal(raw, field); wrong == "" {
				wrong = a.Check(field)
			}
		case a.Required:
			return fault.New(fault.Usage, "%s needs %s", tool, a.Name).Or("%s", known(args))
		case a.Default != "":
			wrong = a.Parse(a.Default, field)
		}
		if wrong != "" {
			return fault.New(fault.Usage, "%s: %s: %s", tool, a.Name, wrong).Or("%s", known(args))
		}
	}
	return nil
}

// unmarshal sets a field of the argument's type from JSON. It returns what is wrong with it, or "".
func (a Arg) unmarshal(raw json.RawMessage, field reflect.Value) string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "it is out of all bounds" // raw is valid JSON: it can only be a number
	}
	switch a.kind() {
	case reflect.String:
		if s, ok := v.(string); ok {
			field.SetString(s)
			return ""
		}
	case reflect.Bool:
		if s, ok := v.(string); ok && a.Parse(s, field) == "" { // some agents quote every value
			return ""
		}
		if b, ok := v.(bool); ok {
			field.SetBool(b)
			return ""
		}
	case reflect.Int:
		if s, ok := v.(string); ok && a.Parse(s, field) == "" {
			return ""
		}
		// 20.0 is an integer to JSON Schema, and some clients write it so.
		const exact = 1 << 53
		if n, ok := v.(float64); ok && n == math.Trunc(n) && math.Abs(n) <= exact {
			setNumber(field, int(n))
			return ""
		}
	case reflect.Float64:
		if s, ok := v.(string); ok && a.Parse(s, field) == "" {
			return ""
		}
		if n, ok := v.(float64); ok {
			setNumber(field, n)
			return ""
		}
	case reflect.Slice:
		if s, ok := v.(string); ok { // a list of one
			if s != "" || !a.Single {
				field.Set(reflect.ValueOf([]string{s}))
			}
			return ""
		}
		if list, ok := v.([]any); ok {
			words := make([]string, 0, len(list))
			for _, e := range list {
				if s, ok := e.(string); ok {
					words = append(words, s)
				}
			}
			if len(words) == len(list) {
				field.Set(reflect.ValueOf(words))
				return ""
			}
		}
	}
	return fmt.Sprintf("it has to be %s, not %s", a.noun(), excerpt(raw))
}

// noun says what the argument is.
func (a Arg) noun() string {
	switch a.kind() {
	case reflect.Int:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list of strings"
	}
	return "a string"
}

// excerpt is as much of a value as an error message can hold.
func excerpt(raw json.RawMessage) string {
	return text.Short(string(raw), 40)
}

func known(args []Arg) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = a.Name
		if a.Required {
			names[i] += " (required)"
		}
	}
	return fmt.Sprintf("its arguments are %s", strings.Join(names, ", "))
}
