// Command serve measures how a server of documentation holds up: query-docs over
// HTTP on loopback, at a rate, from many connections.
//
//	go run ./eval/serve [-assay FILE] [-db FILE] [-snippets N] [-libraries N]
//	                    [-rate 500] [-conns 64] [-for 60s] [-out FILE]
//
// assay is built from this tree unless -assay names one. A database that -db names
// and that is there is asked as it is; else one is made, of N snippets of invented
// words that are as frequent as words are, and kept where -db says.
//
// Requests are sent when their time comes, whether or not those before have been
// answered, and a latency counts from that time: a server that falls behind cannot
// hide it. The questions are words of snippets that the database holds, with a
// fixed seed. An error is an answer that is none, or that has no snippet.
//
// The memory is the server's resident set, sampled, with its anonymous part beside
// it: the rest are pages of files, which the system takes back as it likes. Load and
// server share the machine, so a latency is that of both.
//
// The exit status is 1 when there was an error, or -p99 or -rss was missed.
package main
