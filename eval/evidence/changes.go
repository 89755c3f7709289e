package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/core/index"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %v: %s", args[0], err, strings.TrimSpace(msg.String()))
	}
	return out.String(), nil
}

// mirror collects what the history and the comments of a project give.
func (o options) mirror(ctx context.Context, name, repo string, changes []change) error {
	changesFile, haveChanges := o.file("changes", name)
	commentsFile, haveComments := o.file("comments", name)
	if haveComments && (haveChanges || len(changes) == 0) {
		return nil
	}
	dir := filepath.Join(o.work, name)
	defer os.RemoveAll(dir)
	defer os.RemoveAll(dir + ".index")
	if err := os.MkdirAll(o.work, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if _, err := git(ctx, o.work, "clone", "-q", "--shared", "--no-checkout", "--", repo, dir); err != nil {
		return err
	}
	at := "HEAD"
	changes = o.sample(ctx, repo, changes)
	if len(changes) > 0 {
		at = changes[0].Parent
	}
	if _, err := git(ctx, dir, "checkout", "-q", "-f", at); err != nil {
		return err
	}
	t, err := openTree(ctx, name, dir)
	if err != nil {
		return err
	}
	defer t.e.Close()
	if !haveChanges && len(changes) > 0 {
		pools, err := t.changes(ctx, changes)
		if err != nil {
			return err
		}
		if err := o.save(changesFile, pools); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d questions of changes\n", name, len(pools))
	}
	if haveComments {
		return nil
	}
	pools, err := t.comments(ctx, o.most)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s: %d questions of comments\n", name, len(pools))
	return o.save(commentsFile, pools)
}

// sample reads the messages of changes and returns some, evenly from oldest to newest,
// so that each tree is near the one before.
func (o options) sample(ctx context.Context, repo string, changes []change) (out []change) {
	for _, c := range changes {
		msg, err := git(ctx, repo, "log", "-1", "--format=%ct%n%B", c.Commit)
		if err != nil {
			continue // the mirror lacks it
		}
		if _, err := git(ctx, repo, "cat-file", "-e", c.Parent+"^{tree}"); err != nil {
			continue
		}
		date, msg, _ := strings.Cut(msg, "\n")
		c.date, _ = strconv.ParseInt(date, 10, 64)
		head, rest, _ := strings.Cut(strings.TrimSpace(msg), "\n")
		c.subject, c.body = clean(prefix.ReplaceAllString(head, "")), clean(rest)
		c.body = c.body[:min(len(c.body), 1500)]
		if c.subject != "" {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b change) int { return cmp.Compare(a.date, b.date) })
	if n := len(out); n > o.most {
		for i := range o.most {
			out[i] = out[i*n/o.most]
		}
		out = out[:o.most]
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

// changes asks for each change twice: by its subject, and by all that its author wrote.
func (t *tree) changes(ctx context.Context, changes []change) (pools []judged.Pool, err error) {
	for _, c := range changes {
		if _, err := git(ctx, t.dir, "checkout", "-q", "-f", c.Parent); err != nil {
			fmt.Fprintf(os.Stderr, "evidence: %s: %v\n", t.project, err)
			continue
		}
		v, err := t.refresh(ctx)
		if err != nil {
			return nil, err
		}
		right := func(path string, _, _ int) bool { return slices.Contains(c.Files, path) }
		asked := []string{c.subject}
		if c.body != "" {
			asked = append(asked, c.subject+"\n"+c.body)
		}
		for i, q := range asked {
			p, err := t.ask(ctx, v, [...]string{"subjects", "changes"}[i], q, right)
			if err != nil {
				return nil, err
			}
			p.Lost = len(c.Files)
			for _, d := range p.Docs {
				if d.Right {
					p.Lost--
				}
			}
			if len(asked) == 1 {
				p.Set = "changes"
			}
			pools = append(pools, p)
		}
	}
	return pools, nil
}

// A comment is the first sentence of what documents a declaration, and the span of the
// whole.
type comment struct {
	path, sentence string
	span           corpus.Span
	sum            uint32
}

// comments asks with the first sentences of comments for the files of what they document,
// once those comments are taken out of the tree.
func (t *tree) comments(ctx context.Context, most int) (pools []judged.Pool, err error) {
	v, err := t.refresh(ctx)
	if err != nil {
		return nil, err
	}
	var all []comment
	err = v.Snap.Docs(func(d index.DocInfo) bool {
		if d.Flags&^corpus.Platform == 0 && d.Lines > 20 {
			if c, ok := t.comment(d); ok {
				all = append(all, c)
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b comment) int { return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.path, b.path)) })
	all = all[:min(most, len(all))]
	for _, c := range all {
		file := filepath.Join(t.dir, filepath.FromSlash(c.path))
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, slices.Concat(text[:c.span.Start], text[c.span.End:]), 0o644); err != nil {
			return nil, err
		}
	}
	if v, err = t.refresh(ctx); err != nil {
		return nil, err
	}
	for _, c := range all {
		p, err := t.ask(ctx, v, "comments", c.sentence, func(path string, _, _ int) bool { return path == c.path })
		if err != nil {
			return nil, err
		}
		pools = append(pools, p)
	}
	return pools, nil
}

// comment returns one documented declaration of a file.
func (t *tree) comment(d index.DocInfo) (best comment, ok bool) {
	text, err := os.ReadFile(t.e.Abs(d.Path))
	if err != nil || len(text) > 1<<20 {
		return best, false
	}
	for _, decl := range syntax.Facts(d.Path, d.Language, text).Decls {
		if decl.Doc.Len() == 0 || decl.Doc.End > len(text) || decl.Kind == corpus.Section {
			continue
		}
		s, fine := sentence(string(text[decl.Doc.Start:decl.Doc.End]), decl.Name)
		h := fnv.New32a()
		h.Write([]byte(d.Path + "#" + decl.Name))
		if fine && (!ok || h.Sum32() < best.sum) {
			best, ok = comment{d.Path, s, decl.Doc, h.Sum32()}, true
		}
	}
	return best, ok
}

var (
	marks = regexp.MustCompile(`(?m)^\s*(///?!?|/\*\*?|\*/|\*|#+|--+\|?|\{-\|?|"""|'''|;+|@doc|@moduledoc)\s?|"""|'''|\*/|-\}|</?\w+[^>]*>|\{@\w+ |\}`)
	ended = regexp.MustCompile(`[.!?](\s|$)|\n\s*\n|\n\s*[@:\-*]`)
	dull  = regexp.MustCompile(`(?i)copyright|licen[sc]e|todo|fixme|deprecated|generated|eslint|rubocop|noqa|inheritdoc|<summary`)
)

// sentence returns the first sentence of a comment, without the name of what it is on,
// where it is of 5 to 40 words.
func sentence(doc, name string) (string, bool) {
	doc = strings.TrimSpace(marks.ReplaceAllString(doc, ""))
	if at := ended.FindStringIndex(doc); at != nil {
		doc = doc[:at[0]]
	}
	words := strings.Fields(doc)
	if len(words) > 0 && strings.EqualFold(strings.Trim(words[0], "`:*()"), name) {
		words = words[1:]
	}
	s := strings.Join(words, " ")
	return s, len(words) >= 5 && len(words) <= 40 && !dull.MatchString(s) && strings.IndexFunc(s, func(r rune) bool { return r > 0x24f }) < 0
}
