package audit

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A FixInput asks for the findings of audit ci to be corrected in the documents.
type FixInput struct {
	DryRun bool `json:"dry_run,omitempty" flag:"dry-run" help:"show the corrections, write nothing"`
	Yes    bool `json:"yes,omitempty" flag:"yes" help:"write the corrections without asking"`
	Scope
}

// An Edit is one line of a document as it is corrected.
type Edit struct {
	claims.Place
	Name   string `json:"name"`
	Fix    string `json:"fix"`
	Why    string `json:"why"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Fixes is the corrections of some documents.
type Fixes struct {
	Edits   []Edit `json:"edits"`
	Written int    `json:"written"` // documents that were written
	Left    int    `json:"left"`    // findings whose correction is not sure
	Next    string `json:"next,omitempty"`
	shown   bool   // the person has seen the corrections with the question
}

// maxMoved is how many missing files the history is asked about.
const maxMoved = 20

// Fix corrects the names and the links of documents for which it is sure what was meant. It asks before it writes; where nobody can be
// asked it writes nothing, unless the call says that it may.
func (f *Feature) Fix(ctx context.Context, in FixInput) (*Fixes, error) {
	if in.DryRun && in.Yes {
		return nil, fault.New(fault.Usage, "--dry-run writes nothing, and --yes writes").Or("give one of both")
	}
	out := &Fixes{Edits: []Edit{}}
	root := ""
	err := f.audited(ctx, in.Scope, "fix", func(a *claims.Auditor) (int, error) {
		root = a.Tree.Root
		all, err := a.Findings(ctx, false)
		if err != nil {
			return 0, err
		}
		ignored, err := ignores(ctx, a.Tree)
		if err != nil {
			return 0, err
		}
		all = slices.DeleteFunc(all, func(x claims.Finding) bool { return x.Severity == "low" || ignored.Of(&x) != nil })
		f.fixMoved(ctx, a.Tree, all)
		out.collect(a.Tree, all)
		return len(all), nil
	})
	if err != nil {
		return nil, err
	}
	switch {
	case len(out.Edits) == 0:
		return out, nil
	case in.DryRun:
		out.Next = "nothing was written: this is a dry run"
		return out, nil
	case !in.Yes && f.cfg.Confirm == nil:
		out.Next = "nothing was written: add --yes to write the corrections"
		return out, nil
	case !in.Yes:
		yes, err := f.cfg.Confirm(ctx, out.diff(), text.Counted("Write %d correction{s}?", len(out.Edits)))
		out.shown = true
		if err != nil || !yes {
			out.Next = "nothing was written"
			return out, err
		}
	}
	return out, f.writeEdits(ctx, root, out)
}

// fixMoved gives links to missing files the places to which commits renamed these.
func (f *Feature) fixMoved(ctx context.Context, tree *claims.Tree, all []claims.Finding) {
	missing := map[string][]*claims.Finding{}
	var paths []string
	for i := range all {
		x := &all[i]
		ofFile := x.Kind == string(named.Link) || x.Kind == string(named.Image)
		if !ofFile || x.Fix != "" || strings.HasPrefix(x.Name, "/") {
			continue
		}
		file, _, _ := strings.Cut(x.Name, "#")
		at := path.Join(path.Dir(x.Path), file)
		if !filepath.IsLocal(filepath.FromSlash(at)) {
			continue
		}
		if missing[at] == nil {
			paths = append(paths, at)
		}
		missing[at] = append(missing[at], x)
	}
	moved, err := git.Renamed(ctx, tree.Root, paths[:min(len(paths), maxMoved)], tree.Has)
	if err != nil {
		work.FromContext(ctx).Note("files that were renamed were not looked for in the history: %v", err)
	}
	for at, now := range moved {
		for _, x := range missing[at] {
			_, fragment, has := strings.Cut(x.Name, "#")
			x.Fix = named.LinkTo(x.Path, now)
			if has {
				x.Fix += "#" + fragment
			}
			x.Meant, x.Message = now, x.Message+"; a commit renamed it to "+now
		}
	}
}

// collect makes the edits of the findings whose correction is sure, one a line.
func (r *Fixes) collect(tree *claims.Tree, all []claims.Finding) {
	lines := map[string][]string{}
	for _, d := range slices.Concat(tree.Docs, tree.Pages) {
		lines[d.Path] = strings.Split(string(d.Text), "\n")
	}
	for i := range all {
		x := &all[i]
		doc := lines[x.Path]
		before, after := "", ""
		if x.Fix != "" && x.Line <= len(doc) {
			before = doc[x.Line-1]
			isLink := x.Kind == string(named.Link) || x.Kind == string(named.Image) || x.Kind == string(named.Anchor)
			after = replaceName(before, x.Name, x.Fix, isLink)
		}
		if after == before {
			r.Left++
			continue
		}
		doc[x.Line-1] = after
		r.Edits = append(r.Edits, Edit{x.Place, x.Name, x.Fix, x.Message, strings.TrimSuffix(before, "\r"), strings.TrimSuffix(after, "\r")})
	}
}

// replaceName puts another name in place of each whole one on a line; of a link in place of those that lead there.
func replaceName(line, name, fix string, isLink bool) string {
	var b strings.Builder
	for from := 0; ; {
		at := strings.Index(line[from:], name)
		if at < 0 {
			return b.String() + line[from:]
		}
		at += from
		b.WriteString(line[from:at])
		from = at + len(name)
		isMeant := !isPartOfName(line[:at], name, line[from:]) && !isInPath(line[:at], line[from:])
		if isLink {
			isMeant = isTarget(line[:at], line[from:])
		}
		if isMeant {
			b.WriteString(fix)
		} else {
			b.WriteString(name)
		}
	}
}

// isPartOfName reports whether the characters beside the edges of a name make it a part of a longer one.
func isPartOfName(before, name, after string) bool {
	isWord := func(c byte) bool { return c == '-' || scan.Letter(c) }
	joinsBefore := before != "" && isWord(before[len(before)-1]) && isWord(name[0])
	joinsAfter := after != "" && isWord(name[len(name)-1]) && isWord(after[0])
	return joinsBefore || joinsAfter
}

// isInPath reports whether the word around a name is a path, an address or where a link leads to.
func isInPath(before, after string) bool {
	const ends = " \t\r()<>[]{}|,;\"'`"
	from, to := 1+strings.LastIndexAny(before, ends), strings.IndexAny(after+" ", ends)
	return strings.Contains(before[from:]+after[:to], "/") || strings.HasSuffix(before[:from], "](")
}

// beforeTarget are the signs before the target of a link: of Markdown, HTML, reStructuredText, AsciiDoc, MyST and wikis.
var beforeTarget = lazy.Regexp("(?:\\]\\( *<?|<|= *[\"']|\\w:|:: *|\\]: *<?|^ *\\.\\. _[^:]*: *|[:}]`|\\[\\[)$")

// isTarget reports whether a link leads to a name that is between two texts of a line.
func isTarget(before, after string) bool {
	if strings.TrimSpace(before) == "" {
		return strings.TrimSpace(after) == "" // of a table of contents
	}
	isEnd := after == "" || strings.IndexByte(")>\"' \t\r[],|`", after[0]) >= 0
	return isEnd && beforeTarget.MatchString(before)
}

// writeEdits writes the documents. A line that is not as it was read stays, and its edit is left, as are those of other encodings.
func (f *Feature) writeEdits(ctx context.Context, root string, r *Fixes) error {
	byPath := map[string][]Edit{}
	for _, e := range r.Edits {
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	planned := len(r.Edits)
	r.Edits = r.Edits[:0]
	defer func() { r.Left += planned - len(r.Edits) }()
	for _, at := range slices.Sorted(maps.Keys(byPath)) {
		name := filepath.Join(root, filepath.FromSlash(at))
		d, err := f.document(name)
		if err != nil {
			return err
		}
		if d.encoding != "" {
			work.FromContext(ctx).Note("%s is in %s, and only UTF-8 is written", text.Line(at), d.encoding)
			continue
		}
		lines := strings.Split(d.text, "\n")
		var done []Edit
		for _, e := range byPath[at] {
			if line := &lines[min(e.Line, len(lines))-1]; strings.TrimSuffix(*line, "\r") == e.Before {
				*line = e.After + strings.TrimPrefix(*line, e.Before)
				done = append(done, e)
			}
		}
		if len(done) == 0 {
			continue
		}
		file, err := f.behind(root, name)
		if err != nil {
			return err
		}
		if err := safe.Replace(file, []byte(strings.Join(lines, "\n")), d.mode); err != nil {
			return fault.New(fault.Unavailable, "write %s", at).Because(err)
		}
		r.Written++
		r.Edits = append(r.Edits, done...)
	}
	return nil
}

// diff shows each correction as the line before and after it.
func (r *Fixes) diff() string {
	var b strings.Builder
	for i := range r.Edits {
		e := &r.Edits[i]
		writeLine(&b, "%s: %s", e.Place, e.Why)
		writeLine(&b, "- %s", e.Before)
		writeLine(&b, "+ %s", e.After)
	}
	return b.String()
}

// WriteText writes the corrections and what became of them.
func (r *Fixes) WriteText(w io.Writer, _ bool) error {
	diff := ""
	if !r.shown {
		diff = r.diff()
	}
	return fault.Only(io.WriteString(w, diff+r.summary()))
}

// summary says how many corrections there are, and what became of them.
func (r *Fixes) summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", text.Count(len(r.Edits), "correction", "corrections"))
	if r.Written > 0 {
		fmt.Fprintf(&b, " written to %s", text.Count(r.Written, "document", "documents"))
	}
	if r.Left > 0 {
		fmt.Fprintf(&b, "; %s without a sure correction: assay audit ci lists them", text.Count(r.Left, "finding", "findings"))
	}
	b.WriteByte('\n')
	if r.Next != "" {
		writeLine(&b, "%s", r.Next)
	}
	return b.String()
}

// WriteLines writes a correction a line.
func (r *Fixes) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Edits) }
