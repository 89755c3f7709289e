package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/core/index"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// mirror collects what the history and the comments of a project give.
func (o options) mirror(ctx context.Context, name, repo string, changes []judged.Change) error {
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
	if _, err := judged.Git(ctx, o.work, "clone", "-q", "--shared", "--no-checkout", "--", repo, dir); err != nil {
		return err
	}
	at := "HEAD"
	changes = judged.Sample(ctx, repo, changes, o.most)
	if len(changes) > 0 {
		at = changes[0].Parent
	}
	if _, err := judged.Git(ctx, dir, "checkout", "-q", "-f", at); err != nil {
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

// changes asks for each change twice: by its subject, and by all that its author wrote.
func (t *tree) changes(ctx context.Context, changes []judged.Change) (pools []judged.Pool, err error) {
	for _, c := range changes {
		if _, err := judged.Git(ctx, t.dir, "checkout", "-q", "-f", c.Parent); err != nil {
			fmt.Fprintf(os.Stderr, "evidence: %s: %v\n", t.project, err)
			continue
		}
		v, err := t.refresh(ctx)
		if err != nil {
			return nil, err
		}
		right := func(path string, _, _ int) bool { return slices.Contains(c.Files, path) }
		asked := []string{c.Subject}
		if c.Body != "" {
			asked = append(asked, c.Subject+"\n"+c.Body)
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
