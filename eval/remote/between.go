//go:build team

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A between is what lies between clients and a server: connections go through it, and it
// makes them slow, silent or cut.
type between struct {
	network, address string // of the server
	l                net.Listener
	delay            atomic.Int64 // of what goes either way
	silent           atomic.Bool  // nothing goes either way, and nobody is told
	mu               sync.Mutex
	conns            map[net.Conn]bool
}

// across starts one, and returns the address that clients use in place of that of the server.
func across(at string) (*between, string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	b := &between{l: l, conns: map[net.Conn]bool{}}
	u, err := url.Parse(at)
	if err != nil {
		return nil, "", err
	}
	switch u.Scheme {
	case "postgres": // a socket in the folder that host names
		b.network, b.address = "unix", u.Query().Get("host")+"/.s.PGSQL.5432"
		at = fmt.Sprintf("postgres://%s@%s%s", u.Query().Get("user"), l.Addr(), u.Path)
	case "http":
		if strings.Contains(u.Host, ",") {
			return nil, "", errors.New("between: want one node")
		}
		b.network, b.address = "tcp", u.Host
		at = "http://" + l.Addr().String()
	default:
		return nil, "", fmt.Errorf("between: want postgres:// or http://, not %s", u.Scheme)
	}
	go b.accept()
	return b, at, nil
}

func (b *between) accept() {
	for {
		c, err := b.l.Accept()
		if err != nil {
			return
		}
		go b.carry(c)
	}
}

func (b *between) carry(c net.Conn) {
	defer func() { _ = c.Close() }()
	s, err := net.Dial(b.network, b.address)
	if err != nil {
		return
	}
	defer func() { _ = s.Close() }()
	b.mu.Lock()
	b.conns[c], b.conns[s] = true, true
	b.mu.Unlock()
	var wg sync.WaitGroup
	for _, way := range [][2]net.Conn{{c, s}, {s, c}} {
		wg.Go(func() {
			b.pump(way[1], way[0])
			_ = c.Close() // ends the other way too
			_ = s.Close()
		})
	}
	wg.Wait()
	b.mu.Lock()
	delete(b.conns, c)
	delete(b.conns, s)
	b.mu.Unlock()
}

func (b *between) pump(to io.Writer, from io.Reader) {
	buf := make([]byte, 1<<15)
	for {
		n, err := from.Read(buf)
		time.Sleep(time.Duration(b.delay.Load()))
		for b.silent.Load() {
			time.Sleep(50 * time.Millisecond)
		}
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// cut ends all connections, whatever is on its way.
func (b *between) cut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.conns {
		_ = c.Close()
	}
}

// trouble makes one kind of trouble after the other until the time is over: what goes either
// way takes 100 ms more, nothing goes for as long, connections are cut ten times.
func (b *between) trouble(ctx context.Context, during, every time.Duration) string {
	defer func() { b.delay.Store(0); b.silent.Store(false) }()
	slow, silent, cuts := 0, 0, 0
	for end, i := time.Now().Add(during), 0; time.Now().Add(every).Before(end) && ctx.Err() == nil; i++ {
		switch i % 4 {
		case 0:
			slow++
			b.delay.Store(int64(100 * time.Millisecond))
			time.Sleep(every)
			b.delay.Store(0)
		case 1:
			silent++
			b.silent.Store(true)
			time.Sleep(every)
			b.silent.Store(false)
		case 2:
			for range 10 {
				time.Sleep(every / 10)
				cuts++
				b.cut()
			}
		case 3: // as it should be
			time.Sleep(every)
		}
	}
	return fmt.Sprintf("what went either way took 100 ms more %d times for %s, nothing went %d times, all connections were cut %d times", slow, every, silent, cuts)
}
