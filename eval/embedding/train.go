package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/embed/static"
)

// A recipe is how a model is made.
type recipe struct {
	words, buckets, least int
	dims                  int
	batch, run            int
	epochs                int
	rate                  float64
	temperature           float64
	seed                  uint64
}

// runTrain makes a model from pairs.
func runTrain(args []string, w io.Writer) error {
	_, err := train(args, w)
	return err
}

// train is runTrain, and returns what the model makes of pairs that it has not seen:
// see heldOut.
func train(args []string, w io.Writer) (held float64, err error) {
	flags := flag.NewFlagSet("train", flag.ExitOnError)
	pairs := flags.String("pairs", "", "the pairs to learn from (required)")
	out := flags.String("out", "", "the model to write (required)")
	float := flags.String("float", "", "write the table as it is before it is rounded here too")
	var r recipe
	flags.IntVar(&r.words, "words", 33000, "words in the vocabulary, at most")
	flags.IntVar(&r.buckets, "buckets", 12000, "rows for groups of letters")
	flags.IntVar(&r.least, "least", 12, "pairs that a word must be in")
	flags.IntVar(&r.dims, "dims", 256, "dimensions")
	flags.IntVar(&r.batch, "batch", 2048, "pairs a step")
	flags.IntVar(&r.run, "run", 128, "pairs of one group that stand together")
	flags.IntVar(&r.epochs, "epochs", 2, "times that each pair is seen")
	flags.Float64Var(&r.rate, "rate", 3e-3, "learning rate at the beginning")
	flags.Float64Var(&r.temperature, "temperature", .05, "temperature of the softmax")
	flags.Uint64Var(&r.seed, "seed", 1, "seed of all chance")
	share := map[string]float64{}
	flags.Func("share", "take only this part of a kind of pairs, as kind=0.5 (repeats)", func(s string) error {
		kind, part, _ := strings.Cut(s, "=")
		f, err := strconv.ParseFloat(part, 64)
		share[kind] = f
		return err
	})
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	if *pairs == "" || *out == "" || flags.NArg() > 0 {
		flags.Usage()
		return 0, errors.New("-pairs and -out are needed, and nothing else")
	}
	words, err := chooseWords(*pairs, r.words, r.least)
	if err != nil {
		return 0, err
	}
	v := static.NewVocabulary(words, r.buckets)
	e, err := encode(*pairs, &v, share)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(w, "%d pairs, %d words\n", e.len(), len(words))
	table, held, err := fit(e, &v, r, w)
	if err != nil {
		return 0, err
	}
	var b bytes.Buffer
	if err := static.Write(&b, v, r.dims, table); err != nil {
		return 0, err
	}
	if *float != "" {
		raw := make([]byte, 0, 4*len(table))
		for _, x := range table {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		if err := os.WriteFile(*float, raw, 0o644); err != nil {
			return 0, err
		}
	}
	return held, os.WriteFile(*out, b.Bytes(), 0o644)
}

// fit learns a table, and returns its heldOut too.
func fit(e *examples, v *static.Vocabulary, r recipe, w io.Writer) (table []float32, score float64, err error) {
	learn, held := e.split()
	if len(learn) < r.batch {
		return nil, 0, fmt.Errorf("%d pairs are fewer than one batch of %d", len(learn), r.batch)
	}
	rnd := rand.New(rand.NewPCG(r.seed, 7))
	l := newLearner(v.Size+v.Buckets, r.dims, float32(r.temperature))
	l.begin(e, learn, rnd)
	start := time.Now()
	per := len(learn) / r.batch
	steps := per * r.epochs
	n := 0
	for epoch := range r.epochs {
		var sum float64
		k := 0
		for _, b := range e.batches(learn, r.batch, r.run, rnd) {
			sum += l.step(e, b, r.rate*(1-float64(n)/(1.02*float64(steps))))
			n++
			if k++; k%50 == 0 {
				fmt.Fprintf(w, "  step %d of %d, loss %.3f, %v\n", n, steps, sum/float64(k), time.Since(start).Round(time.Second))
			}
		}
		score = l.heldOut(e, held)
		fmt.Fprintf(w, "epoch %d: loss %.4f, held out %.4f, %v\n", epoch+1, sum/float64(max(1, k)), score, time.Since(start).Round(time.Second))
	}
	return l.rows, score, nil
}

// begin sets the rows to chance, the shorter the more texts they are in.
func (l *learner) begin(e *examples, learn []int, rnd *rand.Rand) {
	df := make([]int, len(l.rows)/l.dims)
	for _, i := range learn {
		ids, _ := e.texts.of(i)
		for _, id := range ids {
			df[id]++
		}
	}
	most := math.Log(float64(len(learn)) + 1)
	for id, n := range df {
		idf := (most - math.Log(float64(n)+1)) / most
		scale := float32(.08 * (.15 + idf))
		for j := range l.dims {
			l.rows[id*l.dims+j] = scale * float32(rnd.NormFloat64())
		}
	}
}

// heldOut is the mean reciprocal rank of the own text of held-out queries among a
// thousand, or among them all where they are fewer.
func (l *learner) heldOut(e *examples, held []int) float64 {
	rnd := rand.New(rand.NewPCG(5, 5))
	held = append([]int(nil), held...)
	rnd.Shuffle(len(held), func(a, b int) { held[a], held[b] = held[b], held[a] })
	many := max(1, min(1000, len(held)))
	var sum float64
	n := 0
	for len(held) >= many && n < 8*many {
		batch := held[:many]
		held = held[many:]
		q, d := make([]float32, many*l.dims), make([]float32, many*l.dims)
		lengths := make([]float32, many)
		l.embed(&e.queries, batch, q, lengths)
		l.embed(&e.texts, batch, d, lengths)
		for i := range many {
			sum += 1 / float64(rank(q[i*l.dims:(i+1)*l.dims], d, i))
		}
		n += many
	}
	return sum / float64(max(1, n))
}

// rank returns the rank of the own row of d among all.
func rank(q, d []float32, own int) int {
	dims := len(q)
	mine := vec.Dot(q, d[own*dims:(own+1)*dims])
	r := 1
	for j := range len(d) / dims {
		if j != own && vec.Dot(q, d[j*dims:(j+1)*dims]) >= mine {
			r++
		}
	}
	return r
}
