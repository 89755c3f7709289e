package claims

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// A name that the code declared once is the project's own, however little the document says of it;
// one that the code only used is not, and without a history nothing is known of either.
func TestPast(t *testing.T) {
	files := map[string]string{
		"peck.ts":      "export class Reader { readAll() {} }\n",
		"docs/peck.md": "# peck\n\nIt takes a `StrayConnector`, or an `OtherThing`.\n",
	}
	history := []string{"export abstract class StrayConnector extends Base {", "  return new OtherThing(StrayConnector)"}
	for _, c := range []struct{ known, whole bool }{{false, false}, {true, false}, {true, true}} {
		known, whole := c.known, c.whole
		a := New(write(t, files), nil, nil)
		var asked []string
		if known {
			a.Past = func(words map[string]bool, has func([]byte, string) bool) (map[string]bool, bool) {
				asked = slices.Sorted(maps.Keys(words))
				gone := map[string]bool{}
				for w := range words {
					if slices.ContainsFunc(history, func(line string) bool { return has([]byte(line), w) }) {
						gone[w] = true
					}
				}
				return gone, whole
			}
		}
		features, _ := a.Features()
		if lim := a.Limits(); lim.PastCut != (known && !whole) {
			t.Errorf("of a history that is known (%v) and whole (%v) the limits are %+v", known, whole, lim)
		}
		doubt := map[string]string{}
		for _, f := range features {
			doubt[f.Name] = f.Doubt
		}
		if want := []string{"OtherThing", "StrayConnector"}; known && !slices.Equal(asked, want) {
			t.Errorf("asked of history are %q, want %q", asked, want)
		}
		if strings.Contains(doubt["StrayConnector"], onPast.why) != known || strings.Contains(doubt["OtherThing"], onPast.why) {
			t.Errorf("with a history %v the doubts are %q", known, doubt)
		}
	}
}

// A line declares what stands behind a word that declares, and not what it calls or is of.
func TestDeclaredIn(t *testing.T) {
	for line, want := range map[string]bool{
		"public class OldName extends Base {": true, "def old_name; OldName.new; end": false, "  fn OldName(x: u8) {": true,
		"func (s *Server) OldName() error {": true, "export const OldName = 3": true, "return OldName(1)": false,
		"class Other extends OldName {": false, "class OldNames {": false, "x := OldName": false, "#define OldName(x)": true,
	} {
		if got := declaredIn([]byte(line), "OldName"); got != want {
			t.Errorf("declaredIn(%q) = %v, want %v", line, got, want)
		}
	}
}

// Code that lies among the documents is code: what it declares was not taken away.
func TestPastOfCodeAmongDocuments(t *testing.T) {
	files := map[string]string{
		"package.json":        `{"name": "peck"}`,
		"src/peck.ts":         "export class Reader { readAll() {} }\n",
		"docs/kit/src/kit.ts": "export class StrayConnector {}\nnew FormerConnector()\n",
		"docs/peck.md":        "# peck\n\nIt takes a `StrayConnector`, or a `FormerConnector`.\n",
	}
	if got := reported(t, files, "class StrayConnector {", "class FormerConnector {"); !slices.Equal(got, []string{"FormerConnector"}) {
		t.Errorf("%q are reported, want FormerConnector", got)
	}
}
