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
	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// mirror collects what the history and the comments of a project give.
func (o options) mirror(ctx context.Context, name, repo string, changes []judged.Change) error {
	if err := keptaside.Check(name); err != nil { // before anything of it is read
		return err
	}
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
	fmt.Fprintf(os.Stderr, "%s: %d questions of comments and cores\n", name, len(pools))
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
	core           bool // the file is named by one word that is in the names of others too
}

// siblings is how many other files have the name of a core in theirs.
const siblings = 3

// comments asks with the first sentences of comments for the files of what they document,
// once those comments are taken out of the tree.
func (t *tree) comments(ctx context.Context, most int) (pools []judged.Pool, err error) {
	v, err := t.refresh(ctx)
	if err != nil {
		return nil, err
	}
	var docs []index.DocInfo
	named := map[string]int{} // in the names of how many files a word is
	err = v.Snap.Docs(func(d index.DocInfo) bool {
		if d.Flags&^corpus.Platform == 0 && d.Lines > 20 {
			docs = append(docs, d)
			for _, p := range text.Parts(index.Stem(d.Path)) {
				named[strings.ToLower(p)]++
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	var all, cores []comment
	for _, d := range docs {
		stem := strings.ToLower(index.Stem(d.Path))
		if c, ok := t.comment(d, stem); ok && named[stem] > siblings {
			c.core = true
			cores = append(cores, c)
		} else if c, ok := t.comment(d, ""); ok {
			all = append(all, c)
		}
	}
	order := func(a, b comment) int { return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.path, b.path)) }
	slices.SortFunc(all, order)
	slices.SortFunc(cores, order)
	all = append(all[:min(most, len(all))], cores[:min(most, len(cores))]...)
	for _, c := range all {
		file := filepath.Join(t.dir, filepath.FromSlash(c.path))
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, slices.Concat(source[:c.span.Start], source[c.span.End:]), 0o644); err != nil {
			return nil, err
		}
	}
	if v, err = t.refresh(ctx); err != nil {
		return nil, err
	}
	for _, c := range all {
		p, err := t.ask(ctx, v, map[bool]string{true: "cores", false: "comments"}[c.core], c.sentence, func(path string, _, _ int) bool { return path == c.path })
		if err != nil {
			return nil, err
		}
		pools = append(pools, p)
	}
	return pools, nil
}

// comment returns one documented declaration of a file, where name is given one of that
// name in any case.
func (t *tree) comment(d index.DocInfo, name string) (best comment, ok bool) {
	source, err := os.ReadFile(t.e.Abs(d.Path))
	if err != nil || len(source) > 1<<20 {
		return best, false
	}
	for _, decl := range syntax.Facts(d.Path, d.Language, source).Decls {
		if decl.Doc.Len() == 0 || decl.Doc.End > len(source) || decl.Kind == corpus.Section || name != "" && !strings.EqualFold(decl.Name, name) {
			continue
		}
		s, fine := sentence(string(source[decl.Doc.Start:decl.Doc.End]), decl.Name)
		h := fnv.New32a()
		h.Write([]byte(d.Path + "#" + decl.Name))
		if fine && (!ok || h.Sum32() < best.sum) {
			best, ok = comment{path: d.Path, sentence: s, span: decl.Doc, sum: h.Sum32()}, true
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
