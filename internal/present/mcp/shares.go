package mcp

import (
	"net/http"
	"net/netip"
	"sync"
)

// Shares keep one address from taking a server's time for itself: of the requests of one
// address, and of its idle streams, so many are served at once.
type shares struct {
	most int // 0: as many as there are

	mu sync.Mutex
	of map[sharer]int
}

type sharer struct {
	from   netip.Prefix
	stream bool
}

// enter takes a share for a request, or reports that its address has all of its own.
func (s *shares) enter(r *http.Request, stream bool) (leave func(), ok bool) {
	if s.most <= 0 {
		return func() {}, true
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil { // a transport without addresses has one client
		return func() {}, true
	}
	// Whoever has one IPv6 address has the 2⁶⁴ around it.
	addr, bits := at.Addr().Unmap().WithZone(""), 32
	if addr.Is6() {
		bits = 64
	}
	from, err := addr.Prefix(bits)
	if err != nil {
		return func() {}, true
	}
	key := sharer{from, stream}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[key] >= s.most {
		return nil, false
	}
	if s.of == nil {
		s.of = map[sharer]int{}
	}
	s.of[key]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.of[key]--; s.of[key] == 0 {
			delete(s.of, key)
		}
	}, true
}
