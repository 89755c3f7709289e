package claims

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// presented reports whether a document presents as the project's own what no code has, be it a ghost or
// one that too little else shows to be (TestGrounds).
func presented(v *Verdict) bool {
	return v.Class != Found && v.Class != Unsure || strings.HasPrefix(v.Doubt, little)
}

// unsureOf returns what a tree presents as its own, and what is unsure.
func unsureOf(t *testing.T, files map[string]string) (ghosts, unsure []string) {
	t.Helper()
	a := New(write(t, files), nil, nil)
	features, _ := a.Features()
	for _, f := range features {
		v, err := a.Judge(t.Context(), f, "")
		if err != nil {
			t.Fatal(err)
		}
		name := v.Name
		if name == "" {
			name = v.Text
		}
		switch {
		case v.Class == Found:
		case !presented(&v):
			if v.Doubt == "" {
				t.Errorf("%s is unsure for no reason", name)
			}
			unsure = append(unsure, name)
		default:
			ghosts = append(ghosts, name)
		}
	}
	slices.Sort(ghosts)
	slices.Sort(unsure)
	return ghosts, unsure
}

// A name is a ghost where the document presents it as the project's own, and unsure where
// it may be of a language, of another package, of an example or of nobody.
func TestDoubts(t *testing.T) {
	files := map[string]string{
		"package.json": `{"name": "peck", "dependencies": {"wobbler": "^1.0.0"}}`,
		"src/peck.ts": "export class PeckReader { readAll() {} readSome() {} }\nexport class PeckWriter {}\nexport class PeckCloser {}\nexport function openQueue(opts) { return opts.maxDepth + opts.maxLength + opts.maxFiles }\n" +
			"program.option('--once').option('--max-depth').option('--all-files')\nexport function openPipe() {}\nconst HOME = process.env.PECK_HOME\n",
		"docs/code/sample.c": "void crunch_away(void) {}\n",
	}
	for doc, want := range map[string][2]string{
		// Presented as its own.
		"Call `PeckReader.readMany()`.\n":                                 {"PeckReader.readMany", ""},
		"## The `PeckSeeker`\n\nIt seeks.\n":                              {"PeckSeeker", ""},
		"Open it with `openQeue`.\n":                                      {"openQeue", ""},
		"Set `PECK_COLOUR`.\n":                                            {"PECK_COLOUR", ""},
		"Pass `--once`, `--max-depth` or `--all-files`, or `--sorted`.\n": {"--sorted", ""},
		"| Option | |\n|---|---|\n| `maxDepth` | |\n| `maxLength` | |\n| `maxFiles` | |\n| `maxBytes` | |\n": {"maxBytes", ""},
		"## Features\n\n- `TeleportEnvelope` moves them\n":                                                   {"TeleportEnvelope", ""},
		"Events are mirrored to Elasticsearch.\n":                                                            {"", "Events are mirrored to Elasticsearch"},
		// It may be somebody else's.
		"## Features\n\n- [Wobblekit][w]: Teleports heavy envelopes\n\n[w]: https://wobblekit.dev\n": {"", ""},
		"It takes an `InputStreamReader`.\n":                          {"", "InputStreamReader"},
		"As `wobbler` does, `someThing` is called `wobbleTwice()`.\n": {"", "wobbleTwice"},
		"It calls `crunch_away`.\n":                                   {"", "crunch_away"},
		"Nothing is known of `strange_fields`.\n":                     {"", "strange_fields"},
		"```js\nhandleThings(3)\n```\n\nThen `handleThings` runs.\n":  {"", "handleThings"},
		// It is of nobody.
		"A flag like `--force` is not there.\n": {"", ""},
		"Write it in `lower_case`.\n":           {"", ""},
	} {
		all := map[string]string{"README.md": "# peck\n\n" + doc}
		for name, text := range files {
			all[name] = text
		}
		ghosts, unsure := unsureOf(t, all)
		if got := [2]string{strings.Join(ghosts, " "), strings.Join(unsure, " ")}; got != want {
			t.Errorf("of %q\n%q is reported, want %q", doc, got, want)
		}
	}
}

// Statements are unsure that no name bears out, but in a document that is there to list what the program
// does; what the README lists is for a person to look at.
func TestDoubtfulStatements(t *testing.T) {
	for page, want := range map[string]string{"README.md\n": "unsure", "docs/guide.md\n": "unsure", "README.md\n## Features\n\n- ": "ghost", "docs/guide.md\n## Features\n\n- ": "unsure", "docs/features.md\n## Features\n\n- ": "ghost"} {
		name, before, _ := strings.Cut(page, "\n")
		ghosts, unsure := unsureOf(t, map[string]string{"mail.go": goCode, name: "# mail\n\n" + before + "Messages are archived and delivered over AMQP.\n"})
		got := "ghost"
		if len(unsure) == 1 {
			got = "unsure"
		}
		if len(ghosts)+len(unsure) != 1 || got != want {
			t.Errorf("in %q it is %s, %q and %q; want %s", page, got, ghosts, unsure, want)
		}
	}
}

// What goes without something does not promise it, and an item that is ticked promises
// only where a document lists what the program does.
func TestSpared(t *testing.T) {
	for doc, want := range map[string]string{
		"README.md\nMessages are archived and delivered over AMQP.\n":                               "unsure",
		"README.md\nMessages are archived and delivered without any of the quirks of AMQP.\n":       "unsure",
		"README.md\n- [x] Messages are archived and delivered over AMQP\n":                          "ghost",
		"docs/kubernetes.md\n- [x] Messages are archived and delivered over AMQP by an ingress\n":   "unsure",
		"docs/requirements.md\n- [ ] Messages are archived and delivered over AMQP by an ingress\n": "ghost",
	} {
		name, text, _ := strings.Cut(doc, "\n")
		ghosts, unsure := unsureOf(t, map[string]string{"mail.go": goCode, name: "# mail\n\n" + text})
		if got := map[int]string{0: "ghost", 1: "unsure"}[len(unsure)]; len(ghosts)+len(unsure) != 1 || got != want {
			t.Errorf("%q: %q are reported, %q unsure; want %s", doc, ghosts, unsure, want)
		}
	}
}

// Where most variables of a family are options behind its prefix, the program puts them
// together; the one that is no option of it is still missing.
func TestComposedVariables(t *testing.T) {
	code := "package main\n\nconst own = \"TG\"\n\nfunc main() {\n\tput(\"log-format\", own)\n\tput(\"out-dir\", own)\n\tput(\"no-auto-init\", own)\n\tput(\"strict-mode\", own)\n\tget(\"TG_HOME\")\n\tget(\"TG_USER\")\n}\n"
	doc := "# grunt\n\nSet `TG_LOG_FORMAT`, `TG_OUT_DIR`, `TG_NO_AUTO_INIT` or `TG_STRICT_MODE`.\n\nOr set `TG_DEBUG_INPUTS`, or `TG_HOME`.\n"
	for _, c := range []struct{ doc, want string }{
		{doc, "TG_DEBUG_INPUTS"},
		// Two that are options may be so by chance.
		{"# grunt\n\nSet `TG_LOG_FORMAT` or `TG_OUT_DIR`, or the variable `TG_HOME`, or `TG_USER`.\n", "TG_LOG_FORMAT TG_OUT_DIR"},
	} {
		ghosts, _ := unsureOf(t, map[string]string{"go.mod": "module example.org/tg\n", "main.go": code, "README.md": c.doc})
		if got := strings.Join(ghosts, " "); got != c.want {
			t.Errorf("of %q\n%q is reported, want %q", c.doc, got, c.want)
		}
	}
}

// Blocks of code are read as such in reStructuredText and AsciiDoc too, and the imports of
// MDX are none of its text.
func TestLiteralBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"Run it. ::\n\n    $ mail --once\n     * Running on SMTP\n\nMore.\n": "prose,code,prose",
		".. code-block:: c\n   :linenos:\n\n   int mail;\n\nMore.\n":         "code,prose",
		"Text.\n\n[source,ruby]\n----\nclass Mail\nend\n----\n\nMore.\n":     "prose,prose,code,prose",
		"import Mail from './mail'\n\nText.\n":                               "prose",
		"Title\n-----\n\nText.\n":                                            "heading,prose",
	} {
		var kinds []string
		for _, b := range blocks(text) {
			kinds = append(kinds, string(b.kind))
		}
		if got := strings.Join(kinds, ","); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// The words of scripts are read whatever comments and quotes of other languages look like.
func TestScripts(t *testing.T) {
	e := Gather([]Source{{Path: "a.sh", Language: "bash", Text: []byte("ls */*.txt # `\ncase $1 in\n--dns-persist | --dnspersist) x=1 ;;\nesac\n")}}, false)
	if e.has(exact("dnspersist")) == 0 || !e.literal("dnspersist") {
		t.Error("the option of the script is not known")
	}
}

// What is unsure is no ghost of the report.
func TestUnsureIsNotReported(t *testing.T) {
	a := New(write(t, map[string]string{"mail.go": goCode, "README.md": "# mail\n\nNothing is known of `strange_fields`.\n"}), nil, nil)
	r, err := a.Drift(t.Context(), ParseReport(""), time.Now(), func(string) {})
	if err != nil || len(r.Ghosts) != 0 {
		t.Errorf("%+v, %v; want no ghosts", r.Ghosts, err)
	}
}

// The value of an example is no promise; a name with what it is of is there where code declares its end.
func TestOfElsewhere(t *testing.T) {
	a := New(write(t, map[string]string{"go.mod": "module example.org/mail\n", "mail.go": goCode + "\nfunc OutOfPostage(n int) {}\n", "README.md": "# mail\n"}), nil, nil)
	for text, want := range map[string]Class{
		"Mail.Guard.OutOfPostage (throws if walrus teapots are outside the valid range of SQL Server penguins)":   Found,
		"Mail.Guard.OutOfSomething (throws if walrus teapots are outside the valid range of SQL Server penguins)": Confirmed,
	} {
		if v, err := a.Judge(t.Context(), Feature{Kind: Bullet, Text: text}, ""); err != nil || v.Class != want {
			t.Errorf("%s: %s, %v; want %s", text, v.Class, err, want)
		}
	}
	for text, want := range map[string]int{"`Send` delivers: match things like `Penguin_1`, too.": 0, "`Send` delivers: match the `Penguin_1`, too.": 1} {
		ghosts, unsure := unsureOf(t, map[string]string{"mail.go": goCode, "README.md": "# mail\n\n" + text + "\n"})
		if len(ghosts)+len(unsure) != want {
			t.Errorf("%s: %q, %q; want %d", text, ghosts, unsure, want)
		}
	}
}

// What an example imports from the project itself is no name that the example makes up.
func TestImportedIsNotShown(t *testing.T) {
	files := map[string]string{
		"pyproject.toml":   "[project]\nname = \"shop\"\n",
		"shop/__init__.py": "class OrderBook:\n    pass\n",
		"README.md":        "# Shop\n\nUse `OrderLedger` to keep them.\n\n```python\nfrom shop import OrderBook, OrderLedger\nfrom other import OtherLedger\nclass OwnLedger: pass\n```\n",
	}
	a := New(write(t, files), nil, nil)
	a.Features()
	for name, want := range map[string]bool{"OrderLedger": false, "OtherLedger": true, "OwnLedger": true} {
		if got := a.names().shows(name); got != want {
			t.Errorf("the example shows %s: %v, want %v", name, got, want)
		}
	}
}

func TestHyphened(t *testing.T) {
	const text = "a-b c--d $e _f-g 1h i_-j k-_l é-m n-é o9-2p-\nq"
	var got []string
	hyphened([]byte(text), func(w []byte) { got = append(got, string(w)) })
	want := regexp.MustCompile(`[A-Za-z_$](?:[\w$]|-[A-Za-z0-9])*`).FindAllString(text, -1)
	if !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
}

// A second query may have fewer words than the label of the statement that it is asked for.
func TestShortSynonym(t *testing.T) {
	a := New(write(t, map[string]string{"README.md": "# x\n", "a.go": "package a\n\nfunc Store() {}\n"}), nil, nil)
	v, err := a.Judge(t.Context(), Feature{Kind: Bullet, Text: "Ledger rotation archive purge: writes closed accounts into cold storage nightly"}, "zebra")
	if err != nil || v.Queries[1].Text != "zebra" {
		t.Errorf("judged as %+v: %v", v.Queries, err)
	}
}
