package vault

import (
	"regexp"
	"strings"
	"testing"
)

// The expression that changing stands for, tried at each character.
var slowChange = regexp.MustCompile(`(?i)\b(?:` + strings.NewReplacer("*", `\w*`, "~", `.{1,20}`).Replace(changing) + `)\b|` + strings.Join(changingHan[:], "|"))

func TestSpeaksOfChange(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "n": false, "It is NEW.": true, "renewal": false, "news": false, "switched off": true, "aswitch": false,
		"from Monday on we": true, "from\non": false, "from  on": false, "from x one": false, "From " + strings.Repeat("é", 20) + " on": true,
		"from " + strings.Repeat("x", 21) + " on": false, "DÉSORMAIS": true, "désormaisx": false, "Geändert!": true, "énew": true, "new_": false,
		"設定を変更した": true, "shut  down": false, "shut down": true, "no": false, "no longer": true, "out": true, "about": false,
	} {
		if got := speaksOfChange(s); got != want {
			t.Errorf("speaksOfChange(%q) = %v", s, got)
		}
	}
}

// The words are found where the slow expression finds them.
func FuzzSpeaksOfChange(f *testing.F) {
	for w := range strings.SplitSeq(changing, "|") {
		f.Add("a " + strings.NewReplacer("*", "ed", "~", "now and then").Replace(w) + ".")
		f.Add("x" + strings.ToUpper(w) + "x")
	}
	f.Add("from on on from a on")
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsAny(s, "ſK") { // which (?i) takes for s and k
			t.Skip()
		}
		if got, want := speaksOfChange(s), slowChange.MatchString(s); got != want {
			t.Errorf("speaksOfChange(%q) = %v, want %v", s, got, want)
		}
	})
}
