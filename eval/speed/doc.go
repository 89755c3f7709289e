// Command speed measures how fast the program is and how much it needs, and
// prints a table that says on which machine.
//
//	go build ./cmd/assay
//	go run ./eval/speed -tree DIR -assay ./assay -out FILE
//
// The tree is copied first, so that nothing of it is changed, and has been read
// whole when the measuring begins: "cold" means without an index, not without
// the system's page cache. Every figure is the median of -n runs, with the least
// and the most beside it; a latency is taken over all queries of all runs and
// has its 95th percentile too.
//
// # What is measured
//
//	index      the first index of the tree by a process of its own: wall and CPU
//	           time, also per million lines; the peak of its anonymous memory
//	           (RssAnon, sampled) and of all its memory (getrusage); its size beside
//	           that of the sources; and the first search of a tree without an index.
//	refresh    a refresh that finds nothing to do, in this process and by its own.
//	edit       from the moment before a file is written until a search finds what
//	           was written, in this process; and the writing to the index that
//	           comes after the answer.
//	query      ten hits from an open index in this process: a symbol, three words,
//	           a question of twenty words; alone, and with every hit read back from
//	           its file as an answer needs it.
//	process    the same queries by a process each, with and without a look at the
//	           tree.
//	structure  questions about structure, in turns, with the CPU time of each beside
//	           it: in this process, with and without a look at the tree, and by a
//	           process each; from an edit to an answer that knows it; and the
//	           reading of facts by one core.
//	synthetic  a refresh with nothing to do on trees of -files files made for it.
//
// The queries are drawn from the tree itself with a fixed seed: the same tree
// asks the same. A section that fails is reported, the others run, and the run
// ends in an error.
package main
