// Command structure measures what assay reads from source text against what
// compilers read from it.
//
//	go run ./eval/structure facts -root DIR -truth FILE.jsonl [-v N] [-lang L]
//
// The truth has a line for each source file, with its path below DIR:
//
//	{"file":"a/b.py","functions":[{"name":"f","line":10}],"imports":[{"path":"os.path","line":1}],
//	 "calls":[{"name":"join","line":11}],"errors":[[20,24]]}
//
// A line is that of the name of a function, of the path of an import and of the
// last name of what is called. What lies in the lines of errors, first and last
// included, counts on neither side; a kind that no file of a language has is not
// judged. The programs under truth/ print such files: each says how it is run.
//
// For each language it prints precision, recall and F1, functions and imports as
// sets of (file, name, line) and calls as multisets, and how many MB a second one
// core scans: the best of several rounds over all files. With -v N it shows the
// first N differences of each kind.
//
//	go run ./eval/structure edges -root DIR -truth FILE.jsonl [-min-confidence likely] [-goos OS] [-goarch CPU] [-tags A,B] [-v N]
//
// Here a line of the truth is a call inside the project, from one named function
// to another, "dynamic" where it goes through an interface:
//
//	{"from":{"file":"a.go","name":"F","line":3},"to":{"file":"b.go","name":"G","line":7},"kind":"static"}
//
// truth/go prints it for Go, truth/ecma and truth/java do with --edges, and
// truth/python/edges.py for Python. A truth that does not know all calls has lines
// of other kinds: see edge.
//
//	go run ./eval/structure cases -dir DIR [-min-confidence likely] [-v]
//
// DIR holds small programs, each in a folder with a callgraph.json that says whom each function
// calls: PyCG's micro-benchmark/snippets (github.com/vitsalis/PyCG), or benchmarks/python, javascript
// or java/cats of SWARM-CG (github.com/secure-software-engineering/SWARM-CG). Calls of libraries and of the
// language are not judged, nor is what is called by functions of which the truth says nothing. A case
// is complete where no edge is too many, and sound where none is missing.
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
//	go run ./eval/structure questions -dir DIR -assay PROGRAM [-go SERVER] [-python SERVER] [-typescript SERVER]
//
// It asks the twenty questions of testdata/questions.txt about three projects, which are below DIR at the commits that
// the file names: assay once, and the language servers for the truth. An answer is right where it names the same places.
// Beside it stand the tokens (cl100k) of assay's answer, of ripgrep's hits of the name, and of these with the ten lines around
// each, which somebody reads who has to tell what a hit means.
//
//	go run ./eval/structure golden [-update] [-dir DIR] [-only NAME]
//
// It fetches fixed versions of packages with npm and apt-get, asks the programs
// under truth/ about them, and compares precision and recall of each kind with
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
//	go run ./eval/structure changes -repo DIR -assay PROGRAM [-n 100] [-v]
//
// It plays the newest commits of a repository that change 2 to 12 files, none of them a
// merge: in the tree of the commit's parent it makes a part of the change, asks
// assay impact --diff, and looks for the rest among the first ten files of the answer:
// remaining uses, then tests and reached files by their scores, then documents. Once
// for each changed file that the parent has, with all others given, and once with the
// first source file given alone.
package main
