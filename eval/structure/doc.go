// Command structure measures what assay reads from source text against what
// compilers read from it.
//
//	go run ./eval/structure edges -root DIR -truth FILE.jsonl [-min-confidence likely] [-goos OS] [-goarch CPU] [-tags A,B] [-v N]
//
// A line of the truth is a call inside the project, from one named function
// to another, "dynamic" where it goes through an interface:
//
//	{"from":{"file":"a.go","name":"F","line":3},"to":{"file":"b.go","name":"G","line":7},"kind":"static"}
//
// truth/go prints it for Go, truth/ecma and truth/java do with --edges, and
// truth/python/edges.py for Python. A truth that does not know all calls has lines
// of other kinds: see edge.
//
//	go run ./eval/structure refs -root DIR -server "gopls serve" [-lang go] [-n 60] [-seed 1] [-min-confidence likely] [-v N]
//
// It draws symbols of each kind from the files of DIR that are no tests, and compares the uses
// that assay finds of each with the references that the language server names: sets of places,
// without the declaration that was asked about. For Python the server is
// "pyright-langserver --stdio", for TypeScript "typescript-language-server --stdio", for PHP
// "intelephense --stdio", for Rust rust-analyzer; for C and C++ "clangd --background-index=false", in a folder that has
// compile_commands.json. What a macro writes there is not written in the text and does not count, nor
// do functions with overloads beside them, which assay takes together.
//
//	go run ./eval/structure read -root DIR -lang LANG [-n 40] [-seed 1]
//	go run ./eval/structure read -labels testdata/read
//
// For languages of which no compiler is asked it draws calls by names that the project declares, from files that are
// no tests, and prints each with the lines around it and what assay says that it means (exact and likely), for somebody to read. The
// verdicts are kept in testdata/read and counted by the second form: a call with several edges is right where what runs is
// among them, and recall counts a wrong edge as missed too, since what is meant was not found.
//
//	go run ./eval/structure golden [-update] [-dir DIR] [-only NAME]
//
// It fetches fixed versions of packages with npm and apt-get, asks the programs
// under truth/ about their calls, and compares precision and recall with
// testdata/golden.txt: where they differ it fails, unless -update accepts them.
// What a machine lacks a program for is left out, and said to be. It needs node and
// npm, python3, java with its compiler, and Debian's apt-get, dpkg-deb and keyring;
// the network, and some minutes. The Go modules are measured by go test.
//
//	go run ./eval/structure names [-n 50] [-seed 1] [-v] DIR…
//
// Of each project it draws functions whose name nothing else there has, and counts the calls by these names and those of them
// whose callee is known.
//
//	go run ./eval/structure grep [-n 200] [-seed 1] [-tokens 200000] [-v N] DIR…
//
// It draws declared names of all kinds from each project, asks refs, and for functions callers, and looks for every place where
// git grep finds the name as a word: among the uses that resolve, among the other lines that are shown, or among those that
// are counted by owner or kind. Lines are compared; places that are counted are compared by their number.
//
//	go run ./eval/structure changes -assay PROGRAM [-n 100] [-held-out] [-v] REPOSITORY…
//
// It plays the newest commits of each repository that change 2 to 12 files, none of them a
// merge: in the tree of the commit's parent it makes a part of the change, asks
// assay impact --diff, and looks for the rest: the other code files and tests, once with the program's
// file given of which the most lines changed, and the tests, once with all of the program's files
// given. Files and tests are looked for among the first ten of their own lists, and of one list by
// their scores: remaining uses, then tests and reached files, then documents. With -held-out each
// changed file is looked for too, with all others given. The last column is how many are
// listed, of both. Commits whose trees lack a file that the repository does not have are left out.
package main
