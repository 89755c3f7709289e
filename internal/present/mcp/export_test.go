package mcp

import (
	"net"
	"time"

	"github.com/assay-dev/assay/internal/present/op"
)

// Listening is what a server says when it starts.
func Listening(at net.Addr, token bool) []string { return listening(at, token) }

// MaxOpen and TightConns are limits that tests fill.
const (
	MaxOpen    = maxOpen
	TightConns = 8
)

// Tight returns opt with limits that a test can reach.
func (opt HTTPOptions) Tight() HTTPOptions {
	const soon = 400 * time.Millisecond
	opt.limits = &limits{header: soon, body: soon, idle: soon, write: 2 * soon, stop: 5 * time.Second, pulse: soon, conns: TightConns, streams: 2, large: 1}
	return opt
}

// Patient returns opt with a few places and limits of time that no test reaches.
func (opt HTTPOptions) Patient() HTTPOptions {
	const late = time.Hour
	opt.limits = &limits{header: late, body: late, idle: late, write: late, stop: 5 * time.Second, pulse: late, conns: TightConns, streams: 2, large: 1}
	return opt
}

// Advice returns what is said of a hint to a caller of a tool.
func Advice(hint string, t op.Tool) string { return advice(hint, t) }
