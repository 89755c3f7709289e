package config

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
)

// errForm says that a valid file cannot be edited line by line.
var errForm = errors.New("the file uses a form of YAML that cannot be edited line by line")

// Set writes a setting into the user's file, which it creates if need be; every other
// byte of it stays. With unset the setting is removed.
func Set(file, name, value string, unset bool) error {
	k, ok := findKey(name)
	if !ok {
		return unknownSetting("config", name)
	}
	if !unset {
		if err := k.set(&Config{}, value); err != nil {
			return fault.New(fault.Usage, "%s", k.name).Because(err)
		}
		if k.absolute && value != "" && !filepath.IsAbs(value) {
			return fault.New(fault.Usage, "%s: %q is a relative path, which would depend on the working directory", k.name, value).Or("use an absolute path")
		}
	}
	old, err := readUser(file)
	if err != nil {
		return err
	}
	before, err := parse(old, file)
	if err != nil {
		return err
	}
	text, err := editText(old, name, value, unset)
	if err == nil && !changesOnly(before, text, file, name, value, unset) {
		err = errForm
	}
	if err != nil {
		return fault.New(fault.Usage, "cannot change %s in %s", name, file).Because(err).Or("edit it by hand: assay config edit")
	}
	return save(file, text)
}

// Create creates the user's file if it does not exist.
func Create(file string) error {
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return nil // reading the file reports any other error
	}
	return save(file, []byte("# Settings of assay: \"assay config show\" lists them.\n"))
}

// save writes the user's file. It follows links, because users may keep their settings in another place.
func save(file string, text []byte) error {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	perm := os.FileMode(0o600)
	if info, err := os.Stat(file); err == nil {
		perm = info.Mode().Perm()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Unavailable, "cannot write the settings").Because(err)
	}
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = safe.Replace(file, text, perm)
	}
	if err != nil {
		return fault.New(fault.Unavailable, "cannot write the settings").Because(err).Or("check the permissions of the folder")
	}
	return nil
}

// changesOnly reports whether text has the entries before, except that the key name has the new value or is unset.
func changesOnly(before []entry, text []byte, file, name, value string, unset bool) bool {
	after, err := parse(text, file)
	if err != nil {
		return false
	}
	others := func(all []entry) (out []string) {
		for _, e := range all {
			if e.key != name {
				out = append(out, e.key+"="+e.value)
			}
		}
		return out
	}
	n, right := 0, true
	for _, e := range after {
		if e.key == name {
			n++
			right = right && e.value == value
		}
	}
	if unset {
		return n == 0 && slices.Equal(others(before), others(after))
	}
	return n == 1 && right && slices.Equal(others(before), others(after))
}

// editText returns the text with a key set or removed.
func editText(text []byte, name, value string, unset bool) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc); err != nil && err != io.EOF {
		return nil, err
	}
	root := &yaml.Node{Kind: yaml.MappingNode}
	if len(doc.Content) > 0 && !isNull(doc.Content[0]) {
		root = doc.Content[0]
	}
	lines := strings.SplitAfter(string(text), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	key, at := locate(root, name)
	switch {
	case at != nil && unset:
		return []byte(strings.Join(slices.Delete(lines, key.Line-1, key.Line), "")), nil
	case unset:
		return text, nil
	}
	rendered, err := renderScalar(value)
	if err != nil {
		return nil, err
	}
	if at != nil {
		return replaceValue(lines, at, rendered)
	}
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += "\n"
	}
	group, leaf, nested := strings.Cut(name, ".")
	if _, in := locate(root, group); nested && in != nil && in.Kind == yaml.MappingNode && in.Style&yaml.FlowStyle == 0 && len(in.Content) > 0 {
		first := in.Content[0]
		indent := strings.Repeat(" ", first.Column-1)
		return []byte(strings.Join(slices.Insert(lines, first.Line-1, indent+leaf+": "+rendered+"\n"), "")), nil
	}
	if nested {
		return []byte(strings.Join(lines, "") + group + ":\n  " + leaf + ": " + rendered + "\n"), nil
	}
	return []byte(strings.Join(lines, "") + name + ": " + rendered + "\n"), nil
}

// locate returns the key and the value of a setting, whether it is nested or its name has
// dots.
func locate(n *yaml.Node, name string) (key, value *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Value == name {
			return k, v
		}
		if rest, ok := strings.CutPrefix(name, k.Value+"."); ok {
			if key, value = locate(v, rest); value != nil {
				return key, value
			}
		}
	}
	return nil, nil
}

// renderScalar returns a value as one line of YAML.
func renderScalar(value string) (string, error) {
	n := yaml.Node{Kind: yaml.ScalarNode, Value: value}
	if strings.ContainsAny(value, "\r\n") || !utf8.ValidString(value) {
		return "", errors.New("a value must be one line of UTF-8")
	}
	if value == "" || value == "~" || value == "null" {
		n.Style = yaml.DoubleQuotedStyle
	}
	out, err := yaml.Marshal(&n)
	return strings.TrimSpace(string(out)), err
}

// replaceValue returns the lines with a new value at a node. The line of the node may only have its key and a comment
// besides.
func replaceValue(lines []string, at *yaml.Node, rendered string) ([]byte, error) {
	if at.Kind != yaml.ScalarNode || at.Anchor != "" || at.Style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) != 0 {
		return nil, errForm
	}
	line := lines[at.Line-1]
	from := 0
	for range at.Column - 1 {
		_, size := utf8.DecodeRuneInString(line[from:])
		from += size
	}
	raw := at.Value
	if at.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		end := strings.IndexByte(line[from+1:], line[from])
		if end < 0 {
			return nil, errForm
		}
		raw = line[from : from+end+2]
	}
	if !strings.HasPrefix(line[from:], raw) {
		return nil, errForm
	}
	lines = slices.Clone(lines)
	lines[at.Line-1] = line[:from] + rendered + line[from+len(raw):]
	return []byte(strings.Join(lines, "")), nil
}
