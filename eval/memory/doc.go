// Command memory measures package memory: what it finds, how fast it is, and that
// nothing is lost.
//
//	go run ./eval/memory                       what is found, by kind of question
//	go run ./eval/memory -v                    and what is not found first
//	go run ./eval/memory -conversations FILE   the same for long conversations kept elsewhere
//	go run ./eval/memory current, times, echo  old and new notes, questions about time, questions nobody answered
//	go run ./eval/memory paraphrases           the notes and questions of eval/paraphrase, which nothing of memory is fitted to
//	go run ./eval/memory handbooks -mirrors DIR   questions to 350 pages of the handbooks of 14 projects
//	go run ./eval/memory draw -mirrors DIR OWNER+NAME...   lines of documentation that a project replaced
//	go run ./eval/memory several -mirrors DIR OWNER+NAME:FOLDER...   what several minutes of meetings answer
//	go run ./eval/memory fit                   fits what tells that a note is in the place of another
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
// DIR/OWNER+NAME/repo (current -pairs FILE -mirrors DIR). draw prints further ones, without
// questions; what is only worded otherwise is left out by whoever writes these. Projects that are
// kept aside are refused.
//
// testdata/handbooks.tsv names 350 pages of handbooks, decisions and how-tos of 14 public projects by
// repository, commit and path, and handbooks.jsonl has 196 questions that a reader wrote who had not
// seen this program: eight of a project in other words than its pages, four in their own, two that
// nothing answers. Eight projects, drawn by lot, are what weights may be fitted to (judged -mirrors
// DIR), six judge them.
//
// testdata/figures.txt holds the figures still; its test is rewritten by -update.
//
// FILE is a JSON list of conversations as published for questions on long-term
// memory: each has conversation (session_N, a list of turns with speaker, dia_id and
// text, and session_N_date_time) and qa (question, category, evidence: the dia_ids
// that answer, as D3:7 of session 3). Each conversation is a vault of its own, each
// session a note. Questions of category 5 have no answer and are left out.
package main
