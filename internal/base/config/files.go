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
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

// maxFile bounds a file of settings, which may come from anybody.
const maxFile = 64 << 10

// maxKey bounds the name of a setting in bytes, and with it the depth of a file.
const maxKey = 80

// UserFile returns the path of the user's file of settings, or "" where the
// environment does not tell.
func UserFile(env func(string) (string, bool), goos string) string {
	get := func(name string) string { v, _ := env(name); return v }
	dir := get("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // the XDG specification: ignore a relative one
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

// readUser returns the user's file, empty when there is none. It follows links, as
// those who keep their settings elsewhere have them, but a pipe is not waited on.
func readUser(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, notRegular(file)
	}
	f, err := safe.OpenNamed(file)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "settings").Because(err).Or("check the permissions of the file and its folder")
	}
	defer f.Close()
	return read(f, file)
}

// readProject returns the project's file, empty when there is none. A link out
// of the project is not followed, and a pipe is not waited on.
func readProject(root string) ([]byte, error) {
	text, err := readBelow(root, ProjectFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// readBelow returns a file below a folder; the error wraps fs.ErrNotExist where there is
// none.
func readBelow(root, name string) ([]byte, error) {
	file := filepath.Join(root, filepath.FromSlash(name))
	dir, err := safe.OpenRoot(root)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "settings").Because(err).Or("check the permissions of the file and its folder")
	}
	defer dir.Close()
	f, err := dir.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case errors.Is(err, safe.ErrNotFile):
		return nil, notRegular(file)
	case err != nil:
		return nil, fault.New(fault.Usage, "%s", file).Because(err).Or("remove it, or put a file of settings there")
	}
	defer f.Close()
	return read(f, file)
}

func notRegular(file string) error {
	return fault.New(fault.Usage, "%s: it is not a regular file", file).Or("remove it, or put a file of settings there")
}

func read(r io.Reader, name string) ([]byte, error) {
	text, err := file.ReadUpTo(r, maxFile)
	if errors.Is(err, file.ErrTooLarge) {
		return nil, fault.New(fault.Usage, "%s is larger than %d KiB, so it is not a settings file", name, maxFile>>10).Or("remove it")
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "%s", name).Because(err).Or("check the permissions of the file")
	}
	return text, nil
}

// An entry is one setting as a file gives it.
type entry struct {
	key   string // with dots between its parts
	value string
	at    string // FILE:LINE
	err   error  // why it cannot be taken; then the rest is not set
}

// parse returns the settings in text, in order. Whatever it returns is a scalar at a
// place in the file, or says what is wrong at that place. An error means that nothing in
// the file can be read.
func parse(text []byte, file string) ([]entry, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, malformed(file, err)
	}
	if err := dec.Decode(&second); err == nil {
		return nil, fault.New(fault.Usage, "%s:%d: a second document; settings must be one document", file, second.Line).Or("remove the line ---, or what follows it")
	} else if err != io.EOF {
		return nil, malformed(file, err)
	}
	var entries []entry
	if len(doc.Content) == 0 || null(doc.Content[0]) {
		return nil, nil
	}
	flatten(doc.Content[0], "", file, map[string]bool{}, &entries)
	return entries, nil
}

// flatten appends the settings below a node. Aliases are refused, so the walk is
// no longer than the file.
func flatten(n *yaml.Node, prefix, file string, seen map[string]bool, to *[]entry) {
	wrong := func(line int, hint, format string, args ...any) {
		at := fmt.Sprintf("%s:%d", file, line)
		*to = append(*to, entry{err: fault.New(fault.Usage, "%s: %s", at, fmt.Sprintf(format, args...)).Or("%s", hint)})
	}
	const single, list = "write KEY: VALUE", "assay config show lists the settings"
	if n.Kind != yaml.MappingNode {
		what := "the file"
		if prefix != "" {
			what = strconv.Quote(prefix)
		}
		wrong(n.Line, "as in \"search:\" and below it \"top_k: 20\"", "%s must be keys and values", what)
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
			wrong(k.Line, list, "no setting is called %q and so on", name[:maxKey])
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
		case null(v): // "search:" with nothing below it says nothing
			if _, ok := find(name); !ok && !head(name) {
				at := fmt.Sprintf("%s:%d", file, k.Line)
				*to = append(*to, entry{err: unknown(at, name)})
			}
		default:
			*to = append(*to, entry{key: name, value: v.Value, at: fmt.Sprintf("%s:%d", file, k.Line)})
		}
	}
}

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// head says whether keys begin with name and a dot.
func head(name string) bool {
	for _, k := range keys() {
		if strings.HasPrefix(k.name, name+".") {
			return true
		}
	}
	return false
}

// malformed puts the line that yaml names where a person looks for it.
func malformed(file string, err error) error {
	where := regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	msg := strings.Join(strings.Fields(err.Error()), " ")
	at := file
	if m := where.FindStringSubmatch(msg); m != nil {
		msg = msg[len(m[0]):]
		switch {
		case m[1] != "":
			at += ":" + m[1]
		case !strings.Contains(msg, "UTF-") && !strings.Contains(msg, "control characters"):
			at += ":1" // yaml counts from 0, and does not name that line; of its reader's errors it names none
		}
	}
	return fault.New(fault.Usage, "%s: it is not YAML: %s", at, msg).Or("correct the line; a value that contains a colon needs quotes")
}
