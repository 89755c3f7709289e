// Command audit measures how well documents are held against the code.
//
// With -cite it plants citations in real projects, of which some are not as they stand in the code. The
// same seed plants the same.
// With -natural it judges the orphans and the drift of public projects by labels that were made by reading them: folder natural has
// the projects with their commits and the labels; FOLDER has a checkout of each. Rules were made with the splits dev, seen and
// learn; each of the others was looked at once. natural/README.md says by which rules labels are given.
// With -history it takes commits that correct a name, a link, a path or a flag in a document, as natural/corrections.tsv lists
// them with what a reader found, and looks whether it is reported at the commit before. The rules were
// made with splits named-dev and forms-dev; named-test and forms-test are of other projects, and each was looked at once. The splits learn, test, later and newest are of
// rules before them.
// With -memory it says what whole processes of a program take.
//
//	go run ./eval/audit [-seed N] [-mode scan|words|model] [-memory PROGRAM | -cite | -history forms-dev|forms-test|… | -natural dev|seen|…|twentyninth] [-v] FOLDER...
package main
