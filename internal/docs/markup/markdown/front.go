package markdown

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// maxFront bounds front matter, in bytes.
const maxFront = 64 << 10

// A front is what a page says of itself before its text.
type front struct {
	title, description string
}

// fill takes from other what is not known yet.
func (f *front) fill(other front) {
	f.title = cmp.Or(f.title, other.title)
	f.description = cmp.Or(f.description, other.description)
}

var keyLine = lazy.Regexp(`^([A-Za-z_][\w-]*)[ \t]*[:=][ \t]*(.*)$`)

// front reads the front matter and takes it off the page: between lines of three dashes,
// as YAML, or of three plus signs, as TOML, of which it knows single lines alone.
func (d *draft) front() front {
	start := 0
	for start < len(d.lines) && blank(d.lines[start]) {
		start++
	}
	if start == len(d.lines) {
		return front{}
	}
	mark := strings.TrimRight(d.lines[start], " \t")
	if mark != "---" && mark != "+++" {
		return front{}
	}
	size, keys, end := 0, false, -1
	for i := start + 1; i < len(d.lines) && size < maxFront; i++ {
		line := strings.TrimRight(d.lines[i], " \t")
		if line == mark || mark == "---" && line == "..." {
			end = i
			break
		}
		size += len(line) + 1
		keys = keys || keyLine.MatchString(line)
	}
	if end < 0 || !keys && size > 0 && strings.TrimSpace(strings.Join(d.lines[start+1:end], "")) != "" {
		return front{}
	}
	body := d.lines[start+1 : end]
	d.lines, d.nums, d.whole = d.lines[end+1:], d.nums[end+1:], ""
	values, ok := fields(body)
	if ok && mark == "---" {
		return frontOf(values)
	}
	values = map[string]string{}
	var tree map[string]any
	if mark == "+++" || yaml.Unmarshal([]byte(strings.Join(body, "\n")), &tree) != nil {
		for _, line := range body {
			if m := keyLine.FindStringSubmatch(line); m != nil && values[m[1]] == "" {
				values[m[1]] = strings.Trim(strings.TrimSpace(m[2]), `"'`)
			}
		}
	}
	for k, v := range tree {
		if s, ok := v.(string); ok {
			values[k] = strings.Join(strings.Fields(s), " ")
		}
	}
	return frontOf(values)
}

func frontOf(values map[string]string) front {
	first := func(keys ...string) string {
		for _, k := range keys {
			if v := values[k]; v != "" {
				return v
			}
		}
		return ""
	}
	return front{
		title:       first("title", "sidebar_label", "nav_title", "sidebarTitle", "display"),
		description: first("description", "oneline", "summary"),
	}
}

// fields reads front matter of which every line is a key and a plain value that YAML cannot take for anything
// else: most pages have no other, and to read them as YAML takes a tenth of the time of a page. It returns
// the values that are text; false where a line is of another kind.
func fields(body []string) (map[string]string, bool) {
	values := map[string]string{}
	for _, line := range body {
		if line == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || !text.Identifier(key) || yamlWords.Has(key) || value != "" && value[0] != ' ' {
			return nil, false
		}
		if _, twice := values[key]; twice {
			return nil, false // YAML refuses it
		}
		value = strings.Trim(value, " ")
		if n := len(value); n > 1 && value[0] == '"' && value[n-1] == '"' && !strings.ContainsAny(value[1:n-1], `"\`+"\t") {
			values[key] = strings.Join(strings.Fields(value[1:n-1]), " ")
			continue
		}
		switch {
		case leading(value, "0123456789") == len(value) || yamlWords.Has(value): // a number and nothing are no text
			values[key] = ""
		case plainValue(value):
			values[key] = strings.Join(strings.Fields(value), " ")
		default:
			return nil, false
		}
	}
	return values, true
}

// plainValue reports whether a value begins with a letter and has no sign that means something to YAML.
func plainValue(value string) bool {
	for i := range len(value) {
		c := value[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || strings.IndexByte("0123456789 .,()/-_'?!;", c) < 0) {
			return false
		}
	}
	return true
}

// yamlWords are what YAML takes for something else than text.
var yamlWords = lazy.Words("true True TRUE false False FALSE null Null NULL")
