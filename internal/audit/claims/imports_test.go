package claims

import (
	"strings"
	"testing"
)

// An example that takes out of the project's own package what no code has is to be looked at, however
// it goes on; what it takes of others, of files, or under another name is none.
func TestImportsOfExamples(t *testing.T) {
	for name, c := range map[string]struct {
		files     map[string]string
		doc, want string
	}{
		"python": {map[string]string{"pyproject.toml": "[project]\nname = \"mypkg\"\n", "mypkg/__init__.py": "def send(to): pass\n\nclass Box: pass\n", "mypkg/tools.py": "x = 1\n"},
			"```python\nfrom mypkg import send as s, deliver_all, tools\nfrom mypkg.tools import (\n    Box,\n    Crate,  # a box\n)\nfrom other import Strange\n\ndeliver_all()\n```\n", "mypkg.deliver_all@6 mypkg.Crate@9"},
		"javascript": {map[string]string{"package.json": `{"name": "@me/wobble", "main": "index.js"}`, "index.js": "export function wobbleTwice() {}\nexport class Wobbler {}\n"},
			"```js\nimport all, { wobbleTwice, wobbleThrice as w } from '@me/wobble';\nconst { Wobbler, Shaker } = require('@me/wobble')\nimport { useState } from 'react'\n```\n", "wobble.wobbleThrice@6 wobble.Shaker@7"},
		"another's package of the same base": {map[string]string{"package.json": `{"name": "@me/next", "main": "index.js", "dependencies": {"next": "15"}}`, "index.js": "export function wobbleTwice() {}\n"},
			"```js\nimport { wobbleThrice } from 'next';\nimport { wobbleOnce } from '/src/next.js';\nimport { wobbleNever } from '@me/next/sub';\n```\n", ""},
		"no name": {map[string]string{"package.json": `{"private": true, "main": "index.js"}`, "index.js": "export function wobbleTwice() {}\n"},
			"```js\nimport { wobbleOnce } from '/src/x.js';\n```\n", ""},
		"no scope": {map[string]string{"package.json": `{"name": "wobble", "main": "index.js"}`, "index.js": "export function wobbleTwice() {}\n"},
			"```js\nimport { wobbleThrice } from 'wobble/more';\n```\n", "more.wobbleThrice@6"},
	} {
		c.files["README.md"] = "# it\n\nThis is so:\n\n" + c.doc
		a := New(write(t, c.files), nil, nil)
		features, _ := a.Features()
		var got []string
		for i := range features {
			v, err := a.Judge(t.Context(), features[i], "")
			if err != nil {
				t.Fatal(err)
			}
			if v.Class == Confirmed || v.Class == Ambiguous {
				_, line, _ := strings.Cut(v.Place.String(), ":")
				got = append(got, v.Name+"@"+line)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q are reported, want %q", name, got, c.want)
		}
	}
}
