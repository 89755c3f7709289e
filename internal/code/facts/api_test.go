package facts_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
)

// A build is told by what it has other than another, as a command is given it; a system that
// Go has none of is named.
func TestBuildTold(t *testing.T) {
	host, linux := facts.Host(), facts.For("linux", "amd64", nil)
	if host.OS != runtime.GOOS || host.Arch != runtime.GOARCH || facts.For("", "", nil).String() != host.String() {
		t.Errorf("the host's build is %s", host)
	}
	for _, c := range []struct {
		build                  facts.Build
		text, unknown, options string
	}{
		{linux, "linux/amd64", "", ""},
		{facts.For("windows", "amd64", nil), "windows/amd64", "", "--goos windows"},
		{facts.For("linux", "arm64", []string{"b", "a", "b"}), "linux/arm64,a,b", "", "--goarch arm64 --tags a,b"},
		{facts.For("darwin", "arm64", []string{"x"}), "darwin/arm64,x", "", "--goos darwin --goarch arm64 --tags x"},
		{facts.For("lunix", "amd64", nil), "lunix/amd64", `system "lunix"`, "--goos lunix"},
		{facts.For("linux", "x86", nil), "linux/x86", `processor "x86"`, "--goarch x86"},
	} {
		if got := [3]string{c.build.String(), c.build.Unknown(), c.build.Flags(linux)}; got != [3]string{c.text, c.unknown, c.options} {
			t.Errorf("%q, want %q", got, [3]string{c.text, c.unknown, c.options})
		}
	}
}

// What a constraint's word means is what go/build says: an Android is a Linux, and so on; cgo
// is on where the build is for this machine.
func TestBuildHas(t *testing.T) {
	tree := map[string]string{"go.mod": "module example.com/m\n", "a.go": "package m\n", "a.py": "x = 1\n"}
	words := []string{"linux", "android", "solaris", "illumos", "darwin", "ios", "unix", "gc", "gccgo", "go1.1", "go1.999", "mine", "cgo"}
	for _, w := range words {
		tree[w+"_only.go"] = "//go:build " + w + "\n\npackage m\n"
	}
	tree["linux.go"] = "package m\n" // nothing but a system is no constraint
	tree["x_linux_test.go"] = "package m\n"
	p := project(tree)
	doc := func(name string) int {
		return slices.IndexFunc(p.Docs, func(d facts.Doc) bool { return d.Path == name })
	}
	other := "linux"
	if runtime.GOOS == other {
		other = "darwin"
	}
	for _, c := range []struct {
		build facts.Build
		has   string
	}{
		{facts.For("linux", "s390x", nil), "linux unix gc go1.1"},
		{facts.For("android", "s390x", nil), "linux android unix gc go1.1"},
		{facts.For("illumos", "s390x", nil), "solaris illumos unix gc go1.1"},
		{facts.For("ios", "s390x", []string{"mine"}), "darwin ios unix gc go1.1 mine"},
		{facts.For("windows", "s390x", nil), "gc go1.1"},
	} {
		p.Under(c.build)
		var got []string
		for _, w := range words {
			if !p.Excluded(doc(w + "_only.go")) {
				got = append(got, w)
			}
		}
		if strings.Join(got, " ") != c.has {
			t.Errorf("%s has %v, want %s", c.build, got, c.has)
		}
		if p.Build().String() != c.build.String() {
			t.Errorf("resolved for %s, want %s", p.Build(), c.build)
		}
	}
	for build, want := range map[string]bool{runtime.GOOS: true, other: false} {
		if p.Under(facts.For(build, "", nil)); p.Excluded(doc("cgo_only.go")) == want {
			t.Errorf("cgo for %s is %v", build, !want)
		}
	}
	for name, want := range map[string]bool{"a.go": false, "a.py": false, "linux.go": false, "cgo_only.go": true, "x_linux_test.go": true} {
		if got := p.Constrained(doc(name)); got != want {
			t.Errorf("%s is constrained: %v", name, got)
		}
	}
}

// What is asked of one place: its field, the type around it, the calls in it.
func TestPlaces(t *testing.T) {
	tree := map[string]string{
		"go.mod": "module example.com/m\n",
		"a.go":   "package m\n\ntype T struct {\n\tSize int\n\thidden *T\n}\n\nfunc (t *T) F() {\n\tt.G()\n\tfunc() { t.G(); t.hidden.F(); println() }()\n}\n\nfunc (t *T) G() {}\n\nfunc Free() { new(T).F() }\n",
		"A.java": "class A {\n  private int own;\n  public A all;\n  protected String some;\n}\n",
		"a.ts":   "export class C {\n  private own = 1;\n  all: C;\n}\n",
	}
	p := project(tree)
	for name, want := range map[string]string{"T.Size": "int true", "T.hidden": "*T false", "A.own": "int false", "A.all": "A true", "A.some": "String false", "C.own": " false", "C.all": "C true"} {
		of := p.Targets(name)
		if len(of) != 1 {
			t.Fatalf("%s means %+v", name, of)
		}
		f := p.Field(of[0])
		if got := fmt.Sprint(f.Type, " ", f.Exported); got != want || f.Name != of[0].Name || f.At != of[0].At {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	fn := p.Targets("T.F")[0]
	if f := p.Field(fn); f.Type != "" || f.Exported {
		t.Errorf("a method is the field %+v", f)
	}
	doc := slices.IndexFunc(p.Docs, func(d facts.Doc) bool { return d.Path == "A.java" })
	for text, want := range map[string]int32{"own": 0, "class": -1} {
		if got := p.Class(doc, strings.Index(tree["A.java"], text)); text == "own" && got != want {
			t.Errorf("the type around %s is %d", text, got)
		}
	}
	if got := p.Class(fn.Doc, strings.Index(tree["a.go"], "Free")+8); got != -1 {
		t.Errorf("around a function there is the type %d", got)
	}
	calls, tally := p.Callees(fn.Ref)
	var got []string
	for _, e := range calls {
		got = append(got, p.Decl(e.To).Qualified()+" "+e.Sure.String())
	}
	if want := []string{"T.G exact", "T.G exact", "T.F exact"}; !slices.Equal(got, want) || tally.Resolved != 3 || tally.Total != 4 || tally.Unresolved != 1 {
		t.Errorf("T.F calls %q, %+v, want %q", got, tally, want)
	}
	if calls, tally := p.Callees(p.Lookup("T.G")[0]); len(calls) != 0 || tally.Total != 0 {
		t.Errorf("T.G calls %+v, %+v", calls, tally)
	}
}

// Calls of what is not of the project are told by name, surely where the receiver is known to
// be from elsewhere.
func TestOutside(t *testing.T) {
	p := project(map[string]string{
		"go.mod": "module example.com/m\n",
		"a.go":   "package m\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc F(x any) {\n\tfmt.Println()\n\tos.Exit(1)\n\tx.(T).Println()\n}\n\ntype T struct{}\n\nfunc (T) Println() {}\n\nfunc G() { fmt.Println() }\n",
	})
	for name, want := range map[string]string{"fmt.Println": "F exact, G exact; 2 of 2", "fmt::Println()": "F exact, G exact; 2 of 2", "Println": "F likely, G likely; 2 of 3", "os.Println": "; 0 of 0", "Exit": "F likely; 1 of 1", "none": "; 0 of 0"} {
		edges, tally := p.Outside(name)
		var got []string
		for _, e := range edges {
			if e.To.Doc != -1 || e.How != "outside" {
				t.Errorf("%s leads to %+v", name, e)
			}
			got = append(got, p.Decl(e.From).Name+" "+e.Sure.String())
		}
		if said := fmt.Sprintf("%s; %d of %d", strings.Join(got, ", "), tally.External, tally.Total); said != want {
			t.Errorf("calls of %s: %s, want %s", name, said, want)
		}
	}
}

func TestStems(t *testing.T) {
	for name, want := range map[string]string{
		"a/user_test.go": "user", "test_user.py": "user", "user.spec.ts": "user", "user-test.js": "user", "UserTest.java": "user", "UserTests.cs": "user", "UserSpec.scala": "user", "user_tests.rs": "user",
		"tests-user.js": "user", "spec_user.rb": "user", "user_spec.rb": "user", "userspec.rb": "userspec", "test.go": "test", "_test.go": "_test", "latest.go": "latest", "usertest.py": "usertest", "Test.java": "test", "Tests.cs": "tests", "user.go": "user", "User.Service.java": "user",
	} {
		if got := facts.TestStem(name); got != want {
			t.Errorf("TestStem(%s) = %s, want %s", name, got, want)
		}
	}
}

// A function is what can be called and has a body; a macro is none.
func TestFunction(t *testing.T) {
	for _, c := range []struct {
		lang string
		decl corpus.Decl
		want bool
	}{
		{"go", corpus.Decl{Kind: corpus.Function}, true}, {"go", corpus.Decl{Kind: corpus.Method}, true}, {"python", corpus.Decl{Kind: corpus.TestCase}, true},
		{"go", corpus.Decl{Kind: corpus.Method, Traits: corpus.Abstract}, false}, {"java", corpus.Decl{Kind: corpus.Method, Traits: corpus.Abstract}, true},
		{"c", corpus.Decl{Kind: corpus.Macro}, false}, {"go", corpus.Decl{Kind: corpus.Type}, false}, {"java", corpus.Decl{Kind: corpus.Class}, false},
	} {
		if got := facts.Function(c.lang, &c.decl); got != c.want {
			t.Errorf("%s %+v: %v", c.lang, c.decl, got)
		}
	}
}
