package main

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A trial is a question of a pool as one variant of a profile ranks it: the files that
// its candidates are of, each ranked by the best of its chunks.
type trial struct {
	project, set string
	rows         [][]float64 // values of the signals that add, each times the factors that apply
	file         []int       // of each row
	right        []bool      // of each file
	ideal        float64
}

// foreign is the set of the questions that belong to another project.
const foreign = "foreign"

// nearBest is how many candidates of a question are kept, by what the profile has them worth.
const nearBest = 96

// readPools returns the questions of pools by the column of the profile that ranks them.
func readPools(dir string, p *rank.Profile, mode rank.Mode) (map[int][]trial, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.pools"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no pools in %s (eval/evidence makes them)", dir)
	}
	all := map[int][]trial{}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		pools, err := judged.ReadPools(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for i := range pools {
			if set := pools[i].Set; shares[set] == 0 && set != foreign {
				return nil, fmt.Errorf("%s: the set %q has no share in the fit: nothing would hold it up", name, set)
			}
			t, column, err := try(p, &pools[i], mode)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if len(t.rows) > 0 && (t.ideal > 0 || t.set == foreign) {
				all[column] = append(all[column], t)
			}
		}
	}
	return all, nil
}

// try measures the candidates of a question as a search in a mode does.
func try(p *rank.Profile, pool *judged.Pool, mode rank.Mode) (trial, int, error) {
	plan := rank.Parse(pool.Query, mode)
	if !slices.Equal(plan.Terms, pool.Terms) {
		return trial{}, 0, fmt.Errorf("%q is understood otherwise than when it was asked: collect the pools again", pool.Query)
	}
	st, cands, chunks := pool.Stats, pool.Cands, pool.Chunks
	if mode == rank.Lexical {
		st.Meaning, cands, chunks = false, nil, nil
		for i, c := range pool.Cands {
			if c.Score > 0 { // the index proposed it by words
				c.Cosine = 0
				cands, chunks = append(cands, c), append(chunks, pool.Chunks[i])
			}
		}
	}
	r := rank.NewRanking(plan, st, cands, false)
	at := r.Best()
	seen := make([]rank.Seen, len(at))
	for k, i := range at {
		seen[k] = rank.Seen{Scope: chunks[i].Scope, Symbols: chunks[i].Symbols, Called: chunks[i].Called}
	}
	r.Look(at, seen)
	column := p.Column(rank.Variant{Kind: plan.Kind, Mode: mode, Meaning: st.Meaning})
	weights := weightsOf(p, column)
	t := trial{project: pool.Project, set: pool.Set}
	rows := r.Values()
	slices.SortStableFunc(at, func(a, b int) int {
		return cmp.Compare(evidence(rows[b], weights, nil), evidence(rows[a], weights, nil))
	})
	files := map[int]int{}
	for _, i := range at[:min(len(at), nearBest)] {
		factor := 1.0
		for k, w := range weights {
			if !w.Adds {
				factor *= 1 - rows[i][k]*(1-w.Weight)
			}
		}
		for k, w := range weights {
			rows[i][k] *= factor
			if !w.Adds {
				rows[i][k] = 0
			}
		}
		d, ok := files[chunks[i].Doc]
		if !ok {
			d = len(files)
			files[chunks[i].Doc] = d
			t.right = append(t.right, pool.Docs[chunks[i].Doc].Right)
		}
		t.rows, t.file = append(t.rows, rows[i]), append(t.file, d)
	}
	answers := pool.Lost
	for _, d := range pool.Docs {
		if d.Right {
			answers++
		}
	}
	for i := range min(answers, cutoff) {
		t.ideal += 1 / math.Log2(float64(i+2))
	}
	return t, column, nil
}

// ndcg returns NDCG among the first ten files, and whether one of them is right.
func (t *trial) ndcg(w []float64, best []int, worth []float64) (gain float64, anyRight bool) {
	_, worth = t.worth(w, best[:0], worth[:0])
	for d, right := range t.right {
		if !right {
			continue
		}
		before := 0
		for e, x := range worth {
			if x > worth[d] || x == worth[d] && e < d {
				before++
			}
		}
		if before < cutoff {
			gain += 1 / math.Log2(float64(before+2))
			anyRight = true
		}
	}
	return gain / t.ideal, anyRight
}

// shares is how much the sets of questions count: what people ask most, what a program
// made of comments least. Of what people ask, the questions of the benchmark name more of
// what they look for than those of readers.
var shares = map[string]float64{"questions": .315, "read": .27, "changes": .18, "cores": .1, "comments": .09, "subjects": .045}

// A tally is figures by set and project.
type tally map[string]map[string][]float64

func (y tally) add(set, project string, x float64) {
	if y[set] == nil {
		y[set] = map[string][]float64{}
	}
	y[set][project] = append(y[set][project], x)
}

func average(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x / float64(len(xs))
	}
	return sum
}

// mean is over the sets by their shares, of means over projects.
func (y tally) mean() float64 {
	sum, of := 0.0, 0.0
	for set, share := range shares {
		if len(y[set]) > 0 {
			sum, of = sum+share*y.macro(set), of+share
		}
	}
	return sum / max(of, 1e-9)
}

func (y tally) macro(set string) float64 {
	sum := 0.0
	for _, name := range slices.Sorted(maps.Keys(y[set])) {
		sum += average(y[set][name])
	}
	return sum / float64(len(y[set]))
}

func (y tally) merge(o tally) {
	for set, projects := range o {
		for name, xs := range projects {
			for _, x := range xs {
				y.add(set, name, x)
			}
		}
	}
}

func tallyOf(all []trial, w []float64) (ndcg, hit tally) {
	ndcg, hit = tally{}, tally{}
	var best [nearBest]int
	var worth [nearBest]float64
	for i := range all {
		x, found := all[i].ndcg(w, best[:0], worth[:0])
		ndcg.add(all[i].set, all[i].project, x)
		hit.add(all[i].set, all[i].project, map[bool]float64{true: 1}[found])
	}
	return ndcg, hit
}

func deviation(all []trial, k int) float64 {
	var n, sum, square float64
	for i := range all {
		for _, row := range all[i].rows {
			n, sum, square = n+1, sum+row[k], square+row[k]*row[k]
		}
	}
	return math.Sqrt(max(0, square/n-sum/n*sum/n))
}

const parts = 5

// fold returns the part of the projects that one is in. The test part, 5, is of two in
// five of the projects that no question of people is from.
func fold(project string, asked map[string]bool) int {
	sum := crc32.ChecksumIEEE([]byte(project))
	if !asked[project] && sum%5 < 2 {
		return parts
	}
	return int(sum/5) % parts
}

// fitPools fits each column of the profile to the pools, and prints what that gives where
// it was not fitted.
func (o options) fitPools(p *rank.Profile, text, path string, w io.Writer) error {
	modes := []rank.Mode{rank.Hybrid, rank.Semantic, rank.Lexical}
	at := slices.IndexFunc(modes, func(m rank.Mode) bool { return m.String() == o.mode })
	if at < 0 {
		return fmt.Errorf("-mode is hybrid, semantic or lexical, not %q", o.mode)
	}
	mode := modes[at]
	switch {
	case o.rows != "":
		return o.export(p, mode, o.rows)
	case o.against != "":
		return o.compare(p, mode, filepath.Base(path), w)
	}
	byColumn, err := readPools(o.pools, p, mode)
	if err != nil {
		return err
	}
	wanted, kept := o.signals(), strings.Split(o.keep, ",")
	asked := askedOf(byColumn)
	for _, c := range slices.Sorted(maps.Keys(byColumn)) {
		all := byColumn[c]
		weights := p.Weights(c)
		strangers := slices.DeleteFunc(slices.Clone(all), func(t trial) bool { return t.set != foreign })
		all = slices.DeleteFunc(all, func(t trial) bool { return t.set == foreign })
		var free []int
		present, from := make([]float64, len(weights)), make([]float64, len(weights))
		for k, x := range weights {
			present[k], from[k] = x.Weight, x.Weight
			if o.from >= 0 && o.from < p.Columns() {
				from[k] = p.Weights(o.from)[k].Weight
			}
			if x.Adds && (wanted == nil || slices.Contains(wanted, x.Signal)) && !slices.Contains(kept, x.Signal) && deviation(all, k) > 0 {
				free = append(free, k)
			}
		}
		byPart := make([][]trial, parts+1)
		for _, t := range all {
			byPart[fold(t.project, asked)] = append(byPart[fold(t.project, asked)], t)
		}
		was, is, wasHit, isHit := tally{}, tally{}, tally{}, tally{}
		for i := range parts {
			rest := slices.Concat(slices.Concat(byPart[:i]...), slices.Concat(byPart[i+1:parts]...))
			y, h := tallyOf(byPart[i], present)
			was.merge(y)
			wasHit.merge(h)
			y, h = tallyOf(byPart[i], descend(rest, from, free, o.penalty))
			is.merge(y)
			isHit.merge(h)
		}
		fmt.Fprintf(w, "variant %d, projects held out in %d parts: mean %.4f → %.4f\n", c, parts, was.mean(), is.mean())
		printTallies(w, was, is, wasHit, isHit)
		known := slices.Concat(byPart[:parts]...)
		fitted := descend(known, from, free, o.penalty)
		if wanted == nil {
			fitted = rescaled(known, present, fitted, free)
		}
		changed := map[string]float64{}
		for _, k := range free {
			if fitted[k] != present[k] {
				changed[weights[k].Signal] = fitted[k]
				fmt.Fprintf(w, "  %-40s %.3g → %.3g\n", weights[k].Signal, present[k], fitted[k])
			}
		}
		printMidpoint(w, all, strangers, present)
		least := printMidpoint(w, all, strangers, fitted)
		if o.test {
			y, h := tallyOf(byPart[parts], present)
			z, g := tallyOf(byPart[parts], fitted)
			fmt.Fprintf(w, "variant %d, test projects: mean %.4f → %.4f\n", c, y.mean(), z.mean())
			printTallies(w, y, z, h, g)
		}
		if is.mean() <= was.mean() {
			fmt.Fprintf(w, "variant %d stays as it is\n", c)
			continue
		}
		if text, err = rewritten(text, c, p.Columns(), changed); err != nil {
			return err
		}
		if least == 0 || wanted != nil {
			continue
		}
		if mode == rank.Semantic {
			least *= (1 - usual) / usual
		}
		if text, err = withMidpoint(text, c, p.Columns(), least); err != nil {
			return err
		}
	}
	if !o.write {
		return nil
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// usual is the score from which a search by meaning shows what it found: its least score is
// calibrated as the midpoint of the others is.
const usual = .4

// printMidpoint prints and returns above which evidence the best right answers of 95 in 100 of people's
// questions are, which is what the score midpoint should be near, and how many questions
// have something above it.
func printMidpoint(w io.Writer, all, strangers []trial, x []float64) float64 {
	right, best := []float64{}, map[string][]float64{}
	for _, t := range slices.Concat(all, strangers) {
		most, mostRight := 0.0, 0.0
		for i, row := range t.rows {
			sum := 0.0
			for k, v := range row {
				sum += v * x[k]
			}
			most = max(most, sum)
			if t.right[t.file[i]] {
				mostRight = max(mostRight, sum)
			}
		}
		best[t.set] = append(best[t.set], most)
		if t.set == "questions" && mostRight > 0 {
			right = append(right, mostRight)
		}
	}
	if len(right) == 0 {
		return 0
	}
	slices.Sort(right)
	midpoint := right[len(right)/20]
	fmt.Fprintf(w, "  of 95 in 100 questions the evidence of the best right answer is above %.3f; of", midpoint)
	for _, set := range slices.Sorted(maps.Keys(best)) {
		n := 0
		for _, e := range best[set] {
			if e >= midpoint {
				n++
			}
		}
		fmt.Fprintf(w, " %s %.3f", set, float64(n)/float64(len(best[set])))
	}
	fmt.Fprintln(w, " have something above it")
	return midpoint
}

// printTallies prints each set before and after, and the spread of the difference: that
// of 95 in 100 samples of the projects.
func printTallies(w io.Writer, was, is, wasHit, isHit tally) {
	for _, set := range slices.Sorted(maps.Keys(was)) {
		names := slices.Sorted(maps.Keys(was[set]))
		diffs := make([]float64, len(names))
		n := 0
		for i, name := range names {
			diffs[i] = average(is[set][name]) - average(was[set][name])
			n += len(was[set][name])
		}
		r := rand.New(rand.NewPCG(1, 1))
		samples := make([]float64, 2000)
		for i := range samples {
			for range diffs {
				samples[i] += diffs[r.IntN(len(diffs))] / float64(len(diffs))
			}
		}
		slices.Sort(samples)
		fmt.Fprintf(w, "  %-10s %3d projects %4d questions  ndcg@10 %.4f → %.4f (%+.4f, 95%% %+.4f to %+.4f)  any@10 %.3f → %.3f\n", set, len(names), n,
			was.macro(set), is.macro(set), average(diffs), samples[len(samples)/40], samples[len(samples)*39/40], wasHit.macro(set), isHit.macro(set))
	}
}
