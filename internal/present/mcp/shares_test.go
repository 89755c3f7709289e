package mcp

import (
	"net/http"
	"testing"
)

// An address has its share and no more, whatever others have; what it gives back it can take
// again. An IPv6 network counts as one address.
func TestShares(t *testing.T) {
	s := &shares{most: 2}
	enter := func(from string, stream bool) func() {
		leave, ok := s.enter(&http.Request{RemoteAddr: from}, stream)
		if !ok {
			return nil
		}
		return leave
	}
	first := enter("192.0.2.1:1", false)
	for _, tc := range []struct {
		from   string
		stream bool
		ok     bool
	}{
		{"192.0.2.1:2", false, true}, {"192.0.2.1:3", false, false}, {"[::ffff:192.0.2.1]:4", false, false},
		{"192.0.2.1:5", true, true}, {"192.0.2.2:1", false, true},
		{"[2001:db8::1]:1", false, true}, {"[2001:db8::2]:1", false, true}, {"[2001:db8::3]:1", false, false}, {"[2001:db8:0:1::1]:1", false, true},
		{"pipe", false, true},
	} {
		if ok := enter(tc.from, tc.stream) != nil; ok != tc.ok {
			t.Errorf("%s, stream %t: let in %t, want %t", tc.from, tc.stream, ok, tc.ok)
		}
	}
	first()
	if enter("192.0.2.1:6", false) == nil || enter("192.0.2.1:7", false) != nil {
		t.Error("what was given back is not free once")
	}
	none := &shares{}
	for range 100 {
		if _, ok := none.enter(&http.Request{RemoteAddr: "192.0.2.1:1"}, false); !ok {
			t.Fatal("no limit, and refused")
		}
	}
}
