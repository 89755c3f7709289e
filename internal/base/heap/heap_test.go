package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// now is the percentage that holds.
func now() int {
	p := debug.SetGCPercent(50)
	debug.SetGCPercent(p)
	return p
}

// Two builds that overlap leave the percentage as it was: each used to put back what it
// had found, and the second had found that of the first.
func TestTightOverlaps(t *testing.T) {
	before := now()
	first := Tight()
	second := Tight()
	first()
	first() // once is what counts
	if now() != tight {
		t.Errorf("%d while the second works, want %d", now(), tight)
	}
	second()
	if now() != before {
		t.Errorf("%d afterwards, want %d", now(), before)
	}
}

func TestLate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	Late()
	if now() != late {
		t.Fatalf("%d before the first collection, want %d", now(), late)
	}
	end := Tight()
	if now() != tight {
		t.Errorf("%d during a build, want %d", now(), tight)
	}
	// The cleanup runs on a goroutine of the runtime.
	for range 1000 {
		runtime.GC()
		state.Lock()
		done := state.usual == usual
		state.Unlock()
		if done {
			break
		}
		runtime.Gosched()
	}
	if now() != tight {
		t.Errorf("%d during a build after a collection, want %d", now(), tight)
	}
	end()
	if now() != usual {
		t.Errorf("%d after a collection, want %d", now(), usual)
	}
	debug.SetGCPercent(200) // as GOGC does
	if Late(); now() != 200 {
		t.Errorf("%d although GOGC says 200", now())
	}
}

// Work on flat bytes has it tightest, whoever else works.
func TestFlat(t *testing.T) {
	before := now()
	tighter, flatter := Tight(), Flat()
	if now() != flat {
		t.Errorf("%d beside work that wants it tight, want %d", now(), flat)
	}
	flatter()
	if now() != tight {
		t.Errorf("%d when that work is alone, want %d", now(), tight)
	}
	tighter()
	if now() != before {
		t.Errorf("%d afterwards, want %d", now(), before)
	}
}

// Who wants it tight has it so, whoever wants it roomy.
func TestRoomy(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	state.Lock()
	state.usual = usual
	state.Unlock()
	first, second := Roomy(), Roomy()
	if now() != roomy {
		t.Errorf("%d, want %d", now(), roomy)
	}
	end := Tight()
	if now() != tight {
		t.Errorf("%d beside a build, want %d", now(), tight)
	}
	first()
	end()
	if now() != roomy {
		t.Errorf("%d after the build, want %d", now(), roomy)
	}
	second()
	if now() != usual {
		t.Errorf("%d afterwards, want %d", now(), usual)
	}
	state.Lock()
	state.usual = 200 // as GOGC says
	state.Unlock()
	defer func() { state.usual = usual }()
	if Roomy(); now() != 200 {
		t.Errorf("%d although GOGC says 200", now())
	}
	state.roomy = 0
}

// A server's heap may grow by less, the more of it is live, and by as much as any from half of the floor on.
func TestShared(t *testing.T) {
	for live, want := range map[uint64]int{0: late, 1 << 20: late, 10 << 20: 500, 20 << 20: 200, 40 << 20: usual, 79 << 20: usual, 1 << 40: usual} {
		if got := growth(live); got != want {
			t.Errorf("with %d bytes live it grows by %d, want %d", live, got, want)
		}
	}
	before := now()
	end := Shared()
	if now() != late {
		t.Errorf("%d before the first collection, want %d", now(), late)
	}
	keep := make([]byte, 60<<20)
	for range 1000 {
		runtime.GC()
		if now() == usual {
			break
		}
		runtime.Gosched()
	}
	if now() != usual {
		t.Errorf("%d with %d bytes live, want %d", now(), len(keep), usual)
	}
	runtime.KeepAlive(keep)
	tight := Tight()
	if now() != 40 {
		t.Errorf("%d during a build, want 40", now())
	}
	tight()
	end()
	if now() != before {
		t.Errorf("%d afterwards, want %d", now(), before)
	}
}
