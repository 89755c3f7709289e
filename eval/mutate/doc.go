// Command mutate says how well the tests of a package protect it. It changes the
// package's code in one place at a time, runs its tests, and counts the changes that
// no test notices.
//
//	go run ./eval/mutate ./internal/code/rank               # every change; go test of one package for each
//	go run ./eval/mutate -n 100 -v ./internal/code/...      # a sample, with the changes that survive
//	go run ./eval/mutate -also ./internal/graph ./internal/code/facts   # of what survives, what the tests of another package notice
//	go run ./eval/mutate -least .9 ./internal/code/rank     # status 1 below that share
//
// A change negates a condition; swaps + and -, * and /, & and |, && and ||, a
// comparison and its neighbour; drops a statement; changes a number; or returns zero
// values. What does not compile is not counted. What makes the tests hang is killed by
// -timeout, and counts as noticed.
//
// The changes of a sample are built as one program, in which an environment variable
// puts one in force; constants, and what the compiler refuses beside the others, are built
// one by one. Of that program's tests only those are run with a change that come by it when
// nothing is changed, the quick ones first. The tree stays as it is: changed files are laid
// over it by go test -overlay. The same -seed takes the same sample.
package main
