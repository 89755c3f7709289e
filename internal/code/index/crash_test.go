package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
)

// The test binary runs itself as the process that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("INDEX_TEST_CRASH"); dir != "" {
		if err := crashChild(context.Background(), dir); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// crashChild publishes generation after generation, buries the one before, merges
// and collects, and says so, until it is killed.
func crashChild(ctx context.Context, dir string) error {
	x, err := Open(ctx, dir, false)
	if err != nil {
		return err
	}
	if x.Moved() != "" {
		return fmt.Errorf("the index was moved to %s", x.Moved())
	}
	r := rand.New(rand.NewSource(time.Now().UnixNano()))
	for {
		w, err := x.TryLock()
		if errors.Is(err, file.ErrLocked) {
			time.Sleep(time.Millisecond)
			continue
		}
		if err != nil {
			return err
		}
		p, err := x.Snapshot(ctx)
		if err != nil {
			return err
		}
		g, err := whole(p)
		if err != nil {
			return err
		}
		if err := step(ctx, w, g+1, time.Now().Add(2*collectAge)); err != nil {
			return err
		}
		fmt.Println(g + 1)
		if r.Intn(3) == 0 {
			if err := crashVectors(ctx, x, w, g+1); err != nil {
				return err
			}
		}
		w.Close()
		if r.Intn(4) == 0 {
			if err := x.Merge(ctx, 1<<30); err != nil {
				return err
			}
		}
	}
}

// crashVectors gives the segments of a generation vectors.
func crashVectors(ctx context.Context, x *Index, w *Writer, g int) error {
	p, err := x.Snapshot(ctx)
	if err != nil {
		return err
	}
	left, _ := p.Unembedded("model")
	for _, i := range left {
		vecs := make([][]float32, p.segs[i].Chunks)
		for c := range vecs {
			vecs[c] = []float32{1, float32(g)}
		}
		if err := w.PutVectors(ctx, p, i, "model", 2, vecs); err != nil {
			return err
		}
	}
	return nil
}

// A writer that is killed at any moment leaves an index that opens, in which all
// that is named is sound and that is one committed generation whole: the last
// that was reported, or one that the kill kept from being. A reader beside it
// never sees anything else.
//
// It takes a few seconds. For a soak:
//
//	ASSAY_CRASH_SOAK=10m go test ./internal/code/index -run TestCrash -v -timeout 0
func TestCrash(t *testing.T) {
	soak := 3 * time.Second
	if testing.Short() {
		soak = time.Second
	}
	if s := os.Getenv("ASSAY_CRASH_SOAK"); s != "" {
		d, err := time.ParseDuration(s)
		must(t, err)
		soak = d
	}
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	dir := t.TempDir()
	last, kills := -1, 0
	var reads int64
	// On a busy machine writers are killed before they have opened anything: they get twice
	// the time until one commits.
	longest := 150 * time.Millisecond
	for end := time.Now().Add(soak); (time.Now().Before(end) || last < 0 && kills < 500) && !t.Failed(); kills++ {
		children := 1 + r.Intn(2)
		reported := crashRound(t, r, dir, children, longest, &reads)
		g := inspect(t, dir)
		// Whoever printed a generation had committed it; each of the others may have
		// committed one more.
		if reported = max(reported, last); g < reported || g > reported+children {
			t.Errorf("after kill %d the index holds generation %d; %d was reported", kills, g, reported)
		}
		if g > last {
			longest = max(longest/2, 150*time.Millisecond)
		} else {
			longest = min(2*longest, 20*time.Second)
		}
		last = g
	}
	t.Logf("%d kills, %d generations, %d reads", kills, last+1, reads)
	if last < 0 {
		t.Error("nothing was committed before the kills")
	}
}

// crashRound runs writers for a moment, no longer than given, and kills them, and returns
// the newest generation that one of them reported.
func crashRound(t *testing.T, r *rand.Rand, dir string, children int, longest time.Duration, reads *int64) (reported int) {
	t.Helper()
	var cmds []*exec.Cmd
	var newest atomic.Int64
	newest.Store(-1)
	listened := make(chan error, children)
	for range children {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "INDEX_TEST_CRASH="+dir)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		cmds = append(cmds, cmd)
		go func() {
			var failed error
			for s := bufio.NewScanner(out); s.Scan(); {
				g, err := strconv.Atoi(s.Text())
				if err != nil {
					failed = errors.New(s.Text())
				}
				for old := newest.Load(); old < int64(g); old = newest.Load() {
					newest.CompareAndSwap(old, int64(g))
				}
			}
			listened <- failed
		}()
	}
	deadline := time.Now().Add(5*time.Millisecond + time.Duration(r.Int63n(int64(longest))))
	if r.Intn(2) == 0 {
		readUntil(t, dir, deadline, reads)
	}
	time.Sleep(time.Until(deadline))
	for _, cmd := range cmds {
		cmd.Process.Kill()
	}
	for range cmds {
		if err := <-listened; err != nil {
			t.Errorf("a writer says: %v", err)
		}
	}
	for _, cmd := range cmds {
		cmd.Wait()
	}
	return int(newest.Load())
}

// readUntil reads the index over and over while others write it.
func readUntil(t *testing.T, dir string, deadline time.Time, reads *int64) {
	t.Helper()
	ctx := context.Background()
	x, err := Open(ctx, dir, false)
	must(t, err)
	defer x.Close()
	for last := -1; time.Now().Before(deadline); *reads++ {
		p, err := x.Snapshot(ctx)
		must(t, err)
		g, err := whole(p)
		if err != nil || g < last {
			t.Errorf("a reader beside the writers: generation %d after %d, %v", g, last, err)
			return
		}
		last = g
	}
}

// inspect opens what a kill left and returns its generation.
func inspect(t *testing.T, dir string) int {
	t.Helper()
	ctx := context.Background()
	x, err := Open(ctx, dir, false)
	must(t, err)
	defer x.Close()
	if x.Moved() != "" {
		t.Errorf("the database was found damaged and moved to %s", x.Moved())
	}
	if err := x.Check(ctx); err != nil {
		t.Errorf("Check = %v", err)
	}
	p := snapshot(t, x)
	g, err := whole(p)
	if err != nil {
		t.Errorf("generation %d: %v", g, err)
	}
	manifest, err := x.Manifest(ctx)
	must(t, err)
	for path, d := range manifest {
		if d.Seen != int64(g) {
			t.Errorf("the manifest has %s of generation %d in %d", path, d.Seen, g)
		}
	}
	// A lock that outlived its process would stop everybody.
	w, err := x.TryLock()
	must(t, err)
	must(t, w.Collect(ctx, time.Now().Add(2*collectAge)))
	w.Close()
	if files, names := segFiles(t, x), segNames(p); len(files) != len(names) {
		t.Errorf("%d files for %d names after Collect", len(files), len(names))
	}
	return g
}
