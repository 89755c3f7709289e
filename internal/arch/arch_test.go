package arch

import (
	"go/ast"
	"go/parser"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

func load(t *testing.T) map[string]*pkg {
	t.Helper()
	pkgs, err := packages(root)
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// picture returns a block of ARCHITECTURE.md.
func picture(t *testing.T, name string) []string {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := block(doc, name)
	if lines == nil {
		t.Fatalf("ARCHITECTURE.md has no %s block", name)
	}
	return lines
}

func rules(t *testing.T, lines []string) []rule {
	t.Helper()
	rs, err := parseRules(lines)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

func report(t *testing.T, faults []string) {
	t.Helper()
	for _, f := range faults {
		t.Error(f)
	}
}

func TestLayers(t *testing.T) {
	report(t, layerFaults(picture(t, "layers"), load(t)))
}

func TestOwners(t *testing.T) {
	report(t, ownerFaults(rules(t, picture(t, "owners")), load(t)))
}

func TestCalls(t *testing.T) {
	report(t, callFaults(rules(t, picture(t, "calls")), load(t)))
}

func TestTables(t *testing.T) {
	report(t, tableFaults(rules(t, picture(t, "tables")), load(t)))
}

// A statement is seen wherever a package words it, and only the owner may.
func TestTableFaults(t *testing.T) {
	dir := t.TempDir()
	for name, body := range map[string]string{
		"core/index/a.go":   "// Package index is here.\npackage index\n\nconst q = `SELECT n FROM postings`\n",
		"domain/vault/a.go": "// Package vault is here.\npackage vault\n\nvar q = \"DELETE \" + \"FROM postings WHERE x\" // FROM lengths\nconst step = `DROP TABLE lengths`\n",
		"domain/other/a.go": "// Package other is here.\npackage other\n\nconst q = `SELECT n\n FROM a JOIN\n\tlengths l`\n",
	} {
		path := filepath.Join(dir, "internal", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pkgs, err := packages(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := tableFaults(rules(t, []string{"postings core/index", "lengths core/index"}), pkgs)
	if len(got) != 2 || !strings.HasPrefix(got[0], "domain/other ") || !strings.HasPrefix(got[1], "domain/vault ") {
		t.Errorf("%q, want one of other and one of vault", got)
	}
}

func TestPackageComments(t *testing.T) {
	pkgs := load(t)
	for _, name := range slices.Sorted(maps.Keys(pkgs)) {
		if !pkgs[name].doc {
			t.Errorf("%s has no package comment", name)
		}
	}
}

func TestFileLength(t *testing.T) {
	for _, p := range load(t) {
		for file, n := range p.lines {
			if n > maxLines {
				t.Errorf("%s has %d lines, at most %d: split it by what it is about", file, n, maxLines)
			}
		}
	}
}

func TestNoInit(t *testing.T) {
	for _, p := range load(t) {
		for _, file := range p.inits {
			t.Errorf("%s has an init function: let main say what happens, and when", file)
		}
	}
}

// The tests below hold the checks themselves: each breaks a small picture and
// expects to be told.

func imports(deps ...string) *pkg {
	for i, d := range deps {
		if !strings.ContainsAny(d, "./") || strings.HasPrefix(d, "feature/") || strings.HasPrefix(d, "index/") || strings.HasPrefix(d, "search/") {
			deps[i] = module + "internal/" + d
		}
	}
	return &pkg{imports: deps}
}

func TestLayerFaults(t *testing.T) {
	layers := []string{"cmd/assay", "feature/code feature/docs", "index search", "corpus"}
	sound := map[string]*pkg{
		"cmd/assay":    imports("feature/code", "search"),
		"feature/code": imports("index", "corpus"),
		"feature/docs": imports(),
		"index":        imports("corpus"),
		"index/seg":    imports("index", "corpus"),
		"search":       imports("corpus"),
		"corpus":       imports("example.com/elsewhere"),
		"search/a/b":   imports("search", "corpus"),
	}
	for _, c := range []struct {
		name string
		pkgs map[string]*pkg
		want string
	}{
		{"sound", nil, ""},
		{"same line", map[string]*pkg{"search": imports("index")}, "search imports index, which is not below it"},
		{"upwards", map[string]*pkg{"corpus": imports("search")}, "corpus imports search, which is not below it"},
		{"feature to feature", map[string]*pkg{"feature/code": imports("feature/docs")}, "feature/code imports feature/docs, which is not below it"},
		{"parent to its part", map[string]*pkg{"index": imports("index/seg")}, "index imports index/seg, which is not below it"},
		{"part to its sibling", map[string]*pkg{"index/seg": imports("index/vec"), "index/vec": imports()}, "index/seg imports index/vec, which is not below it"},
		{"part to another's layer", map[string]*pkg{"index/seg": imports("search")}, "index/seg imports search, which is not below it"},
		{"part upwards", map[string]*pkg{"index/seg": imports("feature/code")}, "index/seg imports feature/code, which is not below it"},
		{"below a part of its own", map[string]*pkg{"search/a/b": imports("search", "search/a"), "search/a": imports("search")}, ""},
		{"no layer", map[string]*pkg{"feature/audit": imports()}, "feature/audit is not in ARCHITECTURE.md: give it a layer"},
		{"no package", map[string]*pkg{"corpus": nil}, "ARCHITECTURE.md names corpus, which does not exist"},
	} {
		pkgs := maps.Clone(sound)
		maps.Copy(pkgs, c.pkgs)
		maps.DeleteFunc(pkgs, func(_ string, p *pkg) bool { return p == nil })
		if got := strings.Join(layerFaults(layers, pkgs), "; "); got != c.want {
			t.Errorf("%s: layerFaults = %q, want %q", c.name, got, c.want)
		}
	}
	if got := layerFaults(append(layers, "index"), sound); len(got) == 0 {
		t.Error("a package on two lines was accepted")
	}
	if got := layerFaults(append([]string{"index/seg"}, layers...), map[string]*pkg{
		"index/seg": imports("feature/code"), "cmd/assay": imports(), "feature/code": imports(), "feature/docs": imports(),
		"index": imports(), "search": imports(), "corpus": imports(),
	}); len(got) != 0 {
		t.Errorf("a part with a higher line of its own: %q, want no fault", got)
	}
	listed := append(layers[:len(layers):len(layers)], "index/seg")
	if got := layerFaults(listed, map[string]*pkg{
		"cmd/assay": imports(), "feature/code": imports(), "feature/docs": imports(), "search": imports(), "corpus": imports("index/seg"),
		"index": imports("index/seg"), "index/seg": imports(),
	}); len(got) != 0 {
		t.Errorf("a part with a lower line of its own: %q, want no fault", got)
	}
}

func TestOwnerFaults(t *testing.T) {
	rs := rules(t, []string{"net/http  embed mcp", "os/signal  -", "os  !search !bm25", "database/sql  store"})
	for _, c := range []struct {
		name, dep string
		ok        bool
	}{
		{"embed", "net/http", true},
		{"embed/remote", "net/http/httptrace", true},
		{"search", "net/http", false},
		{"embedder", "net/http", false},
		{"search", "os", false},
		{"bm25/seg", "os/user", false},
		{"index", "os", true},
		{"index", "osext", true},
		{"cmd/assay", "os/signal", false},
		{"index", "database/sql/driver", false},
		{"store", "database/sql/driver", true},
	} {
		got := ownerFaults(rs, map[string]*pkg{c.name: {imports: []string{c.dep}}})
		if (len(got) == 0) != c.ok {
			t.Errorf("%s importing %s: %q, want allowed=%v", c.name, c.dep, got, c.ok)
		}
	}
	for _, line := range []string{"net/http", "os embed !search", "github.com/assay-dev/assay/internal/base/vec.DotInt8 core/index"} {
		if _, err := parseRules([]string{line}); err == nil {
			t.Errorf("parseRules accepted %q", line)
		}
	}
}

// Work that has one home is found by its shape.
func TestWork(t *testing.T) {
	for expr, want := range map[string]string{
		"min(last[j+1]+1, now[j]+1, last[j]+cost)": "edit-distance", "1 + min(diagonal, row[j], row[j+1])": "edit-distance",
		"byte(int8(math.Round(float64(x/scale))))": "quantiser", "int8(math.RoundToEven(x))": "quantiser",
		"text.Prose().Stop(w)": "stop-words", "text.Stop(w)": "stop-words", "timer.Stop()": "", "signal.Stop(c)": "",
		"min(a, b, c)": "", "min(row[i], row[j])": "", "min(n, len(a[i]), 3)": "", "int8(x)": "", "uint8(math.Round(x))": "", "max(a[0], a[1], a[2])": "",
	} {
		e, err := parser.ParseExpr(expr)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && got == "" {
				got = work(call)
			}
			return true
		})
		if got != want {
			t.Errorf("%s is work of %q, want %q", expr, got, want)
		}
	}
}

func TestPackages(t *testing.T) {
	dir := t.TempDir()
	for name, body := range map[string]string{
		"internal/a/a.go":          "// Package a is here.\npackage a\n\nimport env \"os\"\n\nvar x = env.Getenv(\"X\")\n\nfunc init() {}\n",
		"internal/a/r.go":          "package a\n\nimport \"github.com/assay-dev/assay/internal/code/rank\"\n\nvar s = rank.Signal{}\n\nvar t = rank.Docs().Scorer(.5, 2.0)\n",
		"internal/a/w.go":          "package a\n\nvar w = .7\n",
		"internal/a/b_windows.go":  "package a\n\nimport \"net/http\"\n\nvar _ http.Client\n",
		"internal/a/a_test.go":     "package a\n\nimport \"os/exec\"\n",
		"internal/a/testdata/t.go": "package broken (",
		"internal/a/gen.go":        "// Code generated by x. DO NOT EDIT.\n\npackage a\n",
		"cmd/assay/main.go":        "package main\n\ntype t struct{}\n\nfunc (t) init() {}\n",
		".tools/x/x.go":            "package broken (",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pkgs, err := packages(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(pkgs)); !slices.Equal(got, []string{"a", "cmd/assay"}) {
		t.Fatalf("packages = %v, want a and cmd/assay", got)
	}
	a := pkgs["a"]
	if !a.doc || pkgs["cmd/assay"].doc {
		t.Errorf("doc: a %v, main %v, want true and false", a.doc, pkgs["cmd/assay"].doc)
	}
	if got := slices.Sorted(slices.Values(a.imports)); !slices.Equal(got, []string{"github.com/assay-dev/assay/internal/code/rank", "net/http", "os"}) {
		t.Errorf("imports = %v, want code/rank, net/http and os", got)
	}
	if !slices.Equal(a.inits, []string{"internal/a/a.go"}) || pkgs["cmd/assay"].inits != nil {
		t.Errorf("inits = %v and %v, want a.go alone", a.inits, pkgs["cmd/assay"].inits)
	}
	if len(a.lines) != 4 || a.lines["internal/a/a.go"] != 8 {
		t.Errorf("lines = %v, want 8 in a.go and no generated file", a.lines)
	}
	if !slices.Contains(a.calls, "code/rank.Signal{}") || !slices.Contains(a.calls, "code/rank.Docs") {
		t.Errorf("calls = %v, want a signal that is made", a.calls)
	}
	rs := rules(t, []string{"os.Getenv  config"})
	if got := callFaults(rs, pkgs); len(got) != 1 {
		t.Errorf("callFaults = %q, want the call of a", got)
	}
}
