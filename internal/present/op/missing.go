package op

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
)

// mostNames bounds how many names of a folder are compared with one that is not there.
const mostNames = 10_000

// missing gives an error about a file that is not there its next step: the same
// operation with the file of that folder whose name is most like it.
func missing(o Op, in any, err error) error {
	e, ok := errors.AsType[*fault.Error](err)
	absent := errors.Is(err, fs.ErrNotExist)
	if !absent && (!ok || e.Kind != fault.NotFound) || ok && e.Fix != nil {
		return err
	}
	args, wrong := Args(o.In)
	if wrong != nil {
		return err
	}
	var fix []fault.Arg
	found, near := false, false
	for _, a := range args {
		v := reflect.ValueOf(in).FieldByIndex(a.Index)
		if v.IsZero() {
			continue
		}
		value := reflect.Indirect(v).Interface()
		switch given := value.(type) {
		case string:
			if absentPath(given, err) {
				found = true
				value, near = neighbour(given)
			}
		case []string:
			list := append([]string{}, given...)
			for i, s := range list {
				if absentPath(s, err) {
					found = true
					list[i], near = neighbour(s)
				}
			}
			value = list
		}
		if v.Kind() == reflect.Pointer || a.Default == "" || !v.Equal(preset(a)) {
			fix = append(fix, fault.Arg{Name: a.Name, Value: value})
		}
	}
	if !found {
		return err
	}
	if !ok {
		e = fault.New(fault.NotFound, "%s", err)
	}
	if near {
		return e.Try(o.Name, fix...)
	}
	if e.Hint == "" {
		return e.Or("check the path")
	}
	return e
}

// preset returns the default of an argument.
func preset(a Arg) reflect.Value {
	v := reflect.New(a.Type).Elem()
	a.Parse(a.Default, v) // Args has found it sound
	return v
}

// absentPath reports whether a word of the input is the path that an error is about.
func absentPath(word string, err error) bool {
	if word == "" || strings.ContainsRune(word, '\n') {
		return false
	}
	path, _ := splitLine(word)
	if !strings.Contains(err.Error(), path) && !strings.Contains(err.Error(), filepath.Base(path)) {
		return false
	}
	_, missing := os.Lstat(path)
	return errors.Is(missing, fs.ErrNotExist)
}

// splitLine takes the line off a FILE:LINE.
func splitLine(word string) (path, line string) {
	i := strings.LastIndexByte(word, ':')
	if i <= 0 {
		return word, ""
	}
	if _, err := strconv.Atoi(word[i+1:]); err != nil {
		return word, ""
	}
	return word[:i], word[i:]
}

// neighbour returns the path in the same folder whose name is most like one's.
func neighbour(word string) (string, bool) {
	path, line := splitLine(word)
	dir, err := safe.OpenFolder(filepath.Dir(path))
	if err != nil {
		return word, false
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(mostNames) // what cannot be read is not proposed
	name := text.Nearest(filepath.Base(path), names)
	if name == "" {
		return word, false
	}
	return strings.TrimSuffix(path, filepath.Base(path)) + name + line, true
}
