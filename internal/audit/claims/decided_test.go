package claims

import (
	"hash/fnv"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

// itself is this project's documents beside a part of its code, so that some statements have code and some have none.
func itself(t *testing.T) *Tree {
	t.Helper()
	tree := reread(t, "../../..")
	tree.Keep(func(path string) bool {
		return path == "README.md" || strings.HasPrefix(path, "docs/") || (strings.HasPrefix(path, "internal/audit/") || strings.HasPrefix(path, "internal/memory/") || strings.HasPrefix(path, "internal/docs/library/")) && !strings.HasSuffix(path, "_test.go")
	})
	return tree
}

// hashed is a model that knows nothing: a word is near a few others by chance.
func hashed() *Model {
	return &Model{Dims: 8, Embed: func(dst []float32, text []byte) {
		h := fnv.New64a()
		_, _ = h.Write(text)
		sum, length := h.Sum64(), 0.0
		for i := range dst {
			dst[i] = float32(int8(sum >> (8 * i)))
			length += float64(dst[i]) * float64(dst[i])
		}
		for i := range dst {
			dst[i] /= float32(math.Sqrt(length) + 1)
		}
	}}
}

// Whoever wants ghosts alone is told of each feature what a whole judgement says, and of what is no ghost its class.
func TestSeekIsJudge(t *testing.T) {
	tree := itself(t)
	for name, m := range map[string]*Model{"words": nil, "model": hashed()} {
		a := New(tree, nil, m)
		features, _ := a.Features()
		short, classes := 0, map[Class]int{}
		for _, f := range features {
			want, err := a.Judge(t.Context(), f, "")
			if err != nil {
				t.Fatal(err)
			}
			got, err := a.Seek(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			classes[want.Class]++
			if got.Class == Found && want.Class == Found {
				if len(got.Evidence) == 0 {
					short++
				}
				continue
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q is %+v, want %+v", name, f.Text, got, want)
			}
		}
		if short < 100 || len(classes) < 3 {
			t.Errorf("%s: %d were decided at once, of %v", name, short, classes)
		}
	}
}

// What a spot comes to is the better of what its own lines and what its surroundings come to, whatever the profile
// weighs: of finds this skips what is worse than what they have.
func TestOwnAndAround(t *testing.T) {
	a := New(itself(t), nil, nil)
	n := 0
	for _, text := range []string{"reads the history of a project", "`Gather` makes evidence", "an index is committed to SQLite"} {
		terms := a.terms(wordsOf(text), true)
		s := a.ev.score(terms)
		best := make([]Match, 0, 8)
		s.each(func(i int) {
			n++
			want, m := s.of(i)
			if got := min(1, max(s.own(int32(i)), s.around(a.ev.spots[i].file))); got != want {
				t.Fatalf("%q: spot %d is %v, want %v", text, i, got, want)
			}
			// The obvious way: all, in order, a better one before those that it is better than.
			at := len(best)
			for at > 0 && (best[at-1].Score < want || best[at-1].Score == want && best[at-1].values[rank.ClaimsHere] < m[rank.ClaimsHere]) {
				at--
			}
			h := Match{Score: want, values: m}
			h.stand(a.ev, i)
			best = append(best[:at], append([]Match{h}, best[at:]...)...)
		})
		s.release()
		if got := a.ev.find(terms, 5, 0); !reflect.DeepEqual(got, best[:5]) {
			t.Errorf("%q: found %+v, want %+v", text, got, best[:5])
		}
	}
	if n < 100 {
		t.Errorf("%d spots were looked at", n)
	}
}

// What the code lacks, or has only by the way, is judged whole.
func TestSeekOfFew(t *testing.T) {
	a := New(write(t, map[string]string{
		"wire.go": "package wire\n\n// OpenWire opens a wire.\nfunc OpenWire() {}\n",
		"README.md": "# Features\n\n- Opens lattices of frobnicated quantum tokens\n- FR-2: Wire lattices hourly\n- `closeLattice()` opens the wire nightly\n" +
			"- `OpenWire` lattices of quantum tokens\n- Opens the wire\n- Opens a wire and opens the wire with QuicXt\n",
	}), nil, nil)
	features, _ := a.Features()
	classes := map[Class]int{}
	for _, f := range features {
		want, err := a.Judge(t.Context(), f, "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Seek(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if classes[want.Class]++; got.Class != want.Class || want.Class != Found && !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %+v, want %+v", f.Text, got, want)
		}
	}
	if len(features) < 6 || classes[Found] < 2 || len(features)-classes[Found] < 3 {
		t.Errorf("%d features: %v", len(features), classes)
	}
}
