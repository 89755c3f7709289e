package docs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// A context7 is what a project says about its documentation in context7.json.
type context7 struct {
	Title          string   `json:"projectTitle"`
	Description    string   `json:"description"`
	Folders        []string `json:"folders"`
	ExcludeFolders []string `json:"excludeFolders"`
	ExcludeFiles   []string `json:"excludeFiles"`
	Rules          []string `json:"rules"`
}

// readContext7 returns what a tree says of itself, and what is wrong with that.
func readContext7(fsys fs.FS) (c context7, note string) {
	data, err := readPage(fsys, "context7.json", 1<<20)
	if err != nil {
		return c, ""
	}
	err = json.Unmarshal(data, &c)
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		want := "a list of texts"
		if e.Field == "projectTitle" || e.Field == "description" {
			want = "a text"
		}
		if e.Field == "" {
			return context7{}, "context7.json of the source is not read: it is no object"
		}
		return c, fmt.Sprintf("context7.json of the source: %s is not read, it must be %s", e.Field, want) // the rest is
	}
	if err != nil {
		return context7{}, fmt.Sprintf("context7.json of the source is not read: %v", err)
	}
	return c, ""
}

// include returns its folders as globs.
func (c *context7) include() []string {
	var out []string
	for _, f := range c.Folders {
		if g := anywhere(f); g != "" {
			out = append(out, g)
		}
	}
	return out
}

// exclude returns what it omits as globs: a folder by its name wherever it lies,
// by a path, or below the root alone where it begins with "./"; a file by its name.
func (c *context7) exclude() []string {
	var out []string
	for _, f := range c.ExcludeFolders {
		if g := anywhere(f); g != "" {
			out = append(out, g)
		}
	}
	for _, f := range c.ExcludeFiles {
		if f = strings.Trim(f, "/"); f != "" && fs.ValidPath(f) {
			out = append(out, "**/"+f)
		}
	}
	return out
}

func anywhere(folder string) string {
	g := strings.Trim(strings.ReplaceAll(folder, `\`, "/"), "/")
	switch rest, top := strings.CutPrefix(g, "./"); {
	case top:
		return rest
	case g == "" || g == "." || strings.Contains(g, ".."):
		return ""
	case strings.Contains(g, "/"):
		return g
	}
	return "**/" + g
}
