package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/op"
)

// maxRenamed bounds the search for an argument's name among a tool's.
const maxRenamed = 3

// complaint writes err the way a model can act on: the message, then the call
// that puts it right, or the advice in words where no tool does.
func (r *runner) complaint(err error, called op.Tool) string {
	s := worded(err.Error(), called)
	if fix := fault.FixOf(err); fix != nil {
		if call := r.suggestion(*fix, called); call != "" {
			return s + "\nfix: " + call
		}
	}
	if hint := advice(fault.HintOf(err), called); hint != "" {
		return s + "\nhint: " + hint
	}
	return s
}

var flagName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\B--[a-z][a-z-]*`) })

// worded names arguments of a tool by their names there, where an operation says the flag.
func worded(s string, t op.Tool) string {
	return flagName().ReplaceAllStringFunc(s, func(flag string) string {
		if name := strings.ReplaceAll(flag[2:], "-", "_"); t.Schema().Properties[name] != nil {
			return name
		}
		return flag
	})
}

// advice is worded without the parts that name flags which the tool has not.
func advice(hint string, t op.Tool) string {
	hint = worded(hint, t)
	if !flagName().MatchString(hint) {
		return hint
	}
	parts := strings.Split(strings.ReplaceAll(hint, ", or ", "; or "), "; ")
	parts = slices.DeleteFunc(parts, func(part string) bool { return flagName().MatchString(part) })
	return strings.TrimPrefix(strings.Join(parts, "; "), "or ")
}

// suggestion writes a fix as a call of one of its operation's tools, the called
// one if it is among them. A Fix names fields of the operation's input, a tool
// has its own arguments: what makes a call right is that the tool decodes it to
// an input that has every field of the fix. It is "" where no tool does.
func (r *runner) suggestion(fix fault.Fix, called op.Tool) string {
	i := slices.IndexFunc(r.catalogue, func(o op.Op) bool { return o.Name == fix.Op })
	if i < 0 {
		return ""
	}
	tools := r.catalogue[i].Tools
	if at := slices.IndexFunc(tools, func(t op.Tool) bool { return t.Name == called.Name }); at > 0 { // the one called first
		tools = slices.Concat(tools[at:at+1], tools[:at], tools[at+1:])
	}
	for _, t := range tools {
		var direct, other []fault.Arg
		for _, a := range fix.Args {
			if t.Schema().Properties[a.Name] != nil {
				direct = append(direct, a)
			} else {
				other = append(other, a)
			}
		}
		if len(other) > maxRenamed {
			continue
		}
		if args, ok := fit(t, fix, direct, other); ok {
			return "call " + t.Name + " " + string(args)
		}
	}
	return ""
}

// fit finds a place among the arguments of t for each of other: none, where the
// tool implies it, or one that is still free.
func fit(t op.Tool, fix fault.Fix, placed, other []fault.Arg) (json.RawMessage, bool) {
	if len(other) == 0 {
		raw, err := object(placed)
		if err != nil {
			return nil, false
		}
		in, err := t.Decode(raw)
		return raw, err == nil && has(in, fix.Args)
	}
	next, rest := other[0], other[1:]
	if raw, ok := fit(t, fix, placed, rest); ok {
		return raw, true
	}
	values := []any{next.Value}
	if list, ok := next.Value.([]string); ok && len(list) == 1 {
		values = append(values, list[0])
	}
	for _, name := range slices.Sorted(maps.Keys(t.Schema().Properties)) {
		if slices.ContainsFunc(placed, func(a fault.Arg) bool { return a.Name == name }) {
			continue
		}
		for _, v := range values {
			if raw, ok := fit(t, fix, append(slices.Clip(placed), fault.Arg{Name: name, Value: v}), rest); ok {
				return raw, true
			}
		}
	}
	return nil, false
}

// object writes arguments as a JSON object, in their order.
func object(args []fault.Arg) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, a := range args {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := codec.Marshal(a.Name)
		if err != nil {
			return nil, err
		}
		value, err := codec.Marshal(a.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// has says whether an operation's input has the values of args, where a field
// omitted is the zero value.
func has(in any, args []fault.Arg) bool {
	fields, ok := asJSON[map[string]any](in)
	if !ok {
		return false
	}
	for _, a := range args {
		want, ok := asJSON[any](a.Value)
		if !ok {
			return false
		}
		got, there := fields[a.Name]
		if there && reflect.DeepEqual(got, want) {
			continue
		}
		if v := reflect.ValueOf(a.Value); there || v.IsValid() && !v.IsZero() {
			return false
		}
	}
	return true
}

// asJSON returns a value as JSON has it.
func asJSON[T any](v any) (out T, ok bool) {
	raw, err := json.Marshal(v)
	ok = err == nil && json.Unmarshal(raw, &out) == nil
	return out, ok
}
