package script

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// replacing is a project with a module of its own in place of a built-in one, and one of a new name.
var replacing = map[string]string{
	"work/modules/vault.lua": "--- @description Ours\nreturn { token = env.get('VAULT_TOKEN') }",
	"work/modules/mine.lua":  "return { name = 'mine' }",
	"work/both.lua":          "require('assay.vault') require('vault') return require('assay.mine').name",
	"work/vault.lua":         "return type(require('assay.vault').client)",
}

// The first use of a module that replaces another is told, with its name and path, and no other use.
func TestReplacedModuleIsTold(t *testing.T) {
	b := newBench(t, replacing, map[string]string{"VAULT_TOKEN": "hvs.secret"}, nil)
	for range 2 {
		if r, err := b.Run(b.ctx, RunInput{File: "both.lua"}); err != nil || written(t, r) != "mine\n" {
			t.Fatalf("%v, %v", r, err)
		}
	}
	const want = "assay.vault is loaded from ./modules/vault.lua of this project, in place of the built-in one (--no-project-modules loads that)"
	if len(b.notes) != 1 || b.notes[0] != want {
		t.Errorf("told %q, want %q", b.notes, want)
	}
	for _, in := range []RunInput{{File: "vault.lua", Requests: Requests{NoProject: true}}, {File: "vault.lua"}} {
		want := map[bool]string{true: "function\n", false: "nil\n"}[in.NoProject]
		if r, err := b.Run(b.ctx, in); err != nil || written(t, r) != want {
			t.Errorf("%+v: %v, %v, want %q", in, r, err, want)
		}
	}
	if _, err := b.Exec(b.ctx, ExecInput{Eval: "require('mine')", Requests: Requests{NoProject: true}}); err == nil || !strings.Contains(err.Error(), "module 'mine' not found") {
		t.Errorf("without the project's modules: %v", err)
	}
}

func TestModulesMarkReplacements(t *testing.T) {
	b := newBench(t, replacing, nil, nil)
	list, err := b.Modules(b.ctx, ModulesInput{})
	if err != nil {
		t.Fatal(err)
	}
	text := written(t, list)
	doc, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "(replaces the built-in one) Ours") || strings.Count(text, "(replaces") != 1 || strings.Count(string(doc), `"replaces":"built-in"`) != 1 {
		t.Errorf("%s\n%s", text, doc)
	}
	b.cfg.ProjectModules = projectNever
	if list, err = b.Modules(b.ctx, ModulesInput{}); err != nil || list.Count["project"] != 0 || len(b.notes) != 1 {
		t.Errorf("%v, %v, %q", list, err, b.notes)
	}
}

// The setting says whether a person is asked, once for each module; where nobody can be, it is refused.
func TestProjectModulesSetting(t *testing.T) {
	for _, tt := range []struct {
		name, setting string
		answer        string // "": nobody can be asked
		want          string
		asked         int
	}{
		{"always", projectAlways, "no", "nil\n", 0},
		{"never", projectNever, "yes", "function\n", 0},
		{"ask, yes", projectAsk, "yes", "nil\n", 1},
		{"ask, no", projectAsk, "no", "./modules/vault.lua of this project was not permitted", 1},
		{"ask, in a pipe", projectAsk, "", "give --no-project-modules, or set lua.project_modules to always", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, replacing, nil, nil)
			b.cfg.ProjectModules = tt.setting
			asked := 0
			if tt.answer != "" {
				b.cfg.Confirm = func(_ context.Context, about, _ string) (bool, error) {
					asked++
					if !strings.Contains(about, "./modules/vault.lua") {
						t.Errorf("asked about %q", about)
					}
					return tt.answer == "yes", nil
				}
			}
			for range 2 {
				r, err := b.Run(b.ctx, RunInput{File: "vault.lua"})
				if err != nil {
					wrong(t, tt.name, err, fault.Negative, tt.want)
				} else if got := written(t, r); got != tt.want {
					t.Errorf("%q, want %q", got, tt.want)
				}
			}
			if asked != tt.asked {
				t.Errorf("asked %d times, want %d", asked, tt.asked)
			}
		})
	}
}

// A script returns no value that it read under the name of a secret, however it is written; and one
// that is too short to be hidden is told once.
func TestReturnHidesSecrets(t *testing.T) {
	b := newBench(t, nil, map[string]string{"API_KEY": "k3y/v4lue", "PIN_TOKEN": "abc"}, nil)
	for _, capture := range []bool{false, true} {
		r, err := b.Exec(b.ctx, ExecInput{Eval: `local k = env.get("API_KEY") print(k) return {k, ["x" .. k] = "<" .. k .. ">", n = 1, short = env.get("PIN_TOKEN")}`, Capture: capture})
		if err != nil {
			t.Fatal(err)
		}
		doc, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if text := written(t, r) + string(doc) + b.stdout.String(); strings.Contains(text, "v4lue") || !strings.Contains(text, "<[redacted]>") || !strings.Contains(text, "abc") {
			t.Errorf("capture %v: %s", capture, text)
		}
	}
	if len(b.notes) != 1 || b.notes[0] != "PIN_TOKEN has fewer than 4 characters: it is not hidden in what is printed" {
		t.Errorf("%q", b.notes)
	}
}
