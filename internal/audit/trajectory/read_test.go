package trajectory_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/audit/trajectory"
)

// logOf returns a log that has a file of that name and text.
func logOf(t *testing.T, name, text string) trajectory.Log {
	t.Helper()
	l, _ := trajectory.Open(t.TempDir(), "")
	put(t, l, name, text)
	return l
}

func put(t *testing.T, l trajectory.Log, name, text string) {
	t.Helper()
	if err := os.MkdirAll(l.Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.Dir(), name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Other programs name the fields of a line differently; each dialect says the same.
func TestReadDialects(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		line string
		want trajectory.Entry
	}{
		{`{"ts":"2026-01-02T03:04:05Z","agent":"me","phase":"execute","action":"search","query":"q","result_count":3}`, trajectory.Entry{Time: at, Agent: "me", Phase: "execute", Action: "search", Query: "q", Count: 3}},
		{`{"timestamp":"2026-01-02T03:04:05","action":"result","original_query":"q","results":0}`, trajectory.Entry{Time: at, Agent: "other", Phase: "result", Action: "result", Query: "q"}},
		{`{"time":"2026-01-02 03:04:05","type":"pivot","query1":"q","results_count":7.9}`, trajectory.Entry{Time: at, Agent: "other", Phase: "pivot", Query: "q", Count: 7}},
		{`{"ts":"yesterday","phase":"intent","result_count":-1,"results":"many"}`, trajectory.Entry{Agent: "other", Phase: "intent", Count: -1}},
		{`{"ts":"2026-01-02T03:04:05+01:00","result_count":null,"results":[1,2]}`, trajectory.Entry{Time: at.Add(-time.Hour), Agent: "other", Count: -1}},
		{`{"phase":"execute","result_count":1e300}`, trajectory.Entry{Agent: "other", Phase: "execute", Count: 1 << 30}}, // more than fits is many, not unsaid
	} {
		r, err := logOf(t, "other-2026-01-02.jsonl", tt.line).Read("")
		if err != nil || len(r.Entries) != 1 {
			t.Fatalf("%s: %+v, %v", tt.line, r, err)
		}
		got := r.Entries[0]
		if len(got.Fields) == 0 || got.File != "other-2026-01-02.jsonl" || got.Line != 1 || !got.Time.Equal(tt.want.Time) {
			t.Errorf("%s: %+v", tt.line, got)
		}
		got.Fields, got.File, got.Line, got.Time, tt.want.Time = nil, "", 0, time.Time{}, time.Time{}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.line, got, tt.want)
		}
	}
}

// A log is read by time, whichever file a line is in, and of one agent where one is named;
// lines of one time stay in the order in which they were written.
func TestReadOrder(t *testing.T) {
	l := logOf(t, "b-2026-01-02.jsonl", `{"ts":"2026-01-02T03:00:00Z","query":"2"}`+"\n"+`{"ts":"2026-01-02T03:00:00Z","query":"3"}`+"\nno\n")
	put(t, l, "a-2026-01-02.jsonl", `{"ts":"2026-01-02T04:00:00Z","query":"4"}`+"\n"+`{"query":"1"}`+"\n")
	put(t, l, "notes.txt", "no")
	read := func(agent string) (queries string, r *trajectory.Reading) {
		r, err := l.Read(agent)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Entries {
			queries += e.Query
		}
		return queries, r
	}
	got, all := read("")
	if got != "1234" || all.Lines != 5 || len(all.Bad) != 1 || all.Loss() != .2 {
		t.Errorf("%q of %d lines, bad %v, loss %v", got, all.Lines, all.Bad, all.Loss())
	}
	if got, r := read("b"); got != "23" || r.Lines != 5 {
		t.Errorf("of one agent %q of %d lines", got, r.Lines)
	}
	none, _ := trajectory.Open(t.TempDir(), "")
	if r, err := none.Read(""); err != nil || r.Loss() != 0 || len(r.Entries) > 0 {
		t.Errorf("a log that is not there: %+v, %v", r, err)
	}
	if _, err := (trajectory.Log{}).Read(""); err == nil {
		t.Error("a project that is not there was read")
	}
}

// What a log cites is compared without the claim: the same quote may support several.
func TestCitations(t *testing.T) {
	r, err := logOf(t, "a-2026-01-02.jsonl", `{"phase":"cite","citations":[{"claim":"one","code":"x := 1","path":"/p/a.go","line":3},{"claim":"two","code":"x := 1","path":"/p/a.go","line":3}]}
{"phase":"cite","citations":[{"claim":"one","code":"y","path":"/p/b.go","line":4}]}
{"phase":"cite","citations":"of another program"}
{"phase":"intent"}
`).Read("")
	if err != nil {
		t.Fatal(err)
	}
	want := map[trajectory.Citation]bool{{Code: "x := 1", Path: "/p/a.go", Line: 3}: true, {Code: "y", Path: "/p/b.go", Line: 4}: true}
	if got := r.Citations(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestReasonedAndTooWide(t *testing.T) {
	for line, want := range map[string][2]bool{
		`{"phase":"intent"}`: {},
		`{"phase":"intent","intent":"","rationale":1,"expected_outcome":null}`:    {},
		`{"phase":"intent","intent":"x"}`:                                         {true, false},
		`{"phase":"intent","rationale":"x"}`:                                      {true, false},
		`{"phase":"intent","expected_outcome":"x","result_count":51}`:             {true, true},
		`{"phase":"result","action":"search","result_count":50}`:                  {},
		`{"phase":"result","action":"search","result_count":51}`:                  {false, true},
		`{"phase":"result","action":"audit","result_count":5000}`:                 {}, // its findings are its result
		`{"phase":"result","action":"search","result_count":9007199254740993000}`: {false, true},
	} {
		r, err := logOf(t, "a-2026-01-02.jsonl", line).Read("")
		if err != nil || len(r.Entries) != 1 {
			t.Fatalf("%s: %+v, %v", line, r, err)
		}
		if e := &r.Entries[0]; [2]bool{e.Reasoned(), e.TooWide()} != want {
			t.Errorf("%s: reasoned %v and too wide %v, want %v", line, e.Reasoned(), e.TooWide(), want)
		}
	}
}

// A search that was too wide waits for a pivot, until one is written or a later search of
// the same agent and day was narrow enough.
func TestPending(t *testing.T) {
	day := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	const wide, narrow = `{"phase":"execute","action":"search","query":"wide","result_count":51}`, `{"phase":"execute","action":"search","query":"narrow","result_count":50}`
	for _, tt := range []struct {
		lines   []string
		query   string
		count   int
		pending bool
	}{
		{nil, "", 0, false},
		{[]string{narrow}, "narrow", 50, false},
		{[]string{narrow, wide}, "wide", 51, true},
		{[]string{wide, narrow}, "narrow", 50, false},
		{[]string{wide, `{"phase":"pivot"}`}, "", 0, false},
		{[]string{`{"phase":"pivot"}`, wide}, "wide", 51, true},
		{[]string{wide, `{"phase":"intent"}`, `{"phase":"result","action":"audit","result_count":2}`, `{"phase":"result"}`, "no line"}, "wide", 51, true},
	} {
		text := ""
		for _, line := range tt.lines {
			text += line + "\n"
		}
		l := logOf(t, "a_b-2026-01-02.jsonl", text)
		if query, count, pending := l.Pending("a/b", day); query != tt.query || count != tt.count || pending != tt.pending {
			t.Errorf("%v: %q %d %v", tt.lines, query, count, pending)
		}
		if _, _, pending := l.Pending("c", day); pending {
			t.Errorf("%v: another agent's search is pending", tt.lines)
		}
		if _, _, pending := l.Pending("a/b", day.AddDate(0, 0, 1)); pending {
			t.Errorf("%v: the search of the day before is pending", tt.lines)
		}
	}
	if _, _, pending := (trajectory.Log{}).Pending("a", day); pending {
		t.Error("a search is pending in a project that is not there")
	}
}

// A file is removed when its day is wholly before the time; one whose name says no day, by
// its last change. What is no file of the log stays.
func TestPrune(t *testing.T) {
	before := time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)
	l := logOf(t, "a-2026-02-02.jsonl", "{}")
	for _, name := range []string{"a-2026-02-01.jsonl", "2026-01-31.jsonl", "b-2026-02-03.jsonl", "old.jsonl", "new.jsonl", "old.txt"} {
		put(t, l, name, "{}")
	}
	old, young := before.Add(-time.Second), before.Add(time.Second)
	for name, at := range map[string]time.Time{"old.jsonl": old, "old.txt": old, "new.jsonl": young, "a-2026-02-01.jsonl": young, "b-2026-02-03.jsonl": old} {
		if err := os.Chtimes(filepath.Join(l.Dir(), name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(l.Dir(), "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	gone, err := l.Prune(before.Add(-time.Nanosecond))
	if want := []string{"2026-01-31.jsonl", "a-2026-02-01.jsonl", "old.jsonl"}; err != nil || !slices.Equal(gone, want) {
		t.Errorf("a moment before the day is over %q, %v, want %q", gone, err, want)
	}
	if gone, err = l.Prune(before.Add(time.Nanosecond)); err != nil || !slices.Equal(gone, []string{"a-2026-02-02.jsonl"}) {
		t.Errorf("a moment after it %q, %v", gone, err)
	}
	var left []string
	list, err := os.ReadDir(l.Dir())
	for _, e := range list {
		left = append(left, e.Name())
	}
	if want := []string{"b-2026-02-03.jsonl", "folder.jsonl", "new.jsonl", "old.txt"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left %q, %v, want %q", left, err, want)
	}
	none, _ := trajectory.Open(t.TempDir(), "")
	if gone, err := none.Prune(before); gone != nil || err != nil {
		t.Errorf("of a log that is not there %q, %v", gone, err)
	}
}

// Only an index that knew everything answers with high precision, and only one that had it
// all before the question is said to have been asked from a cache.
func TestQuality(t *testing.T) {
	for got, want := range map[trajectory.Quality]trajectory.Quality{
		*trajectory.Indexed(true, true):   {"ck", "high", true},
		*trajectory.Indexed(true, false):  {"ck", "high", false},
		*trajectory.Indexed(false, true):  {"ck", "medium", false},
		*trajectory.Indexed(false, false): {"ck", "medium", false},
		*trajectory.Scanned():             {"grep", "medium", false},
	} {
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
