package claims

import (
	"fmt"
	"strings"
	"testing"
)

// What documents repeat is asked once: a page of ten thousand members of a type that stands in as many
// places would be a hundred million looks.
func TestAskedOnce(t *testing.T) {
	a := New(write(t, map[string]string{
		"pom.xml":         "<project/>",
		"WireClient.java": "package a;\npublic class WireClient {\n  public void openWire() {}\n}\n",
		"Other.java":      "package a;\npublic class Other {\n  public void closeWire() {}\n  public void openConnectionPool() {}\n}\n",
	}), nil, nil)
	k := a.names()
	if !k.belongs("WireClient", "openWire") || k.belongs("WireClient", "closeWire") || !k.between("openLargeConnectionPool") {
		t.Fatal("what is of what is not told")
	}
	left := k.kindreds().left
	for name, ask := range map[string]func(){
		"belongs": func() { k.belongs("WireClient", "openWire"); k.belongs("WireClient", "closeWire") },
		"between": func() { k.between("openLargeConnectionPool") },
	} {
		if n := testing.AllocsPerRun(5, ask); n > 0 {
			t.Errorf("%s is worked out again: %v allocations", name, n)
		}
	}
	if k.kindreds().left != left {
		t.Error("comparisons are made again")
	}
}

// A block of very many names is gone through once.
func TestExampleNamesAreGoneThroughOnce(t *testing.T) {
	a := New(write(t, map[string]string{"a.go": "package a\n\nfunc OpenWire() {}\n"}), nil, nil)
	k := a.names()
	cost := func(n int) float64 {
		b := &block{kind: Fenced, lang: "go", line: 1, raw: []string{"OpenWire()"}}
		for i := range n {
			b.raw = append(b.raw, fmt.Sprintf("unknownWire%c%c%c(OpenWire)", 'a'+i%26, 'a'+i/26%26, 'a'+i/676))
		}
		if got := len(k.exampleNames(b, false)); got < n {
			t.Fatalf("%d names of %d", got, n)
		}
		return testing.AllocsPerRun(1, func() { k.exampleNames(b, false) })
	}
	if few, many := cost(300), cost(1200); many > 6*few {
		t.Errorf("four times the names cost %.1f times the work", many/few)
	}
}

// Each place that is shown is named after its function, without going through its file from its beginning:
// this would take minutes here. A very long file is not parsed.
func TestPlacesOfALongFile(t *testing.T) {
	for _, n := range []int{60_000, 1_500_000} {
		text := "def first():\n" + strings.Repeat("    x\n", n) + "\ndef second():\n    y\n"
		e := Gather([]Source{{Path: "a.py", Language: "python", Text: []byte(text)}}, false)
		for i := range e.spots {
			var h Match
			if h.stand(e, i); h.Name != "first" && h.Name != "second" && n < 100_000 {
				t.Fatalf("lines %d to %d are of %q", h.Line, h.Last, h.Name)
			}
		}
		if len(e.spots) < n/mostLines {
			t.Errorf("%d places", len(e.spots))
		}
	}
}
