package op

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-dev/assay/internal/base/fault"
)

// tool describes a tool of operation op with arguments of type A, which in turns
// into the operation's input. With a cursor, the query alone is enough.
func tool[A, In any](op, name, brief string, in func(A) In) Tool {
	return described(name, brief, reflect.TypeFor[A]()).decoding(op, func(args []Arg, given map[string]json.RawMessage) (any, error) {
		var a A
		err := fill(name, args, given, reflect.ValueOf(&a).Elem())
		return in(a), err
	})
}

// decoding is the tool that reads its arguments by filled, which makes an operation's input of them.
// It is apart from tool, because generic code stands in the program once for each type.
func (t Tool) decoding(op string, filled func(args []Arg, given map[string]json.RawMessage) (any, error)) Tool {
	name, read := t.Name, t.args
	t.Decode = func(raw json.RawMessage) (any, error) {
		args, _ := read() // Check tells the error
		given, err := object(name, args, raw)
		if err != nil {
			return nil, err
		}
		decode := func(given map[string]json.RawMessage) (any, error) { return filled(args, given) }
		v, err := decode(given)
		if err == nil {
			return v, nil
		}
		if nearest, ok := clamp(args, given); ok {
			return nil, repaired(err, op, args, nearest, decode)
		}
		return nil, err
	}
	return t
}

// described is a tool without Decode, whose arguments are the fields of a type.
func described(name, brief string, of reflect.Type) Tool {
	read := sync.OnceValues(func() ([]Arg, error) { return Args(of) })
	return Tool{Name: name, Brief: brief, args: read, Schema: sync.OnceValue(func() *jsonschema.Schema {
		args, _ := read()
		return schema(args)
	})}
}

// wrong returns why the tool cannot be.
func (t Tool) wrong() error {
	if t.args == nil { // it has its own Decode
		return nil
	}
	return fault.Only(t.args())
}

// showing says in the schema what a call has that does not give an argument, where the
// surroundings decide that: the operation fills it in.
func (t Tool) showing(name string, value float64) Tool {
	return t.changed(func(s *jsonschema.Schema) {
		if p := s.Properties[name]; p != nil {
			p.Default = json.RawMessage(strconv.FormatFloat(value, 'g', -1, 64))
		}
	})
}

// hiding omits arguments from the schema, which a call may give all the same.
func (t Tool) hiding(names ...string) Tool {
	return t.changed(func(s *jsonschema.Schema) { omit(s, names...) })
}

// omit takes arguments out of a schema.
func omit(s *jsonschema.Schema, names ...string) {
	for _, name := range names {
		delete(s.Properties, name)
	}
	s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(name string) bool { return slices.Contains(names, name) })
}

// alsoCalled accepts an argument by another name too, which agents give it whatever the schema says.
func (t Tool) alsoCalled(argument string, names ...string) Tool {
	decode := t.Decode
	t.Decode = func(raw json.RawMessage) (any, error) {
		var given map[string]json.RawMessage
		if json.Unmarshal(raw, &given) != nil || given[argument] != nil {
			return decode(raw)
		}
		for _, name := range names {
			value, has := given[name]
			if !has {
				continue
			}
			delete(given, name)
			given[argument] = value
			renamed, err := json.Marshal(given)
			if err != nil {
				return nil, err
			}
			return decode(renamed)
		}
		return decode(raw)
	}
	return t
}

// changed is the tool with a schema that is changed when it is made.
func (t Tool) changed(change func(*jsonschema.Schema)) Tool {
	made := t.Schema
	t.Schema = sync.OnceValue(func() *jsonschema.Schema {
		s := made()
		change(s)
		return s
	})
	return t
}

// lenientTool describes a tool that is called by programs written for another server: what it does not know it ignores, and
// aliases name its arguments by the names that they have elsewhere. A required string that is missing or none is refused in the
// words of that server.
func lenientTool[A, In any](op, name, brief string, aliases map[string]string, refuse refusal, in func(A) In) Tool {
	t := tool(op, name, brief, in).changed(func(s *jsonschema.Schema) { s.AdditionalProperties = nil })
	t.Decode = func(raw json.RawMessage) (any, error) {
		args, _ := t.args()
		given, err := members(name, args, raw)
		if err != nil {
			return nil, err
		}
		for _, alias := range slices.Sorted(maps.Keys(aliases)) {
			to := aliases[alias]
			if _, has := given[to]; !has && given[alias] != nil {
				given[to] = given[alias]
			}
		}
		if wrong := notStrings(args, given); len(wrong) > 0 {
			return nil, fault.New(fault.Usage, "%s", refuse(name, wrong))
		}
		var a A
		if err := fill(name, args, given, reflect.ValueOf(&a).Elem()); err != nil {
			return nil, err
		}
		return in(a), nil
	}
	return t
}

// A refusal is what a tool says of required arguments that are no strings: the name of each, and the kind of what was received.
type refusal func(tool string, wrong [][2]string) string

// notStrings returns the required strings that are none, with what was received.
func notStrings(args []Arg, given map[string]json.RawMessage) (wrong [][2]string) {
	for _, a := range args {
		if a.kind() != reflect.String || !a.Required {
			continue
		}
		if received := kindOf(given[a.Name]); received != "string" {
			wrong = append(wrong, [2]string{a.Name, received})
		}
	}
	return wrong
}

// kindOf names the kind of a JSON value as JavaScript does.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "undefined"
	}
	switch raw[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// schema is the JSON schema of a tool's arguments.
func schema(args []Arg) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, a := range args {
		p := &jsonschema.Schema{Description: a.Help}
		switch a.kind() {
		case reflect.Int:
			p.Type, p.Minimum, p.Maximum = "integer", a.Min, a.Max
		case reflect.Float64:
			p.Type, p.Minimum, p.Maximum = "number", a.Min, a.Max
		case reflect.Bool:
			p.Type = "boolean"
		case reflect.String:
			p.Type = "string"
			p.MinLength, p.MaxLength = fewest(a.Min), length(a.Max)
			if a.Pattern != nil {
				p.Pattern = a.Pattern.String()
			}
			for _, v := range a.Enum {
				p.Enum = append(p.Enum, v)
			}
		case reflect.Slice:
			p.Type, p.Items = "array", &jsonschema.Schema{Type: "string"}
			if a.Single {
				p.Type, p.Items = "string", nil
			}
			if a.Single && a.Pattern != nil {
				p.Pattern = a.Pattern.String()
			}
		}
		if a.Default != "" {
			p.Default = json.RawMessage(a.Default)
			if a.kind() == reflect.String {
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

// fewest is the minimum of characters that a schema can state: those of which a word needs few count twice.
func fewest(f *float64) *int {
	n := length(f)
	if n != nil {
		*n = (*n + 1) / 2
	}
	return n
}

func length(f *float64) *int {
	if f == nil {
		return nil
	}
	n := int(*f)
	return &n
}

// clamp moves the values that are out of their range to the nearest that is not. It reports whether there were any.
func clamp(args []Arg, given map[string]json.RawMessage) (map[string]json.RawMessage, bool) {
	out := map[string]json.RawMessage{}
	moved := false
	for _, a := range args {
		raw, has := given[a.Name]
		if !has {
			continue
		}
		out[a.Name] = raw
		v := reflect.New(a.Type).Elem()
		if a.unmarshal(raw, v) != "" || a.Check(v) == "" {
			continue
		}
		if near, ok := a.Nearest(v); ok {
			if text, err := json.Marshal(near.Interface()); err == nil {
				out[a.Name], moved = text, true
			}
		}
	}
	return out, moved
}

// repaired gives an error the call that would have been sound. A Fix names fields of the operation's input: those in which the
// input of the repaired call differs from that of a call with nothing but what is required.
func repaired(err error, op string, args []Arg, given map[string]json.RawMessage, decode func(map[string]json.RawMessage) (any, error)) error {
	e, ok := err.(*fault.Error)
	if !ok {
		return err
	}
	least := map[string]json.RawMessage{}
	for _, a := range args {
		if raw, has := given[a.Name]; has && a.Required {
			least[a.Name] = raw
		}
	}
	whole, err := decode(given)
	if err != nil {
		return e
	}
	bare, err := decode(least)
	if err != nil {
		return e
	}
	fields, err := Args(reflect.TypeOf(whole))
	if err != nil {
		return e
	}
	var fix []fault.Arg
	for _, f := range fields {
		v := reflect.ValueOf(whole).FieldByIndex(f.Index)
		if _, required := least[f.Name]; !required && reflect.DeepEqual(v.Interface(), reflect.ValueOf(bare).FieldByIndex(f.Index).Interface()) {
			continue
		}
		if v = reflect.Indirect(v); v.IsValid() {
			fix = append(fix, fault.Arg{Name: f.Name, Value: v.Interface()})
		}
	}
	return e.Try(op, fix...)
}
