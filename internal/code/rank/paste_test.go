package rank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/paste"
)

// report is a text of more terms than a plan has room for: its first line is the title, and
// what tells most is at its end.
func report(tail string) string {
	var b strings.Builder
	b.WriteString("Valve leaks under pressure\n\nThe machine was started")
	for i := range 60 {
		fmt.Fprintf(&b, " word%c%c", 'a'+i/8, 'a'+i%8)
	}
	return b.String() + ".\n" + tail
}

func statistics(p *Pasted, rare ...string) Stats {
	st := Stats{Chunks: 1000}
	for _, t := range p.Terms {
		df := 400
		if slices.Contains(rare, t.Text) {
			df = 1
		}
		st.DF = append(st.DF, df)
	}
	return st
}

// A query that fits into a plan is answered as it always was.
func TestShortIsNotPasted(t *testing.T) {
	for _, q := range []string{"", "retry", "how are requests retried?", "two\nlines of words", "Valve.open", strings.Repeat("again ", 500)} {
		if p := Parse(q, Hybrid).Pasted(); p != nil {
			t.Errorf("%q is taken for a pasted text", q)
		}
	}
	// One that names a line keeps its terms.
	short := Parse("panic at valve/open.go:12", Hybrid)
	p := short.Pasted()
	if p == nil {
		t.Fatal("a line of a file is not seen")
	}
	plan := p.Plan(short, Stats{})
	if len(plan.Places) == 0 || plan.Places[0].Line != 12 || !slices.Equal(plan.Terms, short.Terms) || plan.Kind != short.Kind || plan.full != short.full || len(plan.Meanings) != 0 {
		t.Errorf("%+v, of %+v", plan, short)
	}
}

// Of a long text those terms are asked for that are rare, frequent in it, and in fields
// that tell, wherever they are.
func TestTermsByInformation(t *testing.T) {
	short := Parse(report("It says `drainPipe` of zebra, zebra and gnu; gnat is not known here.\n"), Semantic)
	p := short.Pasted()
	st := statistics(p, "zebra", "gnu", "drainpip", "drainpipe")
	for i, term := range p.Terms {
		if term.Text == "gnat" {
			st.DF[i] = 0
		}
	}
	plan := p.Plan(short, st)
	if len(plan.Terms) != corpus.MaxTerms || len(plan.From) != len(plan.Terms) || plan.Kind != Question || plan.Mode != Semantic || plan.cut {
		t.Fatalf("%+v", plan)
	}
	var got []string
	for _, term := range plan.Terms {
		got = append(got, term.Text)
	}
	if want := []string{"drainpipe", "zebra", "gnu"}; !slices.Equal(got[:3], want) {
		t.Errorf("%q, want first %q", got, want)
	}
	for _, w := range []string{"valv", "leak", "pressur"} { // of the title
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, w) }) {
			t.Errorf("%s of the title is not among %q", w, got)
		}
	}
	if slices.Contains(got, "gnat") {
		t.Error("what is nowhere is asked for")
	}
	if from := plan.From[0]; !slices.Equal(from, []paste.Field{paste.Identifier}) {
		t.Errorf("drainpipe is from %v", from)
	}
	exact := slices.Index(got, "=drainPipe")
	if plan.full&1 == 0 || plan.full&plan.extra != 0 || exact < 0 || plan.exact != 1<<exact || plan.extra>>exact&1 == 0 {
		t.Errorf("full %b, extra %b, exact %b, terms %q", plan.full, plan.extra, plan.exact, got)
	}
	if len(plan.Meanings) != 2 || !strings.HasPrefix(plan.Meanings[0].Text, "Valve leaks") || strings.Contains(plan.Meanings[1].Text, "Valve") || plan.Meanings[0].Weight <= plan.Meanings[1].Weight {
		t.Errorf("%+v", plan.Meanings)
	}
	// A text without a word that the corpus has keeps the short plan's.
	if none := p.Plan(short, Stats{Chunks: 1000, DF: make([]int, len(p.Terms))}); !slices.Equal(none.Terms, short.Terms) {
		t.Errorf("%+v", none.Terms)
	}
}

// Each field's words count what the profile says.
func TestFieldWeights(t *testing.T) {
	text := report("It says `tapir`.\n```\nokapi()\n```\nquagga\n\nValueError: zorilla\n  File \"/x/numbat.py\", line 3, in kudu\n")
	weights := map[string]float32{}
	p := Parse(text, Hybrid).Pasted()
	for _, term := range p.Terms {
		weights[term.Text] = term.Weight
	}
	profile := Code()
	for word, constant := range map[string][]string{"leak": {"word of a title"}, "okapi": {"word of code"}, "quagga": {"word of prose"},
		"zorilla": {"word of a message"}, "numbat": {"word of a path"}, "kudu": {"function of a frame"}, "tapir": {"word of prose", "identifier in prose"}} {
		var want float64
		for _, c := range constant {
			want += profile.Constant(c)
		}
		if got := weights[word]; got != float32(want) {
			t.Errorf("%s weighs %v, want %v: %v", word, got, want, constant)
		}
	}
	// Words of two letters count, and what begins with a digit does not.
	weights = map[string]float32{}
	for _, term := range Parse(report("db 9lives x\n"), Hybrid).Pasted().Terms {
		weights[term.Text] = term.Weight
	}
	if weights["db"] == 0 || weights["9lives"] != 0 || weights["x"] != 0 {
		t.Errorf("db weighs %v, 9lives %v, x %v", weights["db"], weights["9lives"], weights["x"])
	}
	// A part of a name counts less than a word, and a number in it not at all.
	weights = map[string]float32{}
	for _, term := range Parse(report("```\nokapiHouse95\n```\n"), Hybrid).Pasted().Terms {
		weights[term.Text] = term.Weight
	}
	if got, want := weights["hous"], float32(profile.Constant("word of code")*profile.Constant("subword")); got != want || weights["95"] != 0 || weights["okapihouse95"] == 0 {
		t.Errorf("a part weighs %v, want %v, and 95 %v", got, want, weights["95"])
	}
	for _, term := range Parse(report("quagga quagga"), Hybrid).Pasted().Terms {
		if once := float32(profile.Constant("word of prose")); term.Text == "quagga" && (term.Weight <= once || term.Weight >= 2*once) {
			t.Errorf("twice: %v", term.Weight)
		}
	}
}

// The work on a text is bounded, whatever it has.
func TestManyTerms(t *testing.T) {
	var b strings.Builder
	b.WriteString("A title\n\n")
	for i := range 40_000 {
		fmt.Fprintf(&b, "w%dx%d\n", i, i)
	}
	p := Parse(b.String(), Hybrid).Pasted()
	if p == nil || len(p.Terms) != mostWeighed || p.Omitted == 0 {
		t.Fatalf("%d terms", len(p.Terms))
	}
	kept := map[string]bool{}
	for _, term := range p.Terms {
		kept[term.Text] = true
	}
	if len(kept) != mostWeighed || !kept["titl"] {
		t.Errorf("kept are %d distinct terms, of the title %v", len(kept), kept["titl"])
	}
	for _, m := range p.meanings(b.String()) {
		if len(m.Text) > mostTold {
			t.Errorf("%d bytes are looked for by meaning", len(m.Text))
		}
	}
}

func TestMeant(t *testing.T) {
	c := corpus.Chunk{Lines: corpus.Range{First: 10, Last: 20}, Scope: "Store.Cache", Symbols: []corpus.Symbol{{Name: "evict"}}}
	frame := func(line int, name string, deep int) []Named {
		return []Named{{Place: paste.Place{Line: line, Name: name, Sort: paste.Traced, Deep: deep}, Share: 1}}
	}
	profile := Code()
	function, line, further := profile.Constant("place by its function alone"), profile.Constant("place by its line alone"), profile.Constant("frame further out")
	for _, tc := range []struct {
		places   []Named
		file, at float64
	}{
		{nil, 0, 0},
		{frame(12, "evict", 0), 1, 1}, {frame(12, "Cache", 0), 1, 1}, {frame(12, "", 0), 1, 1},
		{frame(99, "evict", 0), 1, function}, {frame(12, "other", 0), 1, line}, {frame(99, "other", 0), 1, 0}, {frame(0, "", 0), 1, 0},
		{frame(12, "evict", 2), further * further, further * further},
		{append(frame(12, "evict", 2), frame(99, "", 0)...), 1, further * further},
		{[]Named{{Place: paste.Place{Sort: paste.Mention}, Share: .5}}, profile.Constant("place mentioned") / 2, 0},
		{[]Named{{Place: paste.Place{Sort: paste.Module}, Share: 1}}, profile.Constant("place of a module"), 0},
		{[]Named{{Place: paste.Place{Sort: paste.Changed, Line: 10}, Share: 1}}, profile.Constant("place of a diff"), profile.Constant("place of a diff")},
	} {
		file, at := Meant(tc.places, c)
		if file != float32(tc.file) || at != float32(tc.at) {
			t.Errorf("%+v: %v, %v, want %v, %v", tc.places, file, at, tc.file, tc.at)
		}
	}
}

// What has neither a title nor sentences is looked for by meaning as it is.
func TestMeaningOfCode(t *testing.T) {
	query := "```\n" + strings.Repeat("okapi(tapir, quagga)\n", 3) + "```"
	if got := unpack(paste.Read(query)).meanings(query); len(got) != 1 || got[0].Text != query || got[0].Weight != 1 {
		t.Errorf("%+v", got)
	}
}

// BenchmarkPasted reads an issue of 4,000 bytes and chooses its terms.
func BenchmarkPasted(b *testing.B) {
	text := report(strings.Repeat("  File \"/x/y/numbat.py\", line 3, in kudu\n    okapi(tapir, quagga)\nIt says `drainPipe` of zebra.\n", 40))[:4000]
	b.ReportAllocs()
	for b.Loop() {
		short := Parse(text, Hybrid)
		p := short.Pasted()
		p.Plan(short, Stats{Chunks: 1000, DF: make([]int, len(p.Terms))})
	}
}
