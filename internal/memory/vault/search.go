package vault

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A Mode says which evidence is asked for.
type Mode int

// The modes. Hybrid is the one that is served.
const (
	Hybrid Mode = iota
	Words
	Meaning
)

// A Query asks for what is remembered.
type Query struct {
	Text    string
	Words   []string // that the caller expects in what answers: guesses, which may be wrong
	Max     int      // hits; 0: 6
	Source  string   // "memory": notes, "sessions": transcripts, "" or "all": both
	Project string   // only what belongs to it: its whole name, or the end of it
	Near    string   // a project whose notes are preferred
	// Own, if set, leaves only notes of that project and of none, and its sessions: what may be told unasked.
	Own string
	// Since, Before and Between leave only what is of that time, in words or as dates; see spanOf. Newest puts the newest of what
	// answers first. What the words of Text say of a time is preferred, and leaves nothing out.
	Since, Before, Between string
	Newest                 bool
	Tags                   []string // all of them; Text may name more, as tag:infra
	Speaker                string   // only what the "user" or the "assistant" said in sessions, or what the latter repeats of a "tool"
	Mode                   Mode
	Explain                bool
	Budget                 time.Duration // for bringing the index up to date first; 0: it is taken as it is
	Wait                   bool          // bring it up to date whatever it takes
}

// DefaultMax is how many hits a Query has that does not say.
const DefaultMax = 6

// A Piece is lines of a note or of a session that answer a query.
type Piece struct {
	Path         string // below the vault, or session:AGENT/ID
	Source       string // "memory" or "sessions"
	First        int    // line
	Last         int
	Title        string
	Heading      string
	Category     string
	Project      string
	Day          time.Time // that it is of; zero where nothing says so
	Age          int       // days since; -1 where Day is zero
	Score        float64   // 0..1
	Text         string
	Superseded   string    // the note that is in its place
	SupersededOn time.Time // the day of that note; zero where nothing says so
	CopyOf       string    // the note that a synchronising service made it from
	Conflict     string    // another version of it, edited elsewhere at the same time
	Asks         bool      // something was only asked there, and never answered
	Repeats      bool      // in part it is what a tool returned, which may be anybody's words
	SeeAlso      string    // a newer note that says of a part of it that it is over
	Validity     string    // why it does not hold today; empty: it does
	Pinned       bool
	Importance   int      // -2..2
	Also         []string // where the same text is, or the session of a digest
	Explain      []rank.Signal

	own     string  // Text without what tools returned
	Matched float64 // the share of the question's weight in its words, 0..1
	Cosine  float64 // of its meaning; 0 where it has no vector
}

// A MemoryAnswer is the hits, best first, and what they lack.
type MemoryAnswer struct {
	Hits     []Piece
	Total    int    // where everything was asked for: the notes and sessions that speak of it
	Degraded string // why there was no search by meaning, or not in all
	Stale    int    // notes and sessions that changed and are not indexed yet
	Missing  string // why the vault could not be read
	Frozen   string // why the index cannot be brought up to date
	Moved    string // where a damaged index was put: it is being rebuilt
	Pending  int    // chunks without a vector
	Building bool   // the index is being rebuilt: some of it is missing

	epoch int // of the index that was searched
}

// Search finds what answers a query. Where the index is to be brought up to date first, it looks for changes while it searches, and
// searches again if there were any.
func (m *Memory) Search(ctx context.Context, qu Query) (a MemoryAnswer, err error) {
	if !qu.Wait && qu.Budget <= 0 || m.state.Load() == current {
		a, err = m.search(ctx, qu)
		a.Moved = m.pool.told()
		return a, err
	}
	same := make(chan bool, 1)
	go func() { same <- m.inSync(ctx) }()
	a, err = m.search(ctx, qu)
	if <-same || err != nil {
		return a, err
	}
	r, err := m.Sync(ctx, SyncOptions{Budget: qu.Budget, Try: !qu.Wait, Quick: true, Reading: true})
	if err != nil {
		return a, err
	}
	if m.epoch(ctx) != a.epoch { // whoever it was that changed something
		a, err = m.search(ctx, qu)
	}
	a.Stale, a.Missing, a.Frozen, a.Moved = r.Stale, r.Missing, r.Frozen, cmp.Or(r.Moved, m.pool.told())
	return a, err
}

// epoch returns the number of the state that the index is in; -1 where it cannot be read.
func (m *Memory) epoch(ctx context.Context) (n int) {
	if err := m.with(ctx, func(h *handle) (err error) {
		n, err = count(ctx, h, "epoch")
		return err
	}); err != nil {
		return -1
	}
	return n
}

// inSync reports whether the index is of what there is. In doubt it is not.
func (m *Memory) inSync(ctx context.Context) (same bool) {
	err := m.with(ctx, func(h *handle) (err error) {
		s := &syncer{m: m, h: h, r: SyncReport{Skipped: map[string]int{}}}
		f := s.look(ctx)
		if f.vault != nil && ctx.Err() == nil {
			same, err = s.unchanged(ctx, f)
		}
		return err
	})
	return same && err == nil
}

func (m *Memory) search(ctx context.Context, qu Query) (a MemoryAnswer, err error) {
	s, err := m.searching(qu)
	if err != nil {
		return a, err
	}
	defer func() { m.stems.Put(s.stems) }()
	err = m.answer(ctx, s, &a)
	return a, err
}

// answer runs a search. A note whose file is gone is not shown, whatever the index still has of it: where the index cannot be written,
// that is how a note is forgotten. Of a vault that cannot be read the index is all there is.
func (m *Memory) answer(ctx context.Context, s *searcher, a *MemoryAnswer) error {
	if err := m.with(ctx, func(h *handle) error {
		*a = MemoryAnswer{}
		return s.run(ctx, h, a)
	}); err != nil || len(a.Hits) == 0 {
		return err
	}
	root, err := safe.OpenRoot(m.cfg.Vault)
	if err != nil {
		return nil // the vault is away: who searches is told by the look at it
	}
	defer root.Close()
	a.Hits = slices.DeleteFunc(a.Hits, func(h Piece) bool {
		if h.Source != "memory" {
			return false
		}
		_, err := root.Lstat(h.Path)
		return errors.Is(err, fs.ErrNotExist)
	})
	return nil
}

// A searcher is one call of Search.
type searcher struct {
	m     *Memory
	qu    Query
	q     *question
	guess *question // of the caller's guesses; nil without any
	near  float64   // the cosine of the guesses with the question, if meant
	meant bool
	stems *stemmer
	now   time.Time

	span     when // 0: all
	allowed  *allowed
	narrowed bool // by tags or days

	conflicts map[string]string // by path: the other version
	all       bool              // everything is wanted, not the best
	category  string            // of what is wanted
	seeAlso   map[string]string // by path: a newer note that says of a part of it that it is over
}

func (m *Memory) searching(qu Query) (*searcher, error) {
	stems, _ := m.stems.Get().(*stemmer)
	now := m.cfg.Now()
	about, category, all := collects(qu.Text)
	switch {
	case qu.Max <= 0 && all:
		qu.Max = maxCollected
	case qu.Max <= 0:
		qu.Max = DefaultMax
	}
	span, err := spanOf(qu.Since, qu.Before, qu.Between, now)
	if err != nil {
		return nil, err
	}
	for i, tag := range qu.Tags {
		if qu.Tags[i] = tagOf(tag); qu.Tags[i] == "" {
			return nil, fault.New(fault.Usage, "%q is not a tag", tag).Or("a tag is a word, or words joined by / - and _, with or without #")
		}
	}
	rest, tags := tagsOf(about)
	qu.Tags = append(slices.Clone(qu.Tags), tags...)
	qu.Text = rest
	if qu.Speaker != "" {
		qu.Source = "sessions"
	}
	return &searcher{m: m, qu: qu, q: ask(qu.Text, now, stems), guess: askGuesses(qu.Words, now, stems), stems: stems, now: now, span: span, all: all, category: category}, nil
}

// A vectored is the vector of a question, or why there is none.
type vectored struct {
	vector []float32
	why    string
}

func (s *searcher) run(ctx context.Context, h *handle, a *MemoryAnswer) error {
	asked := make(chan vectored, 1)
	if s.qu.Mode != Words {
		s.embed(ctx, asked)
	} else {
		asked <- vectored{}
	}
	return h.read(ctx, func(tx *sql.Tx) error {
		x, err := h.indexed(ctx, tx)
		if err != nil {
			return err
		}
		defer x.close()
		if a.epoch, err = count(ctx, tx, "epoch"); err != nil {
			return err
		}
		building, err := meta(ctx, tx, "building")
		if err != nil {
			return err
		}
		a.Building = building != ""
		found := map[int64]bool{}
		if err := s.q.weigh(&x); err != nil {
			return err
		}
		if err = s.leave(ctx, tx, &x, s.span); err != nil {
			return err
		}
		if s.filtered() {
			return s.everything(ctx, tx, a)
		}
		var vector []float32
		if s.qu.Mode != Words {
			if vector, err = s.vector(ctx, tx, &x, asked, a); err != nil {
				return err
			}
		}
		if err := s.gather(ctx, &x, vector, found); err != nil {
			return err
		}
		if err := s.gatherGuessed(ctx, &x, vector, found); err != nil {
			return err
		}
		if s.span.to == 0 && s.q.when.to != 0 {
			// What was said at the time that is asked about may be far behind what has its words.
			if err = s.leave(ctx, tx, &x, s.q.when); err != nil {
				return err
			}
			if err := s.gather(ctx, &x, vector, found); err != nil {
				return err
			}
			if err = s.leave(ctx, tx, &x, s.span); err != nil {
				return err
			}
		}
		return s.rank(ctx, tx, &x, found, vector, a)
	})
}

// depth is how many candidates each leg gives. What is told of one project unasked needs
// more: in eval/memory one of 167 right notes is lost without.
func (s *searcher) depth() int {
	n := max(20, 3*s.qu.Max)
	if s.qu.Project != "" || s.qu.Own != "" {
		n *= 4
	}
	return n
}

func (s *searcher) kinds() []int {
	switch s.qu.Source {
	case "memory":
		return []int{notes}
	case "sessions":
		return []int{sessions}
	}
	return []int{notes, sessions}
}

func count(ctx context.Context, q store.Querier, key string) (int, error) {
	v, err := meta(ctx, q, key)
	if err != nil {
		return 0, err
	}
	n, _ := strconv.Atoi(v) // it is not there before the first chunk
	return n, nil
}

// nearEnough is how near in meaning what has no word of a question must be, by the root of the
// cosine: that of what has nothing in common is rarely more.
const nearEnough = .35

// rank reads the candidates, scores them and picks the hits.
func (s *searcher) rank(ctx context.Context, tx *sql.Tx, x *indexed, found map[int64]bool, vector []float32, a *MemoryAnswer) error {
	cs, err := s.read(ctx, tx, x, found, vector)
	if err != nil {
		return err
	}
	r := ranking{vector: s.m.cfg.VectorWeight, text: s.m.cfg.TextWeight, halfLife: s.m.cfg.HalfLife.Hours() / 24, today: dayOf(s.now),
		project: cmp.Or(s.qu.Near, s.qu.Own), stems: s.stems, explain: s.qu.Explain}
	switch s.qu.Mode {
	case Words:
		r.vector = 0
	case Meaning:
		r.text = 0
	}
	if r.replaced, err = replaced(ctx, tx); err != nil {
		return err
	}
	if s.conflicts, err = conflicted(ctx, tx); err != nil {
		return err
	}
	least := math.Inf(-1)
	if vector != nil && s.qu.Mode == Hybrid && s.m.cfg.MinScore >= 0 {
		least = nearEnough
	}
	s.seeAlso = addChanged(cs, r.replaced)
	s.weighGuesses(cs, r)
	cs = s.q.rank(cs, r, least)
	s.discount(cs)
	if cs, err = s.addHeirs(ctx, tx, x, cs, r, vector); err != nil {
		return err
	}
	cs = s.orderByDay(s.raiseHeirs(cs))
	s.q.doubtUnnamed(cs)
	cs = slices.DeleteFunc(cs, func(c *candidate) bool { return c.score < s.m.cfg.MinScore })
	var shown []*picked
	if s.all {
		shown, a.Total = s.collect(cs)
	} else {
		shown = s.pick(cs)
	}
	for _, c := range shown {
		a.Hits = append(a.Hits, s.hit(c, r))
	}
	return nil
}

// read reads candidates that may be shown, and compares them with the vector of the question where there is one.
func (s *searcher) read(ctx context.Context, tx *sql.Tx, x *indexed, found map[int64]bool, vector []float32) ([]*candidate, error) {
	cs, err := readCandidates(ctx, tx, slices.Sorted(maps.Keys(found)))
	if err != nil {
		return nil, err
	}
	cs = slices.DeleteFunc(cs, func(c *candidate) bool { return !s.wanted(c) })
	if vector != nil {
		if err := s.fillCosines(x, cs, vector); err != nil {
			return nil, err
		}
		if local, ok := s.m.cfg.Embedder.(embed.Local); ok {
			sharpen(cs, local, vector)
			sharpenAsked(cs, local, vector)
		}
	}
	return cs, nil
}

// variant is the column of the profile that candidates are scored by.
func (s *searcher) variant() rank.Variant {
	return rank.Variant{Kind: rank.Question, Meaning: s.qu.Mode != Words}
}

// ours reports whether what is of a project may be shown.
func (s *searcher) ours(kind int, project string) bool {
	if s.qu.Own != "" && project != s.qu.Own && (project != "" || kind == sessions) {
		return false
	}
	p := s.qu.Project
	return p == "" || strings.EqualFold(project, p) || strings.HasSuffix(strings.ToLower(project), "/"+strings.ToLower(p))
}

// wanted reports whether a candidate may be shown.
func (s *searcher) wanted(c *candidate) bool {
	if !s.ours(c.kind, c.project) {
		return false
	}
	if s.span.to != 0 {
		if d := c.when(); d < s.span.from || d >= s.span.to || d == 0 {
			return false
		}
	}
	return s.qu.Speaker == "" || c.only(speakers[s.qu.Speaker])
}

// addSuccession says which note is in the place of a hit.
func (h *Piece) addSuccession(n *succession) {
	if n.copied {
		h.CopyOf = n.path
		return
	}
	h.Superseded = n.path
	if n.day != 0 {
		h.SupersededOn = timeOf(n.day)
	}
}

// addMarks adds to a hit what a copy of it says of its worth: the reader sees one text for all.
func (s *searcher) addMarks(h *Piece, copied *candidate) {
	if n := copied.newer; n != nil && h.Superseded == "" && n.path != h.Path {
		h.addSuccession(n)
	}
	h.SeeAlso = cmp.Or(h.SeeAlso, s.seeAlso[copied.path])
	h.Conflict = cmp.Or(h.Conflict, s.conflicts[copied.path])
	h.Validity = cmp.Or(h.Validity, copied.standing.says(dayOf(s.now)))
	h.Pinned = h.Pinned || copied.standing.pinned
}

func (s *searcher) hit(p *picked, r ranking) Piece {
	c := p.candidate
	h := Piece{Path: c.path, Source: "memory", First: p.first, Last: p.last, Title: c.title, Heading: c.heading, Category: c.category, Project: c.project,
		Age: -1, Score: c.score, Text: p.text, Also: p.also, Explain: c.breakdown, Matched: s.q.share(c.matched), Cosine: max(0, float64(c.cosine))}
	h.own = p.text
	if c.kind == sessions {
		h.Source = "sessions"
		h.own = withoutTools(p.text, c.speaker)
		h.Repeats = h.own != p.text
	}
	if n := c.newer; n != nil {
		h.addSuccession(n)
	}
	h.SeeAlso, h.Conflict, h.Asks = s.seeAlso[c.path], s.conflicts[c.path], c.onlyAsks()
	h.Validity = c.standing.says(dayOf(s.now))
	for _, copied := range p.copies {
		s.addMarks(&h, copied)
	}
	h.Pinned, h.Importance = c.standing.pinned, c.standing.importance
	if d := c.when(); d != 0 {
		h.Day = timeOf(d)
		h.Age = max(0, dayOf(s.now)-d)
	}
	return h
}
