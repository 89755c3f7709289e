package op

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

// An Output says what an argument names that is written. Its tag is out:"KIND", and after a comma when that is so:
//
//	file             a file, replaced whole
//	report           the same, or one of the streams that safe.Deliver writes to
//	file:PATTERN     the same, where * of a path stands for the value
//	folder           a folder that files are written to
//	edit             a file of the project that is changed in place; a link that stays in the
//	                 project is followed, and the operation itself refuses another
//	file,if=NAME     only with that argument
//	file,unless=NAME only without it
//	file,writes      only of operations that write
type Output struct {
	Kind       string // file, report, folder or edit; "" where the argument names no output
	Pattern    string
	If, Unless string
	Writes     bool
}

// outputChecks say why an output of a kind is not written.
var outputChecks = map[string]func(path string) error{
	"file":   safe.CheckOutput,
	"report": safe.CheckReport,
	"folder": safe.CheckOutputFolder,
	"edit":   func(string) error { return nil },
}

// readOutput reads the tag of an output.
func readOutput(tag string) (o Output, err error) {
	if tag == "" {
		return o, nil
	}
	kind, when, _ := strings.Cut(tag, ",")
	o.Kind, o.Pattern, _ = strings.Cut(kind, ":")
	word, name, _ := strings.Cut(when, "=")
	switch word {
	case "":
	case "if":
		o.If = name
	case "unless":
		o.Unless = name
	case "writes":
		o.Writes = true
	default:
		return o, fmt.Errorf("out:%q says %q, which is none of if, unless and writes", tag, word)
	}
	if outputChecks[o.Kind] == nil {
		return o, fmt.Errorf("out:%q is none of file, report, folder and edit", tag)
	}
	return o, nil
}

// Path returns the path that is written for a value.
func (o Output) Path(value string) string {
	if o.Pattern == "" {
		return value
	}
	return filepath.FromSlash(strings.Replace(o.Pattern, "*", value, 1))
}

// Applies reports whether an operation with this input writes the output.
func (o Output) Applies(effect Effect, args []Arg, in reflect.Value) bool {
	given := func(name string) bool {
		for _, a := range args {
			if a.Name == name {
				return !in.FieldByIndex(a.Index).IsZero()
			}
		}
		return false
	}
	switch {
	case o.Kind == "", o.Writes && effect == Reads, o.If != "" && !given(o.If), o.Unless != "" && given(o.Unless):
		return false
	}
	return true
}

// guarded sees to it that no operation begins whose outputs would be written through a link, or
// to what is no file: the work would be lost.
func guarded(o Op) Op {
	run := o.Run
	o.Run = func(ctx context.Context, in any, out Out) (Result, error) {
		if err := checkOutputs(o, in); err != nil {
			return nil, err
		}
		return run(ctx, in, out)
	}
	return o
}

func checkOutputs(o Op, in any) error {
	v := reflect.ValueOf(in)
	if v.Type() != o.In {
		return nil // Run says so
	}
	args, err := Args(o.In)
	if err != nil {
		return err
	}
	for _, a := range args {
		if !a.Output.Applies(o.Effect, args, v) || a.kind() != reflect.String {
			continue
		}
		value := v.FieldByIndex(a.Index).String()
		if value == "" {
			continue
		}
		if err := outputChecks[a.Output.Kind](a.Output.Path(value)); err != nil {
			return unwritten(a, value, err)
		}
	}
	return nil
}

// unwritten is the error of an output that is not written.
func unwritten(a Arg, value string, err error) error {
	what := value
	if len(a.Flags) > 0 && a.Place == 0 {
		what = "--" + a.Flags[0] + " " + value
	}
	if link, ok := errors.AsType[*safe.LinkError](err); ok {
		return fault.New(fault.Usage, "%s is not written through a link", what).Because(link).
			Or("if the place behind the link is meant, name that; else remove the link")
	}
	noun := "file"
	if a.Output.Kind == "folder" {
		noun = "folder"
	}
	if errors.Is(err, safe.ErrNotFile) || errors.Is(err, safe.ErrNotFolder) {
		return fault.New(fault.Usage, "%s cannot be written", what).Because(err).Or("name another %s, or move that away", noun)
	}
	return fault.New(fault.Unavailable, "%s cannot be written", what).Because(file.Bare(err)).Or("name another place, or see to the permissions of that one")
}
