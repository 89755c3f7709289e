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

// What is made over several lines may have what is made as a value.
func FuzzExamples(f *testing.F) {
	f.Add("python", "outer = Outer(\n    inner = Inner(1,\n),\n    b=2,\n)\nouter.push()\n")
	f.Add("ts", "const a = new A(\n  b = new B(1),\n)\na.push()\n")
	f.Add("go", "import \"x.org/a\"\na.B(1)\n")
	f.Fuzz(func(t *testing.T, lang, code string) {
		k := New(&Tree{}, nil, nil).names()
		e := k.exampleOf(blocks("```"+lang+"\n"+code+"\n```\n"), nil)
		for name, c := range e.of {
			if c.line < 0 || c.line > strings.Count(code, "\n") {
				t.Errorf("%s is made on line %d", name, c.line)
			}
		}
	})
}

// An example that is right is never reported, whatever else its page gives the names to.
func TestRightExamples(t *testing.T) {
	files := map[string]string{
		"go.mod":           "module example.org/mail\n\ngo 1.26\n",
		"mail.go":          "package mail\n\nfunc Send(to, body string) error { return nil }\n",
		"pyproject.toml":   "[project]\nname = \"shop\"\n",
		"package.json":     `{"name": "wires", "main": "js/index.ts"}`,
		"shop/__init__.py": "from .d import serve as start\n",
		"shop/compat.py":   "from .d import serve as start\n",
		"shop/d.py":        "def serve(host, port):\n    pass\n\ndef start(host, port):\n    pass\n\ndef get(url):\n    pass\n\ndef plot(data, cb=lambda a, b: None):\n    pass\n",
		"shop/marked.py":   "@inject\n# why\n\ndef one(a, b):\n    pass\n\n@inject(a=1,\n    b=2)\ndef two(a, b):\n    pass\n\n@inject([\n    1,\n ])\ndef three(a, b):\n    pass\n",
		"shop/cart.py":     "class Cart:\n    def __init__(self, name):\n        pass\n\n    def add(self, item):\n        pass\n\nclass Meta(type):\n    def __call__(cls, *args):\n        pass\n\nclass Singleton(type):\n    def __call__(cls, *args):\n        pass\n\nclass Field(metaclass=Singleton):\n    def __init__(self, name):\n        pass\n\nclass Wide(Field):\n    def __init__(self, name):\n        pass\n",
		"js/index.ts":      "export function pull(url: string) {}\nexport function bindTo(this: Window, name: string) {}\nexport class Client {\n  constructor(url: string) {}\n  send(letter: string) {}\n}\nexport class Query {\n  constructor(table: string) {}\n  run(how: string) {}\n}\n",
	}
	py := "from shop.cart import Cart\ncart = Cart('a')\n"
	js := "import { Client } from 'wires'\nconst client = new Client('a')\n"
	blocks := func(lang string, parts ...string) string {
		return "```" + lang + "\n" + strings.Join(parts, "\n```\n\nThen:\n\n```"+lang+"\n") + "\n```"
	}
	for doc, wrong := range map[string]bool{
		blocks("python", "from shop.marked import one, two, three\none(1)\ntwo(1)\nthree(1)"):                                  false,
		blocks("python", "from shop.d import get\nget(1, 2)"):                                                                  true,
		blocks("python", "from shop.d import get\nget(1)", "from requests import get\nget(1, 2)"):                              false,
		blocks("python", "from shop.d import get\nget(1)", "from requests import (\n    head,  # one\n    get,\n)\nget(1, 2)"): false,
		blocks("python", "from shop.cart import Cart\nCart(1)", "from other import Cart\nCart(1, 2)"):                          false,
		blocks("python", "from shop.d import get as get_page, serve\nget(1, 2)"):                                               false,
		blocks("ts", "import { pull } from 'wires'\npull(1, 2)"):                                                               true,
		blocks("ts", "import { pull } from 'wires'\npull(1)", "import {pull} from \"lodash\"\npull(1, 2)"):                     false,
		blocks("ts", "import { Client } from 'wires'", "const {Client}=require(\"other\")\nnew Client(1, 2)"):                  false,
		blocks("ts", "import { pull } from 'wires'", "class A {\n  pull(a, b) {\n  }\n}\npull(1, 2)"):                          false,
		blocks("go", "import \"example.org/mail\"\n\nerr := mail.Send(you)"):                                                   true,
		blocks("go", "import (\n\t\"net/mail\"\n)\n\nerr := mail.Send(you)"):                                                   false,
		blocks("python", "from shop import start\nstart(1)"):                                                                   false,
		blocks("python", "from shop.compat import start\nstart(1)"):                                                            false,
		blocks("python", "from shop.d import plot\nplot(1, print)"):                                                            false,
		blocks("python", "from shop.d import plot\nplot(1, print, 3)"):                                                         true,
		blocks("python", "from shop.cart import Field, Wide\nField(1, 2)\nWide(1, 2)"):                                         false,
		blocks("ts", "import { bindTo } from 'wires'\nbindTo('a')"):                                                            false,
		blocks("ts", "import { bindTo } from 'wires'\nbindTo('a', 'b')"):                                                       true,
		blocks("python", py+"cart.add(1, 2)"):                                                                                  true,
		blocks("python", py+"show(cart, a=cart)\nshow(cart=cart)\nreturn cart\n# cart is\ncart.add(1, 2)"):                     true,
		blocks("python", "cart.add(1, 2)", py+"cart.add(1)"):                                                                   false,
		blocks("python", "from shop.cart import Cart\ncart.add(1, 2)\ncart = Cart('a')"):                                       false,
		blocks("python", py+"cart.add = partial(add, 3)\ncart.add(1, 2)"):                                                      false,
		blocks("ts", js+"client.send(1, 2)"):                                                                                   true,
		blocks("ts", js+"await client.send(1, 2)\nuse(client)"):                                                                true,
		blocks("ts", "import { Query } from 'wires'\nconst q = new Query(\"users\")\n  .where()\n  .compile();\nq.run()"):      false,
		blocks("ts", "import { Query } from 'wires'\nconst q = new Query(\"users\")\nq.run(1, 2)"):                             true,
	} {
		check(t, files, doc, wrong)
	}
	for _, also := range []string{"cart, x = f()", "cart, *rest = f()", "x, cart = f()", "for i, (cart, w) in y:\n    pass", "with f() as (x, cart):\n    pass", "def use(\n    x,\n    cart,\n):\n    pass", "def use(\n    x,\n    cart\n):\n    pass",
		"match x:\n    case Tree(cart, _):\n        pass", "from my.state import cart", "import my.state as cart", "global cart", "[cart, x] = f()", "for cart in all:\n    pass", "f(lambda cart: 1)", "f(lambda a, cart, b: 1)", "if (cart := f()):\n    pass", "except E as cart:\n    pass", "async with f() as cart:\n    pass", "cart: Cart = f()", "cart += f()", "for cart.x in y:\n    pass", "def use(*, cart):\n    pass", "def cart():\n    pass", "class cart:\n    pass", "del cart"} {
		check(t, files, blocks("python", py+"x = 1", also+"\ncart.add(1, 2)"), false)
	}
	for _, also := range []string{"const { client } = f()", "const [client, set] = f()", "let client;", "for (const client of pool) {\n}", "import client from 'other'", "import { client } from 'other'", "class A {\n  handle(client, x) {\n  }\n}", "export default {\n  async fetch(client, env) {\n  }\n}", "handle(\n  x,\n  client\n) {\n}", "pool.each(client => 1)", "pool.each((a, client) => 1)", "pool.each(function (client, a) {\n})", "function f(a, client) {\n}",
		"const { a: client } = f()", "const { ...client } = f()", "client = f()", "try {\n} catch (client) {\n}", "handle(client: Other, x): void {\n}", "client ??= f()", "const f = (client) => 1", "const f = async (x, client) => 1", "function f({ client }) {\n}", "function f(...client) {\n}", "import * as client from 'other'", "const client = require('other')", "for (client of pool) {\n}", "f(client = g())", "client++"} {
		check(t, files, blocks("ts", js+"x()", also+"\nclient.send(1, 2)"), false)
	}
}

// check holds whether the example of a document is reported as called otherwise than the code has it.
func check(t *testing.T, files map[string]string, doc string, wrong bool) {
	t.Helper()
	files["README.md"] = "# it\n\n`one`, `two`, `three`, `get`, `pull`, `start`, `plot`, `Send`, `bindTo`, `Cart`, `Cart.add`, `Field`, `Wide`, `Client`, `Client.send`, `Query` and `Query.run`.\n\n" + doc + "\n"
	all, err := New(write(t, files), nil, nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for i := range all {
		if all[i].Shade == Drifted {
			got += all[i].Name + ": " + all[i].Difference + "; "
		}
	}
	if (got != "") != wrong {
		t.Errorf("of\n%s\nis said %q, want something: %v", doc, got, wrong)
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
