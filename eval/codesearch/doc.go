// Command codesearch drives a built assay over a code-search benchmark and
// scores its answers: NDCG@10 over the whole, by project, language and category
// of query, each project beside a published figure, and latency by the process.
//
// The metric is the benchmark's own, reimplemented: the same answers give the
// same figures as its score.py. README.md says where the data comes from; none
// of it is kept here, and nothing here uses the network.
package main
