package graph_test

import "testing"

// TestDeadMentions: a function is listed if no place but its own declaration has its name, and nothing else may reach it.
func TestDeadMentions(t *testing.T) {
	tests := []struct{ name, files, want string }{
		{"a comment of its own", "-- a.go --\npackage a\n\n// lost is lost.\nfunc lost() {}\n", "a.go lost"},
		{"an export of cgo", "-- a.go --\npackage a\n\n//export lost\nfunc lost() {}\n", ""},
		{"a name for the linker", "-- a.go --\npackage a\n\n//go:linkname lost runtime.found\nfunc lost() {}\n", ""},
		{"a directive of a longer name", "-- a.go --\npackage a\n\n//go:linkname lost_one runtime.found\nfunc lost() {}\n", "a.go lost"},
		{"another directive", "-- a.go --\npackage a\n\n//nolint:unused\nfunc lost() {}\n", "a.go lost"},
		{"a comment elsewhere", "-- a.go --\npackage a\n\nfunc lost() {}\n-- b.go --\npackage a\n\n// As lost does.\n", ""},
		{"a document", "-- a.go --\npackage a\n\nfunc lost() {}\n-- README.md --\nCall lost.\n", ""},
		{"a document with a longer name", "-- a.go --\npackage a\n\nfunc lost() {}\n-- README.md --\nCall lost_one.\n", "a.go lost"},
		{"a call of itself", "-- a.go --\npackage a\n\nfunc lost() { lost() }\n", ""},
		{"two of one name", "-- a.go --\npackage a\n\nfunc lost() {}\n-- b/b.go --\npackage b\n\nfunc lost() {}\n", ""},
		{"overloads", "-- A.java --\nclass A {\n  private void lost(int x) {}\n  private void lost(String x) {}\n}\n", "A.java A.lost\nA.java A.lost"},
		{"a prototype", "-- a.c --\nstatic int lost(void);\nstatic int lost(void) { return 0; }\n", "a.c lost"},
		{"a cast of a member", "-- a.ts --\nclass A { private lost() {} }\nexport const f = (a: unknown) => (a as any).lost;\n", ""},
		{"a script that others read", "-- a.sh --\n_lost() {\n  true\n}\n", ""},
		{"a script that is run", "-- a.sh --\n#!/bin/sh\n_lost() {\n  true\n}\n", "a.sh _lost"},
		{"a file of its name", "-- a.sh --\n#!/bin/sh\n_lost() {\n  true\n}\n-- _lost.txt --\n\n", ""},
		{"a script of a browser", "-- a.js --\nfunction lost() {}\n", ""},
		{"a module", "-- a.js --\nfunction lost() {}\nexport const x = 1;\n", "a.js lost"},
		{"a block of a framework", "-- a.rs --\nstruct A;\n#[pymethods]\nimpl A {\n    fn lost(&self) {}\n}\n", ""},
		{"a block", "-- a.rs --\n#[derive(Debug)]\nstruct A;\nimpl A {\n    fn lost(&self) {}\n}\n", "a.rs A.lost"},
		{"an annotated class", "-- A.java --\n@Component\nclass A {\n  void lost() {}\n}\n", ""},
		{"private in an annotated class", "-- A.java --\n@Component\nclass A {\n  private void lost() {}\n}\n", "A.java A.lost"},
		{"the beginning of names of a shell", "-- a.sh --\n#!/bin/sh\n_lost_one() {\n  true\n}\n_lost_$1\n", ""},
		{"the end of names of a macro", "-- a.c --\n#define SHOW(x) x ## _lost\nstatic int one_lost(void) { return 0; }\n", ""},
		{"another end", "-- a.c --\n#define SHOW(x) x ## _found\nstatic int one_lost(void) { return 0; }\n", "a.c one_lost"},
		{"a short beginning of names", "-- A.java --\nclass A {\n  private void onLost() {}\n  Object o(String n) { return find(\"on\" + n); }\n}\n", "A.java A.o"},
		{"a short beginning of a word", "-- A.java --\nclass A {\n  private void only() {}\n  Object o(String n) { return find(\"on\" + n); }\n}\n", "A.java A.o\nA.java A.only"},
		{"a short end of names", "-- a.c --\n#define SHOW(x) x ## _op\nstatic int lost_op(void) { return 0; }\n", ""},
		{"a short end of a word", "-- a.c --\n#define SHOW(x) x ## op\nstatic int stop(void) { return 0; }\n", "a.c stop"},
		{"the end of names of a string", "-- a.py --\ndef _one_lost(): pass\nx = lambda n: globals()[n + '_lost']()\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, f := project(t, tt.files)
			unreached(t, f, tt.want)
		})
	}
}
