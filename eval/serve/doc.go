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
//	go run ./eval/serve -clients 100 -snippets 34000 [-different N] [-for 60s]
//
// asks from so many clients, each again as soon as it is answered, in turn of assay and of a trivial
// server of the same SDK, which returns recorded answers of assay: what protocol and machine cost
// falls on both. Each is asked all questions once before anything is counted. -different is how many questions there are, asked one after another: with few of
// them most are answered as they were before, with 5,000, which is the most, hardly any.
//
// The exit status is 1 when there was an error, or -p99 or -rss was missed; of
// -clients when assay does less than half of what the trivial server does, or p99 is above 3 times p50.
package main
