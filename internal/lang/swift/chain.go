package swift

import (
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

const maxParts = 24

// receiver returns the chain of what token i is a member of, as
// [scan.Source.Receiver] does, but knows closures behind calls and members whose
// type is left out.
func (r *reader) receiver(i int) string {
	if !r.member(i) {
		return ""
	}
	var parts [maxParts]string
	suffix := ""
	n, k := 0, i-1 // k is the dot
	for n < maxParts {
		if r.implicit(k) {
			return scan.Unknown
		}
		k--
		for r.Kind(k) == scan.Punct && (r.Sign(k, '!') || r.Sign(k, '?')) {
			k--
		}
		called := false
		for r.Kind(k) == scan.Close && k >= 0 && r.Pair(k) >= 0 {
			p := r.Pair(k)
			if r.Sign(k, '}') {
				called = true
				k = p - 1
				if r.Sign(k, ':') { // a closure with a label
					k -= 2
				}
				continue
			}
			if r.Sign(p, '(') && (called || !strings.HasPrefix(suffix, "(")) && r.owns(p) {
				called, suffix = false, "()"+suffix
			} else if r.Sign(p, '[') && r.owns(p) {
				if called {
					suffix = "()" + suffix
				}
				called, suffix = false, "[]"+suffix
			} else {
				return r.grouped(p, k, parts[:n], suffix)
			}
			for k = p - 1; r.Kind(k) == scan.Punct && (r.Sign(k, '!') || r.Sign(k, '?')); {
				k--
			}
		}
		if called {
			suffix = "()" + suffix
		}
		if r.Sign(k, '>') {
			if j := r.AngleBack(k); j < k {
				k = j - 1
			}
		}
		if r.Kind(k) != scan.Word || k < 0 || r.Key(k) != 0 && !r.Soft(r.Key(k)) && r.Key(k) != scan.KSelf && r.Key(k) != scan.KSuper && !r.member(k) {
			return scan.Unknown
		}
		parts[n] = r.Str(k) + suffix
		suffix = ""
		n++
		if !r.member(k) {
			return scan.Joined(parts[:n], "")
		}
		k--
	}
	return scan.Unknown
}

// implicit reports whether the dot k stands before a member whose type is left
// out: nothing that has members stands before it.
func (r *reader) implicit(k int) bool {
	switch r.Kind(k - 1) {
	case scan.Word:
		key := r.Key(k - 1)
		return k == 0 || key != 0 && !r.Soft(key) && key != scan.KSelf && key != scan.KSuper && !r.member(k-1)
	case scan.Close:
		return false
	case scan.Punct:
		return !((r.Sign(k-1, '!') || r.Sign(k-1, '?') || r.Sign(k-1, '>')) && r.End(k-1) == r.At(k))
	}
	return r.Kind(k-1) == scan.Open
}

// owns reports whether bracket p stands behind what it belongs to.
func (r *reader) owns(p int) bool {
	if r.Line(p) {
		return false
	}
	switch r.Kind(p - 1) {
	case scan.Word:
		key := r.Key(p - 1)
		return p > 0 && (key == 0 || r.Soft(key) && !uncalled.Has(key) || key == scan.KSelf || key == scan.KInit || r.member(p-1))
	case scan.Close:
		return true
	case scan.Punct:
		return (r.Sign(p-1, '>') || r.Sign(p-1, '?') || r.Sign(p-1, '!')) && r.End(p-1) == r.At(p)
	}
	return false
}

// grouped returns a chain that begins with an expression in parentheses.
func (r *reader) grouped(p, k int, parts []string, suffix string) string {
	if !r.Sign(p, '(') {
		return scan.Unknown
	}
	inner, next := r.value(p + 1)
	if typ := r.Cast(p, k, next); typ != "" {
		inner = "{" + typ + "}"
	} else if inner == "" || next != k {
		return scan.Unknown
	}
	return scan.Joined(parts, inner+suffix)
}
