//go:build team

package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand"
	"os"
	"slices"
)

// What a plan assumes beside what was measured.
const (
	planned     = 1e9    // chunks
	people      = 1000   // users
	think       = 30.0   // seconds between the questions of one
	perShard    = 5e6    // chunks of one database
	cores       = 8      // of a machine of databases
	ofOne       = .8     // of all questions, those about one repository, which one shard has
	ofTeam      = 20     // shards that the others ask, of a team's repositories
	simulated   = 3600.0 // seconds
	memoryShare = 48 << 30
)

// plan fits what was measured, form by form, and says what planned chunks would take.
func plan(w io.Writer, files []string) error {
	byForm := map[string][]cost{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		all, err := parseCosts(text)
		if err != nil {
			return err
		}
		for _, c := range all {
			byForm[c.form] = append(byForm[c.form], c)
		}
	}
	if len(byForm) == 0 {
		return errors.New("plan: the files have no costs, which speed says")
	}
	for _, form := range slices.Sorted(maps.Keys(byForm)) {
		if all := byForm[form]; len(all) > 1 {
			planOf(w, form, all)
		} else {
			fmt.Fprintf(w, "%-10s measured at one size only: no line goes through it\n", form)
		}
	}
	return nil
}

// A line is what a quantity is by another: base + slope of it.
type line struct{ base, slope, off float64 }

func (l line) at(x float64) float64 { return l.base + l.slope*x }

// fit returns the line of least squares, and by how much of a value it misses most.
func fit(all []cost, x, y func(cost) float64) (l line) {
	var sx, sy, sxx, sxy float64
	n := float64(len(all))
	for _, c := range all {
		sx, sy, sxx, sxy = sx+x(c), sy+y(c), sxx+x(c)*x(c), sxy+x(c)*y(c)
	}
	if d := n*sxx - sx*sx; d != 0 {
		l.slope = (n*sxy - sx*sy) / d
	}
	l.base = (sy - l.slope*sx) / n
	for _, c := range all {
		if y(c) != 0 {
			l.off = max(l.off, math.Abs(l.at(x(c))-y(c))/y(c))
		}
	}
	return l
}

// A power is what a quantity is by the number of chunks: factor times it to the exponent.
type power struct{ factor, exponent, off float64 }

func (p power) at(n float64) float64 { return p.factor * math.Pow(n, p.exponent) }

// fitPower fits what grows faster than the number of chunks: merges go over them again and again, and what is
// put into HNSW is compared with more, which are less often near the processor.
func fitPower(all []cost, y func(cost) float64) (p power) {
	logs := fit(all, func(c cost) float64 { return math.Log(float64(c.chunks)) }, func(c cost) float64 { return math.Log(y(c)) })
	p.factor, p.exponent = math.Exp(logs.base), logs.slope
	for _, c := range all {
		p.off = max(p.off, math.Abs(p.at(float64(c.chunks))-y(c))/y(c))
	}
	return p
}

func planOf(w io.Writer, form string, all []cost) {
	chunks := func(c cost) float64 { return float64(c.chunks) }
	cpu := fitPower(all, func(c cost) float64 { return c.cpu })
	disk := fit(all, chunks, func(c cost) float64 { return c.disk })
	memory := fit(all, chunks, func(c cost) float64 { return c.memory })
	// What a search looks at grows more slowly than what there is.
	ask := fit(all, func(c cost) float64 { return math.Sqrt(float64(c.chunks)) }, func(c cost) float64 { return c.ask })
	spread := 1.0 // of a question, how much the 99th of a hundred takes longer
	for _, c := range all {
		spread = max(spread, c.p99/c.p50)
	}
	fmt.Fprintf(w, "%-10s %d sizes up to %d chunks; a million: %.0f s of a processor to build, which grows as n^%.2f (misses by at most %.0f %%), %.2f GB of disk (the line misses by at most %.0f %%), %.2f GB of memory (%.0f %%)\n",
		form, len(all), slices.MaxFunc(all, func(a, b cost) int { return a.chunks - b.chunks }).chunks, cpu.at(1e6), cpu.exponent, 100*cpu.off, disk.slope*1e6/1e9, 100*disk.off, memory.slope*1e6/1e9, 100*memory.off)
	fmt.Fprintf(w, "           a question, with the root of the number of chunks: %.1f ms of a processor at a million (the line misses by at most %.0f %%), p99 %.1f times p50\n", ask.at(1000), 100*ask.off, spread)
	shards := math.Ceil(planned / perShard)
	each := max(memory.at(perShard), disk.at(perShard)/4) // a quarter of the data is read often
	machines := math.Ceil(shards / max(1, math.Floor(memoryShare/each)))
	middle := ask.at(math.Sqrt(perShard))
	fmt.Fprintf(w, "           %.0e chunks in %.0f shards of %.0e: %.1f TB of disk, %.0f machines of 64 GiB and %d cores, built by 50 cores in %.1f hours\n",
		planned, shards, perShard, shards*disk.at(perShard)/1e12, machines, cores, shards*cpu.at(perShard)/50/3600)
	took := crowd(int(shards), int(machines), middle/1e3, spread*middle/1e3)
	fmt.Fprintf(w, "           simulated: %d users who think %.0f s, %.0f %% ask one shard and the others %d, a shard takes %.0f ms of a core: p50 %.0f ms, p95 %.0f ms, p99 %.0f ms of %d questions\n",
		people, think, 100*ofOne, ofTeam, middle, 1e3*took[len(took)/2], 1e3*took[len(took)*95/100], 1e3*took[len(took)*99/100], len(took))
}

// crowd simulates users, each of whom waits for an answer before thinking of the next question:
// shards are spread over machines, whose cores take what comes in turn. It returns how long answers
// took, in seconds, sorted. How long a shard takes alone is distributed log-normally.
func crowd(shards, machines int, middle, most float64) (took []float64) {
	r := rand.New(rand.NewSource(1))
	spread := math.Log(max(most/middle, 1)) / 2.326 // the 99th of a hundred
	free := make([][]float64, machines)             // when each core is
	for i := range free {
		free[i] = make([]float64, cores)
	}
	next := make([]float64, people) // when each user asks
	for i := range next {
		next[i] = r.ExpFloat64() * think
	}
	for {
		who := 0
		for i, t := range next {
			if t < next[who] {
				who = i
			}
		}
		now := next[who]
		if now > simulated {
			slices.Sort(took)
			return took
		}
		asks := 1
		if r.Float64() > ofOne {
			asks = min(ofTeam, shards)
		}
		end := now
		for range asks {
			cs := free[r.Intn(shards)%machines]
			core := 0
			for k, t := range cs {
				if t < cs[core] {
					core = k
				}
			}
			cs[core] = max(now, cs[core]) + middle*math.Exp(spread*r.NormFloat64())
			end = max(end, cs[core])
		}
		took = append(took, end-now)
		next[who] = end + r.ExpFloat64()*think
	}
}
