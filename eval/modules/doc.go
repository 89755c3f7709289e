// Command modules measures how well and how fast assay finds modules.
//
// It asks the questions of testdata/queries.txt of the modules that come with the
// program, with both engines, and prints how often the right one comes first and
// among the first three. Then it writes thousands of modules into a folder and
// prints what a question about them costs: in this process, step by step, and with
// -assay as a program that starts, reads, answers and ends.
//
// testdata/foreign.txt has questions that no module answers: with -judged they are for
// eval/fit, which says what the score midpoint does to them.
//
// The answers are held by testdata/ranks.txt (go test ./eval/modules -update). No
// network.
package main
