package release

import (
	"fmt"
	"strings"
	"testing"
)

func TestPick(t *testing.T) {
	labels := []string{"main", "v9.1.0", "v10.0.0-rc.2", "v10.0.0-rc.10", "v9.0.3", "rel_2_0_52", "svelte@8.1.0", "5x", Latest}
	NewestFirst(labels)
	if got, want := fmt.Sprint(labels), "[latest main v9.1.0 v9.0.3 svelte@8.1.0 5x rel_2_0_52 v10.0.0-rc.10 v10.0.0-rc.2]"; got != want {
		t.Errorf("NewestFirst = %s\nwant          %s", got, want)
	}
	for _, c := range []struct{ labels, want, label string }{
		{"v2 v1", "", "v2"},
		{"v2 v1", "V1", "v1"},
		{"v2 v1", "1", "v1"},
		{"v2.0.0 v1.0.0", "2", "v2.0.0+"},
		{"v2.1.0 v2.0.0", "2.0", "v2.0.0+"},
		{"v15.3.1 v15.2.9 v14.0.0", "15", "v15.3.1+"},
		{"v15.3.1 v15.2.9 v14.0.0", "15.2", "v15.2.9+"},
		{"v15.3.1 v15.2.9 v14.0.0", "v15.3.0", "v15.2.9*"},
		{"v15.3.1 v15.2.9 v14.0.0", "99", "v15.3.1*"},
		{"v15.3.1 v14.0.0", "13", ""},
		{"latest v3", "4", "v3*"},
		{"latest", "4", ""},
		{"v3 v2", "latest", "v3"},
		{"v3 v2", "main", ""},
		{"v3.0.0 v2.9.0 v3.0.0-rc.1", "3.0.0-rc.2", "v2.9.0*"},
		{"rel_2_0_52 rel_1_4_0", "2.0.60", "rel_2_0_52*"},
		{"5x 4x", "5", "5x"},
		{"5x 4x", "4.18.2", "4x*"},
		{"", "1", ""},
		{"3.1.0 3.0.3 3.0.0 2.3.3", "3.0", "3.0.3+"},
		{"3.1.0 3.0.3 3.0.1 2.3.3", "3.0", "3.0.3+"},
		// npm and Cargo
		{"19.0.0 18.3.1 18.0.0 17.0.2", "^18.0.0", "18.3.1+"},
		{"19.0.0 18.3.1", "^17.0.0", ""},
		{"0.3.0 0.2.9 0.2.3", "^0.2.3", "0.2.9+"},
		{"0.0.4 0.0.3", "^0.0.3", "0.0.3+"},
		{"1.3.0 1.2.9 1.2.0", "~1.2", "1.2.9+"},
		{"2.0.0 1.9.0", "~1", "1.9.0+"},
		{"2.0.0 1.9.0 1.2.0", "1.x", "1.9.0+"},
		{"2.0.0 1.9.0 1.2.0", ">=1.2 <1.9", "1.2.0+"},
		{"3.0.0 2.4.0 1.9.0", "1.2 - 2", "2.4.0+"},
		{"3.0.0 2.4.0 1.9.0", "^1.0.0 || ^2.0.0", "2.4.0+"},
		{"19.0.0-rc.1 18.3.1", ">=18", "18.3.1+"},
		{"19.0.0-rc.2 19.0.0-rc.1 18.3.1", "^19.0.0-rc.1", "19.0.0-rc.2+"},
		{"v2 v1", "*", "v2+"},
		// Python, Ruby, Maven and NuGet
		{"2.0 1.9 1.4.2", "~=1.4", "1.9+"},
		{"1.5.0 1.4.9 1.4.2", "~=1.4.2", "1.4.9+"},
		{"1.5.0 1.4.9", "~> 1.4.2", "1.4.9+"},
		{"2.0 1.9", "~> 1.4", "1.9+"},
		{"3.0.0 2.9.0 2.1.0", ">=2.1,<3", "2.9.0+"},
		{"2.1.0 2.0.7", "==2.0.*", "2.0.7+"},
		{"2.0.0 1.9.0", "[1.0,2.0)", "1.9.0+"},
		{"2.0.0 1.9.0", "[1.0,2.0]", "2.0.0+"},
		{"2.0.0 1.9.0", "[1.9.0]", "1.9.0+"},
		{"2.0.0 1.9.0", "(1.9.0,)", "2.0.0+"},
		{"2.0.0 1.9.0", "^one", ""},
		{"1.6.0 1.5.0 1.4.0", ">=1,!=1.6.0,<2", "1.5.0+"},
		{"1.6.0 1.5.0 1.4.0", ">=1,!=1.5.0,<2", "1.6.0+"},
		{"1.6.2 1.6.0 1.4.0", ">=1,!=1.6.*", "1.4.0+"},
		{"svelte@5.1.0 svelte@4.2.0", "^4.0.0", "svelte@4.2.0+"},
	} {
		label, how := Pick(strings.Fields(c.labels), c.want)
		label += map[Match]string{Older: "*", Line: "+"}[how]
		if label != c.label {
			t.Errorf("Pick(%s, %q) = %q, want %q", c.labels, c.want, label, c.label)
		}
	}
	if got := Meant([]string{"2.3.3", "v3.0.1", "v3.0.3", "v3.1.0"}, "3.0"); got != "v3.0.3" {
		t.Errorf("of tags, 3.0 means %q", got)
	}
	if got := Meant([]string{"v2.3.3"}, "3.0"); got != "" {
		t.Errorf("of tags, 3.0 means %q, which is older", got)
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ name, labels, want, label string }{
		{"older of the same line", "4.1.5 3.23.8 3.20.0 2.9.0", "3.22.0", "3.20.0"},
		{"newer of the same line before an older line", "4.1.5 3.23.8 2.9.0", "3.0.0", "3.23.8"},
		{"an older line before a newer", "4.1.5 2.9.0 1.0.0", "3.0.0", "2.9.0"},
		{"a newer line where there is nothing else", "5.0.0 4.1.5", "3.0.0", "4.1.5"},
		{"a range", "25.1.0 21.5.0 20.1.0", ">=22,<23", "21.5.0"},
		{"a range without a beginning", "25.1.0 24.0.0", "<23", "24.0.0"},
		{"no version is stored", "latest", "3.0.0", "latest"},
		{"a version before no version", "latest 1.0.0", "3.0.0", "1.0.0"},
		{"nothing is stored", "", "3.0.0", ""},
		{"no version is wanted", "2.0.0 1.0.0", "main", "2.0.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Nearest(strings.Fields(c.labels), c.want); got != c.label {
				t.Errorf("Nearest(%s, %q) = %q, want %q", c.labels, c.want, got, c.label)
			}
		})
	}
}

// Whatever is asked for, what is picked is one of the labels.
func FuzzPick(f *testing.F) {
	f.Add("3.1.0 3.0.3", "^3.0 || [1,2)")
	f.Add("v2 latest", "~> 1")
	f.Fuzz(func(t *testing.T, labels, want string) {
		all := strings.Fields(labels)
		NewestFirst(all)
		if label, how := Pick(all, want); (label == "") != (how == None) || label != "" && !strings.Contains(labels, label) {
			t.Fatalf("Pick(%q, %q) = %q, %v", labels, want, label, how)
		}
	})
}
