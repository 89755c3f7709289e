package discover

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

const (
	test, example, generated = corpus.Test, corpus.Example, corpus.Generated
	vendored, packedCode     = corpus.Vendored, corpus.Minified
	compat, stub, lock       = corpus.Compat, corpus.Stub, corpus.Lock
)

type flagTest struct {
	path string
	want corpus.Flags
}

func TestPathFlags(t *testing.T) {
	checkFlags(t, []flagTest{
		{"main.go", 0},
		{"internal/code/index/index.go", 0},
		{"a_test.go", test},
		{"test_a.go", 0}, // not to the tool chain
		{"cmd/test.go", 0},
		{"example_test.go", test | example},
		{"testdata/x.go", test},
		{"pkg/tests/util.py", test},
		{"test_views.py", test},
		{"views_test.py", test},
		{"conftest.py", test},
		{"testing/python/fixtures.py", test},
		{"numpy/testing/utils.py", 0},
		{"testing/quick/quick.go", 0},
		{"src/contest.py", 0},
		{"latest/fastest.py", 0},
		{"src/attest.rs", 0},
		{"src/app.spec.ts", test},
		{"src/app.test.tsx", test},
		{"src/__tests__/app.js", test},
		{"src/test/java/AppTest.java", test},
		{"AppTests.cs", test},
		{"App.Tests/Fixture.cs", test},
		{"AppTest.java", test},
		{"OpenApiSpec.java", 0},
		{"ParserSpec.scala", test},
		{"ParserSuite.scala", test},
		{"lib/parser_spec.rb", test},
		{"spec/models/user.rb", test},
		{"spec.rb", 0},
		{"specs/storage.md", 0},
		{"moc_window.cpp", generated},
		{"parser_unittest.cc", test},
		{"run.bats", test},
		{"androidTest/A.kt", test},
		{"docs/how-to-test.md", 0},
		{"vitest/index.ts", 0},
		{"testing.go", 0},
	})
	checkFlags(t, []flagTest{
		{"examples/a.go", example},
		{"_examples/a.go", example},
		{"foo-demo/a.js", example},
		{"benchmarks/b.py", example},
		{"benches/b.rs", example},
		{"ParseBenchmark.java", example},
		{"downsample/a.py", 0},
		{"vendor/github.com/x/y.go", vendored},
		{"a/third_party/x.c", vendored},
		{"pip/_vendor/urllib3/response.py", vendored},
		{"botocore/vendored/six.py", vendored},
		{"shop/vendoring/price.py", 0},
		{"shop/_vendor.py", 0},
		{"a/node_modules/x/i.js", vendored},
		{"external/x.c", vendored},
		{"src/external/x.c", 0},
		{"deps/jemalloc/x.c", vendored},
		{"src/deps/x.py", 0},
		{"a.pb.go", generated},
		{"a_pb2.py", generated},
		{"a.g.dart", generated},
		{"Form1.Designer.cs", generated},
		{"zz_generated.deepcopy.go", generated},
		{"types.generated.ts", generated},
		{"routes.gen.ts", generated},
		{"api.gen.d.ts", generated | corpus.Stub},
		{"phx.gen.auth.ex", 0},
		{"phx.gen.ex", 0},
		{"a.gen.py.in", 0},
		{"src/generated/a.ts", generated},
		{"generate.go", 0},
		{"compat/x.go", compat},
		{"py_compat.py", compat},
		{"compat.py", compat},
		{"legacy/x.rb", compat},
		{"legacy_api.py", compat},
		{"a/deprecated/x.ts", compat},
		{"compatible.py", 0},
		{"index.d.ts", stub},
		{"a.pyi", stub},
		{"jquery.min.js", packedCode},
		{"go.sum", lock},
		{"a/package-lock.json", lock},
		{"Cargo.lock", lock},
		{"lock.go", 0},
		{"table.csv", lock},
		{"tests/vendor/a_test.go", test | vendored},
	})
}

func checkFlags(t *testing.T, tests []flagTest) {
	t.Helper()
	for _, tt := range tests {
		if got := PathFlags(tt.path); got != tt.want {
			t.Errorf("PathFlags(%q) = %b, want %b", tt.path, got, tt.want)
		}
	}
}

func TestClassify(t *testing.T) {
	key := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: bytes.Repeat([]byte("k"), 600)}))
	program := "package a\n\n" + strings.Repeat("func f() { g(1, 2, 3) }\n", 100)
	packed := strings.Repeat("function a(b){return b+1};", 200)
	blob := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1, 2, 3}, 4000))
	tests := []struct {
		name, path, text string
		text_, index     bool
		flags            corpus.Flags
		why              string
	}{
		{"a program", "a.go", program, true, true, 0, ""},
		{"prose", "README.md", "# Hello\n", true, true, corpus.Prose, ""},
		{"empty", "a.go", "", true, true, 0, ""},
		{"zeros", "a.go", "package a\x00", false, false, 0, "binary"},
		{"UTF-16", "a.go", "\xff\xfep\x01", false, false, 0, "binary"},
		{"noise", "a.go", strings.Repeat("\x80\x81\x01\xfe", 100), false, false, 0, "binary"},
		{"Latin-1", "a.go", strings.Repeat("// Stra\xdfe\n", 50), true, true, 0, ""},
		{"cut in a rune", "a.go", "//" + strings.Repeat(strings.Repeat("ä", 30)+"\n//\t", 200), true, true, 0, ""},
		{"terminal colours", "a.txt", strings.Repeat("\x1b[31mred\x1b[0m\n", 10), true, true, corpus.Prose, ""},
		{"a key", "deploy", key, false, false, 0, "secret"},
		{"a key among notes", "notes.md", "# Access\n" + strings.Repeat("some words\n", 400) + key, false, false, corpus.Prose, "secret"},
		{"a key as a program", "a.go", key, false, false, 0, "secret"},
		{"a key in a program", "a.go", program + "const k = `\n" + key + "`\n", true, true, 0, ""},
		{"talk of a key", "a.md", "It starts with `-----BEGIN RSA PRIVATE KEY-----`.\n", true, true, corpus.Prose, ""},
		{"a certificate", "ca.txt", "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n", true, true, corpus.Prose, ""},
		{"generated", "a.go", "// Code generated by stringer; DO NOT EDIT.\n\n" + program, true, true, corpus.Generated, ""},
		{"generated, further down", "a.c", "/*\n * Licence\n */\n/* This file was automatically generated by x. */\n", true, true, corpus.Generated, ""},
		{"@generated", "a.js", "/**\n * @generated SignedSource<<x>>\n */\n", true, true, corpus.Generated, ""},
		{"<auto-generated>", "A.cs", "// <auto-generated />\nclass A {}\n", true, true, corpus.Generated, ""},
		{"Dart", "a.dart", "// GENERATED CODE - DO NOT MODIFY BY HAND\n", true, true, corpus.Generated, ""},
		{"a head in a block", "a.java", "/*\n  Autogenerated by thrift\n\n  DO NOT EDIT\n*/\nclass A {}\n", true, true, corpus.Generated, ""},
		{"a head below a licence", "a.c", "/*\n   A licence.\n\n   This file is autogenerated, DO NOT EDIT.\n */\nint a;\n", true, true, corpus.Generated, ""},
		{"a docstring", "a.py", "\"\"\"\nAutogenerated by make_tables.\n\"\"\"\nT = {}\n", true, true, corpus.Generated, ""},
		{"text below a block", "a.py", "\"\"\"Writes tables.\"\"\"\nprint(f(\nautogenerated text))\n", true, true, 0, ""},
		{"a block about generating", "a.java", "/*\n  Reads\n  generated code, and says which. Do not rely on it.\n*/\nclass A {}\n", true, true, 0, ""},
		{"about generating", "a.go", "// Package gen writes autogenerated code.\n// Its output says it was generated.\npackage gen\n", true, true, 0, ""},
		{"a generator", "a.go", "package gen\n\nconst head = \"// Code generated by gen. DO NOT EDIT.\"\n", true, true, 0, ""},
		{"not generated", "a.go", "// This file is not generated.\npackage a\n", true, true, 0, ""},
		{"prose on what is generated", "README.md", "# clap\n\n* **Auto-generated help**\n- auto-generated\n\n# Auto-generated\n", true, true, corpus.Prose, ""},
		{"generated prose", "flags.md", "# Flags\n\n<!-- This file is auto-generated. DO NOT EDIT -->\n", true, false, corpus.Prose | corpus.Generated, "generated"},
		{"generated too late", "a.go", strings.Repeat("// x\n", 50) + "// Code generated by x. DO NOT EDIT.\n", true, true, 0, ""},
		{"minified", "a.js", packed, true, false, corpus.Minified, "minified"},
		{"minified by name", "a.min.js", "a", true, false, corpus.Minified, "minified"},
		{"packed lines", "a.css", strings.Repeat(strings.Repeat("a{b:c}", 60)+"\n", 10), true, false, corpus.Minified, "minified"},
		{"one blob", "a.py", "x = '" + blob + "'\n", true, false, corpus.Minified, "minified"},
		{"a picture in a script", "a.py", strings.Repeat("def f(x): return x + 1\n", 6) + "x = '" + blob + "'\n", true, true, 0, ""},
		{"a picture in a script for browsers", "a.js", strings.Repeat("function f(x) { return x + 1 }\n", 6) + "x = '" + blob + "'\n", true, false, corpus.Minified, "minified"},
		{"a picture and its name", "a.py", "import zlib\nx = '" + blob + "'\nprint(x)\n", true, false, corpus.Minified, "minified"},
		{"a translation", "app_de.ts", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" language=\"de\">\n</TS>\n", true, false, corpus.Lock, "data"},
		{"a translation, old", "app_de.ts", "<!DOCTYPE TS><TS>\n</TS>\n", true, false, corpus.Lock, "data"},
		{"an assertion of a type", "app_de.ts", "<TS>load()\n", true, true, 0, ""},
		{"a blob among code", "a.go", program + program + program + program + program + program + program + "var x = `" + blob + "`\n", true, true, 0, ""},
		{"pictures among code", "a.ex", strings.Repeat("  def f(x), do: x + 1\n", 100) + "@logo \"" + strings.Repeat("QUJD", 9000) + "\"\n", true, true, 0, ""},
		{"pictures among styles", "a.css", strings.Repeat("a { color: red }\n", 100) + "b { background: url(" + strings.Repeat("QUJD", 12000) + ") }\n", true, true, 0, ""},
		{"packed below a licence", "a.js", strings.Repeat("// A licence of many lines.\n", 200) + strings.Repeat("a=b;", 9000) + "\n", true, false, corpus.Minified, "minified"},
		{"a table with some code", "a.py", strings.Repeat("def f(x): return x + 1\n", 100) + "x = '" + strings.Repeat("QUJD", 90000) + "'\n", true, false, corpus.Minified, "minified"},
		{"long paragraphs", "a.md", strings.Repeat(strings.Repeat("word ", 300)+"\n\n", 10), true, true, corpus.Prose, ""},
		{"one paragraph", "a.txt", strings.Repeat("word ", 3000), true, true, corpus.Prose, ""},
		{"vendored", "vendor/x/a.go", program, true, true, corpus.Vendored, ""},
		{"vendored prose", "vendor/x/README.md", "# x\n", true, false, corpus.Vendored | corpus.Prose, "vendored"},
		{"vendored data", "vendor/modules.yaml", "x: 1\n", true, false, corpus.Vendored, "vendored"},
		{"vendored and minified", "vendor/x.min.js", "x()\n", true, false, corpus.Vendored | corpus.Minified, "minified"},
		{"generated data", "api.gen.json", "{}\n", true, false, corpus.Generated, "generated"},
		{"large", "a.java", strings.Repeat(program, 200), true, true, 0, ""},
		{"lock", "yarn.lock", "a@1:\n", true, false, corpus.Lock, "lock"},
		{"small data", "a.json", `{"a": 1}` + "\n", true, true, 0, ""},
		{"large data", "a.json", strings.Repeat("{\"a\": 1},\n", 10000), true, false, corpus.Lock, "data"},
		{"a picture", "a.svg", "<svg/>\n", true, false, corpus.Lock, "data"},
		{"a notebook", "a.ipynb", `{"cells": ["` + blob + `"]}`, true, true, 0, ""},
		{"too large", "a.go", strings.Repeat(program, 2000), true, false, 0, "oversize"},
		{"a test", "a_test.go", program, true, true, corpus.Test, ""},
		{"an example", "examples/a.go", program, true, true, corpus.Example, ""},
		{"a stub", "a.pyi", "def f() -> int: ...\n", true, true, corpus.Stub, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Classify(tt.path, []byte(tt.text))
			if v.Text != tt.text_ || v.Index != tt.index || v.Flags != tt.flags || v.Why != tt.why {
				t.Errorf("Classify(%q) = %+v, want Text %v, Index %v, Flags %b, Why %q", tt.path, v, tt.text_, tt.index, tt.flags, tt.why)
			}
		})
	}
	if got := Classify("a.go", []byte("package a\n")).Language; got != "go" {
		t.Errorf("language of a.go = %q", got)
	}
}

// FuzzClassify holds that a verdict is one: a reason exactly where a document is
// not ranked, and nothing ranked that is not text.
func FuzzClassify(f *testing.F) {
	f.Add("a.go", []byte("package a"))
	f.Add("x/.min.", []byte("-----BEGIN PRIVATE KEY-----"))
	f.Add("", []byte("\n\xff"))
	f.Add("a.\xff", []byte{})
	f.Add("\u0130.\u0130", []byte{})
	f.Fuzz(func(t *testing.T, path string, text []byte) {
		v := Classify(path, text)
		if v.Index == (v.Why != "") || v.Index && !v.Text {
			t.Errorf("Classify(%q, %q) = %+v", path, text, v)
		}
		if miss := PathFlags(path) &^ v.Flags; miss != 0 {
			t.Errorf("Classify(%q) = %+v lacks %b, which the path tells", path, v, miss)
		}
	})
}

func TestSecretName(t *testing.T) {
	yes := []string{".env", "a/.ENV", ".env.production", "id_ed25519", "x/server.pem", "k.p12", "k.PFX", "a.jks", "debug.keystore", ".netrc", ".npmrc", ".pypirc",
		".git-credentials", "credentials.json", "service-account.json", "service-account-prod.json", "service_account.json", "h/.aws/credentials", ".htpasswd", "kubeconfig",
		".kube/config", ".docker/config.json", strings.Repeat("long", 30) + ".pem"}
	no := []string{"env", "environment.go", ".env.example", ".env.local.sample", ".env.template", "id_rsa.pub", "pem.go", "key.go", "credentials", "aws/credentials",
		"config", "config.json", "service-account.go", "keystore/a.go", ".environment"}
	for _, p := range yes {
		if !secretName([]byte(p)) {
			t.Errorf("secretName(%q) = false", p)
		}
	}
	for _, p := range no {
		if secretName([]byte(p)) {
			t.Errorf("secretName(%q) = true", p)
		}
	}
}

func BenchmarkClassify(b *testing.B) {
	text := []byte(strings.Repeat("// A line that a person wrote.\nfunc f() { g(1, 2, 3) }\n", 200))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Classify("internal/code/discover/classify.go", text)
	}
}
