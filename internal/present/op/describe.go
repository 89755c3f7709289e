package op

import (
	"encoding/json"
	"reflect"
)

// Decode reads the input of an operation from JSON, by the names and the rules of its arguments.
func Decode(o Op, raw json.RawMessage) (any, error) {
	args, err := Args(o.In)
	if err != nil {
		return nil, err
	}
	given, err := object(o.Name, args, raw)
	if err != nil {
		return nil, err
	}
	v := reflect.New(o.In).Elem()
	if err := fill(o.Name, args, given, v); err != nil {
		return nil, err
	}
	return v.Interface(), nil
}
