package named

import (
	"slices"
	"strings"
	"testing"
)

const optionProgram = `import argparse

p = argparse.ArgumentParser()
p.add_argument("--ssl-certfile")
p.add_argument("-n", "--dry-run")
p.add_argument("--output")
p.add_argument("--width")
p.add_argument("--colour", "--color")
p.add_argument("--theme")
p.add_argument("--log-max-file-size")
p.add_argument("--reload")
sub = p.add_subparsers()
sub.add_parser("build")
load(certfile=1, dry_run=2, log_max_file_count=3)
`

func TestOptions(t *testing.T) {
	listed := "`--output` `--width` `--colour` `--color` `--theme` `--reload` `--dry-run` `--ssl-certfile`\n\n"
	tests := []struct{ name, doc, more, want string }{
		{"with the program", "```console\n$ tool --certfile x\n$ tool --ssl-certfile x\n$ other --certfile x\n$ tool --output '--certfile x'\n$ tool -- --certfile\n```\n", "", "README.md:2 error --certfile → --ssl-certfile"},
		{"on a page that lists options", listed + "`--certfile`\n", "", "README.md:3 error --certfile → --ssl-certfile"},
		{"on a page that lists those of others", "`--output` `--rm` `--volume` `--privileged` `--certfile`\n", "", ""},
		{"in other separators", "`--dry_run` and `--dry-run`, `--no-dry-run`.\n\n`--dry_run`\n", "", "README.md:3 error --dry_run → --dry-run"},
		{"beside a command of another program", listed + "`git commit` has `--certfile`.\n\n`tool build` has `--certfile`.\n", "", "README.md:5 error --certfile → --ssl-certfile"},
		{"beside commands of both", listed + "`tool build` and `git commit` have `--certfile`.\n", "", "README.md:3 error --certfile → --ssl-certfile"},
		{"a field in capitals", "`--js-header` and `--dry_run`\n", "run(\"--jsHeader\")\n", "README.md:1 error --dry_run → --dry-run"},
		{"one of many parts", "`--log-max-file-count`\n", "", "README.md:1 error --log-max-file-count → --log-max-file-size"},
		{"where names are put together", "```console\n$ tool --certfile x\n```\n", "p.add_argument(\"--\" + name)\n", ""},
		{"with a short word in common", "```console\n$ tool --max-width 3\n$ tool --log-width 3\n```\n", "p.add_argument(\"--max\")\nwarn(max_width=1, log_width=2)\n", ""},
		{"by another program of the tree", "```console\n$ tool --certfile x\n```\n", "run(\"curl --certfile x\")\n", ""},
		{"a command", "```console\n$ tool biuld\n$ tool bulid\n$ tool build\n$ tool deploy\n$ other bulid\n```\n", "", "README.md:2 error biuld → build\nREADME.md:3 error bulid → build"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"pyproject.toml": "[project]\nname = \"tool\"\n", "tool.py": optionProgram + tt.more, "README.md": tt.doc}
			if got := found(t, projectOf(files)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// A program that setup.cfg names, without quotation marks.
func TestSetupCfg(t *testing.T) {
	files := map[string]string{"setup.cfg": "[metadata]\nname = tool_kit\n[options.entry_points]\nconsole_scripts =\n    tool = tool.main:run\n", "tool.py": optionProgram, "README.md": "```console\n$ tool --certfile x\n$ kit --certfile x\n```\n"}
	if got, want := found(t, projectOf(files)), "README.md:2 error --certfile → --ssl-certfile"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Each form of the table is the one of its library.
func TestOptionForms(t *testing.T) {
	tests := []struct{ name, code, options, commands string }{
		{"flag", "flag.StringVar(&s, \"dry-run\", \"\", \"\"); flags.BoolP(\"wide\", \"w\", false, \"\"); x.String(\"no flag\")", "dry-run wide", ""},
		{"cobra", "&cobra.Command{Use: \"build [path]\", Short: \"flags\"}", "", "build"},
		{"clap", "#[derive(clap::Parser)]\nstruct A {\n  #[arg(short, long)]\n  /// Says it.\n  pub dry_run: bool,\n  #[arg(long = \"wide\")]\n  w: bool,\n  #[arg(short)]\n  quiet: bool,\n}\nCommand::new(\"build\")", "dry-run wide", "build"},
		{"getopt", "#include <getopt.h> // getopt_long\n{ \"dry-run\", no_argument, 0, 'n' }, { \"other\", value }", "dry-run", ""},
		{"yargs", "require('yargs').option('dry-run', {}).command('build <x>', '')", "dry-run", "build"},
		{"CommandLine", "using CommandLine;\n[Option('n', \"dry-run\")]", "dry-run", ""},
		{"ArgumentParser", "import ArgumentParser\n@Flag(help: \"x\") var dryRun = false\nvar other = 1", "dry-run", ""},
		{"optparse", "opts.on('--[no-]colour')", "colour", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := &options{names: map[string]bool{}, used: map[string]bool{}, commands: map[string]bool{}}
			o.read([]byte(tt.code))
			if got := joined(o.names); got != tt.options {
				t.Errorf("options %q, want %q", got, tt.options)
			}
			if got := joined(o.commands); got != tt.commands {
				t.Errorf("commands %q, want %q", got, tt.commands)
			}
		})
	}
}

func joined(set map[string]bool) string {
	var out []string
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestKeysAndMembers(t *testing.T) {
	code := "package tool\n\nvar keys = []string{\"timeout_seconds\", \"retry_count\", \"postsync\"}\n\n// LoadRules reads rules.\nfunc LoadRules() {}\n\n// RuleBase keeps rules.\ntype RuleBase struct{}\n\n// Heir is a base.\ntype Heir struct{ Other }\n\n// RulesKeeper keeps rules.\ntype RulesKeeper struct{}\n"
	tests := []struct{ name, doc, want string }{
		{"a key", "```yaml\ntimeout_secnds: 3\nretry_count: 2\nchosen_by_me: 1\n```\n\n```go\ntimeout_secnds: 3\n```\n", "README.md:2 error timeout_secnds → timeout_seconds"},
		{"a key in the plural", "```yaml\nretry_counts: 3\ncounts: 1\n```\n", "README.md:2 warning retry_counts → retry_count"},
		{"a key in a block without its language", "```\na: 1\nretry_cuont: 2\n```\n\n```\nretry_cuont: 2\ntext\nand more\n```\n", "README.md:3 error retry_cuont → retry_count"},
		{"a word that its page writes rightly", "`postsync` and `postsync`.\n\n`posysync` `postsynced` `presync`\n", "README.md:3 error posysync → postsync"},
		{"a word that its page seldom has", "`posysync`\n", "README.md:1 warning posysync → postsync"},
		{"a word that documents mean", "`posysync` `posysync` `posysync`\n", ""},
		{"a part that the page has as a word", "Make `rone` as `RoneBase` does.\n", ""},
		{"a plural of a part", "`RuleKeeper` `RulesBase`\n", "README.md:1 warning RuleKeeper → RulesKeeper"},
		{"a member of the module", "```go\nimport \"github.com/own/tool\"\n\ntool.ReadBufConfig()\ntool.LoadRules()\nother.ReadBufConfig()\n```\n", "README.md:4 error ReadBufConfig"},
		{"a member of what is no module here", "```go\ntool.ReadBufConfig()\n```\n", ""},
		{"a member of a type", "`RuleBase.DefaultStore`\n\n`Heir.DefaultStore`\n\n`Other.DefaultStore` `rules.DefaultStore`\n", "README.md:1 error DefaultStore"},
		{"an address of mail", "<me@own.org> [a](b@c.md)\n", ""},
		{"a page of a site as it is built", "See [a](docs/guide.html).\n", "README.md:1 error docs/guide.html"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"go.mod": "module github.com/own/tool\n", "tool.go": code, "README.md": tt.doc}
			if got := found(t, projectOf(files)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
