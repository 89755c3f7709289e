package graph_test

import (
	"strings"
	"testing"
)

// TestComponentsOfRecords holds that a call of a component of a record gives it, and of a field of a class does not.
func TestComponentsOfRecords(t *testing.T) {
	_, f := project(t, `
-- Audio.java --
package a;
class Audio { void play() {} }
class Video { void play() {} }
-- Served.java --
package a;
record Served(String url, Audio audio, Video shown) {
  Audio shown() { return audio; }
}
class Plain extends lib.Base { Audio audio; }
-- Use.java --
package a;
class Use {
  void go(Served s, Plain p) {
    s.audio().play();
    s.shown().play();
    p.audio().play();
  }
}
`)
	got := asked(t, f, "refs", "Audio.play")
	for _, want := range []string{"     4: s.audio().play();  [call, exact, in Use.go]\n     5: s.shown().play();  [call, exact, in Use.go]\n# 2 uses", "NOT RESOLVED:\nUse.java\n     6: p.audio().play();"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}
