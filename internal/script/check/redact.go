package check

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/script/lua"
)

// A Redactor takes secrets out of what people and reports are shown. None is in a text that it returns, nor in what is written through
// its writers, however the writes divide it. Its zero value knows no secrets.
type Redactor struct {
	forms []string // of all secrets, the longest first
}

const redaction = "[redacted]"

// hide adds a value, and what it is in an address, in JSON and in Go's quotes.
func (r *Redactor) hide(name, v string) error {
	if len(v) < lua.MinSecret {
		return fmt.Errorf("the secret %s has fewer than %d bytes: too few to be hidden in messages and reports; give it as a variable (vars, --var) if it may be shown", name, lua.MinSecret)
	}
	for _, form := range append(lua.Forms(v), unquoted(strconv.Quote(v))) {
		if !slices.Contains(r.forms, form) {
			r.forms = append(r.forms, form)
		}
	}
	sorting.Stable(r.forms, func(a, b string) int { return len(b) - len(a) })
	return nil
}

func unquoted(s string) string { return s[1 : len(s)-1] }

// text returns a message without secrets.
func (r *Redactor) text(message string) string {
	out, _ := r.pass(message, true)
	return out
}

// pass returns the part of a text that can be shown, without secrets, and the rest, in which
// a secret may have begun; nothing where the text is whole.
func (r *Redactor) pass(s string, whole bool) (shown, rest string) {
	if len(r.forms) == 0 {
		return s, ""
	}
	var b strings.Builder
	from := 0
scan:
	for i := 0; i < len(s); i++ {
		at := ""
		for _, v := range r.forms { // the longest first
			switch {
			case v[0] != s[i]:
			case !whole && len(v) > len(s)-i && strings.HasPrefix(v, s[i:]):
				rest = s[i:]
				s = s[:i]
				break scan
			case at == "" && strings.HasPrefix(s[i:], v):
				at = v
			}
		}
		if at != "" {
			b.WriteString(s[from:i])
			b.WriteString(redaction)
			from = i + len(at)
			i = from - 1
		}
	}
	b.WriteString(s[from:])
	return b.String(), rest
}

// short is text cut to n bytes: a secret that was cut before could no longer be told.
func (r *Redactor) short(message string, n int) string { return text.Short(r.text(message), n) }

// in reports whether a text has a secret.
func (r *Redactor) in(s string) bool {
	return slices.ContainsFunc(r.forms, func(v string) bool { return strings.Contains(s, v) })
}

// Writer returns a writer to w without secrets. What could be the start of a secret waits for the next write, or for Flush.
func (r *Redactor) Writer(w io.Writer) *RedactingWriter { return &RedactingWriter{w: w, r: r} }

// A RedactingWriter is safe for use by several at once.
type RedactingWriter struct {
	w    io.Writer
	r    *Redactor
	mu   sync.Mutex
	held string
}

func (w *RedactingWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var shown string
	shown, w.held = w.r.pass(w.held+string(p), false)
	if shown == "" {
		return len(p), nil
	}
	if _, err := io.WriteString(w.w, shown); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what waits.
func (w *RedactingWriter) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.r.text(w.held)
	if w.held = ""; s == "" {
		return nil
	}
	_, err := io.WriteString(w.w, s)
	return err
}
