// Command paraphrase measures what searching by meaning adds to searching by
// words where a question has other words than the text that answers it.
//
// It asks a built assay two sets of questions in lexical, hybrid and semantic
// mode: one over short notes that are kept here, one over the documentation of
// packages that npm and apt-get fetch by name. It prints the share of questions
// answered among the first 1, 5 and 10 hits and the mean reciprocal rank, by
// kind of note and by package. README.md says how the questions were made.
//
// The notes need no network.
package main
