package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/paste"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// mostPaged is how many hits pages reach where no top-k ends them.
const mostPaged = 1000

// DefaultTop is how many hits an answer has where nothing says it.
const DefaultTop = 10

// A request is a SearchInput understood: where, for what, and which page.
type request struct {
	in       SearchInput
	mode     string
	target   workspace.Target
	filter   *filter
	offset   int
	budget   int  // tokens; 0: no limit
	asked    bool // somebody set the budget
	deep     bool // the text shows what one would open the files for
	whole    bool // one of several roots, of which the pages are cut together
	withheld int  // hits whose secrets the answer does not show
	cursor   *workspace.Cursor
	parts    []workspace.Part // where several repositories are asked
}

// Search answers a query. Who asks need not know that the index was damaged: it is
// repaired, and the query asked again.
func (f *Feature) Search(ctx context.Context, in SearchInput) (*SearchAnswer, error) {
	r, err := f.understand(in)
	if err != nil {
		return nil, err
	}
	if err := f.intend(ctx, r); err != nil {
		return nil, err
	}
	r.deep = f.readsText(work.FromContext(ctx), r)
	if r.deep && !r.asked {
		r.budget = TextBudget
	}
	if in := &r.in; r.mode != "regex" && (in.IgnoreCase || in.SmartCase || in.Fixed || in.Word || in.Multiline) {
		work.FromContext(ctx).Note("case, whole words, plain strings and several lines are for patterns alone: this search is %s", r.mode)
	}
	var a *SearchAnswer
	if len(r.parts) > 0 {
		a, err = f.everywhere(ctx, r)
	} else {
		a, err = workspace.Repaired(ctx, f.trees, r.target, func() (*SearchAnswer, error) { return f.search(ctx, r) })
	}
	if err != nil {
		return nil, err
	}
	a.doubt(f, r)
	f.executed(ctx, r, a)
	f.spend(ctx, r, a)
	a.once(r, work.FromContext(ctx))
	return a, nil
}

func (f *Feature) search(ctx context.Context, r *request) (*SearchAnswer, error) {
	if r.in.NoRefresh {
		return f.attempt(ctx, r, workspace.Frozen)
	}
	a, err := f.attempt(ctx, r, workspace.Current)
	if err == nil && a.lacking() {
		return f.attempt(ctx, r, workspace.Whole)
	}
	return a, err
}

// attempt answers from as much of the tree as is asked for.
func (f *Feature) attempt(ctx context.Context, r *request, d workspace.Depth) (*SearchAnswer, error) {
	var sought *engine.Sought // a pattern reads the files
	if r.mode != "regex" {
		sought = &engine.Sought{Query: r.in.Query, Words: r.in.Words}
	}
	e, v, err := f.trees.ViewFor(ctx, r.target, d, sought)
	if err != nil {
		return nil, err
	}
	defer f.publish(ctx, v)
	if r.cursor != nil {
		if err := r.cursor.Check(v.ID(), v.Snap.State, v.Newer() && v.Written == "", "search", fault.Arg{Name: "query", Value: r.in.Query}); err != nil {
			return nil, r.restarted(err)
		}
	}
	a := &SearchAnswer{Query: echo(r.in.Query), Mode: r.mode, Root: e.Root(), Hits: []SearchHit{}, Stale: v.Stale, Unwritten: v.Written, Extent: v.Extent(),
		files: r.in.Files, full: r.in.FullSection, fresh: v.Hit()}
	if r.mode == "regex" {
		// It reads what is not indexed.
		a.Extent, a.Stale = corpus.Extent{Complete: true}, 0
		err = f.regex(ctx, e, v, r, a)
	} else {
		err = f.ranked(ctx, e, v, r, a)
	}
	if err != nil {
		return nil, err
	}
	if err := f.remark(ctx, e, v, r, a); err != nil {
		return nil, err
	}
	if r.whole {
		f.publish(ctx, v)
		st, err := v.State(ctx)
		if err != nil {
			return nil, err
		}
		a.at = moment{v.ID(), st, v.Newer() && v.Written == ""}
	}
	return a, nil
}

// publish keeps what a view had to index in memory for the next search. The answer
// stands whether that works or not.
func (f *Feature) publish(ctx context.Context, v *engine.View) {
	if err := v.Publish(ctx); err != nil {
		work.FromContext(ctx).Note("index not written: %v", err)
	}
}

// understand checks an input and finds what it is about.
func (f *Feature) understand(in SearchInput) (*request, error) {
	if in.Cursor == "" && in.TopK == 0 && !in.Regex {
		in.TopK = f.cfg.TopK
	}
	r := &request{in: in}
	if in.Cursor != "" {
		if err := r.resume(in); err != nil {
			return nil, err
		}
	}
	f.bound(r)
	q := r.in.Query
	switch {
	case strings.TrimSpace(q) == "":
		return nil, fault.New(fault.Usage, "the query is empty").Or("say what to find, for example \"where are retries configured\"")
	case len(q) > maxText:
		return nil, fault.New(fault.Usage, "the query is %d bytes long, more than %d", len(q), maxText).Or("shorten it to its beginning and its end: the middle is not read")
	case r.in.Regex && len(q) > maxPattern:
		return nil, fault.New(fault.Usage, "the pattern is %d bytes long", len(q)).Or("give a shorter one, or search for the text without --regex")
	case !r.in.Regex && len(q) > mostEchoed: // a log may have any bytes
		r.in.Query = strings.ToValidUTF8(q, "\uFFFD")
	case !utf8.ValidString(q):
		return nil, fault.New(fault.Usage, "the query is not valid UTF-8").Or("give it in UTF-8; --regex matches other bytes as \\xNN")
	}
	if r.in.TopK == 0 && !r.in.Regex {
		if r.in.TopK = DefaultTop; r.in.PageSize > 0 {
			r.in.TopK = mostPaged
		}
	}
	r.mode = "hybrid"
	switch {
	case r.in.Regex:
		r.mode = "regex"
	case r.in.Semantic:
		r.mode = "semantic"
	case r.in.Lexical:
		r.mode = "lexical"
	}
	return r, f.locate(r)
}

// locate finds the tree of a request, or the several that it asks.
func (f *Feature) locate(r *request) error {
	place, paths := r.in.Place, r.in.Paths
	repos, err := f.trees.Repos(r.in.Trees, r.in.Root)
	if err != nil {
		return err
	}
	if len(repos) > 0 {
		parts, err := f.trees.Parts(repos, paths)
		if err != nil {
			return err
		}
		if r.parts = parts; len(parts) == 1 {
			r.parts = nil
		}
		place.Root, paths = parts[0].Root, parts[0].Paths
	}
	if r.target, err = f.resolve(place, paths); err != nil {
		if e, ok := errors.AsType[*fault.Error](err); ok && r.in.Regex && e.Kind == fault.NotFound {
			return e.Or("%q is the pattern, and what follows it are paths: ask for words in a search of its own", r.in.Query)
		}
		return err
	}
	r.filter, err = newFilter(&r.in, r.target.Within)
	return err
}

// DefaultBudget is how many tokens of ranked hits a program is given that does not say
// how many it takes. It holds the usual answer whole, and ten long functions not.
const DefaultBudget = 10_000

// TextBudget is the same of text that shows the declarations of hits. It is smaller, because such a
// text fills its budget.
const TextBudget = 4_000

// bound sets the budget of a request. A pattern is answered with every line, as grep
// does, unless somebody wants less.
func (f *Feature) bound(r *request) {
	switch {
	case r.in.Budget != nil:
		r.budget, r.asked = *r.in.Budget, true
	case f.cfg.Budget > 0:
		r.budget, r.asked = f.cfg.Budget, true
	case f.cfg.Piped && !r.in.Regex && !r.in.Files:
		r.budget = DefaultBudget
	}
}

// ranked answers by words and meaning.
func (f *Feature) ranked(ctx context.Context, e *engine.Engine, v *engine.View, r *request, a *SearchAnswer) error {
	mode := map[string]rank.Mode{"hybrid": rank.Hybrid, "semantic": rank.Semantic, "lexical": rank.Lexical}[r.mode]
	plan, err := v.Plan(r.in.Query, mode, r.in.Words...)
	if err != nil {
		return err
	}
	// Every page ranks the same candidates: what is found depends on how many are
	// wanted, and pages that wanted ever more would not agree with each other.
	query := engine.Query{Plan: plan, Filter: r.filter.index(), NoTests: r.in.NoTests, Most: r.in.TopK, Explain: r.in.Explain, Exact: true}
	ans, err := v.Search(ctx, query)
	if err != nil {
		return err
	}
	a.Degraded, a.stops = ans.Degraded, r.mode == "hybrid" && rank.OnlyStops(r.in.Query)
	if named := slices.ContainsFunc(ans.Hits, func(h engine.Hit) bool { return h.Exact }); r.mode == "hybrid" && len(plan.From) == 0 && !named {
		a.judged = ans.Stats.Chunks > 0
		a.Unmatched = ans.HasNoWord(plan)
		if len(ans.Meant) == 0 && ans.Stats.Chunks > 0 {
			if a.Missing, err = v.Pathless(plan.Missing(ans.Stats.DF, mostMissing)); err != nil {
				return err
			}
		}
		_, usual := f.Thresholds()
		a.weak = len(ans.Hits) > 0 && ans.Hits[0].Score < usual && !slices.ContainsFunc(ans.Hits, func(h engine.Hit) bool { return h.Words >= mostWords })
	}
	if r.in.Explain {
		a.Asked = asked(plan, ans.Meant)
	}
	if plan.Omitted > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("of the query's %d bytes the first and the last %d were read", len(r.in.Query), paste.MaxRead/2))
	}
	if len(plan.From) > 0 {
		r.in.Least = 0 // of an issue every file has a small part: its scores say less
	}
	hits := r.above(ans.Hits, a)
	a.Pagination.Available = len(hits)
	var found []engine.Hit // those of the page
	err = f.page(ctx, v, r, a, len(hits), func(i int) (SearchHit, bool) {
		h, ok := f.hit(e, v, &hits[i], plan, r)
		h.Epoch = v.Snap.Epoch
		if ok {
			found = append(found, hits[i])
		}
		return h, ok
	})
	if err == nil && r.deep && len(a.briefs) == 0 && len(a.Hits) > 0 {
		f.showPassages(v, r, a, plan, ans.Stats, found[:len(a.Hits)])
	}
	return err
}

// above returns the hits that the threshold lets pass, and notes where there are none.
func (r *request) above(hits []engine.Hit, a *SearchAnswer) []engine.Hit {
	least := r.in.Least
	if r.in.Threshold != nil {
		least = *r.in.Threshold
	}
	n := 0
	for n < len(hits) && hits[n].Score >= least {
		n++
	}
	if n > 0 && r.in.Threshold == nil { // something answers: what stands beside it may, too
		for n < len(hits) && hits[n].Score >= least*companion {
			n++
		}
	}
	if n > 0 || len(hits) == 0 {
		return hits[:n]
	}
	best := hits[0].Score
	if r.in.Threshold == nil {
		for ; n < len(hits) && hits[n].Score >= best/2 && hits[n].Words >= mostWords; n++ {
		}
	}
	if n > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("no hit reaches the usual %g; these are the best, and their files have most of the query's words", least))
		return hits[:n]
	}
	a.below = true
	a.Notes = append(a.Notes, text.Counted("%d hit{ is|s are} below the threshold %g; the best scores %.3f", len(hits), least, best))
	return nil
}

// companion is what of the usual score a hit needs beside one that reaches it. Of questions
// with several answers the second is often just below, and the budget bounds what is shown.
const companion = .5

// mostWords is the share of a query's words, weighted by what they tell, with which a
// hit is evidence whatever it scores. Scores are calibrated on projects of some size: in
// one of four files, a symbol that is there can score less than one that is not there
// scores elsewhere.
const mostWords = .6

// hit makes a hit as the feature shows it, and checks it against its file.
func (f *Feature) hit(e *engine.Engine, v *engine.View, h *engine.Hit, plan rank.Plan, r *request) (SearchHit, bool) {
	names := v.Qualified(h) // before its text is searched for again
	quote, ok := e.Quote(h)
	if !ok {
		return SearchHit{}, false
	}
	c := h.Chunk
	switch {
	case r.in.FullSection:
		if s, text, ok := e.Section(h); ok {
			c, quote = s, text
		}
	case max(r.in.Context, r.in.Before, r.in.After) > 0:
		if text, first, err := e.Lines(h.Doc.Path, c.Lines.First-max(r.in.Context, r.in.Before), c.Lines.Last+max(r.in.Context, r.in.After)); err == nil && len(text) >= len(quote) {
			before := strings.Index(string(text), string(quote))
			c.Start -= max(0, before)
			c.End = c.Start + len(text)
			c.Lines = corpus.Range{First: first, Last: first + strings.Count(strings.TrimSuffix(string(text), "\n"), "\n")}
			quote = text
		}
	}
	if f.around.Server {
		if whole, _, err := e.Lines(h.Doc.Path, 1, math.MaxInt); err == nil {
			quote = withoutSecrets(whole, quote, c.Lines.First, r)
		}
	}
	abs := e.Abs(h.Doc.Path)
	return SearchHit{
		Path:      abs,
		Span:      Span{c.Start, c.End, c.Lines.First, c.Lines.Last},
		Encoding:  h.Encoding,
		Language:  h.Doc.Language,
		Symbol:    plan.Symbol(h.Chunk, names...),
		Snippet:   strings.ToValidUTF8(string(quote), "\uFFFD"),
		Score:     rank.Round(h.Score),
		ChunkHash: fmt.Sprintf("%x", h.Hash),
		Explain:   h.Breakdown,
		exact:     h.Exact,
		shown:     f.trees.Display(abs),
		focus:     plan.Focus(quote),
	}, true
}

// mostRedacted bounds what is looked through for the secrets of one hit, in bytes.
const mostRedacted = 4 << 20

// withoutSecrets returns a quote that begins with a line of a file without the secrets
// in it. The file is looked through whole: a key is many lines, of which the quote may
// have some.
func withoutSecrets(whole, quote []byte, first int, r *request) []byte {
	if len(whole) > mostRedacted {
		whole, first = quote, 1
	}
	clean, n := redact.Files.Text(whole)
	if n == 0 {
		return quote
	}
	lines := bytes.SplitAfter(clean, []byte("\n"))
	last := first - 1 + bytes.Count(quote, []byte("\n"))
	if !bytes.HasSuffix(quote, []byte("\n")) {
		last++
	}
	if first < 1 || first > last || last > len(lines) {
		return quote
	}
	out := bytes.Join(lines[first-1:last], nil)
	if !bytes.HasSuffix(quote, []byte("\n")) {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	if !bytes.Equal(out, quote) {
		r.withheld++
	}
	return out
}

// remark says in notes what an answer lacks and what to do about it.
func (f *Feature) remark(ctx context.Context, e *engine.Engine, v *engine.View, r *request, a *SearchAnswer) error {
	if a.Degraded != "" {
		a.Notes = append(a.Notes, "degraded: "+a.Degraded)
	}
	if lack := a.Lack(); lack != "" {
		a.Notes = append(a.Notes, lack)
	}
	if v.Unreadable > 0 && r.mode != "regex" {
		a.Notes = append(a.Notes, fmt.Sprintf("unreadable: %d of the files and folders; their contents are unknown (check their permissions)", v.Unreadable))
	}
	if r.withheld > 0 {
		a.Notes = append(a.Notes, text.Counted("%d hit{ contains|s contain} secrets, shown as [redacted:KIND]; the command line shows them in full", r.withheld))
	}
	if a.Unwritten != "" && (a.Unwritten != engine.Busy || a.Complete) {
		a.Notes = append(a.Notes, "index not written: "+a.Unwritten)
	}
	switch {
	case len(a.briefs) > 0: // the synthesis has a cursor of its own
	case a.Cut > 0 && a.Pagination.Cursor == "":
		a.Notes = append(a.Notes, text.Counted("%d more hit{s} omitted by the budget of %d tokens%s; a larger one shows them", a.Cut, r.budget, r.unasked()))
	case a.Cut > 0:
		a.Notes = append(a.Notes, text.Counted("%d more hit{s} omitted by the budget of %d tokens%s; more with cursor %s", a.Cut, r.budget, r.unasked(), a.Pagination.Cursor))
	case a.Pagination.HasMore:
		a.Notes = append(a.Notes, "more with cursor "+a.Pagination.Cursor)
	}
	if len(a.Hits) > 0 || a.Pagination.Available > 0 {
		return nil
	}
	if err := f.count(ctx, v, r, a); err != nil || a.below || !a.Complete {
		return err
	}
	if v.Files() == 0 {
		a.Notes = append(append(a.Notes, fmt.Sprintf("no file in %s is text that is not ignored", e.Root())), thin(v.Tree)...)
		return nil
	}
	for _, w := range r.target.Within {
		if why, ok := v.Ignored(w); ok {
			a.Notes = append(a.Notes, fmt.Sprintf("%s is excluded: %s", w, why))
			return nil
		}
	}
	nothing := "nothing found"
	if v.Tree == nil {
		nothing += " in the index as it is; the tree was not checked"
	}
	a.Notes = append(append([]string{nothing}, a.Notes...), thin(v.Tree)...)
	return nil
}

// count says what an answer without hits did not look into. A pattern is looked for
// in all that is text, and says itself what that omits.
func (f *Feature) count(ctx context.Context, v *engine.View, r *request, a *SearchAnswer) error {
	nc, err := v.NotCovered(ctx, func(path, why string) bool {
		switch {
		case r.mode == "regex" && why != "binary" && why != "unreadable" && why != "secret":
			return false
		case path == "":
			return true
		}
		return r.filter == nil || r.filter.doc(index.DocInfo{Path: path, Language: syntax.Language(path, nil), Flags: discover.PathFlags(path)})
	})
	if err != nil {
		return err
	}
	if nc.Files > 0 && r.mode != "regex" {
		a.Notes = append(a.Notes, text.Counted("not covered: %d file{s} (%s)", nc.Files, nc.String()))
	}
	if nc.Files+nc.Ignored+nc.Stale > 0 {
		a.NotCovered = &nc
	}
	return nil
}
