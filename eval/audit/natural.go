package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	audit "github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/audit/claims"
)

// The natural set judges what is reported of public projects as they are, and of
// features planted in the style that people write. Of the projects only their names,
// their commits and the labels are kept here; the folder that is named has a checkout
// of each, under its name.
const naturalData = "natural"

// A sown is a plant of the natural set.
type sown struct {
	split, project, sort, style, document, after, text string
	first, last                                        int // its lines, once it is planted
}

// A label is what a reader of the code found out about a report.
type label struct {
	verdict, reason string
}

// rows reads a table of the natural set: fields between tabs, \n and \t written out.
func rows(name string, fields int) ([][]string, error) {
	text, err := os.ReadFile(filepath.Join(naturalData, name))
	if err != nil {
		return nil, err
	}
	var out [][]string
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != fields {
			return nil, fmt.Errorf("%s:%d: %d fields, want %d", name, n+1, len(f), fields)
		}
		for i := range f {
			f[i] = unescape.Replace(f[i])
		}
		out = append(out, f)
	}
	return out, nil
}

// naturalFigures are the sums of a split.
type naturalFigures struct {
	projects, reports, right, wrong, unlabelled int
	unsure, unsureRight                         int // what is not reported, for want of certainty; and what of it is labelled true
	confirmed, ambiguous                        tally
	grounds                                     map[string]tally // of what is reported, also by several
	plain                                       int              // reports of the plain question
	sown, found, plainFound                     map[string]int
	orphans, orphanRows                         tally // of declarations, and of modules, each with all its orphans
	orphansUnlabelled                           int
	drift                                       tally // of signatures, links and anchors
	driftUnlabelled                             int
}

func (f *naturalFigures) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d projects: %d reports, %d true, %d false, %d unlabelled: precision %.2f; %d unsure (%d true); the plain question: %d reports\n", f.projects, f.reports, f.right, f.wrong, f.unlabelled, part(f.right, f.wrong), f.unsure, f.unsureRight, f.plain)
	fmt.Fprintf(&b, "  confirmed: %d true, %d false; of high ambiguity: %d true, %d false\n", f.confirmed.hit, f.confirmed.wrong, f.ambiguous.hit, f.ambiguous.wrong)
	for _, why := range slices.Sorted(maps.Keys(f.grounds)) {
		fmt.Fprintf(&b, "    %s: %d true, %d false\n", why, f.grounds[why].hit, f.grounds[why].wrong)
	}
	if f.orphans != (tally{}) || f.orphansUnlabelled > 0 {
		fmt.Fprintf(&b, "  orphans: %d true, %d false, %d unlabelled: precision %.2f; %d of those labelled true are not reported; rows of modules: %d true, %d false\n", f.orphans.hit, f.orphans.wrong, f.orphansUnlabelled, part(f.orphans.hit, f.orphans.wrong), f.orphans.missed, f.orphanRows.hit, f.orphanRows.wrong)
	}
	if f.drift != (tally{}) || f.driftUnlabelled > 0 {
		fmt.Fprintf(&b, "  drift: %d true, %d false, %d unlabelled: precision %.2f; %d of those labelled true are not reported\n", f.drift.hit, f.drift.wrong, f.driftUnlabelled, part(f.drift.hit, f.drift.wrong), f.drift.missed)
	}
	for _, sort := range []string{"symbol", "prose"} {
		fmt.Fprintf(&b, "  %s plants: %d of %d found, recall %.2f; the plain question: %d\n", sort, f.found[sort], f.sown[sort], part(f.found[sort], f.sown[sort]-f.found[sort]), f.plainFound[sort])
	}
	return b.String()
}

// natural judges the projects of a split, whose checkouts are in dir.
func natural(ctx context.Context, o options, dir string, w io.Writer) (*naturalFigures, error) {
	projects, err := rows("projects.tsv", 4)
	if err != nil {
		return nil, err
	}
	plants, err := rows("plants.tsv", 7)
	if err != nil {
		return nil, err
	}
	labelled, err := rows("labels.tsv", 6)
	if err != nil {
		return nil, err
	}
	shades, err := rows("shadows.tsv", 6)
	if err != nil {
		return nil, err
	}
	drifts, err := rows("drift.tsv", 6)
	if err != nil {
		return nil, err
	}
	labels := map[string]label{}
	for _, l := range labelled {
		labels[l[0]+"\x00"+l[1]+"\x00"+l[3]] = label{l[4], l[5]}
	}
	sum := &naturalFigures{grounds: map[string]tally{}, sown: map[string]int{}, found: map[string]int{}, plainFound: map[string]int{}}
	tmp, err := os.MkdirTemp("", "natural")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // it was only ours
	for _, p := range projects {
		if p[0] != o.split || o.only != "" && !slices.Contains(strings.Split(o.only, ","), p[1]) {
			continue
		}
		root := filepath.Join(dir, p[1])
		if err := sum.untouched(ctx, o, p[1], root, labels, w); err != nil {
			return nil, fmt.Errorf("%s: %w", p[1], err)
		}
		if err := sum.shaded(ctx, o, p[1], root, shades, w); err != nil {
			return nil, fmt.Errorf("%s: %w", p[1], err)
		}
		if err := sum.drifted(ctx, o, p[1], root, drifts, w); err != nil {
			return nil, fmt.Errorf("%s: %w", p[1], err)
		}
		var sowing []sown
		for _, s := range plants {
			if s[1] == p[1] {
				sowing = append(sowing, sown{split: s[0], project: s[1], sort: s[2], style: s[3], document: s[4], after: s[5], text: s[6]})
			}
		}
		if err := sum.sow(ctx, o, root, filepath.Join(tmp, p[1]), sowing, w); err != nil {
			return nil, fmt.Errorf("%s: %w", p[1], err)
		}
	}
	_, err = fmt.Fprintf(w, "%s: %s", o.split, sum)
	return sum, err
}

func ghostsOf(ctx context.Context, mode, root string) (got *audit.Ghosts, err error) {
	err = asked(mode, func(f *audit.Feature) error {
		got, err = f.Ghosts(ctx, audit.GhostsInput{Explain: true, Scope: audit.Scope{Project: audit.Project{Root: root}}})
		return err
	})
	return got, err
}

// asked lends a feature that answers in a mode.
func asked(mode string, ask func(*audit.Feature) error) error {
	tmp, err := os.MkdirTemp("", "natural")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // it was only ours
	feature, done, err := featureOf(mode, tmp)
	if err != nil {
		return err
	}
	defer done()
	return ask(feature)
}

// untouched judges what is reported of a project as it is, by its labels.
func (f *naturalFigures) untouched(ctx context.Context, o options, name, root string, labels map[string]label, w io.Writer) error {
	got, err := ghostsOf(ctx, o.modes, root)
	if err != nil {
		return err
	}
	f.projects++
	for i := range got.Features {
		v := &got.Features[i]
		l, ok := labels[name+"\x00"+v.Path+"\x00"+key(v)]
		switch v.Class {
		case claims.Found:
			continue
		case claims.Unsure:
			f.unsure++
			if l.verdict == "true" {
				f.unsureRight++
			}
			if o.verbose {
				fmt.Fprintf(w, "unsure %s\t%s\t%d\t%s\t%s\t%s | %s | missing %v\n", name, v.Path, v.Line, key(v), l.verdict, v.Doubt, v.Text, v.Missing)
			}
			continue
		}
		f.reports++
		switch {
		case !ok:
			f.unlabelled++
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t?\t%s | missing %v\n", name, v.Path, v.Line, key(v), v.Text, v.Missing)
		case l.verdict == "true":
			f.right++
			f.reported(v, true)
		default:
			f.wrong++
			f.reported(v, false)
			if o.verbose {
				fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s | %s\n", name, v.Path, v.Line, key(v), l.verdict, l.reason, v.Text)
			}
		}
	}
	plain, err := plainly(ctx, root)
	f.plain += len(plain)
	return err
}

// reported counts a report that is labelled, by its class and by what speaks for it.
func (f *naturalFigures) reported(v *claims.Verdict, right bool) {
	class := &f.confirmed
	if v.Class == claims.Ambiguous {
		class = &f.ambiguous
	}
	class.count(right, true)
	_, weak, _ := strings.Cut(v.Doubt, ": ")
	for why := range strings.SplitSeq(cmp.Or(v.Ground, weak, "no ground was asked for"), "; ") {
		by := f.grounds[string(v.Class)+", "+why]
		by.count(right, true)
		f.grounds[string(v.Class)+", "+why] = by
	}
}

// A tally counts what was judged.
type tally struct{ hit, missed, wrong, right int }

func (t *tally) count(is, said bool) {
	switch {
	case is && said:
		t.hit++
	case is:
		t.missed++
	case said:
		t.wrong++
	default:
		t.right++
	}
}

// part is the share of a among a and b.
func part(a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	return float64(a) / float64(a+b)
}

// key is what a report is known by: the name that it is about, or its text.
func key(v *claims.Verdict) string {
	text := v.Text
	if v.Name != "" {
		text = v.Name
	}
	if r := []rune(text); len(r) > 60 {
		text = string(r[:60])
	}
	return strings.Join(strings.Fields(text), " ")
}

// sow plants features in a copy of a project, and counts those that are reported where
// they are.
func (f *naturalFigures) sow(ctx context.Context, o options, from, to string, sowing []sown, w io.Writer) error {
	if len(sowing) == 0 {
		return nil
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	for i := range sowing {
		if err := sowing[i].plant(to, sowing[:i]); err != nil {
			return err
		}
	}
	got, err := ghostsOf(ctx, o.modes, to)
	if err != nil {
		return err
	}
	plain, err := plainly(ctx, to)
	if err != nil {
		return err
	}
	for i := range sowing {
		s := &sowing[i]
		at := func(p claims.Place) bool { return p.Path == s.document && p.Line >= s.first && p.Line <= s.last }
		f.sown[s.sort]++
		if slices.ContainsFunc(plain, at) {
			f.plainFound[s.sort]++
		}
		about := func(v claims.Verdict) bool {
			return v.Class != claims.Found && (at(v.Place) || slices.ContainsFunc(v.Also, at))
		}
		why := "no claim"
		k := slices.IndexFunc(got.Features, func(v claims.Verdict) bool { return about(v) && v.Class != claims.Unsure })
		if k < 0 {
			if k := slices.IndexFunc(got.Features, about); k >= 0 {
				why = got.Features[k].Doubt
			}
			fmt.Fprintf(w, "missed %s %s in %s: %s:%d: %q: %s\n", s.sort, s.style, s.project, s.document, s.first, s.text, why)
			continue
		}
		f.found[s.sort]++
	}
	return nil
}

// plant writes a plant into its document: a bullet or a row right after the line that is
// named, anything else after its paragraph.
func (s *sown) plant(root string, before []sown) error {
	name := filepath.Join(root, filepath.FromSlash(s.document))
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, s.after) })
	if at < 0 {
		return fmt.Errorf("%s has no line with %q", s.document, s.after)
	}
	heading := strings.HasPrefix(lines[at], "#")
	beside := !heading && (s.style == "bullet" || s.style == "row")
	if at++; !beside {
		for heading && at < len(lines) && lines[at] == "" {
			at++
		}
		fenced := false
		for at < len(lines) && (fenced || lines[at] != "") {
			if strings.HasPrefix(strings.TrimSpace(lines[at]), "```") {
				fenced = !fenced
			}
			at++
		}
	}
	add := strings.Split(s.text, "\n")
	s.first, s.last = at+1, at+len(add)
	if !beside {
		add = append([]string{""}, add...)
		s.first, s.last = s.first+1, s.last+1
		if at < len(lines) && lines[at] != "" {
			add = append(add, "")
		}
	}
	for i := range before {
		if b := &before[i]; b.document == s.document && b.first > at {
			b.first, b.last = b.first+len(add), b.last+len(add)
		}
	}
	return os.WriteFile(name, []byte(strings.Join(slices.Insert(lines, at, add...), "\n")), 0o600)
}

var (
	ticked = regexp.MustCompile("`([^`\n]+)`")
	wordy  = regexp.MustCompile(`\w`)
)

// plainly is the question to beat: which names in backticks stand in no file that is
// not a document?
func plainly(ctx context.Context, root string) ([]claims.Place, error) {
	tree, err := claims.Read(ctx, root, nil)
	if err != nil {
		return nil, err
	}
	var all strings.Builder
	err = filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		if err != nil || strings.HasPrefix(rel, ".git/") || slices.ContainsFunc(tree.Docs, func(s claims.Source) bool { return s.Path == rel }) {
			return err
		}
		if ext := path.Ext(rel); ext == ".md" || ext == ".rst" || ext == ".adoc" {
			return nil
		}
		text, err := os.ReadFile(p)
		all.Write(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	outside := all.String()
	seen := map[string]bool{}
	var out []claims.Place
	for i := range tree.Docs {
		for n, line := range strings.Split(string(tree.Docs[i].Text), "\n") {
			for _, m := range ticked.FindAllStringSubmatch(line, -1) {
				if !wordy.MatchString(m[1]) || seen[m[1]] || strings.Contains(outside, m[1]) {
					continue
				}
				seen[m[1]] = true
				out = append(out, claims.Place{Path: tree.Docs[i].Path, Line: n + 1})
			}
		}
	}
	slices.SortFunc(out, func(a, b claims.Place) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), strings.Compare(strconv.Itoa(a.Line), strconv.Itoa(b.Line)))
	})
	return out, nil
}
