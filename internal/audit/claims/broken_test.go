package claims

import (
	"slices"
	"strings"
	"testing"
)

// broken returns the names, each with its place, that a change of code breaks the documents of.
func broken(t *testing.T, docs, was, now map[string]string) (out []string) {
	t.Helper()
	tree := &Tree{Root: t.TempDir()}
	for path, text := range docs {
		tree.Docs = append(tree.Docs, Source{Path: path, Language: "markdown", Text: []byte(text)})
	}
	for path, text := range now {
		tree.Code = append(tree.Code, Source{Path: path, Language: "python", Text: []byte(text)})
	}
	slices.SortFunc(tree.Docs, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(tree.Code, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	old, paths := map[string][]byte{}, []string{}
	for path, text := range was {
		old[path] = []byte(text)
		paths = append(paths, path)
	}
	a := New(tree, nil, nil)
	change := tree.NewChange(old, paths)
	for _, f := range a.Broken(change, nil) {
		if f.Rule != GhostRule || f.Severity != "high" || f.Fingerprint == "" || !change.Concerns(&f) {
			t.Errorf("%+v is no finding of the change", f)
		}
		out = append(out, f.Name+" "+f.Place.String())
	}
	return out
}

func TestBroken(t *testing.T) {
	const code = `import os

def get_app_dir(name):
    # the old_helper is gone
    return os.environ["SHOP_REGION"] + name

def validate(token, strict_mode=False):
    parser.add_argument("--dry-run")
    parser.add_argument("--verbose")
    print("BSD LINE")
`
	for name, tc := range map[string]struct {
		docs, now string
		want      []string
	}{
		"nothing is gone":                {"Call `get_app_dir()`, `validate` and `--dry-run`.", code, nil},
		"a function":                     {"# Use\n\nCall `get_app_dir(name)`.\nAgain `get_app_dir`.", strings.ReplaceAll(code, "get_app_dir", "app_dir"), []string{"get_app_dir README.md:3"}},
		"a plain word, declared":         {"Call `shop.validate(token)`.", strings.ReplaceAll(code, "validate", "check"), []string{"validate README.md:1"}},
		"a plain word in prose":          {"We validate tokens; a `token to validate` is short.", strings.ReplaceAll(code, "validate", "check"), nil},
		"a parameter":                    {"Pass `strict_mode`.", strings.ReplaceAll(code, "strict_mode", "strict"), []string{"strict_mode README.md:1"}},
		"a variable of the environment":  {"Set SHOP_REGION to choose.", strings.ReplaceAll(code, "SHOP_REGION", "SHOP_PLACE"), []string{"SHOP_REGION README.md:1"}},
		"flags":                          {"Give `--dry-run` or --verbose.", "x = 1\n", []string{"--dry-run README.md:1", "--verbose README.md:1"}},
		"a flag that is a field":         {"Give `--dry-run`.", "dry_run: bool\n", nil},
		"another program's flag":         {"Run:\n\n    git config --verbose\n\nand `git --dry-run`.", "x = 1\n", nil},
		"a word in capitals":             {"See LINE and `LINE` and BSD-3.", "x = 1\n", nil},
		"in an example":                  {"```python\nfrom shop import get_app_dir\nx = get_app_dir('a')\n```\n", strings.ReplaceAll(code, "get_app_dir", "app_dir"), []string{"get_app_dir README.md:2"}},
		"of the example itself":          {"```python\nstrict_mode = True\nprint(strict_mode)\n```\n", strings.ReplaceAll(code, "strict_mode", "strict"), nil},
		"of an indented example itself":  {"Run:\n\n    strict_mode = True\n\n    print(strict_mode)\n", strings.ReplaceAll(code, "strict_mode", "strict"), nil},
		"of another indented example":    {"    strict_mode = True\n\nThen:\n\n    print(strict_mode.x)\n", strings.ReplaceAll(code, "strict_mode", "strict"), []string{"strict_mode README.md:5"}},
		"of a shell's example":           {"```fish\nset -g strict_mode 1\n```\n```sh\nexport SHOP_REGION=1\n```", "x = 1\n", []string{"SHOP_REGION README.md:5"}},
		"a keyword on its line":          {"```python\nvalidate(\n    token,\n    strict_mode=True,\n)\n```\n", strings.ReplaceAll(code, "strict_mode", "strict"), []string{"strict_mode README.md:4"}},
		"what the document says is gone": {"`get_app_dir` was removed; use `app_dir`.\n\n## Upgrading\n\nCall `get_app_dir`.\n\n## Use\n\nSet `SHOP_REGION`.", "x = 1\n", []string{"SHOP_REGION README.md:9"}},
		"of a comment":                   {"See `old_helper`.", "x = 1\n", nil},
	} {
		if got := broken(t, map[string]string{"README.md": tc.docs}, map[string]string{"a.py": code}, map[string]string{"a.py": tc.now}); !slices.Equal(got, tc.want) {
			t.Errorf("%s: broken = %q, want %q", name, got, tc.want)
		}
	}
	if got := broken(t, map[string]string{"docs/setup-legacy.md": "Call `get_app_dir`."}, map[string]string{"a.py": code}, map[string]string{"a.py": "x = 1\n"}); got != nil {
		t.Errorf("a page on what was: broken = %q", got)
	}
	docs := map[string]string{"README.md": "Call `get_app_dir`."}
	if got := broken(t, docs, map[string]string{"tests/test_a.py": code}, map[string]string{"tests/test_a.py": ""}); got != nil {
		t.Errorf("a test is gone: broken = %q", got)
	}
	if got := broken(t, docs, map[string]string{"a.py": code}, map[string]string{"b.py": code}); got != nil {
		t.Errorf("moved: broken = %q", got)
	}
	if got := broken(t, docs, map[string]string{"a.py": code}, map[string]string{"b.py": "x = 1\n"}); len(got) != 1 {
		t.Errorf("the file is gone: broken = %q", got)
	}
}
