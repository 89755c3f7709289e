// Command evidence collects what the weights of code ranking are fitted from: of questions
// to source trees, all that the index proposes, before any ranking, and which of it
// answers.
//
//	go run ./eval/evidence -out POOLS -mirrors DIR -changes FILE -data BENCH
//	go run ./eval/fit -pools POOLS -penalty .03 -write code
//	go run ./eval/fit -pools POOLS -penalty .1 -mode semantic -write code
//	go run ./eval/fit -pools POOLS -penalty .06 -mode lexical -keep "code of a declaration" -write code
//
// By words alone, that a chunk is code of a declaration keeps its weight: it is the same for
// every question, and with the weight of the fit a word in common was evidence enough for a
// brief to list a test. The order hardly misses it.
//
// There are six sets of questions with answers, and one without:
//
//   - changes: what the author of a commit wrote of it, asked of the tree before; the files
//     that it touched are right. FILE is JSON lines with repo (OWNER+NAME), commit, parent
//     and files; DIR has bare repositories, OWNER+NAME/repo.
//   - subjects: the first line of those messages that have more.
//   - comments: the first sentence of the comment on a declaration, once the comment is
//     taken out of the tree; its file is right.
//   - cores: comments on what its file is called by, where the names of others have that word
//     too.
//   - questions: those of the benchmark of eval/codesearch, in BENCH.
//   - read: what somebody asked who read the code of a project, and the files that answer:
//     208 questions to 33 projects, in testdata/read.jsonl (-read).
//   - foreign: the questions of another project of the benchmark, which have no answer.
//
// Projects that are kept aside to judge, and the sites that document them, are refused, here
// and by all that reads evidence (package keptaside).
//
// testdata/unseen.jsonl has 113 more questions of readers, to 20 projects in 15 languages that
// nothing was fitted to or chosen on: for a last look, once (-read, into a folder of its own,
// and eval/fit -against). unseen2.jsonl has 112 more to 16 projects in as many languages, for the same; of six of them
// (h3, hakyll, knex, libgit2, Penlight, PHP-Parser) packages were among what the embedding model learned from.
//
// A pool can be ranked by signals that do not exist yet, as far as they follow from what
// it holds, so that trees are read once and fits take seconds. What was collected stays
// until how queries are understood changes; then eval/fit asks for it again.
package main
