package graph_test

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestLibrariesAreProven holds that a name is said to be of a library only if an import or a type says so.
func TestLibrariesAreProven(t *testing.T) {
	_, f := project(t, `
-- store.py --
class Store:
    def set_state(self, s): pass
-- build.py --
import requests
from typing import Any
from twisted.application import service

class Build(service.Service):
    def run(self, client: requests.Session, any: Any):
        self.master.data.set_state(1)
        requests.set_state(2)
        client.set_state(3)
        requests.get("x").set_state(4)
        any.set_state(5)
        any.data.set_state(6)

class Task:
    def __init__(self, of):
        self.master = of.master

    def run(self):
        self.master.data.set_state(7)

def make():
    Task(Build())
-- thread.ts --
export interface Thread { isOutdated: boolean }
-- view.tsx --
import { useContext, Reply, Plain } from "react";
import { Thread } from "./thread";
export function view(plain: Plain, any: any, reply: Reply<Thread>) {
  const { isOutdated } = useContext(Page);
  any.isOutdated = 5;
  plain.isOutdated = 6;
  reply.data.isOutdated = 7;
  plain.data.isOutdated = 8;
}
function expect<T>(result: Reply<T>) {}
expect({ data: { isOutdated: true } });
-- Store.java --
package a;
class Store { int size() { return 1; } }
-- Use.java --
package a;
import lib.Reply;
import lib.Other;
class Use {
  int go(Reply<Store> b, Other o) { return
    b.first.size() +
    b.size() +
    o.first.size();
  }
}
`)
	tests := []struct{ name, of, want, libraries string }{
		{"a member of a base that is not known", "Store.set_state", "self.master.data.set_state(1)", "build.py:8,9,10"},
		{"a value that a call is seen to give", "Store.set_state", "self.master.data.set_state(7)", "build.py:8,9,10"},
		{"a value of any type", "Store.set_state", "any.set_state(5)", "build.py:8,9,10"},
		{"a member of a value of any type", "Store.set_state", "any.data.set_state(6)", "build.py:8,9,10"},
		{"what a generic function gives", "Thread.isOutdated", "const { isOutdated } = useContext(Page);", "view.tsx:6,8"},
		{"any of TypeScript", "Thread.isOutdated", "any.isOutdated = 5;", "view.tsx:6,8"},
		{"a member of a generic type", "Thread.isOutdated", "reply.data.isOutdated = 7;", "view.tsx:6,8"},
		{"a literal for a generic type", "Thread.isOutdated", "expect({ data: { isOutdated: true } });", "view.tsx:6,8"},
		{"a member of a generic type of Java", "Store.java:Store.size", "b.first.size()", "Use.java:7,8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := f.Refs(t.Context(), graph.RefsInput{Symbol: tt.of})
			if err != nil {
				t.Fatal(err)
			}
			got := text(t, a)
			_, unresolved, _ := strings.Cut(got, "NOT RESOLVED:")
			if !strings.Contains(unresolved, tt.want) || !strings.Contains(got, " in 1 file: "+tt.libraries+"\n") {
				t.Errorf("refs %s: want %q not resolved, and %s of libraries:\n%s", tt.of, tt.want, tt.libraries, got)
			}
		})
	}
}
