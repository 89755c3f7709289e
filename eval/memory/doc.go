// Command memory measures package memory: what it finds, how fast it is, and that
// nothing is lost.
//
//	go run ./eval/memory                       what is found, by kind of question
//	go run ./eval/memory -v                    and what is not found first
//	go run ./eval/memory current, times, echo  old and new notes, questions about time, questions nobody answered
//	go run ./eval/memory paraphrases           119 notes and 246 questions that have few of their words; half of the kinds are fitted to
//	go run ./eval/memory handbooks -mirrors DIR   questions to 350 pages of the handbooks of 14 projects
//	go run ./eval/memory several -mirrors DIR OWNER+NAME:FOLDER...   what several minutes of meetings answer
//	go run ./eval/memory forms [-half dev]     notes of like form, old and new, beside plain BM25; -notes DIR: notes kept elsewhere
//	go run ./eval/memory speed                 20,000 notes: rebuild, no-op sync, search, recall
//	go run ./eval/memory soak                  16 processes at once, and 1,000 that are killed
//
// # Data
//
// testdata holds 104 notes, 27 sessions and 225 questions about them, and two long
// conversations of 20 meetings with 58 questions, all written for this. A question
// names the notes that answer it: any of them will do for any@k, all are wanted for
// all@10. Questions of kind none have no answer: what counts is that recall tells
// nothing for them. Never change a question because of what a search answers; add
// new ones instead.
//
// testdata/revisions.jsonl and revisions.blind.jsonl name lines of documentation that a commit of
// a public project replaced by one other line, with a question that both answer: the first were
// looked at, the second were asked once. Their texts are read from the repositories, bare, in
// DIR/OWNER+NAME/repo (current -pairs FILE -mirrors DIR). Projects that are
// kept aside are refused.
//
// testdata/handbooks.tsv names 350 pages of handbooks, decisions and how-tos of 14 public projects by
// repository, commit and path, and handbooks.jsonl has 196 questions that a reader wrote who had not
// seen this program: eight of a project in other words than its pages, four in their own, two that
// nothing answers. Eight projects, drawn by lot, are what weights may be fitted to (judged -mirrors
// DIR), six judge them.
//
// testdata/forms has 352 notes of like form: services, components, records, hosts, customers, versions,
// people and meetings, pairs of old and new with a topic, with words of change and without, and later
// notes about another thing. Half of the questions, by turns, are "test": they are asked once a change
// is made on the others. The search has to be nowhere below plain BM25 there, and no right note may be
// taken for replaced.
//
// forms/blind.jsonl has 60 notes in English and German and 75 questions of one who had not read the rules
// about old and new: 14 pairs whose newer note says that something changed, in other words than the older
// one; 8 pairs that say it about another thing; 4 pairs that do not say it; 4 pairs of two things.
//
// testdata/figures.txt holds the figures still; its test is rewritten by -update.
//
// testdata/paraphrases.txtar holds 119 notes in English, German and Japanese, and paraphrases.jsonl
// 246 questions to them, each as somebody asks who has the problem and not the words: at most a third
// of a question's content words, cut to five letters, are in its note.
package main
