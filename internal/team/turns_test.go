package team

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/mcp"
)

// A queue is turns under test. Each call has a name.
type queue struct {
	*turns
	t     *testing.T
	ends  map[string]func()
	waits map[string]*waiter
}

func queueOf(t *testing.T, calls, processors int, teams map[string]*Team) *queue {
	return &queue{newTurns(calls, processors, teams), t, map[string]func(){}, map[string]*waiter{}}
}

// wait has a call wait, which must not run.
func (q *queue) wait(name, team string, heavy bool) {
	q.t.Helper()
	w, err := q.enqueue(team, heavy)
	if err != nil {
		q.t.Fatalf("%s: %v", name, err)
	}
	q.waits[name] = w
	if got := q.turn(); got != "" {
		q.t.Fatalf("%s runs", got)
	}
}

// turn returns which of those that wait has its turn, and has it run; "" where none has.
func (q *queue) turn() (name string) {
	q.t.Helper()
	for n, w := range q.waits {
		select {
		case <-w.turn:
		default:
			continue
		}
		if name != "" {
			q.t.Errorf("%s and %s have their turns at once", name, n)
		}
		end, err := q.await(q.t.Context(), w)
		if err != nil {
			q.t.Fatalf("%s: %v", n, err)
		}
		name, q.ends[n] = n, end
		delete(q.waits, n)
	}
	return name
}

// run has a call run, which must not wait.
func (q *queue) run(name, team string, heavy bool) {
	q.t.Helper()
	ctx, stop := context.WithCancel(q.t.Context())
	stop() // one that waited would end
	end, err := q.acquire(ctx, team, heavy)
	if err != nil {
		q.t.Fatalf("%s waits: %v", name, err)
	}
	q.ends[name] = end
}

// end ends a call, and expects another to have its turn by that; none where it is "".
func (q *queue) end(name, next string) {
	q.t.Helper()
	q.ends[name]()
	if got := q.turn(); got != next {
		q.t.Errorf("after %s: %q, want %q", name, got, next)
	}
}

// A quick call does not wait behind heavy ones, of which so few run that a processor is left for it; nor a heavy one behind quick ones.
func TestTurnsHeavy(t *testing.T) {
	for _, c := range []struct{ calls, processors, quick, heavy int }{{0, 1, 2, 1}, {0, 2, 4, 1}, {0, 8, 13, 4}, {4, 64, 2, 2}} {
		if q := newTurns(c.calls, c.processors, nil); q.free != [2]int{c.quick, c.heavy} {
			t.Errorf("%d calls on %d processors: %v", c.calls, c.processors, q.free)
		}
	}
	q := queueOf(t, 0, 2, nil)
	q.run("heavy", "red", true)
	for i := range 9 {
		q.wait(fmt.Sprint("heavy", i), "red", true)
	}
	q.run("quick", "red", false)
	q.end("heavy", "heavy0")
	q.end("quick", "")
	q = queueOf(t, 2, 2, nil)
	q.run("quick", "red", false)
	q.wait("quick0", "red", false)
	q.run("heavy", "red", true)
}

// Of those that wait, the next is of the team with the fewest calls that run; one that floods the server
// waits for itself. Those of a team have their turns as they came.
func TestTurnsFair(t *testing.T) {
	q := queueOf(t, 3, 2, map[string]*Team{"green": {Parallel: 1}})
	q.run("red0", "red", false)
	q.run("red1", "red", false)
	for _, name := range []string{"red2", "red3", "blue0", "red4"} {
		team, _, _ := strings.Cut(strings.TrimRight(name, "01234"), " ")
		q.wait(name, team, false)
	}
	q.end("red0", "blue0")
	q.wait("green0", "green", false)
	q.wait("green1", "green", false)
	q.end("red1", "red2") // as many of red as of green run, and it came first
	q.end("blue0", "green0")
	q.end("red2", "red3") // green is at its limit
	q.end("green0", "green1")
	q.end("red3", "red4")
	q.end("red4", "")
	q.end("green1", "")
	if q.turns.countWaiting() != 0 || q.free != [2]int{2, 1} || q.running["red"]+q.running["blue"]+q.running["green"] != 0 {
		t.Errorf("%d wait, %v are free, %v run", q.turns.countWaiting(), q.free, q.running)
	}
}

// More than so many do not wait: who comes then is told so at once. Who gives up leaves no trace.
func TestTurnsFull(t *testing.T) {
	q := queueOf(t, 2, 2, nil)
	q.maxWaiting = 2
	q.run("one", "red", false)
	q.wait("two", "red", false)
	q.wait("three", "red", false)
	if _, err := q.enqueue("red", false); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "busy") {
		t.Errorf("more than may wait: %v", err)
	}
	if !q.isFull("red") || q.isFull("blue") {
		t.Error("a team that fills its places fills those of another")
	}
	q.wait("blue", "blue", false)
	delete(q.waits, "blue")
	if !q.withdraw(q.queues[0][2]) {
		t.Error("the call of another team does not wait")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := q.await(ctx, q.waits["three"]); err == nil || q.turns.countWaiting() != 1 {
		t.Errorf("one that was given up: %v; %d wait", err, q.turns.countWaiting())
	}
	delete(q.waits, "three")
	q.end("one", "two")
	q.end("two", "")
}

// A server runs so many calls as its file says, of all teams, and the others wait for their turns.
func TestParallel(t *testing.T) {
	s := start(t, "parallel: 2", mcp.HTTPOptions{})
	red, _ := s.token("red", Read)
	blue, _ := s.token("blue", Read)
	said := make(chan string, 2)
	block := func(token string) {
		go func() {
			_, got := s.call(token, "block")
			said <- got
		}()
	}
	block(red)
	<-s.blocked
	block(blue)
	admin, _ := s.token("blue", Administer)
	for m := ""; !strings.Contains(m, "assay_waiting 1\n"); { // until the call has come
		_, m = s.do("GET", "/metrics", admin, "", nil)
	}
	select {
	case <-s.blocked:
		t.Error("two quick calls run at once, and one may")
	default:
	}
	s.end <- struct{}{}
	<-s.blocked
	s.end <- struct{}{}
	for range 2 {
		if got := <-said; !strings.Contains(got, "ended") {
			t.Error(got)
		}
	}
}

// Old clients send several calls in one request: each counts.
func TestLimitsOfBatches(t *testing.T) {
	s := start(t, "teams: {red: {memory: true, rate: 3}, blue: {memory: true, daily: 5}}", mcp.HTTPOptions{})
	for team, want := range map[string]int{"red": 3, "blue": 5} {
		token, _ := s.token(team, Read)
		var calls []string
		for i := range 8 {
			calls = append(calls, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"who","arguments":{}}}`, i+1))
		}
		_, said := s.do("POST", "/mcp", token, "["+strings.Join(calls, ",")+"]", nil)
		if answered, refused := strings.Count(said, `"text":"`+team+`"`), strings.Count(said, "is reached"); answered != want || refused != 8-want {
			t.Errorf("%s: %d are answered and %d refused: %s", team, answered, refused, said)
		}
		if status, said := s.call(token, "who"); status != 429 {
			t.Errorf("%s afterwards: %d %s", team, status, said)
		}
	}
}
