// Package codec writes answers as JSON. The names of files are bytes and JSON has
// only characters: beside a member whose string is not valid UTF-8, and so stands with
// U+FFFD in it, a member named as that one with "_bytes" at its end has the string
// itself, in base64. A program loses no name, and no type needs two fields for one.
// If there is a member of that name already, like the number index_bytes, the name is
// index_name_bytes.
package codec

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// suffix ends the name of a member that has the bytes of the one before it.
const suffix = "_bytes"

// lossy is how encoding/json writes a byte that is not part of a character; the
// character U+FFFD itself it writes as it is.
var lossy = []byte(`\ufffd`)

// Write writes a value as one line.
func WriteJSON(w io.Writer, v any) error {
	data, err := Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// Lines writes each element as a line.
func WriteLines[T any](w io.Writer, of []T) error {
	var b bytes.Buffer
	for i := range of {
		if err := WriteJSON(&b, &of[i]); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Plain returns a value as JSON in one line, without escapes for HTML.
func MarshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Marshal is Plain with the bytes of strings that are not UTF-8.
func Marshal(v any) ([]byte, error) {
	data, err := MarshalPlain(v)
	if err != nil || !bytes.Contains(data, lossy) {
		return data, err
	}
	return complete(data, reflect.ValueOf(v))
}

// Unmarshal reads a struct that Marshal wrote. It restores the bytes of strings that are members of it, or of lists of
// strings that are.
func Unmarshal(data []byte, v any) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, v); err != nil {
		return err
	}
	if !bytes.Contains(data, lossy) {
		return nil
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	for name, raw := range all {
		name, ok := strings.CutSuffix(name, suffix)
		if !ok {
			continue
		}
		field := member(plain(reflect.ValueOf(v)), name)
		switch {
		case !field.IsValid():
		case field.Kind() == reflect.String:
			var kept []byte
			if err := json.Unmarshal(raw, &kept); err != nil {
				return err
			}
			field.SetString(string(kept))
		case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.String:
			var kept [][]byte
			if err := json.Unmarshal(raw, &kept); err != nil {
				return err
			}
			for i, b := range kept {
				if b != nil && i < field.Len() {
					field.Index(i).SetString(string(b))
				}
			}
		}
	}
	return nil
}

// complete returns the JSON of a value with the members that its strings need.
func complete(data []byte, v reflect.Value) ([]byte, error) {
	v = plain(v)
	if !v.IsValid() || !bytes.Contains(data, lossy) || data[0] != '{' && data[0] != '[' {
		return data, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	out := []byte{data[0]}
	for i := 0; dec.More(); i++ {
		if i > 0 {
			out = append(out, ',')
		}
		var name string
		var item reflect.Value
		if data[0] == '[' {
			item = element(v, i)
		} else {
			t, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name = t.(string) // the name of a member is one
			item = member(v, name)
			quoted, err := MarshalPlain(name)
			if err != nil {
				return nil, err
			}
			out = append(append(out, quoted...), ':')
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, err
		}
		sub, err := complete(raw, item)
		if err != nil {
			return nil, err
		}
		out = append(out, sub...)
		if kept, ok := bytesOf(item); ok && data[0] == '{' {
			b, err := json.Marshal(kept)
			if err != nil {
				return nil, err
			}
			beside := name + suffix
			if member(v, beside).IsValid() {
				beside = name + "_name" + suffix
			}
			quoted, err := MarshalPlain(beside)
			if err != nil {
				return nil, err
			}
			out = append(append(append(out, ','), quoted...), ':')
			out = append(out, b...)
		}
	}
	return append(out, data[0]+2), nil // the brackets of ASCII are two apart
}

// bytesOf returns the value to write beside a member: the bytes of a string that is not valid UTF-8, or a list with null for
// the valid ones. ok is false if none is needed.
func bytesOf(v reflect.Value) (any, bool) {
	v = plain(v)
	if !v.IsValid() {
		return nil, false
	}
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		return []byte(s), !utf8.ValidString(s)
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k != reflect.String && k != reflect.Slice {
			return nil, false
		}
		list, any := make([]any, v.Len()), false
		for i := range list {
			if b, ok := bytesOf(v.Index(i)); ok {
				list[i], any = b, true
			}
		}
		return list, any
	}
	return nil, false
}

var marshaler, textMarshaler = reflect.TypeFor[json.Marshaler](), reflect.TypeFor[interface{ MarshalText() ([]byte, error) }]()

// plain follows pointers and interfaces. It returns the zero Value for a type with its own JSON encoding, because that must
// not be inspected.
func plain(v reflect.Value) reflect.Value {
	for v.IsValid() {
		t := v.Type()
		if t.Implements(marshaler) || t.Implements(textMarshaler) || reflect.PointerTo(t).Implements(marshaler) {
			return reflect.Value{}
		}
		if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
			break
		}
		v = v.Elem()
	}
	return v
}

func element(v reflect.Value, i int) reflect.Value {
	if k := v.Kind(); (k == reflect.Slice || k == reflect.Array) && i < v.Len() {
		return v.Index(i)
	}
	return reflect.Value{}
}

// member returns the field, or the value of a map, that a member was made of.
func member(v reflect.Value, name string) reflect.Value {
	switch v.Kind() {
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			return v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
		}
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(v.Type()) {
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !f.IsExported() || tag == "-" || f.Anonymous && tag == "" || tag != name && (tag != "" || f.Name != name) {
				continue
			}
			if field, err := v.FieldByIndexErr(f.Index); err == nil {
				return field
			}
		}
	}
	return reflect.Value{}
}
