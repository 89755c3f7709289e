package op

import (
	"errors"
	"fmt"
)

// Check returns the errors of a catalogue that would otherwise show only when an operation is first called: inputs that cannot be
// filled, names given twice, what is missing. A server checks before it serves, the tests check the whole catalogue; a command
// does not wait for it.
func Check(ops []Op) error {
	var wrong []error
	names, tools := map[string]bool{}, map[string]bool{}
	bad := func(o Op, format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("operation %q: %w", o.Name, fmt.Errorf(format, args...)))
	}
	for _, o := range ops {
		for _, name := range append([]string{o.Name}, o.Aliases...) {
			if name == "" || names[name] {
				bad(o, "the name %q is empty or taken", name)
			}
			names[name] = true
		}
		if o.Brief == "" || o.Example == "" || o.Run == nil {
			bad(o, "it has no brief, no example or nothing to run")
		}
		if _, err := Args(o.In); err != nil {
			bad(o, "%w", err)
		}
		for _, t := range o.Tools {
			if t.Name == "" || tools[t.Name] {
				bad(o, "the tool name %q is empty or taken", t.Name)
			}
			tools[t.Name] = true
			switch err := t.wrong(); {
			case err != nil:
				bad(o, "tool %s: %w", t.Name, err)
			case t.Brief == "" || t.Schema == nil || t.Decode == nil:
				bad(o, "tool %s has no brief, no schema or no decoder", t.Name)
			}
		}
	}
	return errors.Join(wrong...)
}
