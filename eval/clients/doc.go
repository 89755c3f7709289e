// Command clients tries assay with programs that others wrote: it serves a small
// project over stdio and HTTP, and has them ask.
//
//	go run ./eval/clients [-prefix DIR] [-assay FILE] [-out FILE]
//
// It needs npm and its registry. The packages, their versions fixed below, go to a
// folder of this program alone, -prefix, where the next run finds them; where they
// cannot be had, what needs them is left out and the reason said. assay is built
// from this tree unless -assay names one. Everything listens on loopback.
//
// # What is tried
//
//	inspector    @modelcontextprotocol/inspector --cli: tools/list with its strict
//	             look at the schemas, and a call of every tool, over stdio and HTTP.
//	conformance  @modelcontextprotocol/conformance: every scenario that the revisions
//	             2025-11-25 and 2026-07-28 of the protocol require of servers, over
//	             HTTP. Those that ask for what assay does not have are listed with the
//	             reason; of one that asks for it in part, the other checks count.
//	             Three that ask for tools of their own run against a server that has them.
//	opencode     opencode-ai: mcp list shows each server as connected.
//	context7     assay under the name context7-local: the requests that a client of
//	             it makes with curl, and what it calls itself.
//	ends         a signal ends each server with status 0.
//
// One line a check: pass, FAIL, n/a (a scenario for what assay does not have) or
// skip (it could not be tried). The exit status is 1 when a check failed.
package main
