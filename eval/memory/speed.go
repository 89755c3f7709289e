package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	usage "github.com/assay-dev/assay/eval/timed" // package main has a timed
	feature "github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// vaultOf writes n notes of about 150 words, made of the sentences that are kept
// here and of words that are nobody's, as names are.
func vaultOf(dir string, n int) error {
	notes, err := archive("notes.txtar")
	if err != nil {
		return err
	}
	more, err := archive("talks.txtar")
	if err != nil {
		return err
	}
	var sentences []string
	for _, f := range append(notes, more...) {
		for s := range strings.SplitSeq(strings.ReplaceAll(f.text, "\n", " "), ". ") {
			if len(s) > 30 && len(s) < 300 {
				sentences = append(sentences, s)
			}
		}
	}
	rng := rand.New(rand.NewPCG(7, 8))
	names := make([]string, 30_000)
	for i := range names {
		names[i] = syllables(rng)
	}
	zipf := rand.NewZipf(rng, 1.1, 4, uint64(len(names)-1))
	for i := range n {
		var b strings.Builder
		if i%2 == 0 { // as an agent stores them; the others are a person's
			fmt.Fprintf(&b, "---\ntype: memory\ncategory: %s\ncreated_at: %s\n---\n\n", vault.Categories()[i/2%5], time.Now().AddDate(0, 0, -1-i%400).Format(time.RFC3339))
		}
		fmt.Fprintf(&b, "# %s %s\n\n", names[zipf.Uint64()], names[zipf.Uint64()])
		for range 6 + rng.IntN(5) {
			words := strings.Fields(sentences[rng.IntN(len(sentences))])
			for k := range words {
				if len(words[k]) > 4 && rng.IntN(3) == 0 {
					words[k] = names[zipf.Uint64()]
				}
			}
			fmt.Fprintf(&b, "%s.\n", strings.Join(words, " "))
		}
		path := filepath.Join(dir, fmt.Sprintf("f%02d", i%40), fmt.Sprintf("n%05d.md", i))
		if i < 40 {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			return err
		}
		old := time.Now().AddDate(0, 0, -1-i%400)
		if err := os.Chtimes(path, old, old); err != nil {
			return err
		}
	}
	return nil
}

// sessionsOf writes n sessions as Claude Code keeps them, of twenty turns each.
func sessionsOf(dir string, n int) error {
	if n == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(9, 10))
	names := make([]string, 5_000)
	for i := range names {
		names[i] = syllables(rng)
	}
	for i := range n {
		var b strings.Builder
		for k := range 20 {
			words := make([]string, 40+80*(k%2))
			for j := range words {
				words[j] = names[rng.IntN(len(names))]
			}
			at := time.Now().AddDate(0, 0, -i%400).Add(time.Duration(k) * time.Minute).UTC().Format(time.RFC3339)
			fmt.Fprintf(&b, `{"type":%q,"uuid":"u%d","timestamp":%q,"cwd":"/src/p%d","message":{"id":"m%d","content":[{"type":"text","text":%q}]}}`+"\n",
				[]string{"user", "assistant"}[k%2], k, at, i%30, k, strings.Join(words, " "))
		}
		path := filepath.Join(dir, "projects", fmt.Sprintf("p%d", i%30), fmt.Sprintf("s%06d.jsonl", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func syllables(rng *rand.Rand) string {
	const consonants, vowels = "bcdfghklmnprstvwz", "aeiou"
	var b strings.Builder
	for range 2 + rng.IntN(3) {
		b.WriteByte(consonants[rng.IntN(len(consonants))])
		b.WriteByte(vowels[rng.IntN(len(vowels))])
	}
	if rng.IntN(2) == 0 {
		b.WriteByte(consonants[rng.IntN(len(consonants))])
	}
	return b.String()
}

// speed measures how long things take over a vault of n notes and so many sessions.
func speed(ctx context.Context, w io.Writer, n, sessions int) error {
	dir, err := os.MkdirTemp("", "assay-memory-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	if err := vaultOf(filepath.Join(dir, "vault"), n); err != nil {
		return err
	}
	if err := sessionsOf(filepath.Join(dir, "claude"), sessions); err != nil {
		return err
	}
	asked, err := questions("questions.jsonl")
	if err != nil {
		return err
	}
	rows, err := indexing(ctx, dir)
	if err != nil {
		return err
	}
	warm, err := asking(ctx, dir, asked)
	if err != nil {
		return err
	}
	st, err := os.Stat(filepath.Join(dir, "memory.db"))
	if err != nil {
		return err
	}
	cold, recall, start, err := processes(ctx, dir, asked)
	if err != nil {
		return err
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	built, err := usage.Program{Out: io.Discard}.Run(ctx, exe, "driver", dir, "rebuild", "once")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d notes, %d sessions, index %.1f MB\n", n, sessions, float64(st.Size())/(1<<20))
	fmt.Fprintf(w, "  %-28s wall %s  cpu %s  %.1f MB at most resident\n", "rebuild, a process", built.Wall.Round(time.Millisecond), built.CPU.Round(time.Millisecond), float64(built.Peak)/(1<<20))
	for _, r := range append(rows, line{"search, in process", warm, 10 * time.Millisecond}, line{"search, a process each", cold, 60 * time.Millisecond},
		line{"recall, a process each", recall, 100 * time.Millisecond}, line{"a process that does nothing", start, 0}) {
		r.write(w)
	}
	return nil
}

// indexing measures the first index, another one, and a sync that has nothing to do.
func indexing(ctx context.Context, dir string) ([]line, error) {
	f := feature.New(config(dir))
	defer func() { _ = f.Close() }()
	sync := func() error { _, err := f.Import(ctx, feature.ImportInput{}); return err }
	first, err := timed(sync)
	if err != nil {
		return nil, err
	}
	again, err := timed(func() error { _, err := f.Rebuild(ctx, feature.RebuildInput{}); return err })
	if err != nil {
		return nil, err
	}
	var same []took
	for range 10 {
		d, err := timed(sync)
		if err != nil {
			return nil, err
		}
		same = append(same, took{wall: d})
	}
	return []line{{"first index", []took{{wall: first}}, 30 * time.Second}, {"rebuild", []took{{wall: again}}, 30 * time.Second}, {"sync of nothing", same, 200 * time.Millisecond}}, nil
}

// asking measures searches of one process, each question for the second time.
func asking(ctx context.Context, dir string, asked []question) (warm []took, err error) {
	p, err := provider()()
	if err != nil {
		return nil, err
	}
	m := vault.Open(vault.Config{Vault: filepath.Join(dir, "vault"), DB: filepath.Join(dir, "memory.db"), Embedder: p})
	defer m.Close()
	for round := range 2 {
		for _, q := range asked {
			d, err := timed(func() error { _, err := m.Search(ctx, vault.Query{Text: q.Ask}); return err })
			if err != nil {
				return nil, err
			}
			if round > 0 {
				warm = append(warm, took{wall: d})
			}
		}
	}
	return warm, nil
}

// A line is what was measured of one thing, and what it may take at most; 0: anything.
type line struct {
	name string
	took []took
	most time.Duration
}

func (l line) write(w io.Writer) {
	at := func(part float64, of func(took) time.Duration) time.Duration {
		ds := make([]time.Duration, 0, len(l.took))
		for _, t := range l.took {
			ds = append(ds, of(t))
		}
		slices.Sort(ds)
		return ds[min(len(ds)-1, int(part*float64(len(ds))))].Round(10 * time.Microsecond)
	}
	wall, cpu := func(t took) time.Duration { return t.wall }, func(t took) time.Duration { return t.cpu }
	fmt.Fprintf(w, "  %-28s p50 %10s  p95 %10s  n %3d", l.name, at(.5, wall), at(.95, wall), len(l.took))
	if c := at(.5, cpu); c > 0 {
		fmt.Fprintf(w, "  cpu %9s", c)
	}
	if l.most > 0 {
		fmt.Fprintf(w, "  at most %s", l.most)
		if at(.5, wall) > l.most {
			fmt.Fprint(w, "  MISSED")
		}
	}
	fmt.Fprintln(w)
}

// A took is how long something took, and of that the processors' time, which others
// that use the machine have no part in.
type took struct{ wall, cpu time.Duration }

func timed(f func() error) (time.Duration, error) {
	start := time.Now()
	err := f()
	return time.Since(start), err
}

// processes measures processes that search, recall or do nothing, from their start
// to their end.
func processes(ctx context.Context, dir string, asked []question) (search, recall, nothing []took, err error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, nil, nil, err
	}
	once := func(stdin string, args ...string) (took, error) {
		cmd := exec.CommandContext(ctx, exe, append([]string{"driver", dir}, args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		d, err := timed(cmd.Run)
		if err != nil {
			return took{}, fmt.Errorf("%v: %w: %s", args, err, errs.String())
		}
		return took{d, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
	}
	for i := range 40 {
		q := asked[i*len(asked)/40].Ask
		d, err := once("", "search", q)
		if err != nil {
			return nil, nil, nil, err
		}
		search = append(search, d)
		if d, err = once(fmt.Sprintf(`{"session_id": "s%d", "cwd": %q, "prompt": %q}`, i, filepath.ToSlash(dir), q), "hook"); err != nil {
			return nil, nil, nil, err
		}
		recall = append(recall, d)
		if d, err = once("", "nothing"); err != nil {
			return nil, nil, nil, err
		}
		nothing = append(nothing, d)
	}
	return search, recall, nothing, nil
}
