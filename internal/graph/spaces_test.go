package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

const spaces = `
-- a.hpp --
#pragma once
namespace a { void load(); }
namespace b { void load(); }
-- a.cpp --
#include "a.hpp"
namespace a { void load() {} }
namespace b { void load() {} }
-- use.cpp --
#include "a.hpp"
namespace a {
void inA() { load(); }
namespace deep { void inDeep() { load(); } }
struct Disk { void put(); };
}
namespace b { void inB() { load(); } }
void a::Disk::put() { load(); }
void outside() { load(); }
`

// A function of C++ that several namespaces have is that of the namespace around the call, in whatever file that declares it.
func TestNamespaceAroundCall(t *testing.T) {
	_, f := project(t, spaces)
	for _, tt := range []struct{ of, want string }{{"a.load", "3 4 8"}, {"b.load", "7"}} {
		t.Run(tt.of, func(t *testing.T) {
			a, err := f.Callers(t.Context(), graph.CallsInput{Function: tt.of})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range a.Callers {
				if c.Confidence != "name-only" {
					got = append(got, fmt.Sprint(c.Line))
				}
			}
			if lines := strings.Join(got, " "); lines != tt.want {
				t.Errorf("calls of %s are in lines %q, want %q", tt.of, lines, tt.want)
			}
		})
	}
}
