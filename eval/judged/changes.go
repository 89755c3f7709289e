package judged

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/eval/keptaside"
)

// A Change is a commit, what its author wrote of it, and what it touched.
type Change struct {
	Repo   string   `json:"repo"`
	Commit string   `json:"commit"`
	Parent string   `json:"parent"`
	Files  []string `json:"files"`

	date          int64
	Subject, Body string `json:"-"`
}

// ReadChanges reads a file of changes, a JSON object a line, by their projects. It
// refuses those of projects that are kept aside.
func ReadChanges(name string) (map[string][]Change, error) {
	all := map[string][]Change{}
	if name == "" {
		return all, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var c Change
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			return nil, err
		}
		if err := keptaside.Check(c.Repo); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[c.Repo] = append(all[c.Repo], c)
	}
	return all, s.Err()
}

// Git runs git in a folder.
func Git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %v: %s", args[0], err, strings.TrimSpace(msg.String()))
	}
	return out.String(), nil
}

// Sample reads the messages of changes and returns some, evenly from oldest to newest,
// so that each tree is near the one before.
func Sample(ctx context.Context, repo string, changes []Change, most int) (out []Change) {
	for _, c := range changes {
		msg, err := Git(ctx, repo, "log", "-1", "--format=%ct%n%B", c.Commit)
		if err != nil {
			continue // the mirror lacks it
		}
		if _, err := Git(ctx, repo, "cat-file", "-e", c.Parent+"^{tree}"); err != nil {
			continue
		}
		date, msg, _ := strings.Cut(msg, "\n")
		c.date, _ = strconv.ParseInt(date, 10, 64)
		head, rest, _ := strings.Cut(strings.TrimSpace(msg), "\n")
		c.Subject, c.Body = clean(prefix.ReplaceAllString(head, "")), clean(rest)
		c.Body = c.Body[:min(len(c.Body), 1500)]
		if c.Subject != "" {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return cmp.Compare(a.date, b.date) })
	if n := len(out); n > most {
		for i := range most {
			out[i] = out[i*n/most]
		}
		out = out[:most]
	}
	slices.Reverse(out)
	return out
}

var (
	prefix = regexp.MustCompile(`^[a-z]+(\([^)]*\))?!?: `)
	drop   = regexp.MustCompile(`(?im)^\s*(signed-off-by|co-authored-by|change-id|reviewed-by|cc|fixes|closes|resolves|refs?|pr-url|reviewed-on|see|http|---|\* ?$).*$`)
	noise  = regexp.MustCompile(`https?://\S+|\(?#\d+\)?|\(?GH-\d+\)?|\b[0-9a-f]{7,40}\b`)
	gaps   = regexp.MustCompile(`\n{2,}`)
)

// clean returns a message without trailers, links, numbers of issues and hashes.
func clean(msg string) string {
	return strings.TrimSpace(gaps.ReplaceAllString(noise.ReplaceAllString(drop.ReplaceAllString(msg, ""), ""), "\n"))
}
