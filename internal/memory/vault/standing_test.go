package vault

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// What a note says of itself and nobody would understand is refused, not stored in silence.
func TestStandingIsUnderstood(t *testing.T) {
	m := fresh(t, nil)
	for line, says := range map[string]string{
		"valid_from: soon": "is not a date", "expires: 31-31-2025": "is not a date", "valid_to: [2025, 3]": "is not a date", "date: 7": "is not a date",
		"pinned: maybe": "neither true nor false", "pinned: 1": "neither true nor false", "importance: huge": "not known", "importance: 9": "not known", "importance: [high]": "not known",
	} {
		if _, err := m.Store(t.Context(), Note{Content: "---\n" + line + "\n---\nA valve.\n"}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", line, err, says)
		}
	}
	for line, want := range map[string]standing{
		"valid_from: 2025-03-14": {from: dayOf(timeOf(dateIn("2025-03-14")))}, "pinned: true": {pinned: true}, "importance: high": {importance: 1}, "importance: 5": {importance: 2},
		"importance: '1'": {importance: -2}, "pinned:": {}, "mine: anything": {},
	} {
		s, err := m.Store(t.Context(), Note{Content: "---\n" + line + "\n---\nA valve of " + line + ".\n"})
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		_, raw, err := m.note(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := cutFront(raw)
		if got := readFront(head).standing; got != want {
			t.Errorf("%s: %+v, want %+v", line, got, want)
		}
	}
}

// A note in UTF-16 is read as what it says: found, shown and cleaned like any other.
func TestUTF16(t *testing.T) {
	m := fresh(t, nil)
	units := utf16.Encode([]rune("\ufeff# Valve\n\nThe valve is at the pump. The password for it is hunter2x!\n"))
	raw := make([]byte, 0, 2*len(units))
	for _, u := range units {
		raw = append(raw, byte(u), byte(u>>8))
	}
	write(t, m, "valve.md", string(raw))
	sync1(t, m)
	a, err := m.Search(t.Context(), Query{Text: "valve pump"})
	if err != nil || len(a.Hits) != 1 || !strings.Contains(a.Hits[0].Text, "The valve is at the pump.") || a.Hits[0].Title != "Valve" {
		t.Fatalf("%+v, %v", a.Hits, err)
	}
	if strings.Contains(a.Hits[0].Text, "hunter2x") {
		t.Errorf("a secret is in %q", a.Hits[0].Text)
	}
	if got, err := m.Get(t.Context(), "valve.md", 0, 0); err != nil || !strings.HasPrefix(got.Text, "# Valve\n") || strings.Contains(got.Text, "hunter2x") {
		t.Errorf("Get = %q, %v", got.Text, err)
	}
}
