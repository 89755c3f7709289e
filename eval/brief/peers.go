package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/memory/vault"
)

// peers are programs of others that show a project within some tokens, where they are
// installed. What they print is cut to the budget, and a line of it shows the line of the
// file that it quotes.
type peers struct {
	repomix string // the program
	aider   string // a Python that has it
	packed  map[string]string
}

// absent says of the peers that were asked for which cannot be run, and forgets them.
func (p *peers) absent() {
	check := func(name string, program *string, args ...string) {
		if *program == "" {
			fmt.Printf("%s: not run: it was not named\n", name)
		} else if out, err := exec.Command(*program, args...).CombinedOutput(); err != nil {
			fmt.Printf("%s: not run: %v %s\n", name, err, lastLine(string(out)))
			*program = ""
		} else {
			fmt.Printf("%s %s\n", name, lastLine(string(out)))
		}
	}
	check("repomix", &p.repomix, "--version")
	check("aider", &p.aider, "-c", "import aider, aider.repomap; print(aider.__version__)")
}

func lastLine(s string) string {
	_, last, _ := cutLast(strings.TrimSpace(s), "\n")
	return last
}

// methods are those peers that can be run.
func (p *peers) methods(dir string) (out []method) {
	if p.repomix != "" {
		out = append(out, method{"repomix", func(ctx context.Context, task string, tokens int) (answer, error) {
			return p.pack(ctx, dir, task, tokens)
		}})
	}
	if p.aider != "" {
		out = append(out, method{"aider", func(ctx context.Context, task string, tokens int) (answer, error) {
			return p.repoMap(ctx, dir, task, tokens)
		}})
	}
	return out
}

// pack is the beginning of what repomix --compress writes of a tree, which knows no task.
func (p *peers) pack(ctx context.Context, dir, task string, tokens int) (answer, error) {
	key := dir + "\x00" + task
	if _, ok := p.packed[key]; !ok {
		file, err := os.CreateTemp("", "repomix*.md")
		if err != nil {
			return answer{}, err
		}
		defer os.Remove(file.Name())
		if err := file.Close(); err != nil {
			return answer{}, err
		}
		cmd := exec.CommandContext(ctx, p.repomix, "--compress", "--style", "markdown", "--no-file-summary", "--no-directory-structure", "--no-security-check", "--quiet", "-o", file.Name(), ".")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return answer{}, fmt.Errorf("%v: %s", err, lastLine(string(out)))
		}
		text, err := os.ReadFile(file.Name())
		if err != nil {
			return answer{}, err
		}
		p.packed = map[string]string{key: string(text)}
	}
	return quoting(dir, p.packed[key], tokens), nil
}

// mapped prints aider's map of the files that git lists, for what a message mentions of files
// and names, as its chat asks for it.
const mapped = `
import os, re, sys, subprocess
from aider.repomap import RepoMap
class Model:
    def token_count(self, text): return len(text) // 4
class IO:
    def read_text(self, name, silent=False):
        try: return open(name, encoding="utf-8", errors="replace").read()
        except OSError: return None
    def tool_output(self, *a, **k): pass
    tool_warning = tool_error = tool_output
root, tokens, task = sys.argv[1], int(sys.argv[2]), sys.stdin.read()
RepoMap.TAGS_CACHE_DIR = root + ".aider" # not in the tree that others are asked about
files = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True).stdout.split("\n")
files = [f for f in files if f and os.path.isfile(os.path.join(root, f))]
words = set(re.split(r"\W+", task))
named = {f for f in files if f in task or os.path.basename(f) in words or (len(os.path.basename(f)) > 4 and os.path.basename(f) in task)}
stems = {f for f in files if len(os.path.splitext(os.path.basename(f))[0]) >= 5 and os.path.splitext(os.path.basename(f))[0].lower() in {w.lower() for w in words}}
m = RepoMap(map_tokens=tokens, root=root, main_model=Model(), io=IO(), map_mul_no_files=1, refresh="files")
print(m.get_repo_map(set(), [os.path.join(root, f) for f in files], mentioned_fnames=named | stems, mentioned_idents=words) or "")
`

// repoMap is aider's map of a tree for a task.
func (p *peers) repoMap(ctx context.Context, dir, task string, tokens int) (answer, error) {
	cmd := exec.CommandContext(ctx, p.aider, "-c", mapped, dir, strconv.Itoa(tokens))
	cmd.Stdin = strings.NewReader(task)
	out, err := cmd.Output()
	if err != nil {
		return answer{}, err
	}
	return quoting(dir, string(out), tokens), nil
}

// quoting reads what a peer prints, as far as the budget goes: the names of files on lines
// of their own, and lines of them below.
func quoting(dir, text string, tokens int) (a answer) {
	lines := strings.SplitAfter(text, "\n")
	n := sort.Search(len(lines), func(n int) bool { return vault.Tokens(strings.Join(lines[:n+1], "")) > tokens })
	a.spent = vault.Tokens(strings.Join(lines[:n], ""))
	var name string
	var source []string
	at := 0
	for _, line := range lines[:n] {
		line = strings.TrimRight(line, "\r\n")
		if head := strings.TrimSuffix(strings.TrimPrefix(line, "## File: "), ":"); head != line {
			if raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(head))); err == nil {
				name, source, at = head, strings.Split(string(raw), "\n"), 0
				a.add(name, 0, 0)
				continue
			}
		}
		line = strings.TrimSpace(strings.TrimPrefix(line, "│"))
		if line == "" || name == "" {
			continue
		}
		for k := at; k < len(source); k++ {
			if strings.TrimSpace(source[k]) == line {
				a.add(name, k+1, k+1)
				at = k + 1
				break
			}
		}
	}
	return a
}
