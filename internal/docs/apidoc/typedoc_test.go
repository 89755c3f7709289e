package apidoc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const typedocHead = `{"schemaVersion":"2.0","name":"shop","variant":"project","kind":1,"children":[`

func TestTypedoc(t *testing.T) {
	text := func(s string) string { return `"comment":{"summary":[{"kind":"text","text":"` + s + `"}]}` }
	for _, c := range []struct{ name, text, want string }{
		{"a function", typedocHead + `{"name":"add","kind":64,"sources":[{"fileName":"cart.ts","line":3}],"signatures":[{"name":"add","kind":4096,
			"typeParameters":[{"name":"T","type":{"type":"intrinsic","name":"string"}}],
			"parameters":[{"name":"items","flags":{"isRest":true},"type":{"type":"array","elementType":{"type":"union","types":[{"type":"reference","target":3,"name":"Item","typeArguments":[{"type":"reference","name":"T"}]},{"type":"literal","value":null}]}},` + text("the items") + `},
			{"name":"then","flags":{"isOptional":true},"type":{"type":"reflection","declaration":{"signatures":[{"parameters":[{"name":"n","type":{"type":"intrinsic","name":"number"}}],"type":{"type":"intrinsic","name":"void"}}]}}}],
			"type":{"type":"typeOperator","operator":"keyof","target":{"type":"reference","name":"Cart"}},
			"comment":{"summary":[{"kind":"text","text":"Adds to a "},{"kind":"inline-tag","tag":"@link","text":"Cart"},{"kind":"text","text":"."}],"blockTags":[{"tag":"@returns","content":[{"kind":"text","text":"a key"}]}]}}]}]}`,
			"[shop > add]\ntypescript| function add<T extends string>(...items: (Item<T> | null)[], then?: (n: number) => void): keyof Cart\nAdds to a `Cart`.\nDeclared in cart.ts.\nParameters:\n- `items`: the items\nReturns: a key\n"},
		{"an interface in a module", typedocHead + `{"name":"api","kind":2,"children":[{"name":"Cart","kind":256,"children":[{"name":"size","kind":1024,"type":{"type":"intrinsic","name":"number"},` + text("How many.") + `},{"name":"bare","kind":1024,"flags":{"isOptional":true},"type":{"type":"intrinsic","name":"string"}},{"name":"far","kind":1024,"flags":{"isInherited":true},` + text("Another's.") + `}]}]}]}`,
			"[shop > api > Cart]\ntypescript| interface Cart {\n  |   size: number;\n  |   bare?: string\n  | }\n[shop > api > Cart > Cart.size]\ntypescript| size: number\nHow many.\n"},
		{"what is private", typedocHead + `{"name":"own","kind":32,"flags":{"isPrivate":true},` + text("Mine.") + `},{"name":"inner","kind":32,"comment":{"summary":[{"kind":"text","text":"I."}],"blockTags":[{"tag":"@internal"}]}}]}`, ""},
		{"a type that is nested very deep", typedocHead + `{"name":"Deep","kind":2097152,"type":` + strings.Repeat(`{"type":"array","elementType":`, 3000) + `{"type":"intrinsic","name":"x"}` + strings.Repeat("}", 3000) + `,` + text("Deep.") + `}]}`,
			"[shop > Deep]\ntypescript| type Deep = …" + strings.Repeat("[]", maxTypeDepth) + "\nDeep.\n"},
		{"settings of TypeDoc", `{"$schema":"https://typedoc.org/schema.json","entryPoints":["src/index.ts"]}`, ""},
		{"a part", typedocHead + `{"name":"add","kind":64,`, ""},
		{"nested without an end", typedocHead + strings.Repeat(`{"children":[`, 200_000), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			const file = "docs/typedoc.json"
			if diff := cmp.Diff(c.want, shown(Read(file, Language(file, false), []byte(c.text), nil))); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := Language("docs/data.json", false); got != "" {
		t.Errorf("data is read as %q", got)
	}
}
