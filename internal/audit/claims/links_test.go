package claims

import (
	"slices"
	"strings"
	"testing"
)

// A link is broken where neither its file nor its heading is there; what a site may make
// of it, or what is only shown, is none.
func TestLinks(t *testing.T) {
	tree := write(t, map[string]string{
		"README.md": "# Mail\n\nSee [use](docs/use.md#two-words--a-name), [gone](docs/gone.md), [no such part](docs/use.md#three-words)\n" +
			"and ![shot](img/none.png). [here](#mail), [nowhere](#male), [later][l], [marked](docs/use.md#own), [again](docs/use.md#again-1).\n\n" +
			"[l]: ./docs/lost.md\n\n" +
			"[site](guide/start), [page](guide/start.html), [other](https://example.com/x.md), [mail](mailto:a@b), [abs](/docs/x.md), [out](../../issues), [moved](guide/use.md), [file](a.go#L3), [var]({{ base }}/x.md)\n\n" +
			"`[code](x.md)`\n\n```md\n[code](y.md)\n```\n",
		"docs/use.md":      "# Use\n\n## Two words: `a_name`!\n\n<a id=\"own\"></a>\n\n## Again\n\n## Again\n\n> #### Quoted\n\n[q](#quoted) [made](api/x.md) ![icon](icon.ico)\n\n[up](../README.md#mail) [broken](../README.md#nope)\n",
		"docs/part.md":     "# Part\n\n[whole](#of-the-whole)\n",
		"docs/whole.md":    "{% include 'docs/part.md' %}\n\n## Of the whole\n",
		"docs/entity.md":   "# Remove &lt;name>\n\n[remove](#remove-name)\n",
		"docs/template.md": "# NNN\n\n[NNN](NNN.md)\n",
		"docs/made.md":     "import X from 'x'\n\n# Made\n\n[x](#of-x)\n",
		"a.go":             "package a\n",
	})
	var got []string
	for _, l := range New(tree, nil, nil).Links() {
		got = append(got, l.Place.String()+" "+l.Target)
	}
	want := []string{"README.md:3 docs/gone.md", "README.md:3 docs/use.md#three-words", "README.md:4 #male", "README.md:4 img/none.png", "README.md:6 ./docs/lost.md", "docs/use.md:15 ../README.md#nope"}
	if !slices.Equal(got, want) {
		t.Errorf("broken:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
