package main

import (
	"math"
	"runtime"
	"sync"

	"github.com/assay-dev/assay/internal/base/vec"
)

// A learner is a table of rows that is being fitted: each step moves the rows of a
// batch so that a query is nearer to its own text than to those of the others, and
// the other way round (InfoNCE, both ways), by Adam on the rows that occur.
type learner struct {
	dims        int
	rows        []float32
	mean, dev   []float32 // of the gradients
	grad        []float32
	temperature float32
	steps       int

	q, d, gq, gd []float32 // unit vectors of a batch, and their gradients
	lq, ld       []float32 // lengths before they were brought to unit length
	e            []float32 // exp of each product, then its gradient
	sums         []float32
}

func newLearner(rows, dims int, temperature float32) *learner {
	n := rows * dims
	return &learner{dims: dims, rows: make([]float32, n), mean: make([]float32, n), dev: make([]float32, n), grad: make([]float32, n), temperature: temperature}
}

func (l *learner) row(id uint16) []float32 { return l.rows[int(id)*l.dims : (int(id)+1)*l.dims] }

// parallel runs f on pieces of n.
func parallel(n int, f func(from, to int)) {
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { f(n*w/workers, n*(w+1)/workers) })
	}
	wg.Wait()
}

func grown(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

// embed writes the unit vectors of texts, and their lengths before.
func (l *learner) embed(t *texts, batch []int, out, lengths []float32) {
	parallel(len(batch), func(from, to int) {
		for k := from; k < to; k++ {
			v := out[k*l.dims : (k+1)*l.dims]
			clear(v)
			ids, counts := t.of(batch[k])
			for j, id := range ids {
				vec.Axpy(v, l.row(id), float32(counts[j])/16)
			}
			n := float32(math.Sqrt(float64(vec.Dot(v, v)))) + 1e-9
			lengths[k] = n
			for j := range v {
				v[j] /= n
			}
		}
	})
}

// step learns from one batch and returns its loss.
func (l *learner) step(e *examples, batch []int, rate float64) float64 {
	b, n := len(batch), len(batch)*l.dims
	l.q, l.d, l.gq, l.gd = grown(l.q, n), grown(l.d, n), grown(l.gq, n), grown(l.gd, n)
	l.lq, l.ld, l.e, l.sums = grown(l.lq, b), grown(l.ld, b), grown(l.e, b*b), grown(l.sums, 2*b)
	l.embed(&e.queries, batch, l.q, l.lq)
	l.embed(&e.texts, batch, l.d, l.ld)
	loss := l.products(b)
	l.pull(b)
	unitGradient(l.gq, l.q, l.lq, l.dims)
	unitGradient(l.gd, l.d, l.ld, l.dims)
	touched := l.scatter(e, batch)
	l.adam(touched, rate)
	return loss
}

// products computes the softmaxes over all products of queries with texts, and
// leaves the loss's gradient by each product in l.e.
func (l *learner) products(b int) float64 {
	t := 1 / l.temperature
	rowSum, colSum := l.sums[:b], l.sums[b:2*b]
	clear(colSum)
	own := make([]float64, b)
	// Sums are taken in pieces of a fixed number, so that they are the same on any
	// number of processors.
	const pieces = 16
	cols := make([]float32, pieces*b)
	parallel(pieces, func(from, to int) {
		for p := from; p < to; p++ {
			l.productsOf(b*p/pieces, b*(p+1)/pieces, b, cols[p*b:(p+1)*b], own)
		}
	})
	for p := range pieces {
		for j, x := range cols[p*b : (p+1)*b] {
			colSum[j] += x
		}
	}
	var loss float64
	for i := range b {
		loss += (math.Log(float64(rowSum[i]))+math.Log(float64(colSum[i])))/2 + float64(t) - own[i]
	}
	scale := t / float32(b)
	parallel(b, func(from, to int) {
		for i := from; i < to; i++ {
			row := l.e[i*b : (i+1)*b]
			inv := 1 / rowSum[i]
			for j, x := range row {
				row[j] = x * (inv + 1/colSum[j]) / 2 * scale
			}
			row[i] -= scale
		}
	})
	return loss / float64(b)
}

// productsOf is products for some of the queries: their exponentials, their sums,
// and what they add to the sums of the texts.
func (l *learner) productsOf(from, to, b int, cols []float32, own []float64) {
	dims, t := l.dims, 1/l.temperature
	for i := from; i < to; i++ {
		q := l.q[i*dims : (i+1)*dims]
		row := l.e[i*b : (i+1)*b]
		var sum float32
		for j := range row {
			s := vec.Dot(q, l.d[j*dims:(j+1)*dims])
			if i == j {
				own[i] = float64(s * t)
			}
			x := exp((s - 1) * t)
			row[j] = x
			sum += x
			cols[j] += x
		}
		l.sums[i] = sum
	}
}

// pull gathers the gradients of the unit vectors. What is next to nothing is left
// out.
func (l *learner) pull(b int) {
	dims := l.dims
	least := 1e-4 / (l.temperature * float32(b) * float32(b))
	parallel(b, func(from, to int) {
		for i := from; i < to; i++ {
			g := l.gq[i*dims : (i+1)*dims]
			clear(g)
			for j, x := range l.e[i*b : (i+1)*b] {
				if x > least || x < -least {
					vec.Axpy(g, l.d[j*dims:(j+1)*dims], x)
				}
			}
		}
		for j := from; j < to; j++ {
			g := l.gd[j*dims : (j+1)*dims]
			clear(g)
			for i := range b {
				if x := l.e[i*b+j]; x > least || x < -least {
					vec.Axpy(g, l.q[i*dims:(i+1)*dims], x)
				}
			}
		}
	})
}

// unitGradient takes gradients back through the division by the length.
func unitGradient(g, u, lengths []float32, dims int) {
	parallel(len(lengths), func(from, to int) {
		for k := from; k < to; k++ {
			gk, uk := g[k*dims:(k+1)*dims], u[k*dims:(k+1)*dims]
			vec.Axpy(gk, uk, -vec.Dot(gk, uk))
			for j := range gk {
				gk[j] /= lengths[k]
			}
		}
	})
}

// scatter adds the gradients to the rows of each text, and returns these rows.
// Each worker has rows of its own.
func (l *learner) scatter(e *examples, batch []int) []uint16 {
	seen := make([]bool, len(l.rows)/l.dims)
	workers := runtime.GOMAXPROCS(0)
	lists := make([][]uint16, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, side := range []struct {
				t *texts
				g []float32
			}{{&e.queries, l.gq}, {&e.texts, l.gd}} {
				for k, i := range batch {
					g := side.g[k*l.dims : (k+1)*l.dims]
					ids, counts := side.t.of(i)
					for j, id := range ids {
						if int(id)%workers != w {
							continue
						}
						if !seen[id] {
							seen[id] = true
							lists[w] = append(lists[w], id)
						}
						vec.Axpy(l.grad[int(id)*l.dims:(int(id)+1)*l.dims], g, float32(counts[j])/16)
					}
				}
			}
		})
	}
	wg.Wait()
	var all []uint16
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// Adam's constants.
const (
	beta1 = .9
	beta2 = .99
	tiny  = 1e-8
)

// adam moves the touched rows and clears their gradients.
func (l *learner) adam(touched []uint16, rate float64) {
	l.steps++
	c1 := 1 - math.Pow(beta1, float64(l.steps))
	c2 := 1 - math.Pow(beta2, float64(l.steps))
	lr := float32(rate / c1)
	inv := float32(1 / c2)
	parallel(len(touched), func(from, to int) {
		for _, id := range touched[from:to] {
			at := int(id) * l.dims
			rows, grad := l.rows[at:at+l.dims], l.grad[at:at+l.dims]
			mean, dev := l.mean[at:at+l.dims], l.dev[at:at+l.dims]
			for j, g := range grad {
				mean[j] = beta1*mean[j] + (1-beta1)*g
				dev[j] = beta2*dev[j] + (1-beta2)*g*g
				rows[j] -= lr * mean[j] / (float32(math.Sqrt(float64(dev[j]*inv))) + tiny)
			}
			clear(grad)
		}
	})
}

// exp is e to the x for x ≤ 0, to about six digits.
func exp(x float32) float32 {
	if x < -87 {
		return 0
	}
	const log2e = 1.44269504
	n := float32(math.Floor(float64(x*log2e + .5)))
	f := x - n*0.693359375 + n*2.12194440e-4
	p := 1 + f*(1+f*(.5+f*(.16666667+f*(.041666668+f*(.008333334+f*.0013888889)))))
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}
