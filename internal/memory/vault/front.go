package vault

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseFront returns the keys of front matter. If it is not YAML as a whole, as after an unquoted colon
// ("title: L2 Core: (Split)"), each key is read by itself, and problem says which line cannot be read: one line must
// not take title, tags, dates and expiry with it. Without any key that is known, it is no front matter.
func parseFront(head []byte) (keys map[string]any, problem string) {
	if len(bytes.TrimSpace(head)) == 0 {
		return nil, ""
	}
	err := yaml.Unmarshal(head, &keys)
	if err == nil {
		return keys, ""
	}
	keys = map[string]any{}
	for _, block := range frontBlocks(string(head)) {
		if !block.readInto(keys) && problem == "" {
			problem = fmt.Sprintf("line %d of the front matter is not YAML: put the value in quotation marks", block.line)
		}
	}
	if !slices.ContainsFunc(knownKeys, func(k string) bool { return keys[k] != nil }) {
		return nil, "" // two lines of dashes in a text
	}
	if problem == "" {
		problem = "the front matter is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")
	}
	return keys, problem
}

// knownKeys are keys by which front matter that is not YAML is told from text.
var knownKeys = append([]string{"title", "category", "project", "type", "id", "tags", "tag", "aliases", "alias", "created", "created_at", "supersedes",
	"superseded_by", "pinned", "importance", linkTopic, askedKey, keywordsKey}, dayKeys...)

// A frontBlock is a key of front matter with the lines below it that are part of its value.
type frontBlock struct {
	line int // of the file, where the first line is the one of dashes
	text string
}

func frontBlocks(head string) (out []frontBlock) {
	for i, l := range strings.Split(strings.ReplaceAll(head, "\r\n", "\n"), "\n") {
		switch {
		case strings.TrimSpace(l) == "" || strings.HasPrefix(l, "#"):
		case len(out) > 0 && strings.ContainsAny(l[:1], " \t-]"):
			out[len(out)-1].text += "\n" + l
		default:
			out = append(out, frontBlock{i + 2, l})
		}
	}
	return out
}

// readInto adds the key of a block; false: its value is no YAML and is taken as it is written.
func (b *frontBlock) readInto(keys map[string]any) bool {
	var one map[string]any
	if yaml.Unmarshal([]byte(b.text), &one) == nil {
		maps.Copy(keys, one)
		return len(one) > 0
	}
	first, rest, _ := strings.Cut(b.text, "\n")
	key, value, ok := strings.Cut(first, ":")
	if key = strings.TrimSpace(key); !ok || key == "" || strings.ContainsAny(key, " {}[]\"'") {
		return false
	}
	if value = strings.TrimSpace(value); value != "" {
		keys[key] = strings.Trim(value, `"'`)
		return false
	}
	var list []any // of points that are no YAML
	for l := range strings.SplitSeq(rest, "\n") {
		if point, ok := strings.CutPrefix(strings.TrimSpace(l), "- "); ok {
			list = append(list, strings.Trim(strings.TrimSpace(point), `"'`))
		}
	}
	keys[key] = list
	return false
}
