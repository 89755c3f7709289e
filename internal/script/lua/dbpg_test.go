//go:build !slim

package lua

import "testing"

func TestBytea(t *testing.T) {
	for text, want := range map[string]string{
		`\x6869`: "hi", `\x`: "", `\x00ff`: "\x00\xff", `plain`: "plain", ``: "", `a\000b`: "a\x00b", `a\\b`: `a\b`, `\377\\`: "\xff\\", `\x6`: "x6", `\9`: "9",
	} {
		if got := pgCell([]byte(text), oidBytea); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := pgCell([]byte(`\x6869`), 25); got != `\x6869` {
		t.Errorf("of a text: %q", got)
	}
}
