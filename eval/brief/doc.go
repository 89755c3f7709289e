// Command brief measures briefs on real changes: how much of what a commit changed is in
// the brief for what its author wrote of it, within 1,000 to 8,000 tokens, and in what else
// could be had for as many.
//
//	go run ./eval/brief -mirrors DIR -changes FILE -part test
//	go run ./eval/brief -mirrors DIR -changes FILE -part dev -alone -pools POOLS
//	go run ./eval/brief -mirrors DIR -changes FILE -repomix PROGRAM -aider PYTHON
//	go run ./eval/brief -pools POOLS -fit files
//	go run ./eval/brief -mirrors DIR -part test -traces
//
// Two programs of others are asked too where they are named: repomix --compress, which knows
// no task, and aider's map for what the task mentions, each cut to the budget.
//
// With -traces it makes stack traces of what projects were 50, 200 and 800 commits ago, as
// six languages print them, and asks for them in what the projects are now: how many frames
// are mapped to where their functions went, or are said to be gone. Where a function went is
// judged by its name in its file, renames as git sees them, and how many lines it kept. Only
// functions of files that have changed are taken: first those that moved.
//
// With -parts DIR it asks for tasks which need what the documentation of a library says, or
// what was decided before: of the tasks, the passages and notes that have what one needs are
// found, and how often a note that holds no longer comes before the one that does. The tasks
// were written by somebody who knew the projects and not the program: testdata/parts.
//
//	go run ./eval/brief -mirrors DIR -parts eval/brief/testdata/parts -assay PROGRAM
//
// FILE is JSON lines with repo (OWNER+NAME), commit, parent and files; DIR has bare
// repositories, OWNER+NAME/repo. Projects are split by a hash of their names: weights are
// fitted to three of five, and the others judge.
//
// Of each change it counts the changed source files of one to four (any, all), the
// innermost declarations around the changed lines of them, as the tree before has them, and
// the test files that were changed with them. A declaration is found where the line of its
// name is shown, or lines of it alone.
package main
