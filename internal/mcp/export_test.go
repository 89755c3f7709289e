package mcp

import "time"

// Tight returns o with limits that a test can reach.
func (o HTTPOptions) Tight() HTTPOptions {
	const soon = 300 * time.Millisecond
	o.limits = &limits{header: soon, body: soon, idle: soon, write: 2 * soon, stop: 5 * time.Second, pulse: soon, conns: 8, streams: 2, large: 1}
	return o
}
