package claims

import "testing"

// What a package of JavaScript offers is what its entry points reach, also where they name
// files that are built.
func TestEntries(t *testing.T) {
	files := map[string]string{
		"README.md": "# x\n\nNothing but `Zebra`.\n",
		// Built files, whose sources are in src.
		"a/package.json":        `{"name": "a", "exports": {".": {"types": "./dist/types/index.d.ts", "import": "./dist/index.js", "require": "./dist/cjs/index.cjs"}, "./part": "./dist/part/index.js"}}`,
		"a/src/index.ts":        "import { viaImport as renamed } from './inner';\nimport Whole from './whole';\nexport { listed, type Shape as Form } from './inner';\nexport * from './star';\nexport { renamed, Whole };\nexport const atEntry = 1;\n// export { commentedOut } from './inner'\n",
		"a/src/inner.ts":        "export const listed = 1;\nexport const viaImport = 2;\nexport const unlisted = 3;\nexport const commentedOut = 3;\nexport type Shape = { a: 1 };\n",
		"a/src/star.ts":         "export * from './deep.js';\n",
		"a/src/deep.ts":         "export function deepDown() {}\n",
		"a/src/whole.ts":        "export class besideWhole {}\nexport default class WholeThing {}\n",
		"a/src/part/index.ts":   "export const inPart = 1;\n",
		"a/src/part/helpers.ts": "export const partHelper = 1;\n",
		"a/src/kept.ts":         "export const keptInside = 1;\n",
		// A bundle that bears the name of its package; a program beside it.
		"b/package.json":     `{"name": "bee", "main": "lib/bee.umd.js", "module": "lib/bee.esm.js", "bin": {"bee": "src/cli.js"}}`,
		"b/src/index.js":     "export * as space from './space';\n",
		"b/src/space.js":     "export const inSpace = 1;\n",
		"b/src/cli.js":       "export const ofBin = 1;\n",
		"c/package.json":     `{"name": "c", "exports": {"./*": "./dist/*.js"}}`,
		"c/src/one.ts":       "export const matched = 1;\n",
		"c/tools/x.ts":       "export const unmatched = 1;\n",
		"d/package.json":     `{"name": "d", "private": true}`,
		"d/src/x.ts":         "export const ofApplication = 1;\n",
		"e/package.json":     `{"name": "e", "types": "types/index.d.ts", "main": "index.js"}`,
		"e/types/index.d.ts": "export function typedHere(): void;\n",
		"e/index.js":         "exports.beside = function beside() {};\n",
		"f/package.json":     `{"name": "f", "main": "f.js"}`,
		"f/f.js":             "const { taken } = require('./lib/two');\nconst all = require('./lib/all');\nmodule.exports = { taken, all };\nmodule.exports.one = require('./lib/one');\n",
		"f/lib/two.js":       "function taken() {}\nfunction other() {}\nmodule.exports = { taken, other };\n",
		"f/lib/all.js":       "function everything() {}\nmodule.exports = { everything };\n",
		"f/lib/one.js":       "function inOne() {}\nexports.inOne = inOne;\n",
		"f/lib/package.json": `{"type": "commonjs"}`,
		"g/package.json":     `{"name": "g", "main": "dist/not-here/x.js"}`,
		"g/src/deep/y.ts":    "export const ofUnknown = 1;\n",
	}
	all, err := New(write(t, files), nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, s := range all {
		got[s.Name] = true
	}
	for _, name := range []string{"listed", "viaImport", "Shape", "atEntry", "deepDown", "WholeThing", "inPart", "inSpace", "matched", "typedHere", "taken", "everything", "inOne"} {
		if !got[name] {
			t.Errorf("%s is not offered", name)
		}
	}
	for _, name := range []string{"unlisted", "commentedOut", "besideWhole", "partHelper", "keptInside", "ofBin", "unmatched", "ofApplication", "beside", "other", "ofUnknown"} {
		if got[name] {
			t.Errorf("%s is offered, but no entry point reaches it", name)
		}
	}
}
