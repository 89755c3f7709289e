package claims

import (
	"strings"
	"testing"
)

// Each thing that may change in a signature is a difference, wherever documents give it;
// what a document may leave out, or writes as a call, is none.
func TestSignatures(t *testing.T) {
	code := map[string]string{
		"go.mod":          "module mail\n\ngo 1.26\n",
		"mail.go":         "package mail\n\n// Send sends.\nfunc Send(to, body string, n int) error { return nil }\n\nfunc SendAll(to string, rest ...int) {}\n\nfunc CopyMail(dst, src string) error { return nil }\n",
		"pkg/__init__.py": "def load_mail(path, timeout=30):\n    return []\n\ndef parse_mail(text: str) -> Mail:\n    return Mail()\n\nclass Mail:\n    def fold_lines(self, width, strict=False):\n        return 1\n",
		"js/index.js":     "export function openBox(url, { retries = 3, backoff = 2 } = {}) {}\nexport function closeBox(box, force) {}\n",
		"sw/a.swift":      "public class Desk {\n    public func readMail(at place: Int, value: Int) {}\n}\n",
		"kt/b.kt":         "class Over {\n    fun postBox(a: Int) {}\n    fun postBox(a: Int, b: Int) {}\n}\n",
		"js/types.ts":     "export function countMail(box: Box, since?: Date): number { return 1 }\n",
	}
	for _, c := range []struct {
		doc, name, want string // want is "" where nothing is to be reported
	}{
		{"```go\nfunc Send(to, body string) error\n```", "Send", "3"},
		{"```go\nfunc CopyMail(src, dst string) error\n```", "CopyMail", "order"},
		{"### `load_mail(path, deadline=30)`", "load_mail", "deadline"},
		{"### `load_mail(timeout, path)`", "load_mail", "order"},
		{"### `Mail.fold_lines(width, strict, tabs)`", "Mail.fold_lines", "tabs"},
		{"### `openBox(url, { retries, pause })`", "openBox", "pause"},
		{"### `closeBox(force, box)`", "closeBox", "order"},
		{"### `closeBox(mailbox, force)`", "closeBox", "mailbox"},
		{"### closeBox(box)", "closeBox", "force"},
		{"### `.closeBox(box)`", "closeBox", ""},
		{"## Mail\n\n### `.fold_lines(width, tabs)`", "Mail.fold_lines", "tabs"},

		{"```python\ndef load_mail(box):\n```", "load_mail", "box"},
		{"## Mail\n\n### `fold_lines(width, tabs)`", "Mail.fold_lines", "tabs"},

		{"### `Desk.readMail(at:value:)`", "Desk.readMail", ""},
		{"### `Desk.readMail(at:)`", "Desk.readMail", "value"},
		{"### `countMail(place: Box, since?: Date)`", "countMail", ""},
		{"### `Over.postBox(a, b)`", "Over.postBox", ""},
		{"### `Over.postBox(a, c)`", "Over.postBox", "c"},
		{"```go\nfunc Send(to, body string, n int) error\n```", "Send", ""},
		{"```python\ndef load_mail(box):\n    return mine(box)\n```", "load_mail", ""},
		{"```python\ndef load_mail():\n    pass\n```", "load_mail", ""},
		{"```python\nx = 1  # as \"def load_mail()\" does\n```", "load_mail", ""},
		{"```go\nfunc (m *Mine) Send(to string) error\n```\n\n`Send`", "Send", ""},
		{"The option `fold_lines(mail, width, orig)` is a function.", "Mail.fold_lines", ""},
		{"```go\nerr := mail.Send(you, text, 3)\n```", "Send", ""},
		{"`SendAll(to string, rest...int)` sends.", "SendAll", ""},
		{"### `load_mail(path)`", "load_mail", ""},
		{"### `load_mail(path, timeout=30.0)`", "load_mail", ""},
		{"### `load_mail(path, timeout=...)`", "load_mail", ""},
		{"Call `load_mail(inbox, timeout=60)` to wait.", "load_mail", ""},
		{"```python\ndef parse_mail(text):\n```", "parse_mail", ""},
		{"### `openBox(url, { retries })`", "openBox", ""},
		{"### `openBox(url, options)`", "openBox", ""},
		{"### `openBox(url[, options])`", "openBox", ""},
		{"### `closeBox()`", "closeBox", ""},
		{"Both `def load_mail()` and others wait.", "load_mail", ""},
		{"### `countMail(box)`", "countMail", ""},
		{"```ts\ncountMail(box: Box, since?: Date): number\n```", "countMail", ""},
	} {
		files := map[string]string{"README.md": "# Letters\n\n" + c.doc + "\n"}
		for name, text := range code {
			files[name] = text
		}
		all, err := New(write(t, files), nil).Shadows(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, seen := "", false
		for i := range all {
			if all[i].Qualified() == c.name {
				got, seen = all[i].Difference, true
			}
		}
		if !seen || c.want == "" && got != "" || !strings.Contains(got, c.want) || c.want != "" && got == "" {
			t.Errorf("%s differs by %q, want %q", c.doc, got, c.want)
		}
	}
}
