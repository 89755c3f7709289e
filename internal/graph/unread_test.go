package graph_test

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/graph"
)

// TestUnreadLanguages holds that no answer says that there is nothing where nothing is read.
func TestUnreadLanguages(t *testing.T) {
	_, f := project(t, `
-- lib/bloc.dart --
import 'base.dart';

class Bloc extends Base {
  void emit() { run(); }
}
-- lib/base.dart --
abstract class Base {
  void run() {}
}
-- main.py --
class Base: pass
`)
	for name, ask := range map[string]func() error{
		"implementers": func() error {
			_, err := f.Implementers(t.Context(), graph.TypeInput{Type: "lib/base.dart:Base"})
			return err
		},
		"callers": func() error {
			_, err := f.Callers(t.Context(), graph.CallsInput{Function: "Base.run"})
			return err
		},
		"callees": func() error {
			_, err := f.Callees(t.Context(), graph.CallsInput{Function: "Bloc.emit"})
			return err
		},
		"imports": func() error {
			_, err := f.Imports(t.Context(), graph.ImportsInput{Module: "lib/bloc.dart"})
			return err
		},
		"importers": func() error {
			_, err := f.Importers(t.Context(), graph.ImportsInput{Module: "lib/base.dart"})
			return err
		},
	} {
		if err := ask(); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "in dart: of its 2 files only the declarations are known") {
			t.Errorf("%s: %v, want the reason why there is no answer", name, err)
		}
	}
	if a, err := f.Implementers(t.Context(), graph.TypeInput{Type: "Base"}); err != nil || len(a.Symbols) != 0 {
		t.Errorf("of two languages: %v, %v", a, err)
	}
}
