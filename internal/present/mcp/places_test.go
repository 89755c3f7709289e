package mcp

import (
	"net"
	"net/http"
	"testing"
)

// Callers are connections in the order they come.
type callers chan net.Conn

func (l callers) Accept() (net.Conn, error) {
	c, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (l callers) Close() error   { close(l); return nil }
func (l callers) Addr() net.Addr { return &net.TCPAddr{} }

// A caller is a connection from an address.
type caller struct {
	net.Conn
	ip   string
	gone bool
}

func (c *caller) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(c.ip), Port: 9} }
func (c *caller) Close() error         { c.gone = true; return nil }

// TestPlaces holds who gives way when all places are taken: the oldest that waits, of the
// address that waits with the most, and never one that works.
func TestPlaces(t *testing.T) {
	l := make(callers, 10)
	p := newPlaces(l, 4)
	come := func(ip string) (*caller, net.Conn) {
		c := &caller{ip: ip}
		l <- c
		got, err := p.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return c, got
	}
	one, oneAt := come("10.0.0.1")
	two, twoAt := come("10.0.0.2")
	many1, many1At := come("10.0.0.3")
	many2, _ := come("10.0.0.3")
	p.works(many1At)
	three, threeAt := come("10.0.0.4") // all wait with one: the oldest
	if !one.gone || two.gone || many1.gone || many2.gone {
		t.Fatalf("gone: %v %v %v %v, want the first", one.gone, two.gone, many1.gone, many2.gone)
	}
	p.state(many1At, http.StateIdle) // 10.0.0.3 waits with two
	four, fourAt := come("10.0.0.5")
	if two.gone || many1.gone || !many2.gone || three.gone {
		t.Fatalf("gone: %v %v %v %v, want the older of the address with two", two.gone, many1.gone, many2.gone, three.gone)
	}
	p.works(oneAt) // it is gone: that changes nothing
	for _, c := range []net.Conn{twoAt, many1At, threeAt, fourAt} {
		p.works(c)
	}
	if p.held != 4 || p.waiting.Len() != 0 || len(p.from) != 0 {
		t.Fatalf("%d held, %d wait, %v", p.held, p.waiting.Len(), p.from)
	}
	accepted := make(chan *caller)
	go func() {
		c := &caller{ip: "10.0.0.6"}
		l <- c
		if _, err := p.Accept(); err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	select {
	case <-accepted:
		t.Fatal("one more has a place while all work")
	default:
	}
	if err := twoAt.Close(); err != nil {
		t.Fatal(err)
	}
	if five := <-accepted; five.gone || !two.gone || four.gone || three.gone {
		t.Error("the place that was given up is not the one that was taken")
	}
	if err := twoAt.Close(); err != nil || p.held != 4 {
		t.Errorf("closed twice: %v, %d held", err, p.held)
	}
	// A server that stops does not wait for a place.
	p.works(p.waiting.Front().Value.(*place))
	l <- &caller{ip: "10.0.0.7"}
	ended := make(chan bool)
	go func() {
		_, err := p.Accept()
		ended <- err == nil
	}()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
}
