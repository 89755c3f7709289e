package engine_test

import (
	"context"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/rank"
)

// guessTree has a file whose words nobody asks for, beside some that have those of the question.
func guessTree(t *testing.T) *engine.View {
	t.Helper()
	tr := newTree(t, map[string]string{
		"net/backoff.py":    "def requeue_with_backoff(job):\n    job.pause *= 2\n    queue.put(job)\n",
		"net/server.py":     "# a destination that failed is printed\ndef print_failed(destination):\n    print(destination)\n",
		"ui/button.py":      "def draw_button(label):\n    return label\n",
		"ui/line.py":        "# put a line between two rows\ndef draw_line(row):\n    return row\n",
		"store/snapshot.py": "class SnapshotWriter:\n    def write_snapshot(self, tree):\n        return tree\n",
	})
	e := tr.open()
	sync(t, e)
	return viewOf(t, e, engine.Options{})
}

func guessed(t *testing.T, v *engine.View, query string, words ...string) (paths []string, hits []engine.Hit) {
	t.Helper()
	plan, err := v.Plan(query, rank.Hybrid, words...)
	if err != nil {
		t.Fatal(err)
	}
	a, err := v.Search(context.Background(), engine.Query{Plan: plan, Most: 10, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range a.Hits {
		paths = append(paths, h.Doc.Path)
	}
	return paths, a.Hits
}

func TestGuesses(t *testing.T) {
	v := guessTree(t)
	const query = "where is a failed destination put back in line and tried again"
	alone, _ := guessed(t, v, query)
	if alone[0] == "net/backoff.py" {
		t.Fatalf("the question alone finds %q first: it proves nothing", alone[0])
	}
	right, hits := guessed(t, v, query, "retry requeue_with_backoff backoff.py")
	if right[0] != "net/backoff.py" {
		t.Errorf("with a right guess the hits are %q, want net/backoff.py first", right)
	}
	if !slices.ContainsFunc(hits[0].Breakdown, func(s rank.Signal) bool { return s.Name == "guessed words" && s.Adds > 0 }) {
		t.Errorf("the breakdown %v has no guessed words", hits[0].Breakdown)
	}
	absent, _ := guessed(t, v, query, "zygote", "quuxFrobnicator", "nowhere.go")
	if !slices.Equal(absent, alone) {
		t.Errorf("with guesses that nothing has the hits are %q, without %q", absent, alone)
	}
}

// A wrong guess must not put a file of another matter before the one that the question names.
func TestGuessesOfAnotherQuestion(t *testing.T) {
	v := guessTree(t)
	first, _ := guessed(t, v, "print a failed destination", "draw_button")
	if first[0] != "net/server.py" {
		t.Errorf("a wrong guess puts %q first, want net/server.py, which the question names", first[0])
	}
}
