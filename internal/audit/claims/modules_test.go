package claims

import (
	"fmt"
	"strings"
	"testing"
)

const severalGo = "package store\n\nfunc Open() {}\nfunc Vacuum() {}\nfunc Rekey(old, young string) {}\n"

var several = map[string]string{
	"go.mod":      "module example.org/things\n",
	"store/a.go":  severalGo,
	"store/b.go":  "package store\n\n// Compact rewrites pages without their holes.\nfunc Compact() {}\n\nfunc Drain() {}\n",
	"setup.cfg":   "[metadata]\nname = util\n",
	"util.py":     "def squeeze(x):\n    return x\n",
	"use/u.go":    "package use\n\nvar _ = store.Vacuum\n",
	"README.md":   "# Things\n\nCall `Open`.\n\n```go\nfunc Rekey(old string)\n```\n",
	"use/doc.txt": "x\n",
}

// A module is one row, however many files it has, and says how much of it no document knows.
func TestModules(t *testing.T) {
	all, err := New(write(t, several), nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	said := func(all []ModuleShadow) string {
		var b strings.Builder
		for i := range all {
			m := &all[i]
			fmt.Fprintf(&b, "%s %s %s %v:", m.Module, m.Shade, m.Extent(), m.Untold)
			for k := range m.Members {
				fmt.Fprintf(&b, " %s %s", m.Members[k].Shade, m.Members[k].Name)
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	want := "store Orphaned 2 orphaned, 1 drifted, 1 partial of 5 declarations false: Orphaned Vacuum Orphaned Drain Drifted Rekey Partial Compact\nutil Orphaned 1 orphaned of 1 declarations, none documented true: Orphaned squeeze\n"
	if got := said(Modules(all, false)); got != want {
		t.Errorf("modules are\n%swant\n%s", got, want)
	}
	if got := said(Modules(all, true)); !strings.Contains(got, "Partial Compact Documented Open\n") {
		t.Errorf("with all, modules are\n%s", got)
	}
}

// A member of a row is known again by its name and file: what is documented, removed or not
// to be read is said of it alone, also of rows as former versions wrote them.
func TestModuleRows(t *testing.T) {
	for _, format := range []string{"assay", "loa"} {
		root := t.TempDir()
		put(t, root, several)
		_, text := drift(t, root, "", format)
		for _, want := range []string{"| store | store/a.go:4 | Orphaned (HIGH): 2 orphaned, 1 drifted, 1 partial of 5 declarations: `Vacuum` a.go:4, `Drain` b.go:6; Partial: `Compact` b.go:4 |", "| util | util.py:1 | Orphaned (HIGH): 1 orphaned of 1 declarations, none documented: `squeeze` util.py:1 |"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", format, want, text)
			}
		}
		put(t, root, map[string]string{
			"README.md":  several["README.md"] + "\nThen `Vacuum`.\n",
			"store/a.go": strings.Replace(severalGo, "old, young string", "old string", 1),
			"store/b.go": strings.Replace(several["store/b.go"], "func Drain() {}\n", "", 1),
		})
		r, text := drift(t, root, text, format)
		var got []string
		for _, x := range r.Resolved {
			got = append(got, x.Type+" "+x.Item)
		}
		if want := Described + " Vacuum; " + Described + " Rekey; " + Gone + " Drain"; strings.Join(got, "; ") != want {
			t.Errorf("%s: resolved %q, want %q", format, got, want)
		}
		if !strings.Contains(text, "| store | store/b.go:4 | Partial (LOW): 1 partial of 4 declarations: `Compact` b.go:4 |") {
			t.Errorf("%s: what is left is\n%s", format, text)
		}
	}
	root := t.TempDir()
	put(t, root, several)
	old := "| Module | Location | Classification | Dependents | Beads ID |\n|---|---|---|---|---|\n| Vacuum | store/a.go:9 | Orphaned (HIGH) | none | m-1 |\n| Fill | store/b.go:2 | Orphaned (HIGH) | none | m-1 |\n"
	r, _ := drift(t, root, old, "assay")
	if len(r.Shadows) != 3 || r.Shadows[0].Ticket != "m-1" || len(r.Resolved) != 1 || r.Resolved[0].Item != "Fill" || r.Resolved[0].Ticket != "m-1" {
		t.Errorf("rows of declarations become %+v, resolved %+v", r.Shadows, r.Resolved)
	}
}
