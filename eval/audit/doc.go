// Command audit measures how well documents are held against the code.
//
// With -cite it plants citations in real projects, of which some are not as they stand in the code. The
// same seed plants the same.
// With -natural it judges public projects as they are, by labels that were made by
// reading them, and features planted in the style that people write: folder natural has
// the projects with their commits, the plants and the labels; FOLDER has a checkout of
// each. Split dev is for working on the audit; seen was the test set until it was looked
// at; test was looked at when that work was done, third and fourth after each other for the
// rules that tell ghosts from what is unsure, seventh for those that say what code offers:
// of it orphans are labelled too. None is untouched any more. Split learn is what rules were
// made from since: of its orphans eight a project are labelled, chosen by chance.
// Split eighth was looked at once when that was done, with five orphans a project; ninth
// after the repairs that eighth led to, with eight orphans a project and all that had
// drifted; tenth likewise, after the repairs that ninth led to; eleventh with the rules that
// say ghosts on strong grounds alone; twelfth, with five orphans a project, when those had also the
// history of the code to go by: its checkouts need it (`git clone`). Thirteenth was looked at once with
// the rule that a name with a word misspelt is that name; only its ghosts are labelled. Fourteenth, with five
// orphans a project, was looked at once by the program itself, with five seconds of history; fifteenth
// likewise, after the rules on what languages offer that fourteenth led to. Sixteenth was looked
// at once with the rules on what examples use and take, qualified names and letters; only its ghosts are labelled. Seventeenth was
// looked at once, by the program with five seconds of history, with the rules that ask for grounds; eighteenth likewise after
// what seventeenth led to. Nineteenth was looked at once, by the program too, with the rule that one strong ground
// confirms a ghost; twentieth with the rule that this ground has to have been right in four of five. Of these, as of
// seventeenth and eighteenth, only ghosts are labelled, those of high ambiguity too.
// Of twentyfirst to twentyfifth only sure orphans are labelled, at most five a project: each was looked at once by the program,
// with the rules that ask for a manifest, after the repairs that the one before led to. Twentysixth to twentyninth
// likewise, by a reader who did not know which of what was drawn had been reported as sure.
// natural/README.md says by which rules labels are given.
// With -history it takes commits that correct a name in a document, as natural/corrections.tsv lists
// them with what a reader found, and looks whether it is reported at the commit before. The rules were
// made with split learn; test is of other projects, later of others again and newest of projects of
// seventeenth and eighteenth, which were looked at once.
// With -calls it compares the calls in examples of documents with the functions, methods and constructors that they call, of all
// projects in a FOLDER.
// With -memory it says what whole processes of a program take.
//
//	go run ./eval/audit [-seed N] [-mode scan|words|model] [-memory PROGRAM | -cite | -history learn|test|later|newest | -calls | -natural dev|seen|test|third|…|twentyninth] [-v] FOLDER...
package main
