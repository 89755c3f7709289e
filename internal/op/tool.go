package op

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-dev/assay/internal/fault"
)

// tool describes a tool with arguments of type A, which in turns into the
// operation's input. With a cursor, the query alone is enough.
func tool[A, In any](name, brief string, in func(A) In) Tool {
	args, err := Args(reflect.TypeFor[A]())
	if err != nil {
		panic(err) // a defect of the struct's tags, met by every test
	}
	return Tool{
		Name:   name,
		Brief:  brief,
		Schema: schema(args),
		Decode: func(raw json.RawMessage) (any, error) {
			var a A
			if err := decode(name, args, raw, &a); err != nil {
				return nil, err
			}
			return in(a), nil
		},
	}
}

// schema is the JSON schema of a tool's arguments.
func schema(args []Arg) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, a := range args {
		p := &jsonschema.Schema{Description: a.Help}
		t := a.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Int:
			p.Type, p.Minimum, p.Maximum = "integer", a.Min, a.Max
		case reflect.Float64:
			p.Type, p.Minimum, p.Maximum = "number", a.Min, a.Max
		case reflect.Bool:
			p.Type = "boolean"
		case reflect.String:
			p.Type = "string"
			p.MinLength, p.MaxLength = length(a.Min), length(a.Max)
			for _, v := range a.Enum {
				p.Enum = append(p.Enum, v)
			}
		case reflect.Slice:
			p.Type, p.Items = "array", &jsonschema.Schema{Type: "string"}
		}
		if a.Default != "" {
			p.Default = json.RawMessage(a.Default)
			if t.Kind() == reflect.String {
				p.Default = json.RawMessage(strconv.Quote(a.Default))
			}
		}
		s.Properties[a.Name] = p
		s.PropertyOrder = append(s.PropertyOrder, a.Name)
		if a.Required {
			s.Required = append(s.Required, a.Name)
		}
	}
	return s
}

func length(f *float64) *int {
	if f == nil {
		return nil
	}
	n := int(*f)
	return &n
}

// decode fills the struct that to points to from raw, which must be an object
// with the arguments and nothing else, and each in its range.
func decode(name string, args []Arg, raw json.RawMessage, to any) error {
	if len(bytes.TrimSpace(raw)) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		raw = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return fault.New(fault.Usage, "%s: the arguments are not a JSON object", name).Or("%s", known(args))
	}
	for _, key := range sortedKeys(given) {
		if !slices.ContainsFunc(args, func(a Arg) bool { return a.Name == key }) {
			return fault.New(fault.Usage, "%s has no argument %q", name, key).Or("%s", known(args))
		}
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if err := dec.Decode(to); err != nil {
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return fault.New(fault.Usage, "%s: %s has to be a %s, not a %s", name, e.Field, kindName(e.Type), e.Value).Or("%s", known(args))
		}
		return fault.New(fault.Usage, "%s: the arguments cannot be read", name).Because(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return fault.New(fault.Usage, "%s: there is more after the arguments", name)
	}
	v := reflect.ValueOf(to).Elem()
	for _, a := range args {
		field := v.FieldByIndex(a.Index)
		_, has := given[a.Name]
		if !has && a.Required {
			return fault.New(fault.Usage, "%s needs %s", name, a.Name).Or("%s", known(args))
		}
		if !has {
			if err := setDefault(a, field); err != nil {
				return err
			}
			continue
		}
		if wrong := a.Check(field); wrong != "" {
			return fault.New(fault.Usage, "%s: %s: %s", name, a.Name, wrong).Or("%s", known(args))
		}
	}
	return nil
}

func setDefault(a Arg, field reflect.Value) error {
	if a.Default == "" {
		return nil
	}
	switch field.Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(a.Default)
		field.SetInt(int64(n))
		return err
	case reflect.Bool:
		field.SetBool(a.Default == "true")
	case reflect.String:
		field.SetString(a.Default)
	}
	return nil
}

func kindName(t reflect.Type) string {
	if t == nil {
		return "value"
	}
	switch t.Kind() {
	case reflect.Int, reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list of strings"
	case reflect.Bool:
		return "boolean"
	}
	return t.Kind().String()
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

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
