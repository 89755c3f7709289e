package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/fault"
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
			for _, s := range c.Explain().Settings {
				if s.Key != tc.key {
					continue
				}
				origin := filepath.Base(s.Origin)
				if s.Value != tc.want || origin != tc.origin {
					t.Errorf("%s = %v from %s, want %v from %s", s.Key, s.Value, origin, tc.want, tc.origin)
				}
				if c.Origin(tc.key) != s.Origin {
					t.Errorf("Origin(%s) = %s, want %s", tc.key, c.Origin(tc.key), s.Origin)
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
		{"unknown key", "embed:\n  provder: none\n", "", nil, nil, `user.yaml:2: no setting is called "embed.provder"`, "did you mean embed.provider?"},
		{"unknown key of a project", "", "\n\nserach:\n  top_k: 1\n", nil, nil, `.assay.yaml:4: no setting is called "serach.top_k"`, "did you mean search.top_k?"},
		{"leaf alone", "top_k: 1\n", "", nil, nil, `user.yaml:1: no setting is called "top_k"`, "did you mean search.top_k?"},
		{"nothing like it", "zzzzzzzzzz: 1\n", "", nil, nil, `"zzzzzzzzzz"`, "assay config show"},
		{"unknown key with nothing", "colour:\n", "", nil, nil, `"colour"`, "did you mean color?"},
		{"unknown flag", "", "", nil, map[string]string{"searchh": "1"}, `flag: no setting is called "searchh"`, ""},
		{"bad word", "color: sometimes\n", "", nil, nil, `user.yaml:1: color: "sometimes" is not one of auto, always, never`, ""},
		{"bad number", "", "search:\n  top_k: many\n", nil, nil, `.assay.yaml:2: search.top_k: "many" is not a number in 1..1000, or 0`, ""},
		{"out of range", "", "", vars{"ASSAY_SEARCH_BUDGET": "7"}, nil, `ASSAY_SEARCH_BUDGET: "7" is not a number in 50..1000000, or 0`, ""},
		{"bad flag", "", "", nil, map[string]string{"color": "x"}, `color: "x" is not one of`, ""},
		{"twice", "color: never\ncolor: auto\n", "", nil, nil, `user.yaml:2: "color" is set twice`, ""},
		{"twice in two ways", "search: {top_k: 1}\nsearch.top_k: 2\n", "", nil, nil, `user.yaml:2: "search.top_k" is set twice`, ""},
		{"a list", "color: [never]\n", "", nil, nil, `user.yaml:1: "color" must be a single value`, ""},
		{"an alias", "color: &c never\ntrajectory: {mode: *c}\n", "", nil, nil, `user.yaml:2: "trajectory.mode" must be a single value`, ""},
		{"not a mapping", "- color\n", "", nil, nil, "user.yaml:1: the file must be keys and values", ""},
		{"no YAML", "color: never\n  x: : y\n", "", nil, nil, "user.yaml:2: it is not YAML: ", ""},
		{"two documents", "color: never\n---\ncolor: auto\n", "", nil, nil, "user.yaml:2: a second document", ""},
		{"too large", strings.Repeat("#", maxFile+1), "", nil, nil, "is larger than 64 KiB", ""},
		{"control characters", "\"\\e[31m\": 1\n", "", nil, nil, `"\x1b[31m"`, ""},
		{"deep", strings.Repeat("{a: ", 100) + strings.Repeat("}", 100), "", nil, nil, `"a.a.a`, ""},
		{"relative index dir", "index: {dir: idx}\n", "", nil, nil, "user.yaml:1: index.dir must be an absolute path in a file", ""},
		{"bad URL", "embed: {url: \"ftp://u:secret@h\"}\n", "", nil, nil, "user.yaml:1: embed.url: it is not a URL", ""},
		{"a key for its variable", "embed: {key_env: sk-secret}\n", "", nil, nil, "user.yaml:1: embed.key_env: it is not the name of an environment variable", ""},
		{"provider alone", "embed: {provider: openai-compatible}\n", "", nil, nil, "embed.url is not set", "ASSAY_EMBED_URL"},
		{"a model without its folder", "embed: {provider: model2vec}\n", "", nil, nil, "embed.provider is model2vec (", "ASSAY_EMBED_MODEL"},
		{"a folder from nowhere", "embed: {provider: model2vec, model: potion}\n", "", nil, nil, "user.yaml:1: embed.model must be an absolute path", ""},
		{"OpenAI elsewhere", "embed: {provider: openai, url: \"http://h/v1\"}\n", "", nil, nil, "which has an address of its own", "openai-compatible"},
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
		_, err := Load(src)
		if ok != (err == nil) {
			t.Errorf("%s in a project's file: %v", k.name, err)
		}
		if !ok && (!strings.Contains(err.Error(), "may not set "+k.name) || !strings.Contains(fault.HintOf(err), src.User)) {
			t.Errorf("%s in a project's file: %v; %s", k.name, err, fault.HintOf(err))
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
		_, err := Load(src)
		if err == nil || strings.Contains(err.Error(), "password") {
			t.Errorf("%s: %v", name, err)
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
	if err := c.Explain().WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	b.WriteString("\n")
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(c.Explain()); err != nil {
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

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"same", "same", 0}} {
		if got := distance(tc.a, tc.b); got != tc.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

// FuzzProject holds the package's promise: whatever a project's file says, no
// setting but a harmless one changes, and what is refused is refused as usage.
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
		err = c.apply([]byte(text), "p.yaml", "u.yaml")
		if err != nil && fault.KindOf(err) != fault.Usage {
			t.Errorf("apply(%q): kind %d of %v", text, fault.KindOf(err), err)
		}
		if c.Embed != before.Embed || c.IndexDir != before.IndexDir {
			t.Errorf("apply(%q) set %+v %q", text, c.Embed, c.IndexDir)
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
