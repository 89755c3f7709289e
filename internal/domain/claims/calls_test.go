package claims

import (
	"strings"
	"testing"
)

// An example that calls what it takes out of the project as that cannot be called has drifted; of what may be the
// example's own, leaves values out, or shows what fails, nothing is known.
func TestExampleCalls(t *testing.T) {
	files := map[string]string{
		"go.mod":           "module example.org/mail\n\ngo 1.26\n",
		"mail.go":          "package mail\n\nfunc Send(to, body string) error { return nil }\n\nfunc SendAll(to string, rest ...int) {}\n",
		"pkg/__init__.py":  "def load_mail(path, timeout=30):\n    return []\n\ndef find_mail(path, *, deep=False):\n    return []\n\n@wrapped\ndef odd_mail(path):\n    return []\n",
		"pkg/box.py":       "class Mailbox:\n    def __init__(self, path, create=True):\n        pass\n\n    def fetch(self, uid, peek=False):\n        pass\n\n    @property\n    def size(self):\n        return 1\n\nclass Special(Model):\n    def __init__(self, path):\n        pass\n",
		"js/post.ts":       "export class Postbox {\n  constructor(url: string, retries?: number) {}\n  push(letter: string) {}\n}\n",
		"pyproject.toml":   "[project]\nname = \"pkg\"\n",
		"pkg/more.py":      "def map_mail(fn, items):\n    return []\n\n@command()\n@option(\n    '--name',\n)\ndef run_mail(ctx, name):\n    pass\n",
		"package.json":     `{"name": "wires", "main": "js/index.ts"}`,
		"js/old.js":        "export function joinWires(first) { return [].join.call(arguments, first) }\n",
		"js/index.ts":      "export function openWire(url: string, retries?: number) {}\nexport * from './post';\n",
		"docs/nothing.txt": "",
	}
	for doc, want := range map[string]string{
		"```go\nerr := mail.Send(you)\n```":                                                                          "gives 1 values, the code takes at least 2",
		"```go\nerr := mail.Send(you, \"a, b\", 3)\n```":                                                             "gives 3 values, the code takes 2",
		"```go\nerr := mail.Send(both())\n```":                                                                       "",
		"```go\nmail := other.New()\nmail.Send(you)\n```":                                                            "",
		"```go\nmail.SendAll(you, 1, 2, 3)\nmail.Send(you, ...)\n```":                                                "",
		"```python\nfrom pkg import load_mail\nload_mail('a', deadline=3)\n```":                                      "gives a parameter deadline",
		"```python\nimport pkg\n>>> pkg.load_mail(\n...     'a', 3,\n...     4)\n```":                                "gives 3 values, the code takes 2",
		"```python\nfrom pkg import find_mail\nfind_mail('a', True)\n```":                                            "gives 2 values, the code takes 1",
		"```python\nfrom pkg import find_mail\nfind_mail('a', deep=True)\n```":                                       "",
		"```python\nfrom pkg import load_mail\nload_mail()  # raises TypeError\n```":                                 "",
		"```python\nfrom pkg import odd_mail\nodd_mail()\n```":                                                       "",
		"```python\nfrom pkg.more import map_mail\nmap_mail(lambda a, b=2: a + b, [1])\n```":                         "",
		"```python\nfrom pkg.more import map_mail\nmap_mail(len, [1], 3)\n```":                                       "gives 3 values, the code takes 2",
		"```python\nfrom pkg.more import run_mail\nrun_mail()\n```":                                                  "",
		"```ts\nimport { joinWires } from 'wires'\njoinWires('-', 'a', 'b')\n```":                                    "",
		"```ts\nimport { openWire } from 'wires'\nopenWire(/[,]{1,2},/, 'a', 'b')\n```":                              "",
		"```python\ndef load_mail(a, b, c):\n    return a\nload_mail(1, 2, 3)\n```":                                  "",
		"```python\nfrom pkg.box import Mailbox\nMailbox('a', True, 3)\n```":                                         "gives 3 values, the code takes 2, for its constructor",
		"```python\nfrom pkg.box import Mailbox\nbox = Mailbox('a', create=False)\nbox.fetch(1, deep=True)\n```":     "gives a parameter deep",
		"```python\nfrom pkg.box import Mailbox\nbox = Mailbox('a')\n```\n\nThen:\n\n```python\nbox.fetch()\n```":    "gives 0 values, the code takes at least 1",
		"```python\nfrom pkg.box import Mailbox\nbox = Mailbox('a').open()\nbox.fetch()\n```":                        "",
		"```python\nfrom pkg.box import Mailbox\nbox = Mailbox('a')\nbox = other()\nbox.fetch()\n```":                "",
		"```python\nfrom pkg.box import Mailbox\ndef use(box):\n    box.fetch()\nbox = Mailbox('a')\n```":            "",
		"```python\nfrom pkg.box import Special\nSpecial(1, 2)\n```":                                                 "",
		"```ts\nimport { Postbox } from 'wires'\nconst box = new Postbox('a')\nbox.push('b', 'c')\n```":              "gives 2 values, the code takes 1",
		"```ts\nimport { Postbox } from 'wires'\nnew Postbox('a', 1, 2)\n```":                                        "gives 3 values, the code takes 2, for its constructor",
		"```ts\nimport { Postbox } from 'wires'\nconst box = new Postbox('a')\nother.box.push()\nbox.push('b')\n```": "",
		"```python\nload_mail(1, 2, 3)\n```":                                                                         "",
		"```python\nfrom pkg import load_mail\nload_mail(*all)\n```":                                                 "",
		"```ts\nimport { openWire } from 'wires'\nopenWire('a', 3, { b: [1, 2] })\n```":                              "gives 3 values, the code takes 2",
		"```ts\nimport { openWire } from 'wires'\nopenWire()\n```":                                                   "gives 0 values, the code takes at least 1",
		"```ts\nimport { openWire } from 'wires'\nopenWire(`a, ${b}`, 2)\nx.openWire()\n```":                         "",
	} {
		files["README.md"] = "# it\n\n`load_mail`, `find_mail`, `odd_mail`, `Send`, `SendAll`, `map_mail`, `run_mail`, `joinWires`, `openWire`, `Mailbox`, `Mailbox.fetch`, `Special` and `Postbox`.\n\n" + doc + "\n"
		all, err := New(write(t, files), nil, nil).Shadows(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i := range all {
			if all[i].Shade == Drifted {
				got += all[i].Difference
			}
		}
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("of %q is said %q, want %q", doc, got, want)
		}
	}
}

// What is no call is passed by in time that grows with the document alone, and counts as none: brackets that
// nothing closes, and variables of which every part may be one of a field.
func TestUnclosed(t *testing.T) {
	b := &block{raw: []string{"from pkg import f", strings.Repeat("f(", 1<<17), "f(1, 2)"}}
	got := 0
	b.calls("python", func(_, _ string, line int, args []string, _ bool) {
		if got++; line != 2 || len(args) != 2 {
			t.Errorf("a call on line %d of %q", line, args)
		}
	})
	if got != 1 {
		t.Errorf("%d calls", got)
	}
	tags := map[string]bool{"Q": true}
	for i := range 20 {
		tags["-namespace"+strings.TrimSuffix(strings.Repeat("A_", i+1), "_")] = true
	}
	k := &known{tags: tags}
	if name := strings.Repeat("A_", 60); k.tagged(name+"R") || !k.tagged(name+"Q") {
		t.Error("a variable of sixty parts is told by its last one")
	}
}

// A file is read once for all calls of what it declares, and how its classes are made is what each says.
func TestFilesOfCallsAreReadOnce(t *testing.T) {
	text := "class First:\n    def __init__(self, path, create=True):\n        pass\n\nclass Twice:\n    def __init__(self, a):\n        pass\n\nclass Twice:\n    pass\n\nclass Heir(Enum):\n    def __init__(self, a):\n        pass\n\nclass Made:\n    def __new__(cls):\n        pass\n    def __init__(self, a):\n        pass\n\nclass Two:\n    def __init__(self, a):\n        pass\n    def __init__(self, b):\n        pass\n\nclass None_:\n    pass\n\n@odd\ndef marked():\n    pass\n\nclass Last:\n    def __init__(self, uid):\n        pass\n"
	a := New(write(t, map[string]string{"box.py": text}), nil, nil)
	of := func(name string) (string, bool) {
		params, ok := a.constructor(&Declaration{Name: name, Kind: "class", Language: "python", Place: Place{"box.py", 1}})
		return strings.Join(params, ", "), ok
	}
	if got, ok := of("First"); !ok || got != "path, create=True" {
		t.Errorf("First is made of %q, %v", got, ok)
	}
	for i := range a.Tree.Code {
		a.Tree.Code[i].Text = nil // who reads it again finds nothing
	}
	if got, ok := of("Last"); !ok || got != "uid" {
		t.Errorf("Last is made of %q, %v: the file was read again", got, ok)
	}
	for _, name := range []string{"Twice", "Heir", "Made", "Two", "None_", "Absent"} {
		if got, ok := of(name); ok {
			t.Errorf("%s is made of %q, want that to be unknown", name, got)
		}
	}
	for line, want := range map[int]bool{0: true, 1: false, 32: true, 33: false, 1 << 20: false} {
		if got := a.decorated(&Declaration{Language: "python", Place: Place{"box.py", line}}); got != want {
			t.Errorf("line %d is decorated: %v, want %v", line, got, want)
		}
	}
	if !a.decorated(&Declaration{Place: Place{"absent.py", 3}}) {
		t.Error("of a file that is not there nothing is known, want it taken as decorated")
	}
}

// The parameters of a function are read once for all calls of it: this many times as many would not end.
func TestManyCallsOfManyParameters(t *testing.T) {
	d := &Declaration{Name: "load", Kind: "function", Language: "python", Place: Place{"box.py", 1}}
	for range 1 << 16 {
		d.Params = append(d.Params, "value=1")
	}
	all := make([]calling, 1<<18)
	for i := range all {
		all[i] = calling{at: Place{"README.md", i}, lang: "python", args: []string{"value=2"}}
	}
	all[len(all)-1].args = []string{"other=1"}
	a := New(write(t, map[string]string{"box.py": "def load(value=1):\n    pass\n"}), nil, nil)
	if at, why, n := a.miscalled(d, all); n != len(all) || at.Line != len(all)-1 || !strings.HasPrefix(why, "the example gives a parameter other") {
		t.Errorf("got %v, %.60q, %d", at, why, n)
	}
}
