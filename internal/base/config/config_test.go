package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// vars is an environment.
type vars map[string]string

func (v vars) lookup(name string) (string, bool) { s, ok := v[name]; return s, ok }

// place writes the two files and returns sources that read them.
func place(t *testing.T, user, project string) Sources {
	t.Helper()
	dir := t.TempDir()
	src := Sources{Root: filepath.Join(dir, "repo"), User: filepath.Join(dir, "user.yaml")}
	if err := os.Mkdir(src.Root, 0o777); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{src.User: user, filepath.Join(src.Root, ProjectFile): project} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return src
}

func TestPrecedence(t *testing.T) {
	user := "color: never\nsearch: {top_k: 1, budget: 100}\n"
	project := "search:\n  top_k: 2\n"
	for _, tc := range []struct {
		name          string
		user, project string
		env           vars
		flags         map[string]string
		key, origin   string
		want          any
	}{
		{"default", "", "", nil, nil, "search.top_k", "default", 0},
		{"user", user, "", nil, nil, "search.top_k", "user.yaml:2", 1},
		{"project over user", user, project, nil, nil, "search.top_k", ".assay.yaml:2", 2},
		{"user where the project is silent", user, project, nil, nil, "search.budget", "user.yaml:2", 100},
		{"environment over project", user, project, vars{"ASSAY_SEARCH_TOP_K": "3"}, nil, "search.top_k", "ASSAY_SEARCH_TOP_K", 3},
		{"flag over environment", user, project, vars{"ASSAY_SEARCH_TOP_K": "3"}, map[string]string{"search.top_k": "4"}, "search.top_k", "flag", 4},
		{"an empty variable says nothing", user, "", vars{"ASSAY_COLOR": ""}, nil, "color", "user.yaml:1", "never"},
		{"NO_COLOR", "color: always\n", "", vars{"NO_COLOR": "1"}, nil, "color", "NO_COLOR", "never"},
		{"ASSAY_COLOR over NO_COLOR", "", "", vars{"NO_COLOR": "1", "ASSAY_COLOR": "always"}, nil, "color", "ASSAY_COLOR", "always"},
		{"a key with dots", "search.top_k: 7\n", "", nil, nil, "search.top_k", "user.yaml:1", 7},
		{"a quoted number", "search:\n  top_k: \"7\"\n", "", nil, nil, "search.top_k", "user.yaml:2", 7},
		{"off is a word here", "", "trajectory: {mode: off}\n", nil, nil, "trajectory.mode", ".assay.yaml:1", "off"},
		{"a head without keys", "search:\n", "", nil, nil, "search.top_k", "default", 0},
		{"an empty file", "# nothing\n", "---\n", nil, nil, "search.top_k", "default", 0},
		{"index dir", "", "", vars{"ASSAY_INDEX_DIR": "/var/idx"}, nil, "index.dir", "ASSAY_INDEX_DIR", "/var/idx"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := place(t, tc.user, tc.project)
			src.Env, src.Flags = tc.env.lookup, tc.flags
			c, err := Load(src)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range c.Explain(nil).Settings {
				if s.Key != tc.key {
					continue
				}
				origin := filepath.Base(s.Origin)
				if s.Value != tc.want || origin != tc.origin {
					t.Errorf("%s = %v from %s, want %v from %s", s.Key, s.Value, origin, tc.want, tc.origin)
				}
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		name          string
		user, project string
		env           vars
		flags         map[string]string
		want, hint    string // parts of the message and of the advice
	}{
		{"unknown key", "embed:\n  provder: none\n", "", nil, nil, `user.yaml:2: unknown setting "embed.provder"`, "did you mean embed.provider?"},
		{"leaf alone", "top_k: 1\n", "", nil, nil, `user.yaml:1: unknown setting "top_k"`, "did you mean search.top_k?"},
		{"nothing like it", "zzzzzzzzzz: 1\n", "", nil, nil, `"zzzzzzzzzz"`, "assay config show"},
		{"unknown key with nothing", "colour:\n", "", nil, nil, `"colour"`, "did you mean color?"},
		{"unknown flag", "", "", nil, map[string]string{"searchh": "1"}, `flag: unknown setting "searchh"`, ""},
		{"bad word", "color: sometimes\n", "", nil, nil, `user.yaml:1: color: "sometimes" is not one of auto, always, never`, ""},
		{"bad number", "search:\n  top_k: many\n", "", nil, nil, `user.yaml:2: search.top_k: "many" is not an integer in 1..1000, or 0`, ""},
		{"out of range", "", "", vars{"ASSAY_SEARCH_BUDGET": "7"}, nil, `ASSAY_SEARCH_BUDGET: "7" is not an integer in 50..1000000, or 0`, ""},
		{"bad flag", "", "", nil, map[string]string{"color": "x"}, `color: "x" is not one of`, ""},
		{"twice", "color: never\ncolor: auto\n", "", nil, nil, `user.yaml:2: "color" is set twice`, ""},
		{"twice in two ways", "search: {top_k: 1}\nsearch.top_k: 2\n", "", nil, nil, `user.yaml:2: "search.top_k" is set twice`, ""},
		{"a list", "color: [never]\n", "", nil, nil, `user.yaml:1: "color" must be a single value`, ""},
		{"an alias", "color: &c never\ntrajectory: {mode: *c}\n", "", nil, nil, `user.yaml:2: "trajectory.mode" must be a single value`, ""},
		{"not a mapping", "- color\n", "", nil, nil, "user.yaml:1: the file must contain keys and values", ""},
		{"no YAML", "color: never\n  x: : y\n", "", nil, nil, "user.yaml:2: invalid YAML: ", ""},
		{"no YAML in the first line", "memory: vault: ~/notes: x\n", "", nil, nil, "user.yaml:1: invalid YAML: mapping values are not allowed", "quotes"},
		{"no UTF-8", "color: never\n# \xff\n", "", nil, nil, "user.yaml: invalid YAML: ", ""},
		{"two documents", "color: never\n---\ncolor: auto\n", "", nil, nil, "user.yaml:2: settings must be a single YAML document", ""},
		{"too large", strings.Repeat("#", maxFile+1), "", nil, nil, "is larger than 64 KiB", ""},
		{"control characters", "\"\\e[31m\": 1\n", "", nil, nil, `"\x1b[31m"`, ""},
		{"deep", strings.Repeat("{a: ", 100) + strings.Repeat("}", 100), "", nil, nil, `"a.a.a`, ""},
		{"relative index dir", "index: {dir: idx}\n", "", nil, nil, "user.yaml:1: index.dir must be an absolute path", ""},
		{"bad URL", "embed: {url: \"ftp://u:secret@h\"}\n", "", nil, nil, "user.yaml:1: embed.url: it must be a URL", ""},
		{"a key for its variable", "embed: {key_env: sk-secret}\n", "", nil, nil, "user.yaml:1: embed.key_env: it must be the name of an environment variable", ""},
		{"provider alone", "embed: {provider: openai-compatible}\n", "", nil, nil, "embed.url is not set", "ASSAY_EMBED_URL"},
		{"a model without its folder", "embed: {provider: model2vec}\n", "", nil, nil, "embed.provider is model2vec (", "ASSAY_EMBED_MODEL"},
		{"a folder from nowhere", "embed: {provider: model2vec, model: potion}\n", "", nil, nil, "user.yaml:1: embed.model must be an absolute path", ""},
		{"OpenAI elsewhere", "embed: {provider: openai, url: \"http://h/v1\"}\n", "", nil, nil, "which always uses its own address", "openai-compatible"},
		{"another provider", "embed: {provider: oracle}\n", "", nil, nil, "is not one of static, model2vec, openai, openai-compatible, none", ""},
		{"provider without model", "embed: {provider: openai-compatible, url: \"http://h/v1\"}\n", "", nil, nil, "embed.model is not set", "ASSAY_EMBED_MODEL"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := place(t, tc.user, tc.project)
			src.Env, src.Flags = tc.env.lookup, tc.flags
			_, err := Load(src)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("error %v, want one with %q", err, tc.want)
			}
			if fault.HintOf(err) == "" && tc.flags == nil {
				t.Errorf("%v: no advice", err)
			}
			if !strings.Contains(fault.HintOf(err), tc.hint) {
				t.Errorf("advice %q, want some with %q", fault.HintOf(err), tc.hint)
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(fault.HintOf(err), "secret") {
				t.Errorf("the error %q tells a secret", err)
			}
			if fault.KindOf(err) != fault.Usage {
				t.Errorf("kind %d, want %d", fault.KindOf(err), fault.Usage)
			}
		})
	}
}

// A user's file that is wrong in places is an error, but what it says elsewhere can be
// shown, and all that is wrong is told at once.
func TestShownThoughWrong(t *testing.T) {
	src := place(t, "color: never\nserach: {top_k: 1}\nsearch:\n  top_k: 7\n  budget: lots\n", "search: {budget: 900}\n")
	src.Env = vars{"ASSAY_EMBED_DIMS": "many"}.lookup
	c, err := Load(src)
	if err == nil || !strings.Contains(err.Error(), `user.yaml:2: unknown setting "serach.top_k"`) {
		t.Fatalf("error %v", err)
	}
	if c.Color != "never" || c.Search.TopK != 7 || c.Search.Budget != 900 || c.Embed.Provider != "static" {
		t.Errorf("%+v", c)
	}
	got := strings.Join(c.Explain(nil).Problems, "\n")
	for _, want := range []string{`user.yaml:2: unknown setting "serach.top_k"; did you mean search.top_k?`, `user.yaml:5: search.budget: "lots" is not an integer in 50..1000000, or 0; correct or remove the line`,
		`ASSAY_EMBED_DIMS: "many" is not an integer in 1..8192, or 0; correct or unset the variable`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if c, err := Load(place(t, "memory: vault: ~/notes: x\n", "")); err == nil || c == nil || c.origins["color"] != "default" || len(c.Explain(nil).Problems) != 1 {
		t.Errorf("a file that is not YAML: %v, %+v", err, c)
	}
}

// What is wrong in a project's file is ignored with a warning that says where and why;
// the rest of the file counts.
func TestIgnored(t *testing.T) {
	const good = "search: {top_k: 7}\n"
	for _, tc := range []struct {
		name, text string
		topK       int // 0 where nothing in the file counts
		want       []string
	}{
		{"nothing wrong", good, 7, nil},
		{"another's provider", good + "embed:\n  provider: x\n", 7, []string{`.assay.yaml:3: a project's file may not set embed.provider, because a repository must not choose where your data goes`, "ASSAY_EMBED_PROVIDER"}},
		{"unknown key", "nokey: 1\n" + good, 7, []string{`.assay.yaml:1: unknown setting "nokey"`}},
		{"near a key", "colour: never\n" + good, 7, []string{`.assay.yaml:1: unknown setting "colour"`, "did you mean color?"}},
		{"unknown key with nothing", "nokey:\n" + good, 7, []string{`.assay.yaml:1: unknown setting "nokey"`}},
		{"wrong value", good + "color: sometimes\n", 7, []string{`.assay.yaml:2: color: "sometimes" is not one of auto, always, never`}},
		{"wrong type", good + "color: [never]\n", 7, []string{`.assay.yaml:2: "color" must be a single value`}},
		{"an alias", "color: &c never\ntrajectory: {mode: *c}\n" + good, 7, []string{`.assay.yaml:2: "trajectory.mode" must be a single value`}},
		{"a key that is no word", "? [a]\n: b\n" + good, 7, []string{`.assay.yaml:1: a key must be a word`}},
		{"set twice", good + "search.top_k: 9\n", 7, []string{`.assay.yaml:2: "search.top_k" is set twice`}},
		{"a long key", strings.Repeat("a", 200) + ": 1\n" + good, 7, []string{`.assay.yaml:1: unknown setting "aaa`}},
		{"several", "a: 1\nb: 2\n" + good + "c: 3\n", 7, []string{`.assay.yaml:1: unknown setting "a"`, "and 2 more: assay config show lists them"}},
		{"not YAML", good + "  x: : y\n", 0, []string{".assay.yaml:1: invalid YAML: "}},
		{"not keys and values", "- a\n", 0, []string{".assay.yaml:1: the file must contain keys and values"}},
		{"two documents", good + "---\ncolor: auto\n", 0, []string{".assay.yaml:2: settings must be a single YAML document"}},
		{"too large", good + strings.Repeat("#", maxFile), 0, []string{"is larger than 64 KiB"}},
		{"control characters", "\"\\e[31m\\n\": 1\n" + good, 7, []string{`"\x1b[31m\n"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := place(t, "", tc.text)
			c, err := Load(src)
			if err != nil {
				t.Fatal(err)
			}
			if c.Search.TopK != tc.topK || c.Color != "auto" && tc.name != "an alias" || c.Trajectory != "" || c.Embed.Provider != "static" {
				t.Errorf("in force are %+v", c)
			}
			line := c.Ignored()
			if strings.ContainsAny(line, "\n\x1b") || (line == "") != (tc.want == nil) {
				t.Errorf("the warning is %q", line)
			}
			for _, want := range tc.want {
				if !strings.Contains(line, want) {
					t.Errorf("the warning is %q, want %q in it", line, want)
				}
			}
			if (len(c.Explain(nil).Problems) == 0) != (tc.want == nil) {
				t.Errorf("shown are the problems %q", c.Explain(nil).Problems)
			}
		})
	}
}

// TestProject holds what a project's file may not set, by name: a key added
// later is refused until somebody says that it is harmless.
func TestProject(t *testing.T) {
	harmless := map[string]string{"search.top_k": "5", "search.budget": "500", "color": "never", "trajectory.mode": "strict"}
	for _, k := range keys() {
		value, ok := harmless[k.name]
		if !ok {
			value = "none"
		}
		head, leaf, nested := strings.Cut(k.name, ".")
		text := "# a project\n" + head + ": " + value + "\n"
		if nested {
			text = "# a project\n" + head + ":\n  " + leaf + ": " + value + "\n"
		}
		src := place(t, "", text)
		c, err := Load(src)
		if err != nil {
			t.Fatalf("%s in a project's file: %v", k.name, err)
		}
		if at := c.origins[k.name]; ok != strings.Contains(at, ProjectFile+":") || !ok && at != "default" {
			t.Errorf("%s in a project's file: it comes from %s", k.name, at)
		}
		if says := c.Ignored(); ok != (says == "") || !ok && (!strings.Contains(says, "may not set "+k.name) || !strings.Contains(says, src.User)) {
			t.Errorf("%s in a project's file: %q", k.name, says)
		}
	}
}

func TestProjectFileThatIsNone(t *testing.T) {
	for name, make := range map[string]func(file string) error{
		"folder": func(file string) error { return os.Mkdir(file, 0o777) },
		"link out": func(file string) error {
			secret := filepath.Join(filepath.Dir(filepath.Dir(file)), "secret.yaml")
			if err := os.WriteFile(secret, []byte("password: hunter2\n"), 0o666); err != nil {
				return err
			}
			return os.Symlink(secret, file)
		},
		"device": func(file string) error { return os.Symlink("/dev/zero", file) },
	} {
		src := place(t, "", "")
		if err := make(filepath.Join(src.Root, ProjectFile)); err != nil {
			t.Skip(err)
		}
		c, err := Load(src)
		if err != nil || c.Ignored() == "" || strings.Contains(c.Ignored(), "password") {
			t.Errorf("%s: %v, %q", name, err, c.Ignored())
		}
	}
	if _, err := Load(Sources{Root: filepath.Join(t.TempDir(), "absent")}); err != nil {
		t.Errorf("a root that is not there: %v", err)
	}
}

func TestExplain(t *testing.T) {
	c, err := Load(Sources{Env: vars{
		"ASSAY_EMBED_PROVIDER": "openai-compatible",
		"ASSAY_EMBED_URL":      "https://me:hunter2@api.example.com/v1?key=hunter2",
		"ASSAY_EMBED_MODEL":    "m",
		"ASSAY_EMBED_KEY_ENV":  "EXAMPLE_KEY",
		"EXAMPLE_KEY":          "hunter2",
	}.lookup})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.Explain(nil).WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	b.WriteString("\n")
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(c.Explain(nil)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "hunter2") {
		t.Errorf("a secret is shown:\n%s", b.String())
	}
	if c.Embed.URL != "https://me:hunter2@api.example.com/v1?key=hunter2" {
		t.Errorf("the URL in force is %s", c.Embed.URL)
	}
	golden(t, "testdata/explain.txt", b.Bytes())
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs: run go test -update and read the diff\n%s", file, got)
	}
}

func TestUserFile(t *testing.T) {
	for _, tc := range []struct {
		env        vars
		goos, want string
	}{
		{vars{"XDG_CONFIG_HOME": "/x", "HOME": "/h"}, "linux", "/x/assay/config.yaml"},
		{vars{"XDG_CONFIG_HOME": "x", "HOME": "/h"}, "linux", "/h/.config/assay/config.yaml"},
		{vars{"HOME": "/h"}, "linux", "/h/.config/assay/config.yaml"},
		{vars{"HOME": "/h"}, "darwin", "/h/Library/Application Support/assay/config.yaml"},
		{vars{"XDG_CONFIG_HOME": "/x", "HOME": "/h"}, "darwin", "/x/assay/config.yaml"},
		{vars{"APPDATA": "/r"}, "windows", "/r/assay/config.yaml"},
		{vars{}, "linux", ""},
		{vars{}, "windows", ""},
	} {
		if got := UserFile(tc.env.lookup, tc.goos); filepath.ToSlash(got) != tc.want {
			t.Errorf("UserFile(%v, %s) = %q, want %q", tc.env, tc.goos, got, tc.want)
		}
	}
}

// FuzzProject holds the package's promise: whatever a project's file says, no
// setting but a harmless one changes, and what is ignored comes with advice.
func FuzzProject(f *testing.F) {
	for _, s := range []string{
		"", "search:\n  top_k: 3\n", "embed: {provider: openai-compatible, url: http://evil}", "index.dir: /tmp/x",
		"a: &a [*a]", "? {a: b}\n: c", "<<: {color: never}", "color: !!binary x", "--- \n--- ", "\xff", "{", "search: ~\n", "search: {}\n",
		"? embed.url\n: http://evil\n", "!!set {color}", "\"embed\\u002eurl\": http://evil",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Load(Sources{})
		if err != nil {
			t.Fatal(err)
		}
		before := *c
		for _, err := range c.apply([]byte(text), "p.yaml", "u.yaml") {
			if fault.KindOf(err) != fault.Usage || fault.HintOf(err) == "" {
				t.Errorf("apply(%q): kind %d of %v, advice %q", text, fault.KindOf(err), err, fault.HintOf(err))
			}
		}
		if c.Embed != before.Embed || c.IndexDir != before.IndexDir || c.Docs != before.Docs || c.Memory != before.Memory {
			t.Errorf("apply(%q) set %+v %q %+v %+v", text, c.Embed, c.IndexDir, c.Docs, c.Memory)
		}
		if c.Search.TopK < 0 || c.Search.TopK > 1000 {
			t.Errorf("apply(%q) set search.top_k to %d", text, c.Search.TopK)
		}
	})
}

// OpenAI's usual variable is its own, and stays so where another is named.
func TestKeyVariable(t *testing.T) {
	for _, tc := range []struct{ set, provider, want string }{
		{"", "openai", "OPENAI_API_KEY"},
		{"MY_KEY", "openai", "MY_KEY"},
		{"", "openai-compatible", ""},
		{"MY_KEY", "openai-compatible", "MY_KEY"},
	} {
		if got := (Embed{KeyEnv: tc.set}).KeyVariable(tc.provider); got != tc.want {
			t.Errorf("key_env %q: KeyVariable(%s) = %q, want %q", tc.set, tc.provider, got, tc.want)
		}
	}
}
