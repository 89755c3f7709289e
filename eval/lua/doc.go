// Command lua measures how much of Lua 5.4 the VM runs: by the official tests, beside C Lua 5.4.
//
//	git -C LUA archive v5.4.4 testes | tar x -C DIR
//	go run ./eval/lua -tests DIR/testes -v
//
// Each statement at the top of each file runs by itself, in C Lua and in the VM, and one that
// fails ends no other. What may fail is counted: a call, an assignment, a block, a loop, the
// value of a local. A statement needs no io, os or debug if C Lua passes it without them: both
// run the files without io, os, debug, dofile, loadfile and string.dump, and what C Lua passes
// then is what the VM has to. require finds what the tests preload, and bwcoercion. The switches
// _soft, _port and _nomsg are on. A statement that takes longer than 15 seconds fails.
//
// With -check the command fails where more than one of a hundred official statements fails.
package main
