// Package golden holds the ranking still. Its test indexes modules that go.mod
// pins and this project itself, asks them questions whose answers were read from
// the sources, and compares the rank of every first right answer with
// testdata/rank_stats.txt: no change of ranking goes by unseen.
//
// Each file in testdata/queries is a corpus: a line names its module, and each
// line after it is a query with the places that answer it.
//
//	symbol    Command.Find => command.go#Command.Find
//	phrase    key=value pairs => string_to_string.go, string_to_int.go
//	question  how are flags wrapped => flag.go#wrap, README.md#Usage
//
// A place is a file, or a declaration or a heading in it; any one of them will
// do. Queries are written from the sources, never from what the program answers:
// one that finds nothing stays. This project's own sources change with every
// commit, so for them only a floor is held.
//
//	go test ./internal/golden -update      rewrite the golden file; then read its diff
//	go test ./internal/golden -v           with the hits of every query that did not find its answer first
package golden
