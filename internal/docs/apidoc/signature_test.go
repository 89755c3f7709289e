package apidoc

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

func TestCutBalanced(t *testing.T) {
	for _, c := range []struct{ name, lang, in, want string }{
		{"short", "typescript", "const a: { b: string }", "const a: { b: string }"},
		{"at a member", "typescript", "const gate: { one: string; two: (a: number, b: number) => void; three: string }", "const gate: { one: string …}"},
		{"in parentheses", "typescript", "function f(first: string, second: number, third: boolean, fourth: Date): void", "function f(first: string, second: number …)"},
		{"brackets between quotation marks do not count", "typescript", `const a: { b: "{{{(", c: 1, d: 2, e: 3, f: 4, g: 5, h: 6, i: 7, j: 8 }`, `const a: { b: "{{{(", c: 1, d: 2, e: 3, f: 4 …}`},
		{"a lifetime is no quotation mark", "rust", "fn a<'x>(b: &'x str, c: &'x str, d: &'x str, e: &'x str, f: &'x str)", "fn a<'x>(b: &'x str, c: &'x str, d: &'x str …)"},
		{"nothing divides it", "go", "var " + strings.Repeat("é", 40), "var " + strings.Repeat("é", 23) + " …"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := cutBalanced(c.in, c.lang, 50); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A declaration whose type goes over several lines has all of it.
func TestSignatureOfSeveralLines(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"declared constant", "index.d.ts", "export declare const gate: {\n    (a: string): void;\n    b: number;\n};\n", "export declare const gate: {\n    (a: string): void;\n    b: number;\n};"},
		{"declared function value", "index.d.ts", "export declare const make: <T>(\n  init?: { a: T },\n) => T;\n", "export declare const make: <T>(\n  init?: { a: T },\n) => T;"},
		{"default with brackets", "a.ts", "/**\n * Get it.\n * @param {Object} [options] - all\n * @param {string[]} [options.methods=['GET', 'PUT']] - which\n * @param {{a: {b: string}}} deep what\n */\nexport function get(options, deep) {}\n",
			"export function get(options, deep)\nGet it.\nParameters:\n- `options`: `Object` all\n- `options.methods=['GET', 'PUT']`: `string[]` which\n- `deep`: `{a: {b: string}}` what"},
		{"last of several", "a.go", "package a\n\nvar (\n\t// Key is it.\n\tKey = &key{\"x\"}\n)\n", "Key = &key{\"x\"}\nKey is it."},
		{"long value", "a.go", "package a\n\n// Codes are all.\nvar Codes = map[string]int{\n" + strings.Repeat("\t\"abcdef\": 123456,\n", 60) + "}\n", "…}\nCodes are all."},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := shown(Read(c.path, syntax.Language(c.path, nil), []byte(c.text), nil))
			got = strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(got, "\n  | ", "\n"), "typescript| ", ""), "go| ", ""))
			if !strings.HasSuffix(got, c.want) {
				t.Errorf("%s\nwant the end %s", got, c.want)
			}
		})
	}
}

// Links of a comment are the names that they lead to.
func TestLinksOfComments(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"rustdoc", "src/lib.rs", "/// Makes a [Router] or [`axum::Layer`], see [here](x) and [0, 1] and [Foo]\n///\n/// ```\n/// let a = [one];\n/// ```\n///\n/// [Foo]: crate::Foo\npub fn a() {}\n",
			"Makes a `Router` or `axum::Layer`, see here and [0, 1] and `Foo`\nrust| let a = [one];"},
		{"YARD", "lib/a.rb", "# Calls {#other} of {Base the base}, with {a: 1}.\ndef go(x)\nend\n", "Calls `#other` of the base, with {a: 1}."},
		{"PHPDoc", "src/A.php", "<?php\nclass A {\n/** Like {@see B::c()}. */\npublic function d() {}\n}\n", "Like `B::c()`."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(Read(c.path, syntax.Language(c.path, nil), []byte(c.text), nil)); !strings.Contains(got, c.want+"\n") {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// Headers of C and C++ declare what their users include, and nothing that is for themselves.
func TestHeaders(t *testing.T) {
	const c = `#ifndef A_H
#define A_H
#define A_PLAIN 3
/** Adds two. */
#define A_ADD(a, b) ((a) + (b))
/**
 * \brief Opens a loop.
 *
 * More of it, see \ref a_close.
 * \param[in] path  the file
 * \return 0 or an error
 */
A_EXTERN int a_open(a_loop_t* loop,
                    const char* path);
/* Options. */
typedef struct a_options_s {
  int flags;
} a_options_t;
static inline int a_twice(int x) { return 2 * x; }
int _a_hidden(void);
#endif
`
	const cpp = `namespace fmt {
namespace detail { void hidden(); }
/// Formats.
template <typename T>
auto format(T t)
    -> std::string { return ""; }
class buffer {
  int size_;
  void grow();
 public:
  struct part { private: int x; };
  /// Appends.
  void append(int n);
 protected:
  void set(int n);
};
struct opts { void f(); };
}
`
	for _, tc := range []struct{ path, text, want string }{
		{"include/a.h", c, "[include/a > A_ADD]\nc| #define A_ADD(a, b) ((a) + (b))\nAdds two.\n[include/a > a_open]\nc| A_EXTERN int a_open(a_loop_t* loop,\n  |                     const char* path);\nOpens a loop.\n" +
			"More of it, see `a_close`.\nParameters:\n- `path`: the file\nReturns: 0 or an error\n[include/a > a_options_t]\nc| typedef struct a_options_s {\n  |   int flags;\n  | } a_options_t\nOptions.\n[include/a > a_twice]\nc| static inline int a_twice(int x)\n"},
		{"include/a.hpp", cpp, "[include/a > fmt > format]\ncpp| template <typename T>\n  | auto format(T t)\n  |     -> std::string\nFormats.\n[include/a > fmt > buffer]\ncpp| class buffer\n" +
			"[include/a > fmt > buffer > buffer::part]\ncpp| struct part { private: int x; };\n[include/a > fmt > buffer > buffer::append]\ncpp| void append(int n);\nAppends.\n[include/a > fmt > opts]\ncpp| struct opts { void f(); };\n[include/a > fmt > opts > opts::f]\ncpp| void f();\n"},
	} {
		t.Run(tc.path, func(t *testing.T) {
			lang := Language(tc.path, false)
			got := shown(Read(tc.path, lang, []byte(tc.text), nil))
			if got != tc.want {
				t.Errorf("%s\nwant\n%s", got, tc.want)
			}
		})
	}
	if lang := Language("src/a.c", false); lang != "" {
		t.Errorf("a.c is read as %s", lang)
	}
	for _, tc := range []struct{ name, paths, want string }{
		{"an include folder", "include/a.h src/b.h src/c.py", "include/a.h src/c.py"},
		{"none", "src/b.h src/b-internal.h", "src/b.h"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := strings.Join(OfferedHeaders(strings.Fields(tc.paths)), " "); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
}
