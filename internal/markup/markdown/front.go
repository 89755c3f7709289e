package markdown

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// maxFront bounds front matter, in bytes.
const maxFront = 64 << 10

// A front is what a page says of itself before its text.
type front struct {
	title, description string
}

// fill takes from other what is not known yet.
func (f *front) fill(other front) {
	if f.title == "" {
		f.title = other.title
	}
	if f.description == "" {
		f.description = other.description
	}
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
	d.lines, d.nums = d.lines[end+1:], d.nums[end+1:]
	values := map[string]string{}
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
