//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"
)

// sampledPlants and shortPlants are how many pairs of a path and a plant are tried unless all are
// asked for: all of them are some 1,400 runs of the program. The sample is another one in each
// run, so that no pair is left out for long.
const (
	sampledPlants = 90
	shortPlants   = 16
)

// A trial is a plant, the path it is put at, and the command that is run then.
type trial struct {
	path, line string
	plant      plant
}

// trials lists what is tried: each plant at each path, by one of the commands in turn, or by all
// if asked; of that a sample.
func trials(cases []opened, only string, seed int64) (out []trial) {
	for i, c := range cases {
		for j, p := range plants() {
			if only != "" && p.name != only {
				continue
			}
			for k, line := range c.commands {
				if *everyCommand || k == (i+j)%len(c.commands) {
					out = append(out, trial{c.path, line, p})
				}
			}
		}
	}
	if tryAll() || *everyCommand {
		return out
	}
	n := sampledPlants
	if testing.Short() {
		n = shortPlants
	}
	if only != "" {
		n /= len(plants())
	}
	rand.New(rand.NewPCG(uint64(seed), 0)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(n, len(out))]
}

// plantedSeed names the sample to try.
const plantedSeed = "ASSAY_PLANTED_SEED"

// plantSeed returns what the sample of plants depends on: another number in each run, or the
// one of a run that failed.
func plantSeed(t *testing.T) int64 {
	seed := time.Now().UnixNano()
	if given := os.Getenv(plantedSeed); given != "" {
		var err error
		if seed, err = strconv.ParseInt(given, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("the sample of %s=%d", plantedSeed, seed)
	return seed
}

// baselines are the answers of commands in a world without a plant, each found once, when it is
// first asked for.
type baselines struct {
	t      *testing.T
	binary string
	w      world

	mu sync.Mutex
	of map[string]func() answer
}

func (b *baselines) get(line string) answer {
	b.mu.Lock()
	answerOf, ok := b.of[line]
	if !ok {
		answerOf = sync.OnceValue(func() answer {
			w := b.w.copyOf(b.t)
			defer os.RemoveAll(w.dir)
			a := w.run(b.t, b.binary, line)
			if a.status < 0 || a.status > 5 {
				b.t.Errorf("%s: status %d without a plant: %s", line, a.status, a.stderr)
			}
			return a
		})
		b.of[line] = answerOf
	}
	b.mu.Unlock()
	return answerOf()
}
