package main

import "testing"

// A correction is one name of a line, wherever the line has it, and nothing else.
func TestRenamed(t *testing.T) {
	for _, c := range []struct{ was, is, old, new string }{
		{"Call `openBox()` first.", "Call `openChest()` first.", "openBox", "openChest"},
		{"Pass --max-depth=3.", "Pass --depth=3.", "--max-depth", "--depth"},
		{"Call `openBox()` first.", "Call `openBox()` then.", "", ""},
		{"Call `openBox()` and `shutBox()`.", "Call `openChest()` and `shutChest()`.", "", ""},
		{"openBox(openBox)", "openChest(openChest)", "openBox", "openChest"},
		{"openBox(openBox)", "openChest(openBin)", "", ""},
		{"Call `open` first.", "Call `start` first.", "", ""},
		{"Use `Box.openIt`.", "Use `Box.openAll`.", "Box.openIt", "Box.openAll"},
		{"box.open();", "box.open(1);", "", ""},
	} {
		old, new, ok := renamed(c.was, c.is)
		if ok != (c.old != "") || ok && (old != c.old || new != c.new) {
			t.Errorf("renamed(%q, %q) = %q, %q, %v, want %q, %q", c.was, c.is, old, new, ok, c.old, c.new)
		}
	}
}
