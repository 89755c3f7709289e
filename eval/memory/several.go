package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// several measures questions that several notes answer, beside plain BM25 over whole notes: the
// minutes of a project's meetings are the notes, what was said of an issue of its tracker is asked
// for by the issue's title as one of them has it, and the meetings that link to the issue answer.
// A project is OWNER+NAME:FOLDER; the minutes are those of its newest commit.
func several(ctx context.Context, w io.Writer, mirrors string, projects []string, most int, verbose bool) error {
	for _, p := range projects {
		name, folder, _ := strings.Cut(p, ":")
		if err := keptaside.Check(name); err != nil { // before anything of it is read
			return err
		}
		c, err := minutes(ctx, filepath.Join(mirrors, name, "repo"), folder, most)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r, err := measure(ctx, c)
		if err != nil {
			return err
		}
		words := plainly(c)
		fmt.Fprintf(w, "%s: %d notes, %d questions that 2 to 5 of them answer\n  %-28s any@1  any@5 any@10  all@5 all@10\n", p, len(c.notes), len(c.questions), "")
		for _, x := range []struct {
			name string
			rows []row
		}{{"plain BM25", words}, {"words", r.rows[vault.Words]}, {"meaning", r.rows[vault.Meaning]}, {"hybrid", r.rows[vault.Hybrid]}} {
			f, five := figures(x.rows), 0
			for _, row := range x.rows {
				if row.found = row.found[:min(5, len(row.found))]; row.all() {
					five++
				}
			}
			fmt.Fprintf(w, "  %-28s %.3f  %.3f  %.3f  %.3f  %.3f\n", x.name, f.at1, f.at5, f.at10, float64(five)/float64(max(1, len(x.rows))), f.all)
		}
		for i, q := range words {
			if h := r.rows[vault.Hybrid][i]; verbose && q.all() && !h.all() {
				fmt.Fprintf(w, "  %q: in %v, found %v\n", q.Ask, q.In, h.found)
			}
		}
	}
	return nil
}

var (
	issue    = regexp.MustCompile(`https://github\.com/([\w.-]+/[\w.-]+)/(?:issues|pull)/(\d+)[^\s)>\]]*`)
	named    = regexp.MustCompile(`#\d+|\[[ xX]\]|[\[\]()<>*_]|https?://\S+`)
	anything = regexp.MustCompile(`https?://[^\s)>\]]+`)
)

// minutes makes notes of the files of a folder, and questions of the issues that 2 to 5 of them
// link to. No note has an address: numbers of issues would tell.
func minutes(ctx context.Context, repo, folder string, most int) (c corpus, err error) {
	names, err := judged.Git(ctx, repo, "ls-tree", "-r", "--name-only", "HEAD", "--", folder)
	if err != nil {
		return c, err
	}
	in, title := map[string][]string{}, map[string]string{}
	for name := range strings.Lines(names) {
		if name = strings.TrimSpace(name); path.Ext(name) != ".md" {
			continue
		}
		said, err := judged.Git(ctx, repo, "show", "HEAD:"+name)
		if err != nil {
			return c, err
		}
		for line := range strings.Lines(said) {
			links := issue.FindAllStringSubmatch(line, -1)
			if len(links) != 1 {
				continue // of several, which one the words are about is not certain
			}
			key := strings.ToLower(links[0][1] + "#" + links[0][2])
			if !slices.Contains(in[key], name) {
				in[key] = append(in[key], name)
			}
			if t := strings.Join(strings.Fields(named.ReplaceAllString(issue.ReplaceAllString(line, " "), " ")), " "); title[key] == "" && len(strings.Fields(t)) >= 4 && len(t) <= 150 {
				title[key] = t
			}
		}
		c.notes = append(c.notes, file{name, issueNumber.ReplaceAllString(anything.ReplaceAllString(said, ""), "")})
	}
	for key, where := range in {
		if len(where) >= 2 && len(where) <= 5 && title[key] != "" {
			c.questions = append(c.questions, question{Ask: strings.Trim(title[key], " -:|"), Kind: "several", In: where})
		}
	}
	slices.SortFunc(c.questions, func(a, b question) int {
		return cmp.Or(cmp.Compare(drawn(a.Ask), drawn(b.Ask)), strings.Compare(a.Ask, b.Ask))
	})
	c.questions = c.questions[:min(most, len(c.questions))]
	return c, nil
}

var issueNumber = regexp.MustCompile(`#\d+`)

func drawn(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// plainly answers with BM25 over the stems of whole notes, without words of grammar.
func plainly(c corpus) (rows []row) {
	words := func(s string) (out []string) {
		text.Words([]byte(s), func(w []byte) {
			if low := text.Fold(string(w)); !text.Grammar(0, low) {
				out = append(out, text.English(low))
			}
		})
		return out
	}
	x := bm25.New(bm25.Default())
	for _, n := range c.notes {
		said := words(n.text)
		x.Add(float64(len(said)), bm25.Field{Words: said, Weight: 1})
	}
	for _, q := range c.questions {
		var terms []bm25.Term
		for _, w := range words(q.Ask) {
			terms = append(terms, bm25.Term{Word: w, Weight: 1})
		}
		r := row{question: q}
		for _, h := range x.Search(terms, depth) {
			r.found = append(r.found, c.notes[h.Doc].name)
		}
		rows = append(rows, r)
	}
	return rows
}
