package claims

import (
	"strings"
	"testing"
)

// A name with one word misspelt is the project's own, whatever else the document says; a word that
// there is, an ending, or a name that the code does not have makes none.
func TestMeant(t *testing.T) {
	files := map[string]string{
		"package.json": `{"name": "peck"}`,
		"src/peck.ts": "export class QueueScheduler { evaluateNow() {} }\nexport function storeSchema() {}\nexport function openDefaults(o) { return o.responseType + o.maxDepth + StrangeRegistry.x }\n" +
			"program.option('--evaluate').option('--max-depth').option('--all-files')\n",
	}
	words := map[string]bool{"queue": true, "scheduler": true, "evaluate": true, "now": true, "store": true, "score": true, "schema": true, "open": true, "defaults": true, "response": true, "type": true, "strange": true, "registry": true, "max": true, "depth": true}
	for doc, want := range map[string][2]string{
		"Use a `QueueScheudler`.\n":                                   {"QueueScheudler", "QueueScheduler"},
		"It parses even if resposeType is not set.\n":                 {"resposeType", "responseType"},
		"It parses even if maxDeth is not set.\n":                     {"maxDeth", ""}, // a short word of what the code does not declare
		"It parses even if `resposeType` is not set.\n":               {"resposeType", "responseType"},
		"Pass `--evalaute`.\n":                                        {"--evalaute", "--evaluate"},
		"A QueueScheudler runs them.\n":                               {"QueueScheudler", "QueueScheduler"},
		"```ts\nopenDefauts({})\n```\n":                               {"openDefauts", "openDefaults"},
		"It returns a `Queuer`.\n":                                    {"Queuer", ""},
		"It is kept by `StrangeRegistri`.\n":                          {"StrangeRegistri", ""}, // a type of another package
		"It returns a `StoreSchemar`.\n":                              {"StoreSchemar", "storeSchema"},
		"Call `scoreSchema`.\n":                                       {"scoreSchema", ""},
		"The `QueueSchedulers` run.\n":                                {"QueueSchedulers", ""},
		"```ts\nclass QueueScheudler {}\nnew QueueScheudler()\n```\n": {"QueueScheudler", ""}, // an example's own
	} {
		files["README.md"] = "# Peck\n\n" + doc
		a := New(write(t, files), nil, nil)
		a.Words = func(w string) bool { return words[w] }
		features, _ := a.Features()
		got := ""
		for _, f := range features {
			if f.Name == want[0] {
				got = f.Meant
				if f.Doubt != "" && f.Meant != "" {
					t.Errorf("%q: %s is doubted: %s", doc, f.Name, f.Doubt)
				}
			}
		}
		if got != want[1] {
			t.Errorf("%q: %s is meant for %q, want %q", doc, want[0], got, want[1])
		}
	}
}

// A word that the model knows is misspelt where it is nearly one of the code and means nearly the same.
func TestMistaken(t *testing.T) {
	model := &Model{Dims: 2, Embed: func(dst []float32, text []byte) {
		dst[0], dst[1] = 1, 0
		if string(text) == "sessions" || string(text) == "season" {
			dst[0], dst[1] = 0, 1
		}
	}}
	for doc, want := range map[string]string{"Call `openReponse`.\n": "openResponse", "Call `openSeason`.\n": "", "Call `strayReponse`.\n": ""} {
		a := New(write(t, map[string]string{"README.md": "# Peck\n\n" + doc, "a.ts": "export class Reader { openResponse() {} openSession() { other.strayResponse() } }\n"}), nil, model)
		a.Words = func(string) bool { return true }
		features, _ := a.Features()
		if len(features) != 1 || features[0].Meant != want {
			t.Errorf("%q is meant for %v, want %q", doc, features, want)
		}
	}
}

// What attributes and tags of fields make is there.
func TestFieldsMakeNames(t *testing.T) {
	a := New(write(t, map[string]string{
		"README.md":   "# Peck\n",
		"src/main.rs": "#[derive(Parser)]\nstruct Args {\n    #[clap(short, long)]\n    /// begin\n    pub init: bool,\n    #[arg(long = \"other\")]\n    named: bool,\n    plain: bool,\n}\n",
		"a.go":        "package a\n\ntype T struct {\n\tA G `env-namespace:\"AUTH\"`\n\tB G `env-namespace:\"APPLE\"`\n\tC string `long:\"id\" env:\"ID_FIELD\"`\n}\n",
	}), nil, nil)
	k := a.names()
	for name, want := range map[string]bool{"init": true, "named": false, "plain": false} {
		if k.derived(name) != want {
			t.Errorf("derived(%q) = %v", name, !want)
		}
	}
	for name, want := range map[string]bool{"AUTH_APPLE_ID_FIELD": true, "AUTH_ID_FIELD": true, "AUTH_FIELD": false, "OTHER_ID_FIELD": false, "AUTH_APPLE": false} {
		if k.tagged(name) != want {
			t.Errorf("tagged(%q) = %v", name, !want)
		}
	}
}

// Words that are nearly words of the code cost comparisons, which have an end that is told.
func TestUncompared(t *testing.T) {
	doc := "# Peck\n\n"
	for _, w := range []string{"scheudler", "schedluer", "sheduler", "scheduller"} {
		doc += "Use `Queue" + strings.ToUpper(w[:1]) + w[1:] + "` here.\n\n"
	}
	tree := write(t, map[string]string{"README.md": doc, "a.ts": "export class QueueScheduler {}\nexport class TableScheduled {}\n"})
	whole, bounded := New(tree, nil, nil), New(tree, nil, nil)
	bounded.names().lexicon().left = 2
	if whole.Features(); whole.Limits().Uncompared != 0 {
		t.Errorf("%d words were not compared, want 0", whole.Limits().Uncompared)
	}
	features, _ := bounded.Features()
	meant := 0
	for _, f := range features {
		if f.Meant != "" {
			meant++
		}
	}
	if n := bounded.Limits().Uncompared; n == 0 || n >= 4 || meant+n != 4 {
		t.Errorf("%d words were not compared and %d were, want 4 together and some of both", n, meant)
	}
}
