package facts_test

import (
	"testing"

	"github.com/assay-dev/assay/internal/code/facts"
)

// variants is a Go package that has a function, a method and a type for each of some
// systems, and an encoder that a tag exchanges.
var variants = map[string]string{
	"go.mod":           "module example.com/m\n",
	"db.go":            "package m\n\ntype DB struct{}\n\nfunc Open() { lock(); new(DB).grow(); enc.put() }\n",
	"db_aix.go":        "package m\n\nfunc lock() { aix() }\n\nfunc (db *DB) grow() {}\n\nfunc aix() {}\n",
	"db_unix.go":       "//go:build unix && !aix\n\npackage m\n\nfunc lock() {}\n\nfunc (db *DB) grow() { lock() }\n",
	"db_windows.go":    "package m\n\nfunc lock() {}\n\nfunc (db *DB) grow() { lock() }\n",
	"a_cbor.go":        "// +build binary_log\n// +build linux windows\n\npackage m\n\ntype cbor struct{}\n\nfunc (cbor) put() {}\n\nvar enc = cbor{}\n",
	"json.go":          "/* Not the binary one. */\n//go:build !binary_log\n\npackage m\n\ntype json struct{}\n\nfunc (json) put() {}\n\nvar enc = json{}\n",
	"use/use.go":       "package use\n\nimport \"example.com/m\"\n\nfunc Use() { m.Open(); m.Only() }\n",
	"only_zos_s390.go": "package m\n\n// Only is of no system that has both.\nfunc Only() {}\n",
	"later.go":         "//go:build go1.999\n\npackage m\n\nfunc Later() { help() }\n\nfunc help() {}\n",
	"gen.go":           "//go:build ignore\n\npackage main\n\nfunc main() { help() }\n\nfunc help() {}\n",
}

func TestBuild(t *testing.T) {
	p := project(variants)
	for _, c := range []struct {
		name  string
		build facts.Build
		want  string
	}{
		{"linux", facts.For("linux", "amd64", nil), `db.go:Open → db_aix.go:DB.grow likely
db.go:Open → db_aix.go:lock likely
db.go:Open → db_unix.go:DB.grow exact
db.go:Open → db_unix.go:lock exact
db.go:Open → db_windows.go:DB.grow likely
db.go:Open → db_windows.go:lock likely
db.go:Open → json.go:json.put exact
db_aix.go:lock → db_aix.go:aix likely
db_unix.go:DB.grow → db_aix.go:lock likely
db_unix.go:DB.grow → db_unix.go:lock exact
db_unix.go:DB.grow → db_windows.go:lock likely
db_windows.go:DB.grow → db_windows.go:lock likely
gen.go:main → gen.go:help likely
later.go:Later → later.go:help likely
use/use.go:Use → db.go:Open exact
use/use.go:Use → only_zos_s390.go:Only likely`},
		{"a tag", facts.For("linux", "amd64", []string{"binary_log"}), `db.go:Open → a_cbor.go:cbor.put exact
db.go:Open → db_aix.go:DB.grow likely
db.go:Open → db_aix.go:lock likely
db.go:Open → db_unix.go:DB.grow exact
db.go:Open → db_unix.go:lock exact
db.go:Open → db_windows.go:DB.grow likely
db.go:Open → db_windows.go:lock likely
db_aix.go:lock → db_aix.go:aix likely
db_unix.go:DB.grow → db_aix.go:lock likely
db_unix.go:DB.grow → db_unix.go:lock exact
db_unix.go:DB.grow → db_windows.go:lock likely
db_windows.go:DB.grow → db_windows.go:lock likely
gen.go:main → gen.go:help likely
later.go:Later → later.go:help likely
use/use.go:Use → db.go:Open exact
use/use.go:Use → only_zos_s390.go:Only likely`},
		{"aix", facts.For("aix", "ppc64", nil), `db.go:Open → db_aix.go:DB.grow exact
db.go:Open → db_aix.go:lock exact
db.go:Open → db_unix.go:DB.grow likely
db.go:Open → db_unix.go:lock likely
db.go:Open → db_windows.go:DB.grow likely
db.go:Open → db_windows.go:lock likely
db.go:Open → json.go:json.put exact
db_aix.go:lock → db_aix.go:aix exact
db_unix.go:DB.grow → db_unix.go:lock likely
db_windows.go:DB.grow → db_windows.go:lock likely
gen.go:main → gen.go:help likely
later.go:Later → later.go:help likely
use/use.go:Use → db.go:Open exact
use/use.go:Use → only_zos_s390.go:Only likely`},
	} {
		p.Under(c.build) // one project is asked under each
		if got := edges(p); got != c.want {
			t.Errorf("%s: got:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

func TestConstraint(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"package m\n//go:build linux\n", ""}, // behind the package clause it is none
		{"//go:build linux&&(amd64||arm64)\n\npackage m\n", "linux && (amd64 || arm64)"},
		{"// Copyright\n\n/* a\n//go:build windows\n*/\n//go:build !linux\r\npackage m\n", "!linux"},
		{"// +build linux,!cgo darwin\n// +build amd64\n\npackage m\n", "((linux && !cgo) || darwin) && amd64"},
		{"//go:build (\n\npackage m\n", ""},
		{"", ""},
	} {
		if got := facts.Constraint("go", []byte(c.text)); got != c.want {
			t.Errorf("Constraint(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	if got := facts.Constraint("python", []byte("//go:build linux\n")); got != "" {
		t.Errorf("python has the constraint %q", got)
	}
}
