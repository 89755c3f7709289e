package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/embed/static"
)

// writePairs writes pairs that say the same in two made-up languages.
func writePairs(t *testing.T, n int) string {
	var b strings.Builder
	for i := range n {
		a, c := i%37, i*7%41
		fmt.Fprintf(&b, "doc-code\tgo\tg%d\tquery%c word%c%c\ttext%c code%c%c common\n", i%5, 'a'+a%26, 'a'+c%26, 'a'+c/26, 'a'+a%26, 'a'+c%26, 'a'+c/26)
	}
	name := filepath.Join(t.TempDir(), "pairs.tsv")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestTrain(t *testing.T) {
	pairs := writePairs(t, 1500)
	train := func() []byte {
		out := filepath.Join(t.TempDir(), "model")
		err := runTrain([]string{"-pairs", pairs, "-out", out, "-dims", "32", "-batch", "64", "-run", "4", "-epochs", "3", "-least", "2", "-buckets", "50", "-rate", "0.02"}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	data := train()
	if !bytes.Equal(data, train()) {
		t.Error("the same pairs and seed make another model")
	}
	m, err := static.Open(string(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	q, own, other := make([]float32, m.Dims), make([]float32, m.Dims), make([]float32, m.Dims)
	m.Embed(q, []byte("queryb wordca"))
	m.Embed(own, []byte("textb codeca common"))
	m.Embed(other, []byte("textk codeja common"))
	if a, b := vec.Dot(q, own), vec.Dot(q, other); a < b+.3 {
		t.Errorf("the own text is at %.2f, another at %.2f", a, b)
	}
}

// The gradient that a step computes is the slope of the loss.
func TestGradient(t *testing.T) {
	v := static.NewVocabulary([]string{"a", "b", "c", "d", "e", "f"}, 0)
	e := &examples{}
	for _, p := range [][2]string{{"a b", "c d d"}, {"b c", "e f"}, {"a e", "d f a"}} {
		e.queries.add(&v, p[0], 9)
		e.texts.add(&v, p[1], 9)
		e.groups = append(e.groups, 0)
	}
	batch := []int{0, 1, 2}
	l := newLearner(6, 32, .3)
	for i := range l.rows {
		l.rows[i] = float32(math.Sin(float64(i*i+1))) * .3
	}
	lossAt := func() float64 {
		c := newLearner(6, 32, .3)
		copy(c.rows, l.rows)
		return c.step(e, batch, 0)
	}
	g := newLearner(6, 32, .3)
	copy(g.rows, l.rows)
	g.step(e, batch, 0)
	for _, i := range []int{0, 5, 40, 77, 130, 190} {
		const h = 1e-2
		was := l.rows[i]
		l.rows[i] = was + h
		up := lossAt()
		l.rows[i] = was - h
		down := lossAt()
		l.rows[i] = was
		slope := (up - down) / (2 * h)
		if got := float64(g.mean[i]) / (1 - beta1); math.Abs(got-slope) > .01+.05*math.Abs(slope) {
			t.Errorf("row number %d: gradient %.4f, slope %.4f", i, got, slope)
		}
	}
}

func TestExp(t *testing.T) {
	for x := float32(-90); x <= 0; x += .37 {
		if got, want := float64(exp(x)), math.Exp(float64(x)); math.Abs(got-want) > 2e-6*want+1e-37 {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
}
