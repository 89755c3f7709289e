package template

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A filter makes a value of another.
type filter func(r *renderer, v any, a values, line int) any

func (r *renderer) filter(name string, v any, a values, line int) any {
	f, ok := filterNamed(name)
	if !ok {
		r.fail(line, "unknown filter %s", name)
	}
	return f(r, v, a, line)
}

func filterNamed(name string) (filter, bool) {
	for _, group := range [...]func(string) filter{textFilter, numberFilter, listFilter, pickFilter} {
		if f := group(name); f != nil {
			return f, true
		}
	}
	return nil, false
}

// onText makes a filter of what is done to a string.
func onText(f func(string) string) filter {
	return func(r *renderer, v any, _ values, line int) any {
		s := f(text(v))
		r.size(len(s), line)
		return s
	}
}

func textFilter(name string) filter {
	switch name {
	case "upper":
		return onText(strings.ToUpper)
	case "lower":
		return onText(strings.ToLower)
	case "capitalize":
		return onText(capitalize)
	case "title":
		return onText(title)
	case "escape", "e":
		return onText(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;").Replace)
	case "safe", "string", "forceescape":
		return onText(func(s string) string { return s })
	case "trim":
		return func(_ *renderer, v any, a values, _ int) any {
			if chars := a.get(0, "chars", nil); chars != nil {
				return strings.Trim(text(v), text(chars))
			}
			return strings.TrimSpace(text(v))
		}
	case "replace":
		return func(r *renderer, v any, a values, line int) any {
			s, from, to := text(v), text(a.get(0, "old", "")), text(a.get(1, "new", ""))
			r.size(len(s)+strings.Count(s, from)*max(len(to)-len(from), 0), line)
			return strings.ReplaceAll(s, from, to)
		}
	case "split":
		return func(r *renderer, v any, a values, line int) any { return r.split(text(v), a) }
	case "lines":
		return func(_ *renderer, v any, _ values, _ int) any {
			return anyStrings(strings.Split(strings.TrimSuffix(text(v), "\n"), "\n"))
		}
	case "indent":
		return filterIndent
	case "center":
		return func(r *renderer, v any, a values, line int) any {
			s, width := text(v), r.int(a.get(0, "width", int64(80)), line)
			r.size(len(s)+width, line)
			n := width - utf8.RuneCountInString(s)
			if n <= 0 {
				return s
			}
			return strings.Repeat(" ", n/2) + s + strings.Repeat(" ", n-n/2)
		}
	case "truncate":
		return filterTruncate
	case "wordwrap":
		return filterWordwrap
	case "wordcount":
		return func(_ *renderer, v any, _ values, _ int) any { return int64(len(strings.Fields(text(v)))) }
	case "striptags":
		return onText(striptags)
	case "urlencode":
		return filterURLEncode
	case "format":
		return filterFormat
	case "tojson", "pprint":
		return filterJSON
	}
	return nil
}

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + strings.ToLower(s[n:])
}

func title(s string) string {
	up := true
	return strings.Map(func(r rune) rune {
		was := up
		up = unicode.IsSpace(r) || unicode.IsPunct(r)
		if was {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, s)
}

func anyStrings(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// split cuts at white space, or at what the argument says.
func (r *renderer) split(s string, a values) any {
	sep := a.get(0, "pat", nil)
	if sep == nil || text(sep) == "" {
		return anyStrings(strings.Fields(s))
	}
	n := -1
	if max, ok := a.get(1, "maxsplits", nil).(int64); ok && max >= 0 && max < math.MaxInt32 {
		n = int(max) + 1
	}
	return anyStrings(strings.SplitN(s, text(sep), n))
}

// int returns an argument that has to be an integer of a reasonable size.
func (r *renderer) int(v any, line int) int {
	n, ok := v.(int64)
	if !ok || n < -math.MaxInt32 || n > math.MaxInt32 {
		r.fail(line, "expected an integer, not %s", text(v))
	}
	return int(n)
}

func filterIndent(r *renderer, v any, a values, line int) any {
	pad, ok := a.get(0, "width", int64(4)).(string)
	if !ok {
		n := max(r.int(a.get(0, "width", int64(4)), line), 0)
		r.size(n, line)
		pad = strings.Repeat(" ", n)
	}
	first, blank := truth(a.get(1, "first", false)), truth(a.get(2, "blank", false))
	lines := strings.Split(text(v), "\n")
	r.size(len(lines)*len(pad), line)
	for i, l := range lines {
		if (i > 0 || first) && (l != "" || blank) {
			lines[i] = pad + l
		}
	}
	return strings.Join(lines, "\n")
}

func filterTruncate(r *renderer, v any, a values, line int) any {
	c := []rune(text(v))
	n, end := r.int(a.get(0, "length", int64(255)), line), text(a.get(2, "end", "..."))
	if len(c) <= n+r.int(a.get(3, "leeway", int64(5)), line) {
		return text(v)
	}
	cut := string(c[:max(n-utf8.RuneCountInString(end), 0)])
	if i := strings.LastIndexByte(cut, ' '); i >= 0 && !truth(a.get(1, "killwords", false)) {
		cut = cut[:i]
	}
	return cut + end
}

func filterWordwrap(r *renderer, v any, a values, line int) any {
	width := max(r.int(a.get(0, "width", int64(79)), line), 1)
	var out []string
	for _, l := range strings.Split(text(v), "\n") {
		cur := ""
		for _, w := range strings.Fields(l) {
			for utf8.RuneCountInString(w) > width && cur == "" {
				c := []rune(w)
				out, w = append(out, string(c[:width])), string(c[width:])
			}
			switch {
			case cur == "":
				cur = w
			case utf8.RuneCountInString(cur)+1+utf8.RuneCountInString(w) <= width:
				cur += " " + w
			default:
				out, cur = append(out, cur), w
			}
		}
		out = append(out, cur)
	}
	return strings.Join(out, "\n")
}

func striptags(s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, ok := strings.Cut(s, "<")
		b.WriteString(before)
		_, after, closed := strings.Cut(rest, ">")
		if !ok || !closed {
			b.WriteString(s[len(before):])
			break
		}
		s = after
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func filterURLEncode(_ *renderer, v any, _ values, _ int) any {
	quote := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	m, ok := v.(map[string]any)
	if !ok {
		return strings.ReplaceAll(quote(text(v)), "%2F", "/")
	}
	var parts []string
	for _, k := range sortedKeys(m) {
		if m[k] != nil && m[k] != any(undefined) {
			parts = append(parts, quote(k)+"="+quote(text(m[k])))
		}
	}
	return strings.Join(parts, "&")
}

// filterFormat is Python's %, of a string: %s, %d, %f, %x, %% and their widths.
func filterFormat(r *renderer, v any, a values, line int) any {
	var b strings.Builder
	n := 0
	s := text(v)
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		end := i + 1
		for end < len(s) && strings.IndexByte("-+ #0123456789.", s[end]) >= 0 {
			end++
		}
		r.failIf(end == len(s) || end-i > 8, line, "format: incomplete conversion")
		if s[end] == '%' {
			b.WriteByte('%')
			i = end
			continue
		}
		r.failIf(n == len(a.args), line, "format: not enough arguments")
		x := a.args[n]
		n++
		f, isNum := toFloat(x)
		switch verb := s[end]; {
		case verb == 's':
			fmt.Fprintf(&b, s[i:end+1], text(x))
		case strings.IndexByte("dxXo", verb) >= 0 && isNum:
			fmt.Fprintf(&b, s[i:end+1], int64(f))
		case strings.IndexByte("feEgG", verb) >= 0 && isNum:
			fmt.Fprintf(&b, s[i:end+1], f)
		default:
			r.fail(line, "format: %%%c does not go with a %s", verb, kindOf(x))
		}
		i = end
		r.size(b.Len(), line)
	}
	return b.String()
}

func filterJSON(r *renderer, v any, a values, line int) any {
	pad := a.get(0, "indent", nil)
	indent := 0
	switch n := pad.(type) {
	case int64:
		indent = min(max(int(n), 0), 16)
	case bool:
		if n {
			indent = 2
		}
	}
	b, err := appendJSON(nil, v, indent, 0)
	if err != nil {
		r.fail(line, "tojson: %v", err)
	}
	r.size(len(b), line)
	return string(b)
}

// appendJSON appends v as JSON that may be in a page: <, >, & and ' are escaped.
func appendJSON(b []byte, v any, indent, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("more than %d values in each other", maxDepth)
	}
	line := func(b []byte, depth int) []byte {
		if indent > 0 {
			b = append(b, '\n')
			b = append(b, strings.Repeat(" ", indent*depth)...)
		}
		return b
	}
	var err error
	switch v := v.(type) {
	case nil, undefinedValue:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case int64:
		return strconv.AppendInt(b, v, 10), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%v is not a JSON number", v)
		}
		return appendFloat(b, v), nil
	case string:
		return appendJSONString(b, v), nil
	case []any:
		if len(v) == 0 {
			return append(b, "[]"...), nil
		}
		b = append(b, '[')
		for i, x := range v {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendJSON(line(b, depth+1), x, indent, depth+1); err != nil {
				return nil, err
			}
		}
		return append(line(b, depth), ']'), nil
	case map[string]any:
		if len(v) == 0 {
			return append(b, "{}"...), nil
		}
		b = append(b, '{')
		for i, k := range sortedKeys(v) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendJSONString(line(b, depth+1), k), ':')
			if indent > 0 {
				b = append(b, ' ')
			}
			if b, err = appendJSON(b, v[k], indent, depth+1); err != nil {
				return nil, err
			}
		}
		return append(line(b, depth), '}'), nil
	}
	return nil, fmt.Errorf("a %s is not valid JSON", kindOf(v))
}

func appendJSONString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c < ' ' || strings.ContainsRune("<>&'", c):
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return append(b, '"')
}

func numberFilter(name string) filter {
	switch name {
	case "abs":
		return func(r *renderer, v any, _ values, line int) any {
			switch n := v.(type) {
			case int64:
				return max(n, -n)
			case float64:
				return math.Abs(n)
			}
			r.fail(line, "abs: not a number")
			return nil
		}
	case "int":
		return filterInt
	case "float":
		return func(_ *renderer, v any, a values, _ int) any {
			if f, ok := toFloat(v); ok {
				return f
			}
			if f, err := strconv.ParseFloat(strings.TrimSpace(text(v)), 64); err == nil {
				return f
			}
			return a.get(0, "default", 0.0)
		}
	case "bool":
		return func(_ *renderer, v any, _ values, _ int) any { return truth(v) }
	case "round":
		return filterRound
	case "filesizeformat":
		return func(r *renderer, v any, a values, line int) any {
			f, ok := toFloat(v)
			r.failIf(!ok, line, "filesizeformat: not a number")
			base, units := 1000.0, []string{"kB", "MB", "GB", "TB", "PB"}
			if truth(a.get(0, "binary", false)) {
				base, units = 1024, []string{"KiB", "MiB", "GiB", "TiB", "PiB"}
			}
			if f < base {
				return fmt.Sprintf("%.0f Bytes", f)
			}
			i := -1
			for ; f >= base && i < len(units)-1; i++ {
				f /= base
			}
			return fmt.Sprintf("%.1f %s", f, units[i])
		}
	}
	return nil
}

func filterInt(_ *renderer, v any, a values, _ int) any {
	if n, ok := v.(int64); ok {
		return n
	}
	f, ok := toFloat(v)
	if !ok {
		s := strings.TrimSpace(text(v))
		base, isInt := a.get(1, "base", int64(10)).(int64)
		if !isInt || base < 2 || base > 36 {
			base = 10
		}
		if n, err := strconv.ParseInt(s, int(base), 64); err == nil {
			return n
		}
		var err error
		f, err = strconv.ParseFloat(s, 64)
		ok = err == nil
	}
	if !ok || !(math.Abs(f) < 1<<63) {
		return a.get(0, "default", int64(0))
	}
	return int64(f)
}

func filterRound(r *renderer, v any, a values, line int) any {
	f, ok := toFloat(v)
	r.failIf(!ok, line, "round: not a number")
	scale := math.Pow(10, float64(r.int(a.get(0, "precision", int64(0)), line)))
	switch text(a.get(1, "method", "common")) {
	case "ceil":
		return math.Ceil(f*scale) / scale
	case "floor":
		return math.Floor(f*scale) / scale
	}
	return math.Round(f*scale) / scale
}
