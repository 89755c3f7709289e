package markdown

import (
	"path"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// What stands for a file: FastAPI's {* x.py ln[1:3] *}, markdown-include's {! x !} and
// {!> x !}, pymdownx's --8<-- "x", mdBook's {{#include x}}, VitePress's <<< x, DocFX's
// [!code-csharp[Title](x#region)] and [!INCLUDE [title](x)].
var (
	codeInclude = lazy.Regexp(`^([ \t]*)\{\*[ \t]*(\S+)(.*?)\*\}[ \t]*$`)
	textInclude = lazy.Regexp(`^([ \t]*)\{!>?[ \t]*([^\s!\[]+)(?:\[([^\]]*)\])?[ \t]*!\}[ \t]*$`)
	snippet     = lazy.Regexp(`^([ \t]*)-{1,}8<-{1,}[ \t]*["']([^"']+)["'][ \t]*$`)
	snippets    = lazy.Regexp(`^[ \t]*-{1,}8<-{1,}[ \t]*$`)
	bookInclude = lazy.Regexp(`^([ \t]*)\{\{[ \t]*#(?:include|rustdoc_include|playground)[ \t]+([^\s}]+)[^}]*\}\}[ \t]*$`)
	vueCode     = lazy.Regexp(`^([ \t]*)<<<[ \t]+@?([^\s{#\[]+)(?:#([\w-]+))?[ \t]*(?:\{[^}]*\})?[ \t]*(?:\[[^\]]*\])?[ \t]*$`)
	vueText     = lazy.Regexp(`^([ \t]*)<!--[ \t]*@include:[ \t]*([^\s#{]+)(?:#([\w-]+))?[ \t]*(?:\{[^}]*\})?[ \t]*-->[ \t]*$`)
	docfxCode   = lazy.Regexp(`^([ \t]*)\[!code(?:-[\w+#]+)?[ \t]*\[[^\]]*\]\(([^\s()#?]+)(?:#([\w.-]+)|\?name=([\w.-]+)|\?range=([\d,-]+)|\?[^\s()]*)?(?:[ \t]+"[^"]*")?\)\][ \t]*$`)
	docfxText   = lazy.Regexp(`^([ \t]*)\[!(?i:include)[ \t]*\[[^\]]*\]\(([^\s()#?]+)\)\][ \t]*$`)
	lineSpec    = lazy.Regexp(`\bln\[([0-9:,\s-]*)\]`)
	lineRange   = lazy.Regexp(`^[0-9]*:[0-9]*$`)
)

// include reads the file that a line stands for. In code the text goes in as it is, and
// elsewhere code of a file is fenced. What cannot be read leaves the line.
func (f *flower) include(line string, num int, inCode bool) bool {
	if strings.IndexByte(line, '{') < 0 && strings.IndexByte(line, '<') < 0 && strings.IndexByte(line, '!') < 0 { // ContainsAny is slower
		return false
	}
	switch {
	case !inCode && strings.Contains(line, "[!"):
		return f.docfx(line, num)
	case strings.Contains(line, "8<"):
		if m := snippet.FindStringSubmatch(line); m != nil {
			name, part, _ := strings.Cut(m[2], ":")
			return f.insert(m[1], name, part, num, inCode, inCode)
		}
		if !inCode && snippets.MatchString(line) {
			return f.snippetBlock(num)
		}
	case strings.Contains(line, "{*"):
		if m := codeInclude.FindStringSubmatch(line); m != nil {
			part := ""
			if s := lineSpec.FindStringSubmatch(m[3]); s != nil {
				part = s[1]
			}
			return f.insert(m[1], m[2], part, num, inCode, true)
		}
	case strings.Contains(line, "{!"):
		if m := textInclude.FindStringSubmatch(line); m != nil {
			return f.insert(m[1], m[2], strings.ReplaceAll(strings.TrimPrefix(m[3], "ln:"), "-", ":"), num, inCode, inCode)
		}
	case strings.Contains(line, "{{"):
		if m := bookInclude.FindStringSubmatch(line); m != nil {
			name, part, _ := strings.Cut(m[2], ":")
			return f.insert(m[1], name, part, num, inCode, inCode)
		}
	case strings.Contains(line, "<<<") && !inCode:
		if m := vueCode.FindStringSubmatch(line); m != nil {
			return f.insert(m[1], m[2], m[3], num, false, true)
		}
	}
	return false
}

// docfx reads what a line of DocFX stands for.
func (f *flower) docfx(line string, num int) bool {
	if m := docfxCode.FindStringSubmatch(line); m != nil {
		lines := strings.ReplaceAll(m[5], "-", ":")
		part := strings.TrimPrefix(m[3], "L")
		if from, to, ok := strings.Cut(part, "-L"); ok {
			part = from + ":" + to
		}
		return f.insert(m[1], strings.TrimPrefix(m[2], "~/"), part+m[4]+lines, num, false, true)
	}
	m := docfxText.FindStringSubmatch(line)
	return m != nil && f.insert(m[1], strings.TrimPrefix(m[2], "~/"), "", num, false, false)
}

func (f *flower) vueInclude(line string, num int) bool {
	m := vueText.FindStringSubmatch(line)
	return m != nil && f.insert(m[1], m[2], m[3], num, false, false)
}

// snippetBlock reads the files that are listed between two lines of scissors.
func (f *flower) snippetBlock(num int) bool {
	for i := f.at; i < len(f.in.lines) && i < f.at+64; i++ {
		if !snippets.MatchString(f.in.lines[i]) {
			continue
		}
		for ; f.at < i; f.at++ {
			name, part, _ := strings.Cut(strings.TrimSpace(f.in.lines[f.at]), ":")
			if name != "" && !strings.HasPrefix(name, ";") && !f.insert("", name, part, f.in.nums[f.at], false, false) {
				f.out.add(f.in.lines[f.at], f.in.nums[f.at])
			}
		}
		f.at++
		return true
	}
	return false
}

// insert puts a file, or a part of it, in the place of a line. asCode says that outside
// of code it is fenced.
func (f *flower) insert(indent, name, part string, num int, inCode, asCode bool) bool {
	text, ok := take(f.opt, f.includeBudget, name)
	if !ok {
		return false
	}
	lines := region(strings.Split(strings.TrimRight(text, "\n"), "\n"), part)
	lang := strings.TrimPrefix(path.Ext(name), ".")
	if !inCode && !asCode && lang != "" && lang != "md" && lang != "txt" && lang != "mdx" && lang != "html" {
		asCode = true
	}
	switch {
	case inCode:
		for _, l := range lines {
			if f.code.closes(l) {
				l = " " + l
			}
			f.out.add(indent+l, num)
		}
	case asCode:
		mark := longer(lines)
		f.out.add(indent+mark+lang, num)
		for _, l := range lines {
			f.out.add(indent+l, num)
		}
		f.out.add(indent+mark, num)
	default:
		f.splice(strings.Join(lines, "\n"), num)
	}
	return true
}

// longer returns a fence that none of the lines ends.
func longer(lines []string) string {
	n := 3
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if k := len(l) - len(strings.TrimLeft(l, "`")); k >= n {
			n = k + 1
		}
	}
	return strings.Repeat("`", n)
}

// take asks for a file: relative to the page, then to each folder above it, since tools
// count from folders of their own settings. What is taken counts against includeBudget.
func take(opt markup.Options, includeBudget *int, name string) (string, bool) {
	if opt.Include == nil || *includeBudget <= 0 || name == "" || len(name) > 512 || strings.Contains(name, "://") {
		return "", false
	}
	tries := []string{name}
	if !strings.HasPrefix(name, "/") {
		dir := path.Dir(path.Clean("/" + opt.Path))
		for range 8 {
			if joined := path.Join(strings.TrimPrefix(dir, "/"), name); !strings.HasPrefix(joined, "../") {
				tries = append(tries, "/"+joined)
			}
			if dir == "/" {
				break
			}
			dir = path.Dir(dir)
		}
	} else {
		tries = append(tries, strings.TrimLeft(name, "/"), "/src"+name, "/docs"+name)
	}
	for _, t := range tries {
		b, err := opt.Include(t)
		if err != nil {
			continue
		}
		if len(b) > *includeBudget {
			return "", false
		}
		*includeBudget -= len(b) + 64
		return clean(b), true
	}
	*includeBudget -= 64
	return "", false
}

var (
	regionStart = lazy.Regexp(`(?:#region|#docregion|\[start:|ANCHOR:|\[\[)[ \t]*([\w, -]+)`)
	regionMark  = lazy.Regexp(`^[ \t]*(?://|#|--|/\*|<!--|;|%)+[ \t]*(?:#?(?:region|endregion|docregion|enddocregion)\b|-+8<-+|ANCHOR(?:_END)?:|\[(?:start|end):)`)
	regionEnd   = lazy.Regexp(`(?:#endregion|#enddocregion|\[end:|ANCHOR_END:)[ \t]*([\w, -]*)`)
)

// region returns a part of a file: lines "3", "1:5", "3:14,17", or between marks of a
// name; all of it, without marks, for "" or what is not there.
func region(lines []string, part string) []string {
	var out []string
	if part = strings.TrimSpace(part); part != "" {
		if out = ranges(lines, part); out == nil {
			out = named(lines, part)
		}
	}
	if out == nil {
		out = lines
	}
	kept := make([]string, 0, len(out))
	least := maxIndent
	for _, l := range out {
		if regionMark.MatchString(l) {
			continue
		}
		kept = append(kept, l)
		if !blank(l) {
			least = min(least, indentOf(l))
		}
	}
	for i := range kept {
		kept[i] = dedent(kept[i], least)
	}
	return kept
}

// ranges returns lines by number, or nil where part is no list of ranges.
func ranges(lines []string, part string) []string {
	var out []string
	last := 0 // a line is taken once, so that what is asked for stays a part of the file
	for r := range strings.SplitSeq(part, ",") {
		r = strings.TrimSpace(r)
		if n, err := strconv.Atoi(r); err == nil && n > 0 {
			r = strconv.Itoa(n) + ":" + strconv.Itoa(n)
		}
		if !lineRange.MatchString(r) {
			return nil
		}
		a, b, _ := strings.Cut(r, ":")
		from, to := 1, len(lines)
		if n, err := strconv.Atoi(a); err == nil {
			from = n
		}
		if n, err := strconv.Atoi(b); err == nil {
			to = n
		}
		from, to = max(from, 1, last+1), min(to, len(lines))
		if from <= to {
			out = append(out, lines[from-1:to]...)
			last = to
		}
	}
	return out
}

// named returns the lines between the marks of a region, or nil.
func named(lines []string, name string) []string {
	var out []string
	on := false
	for _, l := range lines {
		if m := regionStart.FindStringSubmatch(l); m != nil && has(m[1], name) {
			on = true
			continue
		}
		if m := regionEnd.FindStringSubmatch(l); on && m != nil && (strings.TrimSpace(m[1]) == "" || has(m[1], name)) {
			on = false
			continue
		}
		if on {
			out = append(out, l)
		}
	}
	return out
}

func has(list, name string) bool {
	for n := range strings.SplitSeq(list, ",") {
		if f := strings.Fields(n); len(f) > 0 && f[0] == name {
			return true
		}
	}
	return false
}
