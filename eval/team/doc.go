// Command team measures a server for teams: users who think between their calls.
//
//	go run ./eval/team [-assay FILE] [-tree DIR] [-users 200] [-think 10s] [-for 2m] [-p95 150ms] [-out FILE]
//
// assay is built from this tree unless -assay names one. Three teams are made of the folders of
// -tree, this repository where nothing is said: one has its code in two repositories, one has a part of it,
// and one has all of it as one. Each has notes and a library of documentation. Users are spread over
// them, each with a token of their own, and speak MCP over HTTP with TLS.
//
// A user waits for a time that is exponentially distributed about -think, makes a call of the mix that
// is printed, and waits for its answer; what is asked for are names and comments of the tree, with a
// fixed seed, so that two users seldom ask the same. An answer that is none, or an error of a tool
// other than that there is no such name, counts as an error. The memory is the server's resident set,
// with its anonymous part beside it: the rest are pages of files. Users and server share the machine.
//
//	go run ./eval/team -tree DIR,DIR,… -repositories 10 -lines 1000000 -snippets 100000 -notes 50000 -for 10m
//
// measures teams of a size instead: teams of two repositories each, of so many lines, made of the files
// of the trees one after the other, each file once, without vendored ones; documentation and notes are
// shared out to the teams. Eight of ten questions about code name the repository that they are about,
// the others are asked of both. The repositories are indexed before the server starts.
//
// With -keep DIR what was made stays in DIR, and the next run with the same numbers begins at once: with
// indexes that exist, and with the notes that were stored meanwhile.
//
// The time before the figures begin, an eighth of -for, is not counted: indexes are made in it.
//
// The exit status is 1 where there was an error, or -p95 was missed.
package main
