package redact

import (
	"bytes"
	"strings"
	"testing"
)

const rule = "\n\n--------------------------------\n\n"

// A text that is cut anywhere by the line of dashes between the parts of an answer is to Known what
// it is to Text: no rule looks across it that Known does not know.
func TestKnownAcross(t *testing.T) {
	known := NewKnown(rule)
	n, clean := 0, 0
	for _, k := range append(kinds(secretKinds), kinds(leftKinds)...) {
		text, _ := k.fill(1)
		text = "Source: https://example.org/a\n\n" + text + "\n\nMore of it."
		for cut := range len(text) {
			s := []byte(text[:cut] + rule + text[cut:])
			want, secrets := Text(s)
			if n++; secrets == 0 {
				clean++
			}
			if got, m := known.Text(s); m != secrets || !bytes.Equal(got, want) {
				t.Errorf("%s, cut at %d: %d secrets, want %d in\n%s", k.name, cut, m, secrets, want)
				break
			}
		}
	}
	if clean < 1000 || n-clean < 1000 {
		t.Errorf("%d cuts, %d of them without a secret", n, clean)
	}
}

// What Known returns is what Text does, the first time and again.
func TestKnown(t *testing.T) {
	known := NewKnown(rule)
	for _, k := range kinds(secretKinds) {
		text, _ := k.fill(2)
		for _, s := range []string{text, "a passage" + rule + text + rule + "another", "a passage" + rule + "another", ""} {
			want, n := Text([]byte(s))
			for range 2 {
				if got, m := known.Text([]byte(s)); !bytes.Equal(got, want) || m != n {
					t.Fatalf("%s: %d found in %q, want %d", k.name, m, got, n)
				}
			}
		}
	}
	for _, k := range append(kinds(secretKinds), kinds(leftKinds)...) {
		text, _ := k.fill(3)
		want, n := Text([]byte(text))
		for range 2 {
			if got, m := Files.Text([]byte(text)); !bytes.Equal(got, want) || m != n {
				t.Fatalf("%s as a file: %d found in %q, want %d", k.name, m, got, n)
			}
		}
	}
	for i := range 3 * mostKnown {
		known.learn(uint64(i))
	}
	if len(known.young)+len(known.old) > 2*mostKnown {
		t.Errorf("%d parts are remembered", len(known.young)+len(known.old))
	}
	if out, n := known.Text([]byte(strings.Repeat("x", 10) + rule)); n != 0 || len(out) != 10+len(rule) {
		t.Errorf("%q, %d", out, n)
	}
}
