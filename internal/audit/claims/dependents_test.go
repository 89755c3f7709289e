package claims

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// packages is a repository of so many packages of JavaScript, whose folders and files are called alike.
func packages(t *testing.T, n int) (*Auditor, []Declaration) {
	t.Helper()
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("packages/p%d/src/index.ts", i)] = fmt.Sprintf("import { wire%d } from '../../p%d/src/index'\nexport function wire%d() {}\nexport function index() {}\n", (i+1)%n, (i+1)%n, i)
		files[fmt.Sprintf("packages/p%d/src/more.ts", i)] = fmt.Sprintf("import { wire%d } from './index'\nexport class More { src() { wire%d() } }\n", i, i)
	}
	a := New(write(t, files), nil)
	var decls []Declaration
	for i := range a.Tree.Code {
		f := &a.Tree.Code[i]
		for _, name := range nameRE.FindAllString(string(f.Text), -1) {
			decls = append(decls, Declaration{Place: Place{f.Path, 1}, Name: name, Scope: "More"})
		}
	}
	return a, decls
}

// The files that use a declaration are those that the obvious way finds.
func TestDependents(t *testing.T) {
	a, decls := packages(t, 12)
	some := 0
	for i := range decls {
		d := &decls[i]
		dir, base := path.Dir(d.Path), path.Base(d.Path)
		stem, _, _ := strings.Cut(base, ".")
		near := map[string]bool{}
		for _, home := range []string{path.Base(dir), stem, d.Scope} {
			for _, p := range a.ev().posts.Of(exact(home)) {
				near[a.ev().files[a.ev().spots[p.Place()].file].Path] = true
			}
		}
		want := []string{}
		for _, p := range a.ev().posts.Of(exact(d.Name)) {
			file := a.ev().files[a.ev().spots[p.Place()].file].Path
			if file != d.Path && (path.Dir(file) == dir || near[file]) && !slices.Contains(want, file) {
				want = append(want, file)
			}
		}
		slices.Sort(want)
		some += len(want)
		if got := a.dependents(d); !reflect.DeepEqual(got, want) {
			t.Errorf("%s of %s: %q, want %q", d.Name, d.Path, got, want)
		}
	}
	if some < 100 {
		t.Errorf("%d dependents of %d names", some, len(decls))
	}
}

// Where most folders are called alike, what a declaration costs does not grow with them.
func TestDependentsOfManyPackages(t *testing.T) {
	cost := func(n int) float64 {
		a, decls := packages(t, n)
		d := decls[slices.IndexFunc(decls, func(d Declaration) bool { return strings.HasPrefix(d.Name, "wire") })]
		a.dependents(&d)
		return testing.AllocsPerRun(5, func() { a.dependents(&d) })
	}
	if few, many := cost(20), cost(200); many > few {
		t.Errorf("ten times the packages cost %v allocations, and not %v", many, few)
	}
}
