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
		"pyproject.toml":   "[project]\nname = \"pkg\"\n",
		"package.json":     `{"name": "wires", "main": "js/index.ts"}`,
		"js/index.ts":      "export function openWire(url: string, retries?: number) {}\n",
		"docs/nothing.txt": "",
	}
	for doc, want := range map[string]string{
		"```go\nerr := mail.Send(you)\n```":                                                  "gives 1 values, the code takes at least 2",
		"```go\nerr := mail.Send(you, \"a, b\", 3)\n```":                                     "gives 3 values, the code takes 2",
		"```go\nerr := mail.Send(both())\n```":                                               "",
		"```go\nmail := other.New()\nmail.Send(you)\n```":                                    "",
		"```go\nmail.SendAll(you, 1, 2, 3)\nmail.Send(you, ...)\n```":                        "",
		"```python\nfrom pkg import load_mail\nload_mail('a', deadline=3)\n```":              "gives a parameter deadline",
		"```python\nimport pkg\n>>> pkg.load_mail(\n...     'a', 3,\n...     4)\n```":        "gives 3 values, the code takes 2",
		"```python\nfrom pkg import find_mail\nfind_mail('a', True)\n```":                    "gives 2 values, the code takes 1",
		"```python\nfrom pkg import find_mail\nfind_mail('a', deep=True)\n```":               "",
		"```python\nfrom pkg import load_mail\nload_mail()  # raises TypeError\n```":         "",
		"```python\nfrom pkg import odd_mail\nodd_mail()\n```":                               "",
		"```python\ndef load_mail(a, b, c):\n    return a\nload_mail(1, 2, 3)\n```":          "",
		"```python\nload_mail(1, 2, 3)\n```":                                                 "",
		"```python\nfrom pkg import load_mail\nload_mail(*all)\n```":                         "",
		"```ts\nimport { openWire } from 'wires'\nopenWire('a', 3, { b: [1, 2] })\n```":      "gives 3 values, the code takes 2",
		"```ts\nimport { openWire } from 'wires'\nopenWire()\n```":                           "gives 0 values, the code takes at least 1",
		"```ts\nimport { openWire } from 'wires'\nopenWire(`a, ${b}`, 2)\nx.openWire()\n```": "",
	} {
		files["README.md"] = "# it\n\n`load_mail`, `find_mail`, `odd_mail`, `Send`, `SendAll` and `openWire`.\n\n" + doc + "\n"
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
