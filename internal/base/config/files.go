package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

// maxFile bounds a settings file, because a project's file is untrusted.
const maxFile = 64 << 10

// maxKey bounds the name of a setting in bytes, and with it the depth of a file.
const maxKey = 80

// UserFile returns the path of the user's settings file, or "" if the environment names no home folder.
func UserFile(env func(string) (string, bool), goos string) string {
	get := func(name string) string { v, _ := env(name); return v }
	dir := get("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // relative paths must be ignored (XDG Base Directory Specification)
		home := get("HOME")
		switch {
		case goos == "windows":
			dir = get("APPDATA")
		case home == "":
			dir = ""
		case goos == "darwin":
			dir = filepath.Join(home, "Library", "Application Support")
		default:
			dir = filepath.Join(home, ".config")
		}
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "assay", "config.yaml")
}

// readUser returns the user's file, or nothing if it does not exist. It follows links, because users may keep their settings
// in another place, but refuses a pipe, because reading that could wait forever.
func readUser(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, notRegularError(file)
	}
	f, err := safe.OpenNamed(file)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "cannot read the settings").Because(err).Or("check the permissions of the file and its folder")
	}
	defer f.Close()
	return readLimited(f, file)
}

// readProject returns the project's file, or nothing if it does not exist. It refuses links out of the project, and pipes.
func readProject(root string) ([]byte, error) {
	text, err := readBelow(root, ProjectFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// readBelow returns a file below a folder; the error wraps fs.ErrNotExist if there is none.
func readBelow(root, name string) ([]byte, error) {
	file := filepath.Join(root, filepath.FromSlash(name))
	dir, err := safe.OpenRoot(root)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "cannot read the settings").Because(err).Or("check the permissions of the file and its folder")
	}
	defer dir.Close()
	f, err := dir.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case errors.Is(err, safe.ErrNotFile):
		return nil, notRegularError(file)
	case err != nil:
		return nil, fault.New(fault.Usage, "%s", file).Because(err).Or("remove it, or replace it by a settings file")
	}
	defer f.Close()
	return readLimited(f, file)
}

func notRegularError(file string) error {
	return fault.New(fault.Usage, "%s is not a regular file", file).Or("remove it, or replace it by a settings file")
}

func readLimited(r io.Reader, name string) ([]byte, error) {
	text, err := file.ReadUpTo(r, maxFile)
	if errors.Is(err, file.ErrTooLarge) {
		return nil, fault.New(fault.Usage, "%s is larger than %d KiB, so it is not a settings file", name, maxFile>>10).Or("remove it")
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "%s", name).Because(err).Or("check the permissions of the file")
	}
	return text, nil
}

// An entry is one setting in a file.
type entry struct {
	key   string // with dots between its parts
	value string
	at    string // FILE:LINE
	err   error  // why it is invalid; then only at is set
}

// parse returns the settings in text, in order. Each entry is a scalar or an error, with its place in the file. parse itself
// returns an error if nothing in the file can be read.
func parse(text []byte, file string) ([]entry, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, yamlError(file, err)
	}
	if err := dec.Decode(&second); err == nil {
		return nil, fault.New(fault.Usage, "%s:%d: settings must be a single YAML document", file, second.Line).Or("remove the line --- and the text after it")
	} else if err != io.EOF {
		return nil, yamlError(file, err)
	}
	var entries []entry
	if len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return nil, nil
	}
	flatten(doc.Content[0], "", file, map[string]bool{}, &entries)
	return entries, nil
}

// flatten appends the settings below a node. It refuses aliases, because with them the walk could be longer than the file.
func flatten(n *yaml.Node, prefix, file string, seen map[string]bool, to *[]entry) {
	wrong := func(line int, hint, format string, args ...any) {
		at := fmt.Sprintf("%s:%d", file, line)
		*to = append(*to, entry{err: fault.New(fault.Usage, "%s: %s", at, fmt.Sprintf(format, args...)).Or("%s", hint)})
	}
	const single, list = "write KEY: VALUE", "assay config show lists the settings"
	if n.Kind != yaml.MappingNode {
		subject := "the file"
		if prefix != "" {
			subject = strconv.Quote(prefix)
		}
		wrong(n.Line, "for example \"search:\" with the line \"top_k: 20\" below it", "%s must contain keys and values", subject)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode || k.Value == "" {
			wrong(k.Line, single, "a key must be a word")
			continue
		}
		name := k.Value
		if prefix != "" {
			name = prefix + "." + name
		}
		if len(name) > maxKey {
			wrong(k.Line, list, "unknown setting %q…", name[:maxKey])
			continue
		}
		if seen[name] {
			wrong(k.Line, "remove one of the lines", "%q is set twice", name)
			continue
		}
		seen[name] = true
		switch {
		case v.Kind == yaml.MappingNode:
			flatten(v, name, file, seen, to)
		case v.Kind != yaml.ScalarNode:
			wrong(k.Line, single, "%q must be a single value", name)
		case isNull(v): // "search:" with nothing below it is allowed
			if _, ok := findKey(name); !ok && !isGroup(name) {
				at := fmt.Sprintf("%s:%d", file, k.Line)
				*to = append(*to, entry{err: unknownSetting(at, name)})
			}
		default:
			*to = append(*to, entry{key: name, value: v.Value, at: fmt.Sprintf("%s:%d", file, k.Line)})
		}
	}
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// isGroup reports whether keys begin with name and a dot.
func isGroup(name string) bool {
	return slices.ContainsFunc(keys(), func(k key) bool { return strings.HasPrefix(k.name, name+".") })
}

// yamlError returns an error of the YAML parser with its line behind the name of the file.
func yamlError(file string, err error) error {
	prefix := regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	msg := strings.Join(strings.Fields(err.Error()), " ")
	at := file
	if m := prefix.FindStringSubmatch(msg); m != nil {
		msg = msg[len(m[0]):]
		switch {
		case m[1] != "":
			at += ":" + m[1]
		case !strings.Contains(msg, "UTF-") && !strings.Contains(msg, "control characters"):
			at += ":1" // yaml does not name the first line, and no line for errors of encoding
		}
	}
	return fault.New(fault.Usage, "%s: invalid YAML: %s", at, msg).Or("correct the line; a value that contains a colon needs quotes")
}
