package mcp

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// Places are the connections that a server holds at a time. When all are taken, one more
// takes the place of one that the server waits for: whose request has not come yet, or
// not all of it. So a client that opens connections and says nothing gets others no less
// of the server; it loses its own first, because the address that waits with the most
// gives way. Only where every connection has a call running does a new one wait.
type places struct {
	net.Listener
	max int

	mu      sync.Mutex
	freed   sync.Cond // a connection ended, or began to wait
	closed  bool
	held    int
	waiting list.List      // of *place, oldest first
	from    map[string]int // of those, how many an address has
}

func newPlaces(l net.Listener, most int) *places {
	p := &places{Listener: l, max: most, from: map[string]int{}}
	p.freed.L = &p.mu
	return p
}

// A place is one connection.
type place struct {
	net.Conn
	in      *places
	from    string
	waits   *list.Element // nil while it works
	ended   bool
	closing sync.Once
}

// Accept returns a connection once there is a place for it.
func (p *places) Accept() (net.Conn, error) {
	c, err := p.Listener.Accept()
	if err != nil {
		return nil, err
	}
	from := c.RemoteAddr().String()
	if host, _, err := net.SplitHostPort(from); err == nil {
		from = host
	}
	next := &place{Conn: c, in: p, from: from}
	p.mu.Lock()
	var gone *place
	for p.held >= p.max && !p.closed {
		if gone = p.victim(); gone != nil {
			p.end(gone)
			break
		}
		p.freed.Wait()
	}
	p.held++
	p.wait(next)
	p.mu.Unlock()
	if gone != nil {
		_ = gone.Close() // nobody reads what it would say
	}
	return next, nil
}

// Close ends Accept too where it waits for a place.
func (p *places) Close() error {
	p.mu.Lock()
	p.closed = true
	p.freed.Broadcast()
	p.mu.Unlock()
	return p.Listener.Close()
}

// victim returns the oldest connection of the address that waits with the most, if any.
func (p *places) victim() *place {
	var most *place
	for e := p.waiting.Front(); e != nil; e = e.Next() {
		if c, ok := e.Value.(*place); ok && (most == nil || p.from[c.from] > p.from[most.from]) {
			most = c
		}
	}
	return most
}

func (p *places) wait(c *place) {
	if c.waits == nil && !c.ended {
		c.waits = p.waiting.PushBack(c)
		p.from[c.from]++
		p.freed.Signal()
	}
}

func (p *places) work(c *place) {
	if c.waits == nil {
		return
	}
	p.waiting.Remove(c.waits)
	c.waits = nil
	if p.from[c.from]--; p.from[c.from] == 0 {
		delete(p.from, c.from)
	}
}

func (p *places) end(c *place) {
	if c.ended {
		return
	}
	p.work(c)
	c.ended = true
	p.held--
	p.freed.Signal()
}

// works says that c's request is here and is worked on.
func (p *places) works(c net.Conn) {
	if c, ok := c.(*place); ok {
		p.mu.Lock()
		p.work(c)
		p.mu.Unlock()
	}
}

// state follows what net/http knows of a connection. That a request's header has come
// does not end the wait: its body may never come.
func (p *places) state(c net.Conn, s http.ConnState) {
	if c, ok := bare(c).(*place); ok && s == http.StateIdle {
		p.mu.Lock()
		p.wait(c)
		p.mu.Unlock()
	}
}

// bare returns the connection below TLS.
func bare(c net.Conn) net.Conn {
	if t, ok := c.(interface{ NetConn() net.Conn }); ok {
		return t.NetConn()
	}
	return c
}

// Close gives the place up.
func (c *place) Close() (err error) {
	c.closing.Do(func() {
		err = c.Conn.Close()
		c.in.mu.Lock()
		c.in.end(c)
		c.in.mu.Unlock()
	})
	return err
}
