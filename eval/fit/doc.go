// Command fit fits the weights of a profile to judged candidates, and says whether
// that helps where it was not fitted.
//
//	go test ./internal/golden -judged /tmp/code.jsonl && go run ./eval/fit code /tmp/code.jsonl
//	go run ./eval/docs judged -dir DIR | go run ./eval/fit docs
//	go run ./eval/memory judged        | go run ./eval/fit memory
//	go run ./eval/modules -judged      | go run ./eval/fit modules
//	go run ./eval/fit -pools DIR code    (eval/evidence says how DIR is made)
//
// For each variant of the profile that there are questions for, it fits the weights of
// the signals that add to the evidence, as factors of those that are there: by
// pairwise logistic regression (the probability that a candidate that answers is
// before one that does not), each question counting the same, with a penalty on the
// squared logarithm of each factor (-penalty): what no question speaks for stays as
// it is. Weights that are 0, factors, damping and the score midpoint are not fitted.
//
// Each project is held out in turn: the weights are fitted on the others, and the
// questions of the one are ranked with them, by package rank with all that it does.
// Printed are NDCG and the reciprocal rank among the first 10, as the profile is and
// as fitted, of the questions held out. -write writes weights fitted on all projects to
// the profile's file, and refuses where they do not rank the held out questions
// better: in both figures, and in more projects than worse.
//
// It also prints above which evidence 95 of 100 right answers are; and where there are
// questions that nothing answers, which part of them stays without an answer at the score
// midpoint, which part of the others has a right one there, and what a midpoint does that is
// calibrated for both: on four fifths of the projects, for the fifth that is held out. -midpoint does this alone.
// -write writes that midpoint where it is better there.
//
// With -pools it fits what is measured of pools, of which files answer. It goes down the
// gradient of a loss of pairs of files, one that answers and one that does not, each by what
// NDCG would gain of their exchange, as mean over the sets of questions by their shares, of
// each over its projects, of each over its questions. The penalty is on how far a weight moves
// evidence from what it is there for (-from: for another variant); a weight that is 0 may grow.
// A fifth of the projects is held out in turn, with all that is asked of them. Two in five of
// the projects that the questions of the benchmark are not about are for tests: they are never
// fitted on, and -test, for a last look, prints their figures. All differences come with the
// spread of 95 in 100 samples of the projects. -write writes the variants that are better
// where they were held out, of a size at which right answers have as much evidence as before,
// and the score midpoint that suits them. It prints too which part of the questions of other
// projects has something above the midpoint.
//
// -against DIR fits nothing: it prints how the profile does beside the one of DIR, on all
// questions of the pools, with the spread of the difference. It is how a change is judged on
// questions that were kept for that, as those of eval/evidence/testdata/unseen.jsonl.
//
// -only fits the weights of some signals, and keeps the others: what a new signal is worth.
//
// -keep fits all but some: of what says nothing of a question, which may make an order better,
// and makes everything more likely an answer.
//
// -without leaves out projects of FILE, separated by commas: those that are kept for tests.
package main
