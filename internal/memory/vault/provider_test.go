package vault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

// A fake gives sessions.
type fake struct {
	agent    string
	mu       sync.Mutex
	sessions []*transcript.Session
	skipped  int
}

func (f *fake) Agent() string   { return f.agent }
func (f *fake) Watch() []string { return nil }

func (f *fake) List(ctx context.Context) (refs []transcript.Ref, skipped int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.sessions {
		refs = append(refs, s.Ref)
	}
	return refs, f.skipped, ctx.Err()
}

func (f *fake) Read(_ context.Context, ref transcript.Ref) (*transcript.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.sessions {
		if s.ID == ref.ID {
			return s, nil
		}
	}
	return nil, fault.New(fault.NotFound, "no session %s", ref.ID)
}

func talk(agent, id, title string, turns ...string) *transcript.Session {
	at := time.Date(2025, 11, 3, 10, 0, 0, 0, time.UTC)
	s := &transcript.Session{Ref: transcript.Ref{Agent: agent, ID: id, Title: title, Updated: at, Stamp: fmt.Sprint(len(turns))}, Created: at}
	for i, text := range turns {
		role := transcript.User
		if i%2 == 1 {
			role = transcript.Assistant
		}
		s.Turns = append(s.Turns, transcript.Turn{Role: role, Text: text, Time: at})
	}
	return s
}

func TestSessions(t *testing.T) {
	src := &fake{agent: "codex", sessions: []*transcript.Session{talk("codex", "one", "Pangolin cache", "Why is the pangolin cache cold?", "Because it is emptied each hour.")}}
	m := fresh(t, func(c *Config) { c.Sources = []transcript.Source{src} })
	if r := sync1(t, m); r.Sessions != 1 || r.Changed != 1 {
		t.Fatalf("%+v", r)
	}
	if r := sync1(t, m); r.Changed != 0 {
		t.Errorf("%+v", r)
	}
	if got := paths(t, m, Query{Text: "pangolin cache"}); !slices.Equal(got, []string{"session:codex/one"}) {
		t.Errorf("%v", got)
	}
	if got := paths(t, m, Query{Text: "pangolin cache", Source: "memory"}); len(got) != 0 {
		t.Errorf("%v", got)
	}
	x, err := m.Get(context.Background(), "session:codex/one", 3, 3)
	if err != nil || x.Text != "User: Why is the pangolin cache cold?" {
		t.Errorf("%+v %v", x, err)
	}
	src.mu.Lock()
	src.sessions[0] = talk("codex", "one", "Pangolin cache", "Why is the pangolin cache cold?", "Because it is emptied each hour.", "And the quokka?", "Never.")
	src.mu.Unlock()
	if r := sync1(t, m); r.Changed != 1 {
		t.Errorf("%+v", r)
	}
	if got := paths(t, m, Query{Text: "quokka"}); len(got) != 1 {
		t.Errorf("%v", got)
	}
	// One that could not be looked at may still be there.
	src.mu.Lock()
	src.sessions, src.skipped = nil, 1
	src.mu.Unlock()
	sync1(t, m)
	if got := paths(t, m, Query{Text: "quokka"}); len(got) != 1 {
		t.Errorf("%v", got)
	}
	src.mu.Lock()
	src.skipped = 0
	src.mu.Unlock()
	sync1(t, m)
	if got := paths(t, m, Query{Text: "quokka"}); len(got) != 0 {
		t.Errorf("%v", got)
	}
	consistent(t, m)
	if _, err := m.Get(context.Background(), "session:codex/none", 0, 0); kind(err) != fault.NotFound {
		t.Error(err)
	}
}

var errDown = errors.New("the service is down")

// A remote is a provider that is asked over a network: it counts, fails, and hangs.
type remote struct {
	name  string
	mu    sync.Mutex
	asked int
	fail  bool
	hang  bool
	hangs chan struct{} // is sent each question that hangs; nil: none
	inner embed.Local
}

func (r *remote) Name() string { return r.name }
func (r *remote) Dims() int    { return r.inner.Dims() }
func (r *remote) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	r.mu.Lock()
	fail, hang := r.fail, r.hang
	r.asked += len(texts)
	r.mu.Unlock()
	if hang {
		if r.hangs != nil {
			r.hangs <- struct{}{}
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if fail {
		return nil, errDown
	}
	return r.inner.Embed(ctx, texts)
}

func (r *remote) set(fail, hang bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail, r.hang = fail, hang
}

func (r *remote) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}

// With a provider that is down, keyword search answers and says so; vectors are
// made once it is back, and never twice.
func TestProvider(t *testing.T) {
	p := &remote{name: "remote/a", inner: static(t).(embed.Local), fail: true}
	m := fresh(t, func(c *Config) { c.Embedder = p; c.Patience = 50 * time.Millisecond })
	write(t, m, "a.md", "An aardvark eats ants.")
	write(t, m, "b.md", "Pipes are cleaned in spring.")
	if r := sync1(t, m); r.Pending != 2 || r.Degraded == "" {
		t.Errorf("%+v", r)
	}
	ctx := context.Background()
	a, err := m.Search(ctx, Query{Text: "aardvark"})
	if err != nil || len(a.Hits) != 1 || a.Degraded == "" {
		t.Errorf("%+v %v", a, err)
	}
	before := p.count()
	if _, err := m.Search(ctx, Query{Text: "aardvark", Wait: true}); err != nil || p.count() != before {
		t.Errorf("a search had %d texts embedded by a provider that is down, %v", p.count()-before, err)
	}
	p.set(false, false)
	if r := sync1(t, m); r.Pending != 0 || r.Embedded != 2 {
		t.Errorf("%+v", r)
	}
	m.backedOff = time.Time{}
	if a, err := m.Search(ctx, Query{Text: "aardvark"}); err != nil || len(a.Hits) == 0 || a.Degraded != "" {
		t.Errorf("%+v %v", a, err)
	}
	p.set(false, true)
	if a, err := m.Search(ctx, Query{Text: "aardvark"}); err != nil || len(a.Hits) == 0 || a.Degraded == "" {
		t.Errorf("%+v %v", a, err)
	}
	p.set(false, false)
	before = p.count()
	if _, err := m.Sync(ctx, SyncOptions{Full: true}); err != nil {
		t.Fatal(err)
	}
	if n := p.count() - before; n != 0 {
		t.Errorf("a rebuild asked for %d vectors", n)
	}
	// Another provider's vectors are of no use to this one.
	q := &remote{name: "remote/b", inner: static(t).(embed.Local)}
	cfg := m.cfg
	cfg.Embedder = q
	n := Open(cfg)
	defer n.Close()
	if a, err := n.Search(ctx, Query{Text: "aardvark"}); err != nil || len(a.Hits) != 1 || !strings.Contains(a.Degraded, "2 of 2") {
		t.Errorf("%+v %v", a, err)
	}
	if r, err := n.Sync(ctx, SyncOptions{}); err != nil || r.Embedded != 2 || r.Changed != 0 {
		t.Errorf("%+v %v", r, err)
	}
	if a, err := n.Search(ctx, Query{Text: "aardvark"}); err != nil || a.Degraded != "" {
		t.Errorf("%+v %v", a, err)
	}
}

// A question that was given up says nothing of the provider: the next one asks it.
func TestGivenUp(t *testing.T) {
	p := &remote{name: "remote/a", inner: static(t).(embed.Local), hangs: make(chan struct{}, 1)}
	m := fresh(t, func(c *Config) { c.Embedder = p; c.Patience = time.Hour })
	write(t, m, "a.md", "An aardvark eats ants.")
	sync1(t, m)
	p.set(false, true)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = m.Search(ctx, Query{Text: "aardvark"}) // it may have an answer in words by then
	}()
	<-p.hangs
	stop()
	<-done
	p.set(false, false)
	if a, err := m.Search(t.Context(), Query{Text: "aardvark"}); err != nil || len(a.Hits) != 1 || a.Degraded != "" {
		t.Errorf("after a question that was given up: %+v %v", a, err)
	}
}

func TestWithoutProvider(t *testing.T) {
	m := fresh(t, func(c *Config) { c.Embedder = nil })
	write(t, m, "a.md", "An aardvark eats ants.")
	write(t, m, "b.md", "認証の設定を変更した。")
	write(t, m, "c.md", "Die Datenbankverbindung bricht ab.")
	for q, want := range map[string]string{"ants for an aardvark": "a.md", "認証": "b.md", "設定変更": "b.md", "Verbindung": "c.md", "Datenbankverbindungen": "c.md"} {
		if got := paths(t, m, Query{Text: q, Wait: true}); len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %v, want %s", q, got, want)
		}
	}
	for _, q := range []string{"", "???", "\"", "AND OR NOT", "a* OR (", strings.Repeat("word ", 5000)} {
		if _, err := m.Search(context.Background(), Query{Text: q}); err != nil {
			t.Errorf("%.20q: %v", q, err)
		}
	}
}
