// Command soak tries to make the program answer wrongly: it kills it while it
// writes, and lets many of it loose on one tree that changes all the time.
//
//	go build ./cmd/assay
//	go run ./eval/soak -assay ./assay -kills 200 -for 2m
//
// It plants words that occur nowhere else in files of a tree made for it, or of a
// copy of -tree, and so knows at every moment what a search must find and what it
// must not.
//
// # Kills
//
// A process that writes the index is killed (SIGKILL) at a random moment of its
// life: one that builds it from nothing, one that builds it anew, one that brings
// a tenth of the tree up to date, one that searches after a few edits. After each
// kill the next searches must answer rightly, nothing may be reported as damaged,
// and assay index --check must find the index sound.
//
// # Crowd
//
// For a while -searchers processes search at once, another indexes, and files are
// rewritten in place, replaced, renamed, made and deleted. No process may fail.
// Every hit's snippet must stand in its file at its span, unless the file was
// changed since the search began. A word that stood from before a search began
// until after it ended must be found in its file; one that was gone before it
// began must not. An answer may lack a word only where it says that it is stale,
// which it may only while the index is built anew (-full); such answers are
// counted.
package main
