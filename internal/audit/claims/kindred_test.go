package claims

import (
	"slices"
	"testing"
)

// A stack yields each text that has a piece, once.
func TestHaystack(t *testing.T) {
	h := stack([]string{"openfile", "file", "", "filefile", "close"})
	for piece, want := range map[string][]int{"file": {0, 1, 3}, "close": {4}, "openfile": {0}, "efil": {3}, "ef": {3}, "x": nil} {
		var got []int
		h.with(piece, func(i int) bool { got = append(got, i); return true })
		if !slices.Equal(got, want) {
			t.Errorf("%q is in %v, want %v", piece, got, want)
		}
	}
	h.with("file", func(i int) bool {
		if i != 0 {
			t.Errorf("goes on with %d", i)
		}
		return false
	})
}

// A name that is nearly one that the program declares is told from one that is not.
func TestKindreds(t *testing.T) {
	a := New(write(t, map[string]string{"a.go": "package a\n\ntype OpenConnectionPool struct{}\n\nfunc ReadConfigurationFile() {}\n\ntype IReader interface{}\n"}), nil, nil)
	k := a.names()
	for name, want := range map[string]bool{"OpenConectionPool": true, "ReadConfigFile": true, "ReadConfigurationFilm": true, "WriteConfigFile": false, "ClosePool": false, "ReaderPool": false, "Reader": false} {
		if got := k.misspelt(name); got != want {
			t.Errorf("%s is misspelt: %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]bool{"OpenDatabaseConnectionPool": true, "ReadFile": false, "ReadFinalConfigurationFile": true, "ReadAllConfigurationFilesFile": false, "OpenPool": false, "OpenConnectionPool": false} {
		if got := k.between(name); got != want {
			t.Errorf("%s has one word more or less: %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]bool{"ConnectionPool": true, "ConfigurationFiles": false, "ConfigurationFile": true, "OpenConnectionPools": true, "FileRead": false} {
		if got := k.several(name) || k.inner(name); got != want {
			t.Errorf("%s is alike: %v, want %v", name, got, want)
		}
	}
}

// Names that are nearly others cost comparisons, and texts that are gone through, which have an end that is
// told: then a name is none that was misspelt, and may be one that the code has in a longer one.
func TestKindredsEnd(t *testing.T) {
	tree := write(t, map[string]string{"a.go": "package a\n\ntype OpenConnectionPool struct{}\n\nfunc ReadConfigurationFile() {}\n"})
	a := New(tree, nil, nil)
	k := a.names()
	k.kindreds().left, k.kindreds().bytes = 0, 0
	if k.misspelt("OpenConectionPool") || k.misspelt("ReadConfigFile") {
		t.Error("names are compared without end")
	}
	if !k.inner("ClosingPool") || !k.inner("FileRead") {
		t.Error("names are looked for inside of others without end")
	}
	if k.misspelt("OpenDatabaseConnectionPool") || k.between("OpenDatabaseConnectionPool") || k.between("OpenDatabaseConnectionPool") {
		t.Error("names are compared without end, with one word more or less")
	}
	if got := a.Limits().Uncompared; got != 5 {
		t.Errorf("%d names were not compared, want 5", got)
	}
}
